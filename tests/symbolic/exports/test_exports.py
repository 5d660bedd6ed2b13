"""Every export of every sample: code that runs agrees with the engine, documents are well formed,
models and notebooks are read and run.
"""

import ctypes
import json
import re
import shutil
import subprocess
import warnings
from functools import cache
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
import sympy as sp

import mechstudio as ms
from mechstudio.files import project_file
from mechstudio.model.edits import elements, insertion
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.exports import BY_ID, EXPORTS, MODEL
from mechstudio.symbolic import derive
from mechstudio.symbolic.exports.notebook import prose
from mechstudio.symbolic.exports.pages import mechanism_drawing, report, style
from mechstudio.symbolic.exports.program import program
from mechstudio.symbolic.exports.registry import Source
from mechstudio.symbolic.exports.simulation.motion import motion_of
from mechstudio.symbolic.plan.plan import CURVATURE
from tests.symbolic.modelica_reader import ModelicaError, Reader, value
from tests.symbolic.newton import accelerations, random_state
from tests.symbolic.samples import SAMPLES, marked, simulated, spread_of, with_curves
from tests.symbolic.test_agrees_with_engine import COMPARED, engine_accelerations, undriven

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler on this machine")
FLAGS = ["-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-Wpedantic", "-shared", "-fPIC"]
_DOUBLES = ctypes.POINTER(ctypes.c_double)
READABLE = [
    p
    for p in SAMPLES
    if p.stem
    not in (
        "stewart_platform",
        "six_axis_arm",
        "andrews_squeezer",
        "universal_joint_pair",
        # its intermediates hold X'^2 + Z'^2, which the matrices write as 1
        "flat_faced_follower",
    )
]


@cache
def derived(path):
    return with_curves(derive(project_file.load(path).project, coordinates="auto"))


def sample(name):
    return next(p for p in SAMPLES if p.stem == name)


# code


class Library:
    """An exported C file, compiled: equations(q, v) and forces(q, v) as the Python functions."""

    def __init__(self, source, folder, n, m):
        path = folder / "equations.c"
        path.write_text(source, encoding="utf-8")
        done = subprocess.run(
            [COMPILER, *FLAGS, "-o", str(folder / "equations.so"), str(path), "-lm"],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0 and done.stderr == "", done.stderr[:2000]
        self._library, self._shapes, self._n = (
            ctypes.CDLL(str(folder / "equations.so")),
            ((n, n), (n,), (n,), (m,), (m, n), (m,)),
            n,
        )

    def _call(self, function, shapes, q, v, p):
        q, v = np.ascontiguousarray(q, float), np.ascontiguousarray(v, float)
        out = [np.full(s, np.nan) for s in shapes]
        pointer = lambda a: a.ctypes.data_as(_DOUBLES)
        getattr(self._library, function)(
            pointer(q),
            pointer(v),
            ctypes.c_double(0.0),
            None if p is None else pointer(np.array(p, float)),
            *map(pointer, out),
        )
        return out

    def equations(self, q, v, p=None):
        return self._call("equations", self._shapes, q, v, p)

    def forces(self, q, v, p=None):
        return self._call("forces", [(self._n,)], q, v, p)[0]


def engine_difference(d, equations, forces, seed, spread):
    q, v = random_state(d, np.random.default_rng(seed), spread)
    a = accelerations(equations(q, v), forces(q, v))
    found, expected = engine_accelerations(d.plan.mechanism, d.plan.tree.closing, q, v, a)
    return np.abs(found - expected).max() / max(1.0, np.abs(expected).max())


@pytest.mark.thinned(9)
@needs_compiler
@pytest.mark.parametrize("path", COMPARED, ids=lambda p: p.stem)
@pytest.mark.thinned(3)
def test_exported_c_and_python_agree_with_the_engine(path, tmp_path):
    d = undriven(path)
    library = Library(
        d.export("c"), tmp_path, len(d.equations.coordinates), len(d.equations.multipliers)
    )
    namespace = {}
    exec(d.export("python"), namespace)
    for seed in range(2):
        spread = spread_of(path)
        assert engine_difference(d, library.equations, library.forces, seed, spread) < 1e-9
        assert (
            engine_difference(d, namespace["equations"], namespace["forces"], seed, spread) < 1e-9
        )


@needs_compiler
def test_a_fault_in_the_code_is_seen(tmp_path):
    d = undriven(sample("double_pendulum"))
    library = Library(d.export("c").replace(" = cos(", " = 1e-6 + cos(", 1), tmp_path, 2, 0)
    assert engine_difference(d, library.equations, library.forces, 0, 0.3) > 1e-9


@pytest.mark.thinned(9)
@needs_compiler
@pytest.mark.parametrize("path", marked(SAMPLES))
@pytest.mark.thinned(3)
def test_exported_c_is_the_python(path, tmp_path):
    """Every sample as it is, drives and all, and with parameters of one's own."""
    d = derived(path)
    library = Library(
        d.export("c"), tmp_path, len(d.equations.coordinates), len(d.equations.multipliers)
    )
    python = {}
    exec(d.export("python"), python)
    rng = np.random.default_rng(1)
    as_drawn = [*d.values.values()]
    known = None if None not in python["PARAMETERS"].values() else as_drawn
    for p in (known, [x * 1.1 + 0.01 for x in as_drawn]):
        q, v = rng.uniform(-1, 1, (2, len(d.equations.coordinates)))
        for mine, theirs in zip(
            [*library.equations(q, v, p), library.forces(q, v, p)],
            [*python["equations"](q, v, 0.0, p), python["forces"](q, v, 0.0, p)],
            strict=True,
        ):
            assert np.abs(mine - theirs).max(initial=0.0) <= 1e-12 * max(
                1.0, np.abs(theirs).max(initial=0.0)
            )


def test_shared_terms_of_a_program_are_computed_once():
    e = derived(sample("four_bar")).equations
    done = program(e, ("M", "b", "g", "C", "C_q", "gamma"), ())
    waves = [s for s in done.steps if s.function in ("sin", "cos")]
    assert (
        len(waves) == len({(s.function, str(s.terms)) for s in waves})
        and any(s.name.startswith("k_") for s in done.steps)
        and any(s.name.startswith("w_") for s in done.steps)
    )
    text = derived(sample("four_bar")).export("c")
    assert text.count("cos(theta_crank)") == 1 and "#include" not in text


def test_documents_say_what_was_not_written_out():
    project = project_file.load(sample("six_axis_arm")).project
    d = derive(project, term_limit=100)
    for format in ("text", "latex", "mathml", "typst"):
        assert "100 terms" in d.export(format) or format == "mathml"
    with pytest.raises(KeyError, match="There is no format docx"):
        d.export("docx")


def unit_tangents(d):
    """Numbers of the slopes of plane curves by their way: a unit vector, as closed forms take it
    to be.
    """
    curves = {}
    for f in d.code.functions:
        if f.kind == "curve" and f.component < CURVATURE:
            curves.setdefault(f.source, []).append(f.names[1].name)
    plane = [slopes for slopes in curves.values() if len(slopes) == 2]
    return {name: sp.Rational(x, 5) for slopes in plane for name, x in zip(slopes, (3, 4))}


@pytest.mark.thinned(9)
@pytest.mark.parametrize("path", READABLE, ids=lambda p: p.stem)
@pytest.mark.thinned(4)
def test_the_sympy_script_rebuilds_the_matrices(path):
    d = derived(path)
    namespace = {}
    exec(d.export("sympy"), namespace)

    made = namespace.get("intermediates", ())
    matrices = [namespace[key] for key in ("M", "b", "g_q", "tau", "C", "C_q", "gamma")]
    symbols = set().union(*(x.free_symbols for x in (*matrices, *(e for _, e in made))))
    symbols -= {symbol for symbol, _ in made}
    known = {s: sp.Rational(1 + 7 * k, 11 + k) for k, s in enumerate(sorted(symbols, key=str))}
    known |= {s: x for s in symbols if (x := unit_tangents(d).get(str(s))) is not None}
    for symbol, expression in made:
        known[symbol] = expression.evalf(50, known)

    for key, matrix in (
        ("M", d.mass_matrix),
        ("b", d.bias),
        ("g_q", d.gravity),
        ("tau", d.forces),
        ("C", d.constraints),
        ("C_q", d.jacobian),
        ("gamma", d.gamma),
    ):
        assert namespace[key].shape == matrix.shape and all(
            abs(sp.sympify(a).evalf(50, known) - sp.sympify(b).evalf(50, known)) < 1e-30
            for a, b in zip(namespace[key], matrix.subs(d.following))
        ), key
    own = {k.name.name: k.value for k in d.code.parameters if not k.prescribed}
    assert {str(s): x for s, x in namespace["values"].items()} == own
    assert namespace["q"] == d.symbols["q"] and namespace["multipliers"] == d.symbols["multipliers"]


# documents


@pytest.mark.parametrize("path", marked(SAMPLES))
@pytest.mark.thinned(4)
def test_mathml_is_xml_of_presentation_elements(path):
    d = derived(path)
    root = ElementTree.fromstring(d.export("mathml"))
    space = "{http://www.w3.org/1998/Math/MathML}"
    children = {"mfrac": 2, "msub": 2, "msup": 2, "mover": 2, "msubsup": 3}
    assert root.tag == space + "math"
    for element in root.iter():
        tag = element.tag.removeprefix(space)
        assert tag in {
            "math",
            "mrow",
            "mi",
            "mn",
            "mo",
            "mspace",
            "mtable",
            "mtr",
            "mtd",
            *children,
        }
        assert len(element) == children.get(tag, len(element)), tag
        assert (tag in ("mi", "mn", "mo")) == bool(element.text and element.text.strip())
    letters = {e.text for e in root.iter(space + "mi")}
    assert {"M", "τ"} <= letters and (d.equations.structure == "open" or {"λ", "γ"} <= letters)


def test_mathml_has_the_users_letters():
    text = derived(sample("cart_pole")).export("mathml")
    assert (
        "<msub><mi>m</mi><mi>c</mi></msub>" in text
        and "<mi>θ</mi>" in text
        and '<mover accent="true"><mi>θ</mi><mo>˙</mo></mover>' in text
    )


def latex_fault(text):
    """Fault in the braces and environments of LaTeX; empty if there is none."""
    text = "\n".join(re.sub(r"(?<!\\)%.*", "", line) for line in text.splitlines()).replace(
        "\\\\", ""
    )
    depth, open_ = 0, []
    for match in re.finditer(
        r"\\begin\{(\w+)\}|\\end\{(\w+)\}|\\\[|\\\]|\\left\b|\\right\b|\\[{}$&#%_]|[{}]", text
    ):
        token = match[0]
        if token in "{}":
            depth += 1 if token == "{" else -1
            if depth < 0:
                return "a brace too many"
        elif token.startswith(("\\begin", "\\left", "\\[")):
            open_.append((match[1] or token, depth))
        elif token.startswith(("\\end", "\\right", "\\]")):
            requested = match[2] or {"\\right": "\\left", "\\]": "\\["}[token]
            if not open_ or open_.pop() != (requested, depth):
                return f"{token} closes nothing"
    return "" if depth == 0 and not open_ else f"open at the end: {open_}, {depth} braces"


@pytest.mark.parametrize("path", marked(SAMPLES))
def test_latex_is_balanced(path):
    text = derived(path).export("latex")
    assert latex_fault(text) == ""
    assert latex_fault(text.replace("}", "", 1)) and latex_fault(
        text.replace("\\end{bmatrix}", "", 1)
    ), "a fault must be seen"


@pytest.mark.thinned(9)
@pytest.mark.parametrize("path", marked(SAMPLES))
@pytest.mark.thinned(4)
def test_typst_compiles_to_pdf(path):
    assert derived(path).export("pdf").startswith(b"%PDF-")


def test_the_table_of_formats():
    assert len(BY_ID) == len(EXPORTS) == 15 and all(f.suffix.startswith(".") for f in EXPORTS)
    files = [f.id for f in EXPORTS if not f.text]
    reports = [f.id for f in EXPORTS if f.report]
    assert files == ["pdf", "fmu", "notebook", *reports]
    assert [f.id for f in EXPORTS if f.page == MODEL] == ["modelica", "fmu"]
    assert reports == [f"report-{kind}" for kind in ("html", "pdf", "typst", "latex")]


# models and notebooks


@pytest.mark.thinned(9)
@pytest.mark.parametrize("path", marked(SAMPLES, ("stewart_platform",)))
@pytest.mark.thinned(3)
def test_modelica_is_a_model_of_the_motion(path):
    """Read by a grammar of our own: as many equations as unknowns, and the start solves what is not
    differential, with the engine's accelerations.
    """
    check_model(with_curves(derive(simulated(project_file.load(path).project), coordinates="auto")))


def check_model(d):
    model = Reader(d.export("modelica"))
    m = motion_of(d)
    n, chooses = len(d.equations.coordinates), "solved" in model.functions
    moving = (
        [k for k, row in enumerate(d.code.block("C_q").rows) if not all(x.is_zero for x in row)]
        if d.rows
        else []
    )
    assert chooses == (len(m.kept) < len(moving))
    rows = moving if chooses else list(m.kept)
    unknowns = sum(int(np.prod(size)) if size else 1 for size in model.variables.values())
    size_of = lambda name: int(np.prod(model.variables[name])) if model.variables[name] else 1
    count = sum(
        size_of(left[1]) if left[0] == "name" else n if left[0] in "+" and "M" in str(left) else 1
        for left, _ in model.equations
    )
    assert count == unknowns, "a tool would call it structurally singular"
    known = (
        {name: value(tree, {}) for name, tree in model.parameters.items()}
        | {name: value(tree, {}) for name, tree in model.starts.items()}
        | {"time": 0.0}
    )
    for left, right in model.equations:
        if right[0] == "list" or left[1:2] in (
            ("solution",),
            ("held",),
            ("a",),
            ("multipliers",),
        ):
            continue
        if left[0] == "name":
            known[left[1]] = value(right, known)
        elif left[0] == "index" and all(p is not None for p in left[2]):
            known[(left[1], *(int(value(p, known)) for p in left[2]))] = value(right, known)
    numbers = d.function()(m.q, m.v, 0.0, courses(m, d))
    for key, array in zip(("M", "b", "g", "C", "C_q", "gamma"), numbers):
        array = array if key in ("M", "b", "g") else array[rows]
        for place in np.ndindex(array.shape):
            assert known[("g_q" if key == "g" else key, *(i + 1 for i in place))] == pytest.approx(
                array[place], rel=1e-9, abs=1e-9 * max(1.0, np.abs(array).max())
            ), (key, place)
    integrated = [left[2][0][1] for left, _ in model.equations if left[:2] == ("call", "der")]
    assert set(integrated) == set(model.starts) and len(integrated) >= 2 * n
    assert set(model.functions) <= {"piecewise", "solved"}


def courses(motion, d):
    out = {}
    for c in motion.courses:
        firsts = (c.values[0], c.rates[0], c.curvatures[0])
        out |= {x: firsts[order] for x, order in c.symbols if x in d.values}
    return out


@pytest.mark.parametrize(
    "fault",
    [
        ("parameter Real", "parameter real"),
        ("equation\n", ""),
        (";\nend", "\nend"),
        (" = ", " == "),
        ("der(", "der(("),
    ],
)
def test_the_grammar_sees_faults(fault):
    text = derived(sample("four_bar")).export("modelica")
    with pytest.raises(ModelicaError):
        Reader(text.replace(*fault, 1))


class Plots:
    """A stand-in for matplotlib, which is no dependency: it counts what is drawn."""

    def __init__(self):
        self.curves = 0

    def subplots(self, rows, *_, **__):
        axis = type(
            "Axis",
            (),
            {
                "plot": lambda *_: self.draw(),
                "set_ylabel": lambda *_, **__: None,
                "set_xlabel": lambda *_: None,
                "grid": lambda *_, **__: None,
            },
        )()
        return type("Figure", (), {"tight_layout": lambda *_: None})(), np.array([[axis]] * rows)

    def draw(self):
        self.curves += 1

    def show(self):
        pass


def run_notebook(text, monkeypatch, duration=None):
    book = json.loads(text)
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5) and len(
        {c["id"] for c in book["cells"]}
    ) == len(book["cells"])
    for c in book["cells"]:
        assert set(c) == {
            "id",
            "cell_type",
            "metadata",
            "source",
            *(("execution_count", "outputs") if c["cell_type"] == "code" else ()),
        }
    plots, namespace = Plots(), {}
    import sys

    package = type(sys)("matplotlib")
    package.pyplot = plots
    monkeypatch.setitem(sys.modules, "matplotlib", package)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", plots)
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            exec(
                source
                if duration is None
                else re.sub(r"^duration = .*$", f"duration = {duration}", source, flags=re.M),
                namespace,
            )
    return book, namespace, plots


@pytest.mark.parametrize(
    "name",
    [
        "cart_pole",
        "four_bar",
        "gear_train",
        "rolling_disc",
        "gimbal_lock",
        "screw_jack",
        "knife_edge_sleigh",
    ],
)
def test_notebooks_run_and_move_as_the_engine_does(name, monkeypatch, capsys):
    d = derived(sample(name))
    short = min(1.5, d.plan.project.settings.duration.value)
    if d.plan.mechanism.drives:
        short = d.plan.project.settings.duration.value  # the courses are sampled over it
    book, namespace, plots = run_notebook(d.export("notebook"), monkeypatch, short)
    run = namespace["run"]
    assert (
        run.success
        and plots.curves == len(d.equations.coordinates)
        and "successfully" in capsys.readouterr().out
    )
    result = ms.simulate(d.plan.project, duration=short, sample_step=short / 400)
    until = run.t <= min(short, 2.0)
    for k, c in enumerate(d.plan.coordinates):
        if c.joint:
            form = d.plan.joint_forms.get((c.joint, c.component), ((k, 1),))
            mine = sum(
                f * (run.y[v] if v >= 0 else d.plan.symbols.value_of(-1 - v)) for v, f in form
            )
            theirs = result.joint_coordinates[c.joint][:, c.component]
            assert np.abs(mine[until] - theirs[until]).max() < 1e-5 * max(
                1.0, np.abs(theirs).max()
            ), c.meaning
    assert any("$$" in "".join(c["source"]) for c in book["cells"] if c["cell_type"] == "markdown")


@pytest.mark.parametrize("method", ["lagrange", "projected", "newton-euler"])
def test_a_notebook_shows_every_step_of_its_method(method):
    d = derive(project_file.load(sample("cart_pole")).project, method)
    text = "\n".join(
        "".join(c["source"])
        for c in json.loads(d.export("notebook"))["cells"]
        if c["cell_type"] == "markdown"
    )
    steps = d.chapter(method).steps
    assert steps and all(
        re.search(rf"^##+ {re.escape(prose(s.title))}$", text, re.M) for s in steps
    )
    assert (
        text.count("$$") > 2 * len(steps)
        and latex_fault("\n".join(re.findall(r"\$\$(.*?)\$\$", text, re.S))) == ""
    )


def test_a_notebook_without_matplotlib_says_what_it_needs(monkeypatch, capsys):
    book = json.loads(derived(sample("heavy_top")).export("notebook"))
    plot = "".join(book["cells"][-1]["source"])
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    exec(plot, {})
    assert capsys.readouterr().out == "The plot needs matplotlib: pip install matplotlib\n"


# reports


def test_the_report_of_a_four_bar_is_one_page():
    s = Source(derived(sample("four_bar")))
    for size in report.SIZES:
        source = report.typst_source(
            s.equations, s.project.mechanism, s.title, s.facts, s.colors, s.units, size
        )
        pages = report.page_count(style.compiler(source).compile(source.encode(), format="svg"))
        if pages == 1:
            break
    assert pages == 1 and size >= 7.3, "letters that can be read"
    assert len(s.facts.charts) == 2 and s.facts.remark == "" and s.facts.structure.mobility == 1
    assert derived(sample("four_bar")).export("report-pdf").startswith(b"%PDF-")


def test_the_html_report_needs_no_other_file():
    text = derived(sample("four_bar")).export(
        "report-html", title="Vier & <Gelenke>", units="inch-lbf"
    )
    assert (
        "<h1>Vier &amp; &lt;Gelenke&gt;</h1>" in text
        and "<script" not in text
        and "http" not in re.sub(r'src="data:[^"]*"', "", text)
    )
    assert (
        text.count("<img ") == 3
        and len(re.findall(r"<svg [^>]*role=\"img\"", text)) == 3
        and 'alt="Drawing of Vier &amp; &lt;Gelenke&gt;"' in text
        and ">Mobility</td><td>1<" in text
        and " in</td>" in text
    )
    assert text.count('class="value"') == len(derived(sample("four_bar")).equations.known)


def test_a_report_of_what_cannot_run_says_why():
    m = ms.Builder("Ghost")
    m.pin("A", m.ground, m.body("ghost"), at=(0, 0, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = derive(m.project()).export("report-html")
    assert "There is no run: " in text and text.count("<h2>Motion</h2>") == 0


def test_the_picture_of_a_report_shows_the_mechanism_closed():
    """A length that a slider changed leaves the drawing open: the picture is that of the closed
    drawing, as the run starts.
    """
    project = elements.set_quantity(
        project_file.load(next(p for p in SAMPLES if p.stem == "four_bar")).project,
        "L2",
        ("value",),
        "348 mm",
    )
    shown = ElementTree.fromstring(mechanism_drawing.svg(project.mechanism, 300.0, 200.0))
    closed = ElementTree.fromstring(
        mechanism_drawing.svg(ms.assemble(project).mechanism, 300.0, 200.0)
    )
    numbers = lambda svg: [
        float(x)
        for e in svg.iter()
        for key in ("points", "d", "cx", "cy", "x", "y")
        for x in re.findall(r"-?\d+\.?\d*", e.get(key, ""))
    ]
    assert len(numbers(shown)) > 50 and numbers(shown) == pytest.approx(numbers(closed), abs=0.011)


def test_constants_are_read_where_the_drawing_closes():
    """A slider-crank whose rod was made 340 mm long: its slider, driven by its place, starts at L1
    cos 60 deg + sqrt(L2^2 - (L1 sin 60 deg)^2).
    """
    project = elements.set_quantity(
        project_file.load(next(p for p in SAMPLES if p.stem == "slider_crank")).project,
        "L2",
        ("value",),
        "340 mm",
    )
    project, drive = insertion.add_drive(project, "D")
    project = insertion.set_drive_quantity(project, drive, "position")
    assert ms.derive(project).values["x_d"] == pytest.approx(
        0.1 * 0.5 + (0.34**2 - 0.75 * 0.1**2) ** 0.5, abs=1e-12
    )


def test_laws_of_time_are_exported_from_the_start_time_on():
    """Exported programs count the time from zero: their laws are those read from the start on."""
    m = ms.Builder("Late")
    rod = m.link("rod", (0, 0, 0), length="100 mm", angle=0)
    hinge = m.pin("A", m.ground, rod, at=(0, 0, 0))
    m.drive("motor", hinge, position=ms.expression("sin(2 rad/s*t)"))
    project = m.project()
    late = msgspec.structs.replace(
        project, mechanism=msgspec.structs.replace(project.mechanism, start=Quantity(0.3))
    )
    (course,) = motion_of(derive(late)).courses
    times = np.array(course.times)
    assert times[0] == 0.0
    np.testing.assert_allclose(course.values, np.sin(0.6 + 2 * times) - np.sin(0.6), atol=1e-12)
    np.testing.assert_allclose(course.rates, 2 * np.cos(0.6 + 2 * times), atol=1e-12)
