"""The derived equations themselves: matrices in the ring by one of three methods, the names of
their symbols, and numbers of both.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from mechstudio.model.equations.lecture import LAGRANGE, NEWTON_EULER, PROJECTED
from mechstudio.model.equations.terms import Equations
from mechstudio.symbolic.errors import TooLarge
from mechstudio.symbolic.kinematics.loop_rows import Row
from mechstudio.symbolic.kinematics.method import Method, Progress, Setting
from mechstudio.symbolic.methods.blocks import equations_of, names_of
from mechstudio.symbolic.methods.energy import with_energy
from mechstudio.symbolic.methods.intermediates import by_parts, has_long_matrices, is_long
from mechstudio.symbolic.methods.lagrange import Lagrange
from mechstudio.symbolic.methods.newton_euler import NewtonEuler
from mechstudio.symbolic.methods.projected import Projected
from mechstudio.symbolic.methods.recursive import Recursive, recursive
from mechstudio.symbolic.methods.row_nodes import row_nodes
from mechstudio.symbolic.methods.sampling import Curve, function_jet
from mechstudio.symbolic.printers import python as codegen
from mechstudio.symbolic.printers.presentation import Presenter
from mechstudio.symbolic.printers.printable import clean
from mechstudio.symbolic.printers.writer import Writer
from mechstudio.symbolic.ring.names import Names
from mechstudio.symbolic.ring.polynomials import Poly

_METHODS: dict[str, type[Method]] = {
    NEWTON_EULER: NewtonEuler,
    PROJECTED: Projected,
    LAGRANGE: Lagrange,
}


class DerivedEquations:
    """Equations of motion as ring elements: what methods, proofs and lectures read.

    q are the coordinates of the joints that carry bodies, in file order of the joints (a joint that
    closes a loop has none: it is the rows of C), then x, y, z, psi, theta, phi of bodies that hang
    free.  v and a are their rates and accelerations.
    matrices: M, b, g, tau, C, C_q, gamma as ring elements; empty where the closed form was too
    large (complete is False).
    report: called with what takes long; another one may be put in.
    values: SI value of each parameter by name, as in the drawing.  curves: per joint on a curve,
    the way [m] -> (c, c', c'') in frame A's axes; put in by whoever can lay curves out, and only
    needed for numbers.
    facts: what documents have found out beside them, kept for the next one.
    """

    def __init__(self, method: str, setting: Setting, term_limit: int, report: Progress):
        self.method, self.setting, self.plan, self.ring = (
            method,
            setting,
            setting.plan,
            setting.ring,
        )
        self.term_limit, self.report = term_limit, report
        self._results: dict[str, Method | TooLarge] = {}
        self.curves: dict[str, Curve] = {}
        self.facts: dict[str, Any] = {}
        self.rows = tuple(setting.rows)
        self.matrices: dict[str, Sequence[Sequence[Poly]]] = {}
        notes = setting.notes
        try:
            result = self.by(method)
        except TooLarge as error:
            notes = [str(error), *notes]
        else:
            self.matrices = {
                "M": result.M,
                "b": _column(result.b),
                "g": _column(result.g),
                "tau": _column(result.tau),
            }
            if self.rows:
                self.matrices |= {
                    "C": _column(r.value for r in self.rows),
                    "C_q": [r.jacobian for r in self.rows],
                    "gamma": _column(r.gamma for r in self.rows),
                }
        self.notes = tuple(notes)
        self.complete = bool(self.matrices)

    @cached_property
    def names(self) -> Names:
        """The symbols' names, as short as these equations allow."""
        return names_of(
            self.plan,
            self.ring,
            self.setting.loads,
            self.setting.rooted,
            [p for rows_ in self.matrices.values() for row in rows_ for p in row],
            self.rows,
        )

    def by(self, method: str) -> Method:
        """The result of one method, worked out when first requested, over the same reading of the
        drawing.  Raises TooLarge.
        """
        found = self._results.get(method)
        if found is None:
            found = _METHODS[method](self.setting, self.term_limit, self.report)
            try:
                found.watch(p for r in self.setting.rows for p in (r.value, r.gamma, *r.jacobian))
                with self.ring.bounded(self.term_limit):
                    found.derive()
            except TooLarge as error:
                # the same answer is not computed twice
                found = error
            self._results[method] = found
        if isinstance(found, TooLarge):
            raise found
        return found

    @cached_property
    def recursion(self) -> Recursive:
        """The recursive form of M, b, g and the energy."""
        return recursive(self)

    @cached_property
    def row_nodes(self) -> list[Row]:
        """The rows of C in nodes of the recursive form's graph."""
        return row_nodes(self, self.recursion.graph)

    # as data

    @cached_property
    def writer(self) -> Writer:
        """Writes the steps of lectures; one, so that a symbol has one name in all chapters."""
        return Writer(self.presenter, self.names, self.plan)

    @cached_property
    def presenter(self) -> Presenter:
        """Writes ring elements as entries."""
        return Presenter(
            self.ring, self.names, self.plan.symbols.all, len(self.plan.mechanism.bodies)
        )

    @cached_property
    def equations(self) -> Equations:
        """The tree of terms that every printer and the equations panel read."""
        return clean(equations_of(self))

    @cached_property
    def code(self) -> Equations:
        """The equations as programs compute them: of named intermediates where the closed form is
        long.  Raises TooLarge where neither can be written.
        """
        if not is_long(self):
            return self.equations
        return by_parts(self, matrices=has_long_matrices(self))

    @cached_property
    def code_with_energy(self) -> Equations:
        """As `code`, with a block "U" (1, 1) of the potential energy [J].  Raises TooLarge."""
        if not is_long(self):
            return with_energy(self)
        return by_parts(self, energy=True, matrices=has_long_matrices(self))

    @property
    def readable(self) -> Equations:
        """The equations as text shows them: of named intermediates where the closed form is long,
        and in structure alone where neither can be written.
        """
        try:
            return self.code
        except TooLarge:
            return self.equations

    @property
    def _computed(self) -> Equations:
        """The equations that numbers are of: as shown, where they are shown whole."""
        return self.equations if self.complete else self.code

    @property
    def values(self) -> dict[str, float]:
        """SI value of every parameter by name, as in the drawing; of one that a law prescribes the
        number that is stored beside the law.
        """
        return {k.name.name: k.value for k in self._computed.parameters}

    def python(self) -> str:
        """A module of two NumPy functions: equations and forces."""
        return codegen.source(self.code)

    # as numbers

    @property
    def functions(self) -> dict[str, Callable[[float], tuple[float, float, float]]]:
        """Per opaque function by name: s -> (f, f', f'')."""
        return {
            n[0].name: partial(function_jet, self.plan, f, curves=self.curves)
            for i, (n, f) in enumerate(zip(self.names.functions, self.plan.functions))
            if i not in self.plan.waves
        }

    @cached_property
    def _compiled(self) -> dict[str, Callable]:
        namespace: dict[str, Any] = {}
        source = codegen.source(self._computed)
        exec(compile(source, "<equations of motion>", "exec"), namespace)
        namespace.get("FUNCTIONS", {}).update(self.functions)
        return namespace

    def function(self) -> Callable[..., tuple[np.ndarray, ...]]:
        """f(q, v, t=0, parameters=None) -> (M, b, g, C, C_q, gamma) in numbers, SI.

        q, v (n,) in the order of symbols["q"].  parameters: {name: value}, those left out as in the
        drawing; or all values in the order of symbols["parameters"].  Raises ValueError where the
        value of a parameter is needed that a law prescribes and that is left out.  Returns arrays
        (n, n), (n,), (n,), (m,), (m, n), (m,) for m closing rows.
        The generalised forces tau of motors, dampers and loads are a function of their own:
        forces_function.
        """
        return self._compiled["equations"]


def _column(entries: Iterable[Poly]) -> list[list[Poly]]:
    return [[e] for e in entries]
