"""Marks of the open document: what of them is drawn at the time cursor."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.marks.arrows import KINDS, REACH, Arrow, Arrows
from mechstudio.application.marks.figures import gaps
from mechstudio.application.marks.figures.bodies import no_ellipsoid
from mechstudio.application.marks.figures.figure import Figures
from mechstudio.application.marks.figures.ghosts import Run, input_joint
from mechstudio.application.marks.figures.mark_figures import FigureMaker
from mechstudio.application.marks.interference import Interferences
from mechstudio.application.marks.places import BodyPoint, body_point, color
from mechstudio.application.marks.trails import Strokes, Trail
from mechstudio.application.marks.whole_turns import Note, WholeTurns, strokes_of
from mechstudio.application.runs.recording import Recording
from mechstudio.application.runs.runs import Runs
from mechstudio.application.scene.display_size import view_size
from mechstudio.application.scene.scene import Measure
from mechstudio.application.signal import Signal
from mechstudio.curves.dimensions import unit_of
from mechstudio.model.edits.marks import Place, found, of_type, place
from mechstudio.model.joints.planarity import is_planar
from mechstudio.model.project import Mark, Project
from mechstudio.model.types.marks import MARK_TYPES
from mechstudio.translation import comma, localised, tr

BUDGET = 0.004  # s of computing in one turn
REPORTED = 0.1  # s between two pictures of trails that grow


class Path(NamedTuple):
    """A path to be drawn.  id: of its mark.  color: index of its body's series colour.  shaded: its
    shares choose between the pale and the full colour.  last [s]: how much of it before the time
    cursor is seen, 0 for all.  whole: it is no history, and all of it is seen at any time.  dotted:
    of another assembly branch.
    """

    id: str
    strokes: Strokes
    color: int
    shaded: bool = False
    last: float = 0.0
    whole: bool = False
    dotted: bool = False


class Marks:
    """Marks of the drawing as they can be shown now; they grow in `poll`.

    arrows: velocities, forces.  whole_turns: curves that are found without playing.  interference:
    bodies that lie in each other over the run.

    pixel: size of a pixel in W [m], to which paths are cut; 0 while there is no view.  pointed():
    the point or joint under the pointer, None for none.  changed(): paths are others.
    """

    def __init__(self, document: Document, runs: Runs) -> None:
        self.changed = Signal()
        self.pixel = 0.0
        self.pointed: Callable[[], Place | None] = lambda: None
        self._document, self._runs = document, runs
        self.arrows, self.whole_turns = Arrows(document), WholeTurns(document)
        self.interference = Interferences(document)
        for part in (self.whole_turns, self.interference):
            part.changed.connect(self.changed.emit)
        self.arrows.changed.connect(self.changed.emit)
        self._gap = ""  # joint whose gap is shown
        # of which marks and mechanism, by type
        self._by_type: tuple[object, object, dict[str, tuple[Mark, ...]]] = (None, None, {})
        self._figures = FigureMaker()
        self._trails: dict[str, Trail] = {}
        self._made: tuple[Project | None, Recording | None] = (None, None)
        self._reported = (0.0, 0)
        document.changed.connect(lambda old, new: self._refresh())
        runs.kept.changed.connect(self.changed.emit)

    def of_type(self, type: str) -> tuple[Mark, ...]:
        """Marks of a type whose places are there."""
        project = self._document.project
        known, mechanism, found = self._by_type
        if known is not project.marks or mechanism is not project.mechanism:
            # a played run needs them in every frame
            found = {}
            self._by_type = (project.marks, project.mechanism, found)
        if type not in found:
            found[type] = of_type(project, type)
        return found[type]

    def body_point(self, mark: Mark) -> BodyPoint | None:
        """The point of a body that a mark belongs to."""
        return body_point(self._document.project.mechanism, place(mark))

    def title(self, mark: Mark) -> str:
        """Name of the element that a mark belongs to."""
        at, m = self.body_point(mark), self._document.project.mechanism
        if at is None:
            return MARK_TYPES[mark.type].label
        if mark.other:
            seen = at.name if mark.point or mark.joint else m.body(mark.body).name
            return f"{seen} / {m.body(mark.other).name}"
        return (
            at.name
            if not mark.point
            else tr("{at} of {body}", at=at.name, body=m.body(at.body).name)
        )

    def marked(self) -> dict[str, tuple[str, ...]]:
        """Types of the marks on each element, by its id, in the order of MARK_TYPES."""
        m, marked = self._document.project.mechanism, {}
        for type in MARK_TYPES:
            for mark in self.of_type(type):
                at = body_point(m, place(mark))
                if at is not None:
                    types = marked.setdefault(mark.joint or at.body, [])
                    types += [] if type in types else [type]
        return {id: tuple(types) for id, types in marked.items()}

    # paths

    def paths(self) -> tuple[Path, ...]:
        """Paths of the trails as far as they have grown."""
        project = self._document.project
        out = []
        for mark in self.of_type("trail"):
            trail = self._trails.get(mark.id)
            if trail is not None:
                out.append(
                    Path(
                        mark.id,
                        trail.strokes(),
                        color(project.mechanism, trail.at.body),
                        mark.color != "body",
                        trail.last,
                    )
                )
        for mark in self.of_type("whole_turn"):
            at = self.body_point(mark)
            assert at is not None, "of_type leaves out the others"
            index = color(project.mechanism, at.body)
            out += [
                Path(mark.id, strokes_of(turn.points), index, whole=True, dotted=not turn.drawn)
                for turn in self.whole_turns.turns(at)
            ]
        return tuple(out)

    def notes(self) -> tuple[Note, ...]:
        """Dead points, cusps and double points of the curves of whole turns."""
        points = [at for m in self.of_type("whole_turn") if (at := self.body_point(m)) is not None]
        return tuple(n for at in points for turn in self.whole_turns.turns(at) for n in turn.notes)

    def fastest(self, mark: Mark) -> float | None:
        """Largest speed on a trail that is coloured by speed [m/s]; None while unknown."""
        trail = self._trails.get(mark.id)
        return trail.fastest if trail is not None and mark.color == "speed" else None

    # arrows

    @property
    def arrow_marks(self) -> tuple[Mark, ...]:
        """Marks that are arrows, by kind."""
        return tuple(mark for type in KINDS for mark in self.of_type(type))

    def shown_arrows(self, sample: np.ndarray | None = None) -> list[Arrow]:
        """Arrows at the time cursor, or at another sample of the run; none without a run."""
        recording, marks = self._runs.recording, self.arrow_marks
        sample = self._runs.sample if sample is None else sample
        if recording is None or sample is None or not marks:
            return []
        self.measures({})  # what is only rounding is known by the largest of the run
        return self.arrows.at(recording, sample[None], marks)

    def measures(self, drawn: Mapping[str, Measure]) -> dict[str, Measure]:
        """Scales of the arrows by dimension: those of what is drawn already, or else the automatic
        ones times the chosen length.
        """
        recording, marks = self._runs.recording, self.arrow_marks
        if recording is None or not marks:
            return {}
        length = REACH * view_size(self._document.project.mechanism) * self.length
        usual = self.arrows.usual(recording, marks)
        return {d: drawn.get(d) or Measure(d, value, length) for d, value in usual.items()}

    @property
    def length(self) -> float:
        """Length of the arrows against the automatic one."""
        mark = found(self._document.project, "arrow_length")
        return 1.0 if mark is None or not mark.value else mark.value

    @property
    def components(self) -> bool:
        """True if arrows are shown with their parts along the axes of W."""
        return found(self._document.project, "components") is not None

    # figures

    def shown_figures(self, is_recorded: bool, units: str, now: float | None = None) -> Figures:
        """Ghosts, axes and the like at the time cursor, or at another time [s].  is_recorded: poses
        of the recording are what is shown.  units: of numbers in words.
        """
        runs, recording = self._runs, self._runs.recording if is_recorded else None
        run = None
        if recording is not None and recording.count:
            run = Run(recording, runs.playback.time if now is None else now, runs.beside)
        figures = self._figures.figures(self._document.project, run, units)
        if run is not None and self._gap:
            figures = self._with_gap(figures, run, units)
        if run is None or found(self._document.project, "interference") is None:
            return figures
        clashes = self.interference.symbols(run.now, units)
        return figures._replace(symbols=(*figures.symbols, *clashes))

    def show_gap(self, joint: str) -> None:
        """Show the gap of a joint magnified, "" for none."""
        if joint != self._gap:
            self._gap = joint
            self.changed.emit()

    def _with_gap(self, figures: Figures, run: Run, units: str) -> Figures:
        """Figures and the gap of a joint at the sample that is nearest to the time cursor."""
        m, recording = run.recording.project.mechanism, run.recording
        row = recording.rows[int(np.argmin(np.abs(recording.time - run.now)))]
        found_gap = gaps.gap(m, recording.layout, row, self._gap)
        if found_gap is None:
            return figures
        parts = list(gaps.drawn(found_gap, m.size(), m.joints[self._gap].name, units))
        return figures._replace(
            moving=(*figures.moving, *(p for p in parts if isinstance(p, gaps.Line))),
            symbols=(*figures.symbols, *(p for p in parts if isinstance(p, gaps.Symbol))),
        )

    def _box(self, mark: Mark, units: str) -> str:
        """Sides of the box that a body stays in over the run; "" while that is not known."""
        recording = self._runs.recording
        if recording is None:
            return ""
        m = self._document.project.mechanism
        sides = self._figures.extent(m, recording, mark.body)
        if sides is None:
            return ""
        unit = unit_of("length", units)
        numbers = " × ".join(localised(f"{side / unit.factor:.4g}") for side in sides)
        return f"{numbers} {unit.symbol}"

    def figure_holds(self, type: str, units: str) -> str:
        """Names of the elements of marks of a type of figure, in words; "" if none is shown."""
        there, m = self.of_type(type), self._document.project.mechanism
        if not there:
            return ""
        if type == "ghost_angle":
            joint = input_joint(m)
            return m.joints[joint].name if joint else tr("no joint turns")
        if type == "ghost_run":
            ticked = [run.title for run in self._runs.beside if run.ticked]
            return comma().join(ticked) or tr("none is ticked")
        if type == "interference":
            return self.interference.state
        if type == "centrode" and not is_planar(m, m.joints.values()):
            return tr("planar mechanisms only")
        if type == "ellipsoid" and all(no_ellipsoid(m, mark) for mark in there):
            return tr("no body has such an inertia")
        if type == "swept" and len(there) == 1 and (box := self._box(there[0], units)):
            return f"{self.title(there[0])}  {box}"
        named = [mark for mark in there if mark.body or mark.joint]
        return comma().join(dict.fromkeys(self.title(mark) for mark in named))

    @property
    def are_ready(self) -> bool:
        """True if the trails cover the run, and all requested answers have arrived."""
        self._refresh()
        grown = not any(trail.is_behind for trail in self._trails.values())
        return grown and not self.arrows.waiting and self.whole_turns.progress is None

    def close(self) -> None:
        """End the process of the analyses."""
        self.arrows.close()
        self.interference.close()
        self.whole_turns.close()

    def poll(self) -> None:
        """Let paths grow for a moment, and take in answers."""
        self._refresh()
        points = tuple(
            at for m in self.of_type("whole_turn") if (at := self.body_point(m)) is not None
        )
        self.whole_turns.poll(points)
        self.interference.poll(
            self._runs.recording, found(self._document.project, "interference") is not None
        )
        self.arrows.poll(self._runs.recording, frozenset(m.type for m in self.arrow_marks))
        begun = time.perf_counter()
        for trail in self._trails.values():
            trail.fit(self.pixel)
        behind = [t for t in self._trails.values() if t.is_behind]
        while behind and self.pixel > 0.0 and time.perf_counter() - begun < BUDGET:
            behind.sort(key=lambda t: t.version)
            behind[0].grow()
            behind = [t for t in behind if t.is_behind]
        version = sum(t.version for t in self._trails.values())
        now = time.perf_counter()
        if version != self._reported[1] and (not behind or now - self._reported[0] > REPORTED):
            self._reported = (now, version)
            self.changed.emit()

    def _refresh(self) -> None:
        """Trails of the marks and the recording as they are now; those that stay keep what they
        have.
        """
        project, recording = self._document.project, self._runs.recording
        if self._made[0] is project and self._made[1] is recording:
            return
        marked = self._made[0].marks if self._made[0] is not None else ()
        self._made = (project, recording)
        before, self._trails = self._trails, {}
        for mark in self.of_type("trail") if recording is not None else ():
            at = self.body_point(mark)
            assert recording is not None
            assert at is not None, "of_type leaves out the others"
            last = mark.value or 0.0
            old = before.get(mark.id)
            same = (
                old is not None
                and old.recording is recording
                and (old.at.body, old.at.local, old.color, old.last)
                == (at.body, at.local, mark.color, last)
            )
            self._trails[mark.id] = (
                old if same and old is not None else Trail(recording, at, mark.color, last)
            )
        if before or self._trails or project.marks or marked:
            self._reported = (0.0, -1)
            self.changed.emit()


def ends_of(paths: Iterable[Path]) -> np.ndarray:
    """Points (k, 3) that enclose the paths [m, W]."""
    ends = [np.concatenate([p.strokes.a, p.strokes.b]) for p in paths if len(p.strokes)]
    return np.concatenate(ends) if ends else np.zeros((0, 3))
