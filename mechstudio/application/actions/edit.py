"""Actions of the Edit menu that need no window: history, copies, groups, visibility, selection."""

from collections.abc import Callable, Collection
from functools import partial

import numpy as np

from mechstudio.application.actions import choice, conditions
from mechstudio.application.actions.edits.clipboard import KEY, grid_step, put, shift_to_pointer
from mechstudio.application.actions.registry import action
from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.application.tools.snapping.silhouette import middle
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.edits.bodies.stacking import all_clashes, stacked
from mechstudio.model.edits.clipboard import among, duplicated
from mechstudio.model.edits.groups import group_of, with_group, without_groups
from mechstudio.model.edits.parameters import uses
from mechstudio.model.edits.patterns.mirror import MirrorPlane, mirrored
from mechstudio.model.edits.patterns.movement import shifted
from mechstudio.model.edits.poses.motion import flip_joint as flipped_joint
from mechstudio.model.edits.poses.motion import quarter_joint
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Pose
from mechstudio.model.project import Project
from mechstudio.translation import Words, comma, tr

INSTANTS = 48  # of a run at which links are examined for clashes

# changes in words, by names and what went with them
DELETED: Words = "Delete {names}{with_them}"
CUT: Words = "Cut {names}{with_them}"


def do(studio: Studio, edit_: Callable[[Project], Project], label: str) -> bool:
    """Keep an edit of the drawing as it is shown as one step; False, with a message, where it
    cannot be done.
    """
    try:
        after = edit_(studio.display.project)
    except ExpressionError as error:
        studio.notifications.say(Message("warning", str(error), KEY))
        return False
    studio.notifications.withdraw(KEY)
    studio.display.commit(label, after)
    return True


# history


@action(
    "Undo",
    "Edit",
    "Ctrl+Z",
    icon="undo",
    unless=conditions.needs_undo,
    detail=lambda s: s.document.undo_label,
)
def undo(studio: Studio) -> None:
    """Take the last step back."""
    go_to(studio, studio.document.history[1] - 1)


@action(
    "Redo",
    "Edit",
    "Ctrl+Shift+Z",
    "Ctrl+Y",
    icon="redo",
    unless=conditions.needs_redo,
    detail=lambda s: s.document.redo_label,
)
def redo(studio: Studio) -> None:
    """Redo the step that was undone last."""
    studio.document.redo()


def go_to(studio: Studio, step: int) -> None:
    """Go to a state of the history by its index."""
    studio.notifications.withdraw("delete")
    studio.document.go_to(step)


def report_removed(studio: Studio, name: str, count: int) -> None:
    """Say that a parameter was deleted, and at how many places it was named."""
    if count:
        where = (
            tr("1 place that named it keeps")
            if count == 1
            else tr("{count} places that named it keep", count=count)
        )
        studio.notifications.say(
            Message(
                "info",
                tr("{name} was deleted; {where} its value.", name=name, where=where),
                "delete",
                ((tr("Undo"), partial(undo, studio)),),
            )
        )


# copies


@action(
    "Duplicate",
    "Edit",
    "Ctrl+D",
    words="copy double clone",
    unless=conditions.needs_elements,
    detail=choice.words,
    context=23,
)
def duplicate(studio: Studio) -> None:
    """The selected elements once more, under the pointer or a step of the grid away; the new ones
    are selected.
    """
    project, ids = studio.display.project, choice.elements(studio)
    shift = shift_to_pointer(studio, project.mechanism, ids) or grid_step(studio)
    try:
        after, new = duplicated(project, ids, shifted(shift))
    except ExpressionError as error:
        studio.notifications.say(Message("warning", str(error), KEY))
        return
    studio.notifications.withdraw(KEY)
    put(
        studio,
        tr(
            "Duplicate {elements}",
            elements=choice.counted(project, choice.elements(studio)),
        ),
        after,
        new,
        choice.elements(studio),
    )


@action(
    "Mirror",
    "Edit",
    "Ctrl+M",
    words="flip reflect symmetric image copy left right",
    unless=conditions.needs_elements,
    checked=lambda s: s.tools.tool.name == "mirror",
    detail=choice.words,
    context=24,
)
def mirror(studio: Studio) -> None:
    """Activate the mirror."""
    studio.tools.take("mirror")


@action(
    "Repeat in a row",
    "Edit",
    "Ctrl+Shift+D",
    words="array linear pattern copies chain stages multiply",
    unless=conditions.needs_elements,
    checked=lambda s: s.tools.tool.name == "pattern" and s.tools.tool.type == "row",
    detail=choice.words,
    context=24,
)
def repeat_in_row(studio: Studio) -> None:
    """Copies of the selection in a row, with its joints to neighbours."""
    studio.tools.take("pattern", type="row")


@action(
    "Repeat in a circle",
    "Edit",
    words="array circular polar pattern copies planets legs spokes around",
    unless=conditions.needs_elements,
    checked=lambda s: s.tools.tool.name == "pattern" and s.tools.tool.type == "circle",
    detail=choice.words,
    context=24,
)
def repeat_in_circle(studio: Studio) -> None:
    """Copies of the selection in a circle, with its joints to neighbours."""
    studio.tools.take("pattern", type="circle")


@action(
    "Flip left to right",
    "Edit",
    words="mirror in place horizontal",
    unless=conditions.needs_elements,
)
def flip_across(studio: Studio) -> None:
    """Mirror the selection in place, left to right in the work plane."""
    _flip(studio, "across")


@action(
    "Flip top to bottom", "Edit", words="mirror in place vertical", unless=conditions.needs_elements
)
def flip_along(studio: Studio) -> None:
    """Mirror the selection in place, top to bottom in the work plane."""
    _flip(studio, "along")


def _flip(studio: Studio, way: str) -> None:
    """Mirror the selection in place, through its own middle: "across" left to right, "along"
    top to bottom in the work plane.
    """
    project, plane = studio.display.project, studio.tools.context.plane
    mirror_plane = MirrorPlane(
        middle(project.mechanism, choice.elements(studio)),
        plane.u if way == "across" else plane.v,
    )
    do(
        studio,
        lambda p: mirrored(p, choice.elements(studio), mirror_plane),
        tr(
            "Flip {elements} {word}",
            elements=choice.counted(project, choice.elements(studio)),
            word=tr("left to right") if way == "across" else tr("top to bottom"),
        ),
    )


# groups


def _instants(studio: Studio) -> list[dict[str, Pose]]:
    """Poses of the bodies in W at instants over the run of the drawing as it is; none without."""
    recording = studio.runs.recording
    if recording is None or recording.stale or not recording.finished or not recording.count:
        return []
    picked = np.unique(np.linspace(0, recording.count - 1, INSTANTS).astype(int))
    rows = recording.rows[picked][:, recording.layout.poses]
    rows = rows.reshape(len(picked), -1, 7)
    rows = rows[np.isfinite(rows).all(axis=(1, 2))].tolist()
    ids = list(studio.document.project.mechanism.bodies)
    return [{id: (tuple(r[:3]), tuple(r[3:])) for id, r in zip(ids, row)} for row in rows]


@action(
    "Stack links",
    "Edit",
    words="layers collide pins run through interference links apart normal offset",
    unless=conditions.needs_bodies,
)
def stack_links(studio: Studio) -> None:
    """Move links, arms and plates along the normal of their plane so that neither they nor pins run
    through each other, as drawn and in the run that is there; joints stay where they are.
    """
    before, motion = studio.display.project, _instants(studio)
    found = all_clashes(before.mechanism, motion)
    after = stacked(before, motion)
    left = all_clashes(after.mechanism, motion)
    if len(left) < len(found):
        studio.display.commit(tr("Stack links"), after)
    if left:
        bodies = before.mechanism.bodies
        say = tr(
            "{link} and {other} still run through each other: draw them apart, or thinner.",
            link=bodies[left[0].link].name,
            other=bodies[left[0].other].name,
        )
        studio.notifications.say(Message("warning", say, "tool"))
    elif not found:
        say = (
            tr("No links run through each other, as drawn and in the run.")
            if motion
            else tr("No links run through each other as drawn.")
        )
        studio.notifications.say(Message("info", say, "tool"))
    else:
        studio.notifications.withdraw("tool")


@action(
    "Group",
    "Edit",
    "Ctrl+G",
    words="together assembly folder",
    unless=conditions.needs_new_group,
    context=30,
)
def group(studio: Studio) -> None:
    """Make the selected bodies a group."""
    do(
        studio,
        lambda p: with_group(p, choice.bodies(studio))[0],
        tr(
            "Group {bodies}",
            bodies=choice.counted(studio.document.project, choice.bodies(studio)),
        ),
    )


@action(
    "Ungroup",
    "Edit",
    "Ctrl+Shift+G",
    words="apart dissolve",
    unless=conditions.needs_grouped,
    context=31,
)
def ungroup(studio: Studio) -> None:
    """Take the groups of the selected bodies apart."""
    names = comma().join(
        dict.fromkeys(
            g.name
            for id in choice.bodies(studio)
            if (g := group_of(studio.document.project, id)) is not None
        )
    )
    do(
        studio,
        lambda p: without_groups(p, choice.bodies(studio)),
        tr("Ungroup {names}", names=names),
    )


# removal and visibility


@action(
    "Delete",
    "Edit",
    "Del",
    words="remove",
    section=True,
    unless=conditions.needs_removable,
    detail=choice.words,
    context=25,
)
def delete(studio: Studio) -> None:
    """Remove the selected elements and what stands on them."""
    remove(studio, DELETED)


def remove(studio: Studio, words: Words) -> None:
    """Remove the selected elements and what stands on them.  words: the change, by {names} and
    {with_them}.
    """
    before = project = studio.document.project
    names: list[str] = []
    used = {
        id: len(uses(project, id)) for id in studio.selection.selected if id in project.parameters
    }
    for id in studio.selection.selected:
        m = project.mechanism
        if any(
            id in section
            for section in (
                m.bodies,
                m.joints,
                m.couplings,
                m.drives,
                m.forces,
                project.pictures,
                project.gauges,
                project.parameters,
            )
        ):
            names.append(fields.find(project, id).name)
            project = elements.remove(project, id)
        elif id == fields.CONTACTS and m.contacts.floor is not None:
            names.append(tr("floor"))
            project = elements.remove(project, id)
    if not names:
        return
    kept = {id for id, _ in fields.elements(project)}
    also = [
        element.name
        for id, element in fields.elements(before)
        if id not in kept and id not in studio.selection.selected and id not in before.parameters
    ]
    with_them = tr(" with {also}", also=comma().join(also)) if also else ""
    studio.display.keep(tr(words, names=comma().join(names), with_them=with_them), project)
    for name, count in used.items():
        report_removed(studio, name, count)
    if also:
        studio.notifications.say(
            Message(
                "info",
                tr(
                    "{names} was deleted{with_them}, which stood on it.",
                    names=comma().join(names),
                    with_them=with_them,
                ),
                "delete",
                ((tr("Undo"), partial(undo, studio)),),
            )
        )


@action(
    "Hide or show",
    "Edit",
    "H",
    words="visible invisible eye",
    unless=conditions.needs_hideable,
    context=40,
)
def hide(studio: Studio) -> None:
    """Hide what is selected; show it again if all of it is hidden."""
    project = studio.document.project
    ids = [id for id in studio.selection.selected if hasattr(fields.find(project, id), "visible")]
    if ids:
        show_or_hide(studio, *ids)


@action(
    "Hide everything else",
    "Edit",
    "Shift+H",
    words="isolate only others alone",
    unless=conditions.needs_elements,
    context=41,
)
def isolate(studio: Studio) -> None:
    """Hide everything but the selection and what is among it; where it is alone, show all again."""
    project, m = studio.document.project, studio.document.project.mechanism
    kept = set(choice.elements(studio)).union(*among(m, choice.elements(studio)).values())
    if not set(choice.seen(studio)) - kept and not conditions.needs_hidden(studio):
        show_all(studio)
        return
    do(
        studio,
        lambda p: elements.with_visible(
            p, [id for id in choice.seen(studio) if id not in kept], False
        ),
        tr(
            "Show only {elements}",
            elements=choice.counted(project, choice.elements(studio)),
        ),
    )


@action(
    "Show everything",
    "Edit",
    "Alt+H",
    words="hidden visible unhide",
    unless=conditions.needs_hidden,
    context=42,
)
def show_all(studio: Studio) -> None:
    """Show everything that is hidden."""
    do(
        studio,
        lambda p: elements.with_visible(p, [id for id, _ in hidden(studio)], True),
        tr("Show everything"),
    )


def hidden(studio: Studio) -> list[tuple[str, str]]:
    """(id, name) of everything that is hidden."""
    return [
        (id, e.name)
        for id, e in fields.elements(studio.document.project)
        if getattr(e, "visible", True) is False
    ]


def show_or_hide(studio: Studio, *ids: str) -> None:
    """Hide elements; show them if all of them are hidden."""
    set_visible(
        studio, ids, not any(fields.find(studio.document.project, id).visible for id in ids)
    )


def set_visible(studio: Studio, ids: Collection[str], shown: bool) -> None:
    """Show or hide elements; those that are gone by now stay gone."""
    project, known = studio.document.project, studio.document.known()
    ids = tuple(id for id in ids if id in known)
    if not ids:
        return
    names = comma().join(fields.find(project, id).name for id in ids[:4]) + (
        tr(" and {count} more", count=len(ids) - 4) if len(ids) > 4 else ""
    )
    do(
        studio,
        lambda p: elements.with_visible(p, ids, shown),
        f"{'Show' if shown else 'Hide'} {names}",
    )


# axes of joints


@action(
    "Flip the joint's axis",
    "Edit",
    "Shift+X",
    words="reverse direction axis other way round",
    section=True,
    unless=conditions.needs_joint,
    context=13,
)
def flip_joint(studio: Studio) -> None:
    """Reverse the axes of the selected joints."""
    _edit_joints(studio, flipped_joint, tr("Flip the axis of {names}"))


@action(
    "Turn the joint by 90 deg",
    "Edit",
    "Q",
    words="quarter rotate frames axis",
    unless=conditions.needs_joint,
    context=14,
)
def turn_joint(studio: Studio) -> None:
    """Turn the frames of the selected joints about their axes without moving a body."""
    _edit_joints(studio, quarter_joint, tr("Turn {names} 90 deg about its axis"))


def _edit_joints(studio: Studio, edit: Callable[[Project, str], Project], words: str) -> None:
    """Do an edit to every selected joint, as one step."""
    project, joints = studio.display.project, choice.joints(studio)
    for id in joints:
        project = edit(project, id)
    names = comma().join(studio.document.project.mechanism.joints[id].name for id in joints)
    studio.display.commit(words.format(names=names), project)
