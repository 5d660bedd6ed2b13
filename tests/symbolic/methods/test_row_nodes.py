"""Rows of C as a graph of operations: the numbers of their closed form where there is one, and
Newton's balance where nobody writes it.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.symbolic import derive
from mechstudio.symbolic.methods.recursive import numbers_of
from mechstudio.symbolic.methods.row_nodes import nodes_of, terms_of_row
from mechstudio.symbolic.methods.sampling import Values
from mechstudio.symbolic.plan import planning
from mechstudio.symbolic.ring import expression_graph
from mechstudio.symbolic.ring.expression_graph import needed
from tests.mechanisms import project
from tests.symbolic.closing import closed, is_unattached
from tests.symbolic.kinematics.test_closing_coordinates import spring
from tests.symbolic.newton import accelerations, imbalance, random_state
from tests.symbolic.samples import SAMPLES, with_curves
from tests.symbolic.test_size_guard import chain

LOOPS = [p for p in SAMPLES if p.stem != "capstan_of_links"]


def difference(d, seed=3):
    """Largest difference of a row's nodes from its polynomials, over the size of the numbers."""
    q, v = np.random.default_rng(seed).uniform(0.2, 0.7, (2, len(d.plan.coordinates)))
    values, worst = Values(d, q, v), 0.0
    for row, nodes in zip(d.rows, d.row_nodes, strict=True):
        assert (row.joint, row.label) == (nodes.joint, nodes.label)
        found = numbers_of(d, needed(nodes_of(nodes)), q, v)
        own = [values.of(p) for p in (row.value, row.gamma, *row.jacobian)]
        ours = [found[x.place] for x in nodes_of(nodes)]
        size = max(1.0, *map(abs, own))
        worst = max(worst, *(abs(a - b) / size for a, b in zip(own, ours, strict=True)))
    return worst


@pytest.mark.parametrize("path", LOOPS, ids=lambda p: p.stem)
@pytest.mark.thinned(4)
def test_rows_of_samples_have_the_same_numbers(path):
    d = with_curves(derive(ms.load(path), coordinates="auto"))
    assert not d.rows or difference(d) < 1e-9


@pytest.mark.parametrize(
    ("kind", "k"),
    [
        ("spherical", 0),
        ("universal", 0),
        ("screw", 0),
        ("distance", 3),
        ("constant_velocity", 1),
        ("rolling_disc", 2),
    ],
)
def test_rows_with_roots_and_finite_turns_have_the_same_numbers(kind, k, monkeypatch):
    monkeypatch.setattr(planning, "equation_tree", is_unattached)
    assert difference(derive(project(closed(kind, spring(kind, k))))) < 1e-9


def loop(count):
    return derive(chain("universal", count, "universal"), coordinates="auto")


@pytest.mark.parametrize("count", [2, 3, 5])
def test_loops_of_universal_joints_balance(count):
    """The code, its rows made of intermediates, against every body's balance."""
    d = loop(count)
    namespace: dict = {}
    source = d.export("python")
    exec(source, namespace)
    assert len(source) < 80_000 < 80 * sum(map(terms_of_row, d.rows))
    for seed in range(3):
        q, v = random_state(d, np.random.default_rng(seed), 0.3)
        a = accelerations(namespace["equations"](q, v), namespace["forces"](q, v))
        force, _, slip = imbalance(d.plan.mechanism, q, v, a)
        assert force < 1e-9 and slip < 1e-8


def test_a_fault_in_a_derivative_of_the_graph_is_seen(monkeypatch):
    whole = expression_graph.Graph._slope

    def faulty(self, node, direction, known):
        slope = whole(self, node, direction, known)
        return -slope if node.kind == expression_graph.COSINE else slope

    monkeypatch.setattr(expression_graph.Graph, "_slope", faulty)
    assert difference(loop(2)) > 1e-3


def test_the_rows_of_four_universal_joints_are_short():
    d = loop(4)
    assert sum(map(terms_of_row, d.rows)) > 40_000
    for format, most in (("python", 60_000), ("modelica", 80_000), ("latex", 130_000)):
        text = d.export(format)
        assert len(text) < most and max(map(len, text.splitlines())) < 1500
