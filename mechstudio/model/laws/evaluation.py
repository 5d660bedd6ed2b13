"""Laws read in plain Python: values, slopes and curvatures of every type of LAW_TYPES, and what a
typed law may name.

A law is a number f of one variable s (time [s] of drives and forces, angle [rad] of cams).  Every
type but sine, expression and Geneva wheel becomes polynomial pieces (`pieces`), which the kernel
reads too; an expression is a formula (model/formulas/grammar.py) in which the law's variables
stand beside parameters.
Derivatives of expressions are second-order jets (f, f', f''), combined by the chain rule.
"""

import itertools
import math
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mechstudio.model.element_fields.laws import dimension_of
from mechstudio.model.formulas.dimensions import ExpressionError
from mechstudio.model.formulas.expression import Names, dimensioned, names_in, needs
from mechstudio.model.formulas.grammar import ALIKE, Node, continues_name, parsed
from mechstudio.model.formulas.jets import Jet, tree_jet
from mechstudio.model.laws import interpolation
from mechstudio.model.laws.geneva import FEWEST_SLOTS, Geneva, geneva_jet, geneva_numbers
from mechstudio.model.mechanism import Coupling, Drive, Force, Law, Mechanism
from mechstudio.model.types.forces import BODY, FORCE_TYPES, JOINT, TWO_POINTS
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.laws import LAW_TYPES
from mechstudio.model.units import UNITS
from mechstudio.translation import comma, tr

TIME, ANGLE = "t", "a"  # what laws of drives and forces, and those of cams, call their variable
VARIABLES = frozenset(
    {TIME, ANGLE}
)  # in a law's text these letters are never units: 2 rad/s*t is no tonne


BEHIND = 1e-13  # behind a kink with which a law begins [s or rad]
JUMP = 1e-9  # share of a derivative by which it jumps at a kink

GENEVA = ("geneva", "inner_geneva")  # types of laws that are no polynomial pieces


class Piece(NamedTuple):
    """From `begin` on to the next piece: sum c_k u^k with u = (s - origin) * inverse."""

    begin: float
    origin: float
    inverse: float
    coefficients: tuple[float, ...]


_REST_TO_REST = (0.0, 0.0, 0.0, 10.0, -15.0, 6.0)


def _number(law: Law, name: str) -> float:
    known = law.parameters.get(name)
    if known is not None:
        return known.value
    default = next(p.default for p in LAW_TYPES[law.type].parameters if p.name == name)
    assert default is not None, "parameters of laws have defaults"
    return default


def _numbers(law: Law) -> dict[str, float]:
    return {p.name: _number(law, p.name) for p in LAW_TYPES[law.type].parameters}


def sine_numbers(law: Law) -> tuple[float, float, float, float]:
    """Offset, amplitude, angular frequency and phase of a sine."""
    p = _numbers(law)
    return p["offset"], p["amplitude"], 2.0 * math.pi * p["frequency"], p["phase"]


def geneva_of(law: Law) -> Geneva:
    """Numbers of the wheel of a Geneva drive.  Raises KeyError for another type of law."""
    p = _numbers(law)
    return geneva_numbers(p["slots"], p["middle"], law.type == "inner_geneva")


def _level(begin: float, value: float) -> Piece:
    return Piece(begin, 0.0, 1.0, (value,))


def pieces(law: Law) -> tuple[Piece, ...]:
    """A law as polynomial pieces in ascending order; the first holds before its beginning and the
    last for ever.

    Those of a cam repeat every turn, from the first one's beginning on.  Raises KeyError for a type
    that is not made of pieces.
    """
    if law.type == "table":
        rows = interpolation.rows(_points(law), table_kind(law))
        return tuple(
            Piece(begin, begin if math.isfinite(begin) else 0.0, 1.0, coefficients)
            for begin, coefficients in rows
        )
    p = _numbers(law)
    if law.type == "constant":
        return (_level(-math.inf, p["value"]),)
    if law.type in ("ramp", "rest_to_rest"):
        change, end = p["end"] - p["start"], p["begin"] + p["duration"]
        shape = (0.0, 1.0) if law.type == "ramp" else _REST_TO_REST
        moving = Piece(
            p["begin"],
            p["begin"],
            1.0 / p["duration"],
            tuple(p["start"] * (k == 0) + change * c for k, c in enumerate(shape)),
        )
        return (_level(-math.inf, p["start"]), moving, _level(end, p["end"]))
    if law.type == "cam":
        lift, at = p["lift"], p["begin"]
        up = Piece(at, at, 1.0 / p["rise"], tuple(lift * c for c in _REST_TO_REST))
        top = at + p["rise"]
        back = top + p["dwell"]
        down = Piece(
            back,
            back,
            1.0 / p["fall"],
            tuple(lift * (k == 0) - lift * c for k, c in enumerate(_REST_TO_REST)),
        )
        return (
            up,
            *((_level(top, lift),) if p["dwell"] > 0.0 else ()),
            down,
            _level(back + p["fall"], 0.0),
        )
    raise KeyError(tr("A law of type {type} is not made of pieces.", type=law.type))


def table_kind(law: Law) -> str:
    """Interpolation of a table between its points; one that does not say is the spline that tables
    once were.
    """
    return law.between or interpolation.SPLINE


def _points(law: Law) -> list[tuple[float, float]]:
    return sorted((s.value, f.value) for s, f in law.points)


def overshoots(law: Law) -> tuple[interpolation.Overshoot, ...]:
    """Overshoots of a table beyond the points on either side, ascending; none for another law."""
    return interpolation.overshoots(_points(law), table_kind(law)) if law.type == "table" else ()


def worst_overshoot(law: Law) -> tuple[interpolation.Overshoot, float] | None:
    """The largest overshoot of a table, and its share of the table's range; None for none."""
    worst = max(overshoots(law), key=lambda o: o.size, default=None)
    if worst is None:
        return None
    values = [f for _, f in _points(law)]
    span = max(values) - min(values)
    return worst, worst.size / span if span > 0.0 else math.inf


def _piece_jet(piece: Piece, s: float) -> Jet:
    u = (s - piece.origin) * piece.inverse
    f = g = h = 0.0
    for c in reversed(piece.coefficients):
        h = h * u + 2.0 * g
        g = g * u + f
        f = f * u + c
    return f, g * piece.inverse, h * piece.inverse * piece.inverse


def jet(law: Law, s: float, others: Mapping[str, float] | None = None) -> Jet:
    """`jets` at one place."""
    return jets(law, (s,), others)[0]


def jets(law: Law, places: Iterable[float], others: Mapping[str, float] | None = None) -> list[Jet]:
    """(f, f', f'') of a law at each place; at a corner those of the piece that begins there.

    others: values of further names in an expression beside its parameters and its variable (`t` or
    `a`), all taken as constant in s.
    What has no value (a logarithm of a negative number, a division by zero) is NaN.  Raises
    ExpressionError where a text cannot be read or names something that has no number.
    """
    if law.type == "sine":
        return [_sine_jet(law, float(s)) for s in places]
    if law.type in GENEVA:
        drive = geneva_of(law)
        return [geneva_jet(drive, float(s)) for s in places]
    if law.type == "expression":
        # which names are variables and which parameters was decided when the numbers were put in
        # (law_texts.bound)
        known: dict[str, Jet] = {name: (value, 0.0, 0.0) for name, value in (others or {}).items()}
        known |= {name: (q.value, 0.0, 0.0) for name, q in law.parameters.items()}
        formula = tree(law.text)
        return [
            tree_jet(formula, {name: (float(s), 1.0, 0.0) for name in VARIABLES} | known)
            for s in places
        ]
    parts, periodic = pieces(law), LAW_TYPES[law.type].periodic
    begins = [p.begin for p in parts]
    out: list[Jet] = []
    for s in map(float, places):
        if periodic:
            s -= 2.0 * math.pi * math.floor((s - begins[0]) / (2.0 * math.pi))
        out.append(_piece_jet(parts[max(0, bisect_right(begins, s) - 1)], s))
    return out


def begins_behind(law: Law, place: float, order: int, way: int = 1) -> float:
    """The place from which a law is read where it begins at `place` and goes up (way 1) or down
    (-1): a little further if its derivative of that order [0 or 1] jumps there, as of a text that
    has a kink, where both sides are as good.  Pieces begin with what comes after.
    """
    if law.type != "expression":
        return place
    behind = way * max(BEHIND, 64.0 * math.ulp(place))
    at, near, further = (
        jet[order] for jet in jets(law, (place, place + behind, place + 2.0 * behind))
    )
    # a smooth law goes on by as much again
    jumps = abs(near - at) > max(10.0 * abs(further - near), JUMP * max(abs(at), abs(near)))
    return place + behind if jumps else place


def _sine_jet(law: Law, s: float) -> Jet:
    offset, amplitude, omega, phase = sine_numbers(law)
    x = omega * s + phase
    return (
        offset + amplitude * math.sin(x),
        amplitude * omega * math.cos(x),
        -amplitude * omega * omega * math.sin(x),
    )


# --- expressions ---


def tree(text: str) -> Node:
    """The tree of a law's text.  Raises ExpressionError."""
    return parsed(text, VARIABLES)


# --- what a text may name ---

COORDINATE, RATE, OWN_COORDINATE, OWN_RATE, POINT, CLOCK = (
    "coordinate",
    "rate",
    "own",
    "own rate",
    "point",
    "clock",
)
_RATES = {"angle": "angular_velocity", "length": "velocity"}


class Variable(NamedTuple):
    """Something that a law may name beside parameters.

    kind: CLOCK (its single variable: the time, or a cam's angle), OWN_COORDINATE and OWN_RATE of
    the force itself, POINT (place 0 to 5: x, y, z and vx, vy, vz of a BODY force's point in W),
    COORDINATE and RATE of `joint`'s coordinate number `place`.  meaning: in words.
    """

    name: str
    dimension: str
    kind: str
    meaning: str
    joint: str = ""
    place: int = 0


def _identifier(text: str) -> str:
    """A name as a formula can hold it: letters, digits and _, whatever the user called his
    joint.
    """
    kept = "".join(
        c if continues_name(c) else "_"
        for c in unicodedata.normalize("NFKC", text).translate(ALIKE)
    )
    while "__" in kept:
        kept = kept.replace("__", "_")
    return kept.strip("_")


def coordinate_variables(mechanism: Mechanism) -> dict[str, Variable]:
    """q_… and v_… of every joint coordinate, by name; a joint with one coordinate lends it its own
    name, equal names are numbered in file order.
    """
    out: dict[str, Variable] = {}
    for id, joint in mechanism.joints.items():
        kind = JOINT_TYPES.get(joint.type)
        if kind is None:
            continue
        for c, coordinate in enumerate(kind.coordinates):
            stem = (
                _identifier(joint.name or id)
                if kind.dof == 1
                else "_".join(filter(None, map(_identifier, (joint.name or id, coordinate.name))))
            )
            name, number = stem, 1
            while f"q_{name}" in out:
                number += 1
                name = f"{stem}_{number}"
            out[f"q_{name}"] = Variable(
                f"q_{name}",
                coordinate.dimension,
                COORDINATE,
                tr(
                    "{coordinate} of {joint}",
                    coordinate=tr(coordinate.name),
                    joint=joint.name or id,
                ),
                id,
                c,
            )
            out[f"v_{name}"] = Variable(
                f"v_{name}",
                _RATES[coordinate.dimension],
                RATE,
                tr(
                    "rate of {coordinate} of {joint}",
                    coordinate=tr(coordinate.name),
                    joint=joint.name or id,
                ),
                id,
                c,
            )
    return out


def variables(mechanism: Mechanism, element: Drive | Coupling | Force) -> dict[str, Variable]:
    """Names that the laws of an element may use beside parameters: its own, and those of a force
    all joints' coordinates, which its own hide.
    """
    own = own_variables(mechanism, element)
    if isinstance(element, Force) and element.type in FORCE_TYPES:
        return coordinate_variables(mechanism) | own
    return own


def own_variables(mechanism: Mechanism, element: Drive | Coupling | Force) -> dict[str, Variable]:
    """Names of its own that the laws of an element may use: a drive the time t, a cam its angle a,
    a force t and its own x and v, or the place x, y, z and velocity vx, vy, vz of its point on a
    body.
    """
    if isinstance(element, Coupling):
        return {ANGLE: Variable(ANGLE, "angle", CLOCK, tr("angle of the cam"))}
    out = {TIME: Variable(TIME, "time", CLOCK, tr("time"))}
    if isinstance(element, Drive):
        return out
    kind = FORCE_TYPES.get(element.type)
    if kind is None:
        return out
    if kind.attachment in (TWO_POINTS, JOINT):
        own = (
            "length"
            if kind.attachment == TWO_POINTS
            else dimension_of(mechanism, element.joint, element.coordinate, kind.joint_dimension)
        )
        what = (
            tr("distance of its ends")
            if kind.attachment == TWO_POINTS
            else tr("its joint coordinate")
        )
        out["x"] = Variable("x", own, OWN_COORDINATE, what)
        out["v"] = Variable("v", _RATES[own], OWN_RATE, tr("rate of {what}", what=what))
    elif kind.attachment == BODY:
        for k, name in enumerate(("x", "y", "z", "vx", "vy", "vz")):
            out[name] = Variable(
                name,
                "velocity" if k > 2 else "length",
                POINT,
                tr(
                    "{word} of its point along {name}",
                    word=tr("velocity") if k > 2 else tr("place"),
                    name=name[-1].upper(),
                ),
                "",
                k,
            )
    return out


def rate_variable(variable: Variable) -> Variable | None:
    """The rate of what a law may name; None for the time and for rates, whose own a law has not."""
    kinds = {COORDINATE: RATE, OWN_COORDINATE: OWN_RATE}
    if variable.kind in kinds:
        return variable._replace(kind=kinds[variable.kind])
    if variable.kind == POINT and variable.place < 3:
        return variable._replace(place=variable.place + 3)
    return None


def names(text: str) -> set[str]:
    """All names in a law's text; none for a text that cannot be read."""
    return names_in(text, VARIABLES)


def check(law: Law, own: str, known: Mapping[str, Variable], parameters: Names) -> str:
    """Reason why a law cannot stand where a number of dimension `own` is needed, as a sentence;
    empty if it can.

    known: what it may name (`variables`).  parameters: name -> (SI value, dimension).  A variable
    hides a parameter of the same name.
    """
    kind = LAW_TYPES.get(law.type)
    if kind is None:
        return tr(
            "There is no law of type {type}; there are {law_types}.",
            type=law.type,
            law_types=comma().join(LAW_TYPES),
        )
    if kind.text:
        return _check_text(law.text, own, known, parameters)
    over_angle = ANGLE in known
    if over_angle and law.type == "sine":
        return tr(
            "A sine runs over the time; over the angle of a cam, type an expression such as 0.01 "
            "m*sin(a)."
        )
    if kind.periodic and not over_angle:
        return tr(
            "{law} runs over the angle of a cam, not over the time; use rest to rest or a table.",
            law=tr(kind.label),
        )
    if law.type in GENEVA and own != "angle":
        return tr("A Geneva wheel turns; choose a joint whose coordinate is an angle.")
    for p in kind.parameters:
        value = _number(law, p.name)
        if not math.isfinite(value):
            return tr("{parameter} is not a number.", parameter=tr(p.label))
        if value < p.least:
            return tr(
                "{parameter} must {word}.",
                parameter=tr(p.label),
                word=tr("not be negative") if p.least == 0.0 else tr("be larger than zero"),
            )
    if kind.points:
        if law.between and law.between not in interpolation.TABLE_KINDS:
            return tr(
                "A table does not run by {between} between its points; it runs by {TABLE_KINDS}.",
                between=law.between,
                TABLE_KINDS=comma().join(interpolation.TABLE_KINDS),
            )
        if not law.points:
            return tr("The table has no points; give it at least two.")
        places = [s.value for s, _ in law.points]
        if not all(math.isfinite(q.value) for point in law.points for q in point):
            return tr("A point of the table is not a number.")
        for k, (a, b) in enumerate(itertools.pairwise(places)):
            if not a < b:
                return tr(
                    "Point {number} of the table does not come after point {number_2}; sort the "
                    "points and let no two stand at the same place.",
                    number=k + 2,
                    number_2=k + 1,
                )
    if law.type in GENEVA:
        slots = abs(_number(law, "slots"))
        if slots < FEWEST_SLOTS or slots != round(slots):
            return tr(
                "A Geneva wheel has a whole number of slots, at least {fewest}, not {slots}.",
                fewest=FEWEST_SLOTS,
                slots=f"{slots:g}",
            )
    if law.type == "cam":
        p = _numbers(law)
        if p["rise"] + p["dwell"] + p["fall"] > 2.0 * math.pi * (1.0 + 1e-12):
            return tr(
                "Rise, dwell and fall together are more than one turn; make one of them shorter."
            )
    return ""


# what the check of a text takes for a value that is not known before a run
_OPEN = math.nan


def _check_text(text: str, own: str, known: Mapping[str, Variable], parameters: Names) -> str:
    if not text.strip():
        return tr("The expression is empty.")
    seen = {**parameters, **{name: (_OPEN, v.dimension) for name, v in known.items()}}
    try:
        needs(own, dimensioned(tree(text), seen))
    except ExpressionError as error:
        if error.unknown and (error.unknown in VARIABLES or error.unknown not in UNITS):
            return tr(
                "{unknown} is not known here; a law may name {offer} and parameters.",
                unknown=error.unknown,
                offer=_offer(known),
            )
        return str(error)
    return ""


def _offer(known: Mapping[str, Variable]) -> str:
    offered = list(known.values())
    own = [v.name for v in offered if v.kind not in (COORDINATE, RATE)]
    joints = [v.name for v in offered if v.kind in (COORDINATE, RATE)]
    return ", ".join([*own, *joints[:8], *(["…"] if len(joints) > 8 else [])])


def breakpoints(law: Law) -> tuple[float, ...]:
    """Points where f or one of its derivatives jumps, ascending: the ends of all pieces; of a cam
    those within one turn from its rise on, of a Geneva wheel those where the pin enters and leaves.
    Expressions name none.
    """
    if law.type in GENEVA:
        drive = geneva_of(law)
        return (drive.begin, drive.end)
    if law.type in ("sine", "expression"):
        return ()
    return tuple(p.begin for p in pieces(law) if math.isfinite(p.begin))
