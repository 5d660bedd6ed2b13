"""The published problems of tests/reference as mechanisms for the engine, and the scaling families
chainN and fourbarN.
"""

import json
from pathlib import Path

import numpy as np

from mechstudio.model.geometry.rotation import frame_on_axis, to_angles
from mechstudio.model.mechanism import (
    GROUND,
    Body,
    Force,
    Frame,
    InitialVelocity,
    Joint,
    Mechanism,
    Placement,
)
from mechstudio.model.quantity import Quantity, vector

DATA = Path(__file__).parent.parent / "reference"
NAMES = ("pendulum", "slidercrank", "fourbar2", "andrews")


def entries(inertia):
    """Matrix entries xx, yy, zz, xy, xz, yz."""
    I = np.asarray(inertia)
    return tuple(
        Quantity(float(I[i, j])) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    )


def body(id, mass, at, inertia, velocity=(0, 0, 0), spin=(0, 0, 0)):
    """A body whose frame stands in its centre of mass, parallel to W."""
    start = (
        InitialVelocity(vector(*velocity), vector(*spin)) if any(velocity) or any(spin) else None
    )
    return Body(
        id,
        id,
        placement=Placement(vector(*at)),
        mass=Quantity(mass),
        center_of_mass=vector(0, 0, 0),
        inertia=entries(inertia),
        initial_velocity=start,
    )


def joint(id, type, a, b, at, axis, bodies):
    """A joint at a world point between bodies that stand parallel to W."""
    angles = vector(*to_angles(frame_on_axis(tuple(axis))))
    origin = lambda name: (
        (0.0, 0.0, 0.0)
        if name == GROUND
        else tuple(q.value for q in bodies[name].placement.position)
    )
    frames = [
        Frame(name, "", Placement(vector(*np.subtract(at, origin(name))), angles))
        for name in (a, b)
    ]
    return Joint(id, id, type, *frames)


def published(name):
    """(mechanism, reference) of a problem of tests/reference; every moving body has its velocity
    typed.
    """
    p = json.loads((DATA / "problems.json").read_text("utf-8"))[name]
    known = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    names = {-1: GROUND} | {k: b["name"] for k, b in enumerate(p["bodies"])}
    bodies = {
        b["name"]: body(
            b["name"],
            b["mass"],
            b["com"],
            b["inertia_com_world"],
            b["velocity"],
            b["angular_velocity_world"],
        )
        for b in p["bodies"]
    }
    joints = {
        f"j{k}": joint(
            f"j{k}", j["type"], names[j["parent"]], names[j["child"]], j["point"], j["axis"], bodies
        )
        for k, j in enumerate(p["joints"])
    }
    at = lambda k, point: Frame(
        names[k],
        "",
        Placement(vector(*np.subtract(point, (0, 0, 0) if k < 0 else p["bodies"][k]["com"]))),
    )
    forces = {
        f"s{k}": Force(
            f"s{k}",
            f"s{k}",
            "spring",
            {"stiffness": Quantity(s["stiffness"]), "free_length": Quantity(s["free_length"])},
            at(s["body_1"], s["point_1"]),
            at(s["body_2"], s["point_2"]),
        )
        for k, s in enumerate(p["springs"])
    }
    forces |= {
        f"t{k}": Force(
            f"t{k}",
            f"t{k}",
            "motor_torque",
            {"torque": Quantity(t["torque"])},
            joint=f"j{t['joint']}",
        )
        for k, t in enumerate(p["joint_torques"])
    }
    known |= {
        "duration": p["duration"],
        "length_scale": p["length_scale"],
        "tracked": [
            (names[t["body"]], np.subtract(t["point"], p["bodies"][t["body"]]["com"]))
            for t in p["tracked_points"]
        ],
    }
    return Mechanism(bodies, joints, forces, gravity=vector(*p["gravity"])), known


def rod(mass, length, axis, section=0.0):
    """Inertia about the centre of a box rod along a unit axis."""
    d = np.asarray(axis, float)
    return mass * (length**2 + section**2) / 12 * (
        np.eye(3) - np.outer(d, d)
    ) + mass * section**2 / 6 * np.outer(d, d)


def fourbar(count):
    """2 count + 1 rods of 1 m and 1 kg: verticals hinged to ground at x = 0 ... count, couplers
    between their tops, which start at 1 m/s.
    """
    bodies, joints = {}, {}
    thin = lambda axis: rod(1.0, 1.0, axis) + np.diag(1e-4 * (np.abs(axis) > 0.5))
    for i in range(count + 1):
        bodies[f"v{i}"] = body(
            f"v{i}", 1.0, (i, 0.5, 0), thin((0, 1, 0)), (0.5, 0, 0), (0, 0, -1.0)
        )
    for i in range(count):
        bodies[f"h{i}"] = body(f"h{i}", 1.0, (i + 0.5, 1, 0), thin((1, 0, 0)), (1.0, 0, 0))
    add = lambda id, a, b, at: joints.__setitem__(
        id, joint(id, "revolute", a, b, at, (0, 0, 1), bodies)
    )
    for i in range(count + 1):
        add(f"g{i}", GROUND, f"v{i}", (i, 0, 0))
    for i in range(count):
        add(f"a{i}", f"v{i}", f"h{i}", (i, 1, 0))
        add(f"b{i}", f"v{i + 1}", f"h{i}", (i + 1, 1, 0))
    return Mechanism(bodies, joints, gravity=vector(0, -9.81, 0))


def chain(count):
    """An open spatial chain along x of box rods of 0.2 m and 0.2 kg, hinge axes (0, 1, 1) and (0,
    1, -1) in turn, at rest.
    """
    bodies, joints = {}, {}
    for i in range(count):
        bodies[f"c{i}"] = body(
            f"c{i}", 0.2, (0.2 * (i + 0.5), 0, 0), rod(0.2, 0.2, (1, 0, 0), 0.02)
        )
    for i in range(count):
        axis = np.array([0.0, 1.0, 1.0 if i % 2 == 0 else -1.0]) / np.sqrt(2)
        joints[f"j{i}"] = joint(
            f"j{i}",
            "revolute",
            GROUND if i == 0 else f"c{i - 1}",
            f"c{i}",
            (0.2 * i, 0, 0),
            axis,
            bodies,
        )
    return Mechanism(bodies, joints)


def position(samples, layout, body_id, point):
    """World positions (k, 3) of a point of a body over samples."""
    p = samples[:, layout.pose(body_id)]
    w, e = p[:, 3:4], p[:, 4:7]
    r = np.asarray(point, float)
    return p[:, :3] + r + 2 * np.cross(e, np.cross(e, r) + w * r)
