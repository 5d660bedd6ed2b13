"""Second-order jets (f, f', f'') of formulas: a value with its slope and curvature along one
variable, combined by the chain rule.

What has no value (a logarithm of a negative number, a division by zero) is NaN; at a corner of abs,
min and max the slope is that of one side.
"""

import math
from collections.abc import Callable, Mapping

from mechstudio.model.formulas.dimensions import ExpressionError
from mechstudio.model.formulas.grammar import Node
from mechstudio.translation import tr

Jet = tuple[float, float, float]
NAN = math.nan


def tree_jet(node: Node, known: Mapping[str, Jet]) -> Jet:
    """The jet of a formula.  known: jets of all names in it.  Raises ExpressionError for another
    name.
    """
    match node[0]:
        case "number":
            return node[1], 0.0, 0.0
        case "pi":
            return math.pi, 0.0, 0.0
        case "name":
            if node[1] not in known:
                raise ExpressionError(
                    tr("{node} is not known here.", node=node[1]), unknown=node[1]
                )
            return known[node[1]]
        case "sum":
            total = (0.0, 0.0, 0.0)
            for k, (sign, n) in enumerate(node[1]):
                j = tree_jet(n, known)
                j = j if sign == "+" else (-j[0], -j[1], -j[2])
                total = j if k == 0 else (total[0] + j[0], total[1] + j[1], total[2] + j[2])
            return total
        case "product":
            total = tree_jet(node[1][0][1], known)
            for operator, n in node[1][1:]:
                total = (product if operator == "*" else quotient)(total, tree_jet(n, known))
            return total
        case "power":
            return power(tree_jet(node[1], known), tree_jet(node[2], known))
        case "call":
            arguments = [tree_jet(n, known) for n in node[2]]
            if node[1] in BINARY:
                total = (
                    arguments[0]
                    if node[1] != "hypot" or len(arguments) > 1
                    else UNARY["abs"](arguments[0])
                )
                for a in arguments[1:]:
                    total = BINARY[node[1]](total, a)
                return total
            return UNARY[node[1]](arguments[0])
        case _:
            f, g, h = tree_jet(node[1], known)
            return f * node[3] / node[4], g * node[3] / node[4], h * node[3] / node[4]


def product(a: Jet, b: Jet) -> Jet:
    """a b."""
    return a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2]


def quotient(a: Jet, b: Jet) -> Jet:
    """a / b: f b = a, f' b = a' - f b', f'' b = a'' - 2 f' b' - f b''."""
    if b[0] == 0.0:
        return NAN, NAN, NAN
    f = a[0] / b[0]
    g = (a[1] - f * b[1]) / b[0]
    return f, g, (a[2] - 2.0 * g * b[1] - f * b[2]) / b[0]


def _chained(u: Jet, f: float, d1: float, d2: float) -> Jet:
    """The jet of F(u) from F, F' and F'' at u; what does not vary has no slope, whatever F' is."""
    if u[1] == 0.0 and u[2] == 0.0:
        return f, 0.0, 0.0
    return f, d1 * u[1], d2 * u[1] * u[1] + d1 * u[2]


def _pow(base: float, exponent: float) -> float:
    # C has nan^0 = 1^nan = 1, which would hide that there is no value
    if math.isnan(base) or math.isnan(exponent):
        return NAN
    try:
        return math.pow(base, exponent)
    except (ValueError, ZeroDivisionError):
        return NAN
    except OverflowError:
        return math.inf


def power(u: Jet, w: Jet) -> Jet:
    """u^w; with a varying exponent by (u^w)' = u^w (w log u)', which needs u > 0."""
    f = _pow(u[0], w[0])
    if w[1] == 0.0 and w[2] == 0.0:
        c = w[0]
        d1 = c * _pow(u[0], c - 1.0) if c != 0.0 else 0.0
        d2 = c * (c - 1.0) * _pow(u[0], c - 2.0) if c not in (0.0, 1.0) else 0.0
        return _chained(u, f, d1, d2)
    _, g, h = product(w, UNARY["log"](u))
    return f, f * g, f * (h + g * g)


def _guarded(function: Callable[[float], tuple[float, float, float]]) -> Callable[[Jet], Jet]:
    """function(u) -> (F, F', F'') as a function of jets; where the math library refuses: NaN,
    beyond the largest number: infinite.
    """

    def of_jet(u: Jet) -> Jet:
        try:
            return _chained(u, *function(u[0]))
        except (ValueError, ZeroDivisionError):
            return NAN, NAN, NAN
        except OverflowError:
            return math.inf, math.inf, math.inf

    return of_jet


def _tan(u: float) -> Jet:
    f = math.tan(u)
    return f, 1.0 + f * f, 2.0 * f * (1.0 + f * f)


def _asin_slopes(u: float) -> tuple[float, float]:
    d = math.inf if abs(u) == 1.0 else 1.0 / math.sqrt(1.0 - u * u)
    return d, u * d * d * d


def _asin(u: float) -> Jet:
    d1, d2 = _asin_slopes(u)
    return math.asin(u), d1, d2


def _acos(u: float) -> Jet:
    d1, d2 = _asin_slopes(u)
    return math.acos(u), -d1, -d2


def _atan(u: float) -> Jet:
    d = 1.0 / (1.0 + u * u)
    return math.atan(u), d, -2.0 * u * d * d


def _sqrt(u: float) -> Jet:
    f = math.sqrt(u)
    return (f, 0.5 / f, -0.25 / (f * u)) if f > 0.0 else (f, math.inf, -math.inf)


def _exp(u: float) -> Jet:
    f = math.exp(u)
    return f, f, f


def _log(u: float) -> Jet:
    return math.log(u), 1.0 / u, -1.0 / (u * u)


def _abs(u: float) -> Jet:
    return abs(u), float((u > 0.0) - (u < 0.0)), 0.0


UNARY: dict[str, Callable[[Jet], Jet]] = {
    "sin": _guarded(lambda u: (math.sin(u), math.cos(u), -math.sin(u))),
    "cos": _guarded(lambda u: (math.cos(u), -math.sin(u), -math.cos(u))),
    "tan": _guarded(_tan),
    "asin": _guarded(_asin),
    "acos": _guarded(_acos),
    "atan": _guarded(_atan),
    "sqrt": _guarded(_sqrt),
    "exp": _guarded(_exp),
    "log": _guarded(_log),
    "abs": _guarded(_abs),
}


def _least(a: Jet, b: Jet) -> Jet:
    return a if a[0] <= b[0] else b if b[0] < a[0] else (NAN, NAN, NAN)


def _most(a: Jet, b: Jet) -> Jet:
    return a if a[0] >= b[0] else b if b[0] > a[0] else (NAN, NAN, NAN)


def _hypot(a: Jet, b: Jet) -> Jet:
    """f^2 = a^2 + b^2, f f' = a a' + b b', f f'' = a'^2 + a a'' + b'^2 + b b'' - f'^2."""
    f = math.hypot(a[0], b[0])
    if not any((a[1], a[2], b[1], b[2])):
        return f, 0.0, 0.0
    if f == 0.0:
        return f, NAN, NAN
    g = (a[0] * a[1] + b[0] * b[1]) / f
    return f, g, (a[1] * a[1] + a[0] * a[2] + b[1] * b[1] + b[0] * b[2] - g * g) / f


def _atan2(y: Jet, x: Jet) -> Jet:
    """f' = (x y' - y x') / r^2, f'' = (x y'' - y x'' - 2 f' (x x' + y y')) / r^2."""
    f = math.atan2(y[0], x[0])
    if not any((x[1], x[2], y[1], y[2])):
        return f, 0.0, 0.0
    r2 = x[0] * x[0] + y[0] * y[0]
    if r2 == 0.0:
        return f, NAN, NAN
    g = (x[0] * y[1] - y[0] * x[1]) / r2
    return f, g, (x[0] * y[2] - y[0] * x[2] - 2.0 * g * (x[0] * x[1] + y[0] * y[1])) / r2


BINARY: dict[str, Callable[[Jet, Jet], Jet]] = {
    "min": _least,
    "max": _most,
    "hypot": _hypot,
    "atan2": _atan2,
}
