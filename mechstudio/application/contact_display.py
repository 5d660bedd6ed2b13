"""Contacts in the document, and what touches at the time cursor."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.runs.runs import Runs
from mechstudio.application.selection import Selection
from mechstudio.application.signal import Signal
from mechstudio.model import fields
from mechstudio.model.contact import (
    FORCE,
    FRICTION,
    GAP,
    NORMAL,
    NUMBERS_WIDTH,
    POINT,
    PULL,
    SLIP,
    Contacts,
    ContactSample,
    is_solid,
)
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.results.contact_names import contact_ids

APART, STICKING, SLIDING = range(3)
ON_CONE = 0.99  # share of μ N from which friction is at its limit
STILL = 1e-4  # speed below which nothing slides [m/s], and as many times the tolerance of the solve
STILL_SOLVES = 30.0


class InstantContacts(NamedTuple):
    """Contacts of one instant, in arrays with a row each.

    bodies (n, 2): numbers of both in file order, the second never the ground's -1 unless both are.
    point [m, W], normal (unit, W, towards the second), force on the second [N, W]: (n, 3).  gap
    [m], friction (the coefficient), slip [m/s], state (APART, STICKING or SLIDING), pull (that
    holds it together, by which its normal force may be below zero [N]): (n,).  names: as in
    model.results.contact_names.
    """

    bodies: np.ndarray
    point: np.ndarray
    normal: np.ndarray
    force: np.ndarray
    gap: np.ndarray
    friction: np.ndarray
    slip: np.ndarray
    state: np.ndarray
    pull: np.ndarray
    names: tuple[str, ...] = ()

    @property
    def pressing(self) -> np.ndarray:
        """Normal forces (n,) [N]."""
        return np.einsum("ni,ni->n", self.force, self.normal)

    @property
    def rubbing(self) -> np.ndarray:
        """Friction forces (n,) [N]."""
        return np.linalg.norm(self.force - self.pressing[:, None] * self.normal, axis=1)


def read_contact(
    sample: ContactSample, tolerance: float, ids: tuple[str, ...] = ()
) -> InstantContacts:
    """The contacts of a sample.  tolerance: of the solve [m/s], which separates rest from sliding.
    ids: of the bodies in file order.
    """
    bodies = np.frombuffer(sample.bodies, "<i4").reshape(-1, 2).copy()
    rows = np.frombuffer(sample.numbers, "<f8").reshape(-1, NUMBERS_WIDTH)
    point, normal, force = (rows[:, c : c + 3].copy() for c in (POINT, NORMAL, FORCE))
    # the forces of a floor are seen on what stands on it
    rotated = (bodies[:, 1] < 0) & (bodies[:, 0] >= 0)
    bodies[rotated] = bodies[rotated, ::-1]
    normal[rotated] *= -1.0
    force[rotated] *= -1.0
    contacts = InstantContacts(
        bodies,
        point,
        normal,
        force,
        rows[:, GAP],
        rows[:, FRICTION],
        rows[:, SLIP],
        np.full(len(rows), STICKING),
        rows[:, PULL],
        contact_ids(bodies.tolist(), ids) if ids else (),
    )
    # friction is limited by pressure and adhesion together
    pressing = contacts.pressing + contacts.pull
    moving = contacts.slip > max(STILL, STILL_SOLVES * tolerance)
    contacts.state[moving & (contacts.rubbing >= ON_CONE * contacts.friction * pressing)] = SLIDING
    contacts.state[pressing <= 1e-9 * max(1e-9, float(np.abs(pressing).max(initial=0.0)))] = APART
    return contacts


class ContactDisplay:
    """Contacts of the drawing, and those of the run at the time cursor.

    chosen: name of the contact that the equations are about; the strongest where it does not touch.
    chosen_changed(): it is another.  floor_height(): height at which the view shows its floor [m],
    supplied by the window.
    """

    def __init__(self, document: Document, selection: Selection, runs: Runs) -> None:
        self.chosen_changed = Signal()
        self.chosen = ""
        self.floor_height: Callable[[], float] = lambda: 0.0
        self._document, self._selection, self._runs = document, selection, runs
        self._instant_contacts: tuple[ContactSample | None, InstantContacts | None] = (None, None)

    @property
    def contacts(self) -> Contacts:
        return self._document.project.mechanism.contacts

    @property
    def is_on(self) -> bool:
        """True if contacts between bodies are enabled."""
        return self.contacts.enabled

    @property
    def has_floor(self) -> bool:
        return self.contacts.floor is not None

    @property
    def sample(self) -> ContactSample | None:
        """The contacts of the run at the time cursor; None without a recording with contacts."""
        recording = self._runs.recording
        if recording is None or not recording.contacts:
            return None
        return recording.contacts.at(self._runs.playback.time + 1e-9)

    @property
    def instant(self) -> tuple[bytes, ContactSample | None, str]:
        """Instant of the contact equations: bytes of the recorded sample at the contacts of the
        time cursor (float64, b"" if there is none), these contacts, and the name of the chosen
        contact.
        """
        known, recording = self.sample, self._runs.recording
        row = (
            b""
            if known is None
            or recording is None
            or not recording.count
            # its loads are not those of the drawing any more
            or known.time < recording.parts[-1].begin
            else np.ascontiguousarray(recording.sample(known.time), np.float64).tobytes()
        )
        return row, known, self.chosen

    @property
    def instant_contacts(self) -> InstantContacts | None:
        """Contacts at the time cursor; None without a recording with contacts."""
        sample, recording = self.sample, self._runs.recording
        if sample is None or recording is None:
            return None
        if self._instant_contacts[0] is not sample:
            project = recording.project
            self._instant_contacts = (
                sample,
                read_contact(
                    sample,
                    project.settings.contacts.tolerance.value,
                    tuple(project.mechanism.bodies),
                ),
            )
        return self._instant_contacts[1]

    @property
    def resting(self) -> frozenset[int]:
        """Numbers of the bodies that the run leaves alone at the time cursor because they have come
        to rest (settings.contacts.sleep): nothing else stands still to the last digit.
        """
        sample, recording = self.sample, self._runs.recording
        if (
            sample is None
            or recording is None
            or not recording.count
            or not recording.project.settings.contacts.sleep.value > 0.0
        ):
            return frozenset()
        row = recording.sample(sample.time)
        return (
            frozenset(
                np.flatnonzero(
                    ~row[recording.layout.velocities].reshape(-1, 6).any(axis=1)
                ).tolist()
            )
            if row[0] > recording.begin
            else frozenset()
        )

    def choose(self, name: str) -> None:
        """The equations are about this contact from now on; its page is shown."""
        self.chosen = name
        self._selection.select(fields.CONTACTS)
        self.chosen_changed.emit()


def solid_ids(project: Project) -> tuple[str, ...]:
    """Bodies that can touch, ground (or a floor) last."""
    m = project.mechanism
    ids = tuple(id for id, body in m.bodies.items() if is_solid(body))
    return (*ids, GROUND) if is_solid(m.ground) or m.contacts.floor is not None else ids
