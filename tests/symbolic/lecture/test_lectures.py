"""The lecture's chapters: complete, closed under their names, and true in numbers where they write
equations.
"""

from unicodedata import normalize

import msgspec
import numpy as np
import pytest

from mechstudio.files import project_file
from mechstudio.model.equations.lecture import CHAPTER_TITLES, FORMULAS, METHODS, STEPS, Lecture
from mechstudio.model.equations.terms import Group, Name
from mechstudio.symbolic import derive
from tests.symbolic.samples import SAMPLES, with_curves

FEW = [
    p
    for p in SAMPLES
    if p.stem not in ("stewart_platform", "six_axis_arm", "robot_vacuum", "andrews_squeezer")
]


def names(entry):
    found, waiting = [], list(entry.terms)
    while waiting:
        for f in waiting.pop().factors:
            if isinstance(f, Name):
                found.append(f)
            else:
                waiting += f.terms if isinstance(f, Group) else f.argument
    return found


def number(entry, values):
    """An entry's number."""

    def factor(f):
        if isinstance(f, Name):
            return values[f.name] ** f.power
        inside = sum(term(t) for t in (f.terms if isinstance(f, Group) else f.argument))
        return (inside if isinstance(f, Group) else getattr(np, f.function)(inside)) ** f.power

    def term(t):
        return t.numerator / t.denominator * np.prod([factor(f) for f in t.factors])

    return sum(term(t) for t in entry.terms)


@pytest.mark.thinned(9)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
@pytest.mark.thinned(4)
def test_every_sample_has_three_lectures(path):
    d = with_curves(derive(project_file.load(path).project, coordinates="auto"))
    lecture = d.lecture()
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(lecture), type=Lecture) == lecture
    assert [c.key for c in lecture.chapters] == list(METHODS)
    for chapter in lecture.chapters:
        keys = [s.key for s in chapter.steps]
        assert (
            len(set(keys)) == len(keys)
            and [k for k in keys if k != "cyclic"][-1] == "result"
            and not chapter.refusal
        )
        heads = [s.key for s in chapter.steps if not s.depth]
        for s in chapter.steps:
            # what is said of one body or load is a part of the step that is named before the colon
            step, colon, _ = s.key.partition(":")
            assert s.depth == bool(colon) and step in heads, s.key
            assert (
                s.kind in STEPS
                and (not s.formula or s.formula in FORMULAS)
                and all(t.endswith((".", ":")) for t in s.sentences)
            ), s.key
        blocks = [
            b.key for s in chapter.steps for b in s.blocks if b.key not in ("M", "b", "g", "tau")
        ]
        assert len(set(blocks)) == len(blocks)


@pytest.mark.thinned(9)
@pytest.mark.parametrize("path", FEW, ids=lambda p: p.stem)
@pytest.mark.thinned(4)
def test_the_balances_of_all_bodies_hold_in_numbers(path):
    """Reactions from the joints' own balances, put into all 6 n equations of Newton-Euler, for any
    accelerations and multipliers that fulfil the result.
    """
    project = project_file.load(path).project
    d = with_curves(derive(project, coordinates="auto"))
    lecture = d.lecture(["newton-euler"])
    n, m = len(d.plan.coordinates), len(d.rows)
    rng = np.random.default_rng(3)
    q, v = 0.3 + 0.2 * rng.uniform(-1, 1, n), rng.uniform(-1, 1, n)
    M, b, g, _, C_q, _ = d.function()(q, v, 0.0, d.values)
    multipliers = rng.uniform(-1, 1, m)
    tau = d.forces_function()(q, v, 0.0, d.values)
    a = np.linalg.solve(M, tau + C_q.T @ multipliers - b - g)
    e = lecture.equations
    values = {k.name.name: k.value for k in e.known} | {
        x.name: y for x, y in zip(e.multipliers, multipliers)
    }
    for u, x, y, z in zip(e.coordinates, q, v, a):
        values |= {u.position.name: x, u.velocity.name: y, u.acceleration.name: z}
    for f in e.functions:
        jet = d.functions[f.names[0].name](number(f.argument, values))
        values |= {name.name: x for name, x in zip(f.names, jet)}
    values |= {k.name.name: np.sqrt(number(k.entry, values)) for k in e.definitions}
    unknown = [r.name.name for r in lecture.reactions if r.name.name not in values]
    equations = []
    for step in lecture.chapter("newton-euler").steps:
        if step.key.startswith("balances:"):
            for x in step.equations:
                if x.label:
                    equations.append(x)
                else:  # a name for what stands in several of them
                    values[x.left.terms[0].factors[0].name] = number(x.right, values)
    assert len(equations) == 6 * len(project.mechanism.bodies)
    residual = lambda known: np.array(
        [number(x.left, known) - number(x.right, known) for x in equations]
    )
    start = residual(values | dict.fromkeys(unknown, 0.0))
    columns = (
        np.array(
            [
                residual(values | dict.fromkeys(unknown, 0.0) | {name: 1.0}) - start
                for name in unknown
            ]
        )
        .reshape(len(unknown), len(start))
        .T
    )
    found, _, rank, _ = np.linalg.lstsq(columns, -start, rcond=None)
    assert rank == len(unknown), "each joint's reactions are independent"
    assert np.abs(start + columns @ found).max() < 1e-9 * max(1.0, np.abs(start).max())


def test_cart_pole_s_balances_read_as_on_paper():
    from mechstudio.symbolic.printers import text

    d = derive(project_file.load(next(p for p in SAMPLES if p.stem == "cart_pole")).project)
    step = d.chapter("newton-euler").step("balances:pole")
    assert [
        normalize("NFC", f"{text.entry(x.left)} = {text.entry(x.right)}") for x in step.equations
    ][:3] == [
        normalize("NFC", s)
        for s in (
            "m_p ẍ + m_p L θ̈ cos θ − m_p L θ̇² sin θ = F_pin_x",
            "0 = F_pin_y",
            "m_p L θ̈ sin θ + m_p L θ̇² cos θ = −m_p g + F_pin_z",
        )
    ]


def test_every_chapter_can_be_requested():
    d = derive(
        project_file.load(next(p for p in SAMPLES if p.stem == "four_bar")).project,
        coordinates="auto",
    )
    for key in CHAPTER_TITLES:
        chapter = d.chapter(key)
        assert chapter.steps or chapter.refusal, key


def test_the_command_line_prints_chapters_and_proofs(capsys):
    from mechstudio.cli import main

    path = str(next(p for p in SAMPLES if p.stem == "four_bar"))
    assert (
        main.main(
            [
                "equations",
                path,
                "--chapter",
                "partition",
                "--chapter",
                "newton-euler",
                "--proofs",
                "--method",
                "projected",
            ]
        )
        == 0
    )
    out = capsys.readouterr().out
    assert (
        "N[1] = −L_3 L_2 sin(θ_rocker − θ_coupler)" in out
        and "= Newton-Euler and Lagrange give the same mass matrix M.  [exact]" in out
    )
    assert "~ The simulator accelerates alike.  [by numbers]" in out and "0 = F_A_y − F_B_y" in out
