"""Equations that somebody wrote down, compared with the derived ones; and equations with numbers in
place of parameters.
"""

import numpy as np
import pytest

from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load
from mechstudio.model.equations.lecture import DIFFERENT, EXACT, UNPROVEN
from mechstudio.model.equations.term_words import holds, plain, words
from mechstudio.symbolic import derive
from mechstudio.symbolic.printers import text
from mechstudio.symbolic.printers.numbered import numbered, written
from mechstudio.symbolic.printers.typst import typst_equations, typst_numbers
from mechstudio.symbolic.proofs.claims import check

FIRST = "(m_c + m_p) x'' + m_p L theta'' cos theta - m_p L theta'^2 sin theta + k_x (x - x_0) = F"
SECOND = (
    "m_p L x'' cos theta + (I_p + m_p L^2) theta'' + m_p g L sin theta + k_theta (theta - "
    "theta_0) = 0"
)


@pytest.fixture(scope="module")
def cart_pole():
    return derive(load(sample_folder() / "cart_pole.mech").project)


@pytest.mark.parametrize(
    ("written_down", "row"),
    [
        (FIRST, 1),
        (SECOND, 2),
        (SECOND.replace(" = 0", ""), 2),
        ("0 = " + SECOND.replace(" = 0", ""), 2),
        ("m_p·L·ẍ·cosθ + (I_p+m_p L²) θ̈ + m_p g L sin θ + k_θ(θ − θ_0) = 0", 2),
        (
            (
                "m_p*L*xddot*cos(theta) + (I_p + m_p*L^2)*thetaddot = -m_p*g*L*sin(theta) - "
                "k_theta*(theta - theta_0)"
            ),
            2,
        ),
        (
            (
                "-F + k_x x - k_x x_0 + 2 m_c x''/2 + m_p x'' = m_p L (theta'^2 sin theta - "
                "theta'' cos theta)"
            ),
            1,
        ),
    ],
)
def test_correct_claims_are_exact(cart_pole, written_down, row):
    found = check(cart_pole, "0", written_down)
    assert found.how == EXACT and f"equation {row}" in found.detail and not found.difference


@pytest.mark.parametrize(
    ("written_down", "rest"),
    [
        (SECOND.replace("+ m_p g L", "- m_p g L"), "−2 m_p g L sin θ"),
        (FIRST.replace("m_p L theta'^2", "2 m_p L theta'^2"), "−m_p L θ̇² sin θ"),
        (SECOND.replace("I_p + ", ""), "−I_p θ̈"),
        (FIRST.replace("= F", "= F + F"), "−F"),
    ],
)
def test_an_error_is_located_to_the_term(cart_pole, written_down, rest):
    found = check(cart_pole, "0", written_down)
    assert found.how == DIFFERENT
    ((entry,),) = found.difference[0].rows
    assert text.entry(entry) == rest


def test_angles_that_the_equations_do_not_have_are_made_of_those_that_they_have(cart_pole):
    """sin 2 theta is 2 sin theta cos theta, to the term."""
    twice = check(
        cart_pole,
        "0",
        SECOND.replace("= 0", "") + " + m_p sin(2 theta) = 2 m_p sin theta cos theta",
    )
    assert twice.how == EXACT
    wrong = check(
        cart_pole, "0", SECOND.replace("= 0", "") + " + m_p cos(3 theta) = 4 m_p cos^3 theta"
    )
    assert wrong.how == DIFFERENT


@pytest.mark.parametrize(
    ("written_down", "word"),
    [
        ("m_p x + (", "breaks off"),
        ("foo = 1", "Nothing is called foo"),
        ("x'' x'' = 0", "multiplied with each other"),
        ("sin(2 x) = 0", "angle"),
        ("x^2.5 = 0", "power"),
        ("1/m_p = 0", "below a line"),
        ("x = 1 = 2", "After what can be read"),
        ("(x = 1", "bracket"),
        ("", "breaks off"),
        ("(" * 3000 + "x" + ")" * 3000, "Too many brackets"),
        ("-" * 5000 + "x", "Too many brackets or signs"),
        ("sin^99999 theta = 0", "power"),
    ],
)
def test_an_unreadable_claim_is_reported_in_words(cart_pole, written_down, word):
    found = check(cart_pole, "0", written_down)
    assert found.how == UNPROVEN and word in found.detail


@pytest.mark.parametrize(
    ("factor", "row"),
    [("2", 1), ("-3", 1), ("m_c", 1), ("m_c L^2/7", 1), ("0", 0), ("cos theta", 0), ("x", 0)],
)
def test_a_multiple_by_parameters_is_the_same_equation(cart_pole, factor, row):
    left, right = FIRST.split("=")
    found = check(cart_pole, "0", f"{factor} ({left}) = {factor} ({right})")
    assert (found.how, found.row) == (EXACT if row else DIFFERENT, row)


@pytest.mark.parametrize(
    "written_down",
    ["m_c ({left}) = m_p ({right})", "2 ({left}) = {right}", "1.000000001 ({left}) = {right}"],
)
def test_claim_scaled_on_one_side_is_different(cart_pole, written_down):
    left, right = FIRST.split("=")
    found = check(cart_pole, "0", written_down.format(left=left, right=right))
    assert found.how == DIFFERENT and not found.row


def test_common_factor_of_a_claim_may_be_cancelled():
    d = derive(load(sample_folder() / "elastic_pendulum.mech").project)
    found = check(d, "0", "theta'' = 0")
    assert (found.how, found.row) == (EXACT, 3) and "J times" in found.detail


def test_multipliers_can_be_written_too():
    d = derive(load(sample_folder() / "four_bar.mech").project, coordinates="auto")
    assert (
        check(
            d,
            "0",
            (
                "(m_rocker c_rocker^2 + J_rocker) theta_rocker'' + m_rocker g c_rocker cos "
                "theta_rocker = -L3 lambda_1 sin theta_rocker + L3 lambda_3 cos theta_rocker"
            ),
        ).how
        == EXACT
    )


# numbers in place of parameters


@pytest.mark.parametrize("name", ["cart_pole", "four_bar", "heavy_top", "slider_crank"])
def test_equations_with_numbers_have_the_same_values(name):
    d = derive(load(sample_folder() / f"{name}.mech").project, coordinates="auto")
    e = d.terms()
    inside = numbered(e)
    rng = np.random.default_rng(3)
    at = {
        n.name: float(rng.uniform(0.2, 1.0))
        for u in e.coordinates
        for n in (u.position, u.velocity, u.acceleration)
    }
    known = {k.name.name: k.value for k in e.known}
    at |= {x.name.name: 0.7 for x in e.definitions}

    def value(terms, values):
        total = 0.0
        for t in terms:
            product = t.numerator / t.denominator
            for f in t.factors:
                if hasattr(f, "function"):
                    product *= getattr(np, f.function)(value(f.argument, values)) ** f.power
                elif hasattr(f, "terms"):
                    product *= value(f.terms, values) ** f.power
                else:
                    product *= (values[f.name] if f.name in values else float(f.letter)) ** f.power
            total += product
        return total

    for key in ("M", "b", "g"):
        for row, other in zip(e.block(key).rows, inside.block(key).rows):
            for a, b in zip(row, other):
                assert value(b.terms, at) == pytest.approx(
                    value(a.terms, at | known), rel=2e-3, abs=2e-3
                )
    left = {
        n
        for block in inside.blocks
        for row in block.rows
        for entry in row
        for t in entry.terms
        for n in words(t).split()
    }
    assert not left & set(known)


def test_small_numbers_are_written_as_in_print():
    assert [written(x) for x in (0.5, 12345.6, 4.2e-5)] == ["0.5", "1.235·10⁴", "4.2·10⁻⁵"]


# places for numbers, and words to be found


@pytest.mark.parametrize(
    "key", ["state", "M", "C_q", "lambda", "B:theta_crank", "embedded:theta_crank"]
)
def test_every_number_of_an_instant_has_its_place(key):
    e = derive(load(sample_folder() / "four_bar.mech").project, coordinates="auto").terms()
    made = typst_numbers.markup(e, key, {"text": "#000000", "mute": "#777777"})
    places = {s[0] for s in made.links if s and s[0].startswith("value:=")}
    requested = {
        "state": "value:=thetaddot_crank",
        "M": "value:=M.0.1",
        "C_q": "value:=C_q.0.2",
        "lambda": "value:=lambda_5",
        "B": "value:=B.2.0",
        "embedded": "value:=Q_i.0.0",
    }
    assert requested[key.partition(":")[0]] in places


def test_numbers_have_room_under_each_unknown():
    e = derive(load(sample_folder() / "cart_pole.mech").project).terms()
    colors = {"text": "#000000", "mute": "#777777"}
    links = {s[0] for s in typst_equations.markup(e, "rows", colors, with_numbers=True).links if s}
    assert {"value:x", "value:theta", "value:thetadot", "value:thetaddot", "value:xddot"} <= links
    assert not any(
        s.startswith("value:")
        for s in (s[0] for s in typst_equations.markup(e, "rows", colors).links if s)
    )


def test_symbols_are_found_as_they_are_typed():
    assert plain("θ_crank") == plain("theta crank") == "thetacrank"
    assert (
        holds("m_c g sin theta_A", plain("θ_A"))
        and holds("m_c g", plain("m_c"))
        and not holds("m_c g", plain("theta"))
    )
