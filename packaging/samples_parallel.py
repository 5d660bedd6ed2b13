"""Samples of closed loops in space: Bricard's ring of six hinges, the Delta robot."""

import math

import numpy as np
from sample_parts import (
    BLUE,
    GREEN,
    OCHRE,
    ORANGE,
    PINK,
    plots,
    sample,
    speed,
)
from samples_loops import rod, stick, triple

from mechstudio.builder import Builder
from mechstudio.model.project import Camera, Project

DEG = math.pi / 180


def bricard_pose(a: float, theta: float) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Points and axes of the six hinges, the first at the origin along z, of the ring with twists
    of 90 degrees by turns: cos(theta) + cos(phi) + cos(theta) cos(phi) = 0 (Chen, You and Tarnai
    2005).  Each link goes along its own x from one hinge to the next.
    """
    phi = math.acos(-math.cos(theta) / (1 + math.cos(theta)))
    turn, points, axes = np.eye(3), [np.zeros(3)], [np.array([0.0, 0.0, 1.0])]
    for k in range(6):
        angle, twist = (theta, 90 * DEG) if k % 2 == 0 else (phi, -90 * DEG)
        c, s = math.cos(angle), math.sin(angle)
        if k:
            turn = turn @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        points.append(points[-1] + a * turn[:, 0])
        t, u = math.cos(twist), math.sin(twist)
        turn = turn @ np.array([[1.0, 0, 0], [0, t, -u], [0, u, t]])
        axes.append(turn[:, 2])
    return points, axes


@sample("space", 3)
def bricard_ring() -> tuple[Project, Camera]:
    a = 0.16
    m = Builder(
        "Bricard's ring of six hinges",
        "Six equal links, each hinge square to the next, closed to a ring: by count it should not "
        "move, and it turns inside out. Raoul Bricard found such loops in 1927; this one has a "
        "threefold symmetry, as the folded paper rings called kaleidocycles. Neighbouring hinge "
        "angles obey cos A + cos B + cos A cos B = 0.",
        [
            "What are the two angles where they are equal?",
            "Between which limits does a hinge turn?",
            "How many equations of the loop repeat what others say?",
        ],
    )
    speed(m, "1 rad/s", "of the swing", "0.2 rad/s", "3 rad/s")
    theta = 75 * DEG
    points, axes = bricard_pose(a, theta)
    shift = np.array([0.0, 0.0, 0.36])
    points = [p + shift for p in points]
    middle = 0.5 * (points[0] + points[1])
    m.ground.box("160 mm", "160 mm", "14 mm", at=(float(middle[0]), 0, "7 mm"), material="cast")
    rod(m.ground, np.array([middle[0], 0.0, 0.014]), middle, "14 mm", "cast")
    rod(m.ground, points[0], points[1], "10 mm", "cast")
    colors = (ORANGE, BLUE, GREEN, PINK, OCHRE)
    bodies = [m.ground]
    for k in range(1, 6):
        bodies.append(stick(m, f"link {k}", points[k], points[(k + 1) % 6], colors[k - 1]))
    for k, body in enumerate(bodies):
        origin = np.array(body.world()) if k else np.zeros(3)
        for end in (k, (k + 1) % 6):
            at = points[end] - origin
            half = 0.02 * np.array(axes[end])
            rod(body, at - half, at + half, "13 mm" if k % 2 else "11 mm", "steel" if k else "cast")
    joints = []
    for k in range(6):
        first, second = (bodies[k - 1], bodies[k]) if k else (m.ground, bodies[5])
        joints.append(m.pin("ABCDEF"[k], first, second, at=triple(points[k]), axis=triple(axes[k])))
    m.drive("motor", joints[1], position="30 deg*(cos(omega*t) - 1)")
    m.run(duration="7 s")
    plots(m, "Hinges", "joint/A/0", "joint/B/0")
    return m.project(), Camera((float(middle[0]), 0.05, 0.4), -55.0, 18.0, 1.45)


DELTA = {"base": 0.12, "arm": 0.16, "rod": 0.32, "platform": 0.05, "half": 0.03, "height": 0.5}


@sample("space", 3)
def delta_robot() -> tuple[Project, Camera]:
    n = DELTA
    m = Builder(
        "Delta robot",
        "Three arms turn on the frame; each carries the platform by two parallel rods. A pair of "
        "rods keeps one edge of the platform parallel to the frame, and three pairs keep all of "
        "it: it moves in three directions and never tilts. The motors stay on the frame, so that "
        "what moves is light and fast (Clavel 1985).",
        [
            "Where is the platform when all three arms stand alike?",
            "Which three spheres meet in the platform's place?",
            "Why does it not matter that the rods could spin about themselves?",
        ],
    )
    speed(m, "2 rad/s", "of the motion", "0.5 rad/s", "6 rad/s")
    start = 20 * DEG
    reach = n["base"] + n["arm"] * math.cos(start) - n["platform"]
    drop = n["arm"] * math.sin(start) + math.sqrt(n["rod"] ** 2 - reach**2)
    place = np.array([0.0, 0.0, n["height"] - drop])
    m.ground.disc("170 mm", "16 mm", at=(0, 0, n["height"] + 0.02), material="cast")
    plate = m.body("platform", triple(place), color=ORANGE)
    plate.disc("62 mm", "10 mm")
    for k, color in enumerate((BLUE, GREEN, PINK)):
        heading = 2 * math.pi * k / 3
        out = np.array([math.cos(heading), math.sin(heading), 0.0])
        side = np.array([-math.sin(heading), math.cos(heading), 0.0])
        root = n["base"] * out + np.array([0.0, 0.0, n["height"]])
        elbow = root + n["arm"] * (math.cos(start) * out - np.array([0, 0, math.sin(start)]))
        wrist = place + n["platform"] * out
        arm = stick(m, f"arm {k + 1}", root, elbow, color, "9 mm")
        centre = 0.5 * (root + elbow)
        rod(
            arm,
            elbow - n["half"] * side - centre,
            elbow + n["half"] * side - centre,
            "6 mm",
            "steel",
        )
        rod(plate, wrist - n["half"] * side - place, wrist + n["half"] * side - place, "5 mm")
        pin = m.pin(f"A{k + 1}", m.ground, arm, at=triple(root), axis=triple(side))
        phase = 120 * k
        m.drive(
            f"motor {k + 1}",
            pin,
            position=f"18 deg*(sin(omega*t + {phase} deg) - sin({phase} deg))",
        )
        for name, sign in (("L", -1), ("R", 1)):
            offset = sign * n["half"] * side
            bar = stick(m, f"rod {k + 1} {name}", elbow + offset, wrist + offset, OCHRE, "4 mm")
            across = np.cross(side, wrist - elbow)
            m.universal(
                f"{name}{k + 1}",
                arm,
                bar,
                at=triple(elbow + offset),
                first=triple(side),
                second=triple(across / np.linalg.norm(across)),
            )
            m.ball(f"{name.lower()}{k + 1}", bar, plate, at=triple(wrist + offset))
    m.run(duration="6 s")
    plots(m, "Platform", "body/platform/x", "body/platform/y", "body/platform/z")
    return m.project(), Camera((0.0, 0.0, 0.34), -60.0, 16.0, 1.35)
