"""All formats in which equations leave mechstudio, as one table: a new format is one row and one
function of a Source.

write("c", Source(derivation)) -> what stands in the file
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

import msgspec

from mechstudio.model.equations.lecture import Chapter, Proof
from mechstudio.model.equations.report import USUAL, Report
from mechstudio.model.equations.simulated_exports import refusal
from mechstudio.model.equations.terms import Equations
from mechstudio.model.results.analysis import Structure
from mechstudio.model.types.exports import BY_ID, EXPORTS
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.exports import c_code, law_functions, modelica, notebook, sympy_script
from mechstudio.symbolic.exports.pages import (
    equation_document,
    html_report,
    latex_report,
    report,
    typst_report,
)
from mechstudio.symbolic.exports.pages.facts import (
    Facts,
    LoadTable,
    gather,
    loads_of,
    structure_of,
)
from mechstudio.symbolic.exports.pages.style import term_colors
from mechstudio.symbolic.exports.simulation.motion import Motion, motion_of
from mechstudio.symbolic.lecture import chapter
from mechstudio.symbolic.methods.law_readings import with_readings
from mechstudio.symbolic.plan.followed_masses import notes_of_masses
from mechstudio.symbolic.printers import latex, mathml, python, text
from mechstudio.symbolic.printers.printable import clean, line
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

Progress = Callable[[float, str], None]
T = TypeVar("T")
_UNTITLED = "Mechanism"


class Source:
    """A derivation, and what else exports are made of, each computed when first requested.

    title: of documents and models; the lesson's, if none is given.  units: of parameters and curves
    in documents.
    progress(fraction, sentence): called by long computations.  chapters, proofs: what a report has
    behind its page.  report: chosen chapters instead of the one page.  moving: scene and motion for
    a page of HTML (application/films/moving_drawing.py).
    """

    def __init__(
        self,
        derivation: "DerivedEquations",
        title: str = "",
        units: str = DEFAULT_SYSTEM,
        progress: Progress | None = None,
        chapters: Sequence[Chapter] = (),
        proofs: Sequence[Proof] = (),
        report: Report | None = None,
        moving: str = "",
    ) -> None:
        self.report = report
        self.moving = moving or (report.moving if report is not None else "")
        self.derivation, self.units = derivation, units
        self.chapters, self.proofs = tuple(map(clean, chapters)), tuple(map(clean, proofs))
        self.equations = derivation.readable
        self.project = derivation.plan.project
        self.title = line(title) or line(self.project.lesson.title) or _UNTITLED
        self._progress: Progress = progress or (lambda fraction, sentence: None)

    # chapters that are not made yet; of pages that are shown before the derivation is there
    coming: frozenset[str] = frozenset()

    def report_progress(self, fraction: float, sentence: str) -> None:
        self._progress(fraction, sentence)

    @property
    def code(self) -> Equations:
        """The equations as programs compute them.  Raises TooLarge."""
        return self._with_remarks(self.derivation.code)

    @property
    def code_with_energy(self) -> Equations:
        """As `code`, with the potential energy.  Raises TooLarge."""
        return self._with_remarks(self.derivation.code_with_energy)

    def simulating(self, e: Equations) -> Equations:
        """Equations for models, with what laws of forces read of the motion."""
        return with_readings(self.derivation, e, self.motion.laws.readings)

    def _with_remarks(self, e: Equations) -> Equations:
        return msgspec.structs.replace(e, notes=(*e.notes, *self.remarks)) if self.remarks else e

    @cached_property
    def remarks(self) -> list[str]:
        """Sentences on where the exported functions hold."""
        return law_functions.bounds(self.functions, self.derivation)

    @cached_property
    def motion(self) -> Motion:
        """Initial values and what follows the time."""
        self.report_progress(0.2, tr("Finding the start of the motion"))
        return motion_of(self.derivation)

    @cached_property
    def functions(self) -> dict[str, law_functions.Pieces]:
        """Functions of the drawing that the formulas only name."""
        return law_functions.functions_of(self.derivation)

    def functions_in(self, e: Equations) -> dict[str, law_functions.Pieces]:
        """Those that stand in some equations."""
        return {f.names[0].name: self.functions[f.names[0].name] for f in e.functions}

    def _once(self, key: str, found: Callable[[], T]) -> T:
        """A fact that is found out once for all documents of a derivation."""
        kept = self.derivation.facts
        if key not in kept:
            kept[key] = found()
        return cast("T", kept[key])

    def _simulating(self, fraction: float) -> None:
        self.report_progress(0.2 + 0.6 * fraction, tr("Simulating"))

    @property
    def facts(self) -> Facts:
        """The structure's numbers and the curves of a run."""

        def found() -> Facts:
            self.report_progress(0.1, tr("Analysing the structure"))
            return gather(self.project, self.units, self._simulating)

        return self._once(f"facts {self.units}", found)

    @property
    def structure(self) -> Structure | None:
        """The structure's numbers alone."""
        self.report_progress(0.1, tr("Analysing the structure"))
        return self._once("structure", lambda: structure_of(self.project))

    @property
    def loads(self) -> LoadTable:
        """The loads of all joints over a run."""
        return self._once("loads", lambda: loads_of(self.project, self._simulating))

    @property
    def chapter(self) -> Chapter:
        """The derivation step by step."""
        found = lambda: clean(chapter(self.derivation, self.derivation.method))
        return self._once("chapter", found)

    @cached_property
    def colors(self) -> dict[str, str]:
        """Of terms, by element id."""
        return term_colors(self.project.mechanism)


Writer = Callable[[Source], str | bytes]
_WRITERS: dict[str, Writer] = {}


def writes(format: str) -> Callable[[Writer], Writer]:
    """Register the function that writes a format, an id of EXPORTS."""

    def register(writer: Writer) -> Writer:
        _WRITERS[format] = writer
        return writer

    return register


@writes("latex")
def _latex(s: Source) -> str:
    return latex.printed(s.equations)


@writes("mathml")
def _mathml(s: Source) -> str:
    return mathml.printed(s.equations)


@writes("text")
def _text(s: Source) -> str:
    return text.printed(s.equations)


@writes("python")
def _python(s: Source) -> str:
    e = s.code
    return python.source(e) + law_functions.python(s.functions_in(e), s.remarks)


@writes("c")
def _c(s: Source) -> str:
    e = s.code
    return c_code.printed(e, s.title, s.functions_in(e))


@writes("sympy")
def _sympy(s: Source) -> str:
    return sympy_script.printed(s.derivation.code, s.title)


@writes("modelica")
def _modelica(s: Source) -> str:
    e = s.simulating(s.code)
    return modelica.printed(e, s.title, s.motion, s.functions_in(e))


@writes("fmu")
def _fmu(s: Source) -> bytes:
    from mechstudio.symbolic.exports.fmu import fmu

    e = s.simulating(s.code_with_energy)
    remarks = (*s.remarks, *notes_of_masses(s.derivation.plan.symbols))
    model = fmu.Model(e, s.project.mechanism, s.title, s.motion, s.functions_in(e), remarks)
    s.report_progress(0.5, tr("Compiling"))
    return fmu.packed(model)


@writes("notebook")
def _notebook(s: Source) -> str:
    e = s.simulating(s.code)
    return notebook.printed(
        e,
        s.title,
        s.motion,
        s.functions_in(e),
        clean(chapter(s.derivation, s.derivation.method)),
    )


@writes("typst")
def _typst(s: Source) -> str:
    return equation_document.source(s.equations, s.title, s.colors, s.units)


@writes("pdf")
def _pdf(s: Source) -> bytes:
    source = equation_document.source(s.equations, s.title, s.colors, s.units)
    s.report_progress(0.5, "Typesetting")
    return equation_document.pdf(source)


@writes("report-html")
def _report_html(s: Source) -> str:
    if s.report is not None:
        return html_report.html(s, s.report)
    facts = s.facts
    s.report_progress(0.85, "Typesetting")
    return report.html(
        s.equations,
        s.project.mechanism,
        s.title,
        facts,
        s.colors,
        s.units,
        s.chapters,
        s.proofs,
        s.moving,
    )


@writes("report-pdf")
def _report_pdf(s: Source) -> bytes:
    if s.report is not None:
        return typst_report.pdf(s, s.report)
    facts = s.facts
    s.report_progress(0.85, "Typesetting")
    return report.pdf(
        s.equations, s.project.mechanism, s.title, facts, s.colors, s.units, s.chapters, s.proofs
    )


@writes("report-typst")
def _report_typst(s: Source) -> bytes:
    return typst_report.source_files(s, s.report or USUAL)


@writes("report-latex")
def _report_latex(s: Source) -> bytes:
    return latex_report.source_files(s, s.report or USUAL)


assert _WRITERS.keys() == {f.id for f in EXPORTS}


def write(format: str, source: Source) -> str | bytes:
    """File contents in a format; text as str.  Raises KeyError for an unknown format, TooLarge
    for programs of loads or energies that are too long, DerivationError for a drawing that a
    format which simulates cannot hold.
    """
    if format not in _WRITERS:
        raise KeyError(
            tr(
                "There is no format {format}; there are {writers}.",
                format=format,
                writers=comma().join(_WRITERS),
            )
        )
    if sentence := refusal(BY_ID[format], source.project.mechanism):
        raise DerivationError(sentence)
    return _WRITERS[format](source)
