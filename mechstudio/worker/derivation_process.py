"""The process that derives equations, typesets and exports them, searches branches, or analyses a
motion, started by the window: python -m mechstudio.worker.derivation_process.

It is apart from the solver so that what takes too long can be ended without ending a run.  The
window starts one for equations and, when requested, one for branches, one for analyses and one for
exports.
"""

import argparse
import os
import queue
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

from mechstudio.model.equations.lecture import CONTACTS, PARTITION, Chapter, Proof, Step
from mechstudio.model.equations.terms import Equations
from mechstudio.model.findings import Finding
from mechstudio.protocol.derivation_messages import (
    ChapterReady,
    ContactsOfInstant,
    Copied,
    Derive,
    Derived,
    Evaluate,
    Evaluated,
    Export,
    FindInterference,
    FindSteps,
    Measure,
    Prove,
    Proved,
    Search,
    Size,
    Teach,
    TracePoints,
    Typeset,
    TypesetPart,
    Verdict,
    Working,
    Write,
    Written,
)
from mechstudio.protocol.solver_messages import Request
from mechstudio.translation import tr
from mechstudio.worker import process_policy
from mechstudio.worker.lecture_steps import beginning, heading
from mechstudio.worker.requests import ANSWERS, curves
from mechstudio.worker.serving import Window, serve

if TYPE_CHECKING:
    from mechstudio.symbolic import Derivation
    from mechstudio.symbolic.instants.instant import InstantValues
    from mechstudio.worker.typesetting import Typesetter

REPORT_EVERY = 0.05  # seconds between two reports of progress
# stands for a chapter in the names of pictures: NOW/key of symbolic.printers.typst.typst_numbers
NOW = "now"
PROOF = "proof"  # stands for a chapter in the names of pictures: PROOF/key of a proof


class Deriver:
    """Serves one window until its pipe ends.

    incoming, outgoing: the pipes.  fonts: folder of the interface's fonts.  slow [s]: for tests,
    what each step takes longer.
    """

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO, fonts: str, slow: float) -> None:
        self._window, self._fonts, self._slow = Window(incoming, outgoing), fonts, slow
        self._inbox: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self._equations: Equations | None = None
        self._in_numbers: Equations | None = None
        self._uncopied: Copied | None = None  # equations that have not been sent in LaTeX yet
        self._derivation: Derivation | None = None
        self._instant_values: InstantValues | None = None
        self._chapters: dict[str, Chapter] = {}
        self._reported: dict[
            str, tuple
        ] = {}  # formulas of the steps about contacts, as they were sent last
        self._short: dict[str, Step] = {}  # parts of the equations that are written by names
        self._claims: tuple[Proof, ...] = ()
        self._kept: tuple[str, ...] = ()  # coordinates that the numbers of instants keep
        self._typesetter: Typesetter | None = None

    def serve(self) -> None:
        """Work until the window ends; does not return."""
        self._window.listen(self._inbox.put)
        if self._fonts:
            # a window's process for equations is started before they are requested: their modules
            # are loaded by then
            from mechstudio.worker.warmup import warmed

            for _ in warmed(self._prepare()):
                if not self._inbox.empty():
                    break
        while True:
            requests = [self._inbox.get()]
            while not self._inbox.empty():
                requests.append(self._inbox.get())
            for request in requested(requests):
                self._serve(request)
            if self._inbox.empty() and self._uncopied is not None:
                self._serve(self._uncopied)
            process_policy.bound_log()

    def _serve(self, request: Request | Copied) -> None:
        serve(lambda request: HANDLERS[type(request)](self, request), request, self._window.send)

    def _answer(
        self,
        request: Verdict
        | Search
        | TracePoints
        | FindInterference
        | FindSteps
        | Export
        | Measure
        | Size,
    ) -> None:
        for report in ANSWERS[type(request)](request, self._progress):
            self._window.send(report)

    def _progress(
        self,
        request: Derive
        | Export
        | FindInterference
        | FindSteps
        | Measure
        | Search
        | Size
        | Teach
        | TracePoints,
    ) -> Callable[..., None]:
        """Report that a request is begun; returns the callback for how far it is (0 … 1, and a step
        in words), now and then.
        """
        self._window.send(Working(request.id, 0.0))
        reported = 0.0

        def progress(fraction: float, step: str = "") -> None:
            nonlocal reported
            now = time.monotonic()
            if now - reported > REPORT_EVERY:
                reported = now
                self._window.send(Working(request.id, fraction, step))
            if self._slow:
                time.sleep(self._slow)

        return progress

    def _derive(self, request: Derive) -> None:
        progress = self._progress(request)
        from mechstudio.symbolic import DerivationError, derive

        (
            self._equations,
            self._in_numbers,
            self._derivation,
            self._instant_values,
            self._uncopied,
        ) = (
            None,
            None,
            None,
            None,
            None,
        )
        self._chapters.clear()
        self._short.clear()
        try:
            derivation = derive(
                request.project, request.method, coordinates=request.coordinates, progress=progress
            )
            # what nobody writes out in closed form is read by its intermediates
            equations = derivation.terms() if derivation.complete else derivation.readable
        except DerivationError as error:
            self._window.send(Derived(request.id, None, finding=Finding("error", "", str(error))))
            return
        derivation.curves = curves(request.project)
        self._equations, self._derivation = equations, derivation
        self._window.send(Derived(request.id, equations))
        # the first picture shall not wait for this
        self._uncopied = Copied(request.id)

    def _copy(self, done: Copied) -> None:
        """Tell the equations in LaTeX."""
        from mechstudio.symbolic.printers import latex
        from mechstudio.symbolic.printers.typst import typst_equations

        self._uncopied = None
        if self._equations is not None:
            text = {
                part: latex.part(self._equations, part)
                for part in typst_equations.parts(self._equations)
            }
            self._window.send(Copied(done.id, latex.printed(self._equations), text))

    def _prove(self, request: Prove) -> None:
        if self._derivation is None:
            return
        from mechstudio.symbolic.proofs.claims import check

        claims = tuple(
            check(self._derivation, str(k), text) for k, text in enumerate(request.claims)
        )
        if not request.apart:
            self._claims = claims
        self._window.send(Proved(request.id, (*self._derivation.proofs, *claims)))

    def _teach(self, request: Teach) -> None:
        if self._derivation is None:
            return
        key = request.chapter
        if key == CONTACTS:
            self._teach_contacts(request)
            return
        if key not in self._chapters or key == PARTITION:
            choices = (
                {"independent": request.independent}
                if key == PARTITION and request.independent
                else {}
            )
            self._derivation.report = self._progress(request)
            self._chapters[key] = self._derivation.chapter(key, **choices)
        chapter = self._chapters[key]
        self._window.send(
            ChapterReady(
                request.id,
                key,
                chapter.title,
                tuple(heading(s) for s in chapter.steps),
                chapter.refusal,
            )
        )

    def _teach_contacts(self, request: Teach) -> None:
        """The chapter of contacts at an instant; it marks steps with other formulas than at the
        instant before.
        """
        import numpy as np

        from mechstudio.symbolic import DerivationError
        from mechstudio.symbolic.lecture.contacts import contacts_chapter

        d = self._derivation
        assert d is not None
        row = np.frombuffer(request.sample)
        try:
            values = self._instants(d, ())
            fits = len(row) == values.layout.width
            lesson = contacts_chapter(
                d, row if fits else None, request.contacts, request.contact, values
            )
        except (DerivationError, np.linalg.LinAlgError) as error:
            lesson = contacts_chapter(d)
            lesson = lesson._replace(
                chapter=msgspec.structs.replace(lesson.chapter, refusal=str(error))
            )
        chapter = self._chapters[CONTACTS] = lesson.chapter
        formulas = {s.key: (s.equations, s.blocks) for s in chapter.steps}
        fresh = tuple(
            key for key, written in formulas.items() if self._reported.get(key, written) != written
        )
        self._reported |= formulas
        self._window.send(
            ChapterReady(
                request.id,
                CONTACTS,
                chapter.title,
                tuple(heading(s) for s in chapter.steps),
                chapter.refusal,
                fresh,
                ContactsOfInstant(lesson.choices, lesson.chosen, lesson.curves, lesson.tolerance),
            )
        )

    def _instants(self, derivation: "Derivation", independent: tuple[str, ...]) -> "InstantValues":
        """The numbers of instants; made with these coordinates kept, () for the program's
        choice.
        """
        values = self._instant_values
        if values is None:
            values = derivation.live(independent or None)
            self._instant_values, self._kept = values, independent
        return values

    def _write(self, request: Write) -> None:
        from mechstudio.symbolic.exports.pages import lecture
        from mechstudio.symbolic.exports.pages.style import term_colors

        key, _, step = request.part.partition("/")
        chapter, text = self._chapters.get(key), ""
        if chapter is not None and self._derivation is not None:
            text = lecture.copied(
                request.format,
                chapter if not step else lecture.one_step(chapter, step),
                term_colors(self._derivation.plan.mechanism),
            )
        self._window.send(Written(request.id, text, request.format))

    def _evaluate(self, request: Evaluate) -> None:
        if self._derivation is None:
            return
        import numpy as np

        from mechstudio.symbolic import DerivationError

        try:
            values = self._instants(self._derivation, request.independent)
        except DerivationError as error:
            self._window.send(Evaluated(request.id, None, str(error)))
            return
        if request.independent != self._kept:
            values.choose(request.independent or None)
            self._kept = request.independent
        row = np.frombuffer(request.sample)
        if len(row) and len(row) != values.layout.width:
            self._window.send(
                Evaluated(
                    request.id,
                    None,
                    tr("The run is of another drawing. Simulate again to see numbers of this one."),
                )
            )
            return
        try:
            numbers = values.at_sample(row) if len(row) else values.drawn()
        except (DerivationError, np.linalg.LinAlgError) as error:
            self._window.send(Evaluated(request.id, None, str(error)))
            return
        self._window.send(Evaluated(request.id, numbers))

    @property
    def _numbered(self) -> Equations:
        """The equations with numbers in place of parameters."""
        from mechstudio.symbolic.printers.numbered import numbered

        assert self._equations is not None
        if self._in_numbers is None:
            self._in_numbers = numbered(self._equations)
        return self._in_numbers

    def _prepare(self) -> "Typesetter":
        if self._typesetter is None:
            from mechstudio.worker.typesetting import Typesetter

            self._typesetter = Typesetter(self._fonts)
        return self._typesetter

    def _typeset(self, request: Typeset) -> None:
        from mechstudio.model.equations.term_lengths import (
            is_cut,
            is_long,
            with_first_intermediates,
        )
        from mechstudio.symbolic.printers.typst import typst_equations

        if self._equations is None or request.part not in typst_equations.parts(self._equations):
            if "/" in request.part and self._equations is not None:
                self._typeset_step(request)
            return  # else requested before an edit that removed this part
        if (
            request.part in typst_equations.LETTERS
            and self._derivation is not None
            and not self._equations.intermediates
            and is_cut(self._equations, request.part)
        ):
            if request.part not in self._short:
                from mechstudio.symbolic.lecture import short_part

                self._short[request.part] = short_part(self._derivation, request.part)
            self._typeset_lines(request, self._short[request.part])
            return
        typesetter = self._prepare()
        equations = self._numbered if request.numbers else self._equations
        equations = with_first_intermediates(equations)
        found = typst_equations.markup(
            equations,
            request.part,
            request.colors,
            units=request.units,
            with_numbers=request.with_numbers,
        )
        width = (
            request.width
            if request.part in typst_equations.FLOWING or is_long(equations, request.part)
            else None
        )
        if width is None and typesetter.width(found.source, request.size) > request.width:
            found, width = (
                typst_equations.markup(
                    equations,
                    request.part,
                    request.colors,
                    listed=True,
                    with_numbers=request.with_numbers,
                ),
                request.width,
            )
        picture = typesetter.picture(
            found.source,
            found.links,
            request.colors["text"],
            request.size,
            request.density,
            width,
            found.words,
        )
        self._window.send(TypesetPart(request.id, request.part, *picture))

    def _typeset_step(self, request: Typeset) -> None:
        """A step of a chapter, or what is left where a proof fails."""
        chapter, _, key = request.part.partition("/")
        if chapter == NOW:
            self._typeset_now(request, key)
            return
        if chapter == PROOF and self._derivation is not None:
            found = next(
                (p for p in (*self._derivation.proofs, *self._claims) if p.key == key), None
            )
            step = (
                None
                if found is None or not found.difference
                else Step(key, "", "", blocks=found.difference)
            )
        else:
            step = (
                next((s for s in self._chapters[chapter].steps if s.key == key), None)
                if chapter in self._chapters
                else None
            )
        if step is not None:  # else requested before an edit
            self._typeset_lines(request, step)

    def _typeset_lines(self, request: Typeset, step: Step) -> None:
        """Equations and blocks of a step; of many the beginning first."""
        from mechstudio.symbolic.printers.typst import typst_equations, typst_steps

        typesetter, derivation = self._prepare(), self._derivation
        assert derivation is not None
        assert self._equations is not None
        if request.numbers:
            from mechstudio.symbolic.methods.blocks import known_symbols
            from mechstudio.symbolic.printers.numbered import numbered_step

            known = (k for row in known_symbols(derivation) for k in row)
            step = numbered_step(step, {k.name.name: k.value for k in known})
        with_numbers = (
            typst_equations.unknowns(self._equations) if request.with_numbers else frozenset()
        )
        fits = lambda source: typesetter.width(source, request.size) <= request.width
        for lines in (beginning(step), None):
            if lines == 0:
                continue
            shown = (
                step
                if lines is None
                else msgspec.structs.replace(step, equations=step.equations[:lines], blocks=())
            )
            text = typst_steps.markup(shown, request.colors, fits, with_numbers)
            picture = typesetter.picture(
                text.source,
                text.links,
                request.colors["text"],
                request.size,
                request.density,
                request.width,
                text.words,
            )
            self._window.send(TypesetPart(request.id, request.part, *picture, lines is not None))

    def _typeset_now(self, request: Typeset, key: str) -> None:
        """The places for the numbers of an instant."""
        from mechstudio.symbolic.printers.typst import typst_numbers

        assert self._equations is not None
        text = typst_numbers.markup(self._equations, key, request.colors)
        width = request.width if key in ("state", "lambda") else None
        self._window.send(
            TypesetPart(
                request.id,
                request.part,
                *self._prepare().picture(
                    text.source,
                    text.links,
                    request.colors["text"],
                    request.size,
                    request.density,
                    width,
                    text.words,
                ),
            )
        )


HANDLERS: dict[type[Request | Copied], Callable[[Deriver, Any], None]] = {
    Derive: Deriver._derive,
    Copied: Deriver._copy,
    Typeset: Deriver._typeset,
    Teach: Deriver._teach,
    Write: Deriver._write,
    Evaluate: Deriver._evaluate,
    Prove: Deriver._prove,
    **dict.fromkeys(ANSWERS, Deriver._answer),
}


def requested(requests: Sequence[Request]) -> list[Request]:
    """The requests that no later one makes needless: a derivation outdates all before it, a picture
    one of the same part, an instant any other.
    """
    start = max((k for k, r in enumerate(requests) if isinstance(r, Derive)), default=0)
    of = lambda r: (
        r.part if isinstance(r, Typeset) else Evaluate if isinstance(r, Evaluate) else None
    )
    last = {of(r): k for k, r in enumerate(requests)}
    kept = [r for k, r in enumerate(requests) if k >= start and (of(r) is None or last[of(r)] == k)]
    # shown parts come before their proofs
    return sorted(kept, key=lambda r: isinstance(r, Prove))


def main(arguments: Sequence[str]) -> None:
    """The process from its first line on; does not return."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--fonts", default="")
    parser.add_argument("--slow", type=float, default=0.0)
    options = parser.parse_args(arguments)
    process_policy.ignore_interrupts()
    process_policy.be_expendable()
    incoming, outgoing = process_policy.private_pipes()
    Deriver(
        os.fdopen(incoming, "rb", 0), os.fdopen(outgoing, "wb", 0), options.fonts, options.slow
    ).serve()


if __name__ == "__main__":
    import faulthandler

    faulthandler.enable()
    main(sys.argv[1:])
