"""Clipboard and copies: the text of a copied part, and parts put into the document."""

import math
from collections.abc import Collection

from mechstudio.application.actions import choice
from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.application.tools.snapping import silhouette
from mechstudio.files import fragment
from mechstudio.files.format.codec import ProjectFileError
from mechstudio.model.edits.clipboard import SECTIONS, part_of, paste_shift, put_in
from mechstudio.model.edits.patterns.movement import shifted
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Triple, plus, scaled, triple
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.translation import tr

KEY = "arrange"  # of messages
COVERS = 0.02  # of the drawing's size: a copy so near lies on its original


def grid_step(studio: Studio) -> Triple:
    """A step of the grid to the right and down, in the work plane [m, W]."""
    context = studio.tools.context
    return triple(context.grid * (a - b) for a, b in zip(context.plane.u, context.plane.v))


def shift_to_pointer(studio: Studio, m: Mechanism, ids: Collection[str]) -> Triple | None:
    """The shift along the work plane [m, W] that brings the middle of some elements to the node of
    the grid under the pointer; None beside the view, and where the copy would cover them.
    """
    context = studio.tools.context
    at = context.pointed()
    if at is None:
        return None
    plane, grid = context.plane, context.grid
    here = silhouette.middle(m, ids)
    by = [round(c / grid) * grid - h for c, h in zip(plane.to_plane(at), plane.to_plane(here))]
    shift = plus(scaled(plane.u, by[0]), plane.v, by[1])
    return shift if math.hypot(*by) >= COVERS * max(m.size(), grid) else None


def put(
    studio: Studio, label: str, after: Project, new: dict[str, str], ids: Collection[str]
) -> None:
    """Commit the pasted elements and select the copies of the chosen ones, the last one last."""
    bodies = [new[id] for id in ids if id in new and new[id] in after.mechanism.bodies]
    others = [new[id] for id in ids if id in new and new[id] not in bodies]
    studio.display.commit(label, after)
    studio.selection.select(*others, *bodies)


def copied_text(studio: Studio) -> str:
    """Clipboard text of the selection; "" with a message where it cannot be copied."""
    ids = [
        id
        for id in studio.selection.selected
        if id in choice.elements(studio) or id in studio.document.project.parameters
    ]
    try:
        text = fragment.write(studio.display.project, ids)
    except ProjectFileError as error:
        studio.notifications.say(Message("warning", str(error), KEY))
        return ""
    studio.notifications.withdraw(KEY)
    return text


def paste(studio: Studio, text: str) -> bool:
    """Put a copied part, or a whole file's text, into the document; where something lies
    already, a step of the grid beside it.

    False, with a message, for a text that holds none.
    """
    project = studio.display.project
    try:
        found = fragment.read(text)
        if found.whole and _is_empty(project):
            after, new, ids = found.project, {}, ()
        else:
            found_ids = [id for s in SECTIONS for id in getattr(found.project.mechanism, s)]
            part = part_of(found.project, found_ids or list(found.project.parameters))
            ids = tuple(found_ids)
            shift = shift_to_pointer(studio, part.mechanism, ids)
            if shift is None or not project.mechanism.bodies:
                shift = paste_shift(project, part, grid_step(studio))
            after, new = put_in(project, part, shifted(shift))
    except (fragment.FragmentError, ExpressionError) as error:
        studio.notifications.say(Message("warning", str(error), KEY))
        return False
    remarks = [f.message for f in found.findings[:2]] + [
        tr("{old} is called {now} here, since another {old} is there.", old=old, now=now)
        for old, now in new.items()
        if old in found.project.parameters and old != now
    ]
    studio.notifications.withdraw(KEY)
    if remarks:
        studio.notifications.say(
            Message("warning" if found.findings else "info", " ".join(remarks), KEY)
        )
    what = choice.counted(
        found.project,
        [id for s in SECTIONS for id in getattr(found.project.mechanism, s)]
        or list(found.project.parameters),
    )
    put(studio, tr("Paste {what}", what=what), after, new, ids)
    return True


def _is_empty(project: Project) -> bool:
    """True if nothing is drawn or defined yet."""
    return (
        not project.parameters
        and not project.pictures
        and not any(getattr(project.mechanism, s) for s in SECTIONS)
        and not project.mechanism.ground.shapes
    )
