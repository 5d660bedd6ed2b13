"""Samples of loops in space: Bennett's and Sarrus' linkages, four-bar, wishbone."""

import math

import numpy as np
from planar_parts import meet
from sample_parts import (
    ALONG_X,
    BLUE,
    CAST_IRON,
    FLAT,
    GREEN,
    OCHRE,
    ORANGE,
    PINK,
    base_plate,
    plots,
    sample,
    speed,
)

from mechstudio.builder import BodyHandle, Builder
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.project import Camera, Project

DEG = math.pi / 180


def triple(v: np.ndarray) -> Triple:
    """A point of W for the builder."""
    return (float(v[0]), float(v[1]), float(v[2]))


def stick(m: Builder, name: str, p: np.ndarray, q: np.ndarray, color: int, radius: str = "8 mm"):
    """A round rod from p to q in W, its body's frame in the middle with the world's axes."""
    middle = 0.5 * (p + q)
    body = m.body(name, triple(middle), color=color)
    rod(body, p - middle, q - middle, radius)
    return body


def rod(body: BodyHandle, p: np.ndarray, q: np.ndarray, radius: str, material: str = "paint"):
    """A round rod from p to q in the axes of a body whose axes are the world's."""
    along = (q - p) / np.linalg.norm(q - p)
    turn = (0, float(math.acos(max(-1.0, min(1.0, along[2])))), 0)
    heading = float(math.atan2(along[1], along[0]))
    body.cylinder(
        radius,
        float(np.linalg.norm(q - p)),
        at=triple(0.5 * (p + q)),
        angles=(heading, turn[1], 0),
        material=material,
    )


@sample("space", 3)
def bennett_linkage() -> tuple[Project, Camera]:
    a, b, alpha = 0.20, 0.30, 40 * DEG
    beta = -math.asin(b * math.sin(alpha) / a)
    m = Builder(
        "Bennett's linkage",
        "Four hinges with skew axes in one loop should not move at all: the count gives -2. It "
        "moves when opposite links are equal and sin(alpha) / a = sin(beta) / b (Bennett 1903), "
        "with tan(theta/2) tan(phi/2) the same in every position. Three of its equations repeat.",
        [
            "Change the length of one link by a millimetre: what happens, and why?",
            "Which special case is the planar parallelogram?",
            "Where are the two angles of neighbouring hinges equal?",
        ],
    )
    speed(m, "1.2 rad/s", "of the crank")
    theta = 70 * DEG
    ratio = math.cos(0.5 * (beta + alpha)) / math.cos(0.5 * (beta - alpha))
    phi = 2 * math.atan2(ratio, math.tan(0.5 * theta))
    points, axes = bennett_pose(a, b, alpha, beta, theta, phi)
    shift = np.array([0.0, 0.0, 0.26])
    points = [p + shift for p in points]
    base_plate(m.ground, "-110 mm", "310 mm", "100 mm", "110 mm")
    for k in (0, 1):
        foot = np.array([points[k][0], points[k][1], 0.014])
        rod(m.ground, foot, points[k], "14 mm", "cast")
    names = ("A", "B", "C", "D")
    bodies = [m.ground]
    for k, color in ((1, ORANGE), (2, BLUE), (3, GREEN)):
        body = stick(
            m, ("", "follower", "coupler", "crank")[k], points[k], points[(k + 1) % 4], color
        )
        bodies.append(body)
    for k, body in enumerate(bodies):
        origin = np.array(body.world()) if k else np.zeros(3)
        for end in (k, (k + 1) % 4):
            at = points[end] - origin
            half = 0.022 * np.array(axes[end])
            rod(body, at - half, at + half, "13 mm" if k % 2 else "11 mm", "steel" if k else "cast")
    joints = []
    for k in range(4):
        first, second = (bodies[k - 1], bodies[k]) if k else (m.ground, bodies[-1])
        joints.append(m.pin(names[k], first, second, at=triple(points[k]), axis=triple(axes[k])))
    m.drive("motor", joints[0], speed="omega")
    m.run(duration="6 s")
    plots(m, "Hinges", "joint/A/0", "joint/B/0")
    return m.project(), Camera((0.1, 0.0, 0.26), -60.0, 16.0, 1.15)


def bennett_pose(
    a: float, b: float, alpha: float, beta: float, theta: float, phi: float
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Points and axes of the four hinges in W: link 0 between A and B along x is the frame.

    Each link goes along its own x from one hinge to the next, by a or b, and its next axis is
    turned about x by alpha or beta; about the hinges the links turn by theta and phi in turn.
    """
    T = np.eye(4)
    points, axes = [], []
    for length, twist, turn in (
        (a, alpha, phi),
        (b, beta, theta),
        (a, alpha, phi),
        (b, beta, theta),
    ):
        points.append(T[:3, 3].copy())
        axes.append(T[:3, 2].copy())
        c, s = math.cos(twist), math.sin(twist)
        along = np.array([[1, 0, 0, length], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]])
        c, s = math.cos(turn), math.sin(turn)
        about = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
        T = T @ along @ about
    assert np.abs(T - np.eye(4)).max() < 1e-9, T
    return points, axes


@sample("space", 2)
def sarrus_linkage() -> tuple[Project, Camera]:
    arm, theta = 0.16, 40 * DEG
    m = Builder(
        "Sarrus' linkage",
        "Two pairs of hinged plates at right angles carry a platform exactly straight up and down: "
        "the first straight line by hinges (1853), eleven years before Peaucellier. Each pair lets "
        "the platform move in its own plane, and both planes share the vertical alone.",
        [
            "What would a third pair change in the motion, and what in the forces?",
            "How high is the platform in terms of the arm's length and its angle?",
            "Which of the six directions is held twice?",
        ],
    )
    speed(m, "1.2 rad/s", "of the swing to and fro", "0.3 rad/s", "4 rad/s")
    low = 0.04
    base_plate(m.ground, "-130 mm", "130 mm", "130 mm", "130 mm")
    half, out = 0.09, arm * math.cos(theta)
    high = 2 * arm * math.sin(theta)
    top = m.body("platform", (0, 0, low + high), color=BLUE)
    top.box("200 mm", "200 mm", "14 mm", at=(0, 0, "16 mm"))
    joints = []
    for letter, heading, colors in (("x", 0.0, (ORANGE, OCHRE)), ("y", 90 * DEG, (GREEN, PINK))):
        way = np.array([math.cos(heading), math.sin(heading), 0.0])
        across = (-math.sin(heading), math.cos(heading), 0.0)
        foot = half * way + np.array([0, 0, low])
        knee = foot + out * way + np.array([0, 0, 0.5 * high])
        head = half * way + np.array([0, 0, low + high])
        m.ground.cylinder(
            "9 mm", "80 mm", at=triple(foot), angles=(heading, 0, "90 deg"), material="steel"
        )
        m.ground.box(
            "18 mm",
            "80 mm",
            "26 mm",
            at=triple(foot - np.array([0, 0, 0.017])),
            angles=(heading, 0, 0),
            density=CAST_IRON,
            material="cast",
        )
        top.cylinder(
            "9 mm",
            "80 mm",
            at=triple(head - np.array([0, 0, low + high])),
            angles=(heading, 0, "90 deg"),
            material="steel",
        )
        # body x along the plate, y along its hinges
        lower = m.body(f"lower plate {letter}", triple(foot), (heading, -theta, 0), color=colors[0])
        upper = m.body(
            f"upper plate {letter}", triple(knee), (heading, -(math.pi - theta), 0), color=colors[1]
        )
        for plate in (lower, upper):
            plate.box(arm - 0.03, "70 mm", "8 mm", at=(0.5 * arm, 0, 0))
            plate.cylinder(
                "9 mm", "70 mm", at=(arm, 0, 0), angles=(0, 0, "90 deg"), material="steel"
            )
        axis = (-across[0], -across[1], 0.0)
        joints.append(m.pin(f"foot {letter}", m.ground, lower, at=triple(foot), axis=axis))
        m.pin(f"knee {letter}", lower, upper, at=triple(knee), axis=axis)
        m.pin(f"head {letter}", upper, top, at=triple(head), axis=axis)
    m.drive("swing", joints[0], position="25 deg * sin(omega*t)")
    m.run(duration="9 s")
    plots(m, "Feet", "joint/foot_x/0", "joint/foot_y/0")
    return m.project(), Camera((0.0, 0.0, 0.17), -50.0, 20.0, 1.2)


@sample("space", 2)
def spatial_four_bar() -> tuple[Project, Camera]:
    r, s, across, high = 0.09, 0.22, 0.26, 0.10
    m = Builder(
        "Spatial four-bar",
        "Crank and rocker turn about axes at right angles, and a rod with a ball at either end "
        "joins them (RSSR). The angles follow from one sentence: the rod's length does not change. "
        "The count says mobility 2, for the rod may also spin idly about itself.",
        [
            "Which of the two freedoms does nothing to the output, and why is it kept?",
            "What is the swing of the rocker, from the longest and the shortest reach?",
            "When would a universal joint at one end be better than a second ball?",
        ],
    )
    speed(m, "2 rad/s", "of the crank")
    # the crank turns about y at A, the rocker about x at D
    a, d = np.array([0.0, 0.0, 0.2]), np.array([0.0, across, high])
    theta, psi = 60 * DEG, 80 * DEG
    b = a + r * np.array([math.cos(theta), 0.0, math.sin(theta)])
    c = d + s * np.array([0.0, math.cos(psi), math.sin(psi)])
    base_plate(m.ground, "-130 mm", "130 mm", "70 mm", "370 mm")
    m.ground.box(
        "40 mm", "24 mm", "200 mm", at=(0, "-46 mm", "114 mm"), density=CAST_IRON, material="cast"
    )
    m.ground.box(
        "24 mm",
        "50 mm",
        "90 mm",
        at=("-46 mm", across, "59 mm"),
        density=CAST_IRON,
        material="cast",
    )
    m.ground.pin("9 mm", "50 mm", at=(0, "-26 mm", "200 mm"))
    m.ground.cylinder(
        "9 mm", "60 mm", at=("-26 mm", across, high), angles=ALONG_X, material="steel"
    )
    crank = m.link("crank", triple(a), triple(b), width="30 mm", thickness="14 mm", color=ORANGE)
    crank.sphere("13 mm", at=(r, 0, 0), material="steel")
    rocker = stick(m, "rocker", d, c, GREEN, "11 mm")
    rocker.sphere("13 mm", at=triple(c - 0.5 * (c + d)), material="steel")
    link = stick(m, "rod", b, c, BLUE, "8 mm")
    first = m.pin("A", m.ground, crank, at=triple(a))
    m.ball("B", crank, link, at=triple(b))
    m.ball("C", link, rocker, at=triple(c))
    last = m.pin("D", m.ground, rocker, at=triple(d), axis=(1, 0, 0))
    m.drive("motor", first, speed="omega")
    m.run(duration="7 s")
    plots(m, "Crank and rocker", f"joint/{first.id}/0", f"joint/{last.id}/0")
    return m.project(), Camera((0.03, 0.15, 0.19), -40.0, 20.0, 1.2)


@sample("space", 3)
def double_wishbone() -> tuple[Project, Camera]:
    m = Builder(
        "Double wishbone",
        "A wheel on two arms of unequal length: as it rises its top leans inwards, which keeps the "
        "tyre upright when the body rolls in a bend. The track rod holds the heading. Seen from "
        "the front it is a four-bar, and its camber follows from two circles. The plot shows the "
        "inclination of the wheel's axis. This wheel stands on the left, and its camber has the "
        "opposite sign.",
        [
            "How many degrees of camber do 40 mm of travel give?",
            "Make both arms equally long and parallel: what becomes of the camber?",
            "Where must the track rod lie so that travel does not steer the wheel?",
        ],
    )
    speed(m, "3 rad/s", "of the swing up and down", "0.5 rad/s", "8 rad/s")
    # seen from behind: x forwards, y to the left, arms hinged about x on the body of the car
    low_in, high_in = np.array([0.0, 0.10, 0.20]), np.array([0.0, 0.16, 0.40])
    low_out = low_in + 0.30 * np.array([0.0, math.cos(-4 * DEG), math.sin(-4 * DEG)])
    flat = meet(complex(high_in[1], high_in[2]), 0.20, complex(low_out[1], low_out[2]), 0.22)
    other = meet(complex(low_out[1], low_out[2]), 0.22, complex(high_in[1], high_in[2]), 0.20)
    flat = flat if flat.real > other.real else other
    high_out = np.array([0.0, flat.real, flat.imag])
    rod_in, rod_out = low_in + np.array([0.09, 0.0, 0.0]), low_out + np.array([0.09, 0.0, 0.0])
    base_plate(m.ground, "-180 mm", "180 mm", "-20 mm", "230 mm")
    m.ground.box(
        "60 mm", "40 mm", "440 mm", at=(0, "60 mm", "234 mm"), density=CAST_IRON, material="cast"
    )
    for p in (low_in, high_in):
        for x in (-0.09, 0.09):
            at = p + np.array([x, 0, 0])
            m.ground.cylinder("10 mm", "30 mm", at=triple(at), angles=ALONG_X, material="steel")
            rod(m.ground, np.array([0.0, 0.06, p[2]]), at, "9 mm", "cast")
    wheel_centre = 0.5 * (low_out + high_out) + np.array([0.0, 0.07, 0.0])
    upright = m.body("wheel", triple(wheel_centre), color=BLUE)
    upright.disc("210 mm", "70 mm", angles=FLAT, density=300)
    upright.disc("110 mm", "84 mm", angles=FLAT, density=300, material="steel")
    rod(upright, low_out - wheel_centre, high_out - wheel_centre, "13 mm", "cast")
    rod(upright, low_out - wheel_centre, rod_out - wheel_centre, "9 mm", "cast")
    joints = []
    for name, inner, outer, color in (
        ("lower arm", low_in, low_out, ORANGE),
        ("upper arm", high_in, high_out, GREEN),
    ):
        arm = m.body(name, triple(inner), color=color)
        for x in (-0.09, 0.09):
            rod(arm, np.array([x, 0, 0]), outer - inner, "9 mm")
            arm.cylinder("14 mm", "26 mm", at=(x, 0, 0), angles=ALONG_X)
        arm.sphere("16 mm", at=triple(outer - inner), material="steel")
        joints.append(m.pin(f"{name} hinge", m.ground, arm, at=triple(inner), axis=(1, 0, 0)))
        m.ball(f"{name} ball", arm, upright, at=triple(outer))
    track = stick(m, "track rod", rod_in, rod_out, PINK, "7 mm")
    m.universal(
        "track rod inner", m.ground, track, at=triple(rod_in), first=(1, 0, 0), second=(0, 0, 1)
    )
    m.ball("track rod outer", track, upright, at=triple(rod_out))
    m.mark("trail", upright)
    m.drive("travel", joints[0], position="8 deg * sin(omega*t)")
    m.run(duration="6 s")
    plots(m, "Inclination and travel", f"attitude/{upright.id}/up_y", f"body/{upright.id}/z")
    return m.project(), Camera((0.0, 0.24, 0.28), -128.0, 14.0, 1.35)
