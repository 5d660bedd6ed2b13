"""Laws of drives, cams and forces as the tables that the kernels read: polynomial pieces, and
expressions as bytecode.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.loads import law_interpreter as op
from mechstudio.model.formulas import jets
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.formulas.grammar import Node
from mechstudio.model.laws import evaluation as laws
from mechstudio.model.mechanism import Law, Mechanism
from mechstudio.model.types.laws import LAW_TYPES
from mechstudio.translation import tr

Key = tuple[str, ...]  # ("drive", id), ("coupling", id) or ("force", id, parameter)
Variable = tuple[int, int, int]  # what the columns C_A, C_B and C_RATE of its instruction hold


class CoordinatePlace(NamedTuple):
    """Place of a joint coordinate in the state, and of its rate: dof, or -1 - reading."""

    at: int
    rate: int


_UNARY = {
    "sin": op.SIN,
    "cos": op.COS,
    "tan": op.TAN,
    "asin": op.ASIN,
    "acos": op.ACOS,
    "atan": op.ATAN,
    "sqrt": op.SQRT,
    "exp": op.EXP,
    "log": op.LOG,
    "abs": op.ABS,
}
_BINARY = {"min": op.MIN, "max": op.MAX, "hypot": op.HYPOT, "atan2": op.ATAN2}


@dataclass
class Programs:
    """tables: (laws, law_const, code, code_const) as in kernels/columns.py.  index: row of `laws`
    of each law.
    """

    tables: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
    index: dict[Key, int]


@dataclass
class _Code:
    """The instructions of one expression; equal ones are one, and what is made of constants is
    computed at once.
    """

    variables: Callable[[str], Variable | float]
    rows: list[tuple[int, int, int, int]] = field(default_factory=list)
    constants: list[float] = field(default_factory=list)
    known: dict[tuple, int] = field(default_factory=dict)

    def put(
        self, operation: int, a: int = 0, b: int = 0, rate: int = 0, constant: float = 0.0
    ) -> int:
        key = (operation, a, b, rate, repr(constant))
        if key not in self.known:
            self.known[key] = len(self.rows)
            self.rows.append((operation, a, b, rate))
            self.constants.append(constant)
        return self.known[key]

    def constant(self, value: float) -> int:
        return self.put(op.CONSTANT, constant=value)

    def is_constant(self, i: int) -> bool:
        return self.rows[i][0] == op.CONSTANT

    def apply(self, operation: int, compute: Callable[..., jets.Jet], *operands: int) -> int:
        """The instruction, or its result where all operands are constants."""
        if all(map(self.is_constant, operands)):
            return self.constant(compute(*((self.constants[i], 0.0, 0.0) for i in operands))[0])
        return self.put(operation, operands[0], operands[-1])

    def node(self, node: Node) -> int:
        """The instruction that holds a formula's value."""
        match node[0]:
            case "number":
                return self.constant(node[1])
            case "pi":
                return self.constant(math.pi)
            case "name":
                found = self.variables(node[1])
                return (
                    self.put(op.VARIABLE, *found)
                    if isinstance(found, tuple)
                    else self.constant(found)
                )
            case "sum":
                total = -1
                for sign, n in node[1]:
                    i = self.node(n)
                    if total < 0:
                        total = (
                            i
                            if sign == "+"
                            else self.apply(op.NEGATE, lambda a: (-a[0], 0.0, 0.0), i)
                        )
                    elif sign == "+":
                        total = self.apply(op.ADD, lambda a, b: (a[0] + b[0], 0.0, 0.0), total, i)
                    else:
                        total = self.apply(
                            op.SUBTRACT, lambda a, b: (a[0] - b[0], 0.0, 0.0), total, i
                        )
                return total
            case "product":
                total = self.node(node[1][0][1])
                for operator, n in node[1][1:]:
                    total = (
                        self.apply(op.MULTIPLY, jets.product, total, self.node(n))
                        if operator == "*"
                        else self.apply(op.DIVIDE, jets.quotient, total, self.node(n))
                    )
                return total
            case "power":
                base, exponent = self.node(node[1]), self.node(node[2])
                return self.apply(
                    op.FIXED_POWER if self.is_constant(exponent) else op.POWER,
                    jets.power,
                    base,
                    exponent,
                )
            case "call":
                arguments = [self.node(n) for n in node[2]]
                if node[1] in _UNARY:
                    return self.apply(_UNARY[node[1]], jets.UNARY[node[1]], arguments[0])
                total = (
                    arguments[0]
                    if node[1] != "hypot" or len(arguments) > 1
                    else self.apply(op.ABS, jets.UNARY["abs"], arguments[0])
                )
                for i in arguments[1:]:
                    total = self.apply(_BINARY[node[1]], jets.BINARY[node[1]], total, i)
                return total
            case _:
                i = self.node(node[1])
                if self.is_constant(i):
                    return self.constant(self.constants[i] * node[3] / node[4])
                return self.apply(op.MULTIPLY, jets.product, i, self.constant(node[3] / node[4]))


def compile_code(
    tree: Node, variables: Callable[[str], Variable | float]
) -> tuple[np.ndarray, np.ndarray]:
    """(code, code_const) of one expression.  variables: what a name is: a number, or which variable
    and its place.
    """
    code = _Code(variables)
    last = code.node(tree)
    # only what the result needs, with the result in the last row
    requested = {last}
    for i in range(last, -1, -1):
        if i in requested and code.rows[i][0] > op.VARIABLE:
            requested |= set(code.rows[i][1:3])
    kept = sorted(requested)
    at = {i: n for n, i in enumerate(kept)}
    rows = [
        (o, at[a], at[b], rate) if o > op.VARIABLE else (o, a, b, rate)
        for o, a, b, rate in (code.rows[i] for i in kept)
    ]
    const = np.zeros((len(kept), k.CODE_CONSTS))
    const[:, k.C_VALUE] = [code.constants[i] for i in kept]
    return np.array(rows, np.int64).reshape(-1, k.CODE_INTS), const


@dataclass
class Builder:
    """Collects laws into tables."""

    laws: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    pieces: list[list[float]] = field(default_factory=list)
    code: list[np.ndarray] = field(default_factory=list)
    code_const: list[np.ndarray] = field(default_factory=list)
    length: int = 0

    def add(self, law: Law, variables: Callable[[str], Variable | float]) -> int:
        """Append a law; returns its row.   variables: of its text, beside the law's own numbers."""
        if law.type == "expression":
            known = {name: q.value for name, q in law.parameters.items()}
            code, const = compile_code(
                laws.tree(law.text), lambda name: known[name] if name in known else variables(name)
            )
            self.laws.append((k.EXPRESSION, self.length, len(code), 0, -1))
            self.code.append(code)
            self.code_const.append(const)
            self.length += len(code)
            return len(self.laws) - 1
        first = len(self.pieces)
        if law.type == "sine":
            kind = k.SINE
            self.pieces.append([*laws.sine_numbers(law), *[0.0] * (k.LAW_CONSTS - 4)])
        elif law.type in laws.GENEVA:
            kind = k.GENEVA
            self.pieces.append([*laws.geneva_of(law), *[0.0] * (k.LAW_CONSTS - 5)])
        else:
            kind = k.TURNING if LAW_TYPES[law.type].periodic else k.PIECES
            for p in laws.pieces(law):
                self.pieces.append(
                    [
                        p.begin,
                        p.origin,
                        p.inverse,
                        *p.coefficients,
                        *[0.0] * (k.LAW_CONSTS - k.L_COEFFICIENT - len(p.coefficients)),
                    ]
                )
        self.laws.append((kind, first, len(self.pieces) - first, 0, -1))
        return len(self.laws) - 1

    def tables(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(laws, law_const, code, code_const)."""
        code = np.concatenate(self.code) if self.code else np.zeros((0, k.CODE_INTS), np.int64)
        const = np.concatenate(self.code_const) if self.code else np.zeros((0, k.CODE_CONSTS))
        return (
            np.array(self.laws, np.int64).reshape(-1, k.LAW_INTS),
            np.array(self.pieces, float).reshape(-1, k.LAW_CONSTS),
            code,
            const,
        )


def every_law(mechanism: Mechanism) -> Iterator[tuple[Key, Law]]:
    """All laws with their keys, in drawing order."""
    for id, drive in mechanism.drives.items():
        yield ("drive", id), drive.law
    for id, coupling in mechanism.couplings.items():
        if coupling.law is not None:
            yield ("coupling", id), coupling.law
    for id, force in mechanism.forces.items():
        for name, law in force.laws.items():
            yield ("force", id, name), law


_KINDS = {
    laws.CLOCK: k.V_CLOCK,
    laws.OWN_COORDINATE: k.V_X,
    laws.OWN_RATE: k.V_V,
    laws.POINT: k.V_POINT,
    laws.COORDINATE: k.V_COORDINATE,
    laws.RATE: k.V_RATE,
}


def compile_laws(
    mechanism: Mechanism, places: Mapping[tuple[str, int], CoordinatePlace] | None = None
) -> Programs:
    """Every law of a mechanism.

    places: where the joint coordinates lie that laws of forces read; not needed for drives and
    couplings.  Raises ExpressionError for a text that cannot be read or names what is not known
    (engine/checks/elements.py says so before).
    """
    builder, index = Builder(), {}
    for key, law in every_law(mechanism):
        element = {
            "drive": mechanism.drives,
            "coupling": mechanism.couplings,
            "force": mechanism.forces,
        }[key[0]][key[1]]
        known = laws.variables(mechanism, element) if law.type == "expression" else {}

        def variable(name: str) -> Variable:
            if name not in known:
                raise ExpressionError(
                    tr(
                        "{name} is not known in the law of {element}.",
                        name=name,
                        element=element.name,
                    ),
                    unknown=name,
                )
            v = known[name]
            place = (
                (places or {}).get((v.joint, v.place), CoordinatePlace(0, 0))
                if v.joint
                else CoordinatePlace(v.place, 0)
            )
            return _KINDS[v.kind], place.at, place.rate

        index[key] = builder.add(law, variable)
    return Programs(builder.tables(), index)
