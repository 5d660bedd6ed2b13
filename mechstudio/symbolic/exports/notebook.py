"""Equations as a Jupyter notebook: the steps in LaTeX, the Python functions, a simulation and its
plot; needs numpy and scipy, for the plot matplotlib.
"""

import json
from collections.abc import Sequence
from typing import Any

from mechstudio.model.equations.lecture import FORMULAS, Chapter, Step
from mechstudio.model.equations.terms import Definition, Equations, written_row
from mechstudio.symbolic.exports import law_functions
from mechstudio.symbolic.exports.law_functions import Pieces
from mechstudio.symbolic.exports.motion_laws import PYTHON, TIME, MotionLaws, written
from mechstudio.symbolic.exports.simulation.course import Course
from mechstudio.symbolic.exports.simulation.motion import Motion
from mechstudio.symbolic.exports.simulation.rows import open_rows
from mechstudio.symbolic.methods.law_readings import READINGS
from mechstudio.symbolic.printers import latex, python
from mechstudio.symbolic.printers.printable import line
from mechstudio.translation import Words, tr

LONGEST = 400  # terms of one part that are typeset; browsers take seconds for more
ALPHA = 10.0  # 1/s: see exports/modelica.py
_TITLES: dict[str, Words] = {
    "coordinates": "Coordinates",
    "M": "Mass matrix",
    "b": "Velocity terms",
    "g": "Gravity and springs",
    "tau": "Loads",
    "C": "Constraints",
    "C_q": "Jacobian of the constraints",
    "gamma": "Velocity terms of the constraints",
    "definitions": "Lengths",
    "following": "What follows from parameters",
    "intermediates": "Intermediates",
    "rows": "Equations of motion, row by row",
    "structure": "Structure",
}

_SIMULATION = '''import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import BPoly
from scipy.linalg import qr

q0 = np.array({q})
v0 = np.array({v})
duration = {duration}
ROWS = {kept}            # independent rows of C at the start; the others repeat them
REPEAT = {repeat}         # rows repeat others: chosen again at each pose, as others may elsewhere
ROLLING = {rolling}         # those that hold velocities
ALPHA = {alpha}           # 1/s, how fast a gap in a loop closes

# what drives and laws prescribe: instants, and there place, rate and second rate
COURSES = {{{courses}}}  # the symbols with their order
SPLINES = {{name: BPoly.from_derivatives(times, np.array(table)) \
for name, (_, times, table) in COURSES.items()}}

{laws}

def parameters_at(t, q, v):
    """The parameters with what follows the time or the motion."""
    t = min(max(t, 0.0), duration)
    out = {held}
    for name, (symbols, _, _) in COURSES.items():
        for symbol, order in symbols:
            if symbol in PARAMETERS:
                out[symbol] = float(SPLINES[name](t, order))
    read_motion(t, q, v, out)
    return out


def accelerations(t, q, v):
    """a and the multipliers of all rows; zero for those that repeat others."""
    p = parameters_at(t, q, v)
    M, b, g, C, C_q, gamma = equations(q, v, t, p)
    right = forces(q, v, t, p) - b - g
    if not ROWS:
        return np.linalg.solve(M, right), np.zeros(len(C))
    n, m = len(q), len(ROWS)
    rows = sorted(qr(C_q.T, mode="r", pivoting=True)[1][:m].tolist()) if REPEAT else ROWS
    prescribed = np.array([float(SPLINES[DRIVEN[k]](min(max(t, 0.0), duration), 1)) \
if k in DRIVEN else 0.0 for k in rows])
    holding = np.array([ALPHA * C[k] if k in ROLLING else 2 * ALPHA * (C_q[k] @ v - u) \
+ ALPHA ** 2 * C[k] for k, u in zip(rows, prescribed)])
    matrix = np.block([[M, -C_q[rows].T], [C_q[rows], np.zeros((m, m))]])
    found = np.linalg.solve(matrix, np.concatenate((right, gamma[rows] - holding)))
    multipliers = np.zeros(len(C))
    multipliers[rows] = found[n:]
    return found[:n], multipliers


DRIVEN = {driven}          # row of a drive: the symbol of its place

run = solve_ivp(lambda t, y: np.concatenate((y[len(q0):], accelerations(t, y[:len(q0)], \
y[len(q0):])[0])), (0.0, duration), np.concatenate((q0, v0)),
                method="DOP853", rtol=1e-8, atol=1e-8, t_eval=np.linspace(0.0, duration, 401))
print(run.message, f"{{len(run.t)}} samples to {{run.t[-1]:g}} s")
'''

_MATHEMATICS = (
    "from math import acos, asin, atan, atan2, cos, exp, log, pow, sin, sqrt, tan  # of laws"
)
_PLOT = """try:
    import matplotlib.pyplot as plt
except ImportError:
    print("The plot needs matplotlib: pip install matplotlib")
else:
    figure, axes = plt.subplots(len(q0), 1, sharex=True, squeeze=False, \
figsize=(7, 1.6 * len(q0) + 0.8))
    for k, axis in enumerate(axes[:, 0]):
        axis.plot(run.t, run.y[k])
        axis.set_ylabel(LABELS[k], parse_math=False)
        axis.grid(alpha=0.3)
    axes[-1, 0].set_xlabel("t [s]")
    figure.tight_layout()
    plt.show()
"""


def formula(text: str) -> str:
    """Display mathematics of Markdown: no dollar ends it, nothing in it is read as HTML."""
    text = text.replace("\\$", "＄").replace("$", "＄").replace("<", "\\lt ").replace(">", "\\gt ")
    return f"$$\n{text}\n$$"


def prose(text: str) -> str:
    """Words of Markdown that mean nothing but themselves."""
    return "".join(
        f"\\{c}"
        if c in "\\`*_{}[]()#+-.!|$~"
        else {"<": "&lt;", ">": "&gt;", "&": "&amp;"}.get(c, c)
        for c in line(text)
    )


def printed(
    e: Equations,
    title: str,
    motion: Motion,
    functions: dict[str, Pieces],
    chapter: Chapter | None = None,
) -> str:
    """The notebook (nbformat 4.5).  functions: of the drawing, by name.  chapter: the steps of the
    derivation, where there are any.
    """
    cells = [
        _markdown(
            f"# {prose(title)}\n\n"
            + tr("Equations of motion by mechstudio. SI units, angles in radians.")
        )
    ]
    if chapter is not None:
        cells += [_step(s) for s in chapter.steps]
    cells.append(
        _markdown(
            f"## {tr('The equations')}\n\n"
            + formula(latex.structure(e))
            + "\n\n"
            + "\n".join(
                f"- ${latex.name(u.position)}$ – {prose(u.meaning)}".replace("<", "&lt;")
                for u in e.coordinates
            )
        )
    )
    shown = [b.key for b in e.blocks if b.key != READINGS]
    for key in [*(("rows",) if shown else ()), *shown]:
        title = tr(_TITLES[key]) if key in _TITLES else key
        cells.append(_markdown(f"### {title}\n\n{_part(e, key)}"))
    for part in ("definitions", "following"):
        lines = [f"{latex.name(d.name)} = {latex.entry(d.entry)}" for d in e.listed(part)]
        if lines:
            said = "\n\n".join(map(formula, lines))
            cells.append(_markdown(f"### {tr(_TITLES[part])}\n\n{said}"))
    if e.intermediates:
        cells += _intermediates(e.intermediates)
    notes = [*e.notes, *motion.remarks, *((motion.jumps,) if motion.jumps else ())]
    if notes:
        cells.append(_markdown("\n".join(f"- {prose(n)}" for n in notes)))
    if e.blocks:
        cells += [
            _markdown(f"## {tr('As Python functions')}"),
            _code(python.source(e) + law_functions.python(functions)),
            _markdown(f"## {tr('A simulation')}\n\n{tr('The start is that of the drawing.')}"),
            _code(_simulation(e, motion)),
            _code(f"LABELS = {[_label(u) for u in e.coordinates]!r}\n" + _PLOT),
        ]
    for k, cell in enumerate(cells):
        cell["id"] = f"cell-{k}"
    book = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(book, indent=1, ensure_ascii=True) + "\n"


def _label(unknown) -> str:
    return f"{line(unknown.meaning)} [{'m' if unknown.dimension == 'length' else 'rad'}]"


def _part(e: Equations, key: str) -> str:
    if key == "rows":
        if sum(b.term_count for b in e.blocks) > LONGEST:
            return "Too long to be read here; the matrices follow as functions."
        return "\n\n".join(
            formula(f"{latex.total(left)} = {latex.total(right)}")
            for left, right in (written_row(e, i) for i in range(len(e.coordinates)))
        )
    block = e.block(key)
    if block.term_count > LONGEST:
        return tr("{count} terms: too long to be read here.", count=block.term_count)
    if e.intermediates:
        return "\n\n".join(map(formula, latex.listed(block)))
    return formula(latex.part(e, key).removeprefix("\\[\n").removesuffix("\n\\]"))


def _intermediates(made: Sequence[Definition]) -> list[dict[str, Any]]:
    """Cells of as many formulas as are typeset at once."""
    out: list[dict[str, Any]] = []
    lines: list[str] = [f"### {tr(_TITLES['intermediates'])}"]
    count = 0
    for d in made:
        count += len(d.entry.terms)
        if count > LONGEST:
            out.append(_markdown("\n\n".join(lines)))
            lines, count = [], len(d.entry.terms)
        lines.append(formula(f"{latex.name(d.name)} = {latex.entry(d.entry)}"))
    return [*out, _markdown("\n\n".join(lines))]


def _step(step: Step) -> dict[str, Any]:
    parts = [
        f"{'###' if step.depth else '##'} {prose(step.title)}",
        *(prose(s) for s in step.sentences),
    ]
    if step.formula:
        parts.append(formula(FORMULAS[step.formula].latex))
    if (
        sum(len(e.left.terms) + len(e.right.terms) for e in step.equations)
        + sum(b.term_count for b in step.blocks)
        > LONGEST
    ):
        parts.append(tr("Too long to be read here."))
    else:
        parts += [
            formula(f"{latex.entry(e.left)} = {latex.entry(e.right)}") for e in step.equations
        ]
        parts += [formula(f"{latex.heading(b)} = {latex.matrix(b)}") for b in step.blocks]
    return _markdown("\n\n".join(parts))


def _simulation(e: Equations, motion: Motion) -> str:
    driven = {k: c.name for k, c in motion.driven.items()}
    return _SIMULATION.format(
        q=list(motion.q),
        v=list(motion.v),
        duration=motion.duration,
        kept=list(motion.kept),
        repeat=len(motion.kept) < open_rows(e),
        rolling=list(motion.rolling),
        alpha=ALPHA,
        courses=_courses(motion.courses),
        driven=driven,
        held={**motion.held},
        laws=_motion_laws(e, motion.laws),
    )


def _motion_laws(e: Equations, laws: MotionLaws) -> str:
    """The function that puts what laws make of the motion into the parameters."""
    out = ["", "def read_motion(t, q, v, out):"]
    if not laws.laws:
        return "\n".join([*out, "    pass", ""])
    out.append('    """Numbers of forces by their laws."""')
    if laws.readings:
        out.append("    x = law_readings(q, v, t, out).ravel().tolist()")
    for law in laws.laws:
        done = written(
            law,
            PYTHON,
            lambda x: "t" if x.of == TIME else f"x[{2 * x.of + x.is_rate}]",
            "l{}".format,
        )
        out += [f"    {name} = {text}" for name, text in done.lines]
        out.append(f"    out[{law.name!r}] = {done.value}")
        if law.rate:
            out.append(f"    out[{law.rate!r}] = {done.slope}")
    return "\n".join(["", _MATHEMATICS, *out, ""])


def _courses(courses: Sequence[Course]) -> str:
    rows = "".join(
        (
            f"\n    {c.name!r}: ({c.symbols!r}, {list(c.times)!r}, "
            f"{[list(row) for row in zip(c.values, c.rates, c.curvatures, strict=True)]!r}),"
        )
        for c in courses
    )
    return rows + "\n" if rows else ""


def _markdown(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(text: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": text.rstrip("\n").splitlines(keepends=True),
    }
