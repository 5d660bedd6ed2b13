"""Conditions of actions: reasons in words why one cannot be done now, "" where it can."""

from mechstudio.application.actions import choice
from mechstudio.application.studio import Studio
from mechstudio.application.tools.picker import DRIVE, joint_count
from mechstudio.model import fields
from mechstudio.model.edits.groups import group_chosen, group_of
from mechstudio.model.edits.insertion import driven_coordinate, fitted_ends, force_on_joint
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.translation import Words, tr

NOT_NOW: Words = "Not now"


def needs_bodies(studio: Studio) -> str:
    """Refusal of an action without a body in the drawing, "" where there is one."""
    return "" if studio.document.project.mechanism.bodies else tr("There is no body yet")


def needs_joints(studio: Studio) -> str:
    """Refusal of an action without a joint in the drawing, "" where there is one."""
    return "" if studio.document.project.mechanism.joints else tr("There is no joint yet")


def needs_undo(studio: Studio) -> str:
    """Refusal of an action without a step to undo, "" where there is one."""
    return "" if studio.document.undo_label else tr("There is nothing to undo")


def needs_redo(studio: Studio) -> str:
    """Refusal of an action without a step to redo, "" where there is one."""
    return "" if studio.document.redo_label else tr("There is nothing to redo")


def needs_selection(studio: Studio) -> str:
    """Refusal of an action without a selection, "" where there is one."""
    return "" if studio.selection.selected else tr("Select something first")


def needs_elements(studio: Studio) -> str:
    """Reason for refusing an action without drawn elements selected, "" where there are some."""
    return "" if choice.elements(studio) else tr("Select something drawn first")


def needs_copyable(studio: Studio) -> str:
    """Refusal of an action without a selection that can be copied, "" where there is one."""
    parameters = studio.document.project.parameters
    good = choice.elements(studio) or any(id in parameters for id in studio.selection.selected)
    return "" if good else tr("Select something first")


def is_removable(studio: Studio, id: str) -> bool:
    """True if an element can be deleted."""
    project = studio.document.project
    m = project.mechanism
    return (id == fields.CONTACTS and m.contacts.floor is not None) or any(
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
    )


def needs_removable(studio: Studio) -> str:
    """Refusal of an action without a selection that can be removed, "" where there is one."""
    return "" if is_removable(studio, studio.selection.current) else tr("Select something first")


def needs_untouched(studio: Studio) -> str:
    """Refusal of an action without contacts that are off, of the drawing or of a selected body, ""
    where there are some.
    """
    m = studio.document.project.mechanism
    on = m.contacts.enabled and all(m.bodies[id].touches for id in choice.bodies(studio))
    return tr("Bodies touch already") if on else ""


def needs_hideable(studio: Studio) -> str:
    """Refusal of an action without a selection that can be hidden, "" where there is one."""
    id = studio.selection.current
    good = (
        is_removable(studio, id)
        and id != fields.CONTACTS
        and id not in studio.document.project.parameters
        and id != GROUND
    )
    return "" if good else tr("Select something first")


def needs_hidden(studio: Studio) -> str:
    """Refusal of an action without something hidden, "" where there is one."""
    project = studio.document.project
    m = project.mechanism
    hidden = any(
        not x.visible
        for section in (
            *(m.bodies, m.joints, m.couplings, m.drives, m.forces),
            *(project.pictures, project.gauges),
        )
        for x in section.values()
    )
    return "" if hidden else tr("Nothing is hidden")


def needs_body(studio: Studio) -> str:
    """Refusal of an action without a body selected, "" where there is one."""
    bodies = studio.document.project.mechanism.bodies
    return "" if studio.selection.current in bodies else tr("Select a body first")


def needs_joint(studio: Studio) -> str:
    """Refusal of an action without a joint selected, "" where there is one."""
    return "" if choice.joints(studio) else tr("Select a joint first")


def needs_place(studio: Studio) -> str:
    """Refusal of an action without a body or joint selected, "" where there is one."""
    m, id = studio.document.project.mechanism, studio.selection.current
    return "" if id in m.bodies or id in m.joints else tr("Select a body or joint first")


def needs_connected(studio: Studio) -> str:
    """Refusal of an action without a body, joint or force selected, "" where there is one."""
    m = studio.document.project.mechanism
    good = any(
        id in m.bodies or id in m.joints or id in m.forces for id in studio.selection.selected
    )
    return "" if good else tr("Select a body first")


def needs_name(studio: Studio) -> str:
    """Refusal of an action without a selection that carries a name, "" where there is one."""
    project, selection = studio.document.project, studio.selection
    id = selection.current
    element = fields.find(project, id) if id and id != GROUND else None
    good = choice.group(studio) is not None or (
        len(selection.selected) == 1 and hasattr(element, "name")
    )
    return "" if good else tr("Select one element or a group first")


def needs_new_group(studio: Studio) -> str:
    """Reason for refusing an action without bodies selected that can be a group, "" where there are
    some.
    """
    bodies = choice.bodies(studio)
    good = len(bodies) > 1 and group_chosen(studio.document.project, bodies) is None
    return "" if good else tr("Select two bodies or more first")


def needs_grouped(studio: Studio) -> str:
    """Refusal of an action without a body of a group selected, "" where there is one."""
    project = studio.document.project
    good = any(group_of(project, id) is not None for id in choice.bodies(studio))
    return "" if good else tr("Select a body of a group first")


def needs_anything_shown(studio: Studio) -> str:
    """Reason why Esc has nothing to leave."""
    good = (
        studio.tools.is_drawing
        or studio.selection.selected
        or studio.questions.assembly.proposal is not None
        or studio.free_body.is_open
    )
    return "" if good else tr("Nothing is selected")


def needs_body_or_free_body(studio: Studio) -> str:
    """Reason for refusing an action without a body selected or a free body in view, "" where
    there is one.
    """
    return "" if studio.free_body.is_open else needs_body(studio)


def needs_free_body(studio: Studio) -> str:
    """Refusal of an action without a free body in view, "" where there is one."""
    return "" if studio.free_body.is_open else tr("Select a body and press C first")


def needs_recording(studio: Studio) -> str:
    """Refusal of an action without a run, "" where there is one."""
    recording = studio.runs.recording
    good = recording is not None and recording.count > 0
    return "" if good else tr("There is no run yet: press Space")


def needs_finished_run(studio: Studio) -> str:
    """Refusal of an action without a run that is over, "" where there is one."""
    return needs_recording(studio) or (
        tr("The run is not over yet") if studio.runs.is_running else ""
    )


def needs_section(studio: Studio) -> str:
    """Reason for refusing an action while the whole run is played, "" while a part is."""
    return "" if studio.runs.playback.section is not None else tr("The whole run is played")


def needs_run(studio: Studio) -> str:
    """Refusal of an action without a run under way, "" where there is one."""
    return "" if studio.runs.is_running else tr("No simulation is running")


def needs_present_run(studio: Studio) -> str:
    """Reason for refusing an action without a finished run of the drawing as it is, "" where there
    is one.
    """
    return "" if studio.runs.present is not None else tr("There is no finished run of this drawing")


def needs_earlier_runs(studio: Studio) -> str:
    """Refusal of an action without a run that can be forgotten, "" where there is one."""
    present = studio.runs.present
    loose = [r for r in studio.runs.kept.runs if r is not present and not r.pinned]
    return "" if loose else tr("There is no earlier run that is not pinned")


def needs_proposal(studio: Studio) -> str:
    """Refusal of an action without an assembly that is proposed, "" where there is one."""
    return "" if studio.questions.assembly.can_accept else tr("No assembly is proposed")


def why_not_on_joints(studio: Studio, what: str) -> str:
    """Reason why a coupling, drive or force cannot be put on the selected joints; empty if it can,
    or if too few joints are selected and a tool asks for them.
    """
    m: Mechanism = studio.document.project.mechanism
    joints, needed = choice.joints(studio), joint_count(what)
    if len(m.joints) < needed:
        if m.joints:
            return (
                tr("There are not enough joints yet: two are needed.")
                if needed == 2
                else tr("There are not enough joints yet: three are needed.")
            )
        return (
            tr("There is no joint yet: one is needed."),
            tr("There is no joint yet: two are needed."),
            tr("There is no joint yet: three are needed."),
        )[needed - 1]
    if not joints or (what in COUPLING_TYPES and len(joints) < needed):
        return ""
    first = joints[0]
    try:
        if what in COUPLING_TYPES:
            fitted_ends(m, what, joints)
        elif len(joints) > 1:
            return tr("Select one joint, or none.")
        elif what == DRIVE:
            if not any(d.joint == first for d in m.drives.values()):
                driven_coordinate(m, first)
        else:
            force_on_joint(m, what, first)
    except ExpressionError as error:
        return str(error)
    return ""
