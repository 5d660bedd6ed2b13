"""One free body and a joint that is rows only: the smallest mechanism in which a joint
of any type closes a loop.
"""

import math
from collections.abc import Mapping

import msgspec

from mechstudio.model.geometry.rotation import about, multiply, to_angles
from mechstudio.model.mechanism import (
    Body,
    Coupling,
    Curve,
    Drive,
    Force,
    Frame,
    Joint,
    Mechanism,
    Placement,
)
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.tree import Branch, Tree

PITCH = 0.02
RADIUS = 0.15
_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
ABOUT_Z = about(_Z, 0.3)
_ATTITUDES = {
    "prismatic": (1.0, 0.0, 0.0, 0.0),
    "flat_follower": multiply(ABOUT_Z, about(_Y, 0.5)),
    "universal": multiply(ABOUT_Z, about(_X, 0.4)),
    "constant_velocity": multiply(about(_X, 0.15), multiply(about(_Y, 0.4), about(_X, 0.15))),
    "rolling_disc": multiply(ABOUT_Z, multiply(about(_X, 1.2), about(_Z, 0.4))),
    "rolling_wheel": multiply(ABOUT_Z, multiply(about(_X, math.pi / 2), about(_Z, 0.4))),
}
_HINGES = ("revolute", "cylindrical", "screw", "planar", "knife_edge")
_OFFSETS = {
    "prismatic": (0, 0, 0.1),
    "cylindrical": (0, 0, 0.1),
    "planar": (0.1, 0.2, 0),
    "knife_edge": (0.1, 0.2, 0),
    "point_on_line": (0, 0, 0.1),
    "point_on_ellipse": (0.12, 0.08, 0),
    "point_on_plane": (0.1, 0.2, 0),
    "screw": (0, 0, 0.3 * PITCH / (2 * math.pi)),
    "distance": (0.3, 0.2, 0.1),
    # the face touches the circle, 0.1 beside its own origin
    "flat_follower": (
        0.1 * math.cos(0.3) - 0.2 * math.sin(0.3),
        0.1 * math.sin(0.3) + 0.2 * math.cos(0.3),
        0.05,
    ),
    "rolling_disc": (0.1, 0.2, RADIUS * math.sin(1.2)),
    "rolling_wheel": (0.1, 0.2, RADIUS),
}
BENT = Curve((vector(-0.2, 0, 0.1), vector(0, 0, 0), vector(0.3, 0.1, -0.05), vector(0.5, 0, 0.2)))
ROUND = Curve(
    (vector(0.2, 0, 0), vector(0, 0.2, 0), vector(-0.2, 0, 0)), form="circle", closed=True
)
_PARAMETERS: dict[str, dict[str, Quantity]] = {
    "screw": {"pitch": Quantity(PITCH)},
    "point_on_ellipse": {"semi_a": Quantity(0.2), "semi_b": Quantity(0.1)},
    "rolling_disc": {"radius": Quantity(RADIUS)},
    "rolling_wheel": {"radius": Quantity(RADIUS)},
}


def closed(
    type: str,
    force: Force | None = None,
    couplings: Mapping[str, Coupling] | None = None,
    drives: Mapping[str, Drive] | None = None,
    curve=None,
) -> Mechanism:
    """A skew body at a relative pose that the joint "j" allows."""
    attitude = _ATTITUDES.get(
        type,
        ABOUT_Z if type in _HINGES else multiply(ABOUT_Z, multiply(about(_Y, 0.5), about(_X, 0.4))),
    )
    body = Body(
        "a",
        "a",
        placement=Placement(vector(*_OFFSETS.get(type, (0, 0, 0))), vector(*to_angles(attitude))),
        mass=Quantity(2.0),
        center_of_mass=vector(0.1, 0.05, 0.02),
        inertia=tuple(map(Quantity, (0.2, 0.3, 0.25, 0.01, 0.02, -0.01))),
    )
    joint = Joint(
        "j",
        "j",
        type,
        Frame("ground"),
        Frame("a"),
        parameters=_PARAMETERS.get(type, {}),
        curve=curve or {"point_on_curve": BENT, "flat_follower": ROUND}.get(type),
    )
    return Mechanism(
        {"a": body},
        {"j": joint},
        forces={force.id: force} if force else {},
        couplings=couplings or {},
        drives=drives or {},
    )


def is_unattached(mechanism: Mechanism, tree_joints=()) -> Tree:
    """In place of model.tree.equation_tree: every joint closes."""
    return Tree(tuple(Branch(id, "ground") for id in mechanism.bodies), tuple(mechanism.joints))


def with_forces(mechanism: Mechanism, *forces: Force) -> Mechanism:
    return msgspec.structs.replace(mechanism, forces={f.id: f for f in forces})
