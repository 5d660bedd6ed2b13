"""Frames of a body in its axes, symbolically: typed formulas stay, plain numbers wait for a name.

A component is (Amount in the user's parameters, plain remainder [m]): only the remainder of a
*difference* of two points gets a symbol, so that the distance between two pins is one L and not a
difference of two coordinates.
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
from mechstudio.symbolic.plan.symbols import Symbols
from mechstudio.translation import tr

Component = tuple[Amount, float]
Point = tuple[Component, Component, Component]
NOWHERE: Point = ((ZERO, 0.0), (ZERO, 0.0), (ZERO, 0.0))


def _component(symbols: Symbols, quantity: Quantity, source: str) -> Component:
    amount = symbols.typed(quantity, source)
    return (amount, 0.0) if amount is not None else (ZERO, quantity.value)


def _plus(a: Point, b: Point) -> Point:
    return tuple([(p[0] + q[0], p[1] + q[1]) for p, q in zip(a, b)])  # type: ignore[return-value]


def _position(symbols: Symbols, placement: Placement, source: str) -> Point:
    return triple(_component(symbols, q, source) for q in placement.position)


def _shape_point(symbols: Symbols, shape: Shape, name: str, source: str) -> Point | None:
    for known, factors in SHAPE_TYPES[shape.type].points:
        if known != name:
            continue
        if any(values(shape.placement.orientation)):
            return tuple((ZERO, c) for c in shape.points()[name])  # type: ignore[return-value]
        point = _position(symbols, shape.placement, source)
        along = []
        for dimension, factor in factors:
            amount, rest = (
                _component(symbols, shape.dimensions[dimension], source)
                if dimension
                else (ZERO, 0.0)
            )
            along.append((amount.scaled(Fraction(factor)), factor * rest))
        return _plus(point, tuple(along))  # type: ignore[arg-type]
    at = shape.points().get(name)  # a corner of a plate, the end of a capsule, a side of a mesh
    return None if at is None else tuple((ZERO, c) for c in at)  # type: ignore[return-value]


def named_point(symbols: Symbols, body: Body, name: str) -> Point:
    """A named point of a body; "" is its origin."""
    for point in body.points:
        if point.name == name:
            return triple(_component(symbols, q, body.id) for q in point.position)
    for shape in body.shapes:
        at = _shape_point(symbols, shape, name, body.id)
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
    return tuple((ZERO, c) for c in mass_properties(body).center)  # type: ignore[return-value]


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
        plain = [amount.value(symbols.value_of) + rest for amount, rest in parts]
        parts = [(ZERO, sum(axes[i][k] * plain[i] for i in range(3))) for k in range(3)]
    out = []
    for axis, (amount, rest) in zip("xyz", parts):
        if not rest:
            out.append(amount)
            continue
        words = tr("{meaning}, along {axis} of {body}", meaning=meaning, axis=axis, body=body.name)
        named = symbols.named(
            letter,
            body.name,
            f"{detail} {axis}".strip(),
            rest,
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
    matrix = mass_properties(body).inertia
    if axes is not None:
        matrix = rotated_into(matrix, axes)
    largest = max(abs(c) for row in matrix for c in row)
    out = [[ZERO] * 3 for _ in range(3)]
    for k, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
        value = matrix[i][j]
        if abs(value) <= 1e-13 * largest:
            continue
        typed = (
            symbols.typed(body.inertia[k], body.id)
            if body.inertia is not None and axes is None
            else None
        )
        if i == j:
            alike = "".join(
                a for n, a in enumerate("xyz") if math.isclose(matrix[n][n], value, rel_tol=1e-12)
            )
            # two equal ones are those across the third axis
            detail = {3: "", 2: "t", 1: alike}[len(alike)]
            about = tr("any axis") if len(alike) == 3 else listed(list(alike))
        else:
            detail = "xyz"[i] + "xyz"[j]
            about = tr("entry {detail} of the matrix, minus the product of inertia", detail=detail)
        out[i][j] = out[j][i] = (
            typed
            if typed is not None
            else symbols.named(
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
                detail,
            )
        )
    return out


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
        else symbols.named(
            "m",
            body.name,
            "",
            mass_properties(body).mass,
            "mass",
            tr("mass of {body}", body=body.name),
            body.id,
        )
    )
