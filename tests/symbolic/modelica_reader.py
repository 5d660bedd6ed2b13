"""A reader of the part of Modelica that exported models are written in: tokens, grammar (Modelica
3.6, appendix A), and the equations as values.

model     = "model" NAME string {element} ["protected" {element}] "equation" {equation} annotation
"end" NAME ";" element  = function | ["parameter"] "Real" NAME [dimensions] [modification] ["="
expression] [string] ";" equation  = expression "=" expression ";"
"""

import math
import operator
import re

from mechstudio.symbolic.exports.law_functions import Pieces

_TOKEN = re.compile(
    r'\s*(?://[^\n]*\n\s*)*(?:(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>:=|<=|>=|==|<>|[-+*/^=<>(){}\[\],;:.]))",
    re.A,
)
KEYWORDS = set(
    "algorithm and annotation block break class connect connector constant constrainedby der "
    "discrete each else elseif elsewhen encapsulated end enumeration equation "
    "expandable extends external false final flow for function if import impure in initial "
    "inner input loop model not operator or outer output package parameter "
    "partial protected public pure record redeclare replaceable return stream then true "
    "type when while within".split()
)


FUNCTIONS = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "exp", "log")


class ModelicaError(ValueError):
    pass


def tokens(text):
    out, at = [], 0
    text, end = text.rstrip() + "\n", len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise ModelicaError(f"no token at {text[at : at + 40]!r}")
        out.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    return out


class Reader:
    """Reads a model: parameters, states (name -> start), variables (name -> dimensions), equations
    (left, right trees).
    """

    def __init__(self, text):
        self.tokens, self.at = tokens(text), 0
        self.parameters, self.starts, self.variables, self.equations, self.functions = (
            {},
            {},
            {},
            [],
            [],
        )
        self.bodies = {}  # of functions: inputs, output, statements
        self.locals = {}  # of functions: dimensions of what is no input, by name
        self._model()

    def _peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def _is(self, word):
        return self._peek()[1] == word and self._peek()[0] != "string"

    def _take(self, word):
        if not self._is(word):
            raise ModelicaError(
                f"{word!r} expected, not {self._peek()[1][:40]!r} (token {self.at})"
            )
        self.at += 1

    def _may(self, word):
        if self._is(word):
            self.at += 1
            return True
        return False

    def _kind(self, kind):
        found, text = self._peek()
        if found != kind or (kind == "name" and text in KEYWORDS):
            raise ModelicaError(f"a {kind} expected, not {text[:40]!r} (token {self.at})")
        self.at += 1
        return text

    def _model(self):
        self._take("model")
        name = self._kind("name")
        self._kind("string")
        while not self._is("equation"):
            if not self._may("protected"):
                self._element()
        self._take("equation")
        while not self._is("annotation"):
            left = self._expression()
            self._take("=")
            self.equations.append((left, self._expression()))
            self._take(";")
        self._take("annotation")
        self._arguments()
        self._take(";")
        self._take("end")
        if self._kind("name") != name:
            raise ModelicaError("another name at the end")
        self._take(";")
        if self.at != len(self.tokens):
            raise ModelicaError("something after the end")

    def _element(self):
        if self._may("function"):
            self._function()
            return
        parameter = self._may("parameter")
        self._take("Real")
        name = self._kind("name")
        if name in self.parameters or name in self.variables:
            raise ModelicaError(f"{name} is declared twice")
        dimensions = self._dimensions()
        modification = self._arguments() if self._is("(") else {}
        value = self._expression() if self._may("=") else None
        if self._peek()[0] == "string":
            self._kind("string")
        self._take(";")
        if parameter:
            self.parameters[name] = value
        else:
            self.variables[name] = dimensions
        if "start" in modification:
            assert modification["fixed"] == ("name", "true")
            self.starts[name] = modification["start"]

    def _dimensions(self):
        out = []
        if self._may("["):
            out.append(None if self._may(":") else self._dimension())
            while self._may(","):
                out.append(None if self._may(":") else self._dimension())
            self._take("]")
        return out

    def _dimension(self):
        tree = self._expression()
        return int(tree[1]) if tree[0] == "number" else tree

    def _arguments(self):
        """( name = expression or name(…), … )"""
        out = {}
        self._take("(")
        while True:
            name = self._kind("name")
            if self._is("("):
                out[name] = self._arguments()
            else:
                self._take("=")
                out[name] = ("name", "true") if self._may("true") else self._expression()
            if not self._may(","):
                break
        self._take(")")
        return out

    def _function(self):
        self.functions.append(self._kind("name"))
        self._kind("string")
        inputs, output, local = [], "", {}
        while not self._is("algorithm"):
            self._may("protected")
            way = "input" if self._may("input") else "output" if self._may("output") else ""
            self._may("Real") or self._may("Boolean") or self._take("Integer")
            name = self._kind("name")
            inputs += [name] if way == "input" else []
            output = name if way == "output" else output
            dimensions = self._dimensions()
            if way != "input":
                local[name] = dimensions
            self._take(";")
        self.locals[self.functions[-1]] = local
        self._take("algorithm")
        self.bodies[self.functions[-1]] = (inputs, output, self._statements(("end",)))
        self._take("end")
        if self._kind("name") != self.functions[-1]:
            raise ModelicaError("another name at the end of a function")
        self._take(";")

    def _statements(self, stops):
        out = []
        while self._peek()[1] not in stops:
            if self._may("while"):
                condition = self._expression()
                self._take("loop")
                out.append(("while", condition, self._statements(("end",))))
                self._take("end")
                self._take("while")
            elif self._may("if"):
                condition = self._expression()
                self._take("then")
                branches = [(condition, self._statements(("elseif", "else", "end")))]
                while self._may("elseif"):
                    condition = self._expression()
                    self._take("then")
                    branches.append((condition, self._statements(("elseif", "else", "end"))))
                if self._may("else"):
                    branches.append((("number", 1.0), self._statements(("end",))))
                out.append(("if", branches))
                self._take("end")
                self._take("if")
            elif self._may("for"):
                name = self._kind("name")
                self._take("in")
                span = self._range()
                self._take("loop")
                out.append(("for", name, span, self._statements(("end",))))
                self._take("end")
                self._take("for")
            else:
                name = self._kind("name")
                if self._may("("):
                    out.append(("call", name, self._list(")")))
                else:
                    places = self._index() if self._is("[") else None
                    self._take(":=")
                    set_ = ("set", name) if places is None else ("put", name, places)
                    out.append((*set_, self._expression()))
            self._take(";")
        return out

    # expressions: and < relation < sum < product < power < primary

    def _range(self):
        """first:last or first:step:last, or one value."""
        parts = [self._expression()]
        while self._may(":"):
            parts.append(self._expression())
        return parts[0] if len(parts) == 1 else ("range", *parts)

    def _expression(self):
        if self._may("if"):
            condition = self._expression()
            self._take("then")
            first = self._expression()
            self._take("else")
            return ("choice", condition, first, self._expression())
        left = self._relation()
        while self._may("and"):
            left = ("and", left, self._relation())
        return left

    def _relation(self):
        if self._may("not"):
            return ("not", self._relation())
        left = self._sum()
        for sign in ("==", "<>", "<=", ">=", "<", ">"):
            if self._may(sign):
                return (sign, left, self._sum())
        return left

    def _sum(self):
        left = ("-", ("number", 0.0), self._product()) if self._may("-") else self._product()
        while self._peek()[1] in ("+", "-") and self._peek()[0] == "sign":
            sign = self._kind("sign")
            left = (sign, left, self._product())
        return left

    def _product(self):
        left = self._power()
        while self._peek()[1] in ("*", "/") and self._peek()[0] == "sign":
            sign = self._kind("sign")
            left = (sign, left, self._power())
        return left

    def _power(self):
        base = self._primary()
        return ("^", base, self._primary()) if self._may("^") else base

    def _primary(self):
        kind, _text = self._peek()
        if kind == "number":
            return ("number", float(self._kind("number")))
        if kind == "string":
            return ("string", self._kind("string"))
        if self._may("("):
            inside = self._expression()
            self._take(")")
            return inside
        for word in ("true", "false"):
            if self._may(word):
                return ("number", word == "true")
        if self._may("{"):
            return ("list", self._list("}"))
        if self._may("["):
            rows = [self._list(None)]
            while self._may(";"):
                rows.append(self._list(None))
            self._take("]")
            return ("table", rows)
        name = "der" if self._may("der") else self._kind("name")
        if self._may("("):
            return ("call", name, self._list(")"))
        return ("index", name, self._index()) if self._is("[") else ("name", name)

    def _index(self):
        self._take("[")
        out = [None if self._may(":") else self._range()]
        while self._may(","):
            out.append(None if self._may(":") else self._range())
        self._take("]")
        return out

    def _list(self, end):
        out = [self._expression()]
        while self._may(","):
            out.append(self._expression())
        if end is not None:
            self._take(end)
        return out


_RELATIONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "<>": operator.ne,
}


def called(model, name, *arguments):
    """The value of a function of a model, statement by statement; arguments are numbers and lists
    of rows.
    """
    inputs, output, statements = model.bodies[name]
    local = dict(zip(inputs, arguments, strict=True))
    _run(statements, local)
    return local[output]


def _run(statements, local):
    for statement in statements:
        match statement:
            case ("set", name, tree):
                local[name] = value(tree, local)
            case ("while", condition, inside):
                while value(condition, local):
                    _run(inside, local)
            case ("if", branches):
                chosen = next((b for c, b in branches if value(c, local)), [])
                _run(chosen, local)


def value(tree, known):
    """The number of an expression over known names; entries of arrays are known as (name, i) and
    (name, i, j).
    """
    match tree:
        case (("and" | "<" | "<=" | ">" | ">=" | "==" | "<>") as sign, a, b):
            a = value(a, known)
            if sign == "and":
                return bool(a) and bool(value(b, known))
            return _RELATIONS[sign](a, value(b, known))
        case ("number", x):
            return x
        case ("name", name):
            return known[name]
        case ("index", name, places) if isinstance(known.get(name), list):
            row, column = (int(value(p, known)) for p in places)
            return known[name][row - 1][column - 1]
        case ("call", "floor", [x]):
            return float(math.floor(value(x, known)))
        case ("call", "min", [a, b]):
            return min(value(a, known), value(b, known))
        case ("call", "size", [("name", name), _]):
            return len(known[name])
        case ("index", name, places):
            return known[(name, *(int(value(p, known)) for p in places))]
        case ("call", "noEvent", [x]):
            return value(x, known)
        case ("choice", condition, a, b):
            return value(a if value(condition, known) else b, known)
        case ("call", "abs", [x]):
            return abs(value(x, known))
        case ("call", name, arguments) if name in FUNCTIONS:
            return getattr(math, name)(*(value(x, known) for x in arguments))
        case ("call", "piecewise", [s, ("name", table), period, advance, order]):
            pieces = Pieces(tuple(known[table]), value(period, known), value(advance, known))
            return pieces.at(value(s, known))[int(value(order, known))]
        case ("table", rows):
            return [tuple(value(x, known) for x in row) for row in rows]
        case (sign, a, b) if sign in "+-*/^":
            a, b = value(a, known), value(b, known)
            return {
                "+": lambda: a + b,
                "-": lambda: a - b,
                "*": lambda: a * b,
                "/": lambda: a / b,
                "^": lambda: a**b,
            }[sign]()
    raise ModelicaError(f"{tree} has no value")
