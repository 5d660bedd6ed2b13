"""Setting a joint coordinate from a field or a slider: asked of the worker, committed as one undo
step when it answers; part of Studio.
"""

from mechstudio.application.notifications import Message
from mechstudio.application.part import Part
from mechstudio.application.signal import Signal
from mechstudio.model.edits import elements
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.types.joints import JOINT_TYPES, Coordinate
from mechstudio.model.units import format_value, unit
from mechstudio.protocol.solver_messages import PoseFound

KEY = "pose"  # of messages


class Posing(Part):
    """Commands that move a drawing by its joints, as a part of Studio."""

    stopped: Signal
    # names the drag of a slider that goes on: all its poses are one undo step
    movement = ""

    def set_coordinate(self, joint: str, coordinate: int, text: str) -> bool:
        """Move the whole mechanism until a coordinate (its place among the joint's) of a joint (id)
        has the typed value, loops closed.

        The text is a number, with or without a unit, or a formula of parameters.  The answer comes
        a little later as one undo step; where the mechanism stops before, it is committed as far as
        it goes and a message says why.  False, with a message, for a text that is no value; a wish
        that follows before the answer takes its place.
        """
        known = self._coordinate(joint, coordinate)
        if known is None:
            return False
        try:
            values = elements.parameter_values(self.document.project)
            value = expression.quantity(
                text, known.dimension, values, unit(known.dimension, self.units).symbol
            ).value
        except ExpressionError as error:
            self.say(Message("warning", f"{self._whose(joint, known)} = {text}: {error}", KEY))
            return False
        if self.session is None:
            self.say(
                Message(
                    "info", "The solver is still starting; set the joint again in a moment.", KEY
                )
            )
            return False
        self.withdraw(KEY)
        self.session.pose(joint, coordinate, value)
        return True

    def take_pose(self, wish: tuple[str, int, float], found: PoseFound) -> None:
        """Commit what the worker has found."""
        joint, coordinate, wanted = wish
        known = self._coordinate(joint, coordinate)
        if known is None:
            return
        if found.finding is not None:
            self.say(Message("error", f"{found.finding.message} {found.finding.cure}".strip(), KEY))
            return
        verb = "Turn" if known.dimension == "angle" else "Move"
        shown = format_value(found.value, known.dimension, self.units, digits=4)
        self.display.place(
            f"{verb} {self._whose(joint, known)} to {shown}",
            found.poses,
            found.values,
            self.movement,
        )
        if found.reason:
            self.say(Message("info", found.reason, KEY))
            self.stopped.emit(joint, coordinate, wanted, found.value)

    def _coordinate(self, joint: str, coordinate: int) -> Coordinate | None:
        known = self.document.project.mechanism.joints.get(joint)
        coordinates = JOINT_TYPES[known.type].coordinates if known is not None else ()
        return coordinates[coordinate] if 0 <= coordinate < len(coordinates) else None

    def _whose(self, id: str, coordinate: Coordinate) -> str:
        """A joint's name, with the coordinate's where it has several."""
        joint = self.document.project.mechanism.joints[id]
        return (
            joint.name if JOINT_TYPES[joint.type].dof == 1 else f"{coordinate.name} of {joint.name}"
        )
