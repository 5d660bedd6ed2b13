"""Generalised forces of loads as a graph of operations: the numbers of their closed form, and
Newton's balance where nobody writes it.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.symbolic import derive
from mechstudio.symbolic.methods.load_nodes import generalised_nodes
from mechstudio.symbolic.methods.projected import Projected
from mechstudio.symbolic.methods.recursive import numbers_of
from mechstudio.symbolic.methods.sampling import Values
from mechstudio.symbolic.ring.expression_graph import needed
from tests.symbolic.newton import accelerations, imbalance, random_state
from tests.symbolic.samples import SAMPLES, with_curves

CAPSTAN = SAMPLES[0].with_name("capstan_of_links.mech")
LOADED = [p for p in SAMPLES if p != CAPSTAN and ms.load(p).mechanism.forces]


def difference(d):
    """Largest difference of the loads' nodes from their polynomials, over the size of these."""
    q, v = np.random.default_rng(5).uniform(0.2, 0.7, (2, len(d.plan.coordinates)))
    values, method, worst = Values(d, q, v), Projected(d.setting, d.term_limit, d.report), 0.0
    for effort in d.setting.efforts:
        own = {k: values.of(p) for k, p in method.generalised(effort).items()}
        nodes = generalised_nodes(d, d.recursion.graph, effort)
        found = numbers_of(d, needed(nodes.values()), q, v)
        ours = {k: found[x.place] for k, x in nodes.items()}
        size = max(1.0, *map(abs, own.values()), *map(abs, ours.values()))
        for k in own.keys() | ours.keys():
            worst = max(worst, abs(own.get(k, 0.0) - ours.get(k, 0.0)) / size)
    return worst


@pytest.mark.parametrize("path", LOADED, ids=lambda p: p.stem)
@pytest.mark.thinned(3)
def test_loads_of_samples_have_the_same_numbers(path):
    assert difference(with_curves(derive(ms.load(path), coordinates="auto"))) < 1e-10


def test_a_fault_in_a_load_is_seen(monkeypatch):
    d = derive(ms.load(SAMPLES[0].with_name("cart_pole.mech")))
    whole = d.recursion.graph.of
    monkeypatch.setattr(d.recursion.graph, "of", lambda p: whole(p) + whole(p))
    assert difference(d) > 1e-2


def test_a_chain_whose_loads_nobody_writes_balances():
    """Seventeen links with a spring and a damper across all of them."""
    d = derive(ms.load(CAPSTAN), coordinates="auto")
    with pytest.raises(ms.DerivationError):
        method = Projected(d.setting, d.term_limit, d.report)
        with d.ring.bounded(d.term_limit):
            [method.generalised(e) for e in d.setting.efforts]
    namespace: dict = {}
    exec(d.export("python"), namespace)
    q, v = random_state(d, np.random.default_rng(1), 0.05)
    a = accelerations(
        namespace["equations"](q, v, 0.0, d.values), namespace["forces"](q, v, 0.0, d.values)
    )
    force, _, slip = imbalance(d.plan.mechanism, q, v, a)
    assert force < 1e-8 and slip < 1e-8
