"""Conditions and details that the ACTIONS table names: the actions available now, and in words the
reason where one is not; part of Studio.
"""

from typing import Any

from mechstudio.application.part import Part
from mechstudio.application.tools.picker import DRIVE, joint_count
from mechstudio.model import fields
from mechstudio.model.edits.insertion import (
    driven_coordinate,
    fitted_ends,
    force_on_joint,
)
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import entries


class Conditions(Part):
    """Properties only; they read the document, the selection and the session."""

    recording: Any
    proposal: Any
    selected_joints: tuple[str, ...]

    always = True

    @property
    def can_undo(self) -> bool:
        return bool(self.document.undo_label)

    @property
    def can_redo(self) -> bool:
        return bool(self.document.redo_label)

    @property
    def undo_label(self) -> str:
        return self.document.undo_label

    @property
    def redo_label(self) -> str:
        return self.document.redo_label

    @property
    def has_selection(self) -> bool:
        return bool(self.selection.selected)

    @property
    def can_select_none(self) -> bool:
        return self.has_selection or self.proposal is not None or self.free_body.is_open

    @property
    def is_cut_free(self) -> bool:
        return self.free_body.is_open

    @property
    def can_cut_free(self) -> bool:
        return self.has_selected_body or self.free_body.is_open

    @property
    def can_delete(self) -> bool:
        project, id = self.document.project, self.selection.current
        m = project.mechanism
        return (
            id == fields.CONTACTS
            and m.contacts.floor is not None
            or any(
                id in section
                for section in (
                    m.bodies,
                    m.joints,
                    m.couplings,
                    m.drives,
                    m.forces,
                    project.pictures,
                    project.parameters,
                )
            )
        )

    @property
    def has_selected_body(self) -> bool:
        return self.selection.current in self.document.project.mechanism.bodies

    @property
    def has_selected_joint(self) -> bool:
        return bool(self.selected_joints)

    @property
    def has_selected_place(self) -> bool:
        m = self.document.project.mechanism
        return self.selection.current in m.bodies or self.selection.current in m.joints

    @property
    def selected_name(self) -> str:
        return self.name(self.selection.current) if self.can_delete else ""

    @property
    def has_bodies(self) -> bool:
        return bool(self.document.project.mechanism.bodies)

    @property
    def can_keep_run(self) -> bool:
        """True if there is a run to keep, of the drawing as it is or as it was before the last
        changes.
        """
        recording = None if self.session is None else self.session.recording
        return (
            recording is not None
            and recording.count > 0
            and not self.session.is_running
            and all(run.recording is not recording for run in self.kept_runs.runs)
        )

    @property
    def has_kept_runs(self) -> bool:
        return bool(self.kept_runs.runs)

    @property
    def has_recording(self) -> bool:
        return self.recording is not None and self.recording.count > 0

    @property
    def is_running(self) -> bool:
        return self.session is not None and self.session.is_running

    @property
    def has_joints(self) -> bool:
        return bool(self.document.project.mechanism.joints)

    @property
    def can_hide(self) -> bool:
        id = self.selection.current
        return (
            self.can_delete
            and id != fields.CONTACTS
            and id not in self.document.project.parameters
            and id != GROUND
        )

    @property
    def has_hidden(self) -> bool:
        m = self.document.project.mechanism
        return any(
            not x.visible
            for section in (
                m.bodies,
                m.joints,
                m.couplings,
                m.drives,
                m.forces,
                self.document.project.pictures,
            )
            for x in section.values()
        )

    def why_not(self, what: str) -> str:
        """Why a coupling, drive or force cannot be put on the selected joints; empty if it can, or
        if no joint is selected and a tool asks for them.
        """
        m: Mechanism = self.document.project.mechanism
        joints, needed = self.selected_joints, joint_count(what)
        if len(m.joints) < needed:
            return (
                f"There {'is no joint' if not m.joints else 'are not enough joints'} yet: "
                f"{('one is', 'two are', 'three are')[needed - 1]} needed."
            )
        if not joints:
            return ""
        try:
            if what in COUPLING_TYPES:
                fitted_ends(m, what, joints)
            elif len(joints) > 1:
                return "Select one joint, or none."
            elif what == DRIVE:
                if not any(d.joint == joints[0] for d in m.drives.values()):
                    driven_coordinate(m, joints[0])
            else:
                force_on_joint(m, what, joints[0])
        except ExpressionError as error:
            return str(error)
        return ""


# one condition and one reason for each thing that can be put on joints: can_gear, why_gear, …
for _what in (*COUPLING_TYPES, DRIVE, *entries()):
    setattr(Conditions, f"can_{_what}", property(lambda self, what=_what: not self.why_not(what)))
    setattr(Conditions, f"why_{_what}", property(lambda self, what=_what: self.why_not(what)))
