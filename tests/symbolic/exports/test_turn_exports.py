"""Exported code of mechanisms with finite turns in space: bushings and springs on balls that close
loops; C, Python and the ring's own numbers.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.symbolic.plan import planning
from tests.engine.joints.test_geneva_drives import drive as geneva_drive
from tests.mechanisms import project
from tests.symbolic.closing import closed, is_unattached
from tests.symbolic.exports.test_exports import Library, needs_compiler
from tests.symbolic.kinematics.test_bushings import in_space
from tests.symbolic.kinematics.test_closing_coordinates import spring


def own_numbers(d, q, v):
    from mechstudio.symbolic.methods.sampling import Values

    values = Values(d, q, v)
    return {key: values.matrix(m) for key, m in d.matrices.items()}


@needs_compiler
@pytest.mark.parametrize(
    ("kind", "k"),
    [
        ("bushing", 0),
        ("spherical", 0),
        ("universal", 0),
        ("screw", 0),
        ("distance", 3),
        ("constant_velocity", 1),
        ("rolling_disc", 2),
    ],
)
@pytest.mark.thinned(3)
def test_code_has_the_ring_s_numbers(kind, k, tmp_path, monkeypatch):
    monkeypatch.setattr(planning, "equation_tree", is_unattached)
    d = ms.derive(project(in_space(False) if kind == "bushing" else closed(kind, spring(kind, k))))
    n, m = len(d.equations.coordinates), len(d.equations.multipliers)
    library = Library(d.export("c"), tmp_path, n, m)
    namespace = {}
    exec(d.export("python"), namespace)
    rng = np.random.default_rng(2)
    for _ in range(3):
        q, v = rng.uniform(-0.7, 0.7, (2, n))
        own = own_numbers(d, q, v)
        expected = [
            own["M"],
            own["b"][:, 0],
            own["g"][:, 0],
            *(
                (own["C"][:, 0], own["C_q"], own["gamma"][:, 0])
                if m
                else (np.zeros(0), np.zeros((0, n)), np.zeros(0))
            ),
        ]
        for code in (library.equations, namespace["equations"], d.function()):
            for found, requested in zip(code(q, v), expected, strict=True):
                # the function of turns is laid out in polynomial pieces where files hold it
                assert np.allclose(
                    found, requested, atol=1e-9 * max(1.0, np.abs(requested).max(initial=0.0))
                )
        assert np.allclose(library.forces(q, v), own["tau"][:, 0], atol=1e-9) and np.allclose(
            d.forces_function()(q, v), own["tau"][:, 0]
        )
    for format in ("latex", "mathml", "text", "typst", "sympy", "modelica"):
        assert "F" in d.export(format)


@needs_compiler
def test_code_of_a_geneva_drive_goes_on_with_every_turn(tmp_path):
    """The wheel goes on by a slot with every turn of the crank, forwards and backwards."""
    d = ms.derive(geneva_drive(5, rate=1.0))
    library = Library(d.export("c"), tmp_path, 2, 1)
    namespace = {}
    exec(d.export("python"), namespace)
    for turns in (-40, -1, 0, 3, 200):
        q, v = np.array([0.2 + 2.0 * np.pi * turns, 0.1]), np.array([0.7, -0.4])
        own = own_numbers(d, q, v)
        for code in (library.equations, namespace["equations"]):
            *_, C, C_q, gamma = code(q, v)
            assert np.allclose(C, own["C"][:, 0], rtol=0.0, atol=1e-11)
            assert np.allclose(C_q, own["C_q"], rtol=0.0, atol=1e-10)
            assert np.allclose(gamma, own["gamma"][:, 0], rtol=0.0, atol=1e-7)
