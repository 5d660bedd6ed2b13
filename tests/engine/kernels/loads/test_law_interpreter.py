"""Laws in the kernel against the plain reading of model/laws/evaluation.py, at random; editing a
law compiles nothing and evaluating one allocates nothing.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numba.core.errors import TypingError

from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import OPTIONS, Tables
from mechstudio.engine.kernels.loads.law_interpreter import jet_of, law_jets, run_code
from mechstudio.engine.system.law_tables import Builder
from mechstudio.model.formulas.jets import BINARY, UNARY
from mechstudio.model.laws import evaluation
from mechstudio.model.laws.interpolation import TABLE_KINDS
from tests.model.laws.test_evaluation import law


def tables(*entries):
    builder = Builder()
    for entry in entries:
        builder.add(entry, lambda name: (k.V_CLOCK, 0, 0))
    return Tables.example()._replace(
        **dict(zip(("laws", "law_const", "code", "code_const"), builder.tables()))
    )


def kernel_jets(entry, s):
    out = np.empty((len(s), 3))
    law_jets(tables(entry), 0, np.asarray(s, float), out)
    return out


def same(kernel, plain):
    """Equal to rounding; where the plain reading has no finite value or slope, neither has the
    kernel.
    """
    for a, b in zip(kernel, plain):
        for column in range(3):
            if not math.isfinite(b[column]):
                assert not math.isfinite(a[column])
                break
            if abs(b[column]) < 1e100:
                assert a[column] == pytest.approx(b[column], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    "entry",
    [
        law("constant", value=3.0),
        law("ramp", start=1.0, end=2.0, begin=0.5, duration=2.0),
        law("sine", offset=1.0, amplitude=2.0, frequency=0.5, phase=0.1),
        law("rest_to_rest", start=1.0, end=-2.0, begin=0.5, duration=2.0),
        law("table", points=[(0, 1), (1, 3), (1.5, 2), (3, 0)]),
        law("table", points=[(0, 1)]),
        law("table"),
        *(
            law("table", between=kind, points=[(0, 1), (1, 3), (1.5, 2), (3, 0), (3.1, 0)])
            for kind in TABLE_KINDS
        ),
        law("cam", lift=0.1, begin=0.4),
        law("cam", lift=0.1, begin=6.0, rise=2.0, dwell=0.0, fall=4.0),
        *(
            law(type, slots=n, middle=0.3)
            for type in ("geneva", "inner_geneva")
            for n in (3.0, 4.0, -6.0, 1000.0)
        ),
        law("expression", "3.5"),
        law("expression", "t"),
        law("expression", "t-t"),
    ],
    ids=lambda e: f"{e.type}-{e.text}{len(e.points)}{e.between}",
)
def test_every_type_of_law(entry):
    s = np.concatenate((np.linspace(-20.0, 40.0, 301), evaluation.breakpoints(entry)))
    same(kernel_jets(entry, s), np.array([evaluation.jet(entry, x) for x in s]))


def test_many_pieces():
    rng = np.random.default_rng(7)
    entry = law("table", points=zip(np.cumsum(rng.uniform(0.1, 1.0, 300)), rng.normal(size=300)))
    s = rng.uniform(-1.0, 200.0, 2000)
    same(kernel_jets(entry, s), np.array([evaluation.jet(entry, x) for x in s]))


ATOMS = ("t", "t", "t", "k", "pi", "2", "0.5", "1", "0", "3.25", "-7.1", "10 mm/(1 m)")
SHAPES = (
    "({}+{})",
    "({}-{})",
    "{}*{}",
    "({})/({})",
    "(-({}))",
    "({})^2",
    "({})^3",
    "({})^-1",
    "({})^0.5",
    "({})^1",
    "({})^0",
    "(({})^({}))",
    *(f"{name}({{}})" for name in sorted(UNARY)),
    *(f"{name}({{}}, {{}})" for name in sorted(BINARY)),
)


@st.composite
def expressions(draw, depth=4):
    """The text of a formula of t and k."""
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from(ATOMS))
    shape = draw(st.sampled_from(SHAPES))
    return shape.format(*(draw(expressions(depth - 1)) for _ in range(shape.count("{}"))))


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(
    expressions(), st.lists(st.floats(-3.0, 5.0).map(lambda x: round(x, 3)), min_size=3, max_size=3)
)
def test_random_expressions(text, s):
    entry = law("expression", text, k=1.75)
    if len(text) < 400:
        here, there = kernel_jets(entry, s), np.array([evaluation.jet(entry, x) for x in s])
        # where a slope leaps within 1e-9, as of tan at a right angle, rounding decides and both
        # readings are right
        near = kernel_jets(entry, np.array(s) + 1e-9)
        with np.errstate(invalid="ignore"):  # infinite at both
            steady = ~(np.abs(near - here) > 1e-3 * (1 + np.abs(here))).any(axis=1)
        same(here[steady], there[steady])


def test_jets_are_derivatives():
    # central differences of the values alone: error h^2 f''' / 6
    entry = law("expression", "sin(2*t)*exp(-t/3)+hypot(t, 2)^1.5/(1+t^2)-atan2(t, 2)*log(4+t)")
    s, h = np.linspace(-3.0, 3.0, 40), 1e-4
    f = lambda x: kernel_jets(entry, x)[:, 0]
    out = kernel_jets(entry, s)
    assert out[:, 1] == pytest.approx((f(s + h) - f(s - h)) / (2 * h), abs=1e-6)
    assert out[:, 2] == pytest.approx((f(s + h) - 2 * f(s) + f(s - h)) / h**2, abs=1e-5)


def test_equal_parts_are_computed_once_and_constants_at_once():
    code = tables(law("expression", "sin(2*pi*t)^2+sin(2*pi*t)*k^2*sqrt(16)", k=3.0)).code
    # t, 2 pi, product, sine, 2, square, 9, product, 4, product, sum
    assert len(code) == 11


def test_editing_a_law_compiles_nothing():
    kernel_jets(law("expression", "t"), [0.0])
    before = len(law_jets.signatures)
    assert kernel_jets(law("expression", "2*t+5"), [1.0])[0, 0] == 7.0
    assert kernel_jets(law("expression", "cos(t)^3-tan(t)"), [0.0])[0, 0] == 1.0
    assert len(law_jets.signatures) == before


def test_evaluating_a_law_allocates_nothing():
    # what is compiled with the kernels' options cannot allocate: there is no memory to ask for, so
    # that compiling fails
    for kernel in (law_jets, run_code, jet_of):
        assert kernel.targetoptions["_nrt"] is False

    @njit(**{**OPTIONS, "cache": False})
    def allocates(n):
        return np.zeros(n)

    with pytest.raises(TypingError, match="empty"):
        allocates(3)
