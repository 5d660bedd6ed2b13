"""The four-bar that the first drawing suggests: closed, and its crank turns round."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.lessons import first_drawing
from mechstudio.application.lessons.first_drawing import (
    FourBar,
    Now,
    Pins,
    current,
    four_bar,
    pins,
    stage,
)
from mechstudio.model.geometry.work_plane import FRONT


def lengths(places):
    """Lengths of crank, coupler, rocker and ground [m]."""
    a, b, c, d = map(np.array, places)
    return [float(np.linalg.norm(p - q)) for p, q in ((a, b), (b, c), (c, d), (d, a))]


def turns_round(places):
    """Grashof's rule, and the crank is the shortest link or the ground."""
    crank, *others = lengths(places)
    shortest = min(crank, *others)
    longest = max(crank, *others)
    rest = crank + sum(others) - shortest - longest
    return shortest + longest < rest and shortest in (crank, others[-1])


@pytest.mark.parametrize("angle", range(0, 360, 15))
def test_a_crank_drawn_any_way_gets_a_four_bar_that_turns(angle):
    m, turn = ms.Builder("Any"), math.radians(angle)
    end = FRONT.to_world(0.07 * math.cos(turn), 0.07 * math.sin(turn))
    crank = m.link("crank", (0, 0, 0), end)
    m.pin("A", m.ground, crank, at=(0, 0, 0))
    mechanism = m.project().mechanism
    bar = four_bar(mechanism)
    assert bar == FourBar("crank", pin="A")
    found = pins(mechanism, bar, FRONT, (0.0, 0.0, 0.0), 0.2)
    assert found.b == pytest.approx(end, abs=1e-12) and turns_round(found)


@pytest.mark.parametrize("seed", range(20))
def test_a_coupler_drawn_otherwise_gets_a_last_pin_where_the_crank_turns(seed):
    draw = np.random.default_rng(seed)
    angle, reach, turn = (
        draw.uniform(0, 2 * math.pi),
        draw.uniform(1.6, 3.5),
        draw.uniform(0.2, 2.9),
    )
    at = lambda p, r, t: (p[0] + r * math.cos(t), 0.0, p[2] + r * math.sin(t))
    b = at((0, 0, 0), 0.05, angle)
    c = at(b, 0.05 * reach, turn)
    m = ms.Builder("Any")
    crank, coupler = m.link("crank", (0, 0, 0), b), m.link("coupler", b, c)
    m.pin("A", m.ground, crank, at=(0, 0, 0))
    m.pin("B", crank, coupler, at=b)
    mechanism = m.project().mechanism
    bar = four_bar(mechanism)
    assert bar == FourBar("crank", "coupler", pin="A")
    assert turns_round(pins(mechanism, bar, FRONT, (0.0, 0.0, 0.0), 0.2))


def test_parts_are_known_whatever_else_is_drawn():
    m = ms.Builder("More")
    lone = m.link("lone", (1, 0, 0), (1.1, 0, 0))
    crank = m.link("crank", (0, 0, 0), (0.1, 0, 0))
    assert four_bar(m.project().mechanism) == FourBar()
    assert four_bar(m.project().mechanism, frozenset({"crank"})).crank == "crank"
    coupler = m.link("coupler", (0.1, 0, 0), (0.3, 0, 0.1))
    rocker = m.link("rocker", (0.3, 0, 0.1), (0.25, 0, 0))
    m.pin("B", crank, coupler, at=(0.1, 0, 0))
    m.pin("C", coupler, rocker, at=(0.3, 0, 0.1))
    assert four_bar(m.project().mechanism) == FourBar("crank", "coupler", "rocker")
    m.pin("A", m.ground, crank, at=(0, 0, 0))
    assert not four_bar(m.project().mechanism).closed
    m.pin("D", m.ground, rocker, at=(0.25, 0, 0))
    m.pin("E", lone, m.ground, at=(1, 0, 0))
    assert four_bar(m.project().mechanism) == FourBar("crank", "coupler", "rocker", "A", True)


def test_a_suggested_four_bar_has_the_usual_lengths():
    origin = (0.1, 0.0, 0.2)
    found = pins(ms.Builder("None").project().mechanism, FourBar(), FRONT, origin, 0.1)
    assert lengths(found) == pytest.approx([0.1, 0.21, 0.16, 0.22])
    assert found.a == origin and found.d == pytest.approx((0.32, 0.0, 0.2))
    turn = math.radians(55.0)
    assert found.b == pytest.approx((0.1 + 0.1 * math.cos(turn), 0.0, 0.2 + 0.1 * math.sin(turn)))
    across = np.cross(np.subtract(found.d, found.b), np.subtract(found.c, found.b))
    assert across[1] < 0.0, "coupler and rocker meet above"


A, B, C, D = (0.0, 0.0, 0.0), (0.03, 0.0, 0.04), (0.13, 0.0, 0.09), (0.12, 0.0, 0.0)
LINKS = {"crank": (A, B), "coupler": (B, C), "rocker": (C, D)}


def drawn(links, joints, reversed_=()):
    """Links of a four-bar, some drawn from their other end, with some of its pins."""
    m = ms.Builder("Some")
    made = {"ground": m.ground}
    for name in links:
        ends = LINKS[name][::-1] if name in reversed_ else LINKS[name]
        made[name] = m.link(name, *ends)
    of = {"A": ("ground", "crank", A), "B": ("crank", "coupler", B)}
    of |= {"C": ("coupler", "rocker", C), "D": ("rocker", "ground", D)}
    for name in joints:
        first, second, at = of[name]
        m.pin(name, made[first], made[second], at=at)
    return m.project().mechanism


@pytest.mark.parametrize("reversed_", [(), ("crank", "coupler", "rocker"), ("coupler",)])
@pytest.mark.parametrize(
    ("links", "joints", "known", "loose"),
    [
        (("crank",), "", "", A),
        (("crank",), "A", "ab", None),
        (("crank", "coupler"), "AB", "abc", None),
        (("crank", "coupler"), "B", "abc", A),
        (("crank", "coupler", "rocker"), "ABC", "abcd", D),
        (("crank", "coupler", "rocker"), "ABCD", "abcd", None),
    ],
)
def test_pins_are_where_links_end_whichever_end_was_drawn_first(
    links, joints, known, loose, reversed_
):
    m = drawn(links, joints, reversed_)
    bar = four_bar(m)
    found = pins(m, bar, FRONT, A, 0.05)
    for name, place in zip("abcd", (A, B, C, D), strict=True):
        # without a pin on the ground nothing says which end of the crank is its foot
        if name in known and not (name == "a" and "A" not in joints):
            expected = pytest.approx(place, abs=1e-12)
            assert getattr(found, name) == expected, name
    end = first_drawing._loose(m, bar)
    if not joints and "crank" in reversed_:
        loose = B
    assert end == (None if loose is None else pytest.approx(loose, abs=1e-12))


def test_what_makes_a_drawing_move():
    def moving(change=lambda m, pin: None, **more):
        m = ms.Builder("Moving")
        crank = m.link("crank", A, B)
        change(m, m.pin("A", m.ground, crank, at=A, **more))
        return first_drawing._is_driven(m.project().mechanism)

    assert not moving()
    assert moving(rate=1.0)
    assert moving(lambda m, pin: m.drive("M", pin, speed=1.0))
    assert not moving(lambda m, pin: m.change(m.drive("M", pin, speed=1.0), enabled=False))


START = Now(FourBar(), Pins(A, B, C, D), "", None, False, (), None, "A", *[False] * 4)
CRANK, COUPLER = FourBar("crank", pin="A"), FourBar("crank", "coupler", pin="A")
ROCKER = FourBar("crank", "coupler", "rocker", "A")
LINK, JOINT = {"tool": "link"}, {"tool": "joint"}
CLOSED = {"bar": ROCKER._replace(closed=True)}
DRIVEN = CLOSED | {"driven": True}


@pytest.mark.parametrize(
    ("state", "task", "words", "start", "end"),
    [
        ({}, 0, "Press L, or click here", A, B),
        ({"loose": D}, 0, "Press J, or click here", None, None),
        ({"loose": D} | JOINT, 0, "Click the loose end", None, D),
        (JOINT, 0, "Press L, or click here", A, B),
        (LINK | {"loose": D}, 0, "Click the origin", None, A),
        (LINK, 0, "Click the origin", None, A),
        (LINK | {"begin": C}, 0, "Click the other end", C, B),
        ({"bar": CRANK}, 1, "Press L, or click here", None, None),
        ({"bar": CRANK} | LINK, 1, "Begin at the crank's end", None, B),
        ({"bar": COUPLER} | LINK, 1, "Begin at the coupler's end", None, C),
        ({"bar": CRANK, "begin": B} | LINK, 1, "Click the end of the coupler", B, C),
        ({"bar": COUPLER, "begin": C} | LINK, 1, "Click the end of the rocker", C, D),
        ({"bar": ROCKER} | LINK, 2, "Press Enter", None, D),
        ({"bar": ROCKER, "loose": D}, 2, "Press J, or click here", None, None),
        ({"bar": ROCKER, "loose": D} | JOINT, 2, "Click the loose end", None, D),
        ({"bar": ROCKER}, 2, None, None, None),
        (CLOSED, 3, "Press M, or click here", None, None),
        (CLOSED | {"selected": ("A",)}, 3, "Press M", None, A),
        (CLOSED | {"makes_motor": True}, 3, "Click the pin {pin}", None, A),
        (DRIVEN, 4, "Press Space, or click here", None, None),
        (DRIVEN | {"typing": True}, 4, "Type a speed, or leave it", None, None),
        (DRIVEN | {"ran": True, "typing": True}, 4, "Click the energy", None, None),
        (DRIVEN | {"read": True}, 4, "Press Space, or click here", None, None),
        (DRIVEN | {"read": True, "ran": True}, 5, None, None, None),
    ],
)
def test_each_state_has_its_gesture(state, task, words, start, end):
    now = START._replace(**state)
    shown = stage(now)
    assert current(now) == task
    assert (None if shown is None else str(shown.words)) == words
    if shown is not None:
        assert (shown.start(now), shown.end(now)) == (start, end)


def test_bodies_that_are_no_links_end_at_their_pins():
    m = ms.Builder("Discs")
    disc = m.body("disc", at=(0.5, 0.0, 0.5)).disc(radius=0.02, thickness=0.01)
    m.pin("A", m.ground, disc, at=A)
    m.pin("C", m.ground, m.link("lone", C, D), at=C)
    place = lambda: first_drawing._ends(m.project().mechanism, "disc", A)
    # one pin, and where the body itself stands
    assert place() == (pytest.approx(A), pytest.approx((0.5, 0.0, 0.5)))
    m.pin("B", disc, m.link("rod", B, C), at=B)
    assert place() == (pytest.approx(A), pytest.approx(B))
    assert first_drawing._ends(m.project().mechanism, "disc", B)[0] == pytest.approx(B)
