"""derive(): the equations of motion of a project in symbols, and everything that can be done with
them.

open chains    M(q) a + b(q, v) + g(q) = tau
closed loops   M(q) a + b(q, v) + g(q) = tau + C_q^T lambda,   C(q) = 0,   C_q a = gamma
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from mechstudio.model.equations.lecture import (
    CHAPTER_TITLES,
    LAGRANGE,
    METHODS,
    NEWTON_EULER,
    PROJECTED,
    Chapter,
    Lecture,
    Proof,
)
from mechstudio.model.equations.terms import Equations
from mechstudio.model.project import Project
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.symbolic.blocks import equations_of, known_symbols, names_of
from mechstudio.symbolic.errors import DerivationError, TooLarge
from mechstudio.symbolic.kinematics.formulation import read
from mechstudio.symbolic.kinematics.method import Method, Progress, Setting
from mechstudio.symbolic.methods.lagrange import Lagrange
from mechstudio.symbolic.methods.newton_euler import NewtonEuler
from mechstudio.symbolic.methods.projected import Projected
from mechstudio.symbolic.plan.closed_drawing import closed
from mechstudio.symbolic.printers import latex, text
from mechstudio.symbolic.printers import python as codegen
from mechstudio.symbolic.printers.presentation import Presenter
from mechstudio.symbolic.ring.names import Names
from mechstudio.symbolic.ring.polynomials import TERM_LIMIT, Poly
from mechstudio.symbolic.ring.sampling import Curve, function_jet

COORDINATES = ("joint", "link", "auto")
if TYPE_CHECKING:
    from mechstudio.symbolic.instants.instant import LiveNumbers
    from mechstudio.symbolic.lecture.writer import Writer

_METHODS: dict[str, type[Method]] = {
    NEWTON_EULER: NewtonEuler,
    PROJECTED: Projected,
    LAGRANGE: Lagrange,
}


class Derivation:
    """The derived equations.

    q are the coordinates of the joints that carry bodies, in file order of the joints (a joint that
    closes a loop has none: it is the rows of C), then x, y, z, psi, theta, phi of bodies that hang
    free.  v and a are their rates and accelerations.
    matrices: M, b, g, tau, C, C_q, gamma as ring elements; empty where the closed form was too
    large (complete is False).
    report: told of what takes long; another one may be put in.
    values: SI value of each parameter by name, as in the drawing.  curves: per joint on a curve,
    the way [m] -> (c, c', c'') in frame A's axes; put in by whoever can lay curves out, and only
    needed for numbers.
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
        """The result of one method, worked out when first asked for, over the same reading of the
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
                # nobody shall wait for the same answer twice
                found = error
            self._results[method] = found
        if isinstance(found, TooLarge):
            raise found
        return found

    # as data

    @cached_property
    def writer(self) -> "Writer":
        """Writes the steps of lectures; one, so that a symbol has one name in all chapters."""
        from mechstudio.symbolic.lecture.writer import Writer

        return Writer(self)

    @cached_property
    def presenter(self) -> Presenter:
        """Writes ring elements as entries."""
        return Presenter(
            self.ring, self.names, self.plan.symbols.all, len(self.plan.mechanism.bodies)
        )

    @cached_property
    def equations(self) -> Equations:
        """The tree of terms that every printer and the equations panel read."""
        from mechstudio.symbolic.exports.words import clean

        return clean(equations_of(self))

    def terms(self) -> Equations:
        """The tree of typeset terms (model/equations/terms.py)."""
        return self.equations

    @property
    def values(self) -> dict[str, float]:
        """SI value of every parameter by name."""
        return {k.name.name: k.value for k in self.equations.parameters}

    # as text

    def text(self) -> str:
        """For a terminal, in Unicode."""
        return text.printed(self.equations)

    def latex(self) -> str:
        """Display equations for LaTeX with amsmath."""
        return latex.printed(self.equations)

    def python(self) -> str:
        """A module of two NumPy functions: equations and forces."""
        return codegen.source(self.equations)

    def json(self) -> dict[str, Any]:
        """Every entry as a string that SymPy and Python read, with the symbols and their values."""
        return codegen.as_json(self.equations)

    def export(
        self,
        format: str,
        *,
        title: str = "",
        units: str = DEFAULT_SYSTEM,
        progress: Progress | None = None,
        chapters: Sequence[Chapter] = (),
        proofs: Sequence[Proof] = (),
    ) -> str | bytes:
        """File contents in a format (ids of model/types/exports.py), text as str.

        title: of documents and models.  units: of parameters in documents.  progress(fraction,
        sentence): called by what takes long.  chapters, proofs: added to reports.
        Reports, models and notebooks simulate or at least start the drawing.  Raises KeyError for
        an unknown format, TooLarge for code of equations that were not written out.
        """
        from mechstudio.symbolic.exports.registry import Source, write

        return write(format, Source(self, title, units, progress, chapters, proofs))

    # as it is taught

    def chapter(self, key: str, **choices) -> Chapter:
        """One chapter of the lecture (model/equations/lecture.py), made when asked for.  choices:
        see symbolic/lecture.  Raises KeyError.
        """
        from mechstudio.symbolic.lecture import chapter

        try:
            with self.ring.bounded(self.term_limit):
                return chapter(self, key, **choices)
        except TooLarge as error:
            return Chapter(key, CHAPTER_TITLES[key], (), str(error))

    @cached_property
    def proofs(self) -> tuple[Proof, ...]:
        """Proofs about these equations, without the engine's verdict."""
        from mechstudio.symbolic.lecture import proofs

        return proofs(self)

    def lecture(self, chapters: Iterable[str] = METHODS) -> Lecture:
        """Equations, chapters and proofs as data."""
        from mechstudio.symbolic.lecture.free_bodies import reactions

        equations = self.equations
        found = tuple(self.chapter(key) for key in chapters)
        named = reactions(self) if self.complete else ()
        # steps may need symbols that have dropped out of the equations
        return Lecture(
            msgspec.structs.replace(equations, parameters=known_symbols(self)),
            found,
            self.proofs,
            named,
        )

    # as numbers

    @property
    def functions(self) -> dict[str, Callable[[float], tuple[float, float, float]]]:
        """Per opaque function by name: s -> (f, f', f'')."""
        return {
            n[0].name: partial(function_jet, self.plan, f, curves=self.curves)
            for n, f in zip(self.names.functions, self.plan.functions)
        }

    def live(self, independent: Iterable[str] | None = None) -> "LiveNumbers":
        """Numbers of everything at any state or sample of a run (symbolic/instants/instant.py).
        independent: names of the coordinates that B keeps.
        """
        from mechstudio.symbolic.instants.instant import LiveNumbers

        return LiveNumbers(self, None if independent is None else tuple(independent))

    @cached_property
    def _compiled(self) -> dict[str, Callable]:
        if not self.complete:
            raise TooLarge(self.notes[0])
        namespace: dict[str, Any] = {}
        exec(compile(self.python(), "<equations of motion>", "exec"), namespace)
        namespace.get("FUNCTIONS", {}).update(self.functions)
        return namespace

    def function(self) -> Callable[..., tuple[np.ndarray, ...]]:
        """f(q, v, t=0, parameters=None) -> (M, b, g, C, C_q, gamma) in numbers, SI.

        q, v (n,) in the order of symbols["q"].  parameters: {name: value}, those left out as in the
        drawing; or all values in the order of symbols["parameters"].  Returns arrays (n, n), (n,),
        (n,), (m,), (m, n), (m,) for m closing rows.
        The generalised forces tau of motors, dampers and loads are a function of their own:
        forces_function.
        """
        return self._compiled["equations"]

    def forces_function(self) -> Callable[..., np.ndarray]:
        """f(q, v, t=0, parameters=None) -> tau (n,), as function()."""
        return self._compiled["forces"]

    # as SymPy, built on first access

    @cached_property
    def _sympy(self):
        from mechstudio.symbolic.printers.sympy import Converter

        return Converter(self.equations)

    @property
    def symbols(self) -> dict[str, tuple]:
        """SymPy symbols: q, v, a, multipliers and parameters."""
        return self._sympy.symbols

    def _matrix(self, key: str):
        if not self.complete:
            raise TooLarge(self.notes[0])
        return self._sympy.matrix(key)

    @property
    def mass_matrix(self):
        """M(q), a SymPy matrix (n, n)."""
        return self._matrix("M")

    @property
    def bias(self):
        """b(q, v): Coriolis and centrifugal terms, (n, 1)."""
        return self._matrix("b")

    @property
    def gravity(self):
        """g(q) = dU/dq: gravity and springs, (n, 1)."""
        return self._matrix("g")

    @property
    def forces(self):
        """tau: motors, dampers and loads, (n, 1)."""
        return self._matrix("tau")

    @property
    def constraints(self):
        """C(q), one row per row of a closing joint, (m, 1)."""
        return self._matrix("C")

    @property
    def jacobian(self):
        """C_q, (m, n)."""
        return self._matrix("C_q")

    @property
    def gamma(self):
        """The right side of C_q a = gamma, (m, 1)."""
        return self._matrix("gamma")


def derive(
    project: Project,
    method: str = "lagrange",
    *,
    coordinates: str = "joint",
    term_limit: int = TERM_LIMIT,
    progress: Progress | None = None,
) -> Derivation:
    """Derive the equations of motion of a project.

    method: "lagrange", "projected" or "newton-euler".  coordinates: "joint", or "link" for the
    angles of links in their plane in place of joint angles; "auto" takes link angles where loops
    close, so that the closing rows read as the vector loop. progress(fraction, sentence) is called
    between steps.  A closed form of more than term_limit terms is not written out: the result then
    has complete = False and says so.  Raises DerivationError with object, cause and cure.
    """
    if method not in METHODS:
        raise DerivationError(
            f"There is no derivation called {method}; known are {', '.join(METHODS)}."
        )
    if coordinates not in COORDINATES:
        raise DerivationError(f"Coordinates are {', '.join(COORDINATES)}, not {coordinates}.")
    report: Progress = progress or (lambda fraction, sentence: None)
    report(0.0, "Reading the drawing")
    m, plan, starts = project.mechanism, read(project, coordinates), project
    # read first, since what cannot be read cannot be closed; all other constants hold as drawn
    if m.couplings or m.drives:
        starts = closed(project)
    return Derivation(
        method, plan if starts is project else read(starts, coordinates), term_limit, report
    )


def _column(entries: Iterable[Poly]) -> list[list[Poly]]:
    return [[e] for e in entries]


__all__ = ["METHODS", "Derivation", "derive"]
