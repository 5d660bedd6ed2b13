"""FMUs of samples, validated and simulated by fmpy, against our own runs."""

import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import msgspec
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import mechstudio as ms
from mechstudio.model.mechanism import Limit
from mechstudio.model.quantity import Quantity
from mechstudio.symbolic.exports.fmu import fmu
from mechstudio.symbolic.methods import recursive
from mechstudio.symbolic.methods.intermediates import by_parts
from mechstudio.symbolic.printers.python import expression
from tests.symbolic.exports.test_advancing_laws import cam
from tests.symbolic.test_size_guard import chain

fmpy = pytest.importorskip("fmpy", reason="fmpy is not installed: pip install fmpy")
compiled = pytest.mark.skipif(not fmu.compiler(), reason="no C compiler here: apt install gcc")

SAMPLES = Path(__file__).parents[3] / "samples"
# largest difference of angles [rad] and slides [m] over two seconds
ACCURACY = {"cart_pole": 1e-9, "four_bar": 1e-8, "six_axis_arm": 1e-12, "double_pendulum": 1e-6,
            "gear_train": 1e-8, "screw_jack": 1e-10, "gimbal_lock": 1e-8,
            "stiff_spring": 1e-10, "bead_on_circle": 1e-9, "bead_two_ways": 1e-8,
            "fillets_and_ellipse": 1e-9, "flat_faced_follower": 1e-11,
            "roller_and_knife_edge": 1e-11, "hyperstatic_cure": 1e-11}  # fmt: skip


def loaded(name):
    return ms.load(SAMPLES / f"{name}.mech")


def made(project, folder, name="m"):
    path = folder / f"{name}.fmu"
    ms.export_equations(project, path, coordinates="joint")
    return str(path)


def own(project, path, duration=2.0):
    """Our run and the names of the FMU's outputs of each coordinate."""
    run = ms.simulate(project, duration, 0.1, tolerance=1e-12)
    names = [v.name for v in fmpy.read_model_description(path).modelVariables
             if v.causality == "output"]  # fmt: skip
    coordinates = ms.derive(project).equations.coordinates
    return run, dict(zip(names, (u.sources[0] for u in coordinates)))


@compiled
@pytest.mark.parametrize("name", ACCURACY)
@pytest.mark.thinned(3)
def test_the_motion_is_ours(name, tmp_path):
    from fmpy.validation import validate_fmu

    project = loaded(name)
    path = made(project, tmp_path)
    assert validate_fmu(path) == []
    found = fmpy.simulate_fmu(path, stop_time=2.0, output_interval=0.1)
    run, names = own(project, path)
    joints = list(dict.fromkeys(names.values()))
    assert joints
    for joint in joints:
        columns = [output for output, of in names.items() if of == joint]
        ours = run.joint_coordinates[joint]
        turns = [k for k, c in enumerate(columns) if c.split("_")[0] in ("psi", "theta", "phi")]
        theirs = np.column_stack([found[c] for c in columns])
        if len(turns) == 3:  # other angles may mean the same attitude
            attitudes = [Rotation.from_euler("ZYX", x[:, turns]) for x in (ours, theirs)]
            miss = (attitudes[0].inv() * attitudes[1]).magnitude()
            assert miss.max() < max(ACCURACY[name], 1e-15)
            ours, theirs = (np.delete(x, turns, axis=1) for x in (ours, theirs))
        assert np.abs(ours - theirs).max(initial=0.0) < ACCURACY[name]
    assert found["gap"].max() < 1e-9
    energy = np.abs(found["kinetic_energy"] - run.kinetic_energy).max()
    assert energy < 1e-6 * max(1.0, run.kinetic_energy.max())
    stored = np.abs(found["potential_energy"] - run.potential_energy).max()
    assert stored < 1e-6 * max(1.0, np.ptp(run.potential_energy))
    # its description of itself holds for the results here
    said = fmpy.read_model_description(path).description
    assert "differs from the run of mechstudio" in said
    reported = max(float(x) for x in re.findall(r"at most (\S+)", said))
    assert reported <= max(ACCURACY[name], 1e-12)


LONG = {"6R": ("revolute", 6, 1e-7), "balls": ("spherical", 3, 1e-7),
        "universal": ("universal", 5, 1e-6)}  # fmt: skip


@compiled
@pytest.mark.parametrize("name", LONG)
def test_chains_without_a_closed_form_move_as_in_the_solver(name, tmp_path):
    """Chains of skew joints, from the recursive form: motion and energies over half a second."""
    type, count, accuracy = LONG[name]
    project = chain(type, count)
    assert not ms.derive(project).complete
    path = made(project, tmp_path)
    found = fmpy.simulate_fmu(path, stop_time=0.5, output_interval=0.1)
    run, names = own(project, path, 0.5)
    kinetic, potential = found["kinetic_energy"], found["potential_energy"]
    assert run.kinetic_energy.max() > 1.0
    assert np.abs(kinetic - run.kinetic_energy).max() < accuracy * run.kinetic_energy.max()
    assert np.abs(potential - run.potential_energy).max() < accuracy * run.kinetic_energy.max()
    if type == "revolute":
        for output, joint in names.items():
            assert np.abs(found[output] - run.joint_coordinates[joint][:, 0]).max() < accuracy


@pytest.mark.slow
@compiled
def test_a_loop_of_universal_joints_moves_as_ours(tmp_path):
    """Its rows have no closed form that anybody writes."""
    project = chain("universal", 5, "universal")
    path = made(project, tmp_path)
    found = fmpy.simulate_fmu(path, stop_time=0.3, output_interval=0.1)
    run = ms.simulate(project, 0.3, 0.1, tolerance=1e-12)
    assert run.kinetic_energy.max() > 1e-3 and found["gap"].max() < 1e-10
    for ours, theirs in (("kinetic_energy",) * 2, ("potential_energy",) * 2):
        miss = np.abs(found[theirs] - getattr(run, ours)).max()
        assert miss < 1e-8 * run.kinetic_energy.max()


def test_the_energy_by_parts_has_the_slopes_of_the_weights(monkeypatch):
    """g = dU/dq by differences, and a fault in U is seen."""
    d = ms.derive(chain("spherical", 3))
    n = len(d.equations.coordinates)
    named = {x.position.name: k for k, x in enumerate(d.equations.coordinates)}

    def energy(e, q):
        known = {k.name.name: k.value for k in e.parameters}
        known |= {name: q[k] for name, k in named.items()}
        known |= {x.velocity.name: 0.0 for x in e.coordinates}
        value = lambda entry: eval(expression(entry), {"sin": np.sin, "cos": np.cos}, known)
        for made in e.intermediates:
            known[made.name.name] = value(made.entry)
        return value(e.block("U").rows[0][0])

    def miss(e):
        q, h = np.random.default_rng(3).uniform(-0.7, 0.7, n), 1e-5
        slopes = [
            (energy(e, q + h * step) - energy(e, q - h * step)) / (2 * h) for step in np.eye(n)
        ]
        return np.abs(slopes - d.function()(q, np.zeros(n))[2]).max()

    assert miss(by_parts(d, energy=True)) < 1e-7
    whole = recursive._Builder.energy

    def faulty(builder):
        builder.rebased = lambda v, source, target: v
        return whole(builder)

    monkeypatch.setattr(recursive._Builder, "energy", faulty)
    assert miss(by_parts(ms.derive(chain("spherical", 3)), energy=True)) > 1e-3


@compiled
def test_a_spring_that_the_importer_stiffens_takes_shorter_steps(tmp_path, capfd):
    """A mass on a spring, of which the closed form is known: x = x0 (cos w t - 1)."""
    m = ms.Builder("Oscillator", gravity=(0, 0, 0))
    mass = m.body("mass", (0.1, 0, 0), mass=1.0, inertia=(1, 1, 1))
    m.slider("S", m.ground, mass, at=(0, 0, 0), axis=(1, 0, 0))
    m.parameter("k", "100 N/m", "stiffness")
    m.force("slide_spring", "spring", joint=m.joints["S"], stiffness="k", free_length=-0.1)
    path = made(m.project(), tmp_path)
    output = own(m.project(), path)[1]
    (x,) = output
    for stiffness in (1e2, 1e8, 1e11):
        w, end = np.sqrt(stiffness), 20.3 / np.sqrt(stiffness)
        found = fmpy.simulate_fmu(
            path, stop_time=end, output_interval=end / 10, start_values={"k": stiffness}
        )
        assert found[x] == pytest.approx(0.1 * np.cos(w * found["time"]) - 0.1, abs=1e-9)
        energy = found["kinetic_energy"] + found["potential_energy"]
        assert np.ptp(energy) < 1e-9 * found["potential_energy"][0]
    with pytest.raises(fmpy.fmi1.FMICallException):
        fmpy.simulate_fmu(
            path, stop_time=0.1, output_interval=0.1, start_values={"k": 1e30}, timeout=60
        )
    assert "so stiff that the steps of this FMU become too short" in capfd.readouterr().out


@compiled
def test_inputs_and_parameters_move_it(tmp_path):
    project = loaded("cart_pole")
    path = made(project, tmp_path)
    inputs = [v.name for v in fmpy.read_model_description(path).modelVariables
              if v.causality == "input"]  # fmt: skip
    assert inputs == ["F"]
    pushed = np.array([(0.0, 9.0), (2.0, 9.0)], dtype=[("time", float), ("F", float)])
    found = fmpy.simulate_fmu(
        path, stop_time=2.0, output_interval=0.1, input=pushed, start_values={"m_c": 3.0, "F": 9.0}
    )
    changed = ms.load(SAMPLES / "cart_pole.mech")
    from mechstudio.model.edits.elements import reevaluate

    parameters = dict(changed.parameters)
    for key, value in (("F", 9.0), ("m_c", 3.0)):
        parameters[key] = msgspec.structs.replace(parameters[key], value=Quantity(value))
    changed = reevaluate(msgspec.structs.replace(changed, parameters=parameters))
    run = ms.simulate(changed, 2.0, 0.1, tolerance=1e-12)
    assert np.abs(found["x"] - run.joint_coordinates["rail"][:, 0]).max() < 1e-9


@compiled
def test_a_drive_follows_its_input(tmp_path):
    path = made(loaded("six_axis_arm"), tmp_path)
    led = np.array([(0.0, 0.0), (1.0, 0.5)], dtype=[("time", float), ("set_x_d_motor_1", float)])
    found = fmpy.simulate_fmu(path, stop_time=1.0, output_interval=0.01, input=led)
    name = next(n for n in found.dtype.names if n.endswith("axis_1"))
    # one step of the importer behind
    assert found[name][-1] == pytest.approx(0.5, abs=0.011)
    assert np.ptp(np.diff(found[name][2:])) < 1e-6


@compiled
def test_states_are_kept_and_taken_again(tmp_path):
    path = made(loaded("four_bar"), tmp_path)
    description = fmpy.read_model_description(path)
    folder = fmpy.extract(path)
    slave = fmpy.fmi3.FMU3Slave(
        guid=description.guid, unzipDirectory=folder,
        modelIdentifier=description.coSimulation.modelIdentifier, instanceName="a",
    )  # fmt: skip
    slave.instantiate()
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    reference = next(v.valueReference for v in description.modelVariables if v.name == "theta_A")
    slave.doStep(0.0, 0.1)
    state = slave.getFMUState()
    here = slave.getFloat64([reference])[0]
    slave.doStep(0.1, 0.3)
    there = slave.getFloat64([reference])[0]
    slave.setFMUState(state)
    assert slave.getFloat64([reference])[0] == here
    slave.doStep(0.1, 0.3)
    assert slave.getFloat64([reference])[0] == there
    slave.freeFMUState(state)
    with pytest.raises(Exception, match="3"):
        slave.setFloat64([reference], [1.0])  # an output
    slave.terminate()
    slave.freeInstance()
    shutil.rmtree(folder)


def test_without_a_compiler_the_sources_are_there_and_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(fmu, "COMPILERS", ())
    notes = ms.convert(loaded("cart_pole"), tmp_path / "a.fmu")
    assert "no C compiler" in notes[0]
    with zipfile.ZipFile(tmp_path / "a.fmu") as archive:
        names = archive.namelist()
    assert "sources/model.c" in names and "sources/buildDescription.xml" in names
    assert not [n for n in names if n.startswith("binaries")]


@compiled
def test_the_binary_is_said_and_equal_models_are_equal_files(tmp_path):
    notes = ms.convert(loaded("cart_pole"), tmp_path / "a.fmu")
    assert fmu.platform_folder() in notes[0]
    ms.convert(loaded("cart_pole"), tmp_path / "b.fmu")
    assert (tmp_path / "a.fmu").read_bytes() == (tmp_path / "b.fmu").read_bytes()


@compiled
@pytest.mark.parametrize("name", ["cart_pole", "four_bar", "six_axis_arm"])
@pytest.mark.thinned(3)
def test_the_sources_compile_without_warnings(name, tmp_path):
    data = ms.derive(loaded(name)).export("fmu")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(tmp_path)
    strict = "-std=c99 -Wall -Wextra -Werror -Wno-unused-function -c model.c equations.c".split()
    done = subprocess.run(
        [fmu.compiler(), *strict], cwd=tmp_path / "sources", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("stack_of_boxes", "contacts"),
        ("differential", "friction"),
    ],
)
def test_mechanisms_beyond_the_fmu_format_are_refused_with_the_reason(name, said, tmp_path):
    project = loaded(name)
    if name == "differential":
        force = next(f for f in project.mechanism.forces.values() if f.type == "friction_torque")
        stuck = msgspec.structs.replace(
            force, parameters={**force.parameters, "speed": Quantity(0.0)}, laws={}
        )
        m = project.mechanism
        forces = {**m.forces, force.id: stuck}
        project = msgspec.structs.replace(
            project, mechanism=msgspec.structs.replace(m, forces=forces)
        )
    with pytest.raises(ms.ExchangeError, match=said) as refused:
        ms.convert(project, tmp_path / "a.fmu")
    assert str(refused.value).endswith(".")
    assert not (tmp_path / "a.fmu").exists()


def test_stops_are_refused(tmp_path):
    project = loaded("double_pendulum")
    m = project.mechanism
    id = next(iter(m.joints))
    stopped = msgspec.structs.replace(m.joints[id], limits=(Limit(0, Quantity(-1.0)),))
    project = msgspec.structs.replace(
        project, mechanism=msgspec.structs.replace(m, joints={**m.joints, id: stopped})
    )
    with pytest.raises(ms.DerivationError, match="stops of joint"):
        ms.export_equations(project, tmp_path / "a.fmu")


SLOW = ("stewart_platform", "robot_vacuum")  # a quarter of a minute, and no different


@pytest.mark.thinned(9)
@compiled
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(p, id=p.stem, marks=[pytest.mark.slow] if p.stem in SLOW else [])
        for p in sorted(SAMPLES.glob("*.mech"))
    ],
)
@pytest.mark.thinned(8)
def test_every_sample_runs_with_closed_loops_or_is_refused(path, tmp_path):
    from fmpy.validation import validate_fmu

    project = ms.load(path)
    target = tmp_path / "a.fmu"
    try:
        ms.convert(project, target)
    except ms.ExchangeError as refused:
        words = ("FMUs, Modelica models and notebooks cannot hold", "The closed form has more than")
        assert str(refused).startswith(words)
        return
    assert validate_fmu(str(target)) == []
    found = fmpy.simulate_fmu(str(target), stop_time=0.3, output_interval=0.1)
    assert found["gap"].max() < 1e-9
    assert np.isfinite(found["kinetic_energy"]).all()
    assert np.isfinite(found["potential_energy"]).all()


@compiled
def test_rows_that_repeat_others_are_chosen_anew_along_the_motion(tmp_path):
    """Two of the five rows of Bennett's loop imply the others, but the first two repeat each other
    after 70 degrees of the crank.
    """
    project = loaded("bennett_linkage")
    path = made(project, tmp_path)
    found = fmpy.simulate_fmu(path, stop_time=6.0, output_interval=0.1)
    run, names = own(project, path, 6.0)
    for output, joint in names.items():
        assert np.abs(found[output] - run.joint_coordinates[joint][:, 0]).max() < 1e-9
    assert found["gap"].max() < 1e-10
    assert "angles by at most" in fmpy.read_model_description(path).description


@compiled
def test_rows_that_repeated_others_and_no_longer_do_are_an_error(tmp_path, capfd):
    """Bennett's loop with a link of another length is no mechanism."""
    path = made(loaded("bennett_linkage"), tmp_path)
    length = next(
        v.name
        for v in fmpy.read_model_description(path).modelVariables
        if v.causality == "parameter" and v.unit == "m"
    )
    start = float(
        next(v.start for v in fmpy.read_model_description(path).modelVariables if v.name == length)
    )
    with pytest.raises(fmpy.fmi1.FMICallException):
        fmpy.simulate_fmu(path, stop_time=0.1, start_values={length: 1.1 * start})
    assert "cannot be closed with these parameters" in capfd.readouterr().out


def wire(closed):
    m = ms.Builder(gravity=(0, 0, 0))
    bead = m.body("bead", (0, 0, 0), mass=1.0, inertia=(1e-3,) * 3)
    points = [(0, 0, 0), (0.1, 0.05, 0), (0.2, 0, 0)]
    m.on_curve("wire", m.ground, bead, points, at=(0, 0, 0), closed=closed, rate=(0.2, 0, 0, 0))
    return m.project()


@pytest.mark.parametrize("closed", [False, True])
def test_an_open_curve_is_said_to_go_straight_on(closed, monkeypatch):
    monkeypatch.setattr(fmu, "COMPILERS", ())
    said = "The curve of joint wire is open: before 0 m and beyond 0.2274 m of the way it goes"
    d = ms.derive(wire(closed))
    with zipfile.ZipFile(io.BytesIO(d.export("fmu"))) as archive:
        for name in ("modelDescription.xml", "documentation/index.html"):
            assert (said in archive.read(name).decode()) is not closed
    for format in ("python", "c", "modelica"):
        assert (said in d.export(format)) is not closed


def test_a_law_that_ends_is_said_in_the_description(monkeypatch):
    monkeypatch.setattr(fmu, "COMPILERS", ())
    data = ms.derive(cam("10 mm*sin(0.123*a)")).export("fmu")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert "holds from -25.13 rad" in archive.read("modelDescription.xml").decode()


@compiled
@pytest.mark.parametrize("step", [0.1, 0.01])
def test_what_hangs_on_a_led_body_swings(tmp_path, step):

    def drawn(position):
        m = ms.Builder("Led")
        arm = m.body("arm", mass=1.2, center_of_mass=(0.2, 0, 0.03), inertia=(0.1, 0.2, 0.3))
        hung = m.body("hung", (0.5, 0, 0), mass=0.7, center_of_mass=(0.1, 0, 0), inertia=(0.1,) * 3)
        a = m.pin("A", m.ground, arm.sphere(0.05), at=(0, 0, 0))
        m.pin("B", arm, hung.sphere(0.05), at=(0.5, 0, 0), rate=(0.3,))
        m.drive("drive", a, position=position)
        m.run(duration=0.5)
        return m.project()

    path = made(drawn("2 rad/s^2*t*t"), tmp_path)
    inputs = [v.name for v in fmpy.read_model_description(path).modelVariables]
    (name,) = (n for n in inputs if n.startswith("set_"))
    times = np.arange(round(0.5 / step) + 1) * step
    led = np.array([(t, 2 * t * t) for t in times], dtype=[("time", float), (name, float)])
    found = fmpy.simulate_fmu(path, stop_time=0.5, output_interval=step, step_size=step, input=led)
    # the importer sets a place of the beginning of a step, reached at its end: one step later
    late = ms.table((0, 0), *((t + step, 2 * t * t) for t in times), between="straight")
    run = ms.simulate(drawn(late), 0.5, step, tolerance=1e-12)
    for name in "AB":
        assert found[f"theta_{name}"] == pytest.approx(run.joint_coordinates[name][:, 0], abs=1e-6)


def test_numbers_that_do_not_follow_a_parameter_are_named(tmp_path):
    m = ms.Builder("Long")
    m.parameter("L", "300 mm")
    rod = m.link("rod", (0, 0, 0), length="L", angle="-60 deg")
    rod.plate([(0, 0), ("L", 0), (0, 0.1)], 0.01, 0.01)
    m.pin("A", m.ground, rod, at=rod.start)
    m.pin("B", rod, m.link("rod 2", rod.end, length="200 mm", angle="0 deg"), at=rod.end)
    derived = ms.derive(m.project())
    (note,) = (n for n in derived.equations.notes if "do not follow" in n)
    assert "inertia of rod are numbers of the drawing as it is" in note and "follow L" in note
    for kind in ("python", "c", "sympy", "modelica", "notebook"):
        assert "do not follow L" in " ".join(derived.export(kind).replace("*", " ").split()), kind
    with zipfile.ZipFile(io.BytesIO(derived.export("fmu"))) as pack:
        assert note in pack.read("documentation/index.html").decode()
    m.set(rod, "shapes.1.outline.1.0", "300 mm")
    assert not any("do not follow" in n for n in ms.derive(m.project()).equations.notes)


@compiled
def test_the_potential_energy_is_the_run_s_where_a_spring_follows_a_law(tmp_path):
    """2 kg hang on a plain spring (100 N/m) and on one whose free length follows a law: what
    that one does is work, as in the run.
    """
    m = ms.Builder("two springs")
    body = m.body("body", mass=2.0, inertia=(0.01, 0.01, 0.01))
    slider = m.slider("S", m.ground, body, at=(0, 0, 0), axis=(0, 0, 1))
    m.force("slide_spring", "plain", joint=slider, stiffness="100 N/m", free_length="0.1 m")
    m.force("slide_spring", "moved", joint=slider, stiffness="50 N/m",
            free_length=ms.sine("0.1 m", "3 Hz", offset=0.3))  # fmt: skip
    path = made(m.project(), tmp_path)
    found = fmpy.simulate_fmu(path, stop_time=0.4, output_interval=0.05)
    run = ms.simulate(m.project(), 0.4, 0.05, tolerance=1e-12)
    z = run.joint_coordinates["S"][:, 0]
    stored = 2.0 * 9.81 * z + 50.0 * (z - 0.1) ** 2
    assert np.ptp(stored) > 0.5
    assert run.potential_energy == pytest.approx(stored, abs=1e-9)
    assert found["potential_energy"] == pytest.approx(stored, abs=1e-8)
