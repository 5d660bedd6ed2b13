"""Sums with numbers in place of parameters, as their text: every kind of factor, alone and in each
other, against what is reckoned by hand.
"""

import math

import pytest

from mechstudio.model.equations.lecture import Equality, Step
from mechstudio.model.equations.terms import (
    Block,
    Definition,
    Entry,
    Equations,
    Group,
    Known,
    Name,
    Term,
    Trig,
)
from mechstudio.symbolic.printers.numbered import numbered, numbered_step, numbered_sum, written
from mechstudio.symbolic.printers.text import total

VALUES = {"m": 2.0, "l": 0.5, "k": 3.0, "e": 3.0, "tiny": 1e-15, "none": 0.0, "a": math.pi / 6}


def n(name, power=1):
    return Name(name, name, power=power)


def t(number, *factors, over=1, of=()):
    return Term(number, over, factors, of)


q, r, m, l, k, e, a = (n(name) for name in "qrmlkea")
sin, cos = (lambda *terms, f=f, power=1: Trig(f, terms, power) for f in ("sin", "cos"))
group = lambda *terms, power=1: Group(terms, power)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.023476, "0.02348"),
        (123456.0, "1.235·10⁵"),
        (0.000042, "4.2·10⁻⁵"),
        (1.0, "1"),
        (3e-12, "3·10⁻¹²"),
        (9999.0, "9999"),
        (0.00012346, "0.0001235"),
    ],
)
def test_a_number_has_four_digits(number, text):
    assert written(number) == text


@pytest.mark.parametrize(
    ("terms", "text"),
    [
        # symbols: m = 2, l = 0.5, k = e = 3
        ((t(3, m, q),), "6 q"),
        ((t(1, m, q, over=4),), "0.5 q"),
        ((t(-3, m, n("l", 2), q),), "−1.5 q"),
        ((t(1, m, n("l", -2)),), "8"),
        ((t(1, m, l, q), t(-1, m, l, r)), "q − r"),
        ((t(1, m, l),), "1"),
        ((t(-1, m, l),), "−1"),
        ((t(1, m, q), t(5, q), t(1, r)), "7 q + r"),
        ((t(1, q, r), t(1, k, q)), "q r + 3 q"),
        ((t(1, n("q", 2)), t(1, q)), "q² + q"),
        # what cancels, and what is too small beside the rest
        ((t(1, k, q), t(-1, e, q)), "0"),
        ((t(1, k, q), t(-1, e, q), t(1, r)), "r"),
        ((t(1, n("tiny"), q), t(1, r)), "r"),
        ((t(1, n("tiny"), q),), "1·10⁻¹⁵ q"),
        ((t(1, n("none"), q),), "0"),
        # sines and cosines: a = 30 deg
        ((t(1, sin(t(1, a)), q),), "0.5 q"),
        ((t(1, cos(t(1, a), power=2), q),), "0.75 q"),
        ((t(1, sin(t(2, a), t(1, a)), q),), "q"),
        ((t(1, cos(t(3, a), t(3, a)), q),), "−q"),
        ((t(1, m, sin(t(1, q))),), "2 sin q"),
        ((t(1, m, cos(t(1, q), t(1, k, r), power=2)),), "2 cos²(q + 3 r)"),
        ((t(1, m, cos(t(1, k, q), t(-1, e, q))),), "2"),
        ((t(1, m, sin(t(1, k, q), t(-1, e, q))),), "0"),
        # brackets
        ((t(1, group(t(1, m), t(1, k)), q),), "5 q"),
        ((t(1, group(t(1, m), t(-2, k), power=-1), q),), "−0.25 q"),
        ((t(1, group(t(1, m), t(1, k), power=2), q),), "25 q"),
        ((t(1, group(t(1, m), t(1, q))),), "(2 + q)"),
        ((t(1, m, group(t(1, m), t(1, q), power=-1)),), "2 (2 + q)⁻¹"),
        ((t(1, k, group(t(1, m, q))),), "6 q"),
        ((t(1, k, group(t(-1, m, q))),), "−6 q"),
        ((t(1, k, group(t(-1, q, r))),), "−3 q r"),
        ((t(1, k, group(t(-1, m, l, q))),), "−3 q"),
        ((t(1, k, group(t(-1, sin(t(1, q)), r))),), "−3 sin q r"),
        ((t(1, k, group(t(1, m, q), power=-1)),), "3 (2 q)⁻¹"),
        ((t(1, k, group(t(1, k, q), t(-1, e, q))),), "0"),
        ((t(1, k, group(t(1, k, q), t(-1, e, q)), q), t(1, r)), "r"),
        ((t(1, group(t(1, group(t(1, m), t(1, l)), q), t(1, r))),), "(2.5 q + r)"),
        ((t(1, group(t(1, group(t(1, m), t(1, l), power=2)), t(1, sin(t(3, a)))), q),), "7.25 q"),
        ((t(1, group(t(1, cos(t(6, a), power=3), m), t(1, m, over=4)), q),), "−1.5 q"),
        ((t(1, group(t(1, sin(t(1, group(t(1, a), t(2, a))))), t(1, m)), q),), "3 q"),
        # rounded once: 49 times 1/7, not times 0.1429
        ((t(49, group(t(1, q, over=7))),), "7 q"),
    ],
)
def test_parameters_are_replaced_in_every_kind_of_factor(terms, text):
    assert total(numbered_sum(terms, VALUES)) == text


def test_a_sum_of_like_terms_comes_of_all_that_they_came_of():
    (found,) = numbered_sum([t(1, m, q, of=("A", "B")), t(1, k, q, of=("B", "C"))], VALUES)
    assert found.sources == ("A", "B", "C")


def test_numbers_reach_all_parts_of_equations_and_of_a_step():
    entry = Entry((t(1, m, q),))
    block = Block("M", "M(q)", ((entry, Entry()), (entry, entry)))
    equations = Equations(
        "lagrange",
        "open",
        (),
        (block,),
        definitions=(Definition(n("s"), entry),),
        intermediates=(Definition(n("u"), entry),),
        parameters=(Known(m, 4.0, "mass", "its mass"),),
    )
    for values, text in ((None, "4 q"), (VALUES, "2 q")):
        found = numbered(equations, values)
        ((first, empty), second) = found.blocks[0].rows
        assert empty.is_zero and {total(x.terms) for x in (first, *second)} == {text}
        (d,), (i,) = found.definitions, found.intermediates
        assert (d.name, total(d.entry.terms)) == (n("s"), text)
        assert (i.name, total(i.entry.terms)) == (n("u"), text)
    equation = Equality(entry, Entry((t(1, k, r),)), "row", ("A",))
    found = numbered_step(Step("s", "rows", "Rows", equations=(equation,), blocks=(block,)), VALUES)
    (made,) = found.equations
    assert (total(made.left.terms), total(made.right.terms)) == ("2 q", "3 r")
    assert (made.label, made.sources) == ("row", ("A",))
    assert total(found.blocks[0].rows[0][0].terms) == "2 q"
