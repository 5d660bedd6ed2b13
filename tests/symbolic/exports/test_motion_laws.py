"""Laws of forces that read the motion, and rates of targets that follow laws, in FMUs, notebooks
and Modelica: against the simulator, and operation by operation against the law itself.
"""

import itertools
import json
import math
import re
import shutil
import subprocess

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.kernels.loads import law_interpreter
from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import Force, Law
from mechstudio.model.quantity import Quantity, vector
from mechstudio.symbolic.exports import motion_laws
from mechstudio.symbolic.exports.fmu import fmu
from mechstudio.symbolic.exports.motion_laws import C, Input, time_law, written
from mechstudio.symbolic.exports.registry import Source
from mechstudio.symbolic.exports.simulation.motion import motion_of
from tests.symbolic.exports.test_exports import derived, run_notebook, sample
from tests.symbolic.modelica_run import Model

compiled = pytest.mark.skipif(not fmu.compiler(), reason="no C compiler here: apt install gcc")


def cart(start=None):
    """A pendulum on a cart; further joints and forces are the caller's."""
    m = ms.Builder("Cart", gravity=(0, -9.81, 0))
    base = m.body("base", (0, 0, 0), mass=1.0, inertia=(0.01,) * 3)
    bob = m.body("bob", (0.3, 0.1, 0), mass=1.0, inertia=(0.01,) * 3)
    rail = m.slider("rail", m.ground, base, at=(0, 0, 0), axis=(1, 0, 0))
    pin = m.pin("pin", base, bob, at=(0, 0, 0), axis=(0, 0, 1))
    m.run(duration="1 s", start=start)
    return m, base, bob, rail, pin


def of_joints():
    """A force by its own coordinate, by another one and the time; a servo whose target moves."""
    m, _, _, rail, pin = cart()
    m.force(
        "motor_force",
        "push",
        joint=rail,
        force="-6 N*sin(x/(1 m)) + 2 N*cos(q_pin)^2 - 0.5 N*v_pin/(1 rad/s) + 1 N*sin(3 rad/s*t)",
    )
    m.force(
        "servo_torque",
        "hold",
        joint=pin,
        stiffness="5 N*m/rad",
        damping="0.3 N*m*s/rad",
        target="0.3 rad*sin(2 rad/s*t) + 0.2*atan(q_rail/(1 m)) - 0.1 rad*sqrt((x/(1 rad))^2+1)",
    )
    return m.project()


def of_rates():
    """A servo whose target follows the time alone: its rate does as well."""
    m, _, _, _, pin = cart()
    m.force(
        "servo_torque",
        "hold",
        joint=pin,
        stiffness="50 N*m/rad",
        damping="3 N*m*s/rad",
        target=ms.sine("0.4 rad", "1.5 Hz"),
    )
    return m.project()


def of_points():
    """A spring between two points by its length and rate, a force and a torque by a place."""
    m, _, bob, *_ = cart()
    m.force(
        "spring",
        "spring",
        a=m.ground,
        b=bob,
        at=((0.5, 0.6, 0), (0.3, 0.1, 0)),
        stiffness="20 N/m*(1 + (x/(1 m))^2) + 0.5 N/m*v/(1 m/s)",
        free_length="0.2 m",
    )
    wind = ("3 N*y/(1 m) - 0.2 N*vx/(1 m/s)", "1 N*sin(x/(0.1 m))", 0)
    m.force("force", "wind", body=bob, at=(0.2, 0.0, 0.0), vector=wind)
    return m.project()


def of_slides():
    """A spring along a slide whose free length follows the time, and one that reads itself."""
    m, base, _, _, _ = cart()
    m.force(
        "spring",
        "spring",
        a=m.ground,
        b=base,
        at=((-1.0, 0, 0), (0, 0, 0)),
        stiffness="30 N/m",
        free_length="0.8 m + 0.1 m*sin(4 rad/s*t)",
    )
    m.force(
        "spring",
        "second",
        a=m.ground,
        b=base,
        at=((2.0, 0, 0), (0, 0, 0)),
        stiffness="10 N/m",
        free_length="1 m + 0.2*x",
    )
    return m.project()


def of_loops():
    """A four-bar whose motor reads the pin that closes it, which no coordinate holds."""
    m = ms.Builder("Four bar", gravity=(0, -9.81, 0))
    at = [(0, 0, 0), (0.1, 0.3, 0), (0.6, 0.5, 0), (0.5, 0, 0)]
    bodies = [
        m.body(f"bar {k}", tuple(np.mean([p, q], axis=0)), mass=1.0, inertia=(0.01,) * 3)
        for k, (p, q) in enumerate(itertools.pairwise(at))
    ]
    ends = [m.ground, *bodies, m.ground]
    pins = [
        m.pin(f"P{k}", a, b, at=p, axis=(0, 0, 1))
        for k, (a, b, p) in enumerate(zip(ends, ends[1:], at))
    ]
    m.force(
        "motor_torque",
        "motor",
        joint=pins[0],
        torque="2 N*m*cos(q_P3) - 0.3 N*m*v_P3/(1 rad/s) + 0.5 N*m*q_P2/(1 rad)",
    )
    m.run(duration="1 s")
    return m.project()


def of_spatial_loops():
    """A spatial four-bar whose motor reads the angles of the ball that closes it, and rates."""
    project = ms.load(sample("spatial_four_bar"))
    law = Law(
        "expression",
        text="0.01 N*m*(cos(q_C_theta) + q_C_psi/(1 rad) - sin(q_C_phi)) "
        "- 0.002 N*m*(v_C_psi + v_C_theta + v_C_phi)/(1 rad/s)",
    )
    none = {"torque": Quantity(0.0)}
    motor = Force("f", "motor", "motor_torque", none, joint="A", laws={"torque": law})
    mechanism = msgspec.structs.replace(
        project.mechanism, forces={"f": motor}, drives={}, gravity=vector(0, 0, 0)
    )
    settings = msgspec.structs.replace(project.settings, duration=Quantity(1.0))
    return msgspec.structs.replace(project, mechanism=mechanism, settings=settings)


def of_later_starts():
    """The time of laws counts from the drawing's start."""
    m, _, _, rail, _ = cart(start="2 s")
    m.force("motor_force", "push", joint=rail, force="3 N*sin(5 rad/s*t) - 4 N*x/(1 m)")
    return m.project()


DRAWINGS = {
    f.__name__: f
    for f in (
        of_joints,
        of_rates,
        of_points,
        of_slides,
        of_loops,
        of_spatial_loops,
        of_later_starts,
    )
}


def of_modelica(d, count=10):
    found = Model(d.export("modelica")).run(1.0, count)
    return np.array([found[u.position.name] for u in d.equations.coordinates]).T


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", DRAWINGS)
def test_modelica_moves_as_the_run(name):
    d = ms.derive(DRAWINGS[name](), coordinates="joint")
    expected = motion_of(d).course(1.0, 10)
    assert np.ptp(expected, axis=0).max() > 0.05
    assert np.abs(of_modelica(d) - expected).max() < 1e-8


@pytest.mark.thinned(3)
@compiled
@pytest.mark.parametrize("name", DRAWINGS)
def test_fmus_move_as_the_run(name, tmp_path):
    fmpy = pytest.importorskip("fmpy", reason="fmpy is not installed: pip install fmpy")
    project, path = DRAWINGS[name](), str(tmp_path / "a.fmu")
    ms.export_equations(project, path, coordinates="joint")
    found = fmpy.simulate_fmu(path, stop_time=1.0, output_interval=0.1)
    d = ms.derive(project, coordinates="joint")
    expected = motion_of(d).course(1.0, 10)
    places = [u.position.name for u in d.equations.coordinates]
    assert np.abs(np.array([found[x] for x in places]).T - expected).max() < 1e-8
    said = fmpy.read_model_description(path).description
    assert max(map(float, re.findall(r"at most (\S+)", said))) < 1e-8 and "hold" not in said


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", DRAWINGS)
def test_notebooks_move_as_the_run(name, monkeypatch):
    d = ms.derive(DRAWINGS[name](), coordinates="joint")
    text = d.export("notebook").replace("rtol=1e-8, atol=1e-8", "rtol=1e-11, atol=1e-12")
    _, namespace, _ = run_notebook(text, monkeypatch)
    expected = motion_of(d).course(1.0, 400)
    n = expected.shape[1]
    assert np.abs(namespace["run"].y[:n].T - expected).max() < 1e-8


@pytest.mark.parametrize("first", ["modelica", "python"])
def test_code_has_the_functions_that_it_names(first):
    """Those of readings stand in models alone, whichever export of a derivation comes first."""
    d = ms.derive(of_spatial_loops(), coordinates="joint")
    d.export(first)
    code = {}
    exec(d.export("python"), code)
    assert "FUNCTIONS" not in code
    assert code["forces"]([0.0] * 5, [0.0] * 5, 0.0, {"T": 2.0})[0] == pytest.approx(2.0)
    assert "F_C_pieces" in d.export("modelica")


@pytest.mark.parametrize(
    ("where", "right", "wrong"),
    [
        ("_DERIVATIVES", None, {"ATAN": ("2.0/(1.0 + {u}*{u})", "0.0")}),
        ("VALUES", None, {"SIN": "cos({u})"}),
    ],
)
def test_a_fault_in_a_law_is_seen(where, right, wrong, monkeypatch):
    table = getattr(motion_laws, where)
    monkeypatch.setattr(motion_laws, where, {**table, **wrong})
    d = ms.derive(of_joints(), coordinates="joint")
    assert np.abs(of_modelica(d) - motion_of(d).course(1.0, 10)).max() > 1e-5


# operations

EXPRESSIONS = (
    "2*t^3 - t/(1 + t^2) + 3",
    "sin(2*t) - cos(t/3) + tan(0.3*t)",
    "asin(0.3*t) - acos(0.2*t) + atan(t)*atan2(t, 2 - t)",
    "exp(-t) + log(1 + t^2) + sqrt(2 + t)",
    "hypot(t, 2 - t, 1) + abs(t - 0.7)*t + abs(0.1 - t)",
    "min(t, 1 - t)^2 + max(t^2, t)*t",
    "(1 + t)^(0.5*t) + (2 + t)^-1.5 + 2^t",
    "-t^2 + (-(t + 1))^3",
)
PLACES = (0.05, 0.3, 0.61, 0.93, 1.4)


def spelt(text, language):
    steps = time_law(Law("expression", text=text))
    return written(steps, language, lambda x: "t" if x == Input(-1) else "?", "l{}".format, order=2)


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_operations_of_python_and_modelica_have_the_jets_of_the_law(text):
    law = Law("expression", text=text)
    done = spelt(text, motion_laws.PYTHON)
    source = "\n".join(f"{name} = {x}" for name, x in done.lines)
    e = "equation\n"
    model = (
        'model a "a"\n  Real z(start = 0.0, fixed = true) "z";\n'
        + "".join(f"  Real {n};\n" for n, _ in spelt(text, motion_laws.MODELICA).lines)
        + f"  Real f;\n  Real g;\n  Real h;\n{e}  der(z) = RESULT;\n"
        + "".join(
            f"  {n} = {x.replace('t', 't')};\n" for n, x in spelt(text, motion_laws.MODELICA).lines
        )
    )
    last = spelt(text, motion_laws.MODELICA)
    model += f"  f = {last.value};\n  g = {last.slope};\n  h = {last.curvature};\n"
    model += "  annotation(experiment(StopTime = 1.0));\nend a;\n"
    model = re.sub(r"\bt\b", "time", model)
    rates = [Model(model.replace("RESULT", x)).rates for x in "fgh"]
    for t in PLACES:
        expected = evaluation.jet(law, t)
        known = {**vars(math), "t": t}
        exec(source, known)
        found = [eval(x, known) for x in (done.value, done.slope, done.curvature)]
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
        found = [f(t, np.zeros(1))[0] for f in rates]
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("language", [motion_laws.PYTHON, motion_laws.MODELICA, C])
def test_factors_of_one_are_left_out(language):
    """t, the slope 2 t of its square and the slope 1 of t + 3 stand as they are written by hand."""
    steps = time_law(Law("expression", text="1*t"))
    done = written(steps, language, lambda x: "t", "l{}".format, order=2)
    assert done == motion_laws.Written((), "t", "1.0", "0.0")
    lines = dict(spelt("1*(3 + 1*t)^2 + 1*sin(t)", language).lines)
    assert not any("1.0" in x for x in lines.values())
    assert "2.0*l2" in lines.values() and "cos(t)" in lines.values()


def test_sines_in_modelica_have_no_ones_and_zeros():
    for law, text in (
        (ms.sine("1 N", "1 Hz"), "sin({omega}*time)"),
        (
            ms.sine("2 N", "1 Hz", offset="1 N", phase="0.5 rad"),
            "1.0 + 2.0*sin({omega}*time + 0.5)",
        ),
    ):
        m, _, _, rail, _ = cart()
        m.force("motor_force", "push", joint=rail, force=law)
        d = ms.derive(m.project(), coordinates="joint")
        assert f"  F = {text.format(omega=2.0 * math.pi)};" in d.export("modelica")


def test_every_operation_of_the_kernel_has_a_text():
    kernel = range(law_interpreter.ADD, law_interpreter.ABS + 1)
    assert len(kernel) == len(motion_laws.VALUES)
    for text, operation in (("t^t", "POWER"), ("hypot(t, 2)", "HYPOT"), ("atan2(t, 2)", "ATAN2")):
        assert time_law(Law("expression", text=text)).steps[-1].operation == operation


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler on this machine")
def test_operations_of_c_have_the_jets_of_the_law(tmp_path):
    body = []
    for text in (*EXPRESSIONS, "log(t - 3)", "1/(1/(t - t))", "min(sqrt(t - 9), 1)"):
        done = spelt(text, C)
        body.append("    for (int i = 0; i < 5; i++) {\n        const double t = places[i];")
        body += [f"        const double {name} = {x};" for name, x in done.lines]
        body.append(
            f'        printf("%.17g %.17g %.17g\\n", {done.value}, {done.slope}, '
            f"{done.curvature});\n    }}"
        )
    source = tmp_path / "a.c"
    numbers = ", ".join(map(repr, PLACES))
    source.write_text(
        "#include <math.h>\n#include <stdio.h>\nint main(void)\n{\n"
        f"    const double places[5] = {{{numbers}}};\n" + "\n".join(body) + "\n    return 0;\n}\n"
    )
    run = str(tmp_path / "a")
    subprocess.run(["cc", "-std=c99", "-o", run, str(source), "-lm"], check=True)
    rows = subprocess.run([run], capture_output=True, text=True, check=True).stdout.splitlines()
    found = np.array([list(map(float, row.split())) for row in rows])
    expected = [
        evaluation.jet(Law("expression", text=text), t) for text in EXPRESSIONS for t in PLACES
    ]
    assert found[: len(expected)] == pytest.approx(np.array(expected), rel=1e-12, abs=1e-12)
    assert np.isnan(found[len(expected) :, 0]).all()  # no value in the kernel, none here


# laws over the time in Modelica, beyond the end of the drawing's run

LATER = {
    "expression": ("position", "20 mm*sin(7 rad/s*t) + 5 mm*t/(1 s)"),
    "sine": ("position", ms.sine("20 mm", "1 Hz", phase="0.3 rad")),
    "rest to rest": ("position", ms.rest_to_rest("0.2 m", begin="0.2 s", duration="1.5 s")),
    "speed": ("speed", "0.2 m/s*sin(7 rad/s*t)"),
    "speed by a table": ("speed", ms.table((0, 0), ("0.4 s", "0.2 m/s"), ("1.6 s", "-0.1 m/s"))),
    "acceleration": ("acceleration", "2 m/s^2*cos(7 rad/s*t)"),
    "acceleration by a sine": ("acceleration", ms.sine("2 m/s^2", "1.2 Hz")),
}


@pytest.mark.thinned(3)
@pytest.mark.parametrize("name", LATER)
def test_laws_in_modelica_hold_after_the_end_of_the_run(name):
    """The drawing stops after 0.5 s, the model goes on for 2 s as a longer run does."""
    quantity, law = LATER[name]
    m, _, _, rail, _ = cart()
    m.drive("shaker", rail, **{quantity: law})
    m.run(duration="0.5 s")
    d = ms.derive(m.project(), coordinates="joint")
    motion, text = motion_of(d), d.export("modelica")
    assert "laid out" in motion.laid and "laid out" not in text
    expected = motion.course(2.0, 20)
    found = Model(text).run(2.0, 20)
    places = np.array([found[u.position.name] for u in d.equations.coordinates]).T
    miss = np.abs(places - expected).max()
    assert np.ptp(expected[10:, 0]) > 1e-3 and miss < 1e-6


def test_a_law_that_bends_after_the_run_does_not_hold_for_ever():
    m, _, _, rail, _ = cart()
    m.drive("shaker", rail, position=ms.ramp(0, "20 mm", begin="3 s"))
    assert motion_of(ms.derive(m.project())).laws_end == 1.0
    m, _, _, rail, _ = cart()
    m.drive("shaker", rail, position="min(t, 4 s)*0.1 m/s")
    assert motion_of(ms.derive(m.project())).laws_end == 1.0


def test_numbers_in_a_notebook_are_those_of_the_drawing():
    """Readings stand beside the equations as code and are not typeset."""
    book = json.loads(ms.derive(of_points(), coordinates="joint").export("notebook"))
    code = ["".join(c["source"]) for c in book["cells"] if c["cell_type"] == "code"]
    assert "def law_readings(q, v" in code[0] and "x = law_readings(" in code[1]
    assert "readings" not in "".join(
        "".join(c["source"]) for c in book["cells"] if c["cell_type"] == "markdown"
    )


RAMP = ms.ramp(0, "20 mm", begin="0.2 s", duration="0.5 s")


@compiled
def test_an_fmu_jumps_with_the_rate_of_its_drive(tmp_path):
    """At the corners of a ramp of the place the velocities jump by an impulse, as in the run."""
    fmpy = pytest.importorskip("fmpy", reason="fmpy is not installed: pip install fmpy")
    m, _, _, rail, _ = cart()
    m.drive("shaker", rail, position=RAMP)
    path = str(tmp_path / "a.fmu")
    ms.export_equations(m.project(), path, coordinates="joint")
    found = fmpy.simulate_fmu(path, stop_time=1.0, output_interval=0.1)
    expected = motion_of(ms.derive(m.project(), coordinates="joint")).course(1.0, 10)
    assert np.abs(found["theta"] - expected[:, 1]).max() < 1e-8


@pytest.mark.parametrize(
    ("quantity", "law", "jumps"),
    [
        ("position", RAMP, True),
        ("position", LATER["rest to rest"][1], False),
        ("position", ms.sine("20 mm", "1 Hz"), False),
        ("speed", ms.ramp(0, "0.2 m/s"), False),
        ("speed", ms.table((0, 0), ("0.5 s", "0.2 m/s"), between="steps"), True),
        ("acceleration", ms.table((0, 0), ("0.5 s", "0.2 m/s^2"), between="steps"), False),
    ],
)
def test_rates_that_jump_are_said_where_rows_close_gradually(quantity, law, jumps):
    m, _, _, rail, _ = cart()
    m.drive("shaker", rail, **{quantity: law})
    d = ms.derive(m.project(), coordinates="joint")
    for format in ("modelica", "notebook"):
        assert ("The rate that shaker prescribes jumps" in d.export(format)) == jumps


def test_rates_of_targets_at_an_instant_are_those_along_the_motion():
    """The panel's numbers of a target that reads the motion, against differences along it."""
    d = ms.derive(of_joints(), coordinates="joint")
    live = d.live()
    q, v, h = np.array([0.3, -0.4]), np.array([0.7, 1.9]), 1e-5
    target = lambda t: live.at(q + v * t, v, t).values["x_d"]
    rate = live.at(q, v, 0.0).values["u_d"]
    assert rate == pytest.approx((target(h) - target(-h)) / (2 * h), rel=1e-8)
    assert abs(rate - 0.6 * math.cos(0.0)) > 0.05  # more than its part along the time


@compiled
def test_an_fmu_compiles_after_lectures_have_named_more():
    """Steps of lectures name symbols that the equations do without; the energy may hold them."""
    m = ms.Builder("Lift", gravity=(0, -9.81, 0))
    cage = m.body("cage", (0.3, 0.1, 0), mass=1.0, inertia=(0.01,) * 3)
    m.slider("rail", m.ground, cage, at=(0, 0, 0), axis=(0, 1, 0))
    d = ms.derive(m.project(), coordinates="joint")
    d.chapter("lagrange")
    d.export("notebook")
    source = Source(d)
    e = source.simulating(source.code_with_energy)
    model = fmu.Model(e, d.plan.mechanism, "a", source.motion, source.functions)
    assert fmu.binary(model) is not None


@pytest.mark.parametrize(
    "law", ["-0.2*k*x", ms.sine("k*0.1 m", "2 Hz"), "k*(0.1 m)*sin(3 rad/s*t)"]
)
def test_parameters_that_laws_hold_are_said(law):
    """k is a stiffness and a number of the law: a model that changes it changes one of both."""
    m, _, _, rail, _ = cart()
    m.parameter("k", "30 N/m", "stiffness")
    m.force("slide_spring", "spring", joint=rail, stiffness="k", free_length="0.1 m")
    m.force("motor_force", "push", joint=rail, force=law)
    d = ms.derive(m.project(), coordinates="joint")
    said = "Laws hold these parameters as they are in the drawing, also where they are changed"
    assert f"{said} here: k." in motion_of(d).remark and said in d.export("modelica")
    assert said not in motion_of(ms.derive(of_joints())).remark


def test_what_a_law_prescribes_is_shown_without_a_number():
    """The number that is stored beside a law is none of the motion's."""
    d = derived(sample("vibration_absorber"))
    (known,) = (k for k in d.equations.parameters if k.name.name == "F_shaking_force")
    assert known.prescribed and d.values["F_shaking_force"] == 0.0
    assert "F_shaking_force = –   force of shaking force, by its law" in d.export("text")
    assert "% F_shaking_force: force of shaking force, by its law" in d.export("latex")
    assert ">–</td>" in d.export("report-html") and "0 N<" not in d.export("report-html")
    assert "by its law: give its value at the instant" in d.export("python")
