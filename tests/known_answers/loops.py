"""Known answers of loops: driven linkages against their geometry, coupled trains against their
inertias, the published problems.
"""

import json
import math
from functools import partial

import msgspec
import numpy as np

from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from tests import mechanisms
from tests.engine.structure.test_overconstrained import LOOPS
from tests.known_answers.joints import body, builder
from tests.known_answers.rows import SIZES, Row, coordinate, energy_off
from tests.reference.test_reference import HERE, PROBLEMS, build


def bar(m, name, p, q, M):
    """A bar between two points of the front plane."""
    d = np.subtract(q, p)
    length = float(np.hypot(*d))
    return m.body(
        name,
        at=(p[0], 0, p[1]),
        angles=(0, -math.atan2(d[1], d[0]), 0),
        mass=M,
        center_of_mass=(0.5 * length, 0, 0),
        inertia=(1e-3 * M * length**2, M * length**2 / 12, M * length**2 / 12),
    )


def flat(p):
    return (float(p[0]), 0.0, float(p[1]))


def slider_crank(L, M, rod, start=0.7):
    """A crank of length L at 3 rad/s, a rod of `rod` L and a slider along x; the slide counts from
    where it starts.
    """
    m = builder(L)
    b = (L * math.cos(start), L * math.sin(start))
    c = (b[0] + math.sqrt((rod * L) ** 2 - b[1] ** 2), 0.0)
    crank, link, block = (
        bar(m, "crank", (0, 0), b, M),
        bar(m, "rod", b, c, M),
        m.body("block", at=flat(c), mass=M, center_of_mass=(0, 0, 0), inertia=(M * L * L,) * 3),
    )
    first = m.pin("A", m.ground, crank, at=(0, 0, 0))
    m.pin("B", crank, link, at=flat(b))
    m.pin("C", link, block, at=flat(c))
    m.slider("D", m.ground, block, at=flat(c), axis=(1, 0, 0))
    m.drive("motor", first, speed=3.0)
    return m.project()


def slide(t, rod, start=0.7):
    """x of the slider over the crank's length."""
    a = start + 3.0 * t
    return np.cos(a) + np.sqrt(rod**2 - np.sin(a) ** 2)


def four_bar(L, M, bars, start=1.0):
    """Crank, coupler, rocker and base in L; the crank turns at 3 rad/s."""
    crank, coupler, rocker, base = (L * x for x in bars)
    m = builder(L)
    b = (crank * math.cos(start), crank * math.sin(start))
    c = mechanisms.circle_meeting(b, coupler, (base, 0.0), rocker)
    one, two, three = (
        bar(m, "crank", (0, 0), b, M),
        bar(m, "coupler", b, c, M),
        bar(m, "rocker", (base, 0), c, M),
    )
    first = m.pin("A", m.ground, one, at=(0, 0, 0))
    m.pin("B", one, two, at=flat(b))
    m.pin("C", two, three, at=flat(c))
    m.pin("D", m.ground, three, at=(base, 0, 0))
    m.drive("motor", first, speed=3.0)
    return m.project()


def meeting(t, bars, start=1.0):
    """The pin between coupler and rocker over L: where two circles meet."""
    crank, coupler, rocker, base = bars
    return np.array(
        [
            mechanisms.circle_meeting(
                (crank * math.cos(a), crank * math.sin(a)), coupler, (base, 0.0), rocker
            )
            for a in start + 3.0 * t
        ]
    )


def rocker_tip(L, length):
    return lambda result: result.position("rocker", (length * L, 0, 0))[:, ::2] / L


def scotch_yoke(L, M):
    """A pin of a crank in an upright slot of a slider: x = cos, held by a point on a line."""
    m = builder(L)
    crank = bar(m, "crank", (0, 0), (L, 0), M)
    yoke = m.body("yoke", at=(L, 0, 0), mass=M, center_of_mass=(0, 0, 0), inertia=(M * L * L,) * 3)
    first = m.pin("A", m.ground, crank, at=(0, 0, 0))
    m.slider("D", m.ground, yoke, at=(L, 0, 0), axis=(1, 0, 0))
    m.on_plane("slot", yoke, crank, at=(L, 0, 0), normal=(1, 0, 0))
    m.drive("motor", first, speed=3.0)
    return m.project()


def train(type, L, M, ratio):
    """Two wheels; a torque on the first, inertias 0.02 and 0.06 M L^2."""
    m = builder(L, (0, 0, 0))
    a, b = body(m, L, M, name="one"), body(m, L, 3 * M, (3, 0, 0), name="two")
    first, second = m.pin("A", m.ground, a, at=(0, 0, 0)), m.pin("B", m.ground, b, at=(3 * L, 0, 0))
    if type == "gear":
        m.gear("c", first, second, ratio=ratio)
    else:
        m.belt(
            "c", first, second, radius_1=0.1 * L, radius_2=0.1 * L * abs(ratio), crossed=ratio < 0
        )
    m.force("motor_torque", "t", joint=first, torque=0.02 * M * L * L)
    return m.project()


def rack(L, M, radius):
    m = builder(L)
    wheel, bar = body(m, L, M, name="wheel"), body(m, L, M, (2, 0, 0), name="bar")
    pinion, slide = (
        m.pin("A", m.ground, wheel, at=(0, 0, 0)),
        m.slider("B", m.ground, bar, at=(2 * L, 0, 0), axis=(0, 0, 1)),
    )
    m.rack("c", pinion, slide, radius=radius * L)
    return m.project()


def published(name, k):
    """Row of one tracked point of a published problem."""
    problem, known = PROBLEMS[name], json.loads((HERE / f"{name}.json").read_text("utf-8"))
    tracked = build(problem)[1][k]
    return Row(
        f"{name}, point {k + 1}",
        lambda: build(problem)[0],
        problem["duration"],
        lambda result: result.position(*tracked),
        lambda t: np.array(known["points"][k]),
        "solution published to 1e-8 (IFToMM library)",
        1e-6,
        size=problem["length_scale"],
        samples=100,
    )


def moving_loop(name):
    """A loop with more rows than it needs, set going by its first joint."""
    mechanism = LOOPS[name][0]()
    mechanism = mechanisms.with_joint(
        mechanism, next(iter(mechanism.joints)), rates=(Quantity(0.2),)
    )
    return Project(msgspec.structs.replace(mechanism, gravity=vector(0, 0, 0)))


CRANK_ROCKER, DOUBLE_CRANK, KITE = (
    (0.2, 0.632, 0.5, 0.6),
    (1.0, 0.9, 1.1, 0.4),
    (0.3, 1.0, 1.0, 0.31),
)
ROWS = (
    *(
        Row(
            f"slider-crank with a rod of {rod:g}, {label}",
            partial(slider_crank, L, M, rod),
            5.0,
            lambda r, L=L: r.joint_coordinates["D"][:, 0] / L,
            lambda t, rod=rod: slide(t, rod) - slide(0.0, rod),
            "r cos a + sqrt(l^2 - r^2 sin^2 a)",
            1e-8,
        )
        for rod in (2.0, 1.01, 50.0)
        for label, L, M in SIZES
    ),
    *(
        Row(
            f"four-bar {bars}, {label}",
            partial(four_bar, L, M, bars),
            5.0,
            rocker_tip(L, bars[2]),
            partial(meeting, bars=bars),
            "where two circles meet",
            1e-8,
        )
        for bars in (CRANK_ROCKER, DOUBLE_CRANK, KITE)
        for label, L, M in SIZES
    ),
    *(
        Row(
            f"Scotch yoke, {label}",
            partial(scotch_yoke, L, M),
            5.0,
            lambda r, L=L: r.joint_coordinates["D"][:, 0] / L,
            lambda t: np.cos(3 * t) - 1,
            "x = r cos a",
            1e-9,
        )
        for label, L, M in SIZES
    ),
    *(
        Row(
            f"{type} of ratio {ratio:g}, {label}",
            partial(train, type, L, M, ratio),
            5.0,
            coordinate("B"),
            lambda t, i=ratio: (
                0.5 * i * 0.02 / (0.02 * i * i + 0.06) * t**2
                if type == "gear"
                else 0.5 / i * 0.02 / (0.02 + 0.06 / i**2) * t**2
            ),
            "the reflected inertia",
            1e-9,
        )
        for type, ratio in (("gear", -2.5), ("gear", 0.01), ("belt", 2.5), ("belt", -0.4))
        for label, L, M in SIZES
    ),
    *(
        Row(
            f"rack and pinion of {radius:g}, {label}",
            partial(rack, L, M, radius),
            3.0,
            coordinate("A"),
            lambda t, r=radius: -0.5 * 9.81 * r / (r * r + 0.02) * t**2,
            "(m r^2 + I) a'' = -m g r",
            1e-9,
        )
        for radius in (0.1, -2.0)
        for label, L, M in SIZES
    ),
    *(
        Row(
            f"{name}, tolerance {tolerance:g}",
            partial(moving_loop, name),
            2.0,
            energy_off,
            lambda t: 0.0 * t,
            "no load does work: the energy stays",
            60 * tolerance,
            size=1.0,
            options={"tolerance": tolerance},
        )
        for name in LOOPS
        for tolerance in (1e-6, 1e-9, 1e-12)
    ),
    *(
        published(name, k)
        for name in PROBLEMS
        for k in range(len(PROBLEMS[name]["tracked_points"]))
    ),
)
