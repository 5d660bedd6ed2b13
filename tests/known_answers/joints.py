"""Known answers of the joints: each type small and light, of usual size, and huge and heavy."""

import math
from functools import partial

import numpy as np
from scipy.special import ellipeinc, ellipj

import mechstudio as ms
from tests.known_answers.rows import SIZES, Row, coordinate, coordinates

G, SLOPE = 9.81, math.radians(30.0)


def builder(L, gravity=(0.0, 0.0, -1.0)):
    """A builder whose gravity is scaled with the length, so that every size takes the same time."""
    return ms.Builder(gravity=tuple(G * L * c for c in gravity))


def body(
    m, L, M, at=(0, 0, 0), center=(0, 0, 0), inertia=(0.02, 0.02, 0.02), name="b", angles=(0, 0, 0)
):
    """A body with lengths in L and inertia in M L^2; its box gives the drawing an extent, without
    which it counts as 1 m large.
    """
    made = m.body(
        name,
        at=tuple(L * c for c in at),
        angles=angles,
        mass=M,
        center_of_mass=tuple(L * c for c in center),
        inertia=tuple(M * L * L * c for c in inertia),
    )
    return made.box(L, L, L)


def swing(t, start, rate):
    """theta of theta'' = -rate^2 sin theta from rest at `start`: sin(theta / 2) = k cd(rate t |
    k^2), k = sin(start / 2).
    """
    k = math.sin(start / 2)
    _, cn, dn, _ = ellipj(rate * t, k * k)
    return 2 * np.arcsin(k * cn / dn)


def welded(L, M):
    m = builder(L, (0, 0, 0))
    a, b = body(m, L, M, name="a"), body(m, L, 3 * M, (1, 0, 0), name="c")
    pin = m.pin("P", m.ground, a, at=(0, 0, 0))
    m.fix("F", a, b, at=(0.5 * L, 0, 0))
    # I = 0.02 M + 3 M (0.02 + 1) in L^2
    m.force("motor_torque", "t", joint=pin, torque=3.08 * M * L * L * 0.7)
    return m.project()


def block_on_block(L, M):
    """Two blocks fixed to each other, on a slide that both load."""
    m = builder(L, (0, 0, 0))
    a, b = body(m, L, M, name="a"), body(m, L, 1e-3 * M, (0, 2, 5), name="c")
    slide = m.slider("S", m.ground, a, at=(0, 0, 0), axis=(1, 0, 0))
    m.fix("F", a, b, at=(0, L, 0))
    m.force("motor_force", "push", joint=slide, force=0.6 * M * L)
    m.force("force", "pull", body=b, vector=(0.401 * M * L, 7.0 * M * L, 0))
    return m.project()


def bead_on_ring(L, M, start):
    """A bead on a circle: a pendulum without a rod."""
    m = builder(L)
    ring = [(0.0, 0.0, -L), (L, 0.0, 0.0), (0.0, 0.0, L)]
    m.on_curve(
        "J",
        m.ground,
        body(m, L, M, (math.sin(start), 0, -math.cos(start))),
        ring,
        at=(L * math.sin(start), 0, -L * math.cos(start)),
        form="circle",
    )
    return m.project()


def eccentric(L, M, faces, speed=0.0, rate=0.0):
    """A round cam of radius L about a point e = 0.6 L beside its shaft, and flat faces of a
    follower on it that slide up and down: above, and as a yoke below too.  speed: of a motor, or
    the rate of the free cam at the start.
    """
    m = builder(L, (0, 0, 0))
    cam = body(m, L, M, inertia=(0.1, 0.1, 0.1), name="cam")
    follower = body(m, L, M, (0, 0, 1.0), name="follower")
    shaft = m.pin("shaft", m.ground, cam, at=(0, 0, 0), rate=rate or ())
    m.slider("guide", m.ground, follower, at=(0, 0, L), axis=(0, 0, 1))
    circle = ((1.6 * L, 0, 0), (0.6 * L, L, 0), (-0.4 * L, 0, 0))
    for k, up in enumerate((1.0, -1.0)[:faces]):
        m.flat_follower(
            f"face {k}",
            cam,
            follower,
            circle,
            center=(0, 0, 0),
            at=(0.1 * L, 0, up * L),
            normal=(0, 0, up),
            form="circle",
        )
    if speed:
        m.drive("motor", shaft, speed=speed)
    return m.project()


def turn_of_eccentric(t, rate):
    """Angle of a free eccentric with a follower: J + m e^2 cos^2 is (0.1 + 0.36 cos^2) M L^2, and
    with the energy, E(angle | k^2) = rate E' t, k^2 = 0.36 / 0.46.
    """
    k = 0.36 / 0.46
    angle = np.interp(t, *_time_of_turn(k, rate))
    for _ in range(8):
        angle = angle - (ellipeinc(angle, k) - rate * t) / np.sqrt(1.0 - k * np.sin(angle) ** 2)
    return angle


def _time_of_turn(k, rate):
    angles = np.linspace(0.0, 60.0, 6001)
    return ellipeinc(angles, k) / rate, angles


def bead_on_ellipse(L, M, gravity, semi_a, rate=0.0, start=0.0):
    """A bead on an upright ellipse; its eccentric angle counts from the end of a, straight down."""
    m = builder(L, (0.0, 0.0, -gravity))
    down, out = -semi_a * math.cos(start), semi_a * math.sin(start)
    m.on_ellipse(
        "J",
        m.ground,
        body(m, L, M, (out, 0, down)),
        center=(0, 0, 0),
        at=(L * out, 0, L * down),
        semi_a=semi_a * L,
        semi_b=L,
        normal=(0, -1, 0),
        along=(0, 0, -1),
        rate=(rate, 0, 0, 0),
        value=(start, 0, 0, 0),
    )
    return m.project()


def pendulum(L, M, start, J=0.02):
    m = builder(L)
    b = body(m, L, M, angles=(0, -start, 0), center=(0, 0, -1), inertia=(J, J, J))
    m.pin("P", m.ground, b, at=(0, 0, 0), value=start)
    return m.project()


def on_slope(L, M):
    m = builder(L)
    m.slider(
        "S", m.ground, body(m, L, M), at=(0, 0, 0), axis=(math.cos(SLOPE), 0, -math.sin(SLOPE))
    )
    return m.project()


def falling_and_turning(L, M):
    m = builder(L)
    m.cylindrical("C", m.ground, body(m, L, M), at=(0, 0, 0), axis=(0, 0, -1), rate=(0.3 * L, 7.0))
    return m.project()


def shafts(L, M, bend, joint):
    """Two shafts in bearings that meet at an angle; the first one is driven."""
    m = builder(L, (0, 0, 0))
    axis = (math.sin(bend), 0, math.cos(bend))
    a, b = body(m, L, M, (0, 0, -1), name="a"), body(m, L, M, axis, name="c")
    first = m.pin("A", m.ground, a, at=(0, 0, -L), axis=(0, 0, 1))
    m.pin("B", m.ground, b, at=tuple(L * c for c in axis), axis=axis)
    if joint == "universal":
        m.universal(
            "J", a, b, at=(0, 0, 0), first=(0, 1, 0), second=(math.cos(bend), 0, -math.sin(bend))
        )
    else:
        m.constant_velocity("J", a, b, at=(0, 0, 0), axis=((0, 0, 1), axis))
    m.drive("motor", first, speed=2.0)
    return m.project()


def cardan(t, bend):
    """Angle of the second shaft: tan b = cos(bend) tan a with a = 2 t, counted on over the
    turns.
    """
    a = 2.0 * t
    return a + np.arctan2(
        (math.cos(bend) - 1.0) * np.sin(a) * np.cos(a),
        np.cos(a) ** 2 + math.cos(bend) * np.sin(a) ** 2,
    )


def top(L, M, tilt, spin):
    """A top on its tip in steady precession; the spin about its own axis [rad/s]."""
    one, own = 0.05 + 1.0, 0.08
    W = precession(tilt, spin, one, own)
    m = builder(L)
    b = body(m, L, M, center=(0, 0, 1), inertia=(0.05, 0.05, own), angles=(0, 0, tilt))
    # W about the vertical, which lies at (0, sin tilt, cos tilt) in the body, and the rest about
    # its axis
    b.velocity((0, 0, 0), (0.0, W * math.sin(tilt), spin))
    m.ball("B", m.ground, b, at=(0, 0, 0))
    return m.project()


def precession(tilt, spin, one=1.05, own=0.08):
    """Slow root of I1 W^2 cos tilt - I3 spin W + m g l = 0, in units of L."""
    a, b, c = one * math.cos(tilt), -own * spin, G
    return (-b - math.sqrt(b * b - 4 * a * c)) / (2 * a)


def axis_of(result):
    """The body's z in W, (samples, 3)."""
    w, x, y, z = result.poses[:, 0, 3:].T
    return np.stack((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)), axis=1)


def precessing(t, tilt, spin):
    """z of a top whose axis starts in (0, -sin tilt, cos tilt) and turns about the vertical."""
    angle = precession(tilt, spin) * t
    return np.stack(
        (
            math.sin(tilt) * np.sin(angle),
            -math.sin(tilt) * np.cos(angle),
            np.full_like(t, math.cos(tilt)),
        ),
        axis=1,
    )


def in_plane(L, M):
    m = builder(L, (0.2, -0.5, 0.0))
    m.planar("P", m.ground, body(m, L, M), at=(0, 0, 0), rate=(1.5 * L, 0.4 * L, -6.0))
    return m.project()


def bead(type, L, M):
    """A body whose centre is held on a steep line, plane or straight curve, and that spins about
    its axis z.
    """
    m = builder(L)
    b = body(m, L, M)
    down = (math.cos(SLOPE), 0.0, -math.sin(SLOPE))
    if type == "point_on_line":
        m.on_line("J", m.ground, b, at=(0, 0, 0), axis=down)
    elif type == "point_on_plane":
        m.on_plane("J", m.ground, b, at=(0, 0, 0), normal=(math.sin(SLOPE), 0, math.cos(SLOPE)))
    else:
        m.on_curve(
            "J",
            m.ground,
            b,
            [tuple(L * c * k for c in down) for k in (-1.0, 100.0)],
            at=(0, 0, 0),
            form="polyline",
        )
    b.velocity((0, 0, 0), (0, 0, 9.0))
    return m.project()


def sliding_and_spinning(L):
    return lambda result: np.column_stack((result.poses[:, 0, :3] / L, result.velocities[:, 0, 3:]))


def slid(t):
    """Way g sin(slope) t^2 / 2 along the line, in L, and the steady spin."""
    s = 0.5 * G * math.sin(SLOPE) * t**2
    return np.column_stack(
        (s * math.cos(SLOPE), 0 * t, -s * math.sin(SLOPE), 0 * t, 0 * t, 9.0 + 0 * t)
    )


def rod_pendulum(L, M, start):
    m = builder(L)
    m.rod(
        "R",
        m.ground,
        body(m, L, M, (math.sin(start), 0, -math.cos(start))),
        at=((0, 0, 0), (L * math.sin(start), 0, -L * math.cos(start))),
        length=L,
    )
    return m.project()


def conical(L, M, tilt):
    rate = math.sqrt(G / math.cos(tilt))
    m = builder(L)
    b = body(m, L, M, (math.sin(tilt), 0, -math.cos(tilt)))
    b.velocity((0, L * math.sin(tilt) * rate, 0))
    m.rod("R", m.ground, b, at=((0, 0, 0), (L * math.sin(tilt), 0, -L * math.cos(tilt))), length=L)
    return m.project()


def nut(L, M, pitch):
    m = builder(L)
    m.screw("S", m.ground, body(m, L, M), at=(0, 0, 0), axis=(0, 0, 1), pitch=pitch * L)
    return m.project()


def rolling(type, L, M, rate=0.0):
    """A wheel of radius L down a slope, its axle across."""
    m = builder(L, (math.sin(SLOPE), 0.0, -math.cos(SLOPE)))
    wheel = body(m, L, M, (0, 0, 1), inertia=(0.25, 0.5, 0.25))
    wheel.velocity((rate * L, 0, 0), (0, rate, 0))
    getattr(m, type)("W", m.ground, wheel, center=(0, 0, L), axis=(0, 1, 0), radius=L)
    return m.project()


def skate(L, M, spin):
    m = builder(L, (math.sin(SLOPE), 0.0, -math.cos(SLOPE)))
    m.knife_edge("K", m.ground, body(m, L, M), at=(0, 0, 0), along=(1, 0, 0), rate=(0, 0, spin))
    return m.project()


def skated(t, spin):
    """x and y of a blade on a slope that turns steadily: a cycloid (Neimark and Fufaev 1972)."""
    c = G * math.sin(SLOPE) / (2 * spin**2)
    return np.column_stack((c * np.sin(spin * t) ** 2, c * (spin * t - 0.5 * np.sin(2 * spin * t))))


def thrown(L, M):
    m = builder(L)
    b = body(m, L, M)
    m.free("F", m.ground, b)
    b.velocity((0.7 * L, -0.3 * L, 5.0 * L), (0, 0, 11.0))
    return m.project()


def each(name, make, duration, measure, answer, source, bound, **more):
    """One row for each size; measure takes the length and gives lengths over it."""
    return tuple(
        Row(
            f"{name}, {label}",
            partial(make, L, M),
            duration,
            measure(L),
            answer,
            source,
            bound,
            **more,
        )
        for label, L, M in SIZES
    )


def over(joint, *which):
    """Coordinates of a joint that are lengths, over the size."""
    return lambda L: lambda result: result.joint_coordinates[joint][:, list(which)] / L


def angle(joint, k=0):
    return lambda L: coordinate(joint, k)


def column(f):
    return lambda t: np.asarray(f(t))[:, None]


ELLIPTIC = "sin(theta / 2) = k cd(w t | k^2), Jacobi's functions"
BENDS = (0.05, math.pi / 6, 1.2)
ROWS = (
    *each(
        "fixed to what turns",
        welded,
        4.0,
        angle("P"),
        lambda t: 0.35 * t**2,
        "angle = tau t^2 / (2 I), Steiner",
        1e-9,
    ),
    *each(
        "two blocks fixed together",
        block_on_block,
        4.0,
        over("S", 0),
        column(lambda t: 0.5 * t**2),
        "a = (F1 + F2) / (m1 + m2)",
        1e-9,
    ),
    *each(
        "bead on a ring from 1 rad",
        partial(bead_on_ring, start=1.0),
        6.0,
        lambda L: lambda r: np.arctan2(r.poses[:, 0, 0], -r.poses[:, 0, 2]),
        lambda t: swing(t, 1.0, math.sqrt(G)),
        ELLIPTIC + "; of 48 points",
        5e-5,
    ),
    *each(
        "bead on an ellipse that is a circle",
        partial(bead_on_ellipse, gravity=1.0, semi_a=1.0, start=1.0),
        6.0,
        lambda L: lambda r: r.joint_coordinates["J"][:, 0],
        lambda t: swing(t, 1.0, math.sqrt(G)),
        ELLIPTIC,
        1e-7,
    ),
    # ds = b sqrt(1 - (1 - a^2 / b^2) sin^2 eta) d eta
    *each(
        "bead around an ellipse without weight",
        partial(bead_on_ellipse, gravity=0.0, semi_a=0.4, rate=2.0),
        6.0,
        lambda L: lambda r: ellipeinc(r.joint_coordinates["J"][:, 0], 1.0 - 0.4**2),
        lambda t: 2.0 * t,
        "way of constant speed, incomplete elliptic integral",
        1e-7,
    ),
    *each(
        "pendulum from 90 deg",
        partial(pendulum, start=math.pi / 2),
        8.0,
        angle("P"),
        lambda t: swing(t, math.pi / 2, math.sqrt(G / 1.02)),
        ELLIPTIC,
        1e-8,
    ),
    *(
        Row(
            f"pendulum from {start:g} rad",
            partial(pendulum, 1.0, 2.0, start),
            8.0,
            coordinate("P"),
            lambda t, s=start: swing(t, s, math.sqrt(G / 1.02)),
            ELLIPTIC,
            bound,
        )
        for start, bound in ((1e-3, 5e-6), (1.0, 2e-8), (3.0, 5e-7))
    ),
    # its error grows by e^(w t) during the fall, some thousandfold
    Row(
        "pendulum from 3.14 rad",
        partial(pendulum, 1.0, 2.0, 3.14),
        8.0,
        coordinate("P"),
        lambda t: swing(t, 3.14, math.sqrt(G / 1.02)),
        ELLIPTIC,
        1e-6,
        options={"tolerance": 1e-12},
    ),
    *each(
        "slider down a slope",
        on_slope,
        3.0,
        over("S", 0),
        column(lambda t: 0.5 * G * math.sin(SLOPE) * t**2),
        "g sin(slope) t^2 / 2",
        1e-10,
    ),
    *each(
        "cylindrical, falling and turning",
        falling_and_turning,
        3.0,
        over("C", 0),
        column(lambda t: 0.3 * t + 0.5 * G * t**2),
        "v t + g t^2 / 2",
        1e-10,
    ),
    *each(
        "cylindrical, steady spin",
        falling_and_turning,
        30.0,
        angle("C", 1),
        lambda t: 7.0 * t,
        "w t",
        1e-10,
    ),
    *(
        Row(
            f"Cardan shaft bent by {bend:.2g}, {label}",
            partial(shafts, L, M, bend, "universal"),
            5.0,
            coordinate("B"),
            partial(cardan, bend=bend),
            "tan b = cos(bend) tan a",
            1e-12,
        )
        for bend in BENDS
        for label, L, M in SIZES
    ),
    *(
        Row(
            f"constant velocity bent by {bend:.2g}, {label}",
            partial(shafts, L, M, bend, "constant_velocity"),
            5.0,
            coordinate("B"),
            lambda t: 2.0 * t,
            "both shafts turn alike",
            1e-12,
        )
        for bend in BENDS
        for label, L, M in SIZES
    ),
    *each(
        "heavy top",
        partial(top, tilt=0.4, spin=250.0),
        4.0,
        lambda L: axis_of,
        partial(precessing, tilt=0.4, spin=250.0),
        "steady precession, slow root",
        1e-7,
    ),
    Row(
        "heavy top, nearly flat",
        partial(top, 0.1, 0.5, 1.5, 300.0),
        4.0,
        axis_of,
        partial(precessing, tilt=1.5, spin=300.0),
        "steady precession, slow root",
        1e-7,
    ),
    *each(
        "planar, thrown",
        in_plane,
        3.0,
        over("P", 0, 1),
        lambda t: np.column_stack((1.5 * t + 0.1 * G * t**2, 0.4 * t - 0.25 * G * t**2)),
        "parabola",
        1e-10,
    ),
    *each(
        "flat face on a driven eccentric",
        partial(eccentric, faces=1, speed=5.0),
        3.0,
        over("guide", 0),
        lambda t: 0.6 * np.sin(5.0 * t[:, None]),
        "e sin(w t)",
        1e-9,
    ),
    *each(
        "yoke of two flat faces on a driven eccentric",
        partial(eccentric, faces=2, speed=-7.0),
        3.0,
        over("guide", 0),
        lambda t: -0.6 * np.sin(7.0 * t[:, None]),
        "e sin(w t)",
        1e-9,
    ),
    *each(
        "flat face on a free eccentric",
        partial(eccentric, faces=1, rate=4.0),
        3.0,
        angle("shaft"),
        lambda t: turn_of_eccentric(t, 4.0),
        ELLIPTIC,
        1e-8,
    ),
    *each("planar, steady spin", in_plane, 30.0, angle("P", 2), lambda t: -6.0 * t, "w t", 1e-10),
    *(
        row
        for type in ("point_on_line", "point_on_plane", "point_on_curve")
        for row in each(
            f"{type.replace('_', ' ')}, spinning bead",
            partial(bead, type),
            3.0,
            sliding_and_spinning,
            slid,
            "g sin(slope) t^2 / 2, steady spin",
            1e-9,
        )
    ),
    *(
        row
        for start in (0.1, 2.0)
        for row in each(
            f"rod pendulum from {start:g} rad",
            partial(rod_pendulum, start=start),
            6.0,
            lambda L: lambda r: np.arctan2(r.poses[:, 0, 0], -r.poses[:, 0, 2]),
            lambda t, s=start: swing(t, s, math.sqrt(G)),
            ELLIPTIC,
            2e-7,
        )
    ),
    *each(
        "conical pendulum on a rod",
        partial(conical, tilt=0.9),
        6.0,
        lambda L: lambda r: r.poses[:, 0, :2] / L,
        lambda t: (
            math.sin(0.9)
            * np.column_stack(
                (np.cos(math.sqrt(G / math.cos(0.9)) * t), np.sin(math.sqrt(G / math.cos(0.9)) * t))
            )
        ),
        "W^2 = g / (l cos tilt)",
        1e-7,
    ),
    *(
        row
        for pitch in (0.3, -0.5, 1e-3)
        for row in each(
            f"screw of pitch {pitch:g}",
            partial(nut, pitch=pitch),
            5.0,
            angle("S"),
            lambda t, h=pitch / (2 * math.pi): -0.5 * G * h / (h * h + 0.02) * t**2,
            "(m h^2 + I) angle'' = -m g h",
            1e-9,
        )
    ),
    *(
        row
        for type in ("rolling_disc", "rolling_wheel")
        for row in each(
            f"{type.replace('_', ' ')} down a slope",
            partial(rolling, type),
            3.0,
            lambda L: lambda r: r.poses[:, 0, :3] / L,
            lambda t: np.column_stack((0.5 * G * math.sin(SLOPE) / 1.5 * t**2, 0 * t, 1.0 + 0 * t)),
            "a = g sin(slope) / (1 + I / m r^2)",
            1e-11,
        )
    ),
    *(
        row
        for spin in (0.5, 4.0)
        for row in each(
            f"knife edge turning at {spin:g} rad/s",
            partial(skate, spin=spin),
            5.0,
            over("K", 0, 1),
            partial(skated, spin=spin),
            "cycloid on a slope",
            2e-8,
        )
    ),
    *each(
        "free, thrown",
        thrown,
        3.0,
        over("F", 0, 1, 2),
        lambda t: np.column_stack((0.7 * t, -0.3 * t, 5.0 * t - 0.5 * G * t**2)),
        "parabola",
        1e-10,
    ),
    *each(
        "free, steady spin",
        thrown,
        3.0,
        lambda L: coordinates("F", 3, 4, 5),
        lambda t: np.column_stack((11.0 * t, 0 * t, 0 * t)),
        "w t",
        1e-9,
    ),
)
