"""The chapter of contacts: gap and frame, Signorini's and Coulomb's laws, cones, the step, its cone
problem with the numbers of an instant, and how it is solved.

Without an instant the laws stand alone.  Matrices are shown for one contact and those coupled to
it: a pile has thousands of entries, too many to read.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mechstudio.model.contact import ContactSample
from mechstudio.model.equations.lecture import CHAPTER_TITLES, CONTACTS, Chapter, Equality, Step
from mechstudio.model.equations.term_words import shown
from mechstudio.model.equations.terms import Block, Entry, Name, Term
from mechstudio.model.mechanism import GROUND
from mechstudio.model.results.contact_names import contact_ids
from mechstudio.symbolic.instants.cone_problem import (
    APART,
    REBOUNDS,
    SLIDES,
    STICKS,
    ContactInstant,
)
from mechstudio.symbolic.instants.cone_solvers import METHODS, curve
from mechstudio.symbolic.instants.instant import InstantValues
from mechstudio.symbolic.lecture.contact_laws import law_steps
from mechstudio.symbolic.printers.numbered import written
from mechstudio.symbolic.printers.writer import AXES
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

MOST = 4  # contacts of which matrices and numbers are written out
WHOLE = 4  # contacts up to which N is written as a whole
SOLVED = 60  # contacts up to which the methods are compared
ITERATIONS = 200
NEGLIGIBLE = 1e-7  # of the largest entry of a matrix: rounding
_DIRECTIONS = ("n", "u", "w")
_WORDS = {APART: "near", STICKS: "sticks", SLIDES: "slides", REBOUNDS: "rebounds"}


class ContactLesson(NamedTuple):
    """chapter.  choices: (name of a contact, words) of all contacts of the instant.  chosen: the
    one whose matrices are shown.  curves: residuals of METHODS from impulses of zero [m/s].
    tolerance: at which the run's solves end [m/s].
    """

    chapter: Chapter
    choices: tuple[tuple[str, str], ...] = ()
    chosen: str = ""
    curves: tuple[tuple[str, tuple[float, ...]], ...] = ()
    tolerance: float = 0.0


def contacts_chapter(
    d: "DerivedEquations",
    row: np.ndarray | None = None,
    sample: ContactSample | None = None,
    chosen: str = "",
    values: InstantValues | None = None,
) -> ContactLesson:
    """The chapter at an instant of a run: its sample (layout.width,) and its contacts; without them
    the laws alone.  chosen: name of a contact (model.results.contact_names).

    values: of this derivation, where they are at hand.  Raises DerivationError and LinAlgError as
    they do.
    """
    made = lambda steps, refusal="": Chapter(
        CONTACTS, CHAPTER_TITLES[CONTACTS], tuple(steps), refusal
    )
    if not d.plan.mechanism.contacts.enabled:
        return ContactLesson(
            made(
                law_steps(),
                tr(
                    "Contacts are off: bodies pass through each other. Switch them on under "
                    "Contacts in the model tree."
                ),
            )
        )
    if row is None or sample is None or not len(row):
        return ContactLesson(
            made(law_steps(), tr("Run the mechanism to see the numbers of an instant."))
        )
    if row[0] <= d.plan.mechanism.start.value * (1 + 1e-12):
        return ContactLesson(
            made(
                law_steps(),
                tr(
                    "Impulses belong to the step that ends at an instant: go on from the start to "
                    "see their numbers."
                ),
            )
        )
    if not sample.bodies:
        return ContactLesson(made(law_steps(), tr("Nothing touches at this instant.")))
    return _Written(d, ContactInstant(values or InstantValues(d), row, sample)).lesson(chosen)


def counted(count: int | str, what: str) -> str:
    """ "1 iteration", "8 iterations"."""
    return f"{count} {what}" if str(count) == "1" else f"{count} {what}s"


class _Written:
    """Numbers of one instant as steps."""

    def __init__(self, d: "DerivedEquations", at: ContactInstant) -> None:
        self.d, self.at, self.w = d, at, d.writer
        self.names = tuple(d.plan.mechanism.bodies)
        self.ids = contact_ids(at.bodies.tolist(), self.names)
        self.sources = [
            (id, *(self.names[k] for k in pair if k >= 0))
            for id, pair in zip(self.ids, at.bodies.tolist())
        ]
        self.verdicts = at.verdicts

    def _named(self, k: int) -> str:
        m = self.d.plan.mechanism
        if k >= 0:
            return m.bodies[self.names[k]].name
        return (
            "floor"
            if m.contacts.floor is not None and not m.ground.shapes
            else m.ground.name or GROUND
        )

    def words(self, i: int) -> str:
        """ "box on floor, 2": which bodies, and which of the points between them if there are
        several.
        """
        a, b = self.at.bodies[i].tolist()
        several = int((self.at.bodies == self.at.bodies[i]).all(axis=1).sum()) > 1
        return tr("{body} on {a}", body=self._named(b), a=self._named(a)) + (
            tr(", point {rpartition}", rpartition=int(self.ids[i].rpartition(":")[2]) + 1)
            if several
            else ""
        )

    def lesson(self, chosen: str) -> ContactLesson:
        at, ids = self.at, self.ids
        # the first strong one: among corners of one box the strongest changes from step to step
        first = (
            ids.index(chosen)
            if chosen in ids
            else int(np.argmax(at.gamma[:, 0] >= 0.5 * at.gamma[:, 0].max()))
        )
        island = at.island(first)
        kept = island[:MOST]
        curves = self._curves(island)
        steps = law_steps(
            list(self._frame(first)),
            list(self._balance(first)),
            list(self._matrices(kept, island)),
            list(self._states(kept, island)),
            list(self._solution(island, curves)),
        )
        chapter = Chapter(CONTACTS, CHAPTER_TITLES[CONTACTS], tuple(steps))
        return ContactLesson(
            chapter,
            tuple((id, self.words(i)) for i, id in enumerate(ids)),
            ids[first],
            curves,
            at.settings.contacts.tolerance.value,
        )

    # entries

    def number(self, x: float, sources: Sequence[str] = (), largest: float = 0.0) -> Entry:
        if not np.isfinite(x) or abs(x) <= NEGLIGIBLE * largest or x == 0.0:
            return Entry()
        text = written(abs(x))
        return Entry((Term(-1 if x < 0 else 1, 1, (Name(text, text),), tuple(sources)),))

    def block(
        self,
        key: str,
        letter: str,
        subscript: str,
        x: np.ndarray,
        labels: Sequence[str],
        columns: Sequence[str],
        sources: Sequence[str],
        symmetric: bool = False,
    ) -> Block:
        largest = float(np.abs(x).max(initial=0.0))
        rows = tuple(
            tuple(self.number(v, sources, largest) for v in line)
            for line in np.atleast_2d(x).tolist()
        )
        name = self.w.name(letter, *subscript.split())
        return Block(
            key,
            f"{letter}_{subscript}".rstrip("_"),
            rows,
            tuple(labels),
            (tuple(sources),) * len(rows),
            symmetric,
            name,
            tuple(columns),
        )

    def equal(
        self,
        letter: str,
        subscript: str,
        x: float,
        label: str,
        sources: Sequence[str],
        least: float = 0.0,
    ) -> Equality:
        return Equality(
            # as the contact's own, whose letters mean something else than in other chapters
            Entry((Term(1, 1, (self.w.name(letter, *subscript.split()),), tuple(sources)),)),
            self.number(0.0 if abs(x) <= least else x, sources),
            label,
            tuple(sources),
        )

    # steps

    def _frame(self, i: int) -> Iterator[Step]:
        at, n, src = self.at, str(i + 1), self.sources[i]
        blocks = [
            self.block("frame", "R", n, at.axes[i].T, AXES, _DIRECTIONS, src),
            self.block("point", "p", n, at.point[i][:, None], AXES, (), src),
        ]
        D = at.D[:, 3 * i : 3 * i + 3]
        transformed = np.flatnonzero(
            np.abs(D).max(axis=1) > NEGLIGIBLE * np.abs(D).max(initial=0.0)
        )
        words = [
            tr("R has n, u and w as its columns, in the world's axes; p is the point, in metres.")
        ]
        if len(transformed):
            c = self.d.plan.coordinates
            names = comma().join(shown(self.d.names.q[k]) for k in transformed)
            words.append(
                tr("D has a row for every coordinate that moves the point: {names}.", names=names)
            )
            blocks.append(
                self.block(
                    "D",
                    "D",
                    n,
                    D[transformed],
                    [c[k].meaning for k in transformed],
                    _DIRECTIONS,
                    src,
                )
            )
        yield Step(
            "gap:frame",
            "gap",
            tr("Contact {n}: {self_}", n=n, self_=self.words(i)),
            tuple(words),
            equations=(self.equal("Phi", n, at.gap[i], tr("gap [m]"), src, 1e-12),),
            blocks=tuple(blocks),
            depth=1,
            sources=src,
        )

    def _balance(self, i: int) -> Iterator[Step]:
        at, n, src = self.at, str(i + 1), self.sources[i]
        lines = [
            self.equal("h", "", at.step, tr("step [s]"), ()),
            self.equal(
                "b", n, at.b[i, 0], tr("what the gap asks of the velocity: Φ/h [m/s]"), src, 1e-9
            ),
        ]
        words = [tr("Found where the step began, which ended at this instant.")]
        if at.soft[i] > 0.0:
            lines.append(self.equal("E", n, at.soft[i], tr("compliance [m/s per N s]"), src))
            words.append(
                tr(
                    "It gives way: E = c / (α h²) with compliance c and α = 1/4 + a / (2 h), a "
                    "being its damping time; α is larger where it is stiff for the step. b has "
                    "the gap and the velocity before the step."
                )
            )
        if at.pull[i] > 0.0:
            words.append(
                tr(
                    "It holds together by up to A = {pull:.4g} N: γ_n is h (N + A), and what the "
                    "pulls −h A do stands in r.",
                    pull=float(at.pull[i]),
                )
            )
        if at.rebounds[i]:
            words.append(tr("It rebounds: b = −u_n⁺ stands for what restitution asks."))
        elif at.b[i, 1:].any():
            words.append(
                tr(
                    "The surfaces run along each other by {speed:.3g} m/s where bodies stand "
                    "still: b has that along u and w.",
                    speed=float(np.hypot(*at.b[i, 1:])),
                )
            )
        yield Step(
            "step:numbers",
            "step",
            tr("Step of contact {n}", n=n),
            tuple(words),
            equations=tuple(lines),
            depth=1,
            sources=src,
        )

    def _matrices(self, kept: Sequence[int], island: Sequence[int]) -> Iterator[Step]:
        at, first = self.at, kept[0]
        left = len(at.mu) - len(kept)
        words = [tr("Contact {first} is {self_}.", first=first + 1, self_=self.words(first))]
        if left:
            here = len(island) - len(kept)
            words.append(
                tr("{left} of {count} contacts are left out", left=left, count=len(at.mu))
                + (
                    tr(", {here} of them tied to this one.", here=here)
                    if here
                    else tr(", none of which is tied to this one.")
                )
            )
        for n, i in enumerate(kept):
            name = f"{first + 1} {i + 1}"
            src = tuple(dict.fromkeys((*self.sources[first], *self.sources[i])))
            blocks = [
                self.block(
                    f"N:{i}", "N", name, at.block(first, i), _DIRECTIONS, _DIRECTIONS, src, n == 0
                )
            ]
            if n == 0:
                blocks += [
                    self.block("r", "r", str(i + 1), at.r[i][:, None], _DIRECTIONS, (), src),
                    self.block(
                        "gamma", "gamma", str(i + 1), at.gamma[i][:, None], _DIRECTIONS, (), src
                    ),
                    self.block("u", "u", str(i + 1), at.u[i][:, None], _DIRECTIONS, (), src),
                ]
            title = (
                tr("N, r, γ and u of contact {i}", i=i + 1)
                if n == 0
                else tr(
                    "N between contacts {first} and {i}: {self_}",
                    first=first + 1,
                    i=i + 1,
                    self_=self.words(i),
                )
            )
            yield Step(
                f"problem:{n}",
                "problem",
                title,
                tuple(words) if n == 0 else (),
                blocks=tuple(blocks),
                depth=1,
                sources=src,
            )
        if 1 < len(island) <= WHOLE:
            words = (
                "Contacts "
                + comma().join(str(i + 1) for i in sorted(island))
                + tr(", three rows each: n, u, w. In 1/kg."),
                tr("N is symmetric: below the diagonal stand the transposes of what is above."),
            )
            yield Step(
                "problem:whole",
                "problem",
                tr("N of all {count} contacts together", count=len(island)),
                words,
                blocks=(self._whole(sorted(island)),),
                depth=1,
            )

    def _whole(self, island: Sequence[int]) -> Block:
        """N of all these contacts, with a block N_ij for each two of them."""
        both = lambda i, j: tuple(dict.fromkeys((*self.sources[i], *self.sources[j])))
        parts = {
            (i, j): self.block(
                f"N:{i}:{j}",
                "N",
                f"{i + 1} {j + 1}",
                self.at.block(i, j),
                _DIRECTIONS,
                _DIRECTIONS,
                both(i, j),
                i == j,
            )
            for i in island
            for j in island
        }
        rows = tuple(
            tuple(e for j in island for e in parts[i, j].rows[k]) for i in island for k in range(3)
        )
        labels = tuple(f"{i + 1} {x}" for i in island for x in _DIRECTIONS)
        return Block(
            "N",
            "N",
            rows,
            labels,
            tuple(self.sources[i] for i in island for _ in _DIRECTIONS),
            True,
            self.w.name("N"),
            labels,
            tuple(parts[i, j] for i in island for j in island if i <= j),
        )

    def _states(self, kept: Sequence[int], island: Sequence[int]) -> Iterator[Step]:
        at, residuals = self.at, self.at.residuals
        states = (
            (STICKS, tr("{count} stick", count=self.verdicts.count(STICKS))),
            (SLIDES, tr("{count} slide", count=self.verdicts.count(SLIDES))),
            (REBOUNDS, tr("{count} rebound", count=self.verdicts.count(REBOUNDS))),
            (APART, tr("{count} only near", count=self.verdicts.count(APART))),
        )
        counts = comma().join(words for state, words in states if state in self.verdicts)
        yield Step(
            "states",
            "states",
            tr("What each contact does"),
            (tr("{count} contacts: {counts}.", count=len(at.mu), counts=counts),),
        )
        for n, i in enumerate(kept):
            t, s, src = (
                float(np.hypot(*at.gamma[i, 1:])),
                float(np.hypot(*at.u[i, 1:])),
                self.sources[i],
            )
            k, limit = str(i + 1), at.mu[i] * at.gamma[i, 0]
            tiny = 1e-9 * max(float(np.abs(at.gamma).max()), 1e-15)
            verdict = {
                APART: tr("No impulse: near, but not touching."),
                STICKS: tr(
                    "Sticks: friction uses {t:.0f} % of the cone.",
                    t=100.0 * t / limit if limit > 0.0 else 0.0,
                ),
                SLIDES: tr("Slides: friction is on the rim of the cone."),
                REBOUNDS: tr("Rebounds: parts faster than the gap asks."),
            }[self.verdicts[i]]
            lines = (
                self.equal("Phi", k, at.gap[i], tr("gap [m]"), src, 1e-12),
                self.equal(
                    "gamma", f"n {k}", at.gamma[i, 0], tr("normal impulse [N s]"), src, tiny
                ),
                self.equal("gamma", f"t {k}", t, tr("friction impulse [N s]"), src, tiny),
                self.equal(
                    "kappa", k, limit, tr("most that friction can give: μ γ_n [N s]"), src, tiny
                ),
                self.equal(
                    "u", f"n {k}", at.u[i, 0], tr("normal velocity at the end [m/s]"), src, 1e-12
                ),
                self.equal("s", k, s, tr("sliding speed [m/s]"), src, 1e-12),
                self.equal(
                    "epsilon", k, float(residuals[i]), tr("residual of the laws [m/s]"), src
                ),
            )
            yield Step(
                f"states:{n}",
                "states",
                f"{k}  {self.words(i)}",
                (verdict,),
                equations=lines,
                depth=1,
                sources=src,
            )

    def _curves(self, island: Sequence[int]) -> tuple[tuple[str, tuple[float, ...]], ...]:
        at = self.at
        if len(island) > SOLVED:
            return ()
        rows = [3 * i + k for i in island for k in range(3)]
        r = at.r[list(island)].copy()
        r[:, 0] += at.shift[list(island)]
        N, tolerance = at.N[np.ix_(rows, rows)], at.settings.contacts.tolerance.value
        return tuple(
            (key, curve(key, N, r.ravel(), at.mu[list(island)], tolerance, ITERATIONS))
            for key in METHODS
        )

    def _solution(
        self, island: Sequence[int], curves: tuple[tuple[str, tuple[float, ...]], ...]
    ) -> Iterator[Step]:
        at = self.at
        own, run = float(at.residuals.max(initial=0.0)), at.run_residual
        words = [
            tr(
                "In the run: {iterations} from the impulses of the step before, residual "
                "{run:.2g} m/s; computed here from D, N and r: {own:.2g} m/s.",
                iterations=counted(at.iterations, "iteration"),
                run=run,
                own=own,
            )
        ]
        if own > 2.0 * max(run, at.settings.contacts.tolerance.value):
            words.append(
                tr(
                    "What is shown leaves out the approach before a rebound, and the second order "
                    "to which the run steps surfaces that roll or slide on each other."
                )
            )
        if curves:
            counts = {
                key: f"{len(c) - 1}"
                if c[-1] < at.settings.contacts.tolerance.value
                else tr("more than {count}", count=len(c) - 1)
                for key, c in curves
            }
            apgd, sweeps, jacobi = (
                counted(counts[key], what)
                for key, what in (
                    ("apgd", "iteration"),
                    ("gauss_seidel", "sweep"),
                    ("jacobi", "iteration"),
                )
            )
            words.append(
                tr(
                    "From impulses of zero: {apgd}; projected Gauss-Seidel needs {sweeps}, "
                    "projected Jacobi {jacobi}.",
                    apgd=apgd,
                    sweeps=sweeps,
                    jacobi=jacobi,
                )
            )
        yield Step(
            "solution:numbers",
            "solution",
            tr("Convergence for {count} contacts", count=len(island))
            if len(island) > 1
            else "Convergence",
            tuple(words),
            depth=1,
        )
