"""Arrows of the scene: velocity and acceleration of points, forces and reactions on bodies, as
arrays in W.

Velocities stand in the samples.  The rest comes from analyses over the run, which are requested
once in the background; between their instants it is interpolated.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.marks.figures.poles import fastest
from mechstudio.application.marks.places import (
    BodyPoint,
    body_point,
    carried_motion,
    moving_points,
    positions,
    velocities,
)
from mechstudio.application.motion_comparison import same_motion
from mechstudio.application.questions.analyses import analysis_question
from mechstudio.application.runs.recording import Recording
from mechstudio.application.scene.display_size import view_size
from mechstudio.application.scene.instances import cross, multiply, rotate
from mechstudio.application.signal import Signal
from mechstudio.model import free_bodies as of
from mechstudio.model.edits.marks import place
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.project import Mark, Project
from mechstudio.model.quantity import values
from mechstudio.model.results.analysis_results import Measured
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.analyses import Options
from mechstudio.translation import tr

MOST = 400  # most instants of a run at which analyses are requested
KINEMATICS, REACTIONS, LOADS = "kinematics", "reactions", "free_bodies"
# of the largest of the run: what is below is rounding, and is not drawn
NOTHING = 1e-9
# of the size: a force is rounding that would not move the whole mass so far within the run
LEAST_WAY = 1e-12
# share of a reaction that rigid bodies must leave open for its arrow to be drawn: less is not seen
SEEN = 0.02
USUAL = 0.7  # share of the instants at which an arrow is not longer than REACH
REACH = 0.25  # sizes of the mechanism that such an arrow is long
APPLIED = (of.WEIGHT, of.LOAD, of.DRIVE, of.SOFT_STOP, of.COUPLED, of.CONTACT)


class Instants(NamedTuple):
    """Samples of a run (n, layout.width), with what analyses say at their times, by name."""

    mechanism: Mechanism
    layout: SampleLayout
    rows: np.ndarray
    tables: Mapping[str, "Table"]


class Table(NamedTuple):
    """Answer of an analysis: times (s,) [s], numbers and whether they are not determined (s, c)."""

    time: np.ndarray
    numbers: np.ndarray
    loose: np.ndarray

    def at(self, times: np.ndarray, columns: slice) -> tuple[np.ndarray, np.ndarray]:
        """Numbers (n, c) at times (n,), and which of them are not determined."""
        t = np.clip(times, self.time[0], self.time[-1])
        k = np.clip(np.searchsorted(self.time, t, side="right") - 1, 0, max(len(self.time) - 2, 0))
        after = np.minimum(k + 1, len(self.time) - 1)
        span = self.time[after] - self.time[k]
        share = np.where(span > 0, (t - self.time[k]) / np.where(span > 0, span, 1.0), 0.0)[:, None]
        number = (1 - share) * self.numbers[k, columns] + share * self.numbers[after, columns]
        return number, self.loose[k, columns] | self.loose[after, columns]


class Course(NamedTuple):
    """One arrow over some instants.  root, vector (n, 3) in W [m; SI].  couple: it is a moment.
    loose (n,): rigid bodies do not determine it.  acts_on: id of the body that it acts on.  words:
    at its tip, "" for none.
    """

    root: np.ndarray
    vector: np.ndarray
    couple: bool = False
    loose: np.ndarray | None = None
    acts_on: str = ""
    words: str = ""


class ArrowKind(NamedTuple):
    """One kind of arrows.  dimension: of its length; couple: of that of its moments, "" for none.
    needs: the analysis that computes it, "" for none.  courses(instants, mark): what is drawn.
    """

    dimension: str
    couple: str
    needs: str
    courses: Callable[[Instants, Mark], Iterator[Course]]


def _body_point(now: Instants, mark: Mark) -> BodyPoint:
    at = body_point(now.mechanism, place(mark))
    assert at is not None, "marks whose places are not there are left out"
    return at


def _velocity(now: Instants, mark: Mark) -> Iterator[Course]:
    at = _body_point(now, mark)
    yield Course(positions(now.layout, now.rows, at), velocities(now.layout, now.rows, at))


def _acceleration(now: Instants, mark: Mark) -> Iterator[Course]:
    at = _body_point(now, mark)
    root = positions(now.layout, now.rows, at)
    yield Course(root, accelerations(now, at.body, root))


def accelerations(now: Instants, body: str, points: np.ndarray) -> np.ndarray:
    """Accelerations (n, 3) in W [m/s²] of the points of a body that are at points (n, 3) of W:
    a_P = a_O + alpha x r + w x (w x r).
    """
    if body == GROUND:
        return np.zeros_like(points)
    first = 1 + 15 * now.layout.bodies.index(body)
    reported, _ = now.tables[KINEMATICS].at(now.rows[:, 0], slice(first + 6, first + 15))
    a, w, alpha = reported[:, :3], reported[:, 3:6], reported[:, 6:]
    r = points - now.rows[:, now.layout.pose(body)][:, :3]
    return a + cross(alpha, r) + cross(w, cross(w, r))


def _velocity_parts(now: Instants, mark: Mark) -> Iterator[Course]:
    """Velocity of a point as its frame carries it, and against the frame."""
    at, frame = _body_point(now, mark), mark.other or GROUND
    root = positions(now.layout, now.rows, at)
    _, carried = carried_motion(now.layout, now.rows, frame, root)
    v = velocities(now.layout, now.rows, at)
    yield Course(root, carried, words=tr("transport"))
    yield Course(root, v - carried, words=tr("relative"))


def _acceleration_parts(now: Instants, mark: Mark) -> Iterator[Course]:
    """Acceleration of a point as its frame carries it, Coriolis' 2 w x v_rel, and what is left:
    that against the frame.
    """
    at, frame = _body_point(now, mark), mark.other or GROUND
    root = positions(now.layout, now.rows, at)
    w, carried = carried_motion(now.layout, now.rows, frame, root)
    coriolis = 2.0 * cross(w, velocities(now.layout, now.rows, at) - carried)
    transport = accelerations(now, frame, root)
    whole = accelerations(now, at.body, root)
    yield Course(root, transport, words=tr("transport"))
    yield Course(root, coriolis, words=tr("Coriolis"))
    yield Course(root, whole - transport - coriolis, words=tr("relative"))


def _reaction(now: Instants, mark: Mark) -> Iterator[Course]:
    """Force and moment of a joint on its second body, as far as rigid bodies determine them."""
    m, joint = now.mechanism, now.mechanism.joints[mark.joint]
    first = 1 + 6 * list(m.joints).index(mark.joint)
    reported, loose = now.tables[REACTIONS].at(now.rows[:, 0], slice(first, first + 6))
    point, q = m.frame_in_body(joint.frame_b)
    body = joint.frame_b.body
    root = positions(now.layout, now.rows, BodyPoint(body, point, ""))
    turn = np.array(q, float)[None]
    if body != GROUND:
        turn = multiply(now.rows[:, now.layout.pose(body)][:, 3:], turn)
    determined = np.where(loose, 0.0, reported)
    for k, couple in ((0, False), (3, True)):
        part, rest = determined[:, k : k + 3], (reported - determined)[:, k : k + 3]
        open_ = np.linalg.norm(rest, axis=1) > SEEN * np.linalg.norm(reported[:, k : k + 3], axis=1)
        yield Course(root, rotate(turn, part), couple, open_, body)


def _force(now: Instants, mark: Mark) -> Iterator[Course]:
    """Loads on a body but for reactions and inertia, each at its own point."""
    m, body, time = now.mechanism, mark.body, now.rows[:, 0]
    for k, slot in enumerate(of.slots(m)):
        if slot.body != body or slot.kind not in APPLIED:
            continue
        reported, _ = now.tables[LOADS].at(time, slice(1 + of.WIDTH * k, 1 + of.WIDTH * (k + 1)))
        pose = now.rows[:, now.layout.pose(body)]
        root = pose[:, :3] + rotate(pose[:, 3:], reported[:, of.POINT])
        loose = np.abs(reported[:, of.LOOSE_FORCE]).max(axis=1) > 0.0
        yield Course(root, reported[:, of.FORCE] - reported[:, of.LOOSE_FORCE], False, loose, body)
        loose = np.abs(reported[:, of.LOOSE_COUPLE]).max(axis=1) > 0.0
        yield Course(root, reported[:, of.COUPLE] - reported[:, of.LOOSE_COUPLE], True, loose, body)


KINDS: dict[str, ArrowKind] = {
    "velocity": ArrowKind("velocity", "", "", _velocity),
    "acceleration": ArrowKind("acceleration", "", KINEMATICS, _acceleration),
    "velocity_parts": ArrowKind("velocity", "", "", _velocity_parts),
    "acceleration_parts": ArrowKind("acceleration", "", KINEMATICS, _acceleration_parts),
    "force": ArrowKind("force", "torque", LOADS, _force),
    "reaction": ArrowKind("force", "torque", REACTIONS, _reaction),
}


class Arrow(NamedTuple):
    """One arrow at the time cursor.  type: of its mark; mark: id.  dimension: of its length.
    root, vector (3,) in W [m; SI].  words: at its tip.
    """

    type: str
    mark: str
    dimension: str
    root: np.ndarray
    vector: np.ndarray
    couple: bool
    loose: bool
    acts_on: str
    words: str = ""


class Arrows:
    """Arrows of marks, and the analyses that they need.

    changed(): an answer came.  sentence: why one did not; "" while all goes well.  waiting: kinds
    of analyses that are being found.
    """

    def __init__(self, document: Document) -> None:
        self.changed = Signal()
        self.sentence = ""
        self._document, self._asker = document, analysis_question(document)
        self._asker.changed.connect(self._answered)
        self._under_way = ""
        self._parts_of: tuple[Project, ...] = ()  # Recording.drawings of the tables
        self._tables: dict[str, Table] = {}
        self._refused: set[str] = set()
        self._largest: tuple[object, dict[str, float]] = (None, {})
        document.changed.connect(self._document_changed)

    @property
    def waiting(self) -> str:
        """The analysis that is under way; "" for none."""
        return self._under_way

    def is_known(self, type: str) -> bool:
        """True if arrows of a type can be drawn."""
        needs = KINDS[type].needs
        return not needs or needs in self._tables

    def is_refused(self, type: str) -> bool:
        """True if arrows of a type cannot be shown; `sentence` says why."""
        return KINDS[type].needs in self._refused

    def poll(self, recording: Recording | None, types: frozenset[str]) -> None:
        """Receive answers, and request those that marks of some types need next."""
        self._asker.poll()
        if recording is None or not recording.finished or not recording.count or self._under_way:
            return
        if recording.drawings != self._parts_of:
            # the same drawing run with other changes on the way
            self._parts_of, self._tables, self._refused = recording.drawings, {}, set()
        for type in KINDS:
            needs = KINDS[type].needs
            if type in types and needs and needs not in self._tables | dict.fromkeys(self._refused):
                step = max(
                    self._document.project.settings.sample_step.value, recording.length / MOST
                )
                self._under_way = needs
                options = Options(duration=recording.length, sample_step=step)
                self._asker.request(needs, options, recording.drawings)
                return

    def close(self) -> None:
        """End the process; this cannot be used after that."""
        self._document.changed.disconnect(self._document_changed)
        self._asker.close()

    def at(self, recording: Recording, rows: np.ndarray, marks: tuple[Mark, ...]) -> list[Arrow]:
        """Arrows at the first of some samples (n, layout.width)."""
        now = Instants(self._document.project.mechanism, recording.layout, rows[:1], self._tables)
        out = []
        for mark, c in self._courses(now, marks):
            kind = KINDS[mark.type]
            dimension = kind.couple if c.couple else kind.dimension
            length = float(np.linalg.norm(c.vector[0]))
            if not np.isfinite(length) or not np.isfinite(c.root).all():
                continue
            if length <= NOTHING * self._largest[1].get(dimension, 0.0) or length == 0.0:
                continue
            loose = c.loose is not None and bool(c.loose[0])
            arrow = (c.root[0], c.vector[0], c.couple, loose, c.acts_on, c.words)
            out.append(Arrow(mark.type, mark.id, dimension, *arrow))
        return out

    def _courses(self, now: Instants, marks: tuple[Mark, ...]) -> Iterator[tuple[Mark, Course]]:
        """Courses of marks at one sample.  Velocities are found together: there may be many,
        and they are requested in every frame.
        """
        plain = [mark for mark in marks if mark.type == "velocity"]
        if plain:
            points = [_body_point(now, mark) for mark in plain]
            roots, vectors = moving_points(now.layout, now.rows[0], points)
            for k, mark in enumerate(plain):
                yield mark, Course(roots[k : k + 1], vectors[k : k + 1])
        for mark in marks:
            if mark.type != "velocity" and self.is_known(mark.type):
                for course in KINDS[mark.type].courses(now, mark):
                    yield mark, course

    def usual(self, recording: Recording, marks: tuple[Mark, ...]) -> dict[str, float]:
        """Length of a usual long arrow of each dimension over the run [SI]."""
        m, count = self._document.project.mechanism, recording.count
        # of a run that grows the scale is taken again when it has doubled
        key = (recording, count.bit_length() if not recording.finished else -1, m, marks)
        key = (*key, tuple(self._tables))
        if self._largest[0] == key or not count:
            return self._usual if self._largest[0] == key else {}
        picked = np.unique(np.linspace(0, count - 1, min(count, MOST)).astype(int))
        now = Instants(m, recording.layout, recording.rows[picked], self._tables)
        found: dict[str, list[np.ndarray]] = {}
        for mark in marks:
            kind = KINDS[mark.type]
            for c in kind.courses(now, mark) if self.is_known(mark.type) else ():
                dimension = kind.couple if c.couple else kind.dimension
                lengths = np.linalg.norm(c.vector, axis=1)
                found.setdefault(dimension, []).append(lengths[np.isfinite(lengths)])
        joined = {d: np.concatenate(each) for d, each in found.items()}
        # a point that stands still moves by rounding, which is small beside what else moves
        size = view_size(m)
        turning = fastest(recording.layout, now.rows, size)
        moving = {"velocity": turning * size, "acceleration": turning**2 * size}
        moving["force"] = self._heaviest(m) * (
            float(np.linalg.norm(values(m.gravity)))
            + moving["acceleration"]
            + LEAST_WAY / NOTHING * size / (recording.length or recording.duration) ** 2
        )
        moving["torque"] = moving["force"] * size
        largest = {
            d: max(float(each.max(initial=0.0)), moving.get(d, 0.0)) for d, each in joined.items()
        }
        self._largest = (key, largest)
        self._usual = {}
        for d, each in joined.items():
            counted = each[each > NOTHING * largest[d]]
            if largest[d] > 0.0:
                self._usual[d] = float(np.quantile(counted, USUAL)) if len(counted) else largest[d]
        return self._usual

    def _heaviest(self, m: Mechanism) -> float:
        """Mass of all bodies [kg]: what weighs, and is moved, gives forces their measure."""
        if self._mass[0] is not m:
            self._mass = m, sum(mass_properties(body).mass for body in m.bodies.values())
        return self._mass[1]

    _usual: dict[str, float] = {}
    _mass: tuple[Mechanism | None, float] = (None, 0.0)

    def _answered(self) -> None:
        state, what = self._asker.state, self._under_way
        if state == "searching" or not what:
            return
        self._under_way = ""
        if state == "ready" and self._asker.result is not None:
            self._tables[what] = _read(self._asker.result)
        elif state == "failed":
            self._refused.add(what)
            self.sentence = self._asker.sentence
        self.changed.emit()

    def _document_changed(self, old: Project, new: Project) -> None:
        if not same_motion(old, new):
            self._asker.cancel()
            self._under_way, self._tables, self._refused, self.sentence = "", {}, set(), ""
            self._largest = (None, {})
            self.changed.emit()


def _read(table: Measured) -> Table:
    rows = np.frombuffer(table.rows).reshape(-1, len(table.columns))
    loose = np.frombuffer(table.hatched, "u1").reshape(rows.shape) > 0
    return Table(rows[:, 0], rows, loose)
