"""The free-body view: one body cut free at the time cursor, what acts on it with symbols and
numbers, and how far the sum is from closing.

sum F - m a_G = 0,   sum M_G - (Theta alpha + w x Theta w) = 0
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.motion_comparison import same_motion
from mechstudio.application.questions.analyses import analysis_question
from mechstudio.application.runs.element_readings import rotation_matrix
from mechstudio.application.signal import Signal
from mechstudio.model import free_bodies as of
from mechstudio.model.free_bodies import CONTACT, INERTIA, WEIGHT, WIDTH, Slot, Symbol
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.model.results.analysis_results import Measured
from mechstudio.model.types.analyses import Options
from mechstudio.translation import tr

MOST = 400  # instants of a run at which bodies are cut free at most
ALL = (
    40  # bodies up to which all are cut free at once, so that another one is there without waiting
)
NOTHING = 1e-9  # of the largest of the run: what is below is not drawn
# of the largest of the run: a sum below that closes; interpolation keeps sums, so it is rounding
GOOD = 1e-8
FLAT = (
    1e-6  # of the largest spread: how far forces may stand out of a plane in which they are drawn
)
USUAL = (
    0.5  # share of the instants whose largest force or couple is shorter than REACH or a whole arc
)
REACH = 0.30  # sizes of the mechanism that the usual largest force is long


class Action(NamedTuple):
    """One arrow, at one instant, in W.

    symbol: of slot; from_body: id of the body it comes from, "" for none.  point [m].  force (3,)
    [N], couple at the point (3,) [N m], moment about the centre of mass (3,) [N m]; loose_force,
    loose_couple: the parts of them that rigid bodies do not determine.  open: whether any direction
    is not determined, be it zero.
    """

    slot: Slot
    symbol: Symbol
    from_body: str
    point: np.ndarray
    force: np.ndarray
    couple: np.ndarray
    moment: np.ndarray
    loose_force: np.ndarray
    loose_couple: np.ndarray
    open: bool


class Stroke(NamedTuple):
    """One arrow: the force or the couple of an action, or that part of it that rigid bodies do not
    determine (loose).  vector (3,) [N or N m].  split: the other part is drawn too.
    """

    action: Action
    couple: bool
    loose: bool
    vector: np.ndarray
    split: bool = False

    @property
    def symbol(self) -> Symbol:
        """As it is written beside the arrow."""
        symbol = self.action.symbol
        return (
            symbol._replace(subscript=tr("{subscript} loose", subscript=symbol.subscript))
            if self.loose and self.split
            else symbol
        )


@dataclass(frozen=True)
class Cut:
    """A body cut free at one instant.

    center [m]: of mass, in W.  actions: all of them, inertia last, those that vanish now included.
    force_gap (3,) [N], moment_gap (3,) [N m]: sums of all, about the centre of mass.
    largest_force,
    largest_moment: of any of them over the run.  usual_force, usual_couple: what scales of arrows
    are made for.  normal: of the plane in which all determined forces of the run lie, None where
    they do not lie in one.
    """

    body: str
    time: float
    center: np.ndarray
    actions: tuple[Action, ...]
    force_gap: np.ndarray
    moment_gap: np.ndarray
    largest_force: float
    largest_moment: float
    usual_force: float
    usual_couple: float
    normal: np.ndarray | None

    @cached_property
    def strokes(self) -> "tuple[Stroke, ...]":
        """Strokes to draw: every force and couple larger than rounding, with the part that rigid
        bodies do not determine as a stroke of its own.
        """
        out = []
        for action in self.actions:
            for couple, whole, loose in (
                (False, action.force, action.loose_force),
                (True, action.couple, action.loose_couple),
            ):
                parts = (
                    ((False, whole - loose), (True, loose))
                    if self.drawn(loose, couple)
                    else ((False, whole),)
                )
                shown = [
                    (is_loose, vector) for is_loose, vector in parts if self.drawn(vector, couple)
                ]
                out += [
                    Stroke(action, couple, is_loose, vector, len(shown) > 1)
                    for is_loose, vector in shown
                ]
        return tuple(out)

    @property
    def closes(self) -> bool:
        """True if forces and moments sum up to zero but for rounding."""
        return bool(
            np.linalg.norm(self.force_gap) <= GOOD * self.largest_force
            and np.linalg.norm(self.moment_gap) <= GOOD * self.largest_moment
        )

    def drawn(self, vector: np.ndarray, of_moment: bool = False) -> bool:
        """True if a force, or a couple where `of_moment` is set, is larger than rounding."""
        return bool(
            np.linalg.norm(vector)
            > NOTHING * (self.largest_moment if of_moment else self.largest_force)
        )


class Course:
    """One body over a run, from the table of an analysis "free_bodies" of the whole mechanism.
    times (s,) [s].
    """

    def __init__(
        self,
        mechanism: Mechanism,
        table: Measured,
        body: str,
        size: float,
        only: tuple[str, ...] = (),
    ) -> None:
        """size: of the mechanism [m], by which forces and moments are compared.  only: ids of the
        bodies in the table, () for all.
        """
        everything = of.slots(mechanism, only)
        rows = np.frombuffer(table.rows).reshape(-1, len(table.columns))
        flags = np.frombuffer(table.hatched, "u1").reshape(rows.shape)
        if rows.shape[1] != 1 + WIDTH * len(everything):
            raise ValueError(
                tr(
                    "The table has {shape} columns for {count} actions.",
                    shape=rows.shape[1],
                    count=len(everything),
                )
            )
        mine = [k for k, slot in enumerate(everything) if slot.body == body]
        self.body, self.slots, self.times = body, tuple(everything[k] for k in mine), rows[:, 0]
        names = of.symbols(mechanism)
        self.symbols = tuple(names[slot] for slot in self.slots)
        self.origins = tuple(of.against(mechanism, slot) for slot in self.slots)
        self._numbers = rows[:, 1:].reshape(len(rows), -1, WIDTH)[:, mine]
        self._open = np.asarray(
            flags[:, 1:].reshape(len(rows), -1, WIDTH)[:, mine].any(axis=(0, 2))
        )
        force, couple, moment = (
            np.linalg.norm(self._numbers[:, :, part], axis=2)
            for part in (of.FORCE, of.COUPLE, of.MOMENT)
        )
        # sums are compared with what was added up: where there is no moment to speak of, with that
        # of the forces over the size
        self.largest_force = float(max(force.max(initial=0.0), moment.max(initial=0.0) / size))
        self.largest_moment = float(max(moment.max(initial=0.0), force.max(initial=0.0) * size))
        self.usual_force, self.usual_couple = (_usual(v.max(axis=1)) for v in (force, couple))
        # what is not determined says nothing about the plane of a mechanism: least squares give it
        # small parts across
        self.normal = _plane(
            (self._numbers[:, :, of.FORCE] - self._numbers[:, :, of.LOOSE_FORCE]).reshape(-1, 3)
        )

    def at(self, time: float, pose: np.ndarray) -> Cut:
        """The body cut free at a time [s], held inside the run; between two instants all numbers
        are interpolated linearly, which keeps their sums.  pose (7,): of the body as it is shown.
        """
        k = min(
            max(int(np.searchsorted(self.times, time, side="right")) - 1, 0),
            max(len(self.times) - 2, 0),
        )
        after = min(k + 1, len(self.times) - 1)
        span = self.times[after] - self.times[k]
        f = min(max((time - self.times[k]) / span, 0.0), 1.0) if span > 0 else 0.0
        now = (1.0 - f) * self._numbers[k] + f * self._numbers[after]
        R = rotation_matrix(pose[3:])
        points = pose[:3] + now[:, of.POINT] @ R.T
        actions = tuple(
            Action(
                slot,
                symbol,
                origin,
                points[n],
                now[n, of.FORCE],
                now[n, of.COUPLE],
                now[n, of.MOMENT],
                now[n, of.LOOSE_FORCE],
                now[n, of.LOOSE_COUPLE],
                bool(self._open[n]),
            )
            for n, (slot, symbol, origin) in enumerate(zip(self.slots, self.symbols, self.origins))
        )
        return Cut(
            self.body,
            time,
            actions[-1].point,
            actions,
            sum((a.force for a in actions), np.zeros(3)),
            sum((a.moment for a in actions), np.zeros(3)),
            self.largest_force,
            self.largest_moment,
            self.usual_force,
            self.usual_couple,
            self.normal,
        )


def _usual(peaks: np.ndarray) -> float:
    """Median of the largest magnitudes at all instants, so that an impact does not make all other
    arrows vanish; 0 without instants.
    """
    return float(np.quantile(peaks, USUAL)) if len(peaks) else 0.0


def _plane(vectors: np.ndarray) -> np.ndarray | None:
    """The unit normal of the plane through zero in which vectors (k, 3) lie; None if they do not,
    or along one line (then any would do: the one nearest to y).
    """
    sizes, axes = np.linalg.eigh(vectors.T @ vectors)
    if sizes[0] > (FLAT * FLAT) * sizes[2] or sizes[2] <= 0.0:
        return None
    if sizes[1] <= (FLAT * FLAT) * sizes[2]:
        line = axes[:, 2]
        across = np.array([0.0, 1.0, 0.0]) - line[1] * line
        return across / np.linalg.norm(across) if np.linalg.norm(across) > 1e-3 else None
    return axes[:, 0]


class FreeBodyView:
    """Free-body view: the body that is cut free and what is known of it.  Nothing happens but in
    `poll`.

    body: id, "" while the view is closed.  scale: of the arrows against the automatic one.
    hovered: the slot under the pointer.  changed(): any of these, or what is known.
    """

    def __init__(
        self, document: Document, folder: Path | None = None, command: list[str] | None = None
    ) -> None:
        self.changed = Signal()
        self.body, self.scale = "", 1.0
        self.hovered: Slot | None = None
        self._document = document
        # before the parts that send requests are notified of a change: its news may be shown at
        # once, and the body may be gone
        document.changed.connect(self._document_changed)
        self._asker = analysis_question(document, folder, command)
        self._asker.changed.connect(self._answered)
        self._recording: Any = None  # whose motion was requested, None for the start alone
        self._table: Measured | None = None
        self._requested = ""  # the body that alone was requested, "" for all
        self._course: Course | None = None
        self._refusal = ""
        self.whole = False  # the table is of a run and not of its first instant alone

    @property
    def is_open(self) -> bool:
        return bool(self.body)

    @property
    def is_busy(self) -> bool:
        """True while a search is under way."""
        return self._asker.state == "searching"

    def show(self, body: str) -> None:
        """Cut a body free, in place of the one before."""
        if body in self._document.project.mechanism.bodies and body != self.body:
            self.body, self._course, self.hovered = body, None, None
            self.changed.emit()

    def leave(self) -> None:
        """Put it back."""
        if self.body:
            # first of all: what cancelling emits is heard at once, and the body may be gone
            self.body, self._course, self.hovered, self.scale = "", None, None, 1.0
            self._asker.cancel()
            self.changed.emit()

    def set_scale(self, scale: float) -> None:
        """Draw arrows so many times as long as they come."""
        self.scale = min(max(scale, 1e-3), 1e3)
        self.changed.emit()

    def hover(self, slot: Slot | None) -> None:
        """Another action is under the pointer."""
        if slot != self.hovered:
            self.hovered = slot
            self.changed.emit()

    def poll(self, recording: Any, refusal: str = "") -> None:
        """Receive the answer, and request the next one needed.  recording: of the drawing as
        it is now, or None.  refusal: why it cannot be run, if it cannot.
        """
        self._asker.poll()
        if not self.body:
            return
        if refusal != self._refusal:
            self._refusal = refusal
            self.changed.emit()
        finished = (
            recording
            if recording is not None and recording.finished and recording.count > 1
            else None
        )
        if refusal or (recording is not None and not recording.finished) or self.is_busy:
            return
        if (
            self._table is not None
            and self._recording is finished
            and self._requested in ("", self.body)
        ):
            return
        if self._asker.state == "failed" and self._recording is finished:
            return
        self._recording, self._requested = (
            finished,
            "" if len(self._document.project.mechanism.bodies) <= ALL else self.body,
        )
        step = self._document.project.settings.sample_step.value
        times: dict[str, Any] = (
            {"duration": 0.0}
            if finished is None
            else {"duration": finished.length, "sample_step": max(step, finished.length / MOST)}
        )
        self._asker.request(
            "free_bodies",
            Options(bodies=(self._requested,) if self._requested else (), **times),
            () if finished is None else finished.drawings,
        )

    def _answered(self) -> None:
        if self._asker.state == "ready":
            self._table, self._course, self.whole = (
                self._asker.result,
                None,
                self._recording is not None,
            )
        self.changed.emit()

    def _document_changed(self, old: Project, new: Project) -> None:
        if not same_motion(old, new):
            self._table, self._recording, self.whole = None, None, False
        if old.mechanism is not new.mechanism:
            self._course = None
            if self.body and self.body not in new.mechanism.bodies:
                self.leave()

    @property
    def course(self) -> Course | None:
        """Of the body, over what was found; None while unknown."""
        if (
            self._course is None
            and self.body
            and self._table is not None
            and self._requested in ("", self.body)
        ):
            m = self._document.project.mechanism
            self._course = Course(
                m, self._table, self.body, m.size(), (self._requested,) if self._requested else ()
            )
        return self._course

    def cut(self, time: float, pose: np.ndarray) -> Cut | None:
        """The body at the time cursor [s]; None while unknown.   pose (7,): as it is shown."""
        course = self.course
        if (
            course is None
            or not len(course.times)
            or time > course.times[-1] + 1e-9 + 0.51 * self._step(course)
        ):
            return None
        return course.at(time, pose)

    def _step(self, course: Course) -> float:
        return float(course.times[-1] - course.times[-2]) if len(course.times) > 1 else 0.0

    def words(self, known: bool) -> str:
        """Text beside the arrows, or in their place; may be empty.  known: there are arrows."""
        if self._refusal:
            return self._refusal
        if self._asker.state == "failed":
            return self._asker.sentence
        if not known:
            return (
                tr("Being found.")
                if self.is_busy or self._table is None
                else tr("Not found yet at this time.")
            )
        return (
            ""
            if self.whole
            else tr("At the start of the motion. Press Space, and the arrows follow it.")
        )

    def close(self) -> None:
        """End the process; this cannot be used after that."""
        self._document.changed.disconnect(self._document_changed)
        self._asker.close()


def scale_of(cut: Cut, size: float, scale: float) -> float:
    """Length per force [m/N] of the arrows; 0 where there is no force.  size: of the mechanism [m].
    scale: as the user chose it.
    """
    return (
        scale * REACH * size / cut.usual_force
        if cut.usual_force > 0.0
        else scale * REACH * size / cut.largest_force
        if cut.largest_force > 0.0
        else 0.0
    )


def plane_axes(
    cut: Cut, right: np.ndarray, up: np.ndarray, back: np.ndarray
) -> tuple[np.ndarray, np.ndarray, bool]:
    """(across (3,), upward (3,), flat): axes onto which the polygon is laid: of the plane of all
    forces, else of the camera's picture.  right, up, back: the camera's.
    """
    n = cut.normal
    if n is None:
        return right, up, False
    n = n if n @ back >= 0 else -n
    across = right - (right @ n) * n
    if np.linalg.norm(across) < 0.2:  # the camera looks along the plane
        across = np.cross(up, n)
    across = across / np.linalg.norm(across)
    # a plane of the world's axes is shown along them
    nearest = int(np.argmax(np.abs(across)))
    axis = np.zeros(3)
    axis[nearest] = np.sign(across[nearest])
    axis = axis - (axis @ n) * n
    if np.linalg.norm(axis) > 0.999:
        across = axis / np.linalg.norm(axis)
    return across, np.cross(n, across), True


def tip_to_tail(cut: Cut) -> list[tuple[Stroke, np.ndarray, np.ndarray]]:
    """(force, start (3,), end (3,)) [N] of all forces that are drawn, laid tip to tail from zero
    on, the inertia last.
    """
    out, at = [], np.zeros(3)
    for stroke in cut.strokes:
        if not stroke.couple:
            out.append((stroke, at, at + stroke.vector))
            at = at + stroke.vector
    return out


def about(mechanism: Mechanism, action: Action) -> str:
    """Description of an action in words, such as "weight of crank"."""
    slot, names = action.slot, mechanism
    body = names.bodies[slot.body].name
    if slot.kind == WEIGHT:
        return tr("weight of {body}", body=body)
    if slot.kind == INERTIA:
        return tr("inertia of {body}: −m a(G), and the couple −(Θ α + ω × Θ ω)", body=body)
    if slot.kind == CONTACT:
        return tr("all that touches {body}, in the step that ends now", body=body)
    element: Any = next(
        section[slot.id]
        for section in (names.joints, names.forces, names.couplings, names.drives)
        if slot.id in section
    )
    kind = {
        "load": "",
        "soft stop": tr("soft stop of joint "),
        "stop": tr("stop of joint "),
        "joint": tr("reaction of joint "),
        "coupling": tr("coupling "),
        "drive": tr("drive "),
    }[slot.kind]
    joint_label = (
        tr(", from {body}", body=names.body(action.from_body).name) if action.from_body else ""
    )
    loose = (
        tr("; not unique: rigid bodies do not determine all of it, this is the least-squares value")
        if action.open
        else ""
    )
    return tr(
        "{kind}{element}{joint_label} on {body}{loose}",
        kind=kind,
        element=element.name,
        joint_label=joint_label,
        body=body,
        loose=loose,
    )
