"""Frames of a body in its axes, symbolically: typed formulas stay, plain numbers wait for a name.

A component is (Amount in the user's parameters, remainder [m]): only the remainder of a
*difference* of two points gets a symbol, so that the distance between two pins is one L and not a
difference of two coordinates.  A remainder is a plain number, or a formula that is no polynomial.
"""

import math
from fractions import Fraction

from mechstudio.model.findings import listed
from mechstudio.model.geometry.rotation import triple
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Body, Frame, Placement, Shape
from mechstudio.model.quantity import Quantity, values
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.symbolic.plan.attitude import Matrix
from mechstudio.symbolic.plan.drawing_numbers import ZERO, Amount
from mechstudio.symbolic.plan.followed_masses import attitude, followed, shape_parameters
from mechstudio.symbolic.plan.formulas import Formula, NoFormula, Number, are_same
from mechstudio.symbolic.plan.symbols import Symbols
from mechstudio.translation import tr

Component = tuple[Amount, Number]
Point = tuple[Component, Component, Component]
NOWHERE: Point = ((ZERO, 0.0), (ZERO, 0.0), (ZERO, 0.0))


def _component(symbols: Symbols, quantity: Quantity, source: str) -> Component:
    amount = symbols.typed(quantity, source)
    if amount is not None:
        return amount, 0.0
    try:
        return ZERO, symbols.formula(quantity, source)  # type: ignore[return-value]
    except NoFormula:
        return ZERO, quantity.value


def _plus(a: Point, b: Point) -> Point:
    return triple((p[0] + q[0], p[1] + q[1]) for p, q in zip(a, b))  # type: ignore[return-value]


def _position(symbols: Symbols, placement: Placement, source: str) -> Point:
    return triple(_component(symbols, q, source) for q in placement.position)


def _shape_point(symbols: Symbols, body: Body, shape: Shape, name: str) -> Point | None:
    source = body.id
    for known, factors in SHAPE_TYPES[shape.type].points:
        if known != name:
            continue
        angles = shape.placement.orientation
        is_turned = any(values(angles)) or any(map(symbols.follows, angles))
        if is_turned and not shape_parameters(symbols, shape):
            break
        point = _position(symbols, shape.placement, source)
        along = []
        for dimension, factor in factors:
            amount, rest = (
                _component(symbols, shape.dimensions[dimension], source)
                if dimension
                else (ZERO, 0.0)
            )
            along.append((amount.scaled(Fraction(factor)), factor * rest))
        if is_turned:
            R = attitude(symbols, body, shape)
            local = [_whole(symbols, part) for part in along]
            along = [(ZERO, sum(r * x for r, x in zip(row, local))) for row in R]
        return _plus(point, tuple(along))  # type: ignore[arg-type]
    at = shape.points().get(name)  # a corner of a plate, the end of a capsule, a side of a mesh
    if at is None:
        return None
    if found := shape_parameters(symbols, shape):
        symbols.still.setdefault((name, body.id), set()).update(found)
    return tuple((ZERO, c) for c in at)  # type: ignore[return-value]


def named_point(symbols: Symbols, body: Body, name: str) -> Point:
    """A named point of a body; "" is its origin."""
    for point in body.points:
        if point.name == name:
            return triple(_component(symbols, q, body.id) for q in point.position)
    for shape in body.shapes:
        at = _shape_point(symbols, body, shape, name)
        if at is not None:
            return at
    return tuple((ZERO, c) for c in body.point(name))  # type: ignore[return-value]


def frame_point(symbols: Symbols, body: Body, frame: Frame, source: str) -> Point:
    """The origin of a frame of a body."""
    return _plus(
        named_point(symbols, body, frame.point), _position(symbols, frame.placement, source)
    )


def center_point(symbols: Symbols, body: Body) -> Point:
    """The centre of mass of a body."""
    if body.center_of_mass is not None:
        return triple(_component(symbols, q, body.id) for q in body.center_of_mass)
    known = followed(symbols, body) or mass_properties(body)
    return triple((ZERO, c) for c in known.center)


def _whole(symbols: Symbols, component: Component) -> Number:
    amount, rest = component
    return Formula.of(amount, symbols.value_of) + rest


def difference(
    symbols: Symbols,
    to: Point,
    start: Point,
    letter: str,
    body: Body,
    detail: str,
    meaning: str,
    axes: Matrix | None = None,
    shared: str = "",
) -> tuple[Amount, Amount, Amount]:
    """The vector from one point of a body to another, in body axes; its plain parts become symbols.

    axes: columns are the axes in which the components are requested, in body axes; they are then
    plain numbers. shared: id of the element to which both ends of a spring belong; equal numbers
    then share a symbol across the two bodies.
    """
    parts = [(a[0] - b[0], a[1] - b[1]) for a, b in zip(to, start)]
    if axes is not None:
        whole = [_whole(symbols, part) for part in parts]
        parts = [(ZERO, sum(axes[i][k] * whole[i] for i in range(3))) for k in range(3)]
    out = []
    for axis, (amount, rest) in zip("xyz", parts):
        if not rest:
            out.append(amount)
            continue
        words = tr("{meaning}, along {axis} of {body}", meaning=meaning, axis=axis, body=body.name)
        detailed = f"{detail} {axis}".strip()
        if isinstance(rest, Formula):
            whole = _whole(symbols, (amount, rest))
            out.append(
                symbols.defined(letter, body.name, detailed, whole, "length", words, body.id)
            )
            continue
        named = symbols.named(
            letter,
            body.name,
            detailed,
            float(rest),
            "length",
            words,
            body.id,
            axis,
            shared,
        )
        out.append(amount + named)
    return tuple(out)  # type: ignore[return-value]


def inertia(symbols: Symbols, body: Body, axes: Matrix | None = None) -> list[list[Amount]]:
    """The inertia matrix about the centre of mass in body axes, or in `axes` as above; equal
    diagonal entries share a symbol.
    """
    matrix = (followed(symbols, body) or mass_properties(body)).inertia
    if axes is not None:
        matrix = rotated_into(matrix, axes)
    largest = max(abs(float(c)) for row in matrix for c in row)
    out = [[ZERO] * 3 for _ in range(3)]
    for k, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
        value = matrix[i][j]
        if not isinstance(value, Formula) and abs(value) <= 1e-13 * largest:
            continue
        typed = (
            symbols.typed(body.inertia[k], body.id)
            if body.inertia is not None and axes is None
            else None
        )
        if i == j:
            alike = "".join(a for n, a in enumerate("xyz") if _are_alike(matrix[n][n], value))
            # two equal ones are those across the third axis
            detail = {3: "", 2: "t", 1: alike}[len(alike)]
            about = tr("any axis") if len(alike) == 3 else listed(list(alike))
        else:
            detail = "xyz"[i] + "xyz"[j]
            about = tr("entry {detail} of the matrix, minus the product of inertia", detail=detail)
        out[i][j] = out[j][i] = (
            typed
            if typed is not None
            else symbols.defined(
                "J",
                body.name,
                detail,
                value,
                "inertia",
                tr(
                    "inertia of {body} about its centre of mass, {about}",
                    body=body.name,
                    about=about,
                ),
                body.id,
            )
        )
    return out


def _are_alike(a: Number, b: Number) -> bool:
    """True for formulas that are always equal, or numbers that are but for rounding."""
    if isinstance(a, Formula) or isinstance(b, Formula):
        return are_same(a, b)
    return math.isclose(a, b, rel_tol=1e-12)


def rotated_into(matrix: Matrix, axes: Matrix) -> Matrix:
    """A^T matrix A."""
    half = [[sum(matrix[i][k] * axes[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    return tuple(
        tuple(sum(axes[k][i] * half[k][j] for k in range(3)) for j in range(3)) for i in range(3)
    )  # type: ignore[return-value]


def mass(symbols: Symbols, body: Body) -> Amount:
    """The mass of a body."""
    typed = symbols.typed(body.mass, body.id) if body.mass is not None else None
    return (
        typed
        if typed is not None
        else symbols.defined(
            "m",
            body.name,
            "",
            (followed(symbols, body) or mass_properties(body)).mass,
            "mass",
            tr("mass of {body}", body=body.name),
            body.id,
        )
    )
