"""Functions of the drawing that formulas only name (laws of cams, curves, courses over time), as
polynomial pieces that any language evaluates.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import Joint, Law
from mechstudio.model.types.laws import LAW_TYPES
from mechstudio.symbolic.exports.simulation.course import Course
from mechstudio.symbolic.plan.plan import CURVATURE
from mechstudio.symbolic.printers.printable import clean, line
from mechstudio.symbolic.ring.turn_function import ATTITUDE, turn_function
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.engine.constraints.curves import CurveTable
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

DEGREE = 5
_KNOTS = 720  # intervals of one turn, for laws that are no polynomials
_TURNS = 4  # turns to either side for which an expression that does not repeat is laid out
_LONGEST = 12  # turns after which an expression is tried to repeat
_PROBES = (0.3, 2.0, 4.1, -7.7, 251.3, -333.1, 4321.0)  # [rad] at which it is compared


class Pieces(NamedTuple):
    """rows: (begin, c_0 … c_5) ascending by begin, f = sum c_k (s - begin)^k up to the next one;
    the first holds before its beginning, the last for ever.  period: after which all repeat from
    the first beginning on; 0 for never.  advance: added with each period.  end: of the last row,
    where the function is another one outside the rows; 0 where they hold for ever.
    """

    rows: tuple[tuple[float, ...], ...]
    period: float = 0.0
    advance: float = 0.0
    end: float = 0.0

    def at(self, s: float) -> tuple[float, float, float]:
        """f, f', f''."""
        begins, turns = [r[0] for r in self.rows], 0.0
        if self.period:
            turns = math.floor((s - begins[0]) / self.period)
            s -= self.period * turns
        row = self.rows[max(0, int(np.searchsorted(begins, s, side="right")) - 1)]
        u, f, g, h = s - row[0], 0.0, 0.0, 0.0
        for c in reversed(row[1:]):
            h = h * u + 2.0 * g
            g = g * u + f
            f = f * u + c
        return f + self.advance * turns, g, h


def functions_of(derivation: "DerivedEquations") -> dict[str, Pieces]:
    """Per opaque function of a derivation its pieces, by the name of the function."""
    mechanism, plan = derivation.plan.mechanism, derivation.plan
    out = {}
    # sources are those of the plan: what is printed has no letters that cannot be shown
    for i, f in enumerate(plan.functions):
        if i in plan.waves:
            continue
        name = clean(derivation.names.functions[i][0]).name
        if f.kind == ATTITUDE:
            out[name] = of_turns()
        elif f.kind == "law":
            law = mechanism.couplings[f.source].law
            assert law is not None
            out[name] = of_law(law)
        else:
            out[name] = of_track(mechanism.joints[f.source], f.component)
    return out


def of_turns() -> Pieces:
    """F(u) of symbolic/ring/turn_function.py, up to 176 degrees of turn; beyond these no formula of
    the drawing is meant.
    """
    rotated = np.linspace(0.0, 1.0, _KNOTS + 1) ** 0.75
    # the closer to half a turn, the faster it rises
    knots = np.unique(np.concatenate((3.0 - 3.995 * rotated, np.linspace(1.0, 3.0, _KNOTS // 2))))
    return Pieces(hermite(tuple(map(float, knots)), [turn_function(float(s))[:3] for s in knots]))


def of_law(law: Law) -> Pieces:
    """A law over an angle."""
    if law.type in evaluation.GENEVA:
        return _of_geneva(law)
    if law.type not in ("sine", "expression"):
        pieces = evaluation.pieces(law)
        first = next((p.begin for p in pieces if math.isfinite(p.begin)), 1.0) - 1.0
        rows = tuple(
            (
                p.begin if math.isfinite(p.begin) else first,
                *(c * p.inverse**k for k, c in enumerate(p.coefficients)),
                *[0.0] * (DEGREE + 1 - len(p.coefficients)),
            )
            for p in pieces
        )
        return Pieces(rows, 2.0 * math.pi if LAW_TYPES[law.type].periodic else 0.0)
    # most such laws repeat after a turn or some: then these are all there is
    turn = 2.0 * math.pi
    for turns in range(1, _LONGEST + 1):
        advance = _advance(law, turns * turn)
        if advance is not None:
            return Pieces(_laid(law, 0.0, turns), turns * turn, advance)
    span = _TURNS * turn
    # a polynomial of degree five is one piece, and holds everywhere
    ((begin, *c),) = hermite((-span, span), evaluation.jets(law, (-span, span)))
    sizes = [abs(x) * (2.0 * span) ** k for k, x in enumerate(c)]
    kept = [x if size > 1e-12 * max(sizes) else 0.0 for x, size in zip(c, sizes)]
    whole = Pieces(((begin, *kept),))
    if all(
        math.isclose(f, g, rel_tol=1e-9, abs_tol=1e-12)
        for s in _PROBES
        for f, g in zip(whole.at(s), evaluation.jet(law, s))
    ):
        return whole
    return Pieces(_laid(law, -span, 2 * _TURNS), end=span)


def _laid(law: Law, begin: float, turns: int) -> tuple[tuple[float, ...], ...]:
    """Rows of an expression over some turns."""
    knots = np.linspace(begin, begin + 2.0 * math.pi * turns, turns * _KNOTS + 1).tolist()
    return hermite(tuple(knots), [evaluation.jet(law, s) for s in knots])


def _advance(law: Law, period: float) -> float | None:
    """Growth of an expression with every period; None where it does not repeat."""
    steps = []
    for s in _PROBES:
        (f, *slopes), (g, *others) = evaluation.jet(law, s), evaluation.jet(law, s + period)
        size = abs(f) + abs(g)
        if not all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in zip(slopes, others)):
            return None
        steps.append((g - f, size))
    step = steps[0][0]
    if not all(abs(x - step) <= 1e-12 + 1e-9 * size for x, size in steps):
        return None
    return step if abs(step) > 1e-12 + 1e-9 * steps[0][1] else 0.0


def bounds(functions: dict[str, Pieces], derivation: "DerivedEquations") -> list[str]:
    """Sentences about functions that hold between two places only, and about open curves."""
    owners = {f.names[0].name: f.meaning for f in derivation.equations.functions}
    ending = [
        tr(
            "Exported, the {function} ({name}) holds from {begin:.4g} rad to {end:.4g} rad: it "
            "repeats after no whole number of turns.",
            function=owners[name],
            name=name,
            begin=p.rows[0][0],
            end=p.end,
        )
        for name, p in functions.items()
        if p.end
    ]
    return [*ending, *_straight_on(derivation)]


def _straight_on(derivation: "DerivedEquations") -> list[str]:
    """A sentence per joint on an open curve, which has no stop at its ends."""
    from mechstudio.engine.constraints.tracks import track_table

    joints = derivation.plan.mechanism.joints
    on_curves = dict.fromkeys(
        f.source
        for i, f in enumerate(derivation.plan.functions)
        if f.source in joints and i not in derivation.plan.waves
    )
    tables = {id: track_table(joints[id]) for id in on_curves}
    return [
        tr(
            "The curve of joint {name} is open: before 0 m and beyond {end:.4g} m of the way it "
            "goes straight on.",
            name=joints[id].name or id,
            end=table.length,
        )
        for id, table in tables.items()
        if table is not None and not table.closed
    ]


def _of_geneva(law: Law) -> Pieces:
    """The wheel of a Geneva drive over one turn of its crank."""
    drive = evaluation.geneva_of(law)
    ways = np.linspace(drive.begin, drive.end, _KNOTS + 1)
    # where the pin leaves, the curvature jumps: the last piece ends before that
    ways[-1] = np.nextafter(drive.end, drive.begin)
    rows = hermite(tuple(ways.tolist()), evaluation.jets(law, ways))
    still = (drive.end, evaluation.jet(law, drive.end)[0], *[0.0] * DEGREE)
    return Pieces((*rows, still), 2.0 * math.pi, drive.step)


def of_track(joint: Joint, component: int) -> Pieces:
    """One coordinate of a joint's curve over the way along it, an open one going on straight beyond
    its ends; or as y its lift over an angle.
    """
    from mechstudio.engine.constraints.tracks import track_table

    table = track_table(joint)
    assert table is not None
    bends = component - CURVATURE
    rows = [
        row
        for k, begin in enumerate(table.knots[:-1].tolist())
        for row in (
            [(begin, _bend(table, begin, bends), 0.0, 0.0, 0.0, 0.0, 0.0)]
            if bends >= 0
            else _arc(table, k, component)
            if table.curvature[k]
            else [(begin, *map(float, table.pieces[k, component]))]
        )
    ]
    if table.closed:
        return Pieces(tuple(rows), table.length)
    flat = (0.0, 0.0, 0.0, 0.0)
    if bends >= 0:
        return Pieces(((-1.0, 0.0, 0.0, *flat), *rows, (table.length, 0.0, 0.0, *flat)))
    (c0, d0, _), (c, d, _) = (
        [float(x[component]) for x in table.at(np.array(s))] for s in (0.0, table.length)
    )
    return Pieces(((-1.0, c0 - d0, d0, *flat), *rows, (table.length, c, d, *flat)))


def _bend(table: "CurveTable", s: float, axis: int) -> float:
    """Curvature about an axis at a way [1/m]."""
    _, d, dd = table.at(np.array(s))
    return float(np.cross(d, dd)[axis])


def _arc(table: "CurveTable", k: int, component: int) -> tuple[tuple[float, ...], ...]:
    """Rows of one coordinate of round piece k."""
    begin, end = table.knots[k : k + 2].tolist()
    turn = table.curvature[k] * (end - begin)
    ways = np.linspace(begin, end, math.ceil(_KNOTS * turn / (2.0 * math.pi)) + 1)
    # at its end the curve is that of the next piece
    inside = np.append(ways[:-1], np.nextafter(end, begin))
    jets = zip(*(x[:, component].tolist() for x in table.at(inside)), strict=True)
    return hermite(tuple(ways.tolist()), list(jets))


def of_course(course: Course) -> Pieces:
    """A course over the time."""
    return Pieces(
        hermite(
            course.times, list(zip(course.values, course.rates, course.curvatures, strict=True))
        )
    )


def hermite(
    knots: tuple[float, ...], jets: list[tuple[float, float, float]]
) -> tuple[tuple[float, ...], ...]:
    """Quintic polynomials through value, slope and curvature at all knots."""
    out = []
    for s, e, (f, g, k), (f1, g1, k1) in zip(knots, knots[1:], jets, jets[1:]):
        h = e - s
        d, dg, dk = (f1 - f - h * (g + h * k / 2)) / h**3, (g1 - g - h * k) / h**2, (k1 - k) / h
        out.append(
            (
                s,
                f,
                g,
                k / 2,
                10 * d - 4 * dg + dk / 2,
                (-15 * d + 7 * dg - dk) / h,
                (6 * d - 3 * dg + dk / 2) / h**2,
            )
        )
    return tuple(out)


_PYTHON = '''
def piecewise(rows, period, advance=0.0):
    """s -> (f, f', f'') of polynomial pieces: rows of where a piece begins and its coefficients; \
they repeat after a period, if it is not zero, higher by an advance."""
    rows = np.array(rows)

    def f(s):
        turns = np.floor((s - rows[0, 0]) / period) if period else 0.0
        u = s - period * turns
        begin, *c = rows[max(0, np.searchsorted(rows[:, 0], u, side="right") - 1)]
        u = u - begin
        return (advance * turns + c[0] + u*(c[1] + u*(c[2] + u*(c[3] + u*(c[4] + u*c[5])))), \
c[1] + u*(2*c[2] + u*(3*c[3] + u*(4*c[4] + u*5*c[5]))),
                2*c[2] + u*(6*c[3] + u*(12*c[4] + u*20*c[5])))
    return f

'''


def python(functions: dict[str, Pieces], remarks: Sequence[str] = ()) -> str:
    """Source text that a Python module of the equations needs at its end to have its functions.
    remarks: sentences about them.
    """
    if not functions:
        return ""
    lines = [
        f"FUNCTIONS[{name!r}] = piecewise([\n"
        + ",\n".join(f"    {list(row)!r}" for row in p.rows)
        + f"], {p.period!r}, {p.advance!r})"
        for name, p in functions.items()
    ]
    lines = [*(f"# {line(remark)}" for remark in remarks), *lines]
    return "\n" + _PYTHON + "\n" + "\n".join(lines) + "\n"
