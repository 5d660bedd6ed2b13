"""Code of equations whose closed form is too long to read: from the recursive form, against the
simulator and against Newton's balance of every body; and the same numbers where both forms are
there.
"""

import json

import numpy as np
import pytest
import sympy as sp

from mechstudio.files import project_file
from mechstudio.model.project import Project
from mechstudio.symbolic import derive
from mechstudio.symbolic.exports import c_code
from mechstudio.symbolic.exports.simulation.motion import motion_of
from mechstudio.symbolic.methods.intermediates import by_parts, is_long
from mechstudio.symbolic.printers import python, text
from tests import mechanisms
from tests.benchmarks.derivations import MODELS, drawn
from tests.symbolic.exports.test_exports import (
    Library,
    check_model,
    engine_difference,
    needs_compiler,
    run_notebook,
)
from tests.symbolic.newton import accelerations, imbalance, random_state
from tests.symbolic.samples import SAMPLES, with_curves
from tests.symbolic.test_agrees_with_engine import COMPARED
from tests.symbolic.test_size_guard import chain

LONG = {
    "4R": lambda: chain("revolute", 4),
    "6R": lambda: chain("revolute", 6),
    "universal": lambda: chain("universal", 5),
    "skew 8": lambda: Project(mechanisms.chain(8)),
    "planar 8": lambda: drawn(MODELS["pendulum_10"][0][:8]),
    "spherical": lambda: chain("spherical", 3),
    "stewart": lambda: mechanisms.project(mechanisms.stewart()),
}
BY_NEWTON = ("spherical", "stewart", "planar 8")  # balls by other columns, rods without thickness


@pytest.fixture(scope="module")
def long():
    """Derivations by name, each made when first requested."""
    made = {}
    return lambda name: made.setdefault(name, derive(LONG[name]()))


def functions(d):
    namespace = {}
    exec(d.export("python"), namespace)
    return namespace["equations"], namespace["forces"]


@pytest.mark.thinned(3)
@needs_compiler
@pytest.mark.parametrize("name", LONG)
def test_python_and_c_are_the_simulator_s(name, long, tmp_path):
    d = long(name)
    assert not d.complete
    library = Library(d.export("c"), tmp_path, len(d.plan.coordinates), len(d.rows))
    for equations, forces in (functions(d), (library.equations, library.forces)):
        for seed in range(3):
            if name not in BY_NEWTON:
                assert engine_difference(d, equations, forces, seed, 0.3) < 1e-10
                continue
            q, v = random_state(d, np.random.default_rng(seed), 0.02 if d.rows else 0.3)
            a = accelerations(equations(q, v), forces(q, v))
            force, gap, slip = imbalance(d.plan.mechanism, q, v, a)
            assert max(force, gap) < 1e-10 and slip < 1e-9


def test_a_fault_in_an_intermediate_is_seen(long):
    d = long("4R")
    namespace = {}
    text = d.export("python")
    assert "    z_9 = " in text
    exec(text.replace("    z_9 = ", "    z_9 = 1e-6 + ", 1), namespace)
    assert engine_difference(d, namespace["equations"], namespace["forces"], 0, 0.3) > 1e-10


@pytest.mark.parametrize("path", COMPARED, ids=lambda p: p.stem)
@pytest.mark.thinned(3)
def test_both_forms_have_the_same_numbers(path):
    """Springs, dampers, couplings and drives of the samples stand beside the intermediates."""
    d = with_curves(derive(project_file.load(path).project, coordinates="auto"))
    assert d.complete
    namespace = {}
    e = by_parts(d)
    exec(python.source(e), namespace)
    namespace.get("FUNCTIONS", {}).update(d.functions)
    shown = {}
    exec(python.source(d.equations), shown)
    shown.get("FUNCTIONS", {}).update(d.functions)
    q, v = np.random.default_rng(4).uniform(0.2, 0.9, (2, len(d.plan.coordinates)))
    for key in ("equations", "forces"):
        one, two = (code[key](q, v, 0.0, d.values) for code in (namespace, shown))
        for a, b in zip(*((x,) if key == "forces" else x for x in (one, two)), strict=True):
            assert np.abs(a - b).max(initial=0.0) <= 1e-10 * max(1.0, np.abs(b).max(initial=0.0))


def test_the_shorter_form_is_computed():
    arm, four_bar = (
        derive(project_file.load(next(p for p in SAMPLES if p.stem == name)).project)
        for name in ("six_axis_arm", "double_pendulum")
    )
    assert arm.complete and is_long(arm) and len(arm.export("python")) < 30_000
    assert not is_long(four_bar) and "z_1" not in four_bar.export("python")
    assert len(python.source(arm.equations)) > 3 * len(arm.export("python"))


def test_text_of_what_is_long_shows_the_intermediates_first():
    """The closed form of the arm has lines of sixty thousand letters."""
    arm = derive(project_file.load(next(p for p in SAMPLES if p.stem == "six_axis_arm")).project)
    for format, first, then in (("text", "z_1 =", "M[1,1] ="), ("latex", "z_{1} =", r"M_{1\,1} =")):
        shown = arm.export(format)
        assert shown.index(first) < shown.index(then) and "more than 300 terms" in shown
    assert 5 * len(arm.text()) < len(text.printed(arm.equations))


def test_the_sympy_script_has_the_intermediates(long):
    """Numbers by lambdify as the script says, and one entry put together."""
    d = long("4R")
    s = {}
    exec(d.export("sympy"), s)
    q, v = np.random.default_rng(2).uniform(0.2, 0.9, (2, 4))
    numbers = sp.lambdify(
        (s["q"], s["v"], s["parameters"]),
        [s["M"], s["b"], s["g_q"]],
        cse=lambda entries: (s["intermediates"], entries),
    )(q, v, list(s["values"].values()))
    for found, expected in zip(numbers, d.function()(q, v)[:3]):
        assert np.abs(np.squeeze(found) - expected).max() < 1e-12
    last = s["M"][3, 3]
    for symbol, expression in reversed(s["intermediates"]):
        last = last.subs(symbol, expression)
    at = dict(zip(s["q"], q)) | s["values"]
    assert float(last.subs(at)) == pytest.approx(d.function()(q, v)[0][3, 3], rel=1e-12)


@pytest.mark.parametrize("name", ["4R", "universal", "planar 8"])
def test_modelica_is_a_model_of_the_motion(name, long):
    assert "Real z_1;" in long(name).export("modelica")
    check_model(long(name))


def test_the_notebook_runs_as_the_simulator(long, monkeypatch):
    d = long("4R")
    book, namespace, _ = run_notebook(d.export("notebook"), monkeypatch, 0.5)
    expected = motion_of(d).course(0.5, 400)
    assert np.abs(namespace["run"].y[:4].T - expected).max() < 1e-6
    assert "Intermediates" in json.dumps(book)


@needs_compiler
def test_names_of_the_drawing_like_intermediates(tmp_path):
    """A parameter z_1 of the user keeps its name, and the intermediate has another."""
    d = derive(chain("revolute", 4))
    d.names.taken.add("z_1")
    names = [x.name.name for x in d.code.intermediates]
    assert "z_1" not in names and len(set(names)) == len(names)
    Library(c_code.printed(d.code, "z_1 */", {}), tmp_path, 4, 0)
