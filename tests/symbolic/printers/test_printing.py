"""Printed equations: names, formats that can be read again, zero rows said so, sources of terms,
hostile names, size guard.
"""

import ast
import builtins
import functools
import json
import subprocess
import sys
import time

import msgspec
import numpy as np
import pytest
import sympy as sp
from hypothesis import HealthCheck, given, settings

import mechstudio as ms
from mechstudio.cli import main
from mechstudio.files import project_file
from mechstudio.model.equations.lecture import DIFFERENT
from mechstudio.model.equations.terms import Block, Entry, Group, Name, Term, Trig, written_row
from mechstudio.model.mechanism import Law, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Parameter, Quantity
from mechstudio.symbolic import DerivationError, TooLarge, derive
from mechstudio.symbolic.methods.intermediates import is_long
from mechstudio.symbolic.printers.printer import Language, Printer
from mechstudio.symbolic.printers.typst.typst_equations import _Linked
from mechstudio.symbolic.ring.names import identifier, split
from tests import mechanisms
from tests.benchmarks.derivations import MODELS, drawn
from tests.strategies import projects
from tests.symbolic.samples import ALIKE, SAMPLES, with_curves


def load(name):
    return project_file.load(next(p for p in SAMPLES if p.stem == name)).project


def test_zero_rows_are_said_to_be_zero():
    text = derive(load("four_bar")).text()
    assert text.count("0 = 0 in every position: hyperstatic") == 3
    assert "Joint C closes a loop" in text
    assert derive(load("door_two_hinges")).text().count("hyperstatic") == 5


@pytest.mark.parametrize(
    "name", ["robot_vacuum", "cam_profile", "cart_pole", "universal_joint_pair"]
)
def test_the_terms_of_an_element_are_all_there(name):
    """Read from its text, they are what the ring hands out one exponent at a time; and they make
    the element again.
    """
    d = derive(load(name), coordinates="auto")
    ring = d.ring
    for p in (p for matrix in d.matrices.values() for row in matrix for p in row):
        for element in (p, -p, p * ring.v[0] - ring.half * p + 7, ring.zero):
            requested = (
                {
                    tuple((i, int(e)) for i, e in enumerate(exponents) if e): c
                    for exponents, c in element.to_dict().items()
                }
                if element
                else {}
            )
            assert ring.terms(element) == requested and ring.element(requested) == element


def test_structure_line():
    assert (
        derive(load("cart_pole"))
        .text()
        .startswith("Lagrange's equations: M(q) q̈ + b(q, q̇) + g(q) = τ\n")
    )
    assert "+ C_qᵀ λ,   C(q) = 0,   C_q q̈ = γ" in derive(load("slider_crank")).text()


# ten to thirty seconds each, the first two in the angles of links; that their numbers are right is
# held by the tests against Newton and the engine
LONG = {
    "joint": (*ALIKE, "walking_linkage", "stewart_platform"),
    "link": (*ALIKE, "stewart_platform", "six_axis_arm", "walking_linkage"),
}


@pytest.mark.thinned(9)
@pytest.mark.parametrize(
    ("path", "coordinates"),
    [
        pytest.param(p, c, id=f"{c}-{p.stem}", marks=pytest.mark.slow if p.stem in LONG[c] else [])
        for c in ("joint", "link")
        for p in SAMPLES
    ],
)
@pytest.mark.thinned(4)
def test_every_format_of_every_sample(path, coordinates):
    """JSON strings are read by SymPy as the matrices; the Python module runs by itself and gives
    function()'s numbers.
    """
    d = with_curves(derive(project_file.load(path).project, coordinates=coordinates))
    report = json.loads(json.dumps(d.json()))
    names = {str(s): s for group in d.symbols.values() for s in group}
    lengths = {
        sp.Symbol(name): sp.sympify(text, locals=names)
        for name, text in report["definitions"].items()
    }
    # most entries are 0, and many stand twice
    read = functools.cache(lambda entry: sp.sympify(entry, locals=names).subs(lengths))
    for key, matrix in (
        ("mass_matrix", d.mass_matrix),
        ("bias", d.bias),
        ("gravity", d.gravity),
        ("constraints", d.constraints),
        ("jacobian", d.jacobian),
    ):
        entries = [e for row in report[key] for e in (row if isinstance(row, list) else [row])]
        assert len(entries) == len(matrix) and all(
            sp.expand(read(e) - m) == 0 for e, m in zip(entries, matrix)
        ), key
    prescribed = {k.name.name for k in d.equations.parameters if k.prescribed}
    assert report["values"] == {**d.values, **dict.fromkeys(prescribed)}
    assert report["symbols"]["q"] == [str(s) for s in d.symbols["q"]]
    namespace = {}
    exec(d.python(), namespace)
    namespace.get("FUNCTIONS", {}).update(d.functions)
    n = len(report["symbols"]["q"])
    q, v = np.linspace(0.2, 0.7, n), np.linspace(-1, 1, n)
    found, own = (f(q, v, 0.0, d.values) for f in (namespace["equations"], d.function()))
    for got, expected in zip(found, own, strict=True):
        size = max(1.0, np.abs(expected).max(initial=0.0))
        assert np.abs(got - expected).max(initial=0.0) <= (1e-12 * size if is_long(d) else 0.0)
    latex = d.latex()
    assert latex.count(r"\begin{bmatrix}") == latex.count(r"\end{bmatrix}") and latex.count(
        r"\left"
    ) == latex.count(r"\right")


def test_parameters_of_the_function():
    d = derive(load("cart_pole"))
    f = d.function()
    q, v = (0.1, 0.2), (0.3, 0.4)
    M = f(q, v, 0.0, {"m_c": 5.0})[0]
    assert M[0, 0] == pytest.approx(5.0 + d.values["m_p"]) and f(q, v)[0][0, 0] == pytest.approx(
        2.6
    )
    order = [str(s) for s in d.symbols["parameters"]]
    row = [5.0 if n == "m_c" else d.values[n] for n in order]
    assert np.array_equal(f(q, v, 0.0, row)[0], M)
    with pytest.raises(KeyError, match="m_c"):
        f(q, v, 0.0, {"mass": 1.0})
    with pytest.raises(ValueError, match="parameters are needed"):
        f(q, v, 0.0, [1.0])


def test_link_coordinates_are_the_same_motion():
    """q = T theta: M in link angles is T^T M T, b and g are T^T of theirs."""
    joint, link = (
        derive(load("double_pendulum")),
        derive(load("double_pendulum"), coordinates="link"),
    )
    T = np.array([[1.0, 0.0], [-1.0, 1.0]])
    theta, rate = np.array([0.4, -0.7]), np.array([1.1, 0.6])
    M, b, g, *_ = joint.function()(T @ theta, T @ rate)
    N, c, h, *_ = link.function()(theta, rate)
    assert (
        pytest.approx(T.T @ M @ T) == N
        and c == pytest.approx(T.T @ b)
        and h == pytest.approx(T.T @ g)
    )


def sources_of(entry):
    return {s for t in entry.terms for s in t.sources}


def test_terms_know_their_bodies_forces_and_joints():
    e = derive(load("cart_pole")).terms()
    M, g, tau = e.block("M"), e.block("g"), e.block("tau")
    assert [t.sources for t in M.rows[0][0].terms] == [("cart",), ("pole",)]
    assert sources_of(M.rows[0][1]) == {"pole"}
    assert sources_of(g.rows[0][0]) == {"wall_spring"} and sources_of(g.rows[1][0]) == {
        "pole",
        "pin_spring",
    }
    assert sources_of(tau.rows[0][0]) == {"motor"}
    assert {u.position.source for u in e.coordinates} == {"rail", "pin"}
    loop = derive(load("four_bar")).terms()
    assert "joint_3" in sources_of(loop.block("C").rows[0][0]) or "C" in sources_of(
        loop.block("C").rows[0][0]
    )
    assert loop.block("C").rows[1][0].is_zero


def test_terms_are_plain_data():
    e = derive(load("four_bar")).terms()
    assert msgspec.json.decode(msgspec.json.encode(e), type=type(e)) == e


def test_names_are_as_short_as_they_may_be():
    known = {k.name.name for k in derive(load("double_pendulum")).equations.known}
    assert {"m_upper", "m_lower", "c_upper", "J_lower", "g", "L1"} <= known
    single = derive(Project(mechanisms.ball_pendulum())).values
    assert "m" in single and "m_top" not in single
    assert (
        split("m_c") == ("m", "c")
        and split("theta0") == ("theta", "0")
        and split("k_theta") == ("k", "theta")
        and split("mass") == ("mass", "")
    )


@pytest.mark.parametrize(
    "name",
    [
        "link 1",
        "2. Rad",
        "ö",
        "L₁",
        "",
        "__import__('os')",
        '"""\nraise SystemExit',
        "a;b",
        "import",
        "λ",
        "x\\",
    ],
)
def test_whatever_bodies_and_joints_are_called(name):
    """Names never become code: identifiers are made of letters, and the module that is run contains
    nothing else.
    """
    assert identifier("m", name).isidentifier()
    m = mechanisms.double_pendulum()
    bodies = {k: msgspec.structs.replace(b, name=name) for k, b in m.bodies.items()}
    joints = {k: msgspec.structs.replace(j, name=name) for k, j in m.joints.items()}
    d = derive(Project(msgspec.structs.replace(m, bodies=bodies, joints=joints)))
    assert len(set(d.json()["symbols"]["q"])) == 2 and len(d.values) == len(d.symbols["parameters"])
    M = derive(Project(m)).function()((0.1, 0.2), (0.3, 0.4))[0]
    assert np.array_equal(d.function()((0.1, 0.2), (0.3, 0.4))[0], M)
    assert d.latex() and d.text()


@pytest.mark.parametrize("name", ["q", "v", "t", "lambda", "M", "g", "theta_A", "np", "λ", "L₁"])
def test_whatever_a_parameter_is_called(name):
    m = mechanisms.double_pendulum()
    body = msgspec.structs.replace(m.bodies["upper"], mass=Quantity(1.0, f"2*{name}"))
    m = msgspec.structs.replace(m, bodies={**m.bodies, "upper": body})
    d = derive(Project(m, {name: Parameter(name, Quantity(0.5), "mass")}))
    plain = derive(Project(mechanisms.double_pendulum()))
    for got, expected in zip(
        d.function()((0.1, 0.2), (0.3, 0.4)), plain.function()((0.1, 0.2), (0.3, 0.4)), strict=True
    ):
        assert got == pytest.approx(expected, rel=1e-14)
    assert 0.5 in d.values.values()


def test_equations_beyond_the_term_limit_are_not_expanded():
    d = derive(Project(mechanisms.chain(12)), term_limit=500)
    assert not d.complete and "500 terms" in d.text() and "M(q) q̈" in d.text()
    assert d.json()["complete"] is False and d.json()["mass_matrix"] == []
    with pytest.raises(TooLarge):
        d.mass_matrix  # noqa: B018
    assert d.function()(np.zeros(12), np.zeros(12))[0].shape == (12, 12)


def test_refusals_name_object_and_cure():
    with pytest.raises(DerivationError, match="no moving body"):
        derive(Project(Mechanism()))
    with pytest.raises(DerivationError, match="kane"):
        derive(load("cart_pole"), method="kane")
    m = mechanisms.door()
    upper = m.joints["upper"]
    away = msgspec.structs.replace(
        upper.frame_a,
        placement=msgspec.structs.replace(
            upper.frame_a.placement, position=(Quantity(0.0), Quantity(0.3), Quantity(1.7))
        ),
    )
    with pytest.raises(DerivationError, match="upper can never close"):
        derive(
            Project(
                mechanisms.with_joint(
                    mechanisms.door(),
                    "upper",
                    frame_a=msgspec.structs.replace(
                        away,
                        placement=msgspec.structs.replace(
                            away.placement, position=(Quantity(0.0), Quantity(0.0), Quantity(1.9))
                        ),
                    ),
                )
            )
        )


def test_progress_is_reported():
    reported = []
    derive(
        load("four_bar"), progress=lambda fraction, sentence: reported.append((fraction, sentence))
    )
    assert reported[0] == (0.0, "Reading the drawing") and "Kinetic energy of crank" in [
        s for _, s in reported
    ]
    assert [f for f, _ in reported] == sorted(f for f, _ in reported)


def test_command_line(capsys, tmp_path):
    path = str(next(p for p in SAMPLES if p.stem == "cart_pole"))
    assert main.main(["equations", path]) == 0
    assert "k_θ (θ − θ_0) = 0" in capsys.readouterr().out
    assert main.main(["equations", path, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["mass_matrix"][0][0] == "m_c + m_p"
    empty = tmp_path / "empty.mech"
    ms.save(Project(), empty)
    assert main.main(["equations", str(empty)]) == 1
    assert "no moving body" in capsys.readouterr().err
    assert main.main(["equations", str(tmp_path / "none.mech")]) == 2


def test_the_api_derives():
    assert ms.derive(load("four_bar")).jacobian.shape == (5, 3)


def test_first_result_comes_at_once_and_without_sympy():
    """A four-bar in under half a second of processor time in a fresh interpreter, imports of
    python-flint included; SymPy waits.
    """
    code = (
        "import sys, time; from mechstudio.files import project_file as file; p = "
        "file.load(sys.argv[1]).project; t = time.process_time()\n"
        "from mechstudio.symbolic import derive; derive(p).terms(); "
        "print(time.process_time() - t, 'sympy' in sys.modules)"
    )
    out = subprocess.run(
        [sys.executable, "-c", code, str(next(p for p in SAMPLES if p.stem == "four_bar"))],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, sympy_loaded = out.stdout.split()
    assert float(seconds) < 0.5 and sympy_loaded == "False"


def test_a_double_pendulum_takes_milliseconds():
    project = load("double_pendulum")
    derive(project)
    best = min(_time(lambda: derive(project)) for _ in range(5))
    assert best < 0.02


def _time(action):
    start = time.process_time()
    action()
    return time.process_time() - start


def test_data_types_of_terms():
    """A term is numerator, denominator and factors; a spring between points is written with its
    length.
    """
    from tests.symbolic.test_against_newton import END, WALL, loaded

    d = derive(Project(loaded("spring", frame_a=WALL, frame_b=END)))
    (definition,) = d.terms().definitions
    assert definition.name.letter == "ell" and definition.name.power == 2 and definition.entry.terms
    kinds = {type(f) for row in d.terms().block("g").rows for t in row[0].terms for f in t.factors}
    assert kinds <= {Name, Trig, Group} and Name in kinds
    assert all(
        isinstance(t, Term) and t.denominator > 0
        for row in d.terms().block("g").rows
        for t in row[0].terms
    )


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)
@given(projects())
def test_any_drawing_is_derived_or_refused_in_words(project):
    try:
        d = derive(project, term_limit=300)
    except DerivationError as refusal:
        assert str(refusal).endswith(".")
        return
    assert d.text() and d.latex() and d.json() and d.terms()
    if d.complete:
        d.function()
        assert unassigned(d.python()) == []


def unassigned(source):
    """Names that a function of generated code reads before it gives them a value."""
    tree, out = ast.parse(source), []
    outside = {*vars(builtins), "np", "sin", "cos", "sqrt", "values", "FUNCTIONS", "_required"}
    for f in tree.body:
        if not isinstance(f, ast.FunctionDef) or f.name not in ("equations", "forces"):
            continue
        known = {*outside, *(a.arg for a in f.args.args)}
        for statement in f.body:
            names = [n for n in ast.walk(statement) if isinstance(n, ast.Name)]
            out += [n.id for n in names if isinstance(n.ctx, ast.Load) and n.id not in known]
            known |= {n.id for n in names if isinstance(n.ctx, ast.Store)}
    return out


def test_a_name_without_a_value_is_seen():
    source = derive(load("elastic_pendulum")).python()
    assert unassigned(source) == []
    lines = source.splitlines()
    (k,) = [k for k, x in enumerate(lines) if " = sqrt(" in x][:1]
    name = lines[k].split()[0]
    del lines[k]
    assert name in unassigned("\n".join(lines))


def test_a_law_for_a_number_that_was_never_typed():
    """Viscous friction has a default, so that a law may stand for it while no number does."""
    from tests.symbolic.test_against_newton import loaded

    m = loaded(
        "friction_torque", joint="B", laws={"damping": Law("constant", {"value": Quantity(0.2)})}
    )
    (force,) = m.forces.values()
    numbers = {name: q for name, q in force.parameters.items() if name != "damping"}
    m = msgspec.structs.replace(
        m, forces={force.id: msgspec.structs.replace(force, parameters=numbers)}
    )
    assert "damping" not in numbers and derive(Project(m)).text()


def test_auto_takes_link_angles_for_loops():
    names = lambda name: [
        u.meaning for u in derive(load(name), coordinates="auto").terms().coordinates
    ]
    assert names("four_bar") == ["angle of crank", "angle of coupler", "angle of rocker"]
    assert names("double_pendulum") == ["angle of joint A", "angle of joint B"]
    assert names("six_axis_arm")[1] == "angle of joint axis 2"
    with pytest.raises(DerivationError, match="Coordinates are"):
        derive(load("four_bar"), coordinates="absolute")


@pytest.mark.parametrize(("count", "terms"), [(3, 0), (8, 752), (10, 1440)])
def test_auto_takes_link_angles_for_long_planar_chains(count, terms):
    """n = 8 has no closed form of 5000 terms in the angles of its joints."""
    d = derive(drawn(MODELS["pendulum_10"][0][:count]), coordinates="auto")
    meanings = [u.meaning for u in d.terms().coordinates]
    assert all(m.startswith("angle of joint") for m in meanings) == (count == 3)
    assert d.complete and not [p.key for p in d.proofs if p.how == DIFFERENT]
    if terms:
        assert sum(len(p) for m in d.matrices.values() for row in m for p in row) == terms
        joints = derive(drawn(MODELS["pendulum_10"][0][:count]), coordinates="joint")
        assert not joints.complete


def test_a_loop_closed_by_a_joint_without_rows_is_an_open_one():
    b = mechanisms.Builder()
    b.body("crank", (0.1, 0.0, 0.0))
    b.joint("A", "ground", "crank", (0.0, 0.0, 0.0))
    b.joint("B", "ground", "crank", (0.2, 0.0, 0.0), type="free")
    terms = derive(mechanisms.project(b.mechanism)).terms()
    assert terms.structure == "open" and not terms.multipliers
    assert written_row(terms, 0)[0]


def test_a_language_is_one_table():
    lisp = Printer(
        Language(
            name=lambda n: n.letter if n.power == 1 else f"(^ {n.letter} {n.power})",
            function=lambda f, inside: f"({f.function} {inside})",
            bracket=lambda inside, power: inside,
            term=lambda number, below, factors, inverses: (
                f"(* {number}/{below} {' '.join([*factors, *(f'(/ {x})' for x in inverses)])})"
            ),
            sum=lambda terms: f"(+ {' '.join(f'{sign}{text}' for sign, text in terms)})",
        )
    )
    m, r, a = Name("m", "m", power=2), Name("r", "r", power=-1), Name("a", "a")
    wave = Trig("cos", (Term(1, 1, (a,)),))
    terms = (Term(-1, 2, (m, r, wave)), Term(1, 1, (Group((Term(1, 1, (a,)),)),)))
    assert (
        lisp.sum(terms) == "(+ -(* 1/2 (^ m 2) (cos (+ +(* 1/1 a))) (/ r)) +(* 1/1 (+ +(* 1/1 a))))"
    )
    block = Block("N", "N", ((Entry(terms[1:]), Entry()),))
    assert lisp.matrix(block) == "[(+ +(* 1/1 (+ +(* 1/1 a)))), (+ )]"


def test_only_links_of_typst_write_terms_in_another_way():
    assert Printer.__subclasses__() == [_Linked]
