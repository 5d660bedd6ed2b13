"""Parameters as their table and the fields edit them, each change one undo step; and which numbers
are only rounding.  Part of Studio.
"""

from collections.abc import Callable
from typing import Any

from mechstudio.application.notifications import Message
from mechstudio.application.part import Part
from mechstudio.application.runs.readings import unrounded
from mechstudio.model import fields
from mechstudio.model.edits import elements, parameters
from mechstudio.model.edits.parameters import Use, Wanted
from mechstudio.model.project import Project
from mechstudio.model.units import SYSTEMS

STEMS = {
    "length": "L",
    "angle": "phi",
    "number": "n",
    "mass": "m",
    "time": "T",
    "force": "F",
    "torque": "M",
    "stiffness": "k",
    "damping": "c",
    "velocity": "v",
    "angular_velocity": "omega",
    "density": "rho",
}


def dimensions() -> list[str]:
    """Dimensions that a parameter can have, the common ones first."""
    return list(SYSTEMS["mm-N-deg"])


class UseIndex:
    """Index of the places where each parameter is used.  Elements that an edit leaves alone are not
    read again, because a large drawing takes its time.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[Any, tuple[tuple[frozenset[str], Use], ...]]] = {}
        self._joints: object = None

    def of(self, project: Project) -> dict[str, list[Use]]:
        """Name -> its uses, for every name that a text has."""
        if project.mechanism.joints is not self._joints:
            # what drives and couplings are told in depends on the joints' types
            self._known, self._joints = {}, project.mechanism.joints
        before, self._known = self._known, {}
        found: dict[str, list[Use]] = {}
        for id, element in fields.elements(project):
            known = before.get(id)
            self._known[id] = known = (
                known
                if known is not None and known[0] is element
                else (element, parameters.uses_in(project, id, element))
            )
            for names, use in known[1]:
                for name in names:
                    found.setdefault(name, []).append(use)
        return found


class Parameters(Part):
    """Parameter edits, as a part of Studio.  Methods that return a text return the reason why the
    change cannot be made, "" if it was made.
    """

    change: Callable[[str, Callable[[Project], Project]], str]
    _size: tuple[object, float] = (None, 1.0)

    @property
    def size(self) -> float:
        """The mechanism's size [m]."""
        m = self.document.project.mechanism
        if self._size[0] is not m:
            self._size = (m, m.size())
        return self._size[1]

    def unrounded(self, value: float, dimension: str) -> float:
        """A computed number [SI] without what is only rounding at the mechanism's scale."""
        return unrounded(value, dimension, self.size)

    def add_parameter(self, dimension: str = "length") -> str:
        """A new parameter with a name that is free and a value to type over; returns its name."""
        project = self.document.project
        name = parameters.new_name(project, STEMS.get(dimension, "p"))
        text = parameters.written(
            parameters.first_value(dimension, self.units), dimension, self.units
        )
        self.create_parameter(Wanted(name, dimension, text))
        self.selection.select(name)
        return name

    def create_parameter(self, wanted: Wanted) -> str:
        """The parameter that a formula asks for."""
        return self.change(f"Create {wanted.words}", lambda p: parameters.added(p, wanted))

    def create_wanted(self) -> None:
        """The parameter that a number typed into a drawing names; the tool then takes the
        number.
        """
        wanted = self.bench.wanted
        if wanted is not None and not self.create_parameter(wanted):
            self.bench.context.missing, self.bench.context.message = None, ""
            self.bench.tool.key("enter")
            self.bench.after_event()
            if self.bench.message:
                self.say(Message("warning", self.bench.message, "tool"))
            else:
                self.withdraw("tool")

    def rename_parameter(self, old: str, new: str) -> str:
        """All that names it follows."""
        if old == new:
            return ""
        chosen = old in self.selection.selected
        reason = self.change(
            f"Rename {old} to {new}", lambda p: elements.rename_parameter(p, old, new)
        )
        if not reason and chosen:
            self.selection.select(new)
        return reason

    def remove_parameter(self, name: str) -> None:
        """Delete a parameter: whatever named it keeps its value, and a message reports how many
        places those are.
        """
        count = len(parameters.uses(self.document.project, name))
        self.document.commit(f"Delete {name}", elements.remove(self.document.project, name))
        self.tell_removed(name, count)

    def tell_removed(self, name: str, count: int) -> None:
        if count:
            where = (
                "1 place that named it keeps"
                if count == 1
                else f"{count} places that named it keep"
            )
            self.say(
                Message(
                    "info", f"{name} was deleted; {where} its value.", "delete", (("Undo", "undo"),)
                )
            )

    def set_dimension(self, name: str, dimension: str) -> str:
        label = f"{name} is {'an' if dimension[0] in 'aei' else 'a'} {dimension.replace('_', ' ')}"
        return self.change(
            label, lambda p: parameters.set_dimension(p, name, dimension, self.units)
        )

    def set_slider(self, name: str, slider: bool) -> None:
        self.change(
            f"{name} {'under' if slider else 'no longer under'} Controls",
            lambda p: elements.set_attribute(p, name, slider=slider),
        )

    def set_note(self, name: str, note: str) -> None:
        self.change(f"Note of {name}", lambda p: elements.set_attribute(p, name, note=note))
