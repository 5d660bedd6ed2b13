"""Tables, plots, diagrams, paths, accounts and pages that runs and drawings are turned into, and
drawings that come back from other formats.
"""

import json
import re
import warnings
import zipfile
from pathlib import Path

import pytest

import mechstudio as ms
from mechstudio.api import notebook
from mechstudio.application.films.moving_drawing import moving_drawing
from mechstudio.application.runs.recording import Recording
from mechstudio.model.equations.report import LABELS
from mechstudio.model.version import VERSION
from tests.approved.figures import EXACT, USUAL

SAMPLES = Path(__file__).parents[2] / "samples"
ARM = "double_pendulum"
LONG = 200  # letters of a line of a page that are held
NAMES = ("A angle", "Force in A: resultant", "Kinetic energy")
DIAGRAMS = (
    ("phase", ("D angle",), {}),
    ("over", ("D angle",), {"over": "A angle"}),
    ("over", ("D angle",), {"over": "A angle", "one_turn": False}),
    ("spectrum", ("D angle",), {}),
    ("spectrum", ("D angle",), {"window": "flattop"}),
    ("section", ("D angle",), {"over": "B angle", "where": "A angle", "direction": "either"}),
)


# with each joint that other programs know, loops, springs and stops
COMING_BACK = (
    "screw_jack",
    "six_axis_arm",
    "gripper",
    "heavy_top",
    "universal_joint_pair",
    "double_wishbone",
    "folding_chair",
    "trebuchet",
    "bouncing_ball",
)


@pytest.fixture(scope="module")
def result():
    return ms.simulate(ms.load(SAMPLES / "four_bar.mech"), duration=2.0, sample_step=0.05)


@pytest.mark.parametrize(
    ("units", "dialect"), [("m-N-rad", "comma"), ("mm-N-deg", "semicolon"), ("inch-lbf", "tab")]
)
def test_tables_are_as_approved(result, units, dialect, tmp_path, approved):
    out = tmp_path / "run.csv"
    result.to_csv(out, *NAMES, units=units, dialect=dialect)
    text = out.read_text("utf-8")
    if dialect == "semicolon":
        assert "," in text
        text = text.replace(",", ".")  # the point is what numbers are known by
    approved.holds(f"table_{units}.txt", text)


def test_plots_are_as_approved(result, approved):
    parts = [result.plot(*NAMES), result.plot("D angle", theme="dark", log=True, title="Swing")]
    parts.append(ms.plot({"a": result, "b": result}, "D angle", units="inch-lbf"))
    for kind, names, options in DIAGRAMS:
        parts.append(result.plot(*names, diagram=kind, **options))
    approved.holds("plots.txt", "\n".join(parts).replace("><", ">\n<") + "\n")


def test_readings_of_a_run_are_as_approved(result, approved):
    lines: list[str] = []
    for part in result.energy_account().parts:
        lines.append(f"{part.name}: {USUAL.together(part.values[[0, 10, -1]])}")
    for on, point in (("crank", ""), ("coupler", "P"), ("C", "")):
        path = result.trail(on, point)
        ends = EXACT.together(path.points[[0, 10, -1]].ravel())
        lines.append(f"{path.name}: {ends} {EXACT.together([path.arc[-1]])}")
    for path in ms.whole_turn(result.project, "C"):
        lines.append(f"{path.name}: {EXACT.together(abs(path.points).sum(axis=0))} {path.closed}")
    approved.holds("readings.txt", "\n".join(lines) + "\n")


def test_pages_of_a_notebook_are_as_approved(result, approved):
    arm, short = ms.load(SAMPLES / f"{ARM}.mech"), {"duration": 0.2, "sample_step": 0.1}
    tables = [ms.analyse(project, "loads", **short) for project in (result.project, arm)]
    pages = [notebook.project_html(result.project), *map(notebook.table_html, tables)]
    pages.append(notebook.derivation_latex(ms.derive(arm)))
    approved.holds("notebook.txt", "\n".join(pages).replace("><", ">\n<") + "\n")


@pytest.mark.parametrize("suffix", [".html", ".typ.zip", ".tex.zip"])
def test_reports_are_as_approved(suffix, tmp_path, approved):
    """Every chapter, with a run and without one."""
    project, parts = ms.load(SAMPLES / f"{ARM}.mech"), list[str]()
    run = ms.simulate(project, duration=0.2, sample_step=0.1)
    for runs in ({"a run": run}, {}):
        out = tmp_path / f"report{len(runs)}{suffix}"
        plots = ["Kinetic energy", "A angle"] if runs else []
        ms.report(project, out, chapters=tuple(LABELS), runs=runs, plots=plots)
        if suffix == ".html":
            text = re.sub(r"data:[^\"')]*", "DATA", out.read_text("utf-8"))
            text = re.sub(r"(?s)<(style|script|svg)\b.*?</\1>", r"<\1>", text)
            parts += [line[:LONG] for line in re.sub(r"(?<=>)(?=<)", "\n", text).split("\n")]
        else:
            with zipfile.ZipFile(out) as files:
                names = sorted(files.namelist())
                source = next(n for n in names if n.endswith(suffix[:4]))
                parts += [*names, files.read(source).decode()]
    text = "\n".join(parts).replace(VERSION, "VERSION")
    approved.holds(f"report{suffix[:5].rstrip('.')}.txt", text + "\n")


@pytest.mark.parametrize("suffix", [".xml", ".urdf"])
@pytest.mark.parametrize("name", ["double_pendulum", "cart_pole", "slider_crank"])
def test_drawings_come_back_as_approved(name, suffix, tmp_path, approved):
    away, back = tmp_path / f"away{suffix}", tmp_path / "back.mech"
    notes = ms.convert(SAMPLES / f"{name}.mech", away)
    notes += ms.convert(away, back)
    text = back.read_text("utf-8").replace(VERSION, "VERSION")
    approved.holds(f"{name}_from{suffix}.txt", "\n".join([*notes, text]))


@pytest.mark.parametrize("suffix", [".xml", ".urdf"])
def test_more_drawings_come_back_in_their_places(suffix, tmp_path, approved):
    lines: list[str] = []
    for name in COMING_BACK:
        away = tmp_path / f"away{suffix}"
        notes = ms.convert(SAMPLES / f"{name}.mech", away)
        notes += ms.convert(away, tmp_path / "back.mech")
        lines += [f"# {name}", *notes]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            m = ms.load(tmp_path / "back.mech").mechanism
        for body in m.bodies.values():
            place, turn = body.placement.pose
            lines.append(f"{body.name}: {EXACT.together(place)} {EXACT.together(turn)}")
        for joint in m.joints.values():
            values = EXACT.together(p.value for p in joint.parameters.values())
            lines.append(f"{joint.name}: {joint.type} {values} {len(joint.limits)} stops")
        lines += [f"{force.name}: {force.type}" for force in m.forces.values()]
    approved.holds(f"coming_back{suffix}.txt", "\n".join(lines) + "\n")


def test_a_moving_drawing_is_as_approved(result, approved):
    recording = Recording(result.project)
    recording.append(result.rows)
    recording.finish(True)
    lines: list[str] = []
    for run in (recording, None):
        for key, value in json.loads(moving_drawing(result.project, run)).items():
            numbers = isinstance(value, str) and len(value) > LONG  # packed, in single precision
            lines.append(f"{key}: {'numbers' if numbers else json.dumps(value)}")
    approved.holds("moving_drawing.txt", "\n".join(lines) + "\n")
