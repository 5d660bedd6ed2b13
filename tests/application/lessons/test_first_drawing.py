"""The four-bar that the first drawing suggests: closed, and its crank turns round."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.lessons.first_drawing import FourBar, four_bar, pins
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
