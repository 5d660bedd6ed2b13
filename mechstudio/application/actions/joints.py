"""Actions on selected joints: driven, stopped, and made another type."""

from functools import partial

from mechstudio.application.actions import conditions
from mechstudio.application.actions.choice import joints
from mechstudio.application.actions.edit import do
from mechstudio.application.actions.insert import drive
from mechstudio.application.actions.registry import Action, action, register
from mechstudio.application.studio import Studio
from mechstudio.model.edits import insertion
from mechstudio.model.edits.links import set_joint_type
from mechstudio.model.project import Project
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import comma, tr

TYPES = "Edit/Joint type"  # the submenu of types


@action(
    "Drive it",
    "Edit",
    words="motor prescribed motion joint actuate speed",
    unless=conditions.needs_joint,
    context=11,
)
def drive_joint(studio: Studio) -> None:
    """Prescribe the motion of the selected joints."""
    drive(studio)


def needs_coordinate(studio: Studio) -> str:
    """Refusal where no selected joint can have stops that it has not yet, "" where one can."""
    if why := conditions.needs_joint(studio):
        return why
    free = [id for id in joints(studio) if _without_stops(studio.document.project, id) is not None]
    return "" if free else tr("Every coordinate of it has stops already, or it has none")


def _without_stops(project: Project, id: str) -> int | None:
    """The first coordinate of a joint without stops."""
    joint = project.mechanism.joints[id]
    taken = {limit.coordinate for limit in joint.limits}
    free = (c for c in range(len(JOINT_TYPES[joint.type].coordinates)) if c not in taken)
    return next(free, None)


@action(
    "Add stops",
    "Edit",
    words="limits end range bounds joint stop",
    unless=needs_coordinate,
    context=12,
)
def add_stops(studio: Studio) -> None:
    """Put stops on both sides of the drawn coordinate of the selected joints."""

    def stopped(project: Project) -> Project:
        for id in joints(studio):
            coordinate = _without_stops(project, id)
            if coordinate is not None:
                project = insertion.add_limit(project, id, coordinate)
        return project

    names = comma().join(studio.document.name(id) for id in joints(studio))
    do(studio, stopped, tr("Add stops to {id}", id=names))


def change_type(studio: Studio, type: str) -> None:
    """Make the selected joints another type, key of JOINT_TYPES."""
    ids = joints(studio)

    def changed(project: Project) -> Project:
        for id in ids:
            project = set_joint_type(project, id, type)
        return project

    names = comma().join(studio.document.name(id) for id in ids)
    label = tr(JOINT_TYPES[type].label)
    do(studio, changed, tr("{names} {type}", names=names, type=label))


def is_type(studio: Studio, type: str) -> bool:
    """True if all selected joints are of a type."""
    m, ids = studio.document.project.mechanism, joints(studio)
    return bool(ids) and all(m.joints[id].type == type for id in ids)


CHANGES = {
    type: register(
        Action(
            f"make_{type}",
            partial(change_type, type=type),
            kind.label,
            TYPES,
            words=kind.words,
            unless=conditions.needs_joint,
            checked=partial(is_type, type=type),
        )
    )
    for type, kind in JOINT_TYPES.items()
}
