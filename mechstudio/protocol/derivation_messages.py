"""Messages between the window and the process that derives (worker/derivation_process.py): of
equations, branches, analyses and exports.

Their packing, and the messages of both processes, are in solver_messages.py.
"""

from collections.abc import Mapping

import msgspec

from mechstudio.model.contact import ContactSample
from mechstudio.model.equations.lecture import Proof
from mechstudio.model.equations.numbers import InstantNumbers
from mechstudio.model.equations.report import Report
from mechstudio.model.equations.terms import Equations
from mechstudio.model.findings import Finding
from mechstudio.model.project import Project
from mechstudio.model.results.analysis_results import Measured
from mechstudio.model.results.branches import Branches, PointCurves
from mechstudio.model.results.interference import Interference
from mechstudio.model.sizing.answer import Sized
from mechstudio.model.types.analyses import Options
from mechstudio.protocol.message import Answer, Message

# from the window


class Derive(Message, frozen=True):
    """Derive the equations of motion."""

    project: Project
    method: str
    coordinates: str = "auto"


class Teach(Message, frozen=True):
    """Lay out a chapter of the equations derived last (model/equations/lecture.py).  independent:
    the coordinates that the partition shall keep.

    Of the chapter of contacts: sample, as in Evaluate, and contacts of the same instant; contact:
    name of the one that is shown (model/results/contact_names.py).
    """

    chapter: str
    independent: tuple[str, ...] = ()
    sample: bytes = b""
    contacts: ContactSample | None = None
    contact: str = ""


class Write(Message, frozen=True):
    """Write a chapter that was laid out, or one step of it with its parts, to be copied.  part: the
    chapter's key, or CHAPTER/key of a step.  format: "latex", "text" or "typst".
    """

    part: str
    format: str


class Evaluate(Message, frozen=True):
    """Work out the numbers behind the equations derived last.  sample: a row of a run of the
    drawing (model/results/sample.py), float64; empty for the drawn pose.
    independent: the coordinates that B shall keep, () for the program's choice.
    """

    sample: bytes = b""
    independent: tuple[str, ...] = ()


class Prove(Message, frozen=True):
    """Compare the three derivations of the equations derived last, and claims (Lesson.claims) with
    them.  apart: the claims are an answer to a question, and those before stay.
    """

    claims: tuple[str, ...] = ()
    apart: bool = False


class Verdict(Message, frozen=True):
    """Compare the equations with the simulator at random states (in a process of its own: the
    simulator takes long to load).
    """

    project: Project
    coordinates: str = "auto"


class Typeset(Message, frozen=True):
    """Set a part of the equations derived last as a picture.

    part: key of a block, a name of typst_equations or typst_steps.  colors: "text",
    "mute", and per element id, as #RRGGBB. size [pt]: height of the letters.  density: pixels per
    point.  width [pt]: where lines of running formulas end.
    units: key of model.units.SYSTEMS, for the values of parameters.  numbers: numbers in place of
    parameters.  with_numbers: with room for a number under each unknown.
    """

    part: str
    colors: dict[str, str]
    size: float
    density: float
    width: float = 480.0
    units: str = "mm-N-deg"
    numbers: bool = False
    with_numbers: bool = False


class Export(Message, frozen=True):
    """Make a file of the equations of motion.

    format: id of model/types/exports.py.  title: of documents and models.  units: key of
    model.units.SYSTEMS, for numbers in documents.  report: chosen chapters of a report.
    """

    project: Project
    method: str
    format: str
    title: str = ""
    units: str = "mm-N-deg"
    report: Report | None = None


class Search(Message, frozen=True):
    """Look for dead points and assembly branches.  joint: id, "" for whichever stands for the
    motion.
    """

    project: Project
    joint: str = ""
    coordinate: int = 0


class TracePoints(Message, frozen=True):
    """Find the curves of points over the whole motion.  points: body id and place in its axes [m].
    joint: as of Search.
    """

    project: Project
    points: tuple[tuple[str, tuple[float, float, float]], ...]
    joint: str = ""


class FindInterference(Message, frozen=True):
    """Find where bodies lie in each other over a run.  times: instants (n,) [s]; poses (n, bodies,
    7): place [m] and quaternion w x y z in file order; both little-endian float64.
    """

    project: Project
    times: bytes
    poses: bytes


class FindSteps(Message, frozen=True):
    """Find the solver's own steps from one time of the project's run to another [s]."""

    project: Project
    begin: float
    end: float


class Measure(Message, frozen=True):
    """Analyse a motion or a state.  what: one of model.types.analyses.ANALYSES.  parts: drawings
    whose runs are the parts of the motion (engine.analyses.parts); () for that of the project.
    """

    project: Project
    what: str
    options: Options
    parts: tuple[Project, ...] = ()


class Size(Message, frozen=True):
    """Balance or size the drawing.  what: one of model.sizing.helpers.HELPERS.  given: its fields
    as typed.
    """

    project: Project
    what: str
    given: Mapping[str, str]


# from the process


class Working(Message, frozen=True):
    """A derivation, an export, a search or an analysis goes on.  progress: 0 … 1; step: what is
    being done, in words, "" if that is not known.
    """

    progress: float
    step: str = ""


class Derived(Message, frozen=True):
    """The equations.  finding: why there are none."""

    equations: Equations | None
    finding: Finding | None = None

    @property
    def is_last(self) -> bool:
        return self.equations is None


class Copied(Answer, frozen=True):
    """All that is copied from the equations as LaTeX: the whole, and each part.  id: of their
    derivation, which it follows when nothing else is to be done.
    """

    latex: str = ""
    parts: dict[str, str] = {}


class Heading(msgspec.Struct, frozen=True):
    """A step of a chapter without its formulas (model.equations.lecture.Step).  terms: how much
    there is to typeset; formulas: whether there is anything.
    symbols: all that occur in its formulas, separated by blanks.
    """

    key: str
    kind: str
    title: str
    sentences: tuple[str, ...]
    depth: int
    sources: tuple[str, ...]
    terms: int
    formulas: bool
    symbols: str = ""


class ContactsOfInstant(msgspec.Struct, frozen=True):
    """choices: (name, words) of all contacts.  chosen: the one whose numbers are shown.  curves:
    residuals [m/s] of a method of model.contact.CONTACT_METHODS over its iterations. tolerance
    [m/s]: at which solves end.
    """

    choices: tuple[tuple[str, str], ...] = ()
    chosen: str = ""
    curves: tuple[tuple[str, tuple[float, ...]], ...] = ()
    tolerance: float = 0.0


class ChapterReady(Answer, frozen=True):
    """A chapter's steps; its formulas come as pictures.   refusal: why there are none.

    Of the chapter of contacts: fresh, keys of the steps whose formulas are others than before;
    contacts, all of them.
    """

    chapter: str
    title: str
    steps: tuple[Heading, ...] = ()
    refusal: str = ""
    fresh: tuple[str, ...] = ()
    contacts: ContactsOfInstant | None = None


class Written(Answer, frozen=True):
    """Text of a chapter for the clipboard; "" if the chapter is not there any more."""

    text: str
    format: str


class Proved(Answer, frozen=True):
    """Proofs, the user's claims last; or the simulator's verdict alone."""

    proofs: tuple[Proof, ...] = ()


class Evaluated(Answer, frozen=True):
    """The numbers at an instant.   problem: why there are none, as a sentence."""

    numbers: InstantNumbers | None = None
    problem: str = ""


class LinkArea(msgspec.Struct, frozen=True):
    """A place in a picture that belongs to elements.  box: left, top, width, height [pt].  words:
    the symbols of the term (model/equations/term_words.py).
    """

    box: tuple[float, float, float, float]
    sources: tuple[str, ...]
    words: str = ""


class TypesetPart(Message, frozen=True):
    """A picture (PNG, transparent) of a part, its size [pt], and what lies where in it.  beginning:
    only its first lines, the whole follows.
    """

    part: str
    png: bytes
    size: tuple[float, float]
    link_areas: tuple[LinkArea, ...]
    beginning: bool = False

    @property
    def is_last(self) -> bool:
        return not self.beginning


class Exported(Answer, frozen=True):
    """Content of the exported file, text in UTF-8.  finding: why there is none."""

    content: bytes
    finding: Finding | None = None


class PagesSoFar(Message, frozen=True):
    """Pages of a report's preview that need no derivation, packed PNG; the rest follows."""

    content: bytes


class Searched(Answer, frozen=True):
    """Branches that a search has found; branches.problem says why there are none."""

    branches: Branches


class PointsTraced(Answer, frozen=True):
    """Curves that were found; their `problem` says why there are none."""

    curves: PointCurves


class InterferenceFound(Answer, frozen=True):
    """Overlaps that were found; their `problem` gives the reason if nothing was examined."""

    interference: Interference


class StepsFound(Answer, frozen=True):
    """Steps of a run: rows, samples at their ends; again, the last sample of the run made again in
    the stretch, both of little-endian float64.  sentence: why there are none.
    """

    rows: bytes = b""
    again: bytes = b""
    sentence: str = ""


class MeasureDone(Answer, frozen=True):
    """Table of an analysis.  sentence: why there is none."""

    table: Measured | None = None
    sentence: str = ""


class SizeDone(Answer, frozen=True):
    """Answer of a helper.  sentence: why there is none."""

    sized: Sized | None = None
    sentence: str = ""
