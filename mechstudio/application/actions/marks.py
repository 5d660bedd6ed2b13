"""Actions on what the scene shows beside the drawing: trails, arrows and the like."""

from collections.abc import Callable

from mechstudio.application.actions import conditions
from mechstudio.application.actions.registry import action
from mechstudio.application.marks.places import places_of
from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.model.edits import marks
from mechstudio.model.edits.marks import Place
from mechstudio.model.project import Project
from mechstudio.model.types.marks import MARK_TYPES

KEY = "marks"


def places(studio: Studio) -> tuple[Place, ...]:
    """The places that are meant: of what is selected, or under the pointer where nothing is.  A
    point under the pointer that belongs to what is selected is meant alone.
    """
    m, selection = studio.document.project.mechanism, studio.selection
    pointed, chosen = studio.marks.pointed(), selection.selected
    if pointed is not None and (not chosen or (pointed.joint or pointed.body) in chosen):
        return (pointed,)
    ids = chosen or ((selection.hovered,) if selection.hovered else ())
    return tuple(dict.fromkeys(at for id in ids for at in places_of(m, id)))


def show(studio: Studio, edit: Callable[[Project], Project], label: str) -> None:
    """Change the marks as one undo step; nothing of the drawing moves by that."""
    studio.notifications.withdraw(KEY)
    studio.document.commit(label, edit(studio.document.project))


def toggle(studio: Studio, type: str) -> None:
    """Show marks of a type at the places that are meant, or hide them where all have one."""
    at, kind = places(studio), MARK_TYPES[type]
    if not at:
        text = "Select a body or a joint, or point at one, and press the key again."
        studio.notifications.say(Message("info", text, KEY))
        return
    show(studio, lambda p: marks.toggled(p, type, at), f"{kind.label} of {named(studio, at)}")


def named(studio: Studio, at: tuple[Place, ...]) -> str:
    """Places in words."""
    m = studio.document.project.mechanism
    first = at[0].point or (m.joints[at[0].joint] if at[0].joint else m.body(at[0].body)).name
    return first if len(at) == 1 else f"{first} and {len(at) - 1} more"


@action(
    "Trail",
    "View",
    "T",
    icon="trail",
    words="path locus trace point curve follow",
    section=True,
    unless=conditions.needs_bodies,
    context=54,
)
def trail(studio: Studio) -> None:
    """Show or hide the path of the selected points, bodies or joints."""
    toggle(studio, "trail")
