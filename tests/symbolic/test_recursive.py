"""The recursive form against the closed one in numbers, its size, and the intermediates that a lecture writes."""

import numpy as np
import pytest

from mechstudio.project import file
from mechstudio.symbolic import derive
from mechstudio.symbolic.recursive import _Builder, recursive
from mechstudio.symbolic.random_point import numbers_at
from tests.benchmarks.derivations import MODELS, drawn
from tests.symbolic.samples import SAMPLES, with_curves
from tests.symbolic.test_lectures import number


def disagreement(d):
    n = len(d.plan.coordinates)
    rng = np.random.default_rng(3)
    q, v = rng.uniform(0.2, 0.9, n), rng.uniform(-1, 1, n)
    M, h = recursive(d).at(q, v)
    reference = numbers_at(d, q, v)
    numbers = lambda entries: np.array([float(x.value) for x in entries])
    errors = [np.abs(M - np.array([numbers(row) for row in reference.M])).max()]
    if not any(e.conservative for e in d.setting.efforts):
        errors.append(np.abs(h - numbers(reference.b) - numbers(reference.g)).max())
    return max(errors) / max(1.0, np.abs(h).max())


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_every_sample(path):
    assert disagreement(with_curves(derive(file.load(path).project, coordinates="auto"))) < 1e-12


@pytest.mark.parametrize("name", MODELS)
def test_models_of_the_benchmark(name):
    links, coordinates = MODELS[name]
    assert disagreement(derive(drawn(links), coordinates=coordinates)) < 1e-12


def test_a_dropped_coriolis_term_is_seen(monkeypatch):
    body_wrench = _Builder.body_wrench
    monkeypatch.setattr(_Builder, "body_wrench", lambda self, m, cursor, w, alpha, a: body_wrench(self, m, cursor, self.zero, alpha, a))
    assert disagreement(derive(file.load(next(p for p in SAMPLES if p.stem == "heavy_top")).project)) > 1e-3


def test_sizes():
    """The goals: an arm in 800 operations, 725 terms in M of ten links in absolute angles, 735 of the arm."""
    arm = derive(drawn(MODELS["arm"][0]))
    assert recursive(arm).operations <= 800
    assert sum(len(p) for row in arm.matrices["M"] for p in row) <= 735
    ten = derive(drawn(MODELS["pendulum_10"][0]), coordinates="link")
    assert sum(len(p) for row in ten.matrices["M"] for p in row) <= 725


@pytest.mark.parametrize("name", ["double_pendulum", "heavy_top", "bead_on_circle", "six_axis_arm"])
def test_the_chapter_s_intermediates_give_the_same_numbers(name):
    d = with_curves(derive(file.load(next(p for p in SAMPLES if p.stem == name)).project))
    lecture = d.lecture(["recursive"])
    n = len(d.plan.coordinates)
    rng = np.random.default_rng(8)
    q, v = rng.uniform(0.2, 0.9, n), rng.uniform(-1, 1, n)
    values = {k.name.name: k.value for k in lecture.equations.parameters}
    for u, x, y in zip(lecture.equations.coordinates, q, v):
        values |= {u.position.name: x, u.velocity.name: y}
    for f in lecture.equations.functions:
        values |= {name.name: x for name, x in zip(f.names, d.functions[f.names[0].name](number(f.argument, values)))}
    for step in lecture.chapter("recursive").steps:
        for e in step.equations:
            values[e.left.terms[0].factors[0].name] = number(e.right, values)
    M, h = recursive(d).at(q, v)
    assert [values.get(f"h_{k + 1}", 0.0) for k in range(n)] == pytest.approx(list(h), abs=1e-12)
    assert all(values.get(f"M_{i + 1}_{j + 1}", 0.0) == pytest.approx(M[i, j], abs=1e-12) for i in range(n) for j in range(i, n))
