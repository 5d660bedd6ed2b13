"""Task of a helper: the request with names and numbers read, and the refusals that all share."""

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from mechstudio.engine.analyses.over_time import place
from mechstudio.engine.dynamics.instant import Instant
from mechstudio.engine.errors import EngineError
from mechstudio.engine.structure import mobility
from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.fields import CONTACTS
from mechstudio.model.findings import Finding
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Triple, matrix, triple
from mechstudio.model.mechanism import GROUND, Drive, Force, Frame, Joint, Mechanism
from mechstudio.model.naming import find_id
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.sizing.helpers import CHOICE, HELPERS, Given, Helper
from mechstudio.model.types.forces import is_motor
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import format_number
from mechstudio.translation import comma, tr

Progress = Callable[[float], None]


class Mover(NamedTuple):
    """A drive or motor on a joint that turns or slides along one axis."""

    element: Drive | Force
    joint: Joint
    is_drive: bool


class Task:
    """Request to a helper.  Raises ValueError for an unknown field."""

    def __init__(
        self, project: Project, what: str, given: Given, progress: Progress | None
    ) -> None:
        self.project, self.progress = project, progress
        self.mechanism: Mechanism = project.mechanism
        self.helper: Helper = HELPERS[what]
        known = [f.name for f in self.helper.fields]
        if unknown := [name for name in given if name not in known]:
            raise ValueError(
                tr(
                    "There is no option {unknown}; there are {known}.",
                    unknown=unknown[0],
                    known=comma().join(known),
                )
            )
        plain = {name: _plain(v) for name, v in given.items()}
        self.given = {name: v for name, v in plain.items() if v not in (None, "", ())}
        self.analysis: Analysis = mobility.analyse(project)
        for finding in self.analysis.findings:
            if finding.severity == "error":
                raise EngineError(finding)
        if self.mechanism.contacts.enabled:
            raise EngineError(
                Finding(
                    "error",
                    CONTACTS,
                    tr("Balancing and sizing know nothing of contacts, which are on."),
                    tr("Switch contacts off first."),
                )
            )

    # given fields

    def number(self, name: str, least: float = -math.inf) -> float | None:
        """A number in SI; None if the helper is to find it.  Raises ValueError for numbers up to
        and including `least`.
        """
        field = self.helper.field(name)
        given = self.given.get(name, field.usual)
        if given == "":
            return None
        label = tr(field.label)
        if isinstance(given, tuple):
            value = math.nan
        elif isinstance(given, str):
            try:
                value = expression.evaluate(given, field.dimension, parameter_values(self.project))
            except ExpressionError as error:
                raise ValueError(
                    tr("{label} = {text}: {error}", label=label, text=given, error=error)
                ) from None
        else:
            value = float(given)
        if not (math.isfinite(value) and value > least):
            raise ValueError(
                tr("{label} must be larger than {least}.", label=label, least=format_number(least))
                if math.isfinite(value)
                else tr("{label} is no number.", label=label)
            )
        return value

    def needed(self, name: str, least: float = -math.inf) -> float:
        """A number in SI with a default value."""
        value = self.number(name, least)
        assert value is not None
        return value

    def numbers(self, name: str) -> list[float]:
        """A list of positive numbers."""
        field = self.helper.field(name)
        given = self.given.get(name, field.usual)
        if isinstance(given, str):
            given = tuple(given.replace(";", ",").split(","))
        try:
            values = [float(part) for part in (given if isinstance(given, tuple) else (given,))]
        except (TypeError, ValueError):
            values = []
        if not values or not all(math.isfinite(v) and v > 0.0 for v in values):
            raise ValueError(
                tr("{label} are numbers above zero, such as 1, 2, 5.", label=tr(field.label))
            )
        return values

    def text(self, name: str) -> str:
        """A word or a path; of a choice, one of its keys."""
        field = self.helper.field(name)
        given = str(self.given.get(name, field.usual))
        if field.kind == CHOICE and given not in field.choices:
            raise ValueError(
                tr(
                    "{label} is {choices}, not {given}.",
                    label=tr(field.label),
                    choices=comma().join(field.choices),
                    given=given,
                )
            )
        return given

    def bodies(self, name: str) -> list[str]:
        """Ids of bodies; [] if the helper is to find them."""
        given = self.given.get(name, ())
        if isinstance(given, str):
            given = tuple(part.strip() for part in given.split(",") if part.strip())
        known = {id: b.name for id, b in self.mechanism.bodies.items()}
        return [find_id(known, str(text), tr("body")) for text in given]  # type: ignore[union-attr]

    def point(self, name: str, now: Instant) -> np.ndarray | None:
        """A place of W (3,) at an instant [m]."""
        given = self.given.get(name)
        if given is None:
            return None
        if not isinstance(given, str):
            try:
                values = np.array(given, float)
            except (TypeError, ValueError):
                values = np.zeros(0)
            if values.shape != (3,):
                raise ValueError(tr("A point has three coordinates."))
            return values
        parts = given.split(",")
        if len(parts) == 3:
            known = parameter_values(self.project)
            try:
                return np.array([expression.evaluate(p, "length", known) for p in parts])
            except ExpressionError as error:
                raise ValueError(str(error)) from None
        body, _, point = given.partition(".")
        names = {GROUND: self.mechanism.ground.name} | {
            id: b.name for id, b in self.mechanism.bodies.items()
        }
        id = find_id(names, body, tr("body"))
        self.mechanism.body(id).point(point)
        return place(now, Frame(id, point))[1]

    # pins and drives

    def turning(self, name: str) -> Joint:
        """The requested pin, or else the first one of the drawing."""
        m = self.mechanism
        pins = {id: j for id, j in m.joints.items() if is_pin(j)}
        if name in self.given:
            known = {id: j.name for id, j in m.joints.items()}
            joint = m.joints[find_id(known, str(self.given[name]), tr("joint"))]
            if joint.id not in pins:
                raise ValueError(
                    tr("{joint} is no pin: choose a joint that only turns.", joint=joint.name)
                )
            return joint
        if not pins:
            raise ValueError(tr("The drawing has no pin, a joint that only turns."))
        driven = [d.joint for d in m.drives.values() if d.enabled and d.joint in pins]
        grounded = [id for id, j in pins.items() if j.frame_a.body == GROUND]
        return pins[(driven or grounded or list(pins))[0]]

    def movers(self, pins_only: bool = False) -> list[Mover]:
        """Drives and motors on pins, and on sliders."""
        m = self.mechanism
        moves = lambda joint: is_pin(joint) or (not pins_only and is_slide(joint))
        out = []
        for drive in m.drives.values():
            if drive.enabled and moves(m.joints[drive.joint]):
                out.append(Mover(drive, m.joints[drive.joint], True))
        for force in m.forces.values():
            if is_motor(force.type) and force.joint and moves(m.joints[force.joint]):
                out.append(Mover(force, m.joints[force.joint], False))
        return out

    def mover(self, name: str, drives_only: bool = False) -> Mover:
        """The requested drive or motor, or the only one.  drives_only: a drive on a pin.
        Raises ValueError, KeyError.
        """
        movers = [m for m in self.movers(drives_only) if m.is_drive or not drives_only]
        if name in self.given:
            given = str(self.given[name])
            on_joint = [m for m in movers if given in (m.joint.id, m.joint.name)]
            if len(on_joint) == 1:
                return on_joint[0]
            known = {m.element.id: m.element.name for m in movers}
            words = tr("drive on a pin") if drives_only else tr("drive on a pin or a slider")
            id = find_id(known, given, words)
            return next(m for m in movers if m.element.id == id)
        if not movers:
            raise ValueError(
                tr("No drive turns a pin: put a drive on the crank's pin first.")
                if drives_only
                else tr("No drive or motor moves a pin or a slider: put one on first.")
            )
        if len(movers) > 1:
            raise ValueError(
                tr(
                    "Several drives move the mechanism: choose one of {names}.",
                    names=comma().join(m.element.name for m in movers),
                )
            )
        return movers[0]

    # places

    def span(self, body: str, pin: Joint) -> float:
        """Greatest distance of a body's joints from a pin of it [m]; of a body without others, that
        of its named points, or a fifth of the mechanism's size.
        """
        m = self.mechanism
        ends = joint_places(m, body)
        if len(ends) < 2:
            ends += [np.array(p) for p in m.body(body).named_points().values()]
        pivot = np.array(m.frame_in_body(side_on(pin, body))[0])
        axis = axis_in(m, pin, body)
        arms = [p - pivot for p in ends]
        longest = max((float(np.linalg.norm(a - axis * (axis @ a))) for a in arms), default=0.0)
        size = m.size()
        return longest if longest > 1e-6 * size else 0.2 * size


def _plain(value: object) -> Any:
    """A given value with plain numbers and tuples in the place of NumPy's and of other rows."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(_plain(part) for part in value)
    return value


def joint_places(m: Mechanism, body: str) -> list[np.ndarray]:
    """Places of the joints of a body in its axes (3,) [m]."""
    return [
        np.array(m.frame_in_body(frame)[0])
        for joint in m.joints.values()
        for frame in (joint.frame_a, joint.frame_b)
        if frame.body == body
    ]


def tidy(point: np.ndarray) -> Triple:
    """A computed place without rounding errors [m]."""
    return triple(round(float(c), 12) + 0.0 for c in point)


def is_pin(joint: Joint) -> bool:
    """True for a joint whose only motion is a rotation about one axis."""
    return JOINT_TYPES[joint.type].is_pin


def side_on(joint: Joint, body: str) -> Frame:
    """The frame of a joint on a body."""
    return joint.frame_b if joint.frame_b.body == body else joint.frame_a


def axis_in(m: Mechanism, pin: Joint, body: str) -> np.ndarray:
    """Axis of a pin in the axes of one of its bodies (3,)."""
    _, q = m.frame_in_body(side_on(pin, body))
    return np.array(matrix(q))[:, 2]


def is_slide(joint: Joint) -> bool:
    """True for a joint whose only motion is a translation along one axis."""
    return JOINT_TYPES[joint.type].is_slide
