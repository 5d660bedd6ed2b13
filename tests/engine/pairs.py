"""Two bodies on skew axes with a joint of any type between them, drawn where the joint holds, so
that no alignment hides a fault.
"""

import math

import numpy as np

from mechstudio.engine.constraints.lifts import lift_table
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.right_hand_side import jacobian
from mechstudio.engine.system.system import compile_system
from mechstudio.model.geometry.rotation import about, multiply, rotate
from mechstudio.model.mechanism import GROUND, Curve
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.types.joints import JOINT_TYPES
from tests.mechanisms import Builder

SKEW = (1 / 14**0.5, 2 / 14**0.5, 3 / 14**0.5)
FRAME = multiply(about(SKEW, 0.7), about((1.0, 0.0, 0.0), 0.4))
INERTIA = (0.02, 0.05, 0.04, 0.003, -0.002, 0.004)
AT = (0.5, 0.0, -0.3)
RADIUS, PITCH = 0.21, 0.13
X, Y, Z = np.eye(3).tolist()


def curve():
    """A closed space curve through the origin of frame A."""
    points = [
        (0.3 * (math.cos(a) - 1), 0.25 * math.sin(a), 0.08 * math.sin(2 * a))
        for a in np.arange(12) * math.pi / 6
    ]
    return Curve(tuple(vector(*p) for p in points), closed=True)


def cam():
    """A closed convex spline about the origin of frame A, in its plane z = 0."""
    places = [(0.3 + 0.04 * math.cos(a), a) for a in np.arange(10) * math.pi / 5]
    points = [(r * math.cos(a), 0.9 * r * math.sin(a), 0.0) for r, a in places]
    return Curve(tuple(vector(*p) for p in points), closed=True)


def rolled(x, y, heading, lean, spin):
    """Origin and attitude of frame B of a rolling disc in frame A: slides, heading, lean, radius
    along y, spin.
    """
    q = multiply(about((0, 0, 1), heading), about((1, 0, 0), lean))
    center = np.array((x, y, 0.0)) + rotate(q, (0.0, RADIUS, 0.0))
    return tuple(center), multiply(q, about((0, 0, 1), spin))


def joint_arguments(type, at=AT, frame=FRAME):
    """Arguments of tests.mechanisms.Builder.joint for a joint of the type whose frame A stands
    there.
    """
    out = {"quaternion_a": frame, "type": type}
    if type == "distance":
        end = (at[0] + 0.4, at[1] + 0.2, at[2] - 0.1)
        out |= {"at_b": end, "parameters": {"length": Quantity(math.dist(at, end))}}
    elif type == "screw":
        out["parameters"] = {"pitch": Quantity(PITCH)}
    elif type == "point_on_curve":
        out["curve"] = curve()
    elif type == "flat_follower":
        angle, x, z, turn = 0.4, 0.05, -0.03, 0.2
        out["curve"] = cam()
        attitude = multiply(frame, about((0, 0, 1), angle))
        place = (x, lift_table(cam()).at(angle)[0][1], z)
        out["at_b"] = tuple(np.add(at, rotate(attitude, place)))
        out["quaternion_b"] = multiply(attitude, about((0, 1, 0), turn))
    elif type == "point_on_ellipse":
        place = (0.3 * math.cos(0.7), 0.2 * math.sin(0.7), 0.0)
        out["at_b"] = tuple(np.add(at, rotate(frame, place)))
        out["parameters"] = {"semi_a": Quantity(0.3), "semi_b": Quantity(0.2)}
    elif type in ("rolling_disc", "rolling_wheel"):
        place, turn = rolled(0.1, -0.2, 0.4, math.pi / 2 if type == "rolling_wheel" else 1.1, 0.3)
        out |= {
            "at_b": tuple(np.add(at, rotate(frame, place))),
            "quaternion_b": multiply(frame, turn),
            "parameters": {"radius": Quantity(RADIUS)},
        }
    return out


def pair(type, backwards=False, rates=()):
    """`upper` on a ball joint at ground, `lower` on `upper` by the joint `tested`, with typed rates
    if given.
    """
    b = Builder()
    b.body("upper", (0.3, 0.1, -0.2), about((0.0, 0.6, 0.8), 0.5), 2.0, INERTIA)
    b.body("lower", (0.7, -0.1, -0.5), about((0.6, 0.0, 0.8), 1.1), 1.5, INERTIA)
    b.joint(
        "hang",
        GROUND,
        "upper",
        (0.0, 0.0, 0.0),
        quaternion_a=about((0.0, 1.0, 0.0), 0.2),
        quaternion_b=FRAME,
        type="spherical",
        rates=tuple(Quantity(r) for r in (0.4, -0.3, 0.5)),
    )
    first, second = ("lower", "upper") if backwards else ("upper", "lower")
    b.joint("tested", first, second, AT, rates=tuple(map(Quantity, rates)), **joint_arguments(type))
    return b.mechanism


def velocity_freedoms(type):
    """Freedoms of velocity that a joint leaves."""
    return JOINT_TYPES[type].dof - len(JOINT_TYPES[type].rolling)


def possible_rates(type):
    """Arbitrary initial rates of the joint `tested` that its rolling rows allow."""
    rates = 0.3 + 0.2 * np.arange(JOINT_TYPES[type].dof)
    count = len(JOINT_TYPES[type].rolling)
    if count:
        system = compile_system(pair(type))
        J = np.zeros((count, system.where.nv))
        jacobian(system.start.copy(), system.tables, J)
        columns = [
            system.tables.nodes[system.tree.screws["tested", c], k.V0] for c in range(len(rates))
        ]
        J = J[:, columns]
        # the slides are what the rolling decides: both of a disc, the sideways one of a blade
        decided = [0, 1] if count == 2 else [1]
        rest = [c for c in range(len(rates)) if c not in decided]
        rates[decided] = -np.linalg.solve(J[:, decided], J[:, rest] @ rates[rest])
    return tuple(rates.tolist())
