"""Laws of Geneva wheels: the slot points to the pin, by the geometry of the drive and by its known
figures.
"""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.edits.insertion import add_coupling
from mechstudio.model.edits.patterns.mirror_rules import backwards_law, opposite_law
from mechstudio.model.joints.drawn_coordinates import drawn_coordinate
from mechstudio.model.laws.evaluation import breakpoints, jet, jets
from mechstudio.model.mechanism import Law
from mechstudio.model.quantity import Quantity
from mechstudio.symbolic.exports.law_functions import of_law

SLOTS = (3, 4, 5, 6, 12, 60)
TYPES = ("geneva", "inner_geneva")


def wheel(type, slots, middle=0.0):
    return Law(type, {"slots": Quantity(slots), "middle": Quantity(middle)})


@pytest.mark.parametrize("slots", SLOTS)
@pytest.mark.parametrize("type", TYPES)
def test_a_slot_points_to_the_pin_while_it_is_in_one(type, slots):
    law, c, a = wheel(type, slots, 0.4), 1.0, math.sin(math.pi / slots)
    begin, end = breakpoints(law)
    for turns in (-5, 0, 3):
        for s in np.linspace(begin, end, 50)[1:-1] + 2.0 * math.pi * turns:
            # crank at the origin, wheel at x = -c; at the middle the pin is nearest to an outer
            # wheel, farthest from an inner one
            way = s - 0.4 + (math.pi if type == "geneva" else 0.0)
            pin = a * np.array([math.cos(way), math.sin(way)]) + (c, 0.0)
            slot = (math.atan2(pin[1], pin[0]) - jet(law, s)[0]) * slots / (2.0 * math.pi)
            at_begin = -jet(law, begin)[0] * slots / (2.0 * math.pi) - 0.5 * (
                1.0 if type == "inner_geneva" else -1.0
            )
            assert abs((slot - at_begin + 0.5) % 1.0 - 0.5) < 1e-10
    # the pin enters along the slot: neither the wheel nor the slot moves across its way
    assert c * math.cos(math.pi / slots) == pytest.approx(math.sqrt(c**2 - a**2), rel=1e-12)


@pytest.mark.parametrize("slots", SLOTS)
def test_known_figures(slots):
    """Speed at the middle, acceleration where the pin enters, and the share of a turn in which the
    wheel moves, of drives with unit speed of the crank.
    """
    share, tangent = math.sin(math.pi / slots), math.tan(math.pi / slots)
    for type, fastest, engaged in (
        ("geneva", -share / (1.0 - share), (slots - 2) / (2 * slots)),
        ("inner_geneva", share / (1.0 + share), (slots + 2) / (2 * slots)),
    ):
        law = wheel(type, slots, 1.3)
        begin, end = breakpoints(law)
        assert end - begin == pytest.approx(2.0 * math.pi * engaged, rel=1e-14)
        assert jet(law, 1.3)[1] == pytest.approx(fastest, rel=1e-12)
        sign = 1.0 if type == "inner_geneva" else -1.0
        f, g, h = jet(law, begin)
        assert (f, g) == pytest.approx((0.0, 0.0), abs=1e-14)
        assert h == pytest.approx(sign * tangent, rel=1e-9)
        assert jet(law, end) == pytest.approx((sign * 2.0 * math.pi / slots, 0.0, 0.0), abs=1e-15)
        assert jet(law, begin + 200.0 * math.pi)[0] == pytest.approx(
            sign * 200.0 * math.pi / slots, rel=1e-12
        )


@pytest.mark.parametrize("slots", [3, -4, 7])
@pytest.mark.parametrize("type", TYPES)
def test_slopes_are_those_of_the_values(type, slots):
    law = wheel(type, slots, -2.0)
    s = np.linspace(-9.0, 9.0, 400)
    s = s[
        [min(abs((x - b + 3.0) % (2 * math.pi) - 3.0) for b in breakpoints(law)) > 0.01 for x in s]
    ]
    f, g, h = np.array(jets(law, s)).T
    h0 = 1e-5
    up, down = np.array(jets(law, s + h0)), np.array(jets(law, s - h0))
    assert (up[:, 0] - down[:, 0]) / (2 * h0) == pytest.approx(g, abs=1e-7)
    assert (up[:, 1] - down[:, 1]) / (2 * h0) == pytest.approx(h, abs=1e-6)
    assert len(s) > 200 and len(f) == len(s)


@pytest.mark.parametrize("slots", [3, -4, 12])
@pytest.mark.parametrize("type", TYPES)
def test_pieces_of_exported_equations(type, slots):
    law = wheel(type, slots, 0.3)
    pieces = of_law(law)
    s = np.random.default_rng(1).uniform(-60.0, 60.0, 2000)
    off = np.abs([np.subtract(pieces.at(x), jet(law, x)) for x in s]).max(axis=0)
    assert off[0] < 1e-13 and off[1] < 1e-11 and off[2] < 1e-7


def full(type, **numbers):
    return Law(type, {name: Quantity(value) for name, value in numbers.items()})


@pytest.mark.parametrize(
    "law",
    [
        wheel("geneva", 5, 0.7),
        wheel("inner_geneva", -4, -0.2),
        Law("geneva"),
        full("cam", lift=0.02, begin=0.4, rise=1.2, dwell=0.5, fall=1.5),
        full("ramp", start=1.0, end=3.0, begin=-0.5, duration=2.0),
        full("rest_to_rest", start=1.0, end=3.0, begin=-0.5, duration=2.0),
        full("constant", value=2.0),
        Law("table", points=tuple((Quantity(x), Quantity(x * x)) for x in (-1.0, 0.5, 2.0))),
        Law("expression", text="0.1*sin(a)+0.02*a^2"),
    ],
    ids=lambda law: law.type,
)
def test_laws_backwards_and_opposite(law):
    back, other = backwards_law(law), opposite_law(law)
    for s in np.random.default_rng(2).uniform(-9.0, 9.0, 60):
        f, g, h = jet(law, -s)
        assert jet(back, s)[1:] == pytest.approx((-g, h), abs=1e-9)
        assert jet(back, s)[0] - jet(back, 0.0)[0] == pytest.approx(f - jet(law, -0.0)[0], abs=1e-9)
        assert jet(other, -s) == pytest.approx((-f, -g, -h), abs=1e-9)


def test_texts_of_a_cam_that_turns_backwards():
    law = Law(
        "cam",
        {
            "lift": Quantity(0.02, "s"),
            "begin": Quantity(0.5, "b"),
            "rise": Quantity(1.0, "57.29577951308232 deg"),
            "dwell": Quantity(0.25),
            "fall": Quantity(0.75, "f"),
        },
    )
    begin = backwards_law(law).parameters["begin"]
    assert begin == Quantity(-2.5, "-((b)+(57.29577951308232 deg)+(0.25 rad)+(f))")


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize("turn", [0.0, 0.6, -2.9])
def test_a_new_drive_takes_its_sense_and_its_middle_from_the_drawing(sense, turn):
    m = ms.Builder()
    crank = m.body("crank", (0, 0, 0), angles=(turn, 0, 0))
    crank.bar("100 mm", "20 mm", "10 mm", at=("40 mm", 0, 0))
    disc = m.body("wheel", (-0.2, 0, 0)).disc("90 mm", "10 mm")
    a = m.pin("a", m.ground, crank, at=(0, 0, 0), axis=(0, 0, 1))
    b = m.pin("b", m.ground, disc, at=(-0.2, 0, 0), axis=(0, 0, sense))
    project, id = add_coupling(m.project(), "geneva", [a.id, b.id])
    law = project.mechanism.couplings[id].law
    assert law.type == "geneva" and law.parameters["slots"].value == 4.0 * sense
    # the crank points to the wheel, at -x, after the rest of half a turn
    rest = law.parameters["middle"].value - drawn_coordinate(project.mechanism, a.id, 0)
    assert math.remainder(rest + turn - math.pi, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-12)
    assert ms.check(project).findings == ()


@pytest.mark.parametrize("crank_first", [True, False])
@pytest.mark.parametrize("wheel_first", [True, False])
def test_a_new_drive_on_a_frame_takes_the_same_sense(crank_first, wheel_first):
    """Whichever body a joint names first: both stand on a frame, which moves itself."""
    m = ms.Builder()
    frame = m.body("frame", (0, 0, -0.1), mass=1.0, inertia=(1, 1, 1))
    crank = m.body("crank", (0, 0, 0)).bar("100 mm", "20 mm", "10 mm", at=("40 mm", 0, 0))
    wheel = m.body("wheel", (-0.2, 0, 0)).disc("90 mm", "10 mm")
    m.slider("slide", m.ground, frame, at=(0, 0, 0), axis=(1, 0, 0))
    pair = lambda body, first: (body, frame) if first else (frame, body)
    a = m.pin("a", *pair(crank, crank_first), at=(0, 0, 0), axis=(0, 0, 1))
    b = m.pin("b", *pair(wheel, wheel_first), at=(-0.2, 0, 0), axis=(0, 0, 1))
    project, id = add_coupling(m.project(), "geneva", [a.id, b.id])
    numbers = project.mechanism.couplings[id].law.parameters
    assert numbers["slots"].value == (4.0 if crank_first == wheel_first else -4.0)
    # the crank points away from the wheel
    assert abs(math.remainder(numbers["middle"].value, 2.0 * math.pi)) == pytest.approx(math.pi)
    assert ms.check(project).findings == ()
