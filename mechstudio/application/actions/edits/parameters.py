"""Parameters as their table and the fields edit them, each change one undo step."""

from typing import Any

from mechstudio.application.actions.edit import report_removed
from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.edits import elements, parameters
from mechstudio.model.edits.parameters import Requested, Use
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.project import Project
from mechstudio.model.units import SYSTEMS, spoken
from mechstudio.translation import tr

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
    "torsional_stiffness": "k",
    "torsional_damping": "c",
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
            # the dimensions of drives and couplings depend on the joints' types
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


def add_parameter(studio: Studio, dimension: str = "length") -> str:
    """A new parameter with a name that is free and a value to type over; returns its name."""
    project = studio.document.project
    name = parameters.new_name(project, STEMS.get(dimension, "p"))
    text = parameters.written(
        parameters.first_value(dimension, studio.preferences.units),
        dimension,
        studio.preferences.units,
    )
    create_parameter(studio, Requested(name, dimension, text))
    studio.selection.select(name)
    return name


def create_parameter(studio: Studio, requested: Requested) -> str:
    """The parameter that a formula asks for."""
    return studio.document.change(
        tr("Create {words}", words=requested.words), lambda p: parameters.added(p, requested)
    )


def create_requested(studio: Studio) -> None:
    """The parameter that a number typed into a drawing names; the tool then takes the
    number.
    """
    requested = studio.tools.requested
    if requested is not None and not create_parameter(studio, requested):
        studio.tools.context.missing, studio.tools.context.message = None, ""
        studio.tools.tool.key("enter")
        studio.tools.after_event()
        if studio.tools.message:
            studio.notifications.say(Message("warning", studio.tools.message, "tool"))
        else:
            studio.notifications.withdraw("tool")


def rename_parameter(studio: Studio, old: str, new: str) -> str:
    """All that names it follows."""
    if old == new:
        return ""
    chosen = old in studio.selection.selected
    reason = studio.document.change(
        tr("Rename {old} to {new}", old=old, new=new),
        lambda p: elements.rename_parameter(p, old, new),
    )
    if not reason and chosen:
        studio.selection.select(new)
    return reason


def remove_parameter(studio: Studio, name: str) -> None:
    """Delete a parameter: whatever named it keeps its value, and a message reports how many
    places those are.
    """
    count = len(parameters.uses(studio.document.project, name))
    studio.document.commit(
        tr("Delete {name}", name=name), elements.remove(studio.document.project, name)
    )
    report_removed(studio, name, count)


def set_dimension(studio: Studio, name: str, dimension: str) -> str:
    """Give a parameter another dimension; returns the reason if it cannot have it."""
    words = spoken(dimension)
    label = (
        tr("{name} is an {dimension}", name=name, dimension=words)
        if words[0] in "aei"
        else tr("{name} is a {dimension}", name=name, dimension=words)
    )
    return studio.document.change(
        label, lambda p: parameters.set_dimension(p, name, dimension, studio.preferences.units)
    )


def set_slider(studio: Studio, name: str, slider: bool) -> None:
    """Put a parameter under Controls, or take it away from there."""
    studio.document.change(
        tr("{name} under Controls", name=name)
        if slider
        else tr("{name} no longer under Controls", name=name),
        lambda p: elements.set_attribute(p, name, slider=slider),
    )


def set_parameter(
    studio: Studio,
    name: str,
    text: str,
    label: str,
    part_of: str = "",
    begin: Project | None = None,
) -> bool:
    """Give a parameter another value from its slider; a run that was shown is made again, with the
    time cursor where it is.  part_of: names the drag that goes on, all of it being one undo step.
    begin: the drawing that it is given in, whose run is played; None for the present one.
    False, with a message, if it cannot be.
    """
    try:
        project = elements.set_quantity(begin or studio.document.project, name, ("value",), text)
    except ExpressionError as error:
        studio.notifications.say(Message("warning", f"{name} = {text}: {error}", "parameter"))
        return False
    studio.notifications.withdraw("parameter")
    commit = lambda: studio.document.commit(label, project, part_of)
    if begin is not None:
        commit()
        studio.runs.simulate()
        studio.runs.playback.play()
    elif studio.runs.recording is not None or studio.runs.is_running:
        studio.runs.edit_and_run(commit)
    else:
        commit()
    return True
