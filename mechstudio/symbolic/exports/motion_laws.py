"""Laws of forces that read the motion, as short programs that any language computes from the state
in each right-hand side: engine/system/law_tables.py makes the same code of them for the kernel.
"""

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mechstudio.model.equations.terms import Entry
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.laws import evaluation
from mechstudio.model.laws.evaluation import Variable
from mechstudio.model.laws.time_shift import later
from mechstudio.model.mechanism import Force, Law, Mechanism
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.symbolic.methods.law_readings import Read, reading

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

TIME = -1  # in place of a reading
_ONE = "1.0"
NEGATIVE_POWER = "NEGATIVE_POWER"
SLOPE = "d"  # what the slope of a step is called after


class Input(NamedTuple):
    """Number that a law reads: that of a reading, or TIME; is_rate: the reading's rate."""

    of: int
    is_rate: bool = False


class Step(NamedTuple):
    """One operation: its name, the two operands (equal for one), each a step's number, an input or
    a number.
    """

    operation: str
    a: "int | Input | float"
    b: "int | Input | float"


class MotionLaw(NamedTuple):
    """Law of a force's number.  name: of its symbol; rate: of the symbol of its rate, or empty.
    steps: in the order of computation, the last one the value; value: where there are none.
    """

    name: str
    rate: str
    steps: tuple[Step, ...]
    value: Input | float = 0.0


class MotionLaws(NamedTuple):
    """laws: that read the motion.  readings: entries of these and of their rates, by number.
    held: (force, number) whose laws read what has no closed form.
    """

    laws: tuple[MotionLaw, ...] = ()
    readings: tuple[tuple[Entry, Entry], ...] = ()
    held: tuple[tuple[str, str], ...] = ()


def reads_motion(mechanism: Mechanism, force: Force, law: Law) -> bool:
    """True if a law reads more than the time."""
    if law.type != "expression":
        return False
    known = evaluation.variables(mechanism, force)
    return any(n in known and known[n].kind != evaluation.CLOCK for n in evaluation.names(law.text))


def rate_symbol(force: Force, parameter: str) -> str:
    """Number of a force that is the rate of another one; empty for none."""
    kind = FORCE_TYPES[force.type]
    return next((p.name for p in kind.parameters if p.rate_of == parameter), "")


def motion_laws(d: "DerivedEquations", names: Mapping[tuple[str, str], str]) -> MotionLaws:
    """The laws of forces that read the motion.  names: of the symbols of numbers that follow a law,
    by (force, number).
    """
    mechanism = d.plan.mechanism
    places: dict[Read, int] = {}
    entries: list[tuple[Entry, Entry]] = []

    def place(of: Read) -> int:
        if of not in places:
            found = reading(d, of)
            if found is None:
                raise ExpressionError(f"{of} has no closed form")
            places[of] = len(entries)
            entries.append(found)
        return places[of]

    laws, held = [], []
    for force in mechanism.forces.values():
        for parameter, law in force.laws.items():
            if (force.id, parameter) not in names or not reads_motion(mechanism, force, law):
                continue
            name = names[force.id, parameter]
            rate = names.get((force.id, rate_symbol(force, parameter)), "")
            try:
                steps, value = _compiled(mechanism, force, later(law, mechanism.start.value), place)
                laws.append(MotionLaw(name, rate, steps, value))
            except ExpressionError:
                held.append((force.id, parameter))
    return MotionLaws(tuple(laws), tuple(entries), tuple(held))


def time_law(law: Law) -> MotionLaw:
    """An expression of the time alone.  Raises ExpressionError for what names more."""
    from mechstudio.engine.system.law_tables import compile_code

    numbers = {name: q.value for name, q in law.parameters.items()}

    def variable(name: str) -> tuple[int, int, int] | float:
        if name in numbers:
            return numbers[name]
        if name != evaluation.TIME:
            raise ExpressionError(name, unknown=name)
        return TIME, 0, 0

    return MotionLaw("", "", *_steps(*compile_code(evaluation.tree(law.text), variable)))


def _read(force: Force, variable: Variable) -> Read:
    if variable.joint:
        return Read(variable.joint, "", variable.place)
    if variable.kind == evaluation.POINT:
        return Read("", force.id, variable.place % 3)
    return Read(force.joint, "", force.coordinate) if force.joint else Read("", force.id, 0)


_RATES = (evaluation.RATE, evaluation.OWN_RATE)


def _compiled(
    mechanism: Mechanism, force: Force, law: Law, place: Callable[[Read], int]
) -> tuple[tuple[Step, ...], Input | float]:
    """Raises ExpressionError for what cannot be read."""
    from mechstudio.engine.system.law_tables import compile_code

    known = evaluation.variables(mechanism, force)
    numbers = {name: q.value for name, q in law.parameters.items()}

    def variable(name: str) -> tuple[int, int, int] | float:
        if name in numbers:
            return numbers[name]
        if name not in known:
            raise ExpressionError(name, unknown=name)
        of = known[name]
        if of.kind == evaluation.CLOCK:
            return TIME, 0, 0
        is_rate = of.kind in _RATES or (of.kind == evaluation.POINT and of.place > 2)
        return place(_read(force, of)), int(is_rate), 0

    return _steps(*compile_code(evaluation.tree(law.text), variable))


def _steps(code: np.ndarray, constants: np.ndarray) -> tuple[tuple[Step, ...], Input | float]:
    """The kernel's code as steps.  Raises ExpressionError where a number has no value."""
    from mechstudio.engine.kernels.loads import law_interpreter as kernel

    operations = {
        kernel.ADD: "ADD",
        kernel.SUBTRACT: "SUBTRACT",
        kernel.MULTIPLY: "MULTIPLY",
        kernel.DIVIDE: "DIVIDE",
        kernel.NEGATE: "NEGATE",
        kernel.POWER: "POWER",
        kernel.FIXED_POWER: "FIXED_POWER",
        kernel.MIN: "MIN",
        kernel.MAX: "MAX",
        kernel.HYPOT: "HYPOT",
        kernel.ATAN2: "ATAN2",
        kernel.SIN: "SIN",
        kernel.COS: "COS",
        kernel.TAN: "TAN",
        kernel.ASIN: "ASIN",
        kernel.ACOS: "ACOS",
        kernel.ATAN: "ATAN",
        kernel.SQRT: "SQRT",
        kernel.EXP: "EXP",
        kernel.LOG: "LOG",
        kernel.ABS: "ABS",
    }
    operands: list[int | Input | float] = []
    steps: list[Step] = []
    for (operation, a, b, _), (number, *_) in zip(code.tolist(), constants.tolist(), strict=True):
        if operation == kernel.CONSTANT:
            if not math.isfinite(number):
                raise ExpressionError(f"{number} is no number")
            operands.append(number)
        elif operation == kernel.VARIABLE:
            operands.append(Input(a, bool(b)))
        else:
            steps.append(Step(operations[operation], operands[a], operands[b]))
            operands.append(len(steps) - 1)
    last = operands[-1]
    return tuple(steps), 0.0 if isinstance(last, int) else last


# text of the operations, of operands u and w
VALUES = {
    "ADD": "{u} + {w}",
    "SUBTRACT": "{u} - {w}",
    "MULTIPLY": "{u}*{w}",
    "DIVIDE": "{u}/{w}",
    "NEGATE": "-{u}",
    "POWER": "pow({u}, {w})",
    "FIXED_POWER": "pow({u}, {w})",
    "MIN": "min({u}, {w})",
    "MAX": "max({u}, {w})",
    "HYPOT": "sqrt({u}*{u} + {w}*{w})",
    "ATAN2": "atan2({u}, {w})",
    "SIN": "sin({u})",
    "COS": "cos({u})",
    "TAN": "tan({u})",
    "ASIN": "asin({u})",
    "ACOS": "acos({u})",
    "ATAN": "atan({u})",
    "SQRT": "sqrt({u})",
    "EXP": "exp({u})",
    "LOG": "log({u})",
    "ABS": "abs({u})",
}


def _number(x: float) -> str:
    return f"({x!r})" if x < 0.0 else repr(x)


def _whole(x: float) -> str:
    """A number without decimals where it has none: the base of a power may be negative then."""
    return _number(x) if not x.is_integer() else str(int(x)) if x >= 0.0 else f"({int(x)})"


class Language(NamedTuple):
    """choice: of a where a condition holds, else of b.  unless_still: text that counts only where a
    slope is not zero.  own: texts of operations that are others than VALUES, among them that of
    NEGATIVE_POWER, a fixed power below zero.  exponent: text of the number c in u^c.
    """

    choice: Callable[[str, str, str], str]
    unless_still: Callable[[str, str], str]
    own: Mapping[str, str] = {}
    exponent: Callable[[float], str] = _number

    def value(self, operation: str, u: str, w: str) -> str:
        """The text of an operation."""
        fixed = operation == "FIXED_POWER"
        key = NEGATIVE_POWER if fixed and w.startswith("(") else operation
        text = self.own.get(key) or self.own.get(operation) or VALUES[operation]
        return text.format(u=u, w=w)


PYTHON = Language(
    lambda condition, a, b: f"({a} if {condition} else {b})",
    lambda slope, text: f"(0.0 if {slope} == 0.0 else {text})",
)
# what has no value is no number in C, as in the kernel
_POWER = "({u} == 0.0 && {w} < 0.0 ? NAN : pow({u}, {w}))"
C = Language(
    lambda condition, a, b: f"({condition} ? {a} : {b})",
    lambda slope, text: f"({slope} == 0.0 ? 0.0 : {text})",
    {
        "DIVIDE": "({w} != 0.0 ? {u}/{w} : NAN)",
        "POWER": _POWER,
        NEGATIVE_POWER: _POWER,
        "MIN": "({u} <= {w} ? {u} : {w} < {u} ? {w} : NAN)",
        "MAX": "({u} >= {w} ? {u} : {w} > {u} ? {w} : NAN)",
        "LOG": "({u} > 0.0 ? log({u}) : NAN)",
        "ABS": "fabs({u})",
    },
)
MODELICA = Language(
    lambda condition, a, b: f"noEvent(if {condition} then {a} else {b})",
    lambda slope, text: f"noEvent(if abs({slope}) > 0.0 then {text} else 0.0)",
    {"POWER": "{u}^{w}", "FIXED_POWER": "{u}^{w}"},
    _whole,
)


class Written(NamedTuple):
    """Written law.  lines: (name, text) in the order of computation; value, slope, curvature:
    texts, the last two where they are requested.
    """

    lines: tuple[tuple[str, str], ...]
    value: str
    slope: str = ""
    curvature: str = ""


class _Jet(NamedTuple):
    """Texts of a value, its slope and its curvature; the last two empty where they are zero."""

    f: str
    g: str = ""
    h: str = ""


def written(
    law: MotionLaw,
    language: Language,
    inputs: Callable[[Input], str],
    name: Callable[[str], str],
    order: int | None = None,
) -> Written:
    """A law in a language.  inputs: text of a reading, of its rate, or of the time.  name: of a
    step by its number, that of its slope followed by SLOPE, of its curvature by two of these.
    order: of the derivatives by the time that are requested; by default a slope where the law has
    a rate.  Curvatures are of laws that read nothing but the time.
    """
    order = bool(law.rate) if order is None else order
    lines: list[tuple[str, str]] = []
    made: list[_Jet] = []

    def jet(x: int | Input | float) -> _Jet:
        """Texts of an operand; rates that a law reads have no slope here, as in the kernel."""
        if isinstance(x, int):
            return made[x]
        if not isinstance(x, Input):
            return _Jet(_number(x))
        slope = "" if x.is_rate else _ONE if x.of == TIME else inputs(Input(x.of, True))
        return _Jet(inputs(x), slope)

    def named(text: str, after: str) -> str:
        if text in ("", _ONE):
            return text
        lines.append((name(after), text))
        return name(after)

    for k, step in enumerate(law.steps, 1):
        a, b = jet(step.a), jet(step.b)
        if step.operation == "DIVIDE" and b.f == _ONE:
            made.append(a)
            continue
        if step.operation == "MULTIPLY" and _ONE in (a.f, b.f):
            made.append(b if a.f == _ONE else a)
            continue
        if step.operation == "FIXED_POWER":
            b = _Jet(language.exponent(float(b.f.strip("()"))))
        f = named(language.value(step.operation, a.f, b.f), str(k))
        slope, curvature = _slopes(language, step.operation, f, a, b) if order else ("", "")
        g = named(slope, f"{k}{SLOPE}")
        h = named(curvature.format(g=g), f"{k}{SLOPE}{SLOPE}") if order > 1 else ""
        made.append(_Jet(f, g, h))
    f, g, h = made[-1] if made else jet(law.value)
    return Written(
        tuple(lines), f, (g or "0.0") if order else "", (h or "0.0") if order > 1 else ""
    )


def _plus(*terms: str) -> str:
    return " + ".join(t for t in terms if t)


def _times(*factors: str) -> str:
    """A product without factors of one; empty where one of its factors is zero."""
    return ("*".join(x for x in factors if x != _ONE) or _ONE) if all(factors) else ""


def _slopes(language: Language, operation: str, f: str, u: _Jet, w: _Jet) -> tuple[str, str]:
    """Slope and curvature of an operation of two operands, empty for zero; {g} in the curvature
    stands for the slope.  The chain rules are those of model/formulas/jets.py.
    """
    if not u.g and not w.g:
        return "", ""
    a, b, c, d = (x or "0.0" for x in (u.g, w.g, u.h, w.h))
    match operation:
        case "ADD":
            return _plus(u.g, w.g), _plus(u.h, w.h)
        case "SUBTRACT":
            minus = lambda x, y: f"{x} - {y}" if x and y else x or (f"-{y}" if y else "")
            return minus(u.g, w.g), minus(u.h, w.h)
        case "MULTIPLY":
            return _plus(_times(u.g, w.f), _times(u.f, w.g)), _plus(
                _times(u.h, w.f), _times("2.0", u.g, w.g), _times(u.f, w.h)
            )
        case "DIVIDE" if not w.g:
            return f"{u.g}/{w.f}", f"{u.h}/{w.f}" if u.h else ""
        case "DIVIDE":
            return f"({a} - {f}*{b})/{w.f}", f"({c} - 2.0*{{g}}*{b} - {f}*{d})/{w.f}"
        case "NEGATE":
            return f"-{u.g}", f"-{u.h}" if u.h else ""
        case "MIN" | "MAX":
            under = f"{u.f} {'<=' if operation == 'MIN' else '>='} {w.f}"
            return language.choice(under, a, b), language.choice(under, c, d)
        case "ABS":
            sign = lambda x: language.choice(
                f"{u.f} > 0.0", x, language.choice(f"{u.f} < 0.0", f"-{x}", "0.0")
            )
            return sign(u.g), sign(u.h) if u.h else ""
        case "HYPOT":
            return (
                f"({u.f}*{a} + {w.f}*{b})/{f}",
                f"({a}*{a} + {u.f}*{c} + {b}*{b} + {w.f}*{d} - {{g}}*{{g}})/{f}",
            )
        case "ATAN2":
            square = f"({u.f}*{u.f} + {w.f}*{w.f})"
            return (
                f"({w.f}*{a} - {u.f}*{b})/{square}",
                f"({w.f}*{c} - {u.f}*{d} - 2.0*{{g}}*({w.f}*{b} + {u.f}*{a}))/{square}",
            )
        case "POWER" if w.g:
            # of exp(w log u)
            log = language.value("LOG", u.f, u.f)
            first = f"({b}*{log} + {w.f}*{a}/{u.f})"
            second = f"{d}*{log} + 2.0*{b}*{a}/{u.f} + {w.f}*({c}/{u.f} - {a}*{a}/({u.f}*{u.f}))"
            return f"{f}*{first}", f"{f}*({first}*{first} + {second})"
        case "POWER" | "FIXED_POWER":
            if operation == "POWER":
                first, second = f"({w.f} - 1.0)", f"({w.f} - 2.0)"
                d1 = f"{w.f}*{language.value('POWER', u.f, first)}"
                d2 = f"{w.f}*{first}*{language.value('POWER', u.f, second)}"
            else:
                d1, d2 = _fixed(language, u.f, float(w.f.strip("()")))
        case _:
            d1, d2 = (x.format(f=f, u=u.f) for x in _DERIVATIVES[operation])
    curved = _plus(_times(d2, u.g, u.g), _times(d1, u.h))
    slope = _times(d1, u.g)
    if u.g == _ONE:
        return slope, curved
    return (
        language.unless_still(u.g, slope) if slope else "",
        language.unless_still(u.g, curved) if curved else "",
    )


def _fixed(language: Language, u: str, c: float) -> tuple[str, str]:
    """Derivatives of u^c by u."""

    def power(x: float) -> str:
        if x in (0.0, 1.0):
            return u if x else _ONE
        return language.value("FIXED_POWER", u, language.exponent(x))

    return (
        _times(_number(c), power(c - 1.0)) if c else "",
        _times(_number(c * (c - 1.0)), power(c - 2.0)) if c and c != 1.0 else "",
    )


# F' and F'' of functions f = F(u)
_DERIVATIVES = {
    "SIN": ("cos({u})", "(-{f})"),
    "COS": ("(-sin({u}))", "(-{f})"),
    "TAN": ("(1.0 + {f}*{f})", "2.0*{f}*(1.0 + {f}*{f})"),
    "ASIN": ("1.0/sqrt(1.0 - {u}*{u})", "{u}/(1.0 - {u}*{u})/sqrt(1.0 - {u}*{u})"),
    "ACOS": ("(-1.0)/sqrt(1.0 - {u}*{u})", "(-{u})/(1.0 - {u}*{u})/sqrt(1.0 - {u}*{u})"),
    "ATAN": ("1.0/(1.0 + {u}*{u})", "(-2.0)*{u}/((1.0 + {u}*{u})*(1.0 + {u}*{u}))"),
    "SQRT": ("0.5/{f}", "(-0.25)/({f}*{u})"),
    "EXP": ("{f}", "{f}"),
    "LOG": ("1.0/{u}", "(-1.0)/({u}*{u})"),
}
