"""Projects that look like something, for tests of the scene and the viewport, and their poses in
closed form.
"""

import numpy as np

from mechstudio.model.geometry.mesh import packed
from mechstudio.model.geometry.rotation import (
    about,
    frame_on_axis,
    from_angles,
    from_axes,
    multiply,
    rotate,
    to_angles,
)
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.mechanism import Body, Force, Frame, Joint, Mechanism, Placement, Shape
from mechstudio.model.project import Camera, Project
from mechstudio.model.quantity import Quantity, vector

PIN = vector(0.0, 0.0, np.pi / 2)  # a frame whose z is -y of its body: a pin across the front plane


def shape(
    type, material="paint", at=(0.0, 0.0, 0.0), angles=(0.0, 0.0, 0.0), outline=(), **dimensions
):
    return Shape(
        type,
        {k: Quantity(float(v)) for k, v in dimensions.items()},
        tuple((Quantity(float(x)), Quantity(float(z))) for x, z in outline),
        Placement(vector(*at), vector(*angles)),
        material=material,
    )


def mesh_shape(points, triangles, material="paint"):
    return Shape("mesh", {}, material=material, mesh=Mesh(*packed(points, triangles), "part.stl"))


def box_mesh(a, b, c):
    """Vertices (8, 3) and triangles (12, 3) of a box about the origin, seen counter-clockwise from
    outside.
    """
    points = np.array(
        [(x, y, z) for x in (-a / 2, a / 2) for y in (-b / 2, b / 2) for z in (-c / 2, c / 2)]
    )
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return points, np.array([t for p, q, r, s in quads for t in ((p, q, r), (p, r, s))])


def grid_mesh(profile, n):
    """A surface turned about z: profile (k, 2) of (radius, z) from the bottom of the axis to its
    top, in n segments.
    """
    profile, a = np.asarray(profile, float), np.arange(n) * 2 * np.pi / n
    k = len(profile) - 2
    rings = np.concatenate(
        [np.column_stack([r * np.cos(a), r * np.sin(a), np.full(n, z)]) for r, z in profile[1:-1]]
    )
    points = np.concatenate([rings, [(0, 0, profile[0, 1]), (0, 0, profile[-1, 1])]])
    i, j = (x.ravel() for x in np.meshgrid(np.arange(k - 1), np.arange(n), indexing="ij"))
    at, near = lambda row, col: row * n + col % n, np.arange(n)
    sides = [
        np.column_stack([at(i, j), at(i, j + 1), at(i + 1, j + 1)]),
        np.column_stack([at(i, j), at(i + 1, j + 1), at(i + 1, j)]),
    ]
    caps = [
        np.column_stack([np.full(n, k * n), at(0, near + 1), at(0, near)]),
        np.column_stack([np.full(n, k * n + 1), at(k - 1, near), at(k - 1, near + 1)]),
    ]
    return points, np.concatenate([*sides, *caps])


def ball_mesh(n, radius):
    """A ball of 2 n segments with its vertices on the sphere; 4 n (n - 1) triangles."""
    a = np.linspace(-np.pi / 2, np.pi / 2, n + 1)
    profile = radius * np.column_stack([np.cos(a), np.sin(a)])
    return grid_mesh(profile, 2 * n)


def frame(body, at=(0.0, 0.0, 0.0), orientation=PIN, point=""):
    return Frame(body, point, Placement(vector(*at), orientation))


CRANK, COUPLER, ROCKER, BASE, HEIGHT = 0.130, 0.330, 0.260, 0.340, 0.190
TIP = (0.46 * COUPLER, 0.150)
FOUR_BAR_CAMERA = Camera((0.170, 0.0, 0.268), -62.0, 14.0, 1.610)


def four_bar_angles(crank):
    """Coupler and rocker angles [rad] of the branch above."""
    d = np.array([BASE, 0.0]) - CRANK * np.array([np.cos(crank), np.sin(crank)])
    reach, heading = np.hypot(*d), np.arctan2(d[1], d[0])
    coupler = heading + np.arccos((COUPLER**2 + reach**2 - ROCKER**2) / (2 * COUPLER * reach))
    c = np.array([np.cos(coupler), np.sin(coupler)]) * COUPLER - d
    return coupler, np.arctan2(c[1], c[0])


def four_bar_poses(crank):
    """(3, 7) poses of crank, coupler, rocker at a crank angle [rad]."""
    coupler, rocker = four_bar_angles(crank)
    b = (CRANK * np.cos(crank), 0.0, HEIGHT + CRANK * np.sin(crank))
    return np.array(
        [
            (*p, *about((0, -1, 0), a))
            for p, a in (((0, 0, HEIGHT), crank), (b, coupler), ((BASE, 0, HEIGHT), rocker))
        ]
    )


def four_bar(crank=2.10, forces=True) -> Project:
    """A planar four-bar on cast feet, links stacked along the pins by the placement of their
    shapes.
    """
    placements = [
        Placement(vector(*row[:3]), vector(*to_angles(tuple(row[3:]))))
        for row in four_bar_poses(crank)
    ]
    w, t = 0.044, 0.020
    ground = Body(
        "ground",
        "ground",
        (
            shape(
                "plate",
                "cast",
                (0, 0.042, HEIGHT),
                outline=[(0, 0), (-0.052, -HEIGHT + 0.022), (0.052, -HEIGHT + 0.022)],
                radius=0.022,
                thickness=0.018,
            ),
            shape(
                "plate",
                "cast",
                (BASE, 0.042, HEIGHT),
                outline=[(0, 0), (-0.052, -HEIGHT + 0.022), (0.052, -HEIGHT + 0.022)],
                radius=0.022,
                thickness=0.018,
            ),
            shape(
                "plate",
                "cast",
                (0, 0, 0.0),
                (0, 0, -np.pi / 2),
                [(-0.064, -0.018), (BASE + 0.064, -0.018), (BASE + 0.064, 0.066), (-0.064, 0.066)],
                radius=0.022,
                thickness=0.014,
            ),
        ),
        color=-1,
    )
    bodies = {
        "crank": Body(
            "crank",
            "crank",
            (shape("link", at=(0, 0.012, 0), length=CRANK, width=w, thickness=t),),
            placements[0],
            color=1,
        ),
        "coupler": Body(
            "coupler",
            "coupler",
            (
                shape(
                    "plate",
                    at=(0, -0.012, 0),
                    outline=[(0, 0), (COUPLER, 0), TIP],
                    radius=0.020,
                    thickness=0.018,
                ),
            ),
            placements[1],
            color=0,
        ),
        "rocker": Body(
            "rocker",
            "rocker",
            (shape("link", at=(0, 0.012, 0), length=ROCKER, width=w, thickness=t),),
            placements[2],
            color=2,
        ),
    }
    joints = {
        "A": Joint("A", "A", "revolute", frame("ground", (0, 0, HEIGHT)), frame("crank")),
        "B": Joint("B", "B", "revolute", frame("crank", (CRANK, 0, 0)), frame("coupler")),
        "C": Joint(
            "C", "C", "revolute", frame("coupler", (COUPLER, 0, 0)), frame("rocker", (ROCKER, 0, 0))
        ),
        "D": Joint("D", "D", "revolute", frame("ground", (BASE, 0, HEIGHT)), frame("rocker")),
    }
    laws = {
        "push": Force(
            "push",
            "push",
            "force",
            {"x": Quantity(0.0), "y": Quantity(0.0), "z": Quantity(-20.0)},
            frame_b=frame("coupler", (TIP[0], -0.03, TIP[1]), vector(0, 0, 0)),
        )
    }
    return Project(Mechanism(bodies, joints, laws if forces else {}, ground))


def spatial_four_bar() -> Project:
    """RSSR: two pins on skewed axes, a coupler with ball ends, on turned posts."""
    A, D = np.array([0, 0, 0.2]), np.array([0.39, 0.11, 0.15])
    a, d = (
        (lambda v: v / np.linalg.norm(v))(np.array([-0.25, -1, 0.12])),
        (lambda v: v / np.linalg.norm(v))(np.array([-0.75, -0.72, 0.3])),
    )
    r, s, length, root, other = 0.064, 0.215, 0.396, A + 0.062 * a, D + 0.062 * d

    def arm_axes(axis, angle):
        z = axis
        y = np.cross(z, (0, 0, 1.0))
        y /= np.linalg.norm(y)
        return from_axes(
            tuple(np.cos(angle) * np.cross(y, z) + np.sin(angle) * y),
            tuple(np.cos(angle) * y - np.sin(angle) * np.cross(y, z)),
            tuple(z),
        )

    qa = arm_axes(a, 0.8)
    B = root + rotate(qa, (r, 0, 0.034))
    # |other + Rd (s cos, s sin, .034) - B| = length, a linear equation in cos and sin of the
    # rocker's angle
    x, y, z = (np.array(rotate(arm_axes(d, 0.0), tuple(e))) for e in np.eye(3))
    w = other + 0.034 * z - B
    p, q, k = 2 * s * w @ x, 2 * s * w @ y, length**2 - s**2 - w @ w
    turns = np.arctan2(q, p) + np.array([1, -1]) * np.arccos(k / np.hypot(p, q))
    qd = max((arm_axes(d, t) for t in turns), key=lambda turn: rotate(turn, (s, 0, 0))[2])
    C = other + np.array(rotate(qd, (s, 0, 0.034)))
    rod = frame_on_axis(tuple(C - B))
    post = lambda p: [
        shape("cylinder", "cast", (p[0], p[1], 0.008), radius=0.078, height=0.016),
        shape("cylinder", "cast", (p[0], p[1], p[2] / 2), radius=0.021, height=p[2] - 0.01),
    ]
    barrel = lambda p, axis: [
        shape(
            "cylinder",
            "cast",
            tuple(p),
            to_angles(frame_on_axis(tuple(axis))),
            radius=0.031,
            height=0.068,
        ),
        shape(
            "cylinder",
            "steel",
            tuple(p + 0.03 * axis),
            to_angles(frame_on_axis(tuple(axis))),
            radius=0.011,
            height=0.09,
        ),
    ]
    arm = lambda n: (
        shape("link", angles=(0, 0, np.pi / 2), length=n, width=0.048, thickness=0.018),
        shape("cylinder", "steel", (n, 0, 0.014), radius=0.012, height=0.03),
    )
    ball = lambda z: shape("sphere", at=(0, 0, z), radius=0.025)
    place = lambda p, q: Placement(vector(*p), vector(*to_angles(q)))
    flat = vector(0, 0, 0)
    bodies = {
        "crank": Body("crank", "crank", arm(r), place(root, qa), color=1),
        "coupler": Body(
            "coupler",
            "coupler",
            (
                shape("cylinder", at=(0, 0, length / 2), radius=0.011, height=length),
                ball(0),
                ball(length),
            ),
            place(B, rod),
            color=0,
        ),
        "rocker": Body("rocker", "rocker", arm(s), place(other, qd), color=2),
    }
    axis = lambda p, u: Frame("ground", "", place(p, frame_on_axis(tuple(u))))
    joints = {
        "A": Joint("A", "A", "revolute", axis(root, a), frame("crank", orientation=flat)),
        "B": Joint(
            "B",
            "B",
            "spherical",
            frame("crank", (r, 0, 0.034), flat),
            frame("coupler", orientation=flat),
        ),
        "C": Joint(
            "C",
            "C",
            "spherical",
            frame("coupler", (0, 0, length), flat),
            frame("rocker", (s, 0, 0.034), flat),
        ),
        "D": Joint("D", "D", "revolute", axis(other, d), frame("rocker", orientation=flat)),
    }
    ground = Body("ground", "ground", (*post(A), *post(D), *barrel(A, a), *barrel(D, d)), color=-1)
    return Project(Mechanism(bodies, joints, {}, ground))


def heavy_top(tilt=0.5, turn=0.3) -> Project:
    """A symmetric top on a fixed point."""
    top = (
        shape("cylinder", "steel", (0, 0, 0.13), radius=0.010, height=0.26),
        shape("disc", at=(0, 0, 0.14), radius=0.112, thickness=0.030),
        shape("disc", at=(0, 0, 0.14), radius=0.030, thickness=0.044),
    )
    q = multiply(about((0, 0, 1), turn), about((0, 1, 0), tilt))
    stand = (
        shape("disc", "cast", (0, 0, 0.008), radius=0.088, thickness=0.016),
        shape("cylinder", "cast", (0, 0, 0.052), radius=0.014, height=0.09),
    )
    bodies = {
        "top": Body(
            "top", "top", top, Placement(vector(0, 0, 0.098), vector(*to_angles(q))), color=4
        )
    }
    joints = {
        "O": Joint(
            "O",
            "O",
            "spherical",
            frame("ground", (0, 0, 0.098), vector(0, 0, 0)),
            frame("top", orientation=vector(0, 0, 0)),
        )
    }
    weight = {
        "weight": Force(
            "weight",
            "m g",
            "force",
            {"x": Quantity(0.0), "y": Quantity(0.0), "z": Quantity(-5.0)},
            frame_b=frame("top", (0, 0, 0.14), vector(0, 0, 0)),
        )
    }
    return Project(Mechanism(bodies, joints, weight, Body("ground", "ground", stand, color=-1)))


def joint_gallery() -> Project:
    """One joint of every type on bare ground with a link each, and forces of every type."""
    from mechstudio.model.joints.defaults import circle
    from mechstudio.model.types.joints import JOINT_TYPES

    bodies, joints = {}, {}
    for k, type in enumerate(JOINT_TYPES):
        x, z = 0.4 * (k % 5), 0.45 * (k // 5)
        id = f"body_{type}"
        bodies[id] = Body(
            id,
            type,
            (shape("link", at=(0, 0, 0), length=0.2, width=0.04, thickness=0.015),),
            Placement(vector(x, 0, z), vector(*to_angles(from_angles(0, -0.5, 0)))),
            color=k,
        )
        parameters = {
            p.name: Quantity({"pitch": 0.01}.get(p.name, 0.1)) for p in JOINT_TYPES[type].parameters
        }
        back = to_angles(multiply(about((0, 1, 0), 0.5), about((1, 0, 0), np.pi / 2)))
        at = (x - 0.1, 0, z) if type == "distance" else (x, 0, z)
        joints[type] = Joint(
            type,
            type.replace("_", " "),
            type,
            frame("ground", at),
            Frame(id, "", Placement(vector(0, 0, 0), vector(*back))),
            parameters=parameters,
            curve=circle(0.08) if JOINT_TYPES[type].curve else None,
        )
    number = lambda **values: {k: Quantity(v) for k, v in values.items()}
    ids = list(bodies)
    end = lambda id: frame(id, (0.2, 0, 0), vector(0, 0, 0))
    forces = {
        "spring": Force(
            "spring",
            "spring",
            "spring",
            number(stiffness=100.0, free_length=0.2),
            end(ids[0]),
            end(ids[1]),
        ),
        "damper": Force(
            "damper", "damper", "damper", number(damping=5.0), end(ids[2]), end(ids[3])
        ),
        "motor": Force("motor", "motor", "motor_torque", number(torque=1.0), joint="revolute"),
        "push": Force("push", "push", "motor_force", number(force=1.0), joint="prismatic"),
        "coil": Force(
            "coil",
            "coil",
            "torsion_spring",
            number(stiffness=1.0, free_angle=0.0),
            joint="revolute",
        ),
        "brake": Force(
            "brake",
            "brake",
            "torsion_damper",
            number(damping=1.0),
            joint="cylindrical",
            coordinate=1,
        ),
        "weight": Force(
            "weight", "weight", "force", number(x=0.0, y=0.0, z=-12.0), frame_b=end(ids[4])
        ),
        "twist": Force(
            "twist", "twist", "torque", number(x=0.0, y=0.0, z=3.0), frame_b=end(ids[5])
        ),
        "ram": Force("ram", "ram", "actuator", number(force=5.0), end(ids[6]), end(ids[7])),
        "rubber": Force("rubber", "rubber", "bushing", number(k_x_x=1e4), end(ids[9]), end(ids[8])),
        "rub": Force(
            "rub",
            "rub",
            "friction_torque",
            number(torque=0.1, speed=0.01),
            joint="planar",
            coordinate=2,
        ),
        "drag": Force(
            "drag", "drag", "friction_force", number(force=0.1, speed=0.01), joint="cylindrical"
        ),
        "hold": Force(
            "hold",
            "hold",
            "servo_torque",
            number(stiffness=1.0, damping=0.1, target=0.3),
            joint="screw",
        ),
        "reach": Force(
            "reach",
            "reach",
            "servo_force",
            number(stiffness=1.0, damping=0.1, target=0.3),
            joint="prismatic",
        ),
        "bounce": Force(
            "bounce",
            "bounce",
            "slide_spring",
            number(stiffness=1.0, free_length=0.0),
            joint="cylindrical",
        ),
        "calm": Force("calm", "calm", "slide_damper", number(damping=1.0), joint="prismatic"),
    }
    return Project(Mechanism(bodies, joints, forces))


def spring_pendulum() -> Project:
    """A mass on a spring and damper under a bare ground, for what is drawn true to length."""
    bodies = {
        "mass": Body(
            "mass",
            "mass",
            (shape("box", length=0.08, depth=0.08, height=0.06),),
            Placement(vector(0, 0, 0.1)),
            color=3,
        )
    }
    joints = {
        "S": Joint(
            "S",
            "S",
            "prismatic",
            frame("ground", (0, 0, 0.1), vector(0, 0, 0)),
            frame("mass", orientation=vector(0, 0, 0)),
        )
    }
    number = lambda **values: {k: Quantity(v) for k, v in values.items()}
    ends = lambda x: (
        frame("ground", (x, 0, 0.4), vector(0, 0, 0)),
        frame("mass", (x, 0, 0.03), vector(0, 0, 0)),
    )
    forces = {
        "spring": Force(
            "spring", "k", "spring", number(stiffness=100.0, free_length=0.25), *ends(-0.02)
        ),
        "damper": Force("damper", "c", "damper", number(damping=5.0), *ends(0.02)),
    }
    return Project(Mechanism(bodies, joints, forces))


def many_bodies(count=200) -> Project:
    """Chains of links side by side, pinned one to the next."""
    bodies, joints = {}, {}
    per_chain, length = 10, 0.1
    for k in range(count):
        chain, place = divmod(k, per_chain)
        id = f"link_{k}"
        x, y = place * length, 0.06 * chain
        bodies[id] = Body(
            id,
            id,
            (
                shape(
                    "link",
                    at=(0, 0.012 * (place % 2), 0),
                    length=length,
                    width=0.024,
                    thickness=0.010,
                ),
            ),
            Placement(vector(x, y, 0.5)),
            color=k,
        )
        before = (
            frame("ground", (x, y, 0.5)) if place == 0 else frame(f"link_{k - 1}", (length, 0, 0))
        )
        joints[f"j{k}"] = Joint(f"j{k}", f"J{k}", "revolute", before, frame(id))
    return Project(Mechanism(bodies, joints))
