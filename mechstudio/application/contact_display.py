"""Contacts in the document, and what touches at the time cursor; part of Studio."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mechstudio.application.part import Part
from mechstudio.application.signal import Signal
from mechstudio.model import fields
from mechstudio.model.contact import (
    FORCE,
    FRICTION,
    GAP,
    NORMAL,
    NUMBERS_WIDTH,
    POINT,
    SLIP,
    SURFACE_TYPES,
    Contacts,
    ContactSample,
    touched_name,
)
from mechstudio.model.edits import contacts as contact_edits
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.results.touch_names import touch_ids
from mechstudio.model.units import format_value

APART, STICKING, SLIDING = range(3)
ON_CONE = 0.99  # share of μ N from which friction is at its limit
STILL = 1e-4  # speed below which nothing slides [m/s], and as many times the tolerance of the solve
STILL_SOLVES = 30.0


class Touch(NamedTuple):
    """Contacts of one instant, in arrays with a row each.

    bodies (n, 2): numbers of both in file order, the second never the ground's -1 unless both are.
    point [m, W], normal (unit, W, towards the second), force on the second [N, W]: (n, 3).  gap
    [m], friction (the coefficient), slip [m/s], state (APART, STICKING or SLIDING): (n,).  names:
    as in model.results.touch_names.
    """

    bodies: np.ndarray
    point: np.ndarray
    normal: np.ndarray
    force: np.ndarray
    gap: np.ndarray
    friction: np.ndarray
    slip: np.ndarray
    state: np.ndarray
    names: tuple[str, ...] = ()

    @property
    def pressing(self) -> np.ndarray:
        """Normal forces (n,) [N]."""
        return np.einsum("ni,ni->n", self.force, self.normal)

    @property
    def rubbing(self) -> np.ndarray:
        """Friction forces (n,) [N]."""
        return np.linalg.norm(self.force - self.pressing[:, None] * self.normal, axis=1)


def read_touch(sample: ContactSample, tolerance: float, ids: tuple[str, ...] = ()) -> Touch:
    """The contacts of a sample.  tolerance: of the solve [m/s], which tells rest from sliding.
    ids: of the bodies in file order.
    """
    bodies = np.frombuffer(sample.bodies, "<i4").reshape(-1, 2).copy()
    rows = np.frombuffer(sample.numbers, "<f8").reshape(-1, NUMBERS_WIDTH)
    point, normal, force = (rows[:, c : c + 3].copy() for c in (POINT, NORMAL, FORCE))
    # the forces of a floor are seen on what stands on it
    turned = (bodies[:, 1] < 0) & (bodies[:, 0] >= 0)
    bodies[turned] = bodies[turned, ::-1]
    normal[turned] *= -1.0
    force[turned] *= -1.0
    touch = Touch(
        bodies,
        point,
        normal,
        force,
        rows[:, GAP],
        rows[:, FRICTION],
        rows[:, SLIP],
        np.full(len(rows), STICKING),
        touch_ids(bodies.tolist(), ids) if ids else (),
    )
    pressing, moving = touch.pressing, touch.slip > max(STILL, STILL_SOLVES * tolerance)
    touch.state[moving & (touch.rubbing >= ON_CONE * touch.friction * pressing)] = SLIDING
    touch.state[pressing <= 1e-9 * max(1e-9, float(np.abs(pressing).max(initial=0.0)))] = APART
    return touch


class Touching(Part):
    """Contact edits and readings, as a part of Studio; every edit is one undo step.  floor_seen():
    height at which the view shows its floor [m], supplied by the window.
    """

    recording: Any
    change: Callable[[str, Callable[[Project], Project]], str]
    floor_seen: Callable[[], float] = staticmethod(lambda: 0.0)
    _touch: tuple[Any, Touch | None] = (None, None)
    # name of the contact that the equations are about; the strongest where it does not touch
    chosen_touch = ""
    touch_chosen: Signal

    @property
    def contacts(self) -> Contacts:
        return self.document.project.mechanism.contacts

    @property
    def has_contacts(self) -> bool:
        """True if contacts between bodies are enabled."""
        return self.contacts.enabled

    @property
    def has_floor(self) -> bool:
        return self.contacts.floor is not None

    @property
    def contact_sample(self) -> ContactSample | None:
        """The contacts of the run at the time cursor; None without a recording with contacts."""
        recording = self.recording
        if recording is None or not recording.contacts:
            return None
        return recording.contacts.at(self.playback.time + 1e-9)

    @property
    def contact_instant(self) -> tuple[bytes, ContactSample | None, str]:
        """Instant of the contact equations: bytes of the recorded sample at the contacts of the
        time cursor (float64, b"" if there is none), these contacts, and the name of the chosen
        contact.
        """
        known = self.contact_sample
        row = (
            b""
            if known is None or not self.recording.count
            else np.ascontiguousarray(self.recording.sample(known.time), np.float64).tobytes()
        )
        return row, known, self.chosen_touch

    @property
    def touch(self) -> Touch | None:
        """Contacts at the time cursor; None without a recording with contacts."""
        sample = self.contact_sample
        if sample is None:
            return None
        if self._touch[0] is not sample:
            project = self.recording.project
            self._touch = (
                sample,
                read_touch(
                    sample,
                    project.settings.contacts.tolerance.value,
                    tuple(project.mechanism.bodies),
                ),
            )
        return self._touch[1]

    @property
    def resting(self) -> frozenset[int]:
        """Numbers of the bodies that the run leaves alone at the time cursor because they have come
        to rest (settings.contacts.sleep): nothing else stands still to the last digit.
        """
        sample = self.contact_sample
        if (
            sample is None
            or not self.recording.count
            or not self.recording.project.settings.contacts.sleep.value > 0.0
        ):
            return frozenset()
        row = self.recording.sample(sample.time)
        return (
            frozenset(
                np.flatnonzero(
                    ~row[self.recording.layout.velocities].reshape(-1, 6).any(axis=1)
                ).tolist()
            )
            if row[0] > 0.0
            else frozenset()
        )

    def choose_touch(self, name: str) -> None:
        """The equations are about this contact from now on; its page is shown."""
        self.chosen_touch = name
        self.selection.select(fields.CONTACTS)
        self.touch_chosen.emit()

    def toggle_contacts(self) -> None:
        on = not self.has_contacts
        self.change(f"Contacts {'on' if on else 'off'}", lambda p: contact_edits.enable(p, on))

    def toggle_floor(self) -> None:
        """A floor where the view shows it, selected so that its height can be typed; or none."""
        if self.has_floor:
            self.change("Remove floor", contact_edits.take_floor)
            return
        # a height of a picture's precision is no number to read
        height = float(f"{self.floor_seen():.4g}")
        self.change("Floor", lambda p: contact_edits.put_floor(p, height))
        self.selection.select(fields.CONTACTS)

    def set_surface(self, id: str, type: str) -> None:
        """A preset for the surface of a body, of the ground, or of the floor by fields.CONTACTS."""
        name = "floor" if id == fields.CONTACTS else self.name(id)
        self.change(
            f"Surface of {name} {SURFACE_TYPES[type].label.lower()}",
            lambda p: contact_edits.set_surface_type(p, id, type),
        )

    def set_pair(self, a: str, b: str, touch: bool) -> None:
        """Let two bodies touch or not."""
        self.change(
            f"{self.name(a)} and {self.name(b)} {'touch' if touch else 'do not touch'}",
            lambda p: contact_edits.set_pair(p, a, b, touch),
        )

    def set_pair_surface(self, a: str, b: str, type: str) -> None:
        """A preset for what two bodies do to each other; an empty one for what follows from the
        surfaces of both.
        """
        names = f"{self.name(a)} and {self.name(b)}"
        self.change(
            f"{names} {SURFACE_TYPES[type].label.lower()}"
            if type
            else f"{names} by their own surfaces",
            lambda p: contact_edits.set_pair_surface(p, a, b, type),
        )

    def toggle_touches(self, id: str) -> None:
        """A body touches, or passes through everything."""
        on = not self.document.project.mechanism.body(id).touches
        self.change(
            f"{self.name(id)} {'touches' if on else 'passes through everything'}",
            lambda p: contact_edits.set_touches(p, id, on),
        )

    def why_apart(self, a: str, b: str) -> str:
        """Why two bodies do not touch by themselves, in a few words; empty if they do."""
        joint = contact_edits.joint_between(self.document.project.mechanism, a, b)
        return f"share joint {self.name(joint)}" if joint else ""

    def pair_names(self, bodies: np.ndarray) -> str:
        """The names of both bodies of a contact: "box on floor"."""
        m = self.document.project.mechanism
        ids = tuple(m.bodies)
        named = lambda k: touched_name(m, ids[k] if 0 <= k < len(ids) else GROUND)
        return f"{named(int(bodies[1]))} on {named(int(bodies[0]))}"

    def contact_words(self, value: float, dimension: str) -> str:
        """A number of a contact as it is shown."""
        return format_value(value, dimension, self.units, 3)


def solid_ids(project: Project) -> tuple[str, ...]:
    """Bodies that can touch, ground (or a floor) last."""
    m = project.mechanism
    ids = tuple(id for id, body in m.bodies.items() if body.shapes and body.touches)
    return (
        (*ids, GROUND)
        if m.ground.shapes and m.ground.touches or m.contacts.floor is not None
        else ids
    )
