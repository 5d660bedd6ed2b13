"""Exported Modelica models, run: read by modelica_reader.py, translated to Python, integrated.

What equations give one after the other is computed so; those left over hold a and the multipliers,
in which they are linear.
"""

import math

import numpy as np
from scipy.integrate import solve_ivp

from tests.symbolic.modelica_reader import ModelicaError, Reader

MOST = 30_000  # evaluations of a run


def _mul(a, b):
    return a @ b if np.ndim(a) and np.ndim(b) else a * b


def _assert(holds, text):
    if not holds:
        raise ModelicaError(text)


_BUILTIN = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "abs": abs,
    "min": min,
    "max": max,
    "floor": math.floor,
    "noEvent": lambda x: x,
    "transpose": np.transpose,
    "size": lambda a, k: np.shape(a)[int(k) - 1],
    "zeros": lambda *n: np.zeros([int(k) for k in n]),
    "fill": lambda x, *n: np.full([int(k) for k in n], x),
    "assert": _assert,
}
_SIGNS = {"and": "and", "<>": "!=", "^": "**"}


def text(tree):
    """A tree as a Python expression."""
    match tree:
        case ("number" | "string", x):
            return repr(x)
        case ("name", name):
            return f"V_{name}"
        case ("index", name, places):
            return f"V_{name}[{', '.join(map(_place, places))}]"
        case ("call", name, arguments):
            return f"F_{name}({', '.join(map(text, arguments))})"
        case ("list", items):
            return f"np.array([{', '.join(map(text, items))}])"
        case ("table", rows):
            return f"np.array([{', '.join(text(('list', row)) for row in rows)}])"
        case ("choice", condition, a, b):
            return f"({text(a)} if {text(condition)} else {text(b)})"
        case ("not", a):
            return f"(not {text(a)})"
        case ("*", a, b):
            return f"_mul({text(a)}, {text(b)})"
        case ("+" | "-", *_):
            # Python reads no more than some brackets in each other
            terms = []
            while tree[0] in ("+", "-") and len(tree) == 3:
                terms.append(f" {tree[0]} {text(tree[2])}")
                tree = tree[1]
            return f"({text(tree)}{''.join(reversed(terms))})"
        case (sign, a, b):
            return f"({text(a)} {_SIGNS.get(sign, sign)} {text(b)})"
    raise ModelicaError(f"{tree} is no expression")


def _place(tree):
    if tree is None:
        return ":"
    if tree[0] == "range":
        return f"int({text(tree[1])}) - 1:int({text(tree[2])})"
    return f"int({text(tree)}) - 1"


def _statements(statements, indent):
    out = []
    for s in statements:
        match s:
            case ("set", name, tree):
                out.append(f"{indent}V_{name} = _copy({text(tree)})")
            case ("put", name, places, tree):
                out.append(f"{indent}V_{name}[{', '.join(map(_place, places))}] = {text(tree)}")
            case ("call", name, arguments):
                out.append(f"{indent}F_{name}({', '.join(map(text, arguments))})")
            case ("while", condition, inside):
                out += [f"{indent}while {text(condition)}:", *_statements(inside, indent + "    ")]
            case ("for", name, ("range", first, *rest), inside):
                step = text(rest[0]) if len(rest) > 1 else "1.0"
                span = f"_span({text(first)}, {step}, {text(rest[-1])})"
                out += [f"{indent}for V_{name} in {span}:", *_statements(inside, indent + "    ")]
            case ("if", branches):
                for k, (condition, inside) in enumerate(branches):
                    out.append(f"{indent}{'elif' if k else 'if'} {text(condition)}:")
                    out += _statements(inside, indent + "    ")
    return out


def _span(first, step, last):
    return range(int(first), int(last) + (1 if step > 0 else -1), int(step))


def _function(name, body, local):
    inputs, output, statements = body
    lines = [f"def F_{name}({', '.join(f'V_{x}' for x in inputs)}):"]
    for x, dimensions in local.items():
        sizes = ", ".join(
            str(n) if isinstance(n, int) else f"int({text(n)})" for n in dimensions if n is not None
        )
        lines.append(f"    V_{x} = np.zeros(({sizes},))" if dimensions else f"    V_{x} = 0.0")
    return "\n".join([*lines, *_statements(statements, "    "), f"    return V_{output}"])


class Model:
    """states: names of what is integrated, with their starts; rates(t, y): their derivatives."""

    def __init__(self, source):
        model = self.model = Reader(source)
        space = {"np": np, "_mul": _mul, "_copy": np.copy, "_span": _span}
        space |= {f"F_{name}": f for name, f in _BUILTIN.items()}
        for name, body in model.bodies.items():
            exec(_function(name, body, model.locals[name]), space)
        space |= {f"V_{name}": eval(text(tree), space) for name, tree in model.parameters.items()}
        self.states = list(model.starts)
        self.start = np.array([eval(text(t), space) for t in model.starts.values()], float)
        ahead, residuals, slopes, backwards = [], [], {}, []
        for left, right in model.equations:
            match left:
                case ("call", "der", [("name", name)]):
                    slopes[name] = text(right)
                case ("name", "a" | "multipliers") if right[0] == "list":
                    backwards.append((left[1], [x[1] for x in right[1]]))
                case ("name" | "index", *_) if all(
                    p is not None for p in (left[2] if left[0] == "index" else ())
                ):
                    ahead.append((left, f"{text(left)} = {text(right)}"))
                case _:
                    residuals.append((left, right))
        self.sizes = {n: d for n, d in model.variables.items() if d}
        inside = [f"    V_{n} = np.zeros({tuple(d)})" for n, d in self.sizes.items()]
        inside += [f"    V_{x} = y[{k}]" for k, x in enumerate(self.states)]
        solved = {"a", "multipliers"}
        # what is made of a alone comes last
        known = [line for left, line in self._sorted(ahead)]
        count = {n: d[0] for n, d in self.sizes.items() if n in solved}
        if not residuals:
            at = [f"    {line}" for line in known]
        else:
            first = [f"    {x}" for x in known]
            total = sum(count.values())
            pieces = ", ".join(f"np.ravel({text(a)} - ({text(b)}))" for a, b in residuals)
            places, begin = [], 0
            for n, size in count.items():
                places.append(f"        V_{n} = z[{begin}:{begin + size}]")
                begin += size
            at = [
                *first,
                "    def rest(z):",
                *places,
                f"        return np.concatenate(({pieces},))",
                f"    base = rest(np.zeros({total}))",
                f"    A = np.array([rest(e) for e in np.eye({total})]).T - base[:, None]",
                "    z = np.linalg.solve(A, -base)",
                *(x.replace("        ", "    ", 1) for x in places),
            ]
        for name, members in backwards:
            at += [f"    V_{x} = V_{name}[{k}]" for k, x in enumerate(members)]
        ends = ", ".join(f"{slopes[x]}" for x in self.states)
        self.source = "\n".join(
            ["def rates(V_time, y):", *inside, *at, f"    return np.array([{ends}], float)"]
        )
        exec(self.source, space)
        self.rates = space["rates"]

    def _sorted(self, ahead):
        """Equations in an order in which they can be computed."""
        made = set(self.states) | set(self.model.parameters) | {"time"}
        waiting = list(ahead)
        arrays = {n: math.prod(d) for n, d in self.sizes.items()}
        filled = dict.fromkeys(arrays, 0)
        out = []
        while waiting:
            rest = []
            for left, line in waiting:
                needed = _names(line.split(" = ", 1)[1])
                own = left[1]
                if needed - {own} <= made or (needed <= made | {own} and left[0] == "index"):
                    out.append((left, line))
                    if left[0] == "index":
                        filled[own] += 1
                        if filled[own] == arrays[own]:
                            made.add(own)
                    else:
                        made.add(own)
                else:
                    rest.append((left, line))
            if len(rest) == len(waiting):
                raise ModelicaError(f"nothing gives {rest[0][1]}")
            waiting = rest
        return out

    def run(self, duration, count):
        """States by name at even instants (count + 1,)."""
        times = np.linspace(0.0, duration, count + 1)
        left = iter(range(MOST))

        def rates(t, y):
            if next(left, None) is None:
                raise ModelicaError(f"it needs more than {MOST} evaluations to get beyond {t} s")
            return self.rates(t, y)

        done = solve_ivp(
            rates,
            (0.0, duration),
            self.start,
            method="DOP853",
            rtol=1e-10,
            atol=1e-11,
            t_eval=times,
        )
        assert done.success, done.message
        return dict(zip(self.states, done.y))


def _names(line):
    import re

    return set(re.findall(r"\bV_(\w+)", line))
