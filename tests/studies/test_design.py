"""Values that a study draws: ranges, distributions, tolerances, grids and correlations."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechstudio.files.project_file import load
from mechstudio.folders import sample_folder
from mechstudio.studies.design import METHODS, Design, sensitivity_points, sobol_indices
from mechstudio.studies.tolerances import GRADES, tolerance
from mechstudio.studies.variations import Variation, read

PROJECT = load(sample_folder() / "four_bar.mech").project  # L2 is 330 mm, omega 6 rad/s


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("L2=60..100 mm:5", (0.06, 0.07, 0.08, 0.09, 0.1)),
        ("L2 = 0.3 m .. 400 mm : 2", (0.3, 0.4)),
        ("L2=100|200|50.5 mm", (0.1, 0.2, 0.0505)),
        ("L2=L3", (0.26,)),
        ("L2=L3..2*L3:2", (0.26, 0.52)),
        # the end of a formula is no unit of the number before it
        ("L2=310..2*175 mm:2", (0.31, 0.35)),
        ("L2=310|2*175 mm", (0.31, 0.35)),
        ("L2=310 mm..300 mm + 50 mm:2", (0.31, 0.35)),
        ("omega=-1..1 rad/s:3", (-1.0, 0.0, 1.0)),
    ],
)
def test_grids_hold_both_ends_in_si(text, numbers):
    found = read(text, PROJECT)
    assert found.is_grid and found.numbers == pytest.approx(numbers, abs=1e-15)


@pytest.mark.parametrize(
    ("text", "mean", "deviation", "low", "high"),
    [
        ("L2=200..400 mm", 0.3, 0.2 / math.sqrt(12), 0.2, 0.4),
        ("L2=normal(300, 2) mm", 0.3, 0.002, -math.inf, math.inf),
        # mean (a + m + b)/3, variance (a² + m² + b² - am - ab - mb)/18
        ("L2=triangular(1, 2, 6) mm", 3e-3, math.sqrt(21 / 18) * 1e-3, 1e-3, 6e-3),
        # a normal distribution cut at three deviations: variance 1 - 6 phi(3)/(2 Phi(3) - 1)
        ("L2=330 mm IT8", 0.33, 0.9866 * 89e-6 / 6, 0.33 - 44.5e-6, 0.33 + 44.5e-6),
        ("L2=IT11", 0.33, 0.9866 * 360e-6 / 6, 0.33 - 180e-6, 0.33 + 180e-6),
    ],
)
def test_distributions_have_their_mean_deviation_and_ends(text, mean, deviation, low, high):
    values = Design((read(text, PROJECT),), samples=4096, method="sobol").values()[:, 0]
    assert values.mean() == pytest.approx(mean, abs=0.01 * deviation)
    assert values.std() == pytest.approx(deviation, rel=0.01)
    assert low <= values.min() and values.max() <= high


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("L9=1..2", "varies no parameter of this project"),
        ("L2", "varies no parameter"),
        ("L2=300..200 mm", "the wrong way round"),
        ("L2=1..2 kg", "length expected"),
        ("L2=1..2 mm:0", "a grid has 1 to"),
        ("L2=1..2 mm:2000000", "a grid has 1 to"),
        ("L2=normal(1, -2) mm", "standard deviation is negative"),
        ("L2=normal(1) mm", "it is written normal(2, 0.1) kg"),
        ("L2=triangular(1, 9, 4) mm", "do not ascend"),
        ("L2=IT99", "IT5 to IT13"),
        ("L2=900 mm IT7", "up to 500 mm"),
        ("omega=6 rad/s IT7", "for lengths"),
        ("L2=hello", "is none of"),
        ("L2=", "is none of"),
        ("L2=1e400 mm", "L2"),
    ],
)
def test_invalid_variations_raise_with_the_reason(text, words):
    with pytest.raises(ValueError, match="(?i)" + words.replace("(", r"\(").replace(")", r"\)")):
        read(text, PROJECT)


@given(st.text(max_size=30))
def test_any_text_is_a_variation_or_a_sentence(text):
    try:
        found = read(f"L2={text}", PROJECT)
    except ValueError as error:
        assert str(error)
    else:
        assert all(map(math.isfinite, found.numbers))


def test_standard_tolerances_are_those_of_the_table():
    # ISO 286-1: 25 mm in IT7 has 21 µm, 100 mm in IT6 22 µm, 400 mm in IT11 360 µm
    found = [tolerance(s, g) for s, g in ((0.025, 7), (0.1, 6), (0.4, 11), (0.003, 5))]
    assert found == pytest.approx([21e-6, 22e-6, 360e-6, 4e-6])
    # i = 0.45 D^(1/3) + 0.001 D [µm], D between the ends of a range; the table rounds it
    ends = (3, 6, 10, 18, 30, 50, 80, 120, 180, 250, 315, 400, 500)
    for low, high, *row in zip(ends, ends[1:], *(GRADES[g][1:] for g in (6, 7, 8, 9, 11))):
        d = math.sqrt(low * high)
        unit = 0.45 * d ** (1 / 3) + 0.001 * d
        assert row == pytest.approx([n * unit for n in (10, 16, 25, 40, 100)], rel=0.1)


def test_the_grid_holds_every_draw_at_every_point():
    design = Design(
        (
            read("L2=300..320 mm:3", PROJECT),
            read("omega=normal(6, 1) rad/s", PROJECT),
            read("L3=250|260 mm", PROJECT),
        ),
        samples=5,
    )
    values = design.values()
    assert len(design) == len(values) == 30
    blocks = values.reshape(3, 2, 5, 3)
    assert np.ptp(blocks[..., 1], axis=(0, 1)).max() == 0.0
    assert blocks[:, 0, 0, 0] == pytest.approx([0.3, 0.31, 0.32])
    assert blocks[0, :, 0, 2] == pytest.approx([0.25, 0.26])


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_draws_the_same(method):
    drawn = lambda seed: Design(
        (read("L2=1..2 mm", PROJECT), read("L3=IT7", PROJECT)), 64, method, seed
    ).values()
    assert (drawn(3) == drawn(3)).all() and (drawn(3) != drawn(4)).any()


def test_a_latin_hypercube_has_one_sample_in_each_row():
    values = Design((read("L2=0..64 m", PROJECT), read("L3=0..64 m", PROJECT)), 64).values()
    for column in values.T:
        assert sorted(np.floor(column)) == list(range(64))


def test_rank_correlations_are_kept_and_each_distribution_too():
    from scipy.stats import spearmanr

    design = Design(
        (
            read("L2=200..400 mm", PROJECT),
            read("L3=normal(260, 5) mm", PROJECT),
            read("L4=330..350 mm", PROJECT),
        ),
        65536,
        correlations=(("L2", "L3", 0.7), ("L3", "L4", -0.5)),
    )
    values = design.values()
    ranks = spearmanr(values).statistic
    # the correlation of the normal variables below them would miss by 0.017
    assert ranks[0, 1] == pytest.approx(0.7, abs=0.008)
    assert ranks[1, 2] == pytest.approx(-0.5, abs=0.008)
    assert ranks[0, 2] == pytest.approx(0.0, abs=0.02)
    assert values[:, 0].std() == pytest.approx(0.2 / math.sqrt(12), rel=0.02)
    assert values[:, 1].std() == pytest.approx(0.005, rel=0.03)


def test_one_at_a_time_leaves_the_others_at_the_drawing():
    design = Design(
        (read("L2=300..320 mm:3", PROJECT), read("L3=250|270 mm", PROJECT)),
        one_at_a_time=True,
        centre=(0.33, 0.26),
    )
    assert len(design) == 5
    assert design.values() == pytest.approx(
        np.array([[0.3, 0.26], [0.31, 0.26], [0.32, 0.26], [0.33, 0.25], [0.33, 0.27]])
    )


L2, L3, GRID = (read(t, PROJECT) for t in ("L2=1..2 mm", "L3=1..2 mm", "L4=1..2 mm:3"))


@pytest.mark.parametrize(
    ("design", "words"),
    [
        (Design(()), "at least one parameter"),
        (Design((L2, L2)), "varied twice"),
        (Design((L2,), 0), "at least 1, not 0"),
        (Design((GRID,), 5), "nothing to draw 5 samples"),
        (Design((L2,), 4, "magic"), "no method magic"),
        (Design((L2,), 4, seed=-1), "A seed is 0 or a greater"),
        (
            Design((L2, L3), 4, correlations=(("L2", "L3", 0.5),), one_at_a_time=True),
            "one at a time have no correlations",
        ),
        (Design((L2,), 20_000_000), "20,000,000 runs"),
        (Design((L2, GRID), 4, correlations=(("L2", "L4", 0.5),)), "L4 has a correlation"),
        (Design((L2, L3), 4, correlations=(("L2", "L3", 1.5),)), "between -1 and 1"),
        (
            Design(
                (L2, L3, read("L1=1..2 mm", PROJECT)),
                4,
                correlations=(("L2", "L3", 0.9), ("L3", "L1", 0.9), ("L2", "L1", -0.9)),
            ),
            "all at once",
        ),
    ],
)
def test_a_design_that_makes_no_sense_is_reported(design, words):
    with pytest.raises(ValueError, match=words):
        design.check()


def test_sobol_indices_of_the_ishigami_function():
    """Ishigami and Homma 1990: a = 7, b = 0.1 have variances in closed form."""
    a, b = 7.0, 0.1
    x = sensitivity_points(
        [Variation(f"x{k}", "uniform", (-math.pi, math.pi)) for k in "123"], 8192, 1
    )
    y = np.sin(x[:, 0]) + a * np.sin(x[:, 1]) ** 2 + b * x[:, 2] ** 4 * np.sin(x[:, 0])
    rounded = 1.0 + np.random.default_rng(1).choice([0.0, 2e-16, 4e-16], len(y))
    first, total = sobol_indices(np.stack([y, 0 * y, rounded], axis=1), 3)
    v1 = 0.5 * (1 + b * math.pi**4 / 5) ** 2
    v2, v13 = a**2 / 8, b**2 * math.pi**8 * (1 / 18 - 1 / 50)
    v = v1 + v2 + v13
    assert first[0] == pytest.approx([v1 / v, v2 / v, 0.0], abs=0.015)
    assert total[0] == pytest.approx([(v1 + v13) / v, v2 / v, v13 / v], abs=0.015)
    # what does not change, or by rounding alone, has none
    assert np.isnan(first[1:]).all() and np.isnan(total[1:]).all()


def test_a_parameter_that_varies_alone_makes_all_of_the_variance():
    x = sensitivity_points([Variation("x", "uniform", (0.0, 1.0))], 256, 1)
    first, total = sobol_indices(np.exp(x), 1)
    assert first == pytest.approx(np.ones((1, 1)), abs=0.02)
    assert total == pytest.approx(np.ones((1, 1)), abs=0.02)
