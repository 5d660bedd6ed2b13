"""Movements of parts of a drawing that keep the formulas of their places."""

from collections.abc import Sequence
from typing import NamedTuple

from mechstudio.model.edits.poses.closed_pose import renumbered
from mechstudio.model.formulas import expression
from mechstudio.model.geometry.rotation import (
    IDENTITY,
    Pose,
    Quaternion,
    Triple,
    angles_near,
    compose,
    conjugate,
    matrix,
    minus,
    multiply,
    rotate,
    triple,
)
from mechstudio.model.mechanism import Placement
from mechstudio.model.quantity import ORIGIN, Quantity, Vector, values, vector

NOWHERE: Pose = ((0.0, 0.0, 0.0), IDENTITY)
ROUNDING = 1e-15  # of a cosine


class Movement(NamedTuple):
    """A rigid movement of W: the point p goes to R(turn) p + shift.

    shift: [m], with formulas where it follows parameters.  Numbers with such formulas are computed
    as floats here; `elements.reevaluate` gives them the last digit of their formula.
    """

    shift: Vector = ORIGIN
    turn: Quaternion = IDENTITY

    @property
    def pose(self) -> Pose:
        """The movement as a pose [m, quaternion]."""
        return values(self.shift), self.turn

    def placed(self, placement: Placement, outer: Pose = NOWHERE) -> Placement:
        """A placement in the axes of a body that stays at `outer`, moved.

        A number keeps its text if it stays as it is; one that depends on a formula gets a formula.
        """
        back = conjugate(outer[1])
        turn = multiply(back, multiply(self.turn, outer[1])) if self.turn != IDENTITY else IDENTITY
        if outer == NOWHERE:
            shift = self.shift
        else:
            away = minus(compose(self.pose, outer)[0], outer[0])
            shift = vector(*rotate(back, away))
        return Placement(
            _combined(matrix(turn), placement.position, shift, "m"),
            placement.orientation
            if turn == IDENTITY
            else renumbered(
                placement.orientation,
                angles_near(
                    _clean(multiply(turn, placement.quaternion)), values(placement.orientation)
                ),
            ),
        )

    def rotated(self, v: Vector, unit: str) -> Vector:
        """A vector of W, turned along.  unit: symbol of its SI unit, for formulas."""
        return v if self.turn == IDENTITY else _combined(matrix(self.turn), v, ORIGIN, unit)


def shifted(shift: Triple) -> Movement:
    """The movement by a shift [m, W]."""
    return Movement(vector(*shift))


def movement_of(pose: Pose) -> Movement:
    """The movement that a pose stands for: p goes to R p + its position."""
    return Movement(vector(*pose[0]), pose[1])


def _clean(q: Quaternion) -> Quaternion:
    w, x, y, z = (0.0 if abs(c) < ROUNDING else c for c in q)
    return w, x, y, z


def _combined(rows: Sequence[Triple], v: Vector, shift: Vector, unit: str) -> Vector:
    """rows v + shift, component by component, as formulas where a formula is among the terms."""
    return triple(
        v[k]
        if not shift[k].value
        and not shift[k].text
        and row == triple(float(i == k) for i in range(3))
        else _sum([*zip((_whole(c) for c in row), v), (1.0, shift[k])], unit)
        for k, row in enumerate(triple(triple(_whole(c) for c in row) for row in rows))
    )


def _whole(c: float) -> float:
    near = float(round(c))
    return near if abs(c - near) < ROUNDING else c


def _sum(terms: Sequence[tuple[float, Quantity]], unit: str) -> Quantity:
    """A sum of multiples in an SI unit; a formula if one of its terms names a parameter."""
    used = [(c, q) for c, q in terms if c and (q.value or _is_formula(q))]
    total = sum(c * q.value for c, q in used)
    formulas = [(c, q) for c, q in used if _is_formula(q)]
    if not formulas:
        return Quantity(total)
    parts = [_multiple(c, q.text) for c, q in formulas]
    plain = sum(c * q.value for c, q in used if not _is_formula(q))
    if plain:
        parts.append(f"{plain:.15g} {unit}")
    text = parts[0]
    for part in parts[1:]:
        text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return Quantity(total, text)


def _is_formula(q: Quantity) -> bool:
    return bool(q.text) and bool(expression.names_in(q.text))


def _multiple(factor: float, text: str) -> str:
    single = text.replace("_", "").isalnum() and not text[0].isdigit()
    whole = text if single else f"({text})"
    if factor == 1.0:
        return whole
    return f"-{whole}" if factor == -1.0 else f"{factor:.15g}*{whole}"
