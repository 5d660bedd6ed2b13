"""derive(): the equations of motion of a project in symbols, and everything that can be done with
them.

open chains    M(q) a + b(q, v) + g(q) = tau
closed loops   M(q) a + b(q, v) + g(q) = tau + C_q^T lambda,   C(q) = 0,   C_q a = gamma
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from mechstudio.model.equations.lecture import METHODS, Chapter, Lecture, Proof
from mechstudio.model.equations.report import Report
from mechstudio.model.equations.terms import Equations
from mechstudio.model.project import Project
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.symbolic.errors import DerivationError, TooLarge
from mechstudio.symbolic.kinematics.formulation import read
from mechstudio.symbolic.kinematics.method import Progress
from mechstudio.symbolic.lecture import chapter
from mechstudio.symbolic.lecture.free_bodies import reactions
from mechstudio.symbolic.methods.blocks import known_symbols
from mechstudio.symbolic.methods.derived_equations import DerivedEquations
from mechstudio.symbolic.plan.closed_drawing import check_curves, closed
from mechstudio.symbolic.printers import latex, text
from mechstudio.symbolic.printers import python as codegen
from mechstudio.symbolic.proofs.proofs import proofs
from mechstudio.symbolic.ring.polynomials import TERM_LIMIT
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.symbolic.instants.instant import InstantValues

COORDINATES = ("joint", "link", "auto")


class Derivation(DerivedEquations):
    """Derived equations with all that is made of them: text, chapters, proofs, exports, numbers of
    a run, SymPy matrices.
    """

    def terms(self) -> Equations:
        """The tree of typeset terms (model/equations/terms.py)."""
        return self.equations

    # as text

    def text(self) -> str:
        """For a terminal, in Unicode."""
        return text.printed(self.readable)

    def latex(self) -> str:
        """Display equations for LaTeX with amsmath."""
        return latex.printed(self.readable)

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
        report: Report | None = None,
        moving: str = "",
    ) -> str | bytes:
        """File contents in a format (ids of model/types/exports.py), text as str.

        title: of documents and models.  units: of parameters in documents.  progress(fraction,
        sentence): called by long computations.  chapters, proofs: added to reports.
        report: chosen chapters of a report.  moving: the mechanism that moves in one of HTML
        (application/films/moving_drawing.py).
        Reports, models and notebooks simulate or at least start the drawing.  Raises KeyError for
        an unknown format, TooLarge for programs of loads or energies that are too long, and
        DerivationError for contacts, stops and friction that sticks in what simulates.
        """
        from mechstudio.symbolic.exports.registry import Source, write

        source = Source(self, title, units, progress, chapters, proofs, report, moving)
        return write(format, source)

    # as it is taught

    def chapter(self, key: str, **choices) -> Chapter:
        """One chapter of the lecture (model/equations/lecture.py), made when requested.  choices:
        see symbolic/lecture.  Raises KeyError.
        """
        return chapter(self, key, **choices)

    @cached_property
    def proofs(self) -> tuple[Proof, ...]:
        """Proofs about these equations, without the engine's verdict."""
        return proofs(self)

    def lecture(self, chapters: Iterable[str] = METHODS) -> Lecture:
        """Equations, chapters and proofs as data."""
        equations = self.equations
        found = tuple(self.chapter(key) for key in chapters)
        named = reactions(self) if self.complete else ()
        # steps may need symbols that have dropped out of the equations
        known = known_symbols(self)
        return Lecture(
            msgspec.structs.replace(equations, **known._asdict()),
            found,
            self.proofs,
            named,
        )

    # as numbers

    def live(self, independent: Iterable[str] | None = None) -> "InstantValues":
        """Numbers of everything at any state or sample of a run (symbolic/instants/instant.py).
        independent: names of the coordinates that B keeps.
        """
        from mechstudio.symbolic.instants.instant import InstantValues

        return InstantValues(self, None if independent is None else tuple(independent))

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
        """SymPy symbols: q, v, a, multipliers, parameters and what follows from these."""
        return self._sympy.symbols

    @property
    def following(self) -> dict[Any, Any]:
        """Per SymPy symbol that follows from parameters, as the mass of a body whose shapes are
        typed in them, its expression in parameters alone: matrices take it by subs(following).
        """
        return self._sympy.following

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
    close, so that the closing rows read as the vector loop, and for open planar chains of four to
    fifteen hinges, whose equations they keep short.  progress(fraction, sentence) is called between
    steps.  A closed form of more than term_limit terms is not written out: the result then
    has complete = False and says so.  Raises DerivationError with object, cause and cure.
    """
    if method not in METHODS:
        raise DerivationError(
            tr(
                "There is no derivation called {method}; known are {methods}.",
                method=method,
                methods=comma().join(METHODS),
            )
        )
    if coordinates not in COORDINATES:
        raise DerivationError(
            tr(
                "Coordinates are {coordinates}, not {coordinates_2}.",
                coordinates=comma().join(COORDINATES),
                coordinates_2=coordinates,
            )
        )
    report: Progress = progress or (lambda fraction, sentence: None)
    report(0.0, tr("Reading the drawing"))
    check_curves(project.mechanism)
    m, plan, starts = project.mechanism, read(project, coordinates), project
    # read first, since what cannot be read cannot be closed; all other constants hold as drawn
    if m.couplings or m.drives or any("pitch" in j.parameters for j in m.joints.values()):
        starts = closed(project)
    return Derivation(
        method, plan if starts is project else read(starts, coordinates), term_limit, report
    )


__all__ = ["METHODS", "Derivation", "derive"]
