"""Rows that no table has: a joint of known primitives, a force law, a shape, an integrator and a
plot quantity with their functions.
"""

import numpy as np

from mechstudio.model import drawing_measures as drawn
from mechstudio.model.geometry.forms import Polyhedron
from mechstudio.model.geometry.mesh import packed
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.results.channels import Channel, Quantity
from mechstudio.model.types.forces import FORCE_TYPES, TWO_POINTS, ForceType
from mechstudio.model.types.joints import (
    ANGLE,
    JOINT_TYPES,
    POINT,
    SLIDE,
    TURN,
    Coordinate,
    JointType,
    X,
    Y,
    Z,
)
from mechstudio.model.types.methods import INTEGRATOR_TYPES, IntegratorType
from mechstudio.model.types.parameter import Parameter
from mechstudio.model.types.shapes import SHAPE_TYPES, ShapeDimension, ShapeType
from mechstudio.model.types.sizes import along

PIN_IN_SLOT = JointType(
    "Pin in slot",
    "pin in a slot",
    ((POINT, Y, Y), (POINT, Z, Z), (ANGLE, X, Z), (ANGLE, Y, Z)),
    ((SLIDE, X), (TURN, Z)),
    (Coordinate("slide", "length"), Coordinate("angle", "angle")),
    words="yoke groove",
    key="i",
    ends="pins",
    hardware="pin",
)


def hardening_spring(x, v, stiffness, growth, free_length):
    """-k e (1 + (g e)^2), e = x - x0."""
    e = x - free_length
    return -stiffness * e - stiffness * growth * growth * e * e * e


def hardening_potential(x, stiffness, growth, free_length):
    """k e^2 / 2 + k g^2 e^4 / 4."""
    e = x - free_length
    return 0.5 * stiffness * e * e + 0.25 * stiffness * growth * growth * e * e * e * e


HARDENING_SPRING = ForceType(
    "Hardening spring",
    "hardening spring",
    TWO_POINTS,
    (
        Parameter(
            "stiffness", "Stiffness", "stiffness", drawn=drawn.spring_stiffness, entry=2, letter="k"
        ),
        Parameter("growth", "Growth", "number", drawn=5.0, letter="g"),
        Parameter("free_length", "Free length", "length", drawn=drawn.apart, entry=1, letter="l_0"),
    ),
    hardening_spring,
    hardening_potential,
    words="progressive duffing",
    icon="tool_spring",
    glyph="coil",
)


HEUN = IntegratorType("Heun", 2, False, 2e-3, "the trapezium of two slopes, with a fixed step")


def heun():
    """Heun's method of order 2; samples by a cubic."""
    from mechstudio.engine.kernels.run_tables import Method

    none = np.zeros(2)
    A = np.array([[0.0, 0.0], [1.0, 0.0]])
    return Method(A, np.full(2, 0.5), none, none, np.zeros((0, 2)), np.array([2, 3, 0, 2]))


def wedge(d, outline, mesh):
    """A prism over a right triangle, upright at the left."""
    x, y, z = d["length"] / 2, d["depth"] / 2, d["height"] / 2
    points = [(a, b, c) for b in (-y, y) for a, c in ((-x, -z), (x, -z), (-x, z))]
    triangles = [(0, 1, 2), (3, 5, 4)]
    for a, b in ((0, 1), (1, 2), (2, 0)):
        triangles += [(a, b + 3, b), (a, a + 3, b + 3)]
    return Polyhedron(Mesh(*packed(np.array(points), np.array(triangles))))


WEDGE = ShapeType(
    "Wedge",
    (
        ShapeDimension("length", "Length"),
        ShapeDimension("depth", "Depth", share=0.5),
        ShapeDimension("height", "Height", share=0.5),
    ),
    wedge,
    sizes=along("depth", 1, True, {"depth": 0.5}),
    flips=(1,),
    contacts=False,
    key="w",
    drawn="box",
    words="ramp prism",
)


def difference(parts):
    """T - V."""
    return parts[0] - parts[1]


LAGRANGIAN = Quantity("lagrangian", "Lagrangian T - V", "energy", (0, 1), "L", 5, of=difference)


def length(parts):
    """Of a vector."""
    return np.sqrt(sum(part**2 for part in parts))


def speeds(mechanism, layout):
    """The speed of every body."""
    for b, (id, body) in enumerate(mechanism.bodies.items()):
        at = layout.velocities.start + 6 * b
        label = f"{body.name} speed"
        yield Channel(f"speed/{id}", label, "velocity", (at, at + 1, at + 2), id, of=length)


def add() -> None:
    """Put the rows of types into the tables of this process."""
    JOINT_TYPES["pin_in_slot"] = PIN_IN_SLOT
    FORCE_TYPES["hardening_spring"] = HARDENING_SPRING
    SHAPE_TYPES["wedge"] = WEDGE
    INTEGRATOR_TYPES["heun"] = HEUN
    # the engine reads the rows above when it is imported
    from mechstudio.engine.integration.integrators import METHODS

    METHODS["heun"] = heun
