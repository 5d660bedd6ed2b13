"""Function and motion generation against Freudenstein's equation and known linkages."""

import itertools
import math

import numpy as np
import pytest

from mechstudio.synthesis import defects, function, motion
from mechstudio.synthesis.linkages import LINKAGES, Linkage, along
from mechstudio.synthesis.refinement import Task

KNOWN = Linkage(
    "four_bar",
    np.array([0, 0, 0.34, 0, 0.13, 0.33, 0.26, 0.15, 0.1]),
    np.array([1.0]),
    np.radians([20.0, 50.0, 90.0, 130.0, 200.0]),
)


def poses(linkage):
    placed = linkage.place(linkage.angles)
    return placed.pins["P"], np.angle(placed.pins["B"] - placed.pins["A"])


@pytest.mark.slow
def test_exact_positions_obey_freudenstein():
    """K1 cos ψ - K2 cos φ + K3 = cos (φ - ψ) with K1 = d/a, K2 = d/c, K3 = (a² - b² + c² + d²) /
    2 a c, at five positions of y = log10 x.
    """
    x = np.array([1.0, 1.5, 2.5, 4.0, 5.0])
    inputs, outputs = np.radians(60) * (x - 1) / 4, np.radians(90) * np.log10(x)
    found = function.generate(inputs, outputs, starts=30)
    best = found[0]
    assert best.error < 1e-12
    n = best.linkage.values()
    a, b, c, d = n["OA"], n["AB"], n["QB"], 0.1
    phi = best.linkage.angles
    placed = best.linkage.place(phi)
    psi = np.angle(placed.pins["B"] - placed.pins["Q"])
    assert phi - phi[0] == pytest.approx(inputs)
    assert np.unwrap(psi) - psi[0] == pytest.approx(outputs)
    k1, k2, k3 = d / a, d / c, (a * a - b * b + c * c + d * d) / (2 * a * c)
    assert k1 * np.cos(psi) - k2 * np.cos(phi) + k3 == pytest.approx(np.cos(phi - psi))


@pytest.mark.slow
def test_more_links_follow_a_parabola_closer():
    x = np.linspace(0, 1, 15)
    inputs, outputs = np.radians(60) * x, np.radians(90) * x * x
    four = function.generate(inputs, outputs, starts=20)[0]
    assert math.degrees(four.error) < 0.1
    for type in ("stephenson", "watt_second"):
        six = function.generate(inputs, outputs, type, starts=4)[0]
        assert six.error < 0.3 * four.error


@pytest.mark.slow
def test_a_slider_follows_a_parabola():
    x = np.linspace(0, 1, 15)
    best = function.generate(np.radians(60) * x, 0.05 * x * x, "slider_crank", starts=20)[0]
    assert best.error < 1e-5
    n, phi = best.linkage.values(), best.linkage.angles
    side = best.linkage.sides[0]
    # the closed form of a slider-crank along x with an offset
    slide = n["OA"] * np.cos(phi) + side * np.sqrt(
        n["AB"] ** 2 - (n["e"] - n["OA"] * np.sin(phi)) ** 2
    )
    off = slide - slide[0] - 0.05 * x * x
    assert math.sqrt(np.mean(off**2)) == pytest.approx(best.error, rel=1e-6)


def test_whole_turns_of_the_output_count():
    """Outputs of 0, 360, 720 deg are met by no rocker that comes back to where it was."""
    found = function.generate([0.0, 1.0, 2.0], [0.0, 2 * math.pi, 4 * math.pi], starts=8)
    assert all(c.error > 1.0 for c in found)


def test_poses_of_a_parallelogram_have_their_family():
    around = np.array([0.0, 0.4, 0.9, 1.3, 1.6])
    found = motion.generate(0.1 * np.exp(1j * around), np.full(5, 0.3))
    best = found[0].linkage.values()
    assert found[0].error < 1e-12
    # cranks as long as the circle's radius
    assert best["OA"] == pytest.approx(0.1) and best["QB"] == pytest.approx(0.1)


def test_five_poses_give_their_linkage_back():
    found = motion.generate(*poses(KNOWN))
    assert 1 <= len(found) <= 12  # six, and each from either side
    gaps = [np.abs(c.linkage.parameters - KNOWN.parameters).max() for c in found]
    assert min(gaps) < 1e-9
    assert max(c.error for c in found) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, 4])
def test_fewer_poses_are_exact_for_a_whole_family(count):
    d, angles = poses(KNOWN)
    found = motion.generate(d[:count], angles[:count], task=Task(turn=False, transmission=0.5))
    assert len(found) > 5
    for candidate in found:
        at, turned = poses(candidate.linkage)
        assert at == pytest.approx(d[:count], abs=1e-9)
        # the coupler's own axes keep one angle to those of the pose
        gap = np.exp(1j * (turned - angles[:count]))
        assert gap == pytest.approx(np.full(count, gap[0]), abs=1e-8)
        assert defects.defect(candidate.linkage) == "" and candidate.transmission >= 0.5
    assert [c.transmission for c in found] == sorted((c.transmission for c in found), reverse=True)


@pytest.mark.slow
def test_many_poses_with_errors_are_met_by_least_squares():
    many = KNOWN._replace(angles=np.radians(np.linspace(0, 300, 9)))
    d, angles = poses(many)
    rng = np.random.default_rng(1)
    found = motion.generate(d + rng.normal(0, 1e-3, 9) + 1j * rng.normal(0, 1e-3, 9), angles)
    best = found[0]
    assert best.error < 2e-3
    assert best.linkage.parameters[:7] == pytest.approx(KNOWN.parameters[:7], abs=0.02)


# as of a presser, a lift, a folding lid and a wiper: in the order of the row's numbers
GIVEN = {
    "four_bar": (9, [0, 0, 0.34, 0, 0.13, 0.33, 0.26, 0.15, 0.1], [1.0]),
    "slider_crank": (9, [0, 0, 0.1, 0.3, 0.02, 0.3, 0.12, 0.05], [1.0]),
    "stephenson": (
        8,
        [0, 0, 0.34, 0, 0.13, 0.33, 0.26, 0.15, 0.1, 0.05, 0.3, 0.2, 0.22, 0.1, 0.05],
        [1.0, 1.0],
    ),
    "watt": (
        8,
        [0, 0, 0.34, 0, 0.13, 0.33, 0.26, 0.15, 0.1, 0.25, 0.12, 0.25, 0.2, 0.1, 0.05],
        [1.0, 1.0],
    ),
    "watt_second": (
        8,
        [0, 0, 0.34, 0, 0.13, 0.33, 0.26, 0.1, 0.1, 0.6, 0.1, 0.3, 0.2, 0.1, 0.05],
        [1.0, 1.0],
    ),
}


def known(type):
    """A linkage of a type, and poses of it: places and angles."""
    count, numbers, sides = GIVEN[type]
    angles = np.linspace(0.4, 2.9, count)
    linkage = Linkage(type, np.array(numbers, float), np.array(sides), angles)
    assert not defects.defect(linkage), defects.defect(linkage)
    placed = linkage.place(angles)
    return placed.pins["P"], np.angle(along(LINKAGES[type], placed))


@pytest.mark.slow
@pytest.mark.thinned(3)
@pytest.mark.parametrize("type", GIVEN)
def test_poses_of_a_known_linkage_are_met_without_defects(type):
    """Every answer goes through them in their order, on one circuit, its link turned as given."""
    d, angles = known(type)
    size = np.ptp(d.real) + np.ptp(d.imag)
    heard = []
    # fewer starts than by default find the same best ones
    found = motion.generate(d, angles, type, starts=25, heard=heard.append)
    # four-bars and slider-cranks are found again; six-bars lie in valleys of many numbers
    assert found[0].error < (1e-9 if type in ("four_bar", "slider_crank") else 2e-3) * size
    assert len(found) > 3 and len(heard) >= len(found)
    for c in found[:5]:
        kind, own = LINKAGES[type], c.linkage
        placed = own.place(own.angles)
        off = np.abs(placed.pins["P"] - d)
        assert off.max() == pytest.approx(c.worst, abs=1e-12)
        way = along(kind, placed) * np.exp(-1j * angles)
        turned = np.abs(way - way.mean() / abs(way.mean()))
        rms = math.sqrt(np.mean(off**2 + size**2 * turned**2))
        assert rms == pytest.approx(c.error, rel=1e-6, abs=1e-12)
        steps = np.diff(own.angles)
        assert (steps > 0).all() or (steps < 0).all()
        between = own.place(np.linspace(own.angles[0], own.angles[-1], 999))
        assert between.room.min() > 0.0
        # pins keep their distances on the way
        for _, pins in kind.links:
            for a, b in itertools.pairwise(pins):
                assert np.ptp(np.abs(between.pins[a] - between.pins[b])) < 1e-12


@pytest.mark.slow
@pytest.mark.thinned(4)
@pytest.mark.parametrize("type", ["four_bar", "slider_crank", "stephenson"])
@pytest.mark.parametrize("scale", [1e-4, 1e4])
def test_many_poses_of_any_size_and_place_are_met_alike(type, scale):
    d, angles = known(type)
    here = motion.generate(d, angles, type, starts=10)[0]
    there = motion.generate(scale * (d + 300.0 - 200.0j), angles, type, starts=10)[0]
    assert there.error == pytest.approx(scale * here.error, rel=1e-3, abs=1e-9 * scale)


@pytest.mark.thinned(2)
# a step of four meets each type and each set of poses
@pytest.mark.thinned(8)
@pytest.mark.parametrize("type", GIVEN)
@pytest.mark.parametrize(
    ("places", "angles"),
    [
        (np.linspace(0, 0.1, 7), np.zeros(7)),
        (np.linspace(0, 0.1, 7), np.linspace(0, 1, 7)),
        (0.1 + 1e-9 * np.arange(7), np.linspace(0, 1e-7, 7)),
        (0.1 * np.exp(1j * np.linspace(0, 6, 7)), np.linspace(0, 60, 7)),
        (0.1 * np.exp(1j * np.arange(7) ** 2), np.sin(9.0 * np.arange(7))),
    ],
    ids=["straight", "collinear", "coincident", "spinning", "wild"],
)
def test_poses_that_are_hard_give_answers_without_defects_or_none(type, places, angles):
    for c in motion.generate(places, angles, type, starts=8):
        assert math.isfinite(c.error) and np.isfinite(c.linkage.parameters).all()
        assert not defects.defect(c.linkage)
        off = np.abs(c.linkage.place(c.linkage.angles).pins["P"] - places)
        assert off.max() == pytest.approx(c.worst, abs=1e-9 * np.abs(places).max())


@pytest.mark.slow
def test_conditions_hold_for_six_bars_through_poses():
    d, angles = known("watt")
    task = Task(turn=True, lengths=(0.05, 0.5), region=(-0.2, -0.2, 0.5, 0.2), transmission=0.3)
    found = motion.generate(d, angles, "watt", task, starts=30)
    assert found
    for c in found:
        own, kind = c.linkage, LINKAGES["watt"]
        lengths = own.parameters[kind.kinds("length")]
        assert lengths.min() > 0.05 - 1e-9 and lengths.max() < 0.5 + 1e-9
        at = own.parameters[kind.kinds("position")]
        assert (at[::2] > -0.2 - 1e-9).all() and (at[::2] < 0.5 + 1e-9).all()
        assert c.turns and c.transmission >= 0.3


def test_every_dyad_keeps_its_radius():
    d, angles = poses(KNOWN)
    z, c = motion.dyads(d, np.exp(1j * angles), np.random.default_rng(0))
    assert 2 <= len(z) <= 4
    radii = np.abs(d + np.exp(1j * angles) * z[:, None] - c[:, None])
    assert np.ptp(radii, axis=1).max() < 1e-9


@pytest.mark.slow
@pytest.mark.thinned(3)
@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_sizes_do_not_matter(scale):
    d, angles = poses(KNOWN)
    found = motion.generate(scale * d, angles)
    assert len(found) == len(motion.generate(d, angles))
    x = np.linspace(0, 1, 7)
    best = function.generate(x, 0.5 * x**2, base=scale, starts=8)[0]
    assert best.linkage.values()["OA"] > 1e-3 * scale and best.error < 1e-2


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: function.generate([0, 1], [0, 1]), "at least three positions"),
        (lambda: function.generate([0, 1, 0.5], [0, 1, 2]), "goes one way"),
        (lambda: function.generate([0, 3, 7], [0, 1, 2]), "less than a turn"),
        (lambda: function.generate([0, 1, 2], [1, 1, 1]), "does not move"),
        (lambda: function.generate([0, 1, 2], [0, 1]), "needs one of the output"),
        (lambda: function.generate([0, 1, 2], [0, 1, 2], "watt"), "no linkage watt"),
        (lambda: motion.generate([0, 1], [0, 1]), "at least three poses"),
        (lambda: motion.generate([0, 1, 2], [0, 1]), "needs its angle"),
        (lambda: motion.generate([0, 1, 1], [0, 1, 1]), "the same"),
        (lambda: motion.generate([1, 1, 1], [0, 1, 2]), "about one point"),
        (lambda: motion.generate([0, 1, 2], [0, 1, 2], "klann"), "no linkage klann"),
    ],
)
def test_invalid_syntheses_raise_with_the_reason(call, words):
    with pytest.raises(ValueError, match=words):
        call()
