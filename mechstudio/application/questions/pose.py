"""Setting a joint coordinate from a field or a slider: requested from the worker, committed as one
undo step when it answers.
"""

from mechstudio.application.display import Display
from mechstudio.application.document import Document
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.preferences import Preferences
from mechstudio.application.questions.solver import Session
from mechstudio.application.signal import Signal
from mechstudio.model.edits import elements
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.laws.coupling_offsets import driven_end, value_for_offset
from mechstudio.model.types.joints import JOINT_TYPES, Coordinate
from mechstudio.model.units import format_value, unit
from mechstudio.protocol.solver_messages import PoseFound
from mechstudio.translation import tr

KEY = "pose"  # of messages


class JointSetting:
    """Setting of joint coordinates to typed values.

    stopped(joint, coordinate, target, reached): a coordinate that is set came only so far [rad or
    m].  movement: names the drag of a slider that goes on: all its poses are one undo step.
    """

    def __init__(
        self,
        document: Document,
        notifications: Notifications,
        preferences: Preferences,
        display: Display,
    ) -> None:
        self.stopped = Signal()
        self.movement = ""
        self._document, self._notifications = document, notifications
        self._preferences, self._display = preferences, display
        self._session: Session | None = None

    def attach(self, session: Session) -> None:
        """Connect the solver."""
        self._session = session
        session.posed.connect(self.take)

    def set(self, joint: str, coordinate: int, text: str) -> bool:
        """Move the whole mechanism until a coordinate (its place among the joint's) of a joint (id)
        has the typed value, loops closed.

        The text is a number, with or without a unit, or a formula of parameters.  The answer comes
        a little later as one undo step; where the mechanism stops before, it is committed as far as
        it goes and a message says why.  False, with a message, for a text that is no value; a
        target that follows before the answer takes its place.
        """
        known = self._coordinate(joint, coordinate)
        value = None if known is None else self._read(joint, known, text)
        return value is not None and self._request(joint, coordinate, value)

    def set_offset(self, id: str, text: str) -> bool:
        """Move the last coordinate of a coupling (id) until its offset is the typed one, its other
        coordinates where they are; as `set`.
        """
        mechanism = self._document.project.mechanism
        coupling = mechanism.couplings[id]
        end = driven_end(coupling)
        known = self._coordinate(end.joint, end.coordinate)
        offset = None if known is None else self._read(end.joint, known, text)
        return offset is not None and self._request(
            end.joint, end.coordinate, value_for_offset(mechanism, coupling, offset), id
        )

    def _read(self, joint: str, known: Coordinate, text: str) -> float | None:
        """The typed number [rad or m]; None, with a message, for what is none."""
        try:
            values = elements.parameter_values(self._document.project)
            return expression.quantity(
                text, known.dimension, values, unit(known.dimension, self._preferences.units).symbol
            ).value
        except ExpressionError as error:
            self._notifications.say(
                Message("warning", f"{self._joint_label(joint, known)} = {text}: {error}", KEY)
            )
            return None

    def _request(self, joint: str, coordinate: int, value: float, coupling: str = "") -> bool:
        if self._session is None:
            self._notifications.say(
                Message(
                    "info",
                    tr("The solver is still starting; set the joint again in a moment."),
                    KEY,
                )
            )
            return False
        self._notifications.withdraw(KEY)
        self._session.pose(joint, coordinate, value, coupling)
        return True

    def take(self, target: tuple[str, int, float, str], found: PoseFound) -> None:
        """Commit what the worker has found."""
        joint, coordinate, requested, coupling = target
        known = self._coordinate(joint, coordinate)
        if known is None:
            return
        if found.finding is not None:
            self._notifications.say(
                Message("error", f"{found.finding.message} {found.finding.cure}".strip(), KEY)
            )
            return
        label = self._joint_label(joint, known)
        shown = format_value(found.value, known.dimension, self._preferences.units, digits=4)
        couplings = self._document.project.mechanism.couplings
        self._display.place(
            tr("Offset of {coupling}", coupling=couplings[coupling].name)
            if coupling in couplings
            else tr("Turn {joint_label} to {shown}", joint_label=label, shown=shown)
            if known.dimension == "angle"
            else tr("Move {joint_label} to {shown}", joint_label=label, shown=shown),
            found.poses,
            found.values,
            self.movement,
        )
        if found.reason:
            self._notifications.say(Message("info", found.reason, KEY))
            self.stopped.emit(joint, coordinate, requested, found.value)

    def _coordinate(self, joint: str, coordinate: int) -> Coordinate | None:
        known = self._document.project.mechanism.joints.get(joint)
        coordinates = JOINT_TYPES[known.type].coordinates if known is not None else ()
        return coordinates[coordinate] if 0 <= coordinate < len(coordinates) else None

    def _joint_label(self, id: str, coordinate: Coordinate) -> str:
        """A joint's name, with the coordinate's where it has several."""
        joint = self._document.project.mechanism.joints[id]
        return (
            joint.name
            if JOINT_TYPES[joint.type].dof == 1
            else tr("{coordinate} of {joint}", coordinate=tr(coordinate.name), joint=joint.name)
        )
