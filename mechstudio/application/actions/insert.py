"""Couplings, drives and forces put on what is selected, or asked for by a tool; law edits with
their undo labels; part of Studio.
"""

import math
from collections.abc import Callable

from mechstudio.application.notifications import Message
from mechstudio.application.part import Part
from mechstudio.application.tools.picker import DRIVE, inserted, joint_count
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.edits import laws as law_edits
from mechstudio.model.edits.insertion import add_drive, add_lock
from mechstudio.model.edits.parameters import Wanted, wanted_by
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.laws import evaluation
from mechstudio.model.laws.tables import TABLE_KINDS
from mechstudio.model.mechanism import Coupling, Drive, Force
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Freedom
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES


class Insertions(Part):
    """Joint edits beyond drawing, as a part of Studio; every edit is one undo step."""

    @property
    def selected_joints(self) -> tuple[str, ...]:
        """Joints among what is selected, in the order of selecting."""
        joints = self.document.project.mechanism.joints
        return tuple(id for id in self.selection.selected if id in joints)

    def insert(self, what: str) -> None:
        """Put a coupling (key of COUPLING_TYPES), a drive or an entry of forces on joints on
        the selected joints; ask for joints if none is.
        """
        joints = self.selected_joints
        m = self.document.project.mechanism
        if what == DRIVE and len(joints) == 1:
            there = next((d.id for d in m.drives.values() if d.joint == joints[0]), None)
            if there is not None:
                self.selection.select(there)
                return
        if len(joints) != joint_count(what):
            self.bench.take("pick", what=what)
            return
        try:
            project, id, label = inserted(self.display.project, what, joints)
        except ExpressionError as error:
            self.say(Message("warning", str(error), "tool"))
            return
        self.withdraw("tool")
        self.display.commit(label, project)
        self.selection.select(id)
        if what not in COUPLING_TYPES:
            self.bench.asked.emit(id)

    # free motions

    def mover(self, freedom: Freedom) -> str:
        """The drive that prescribes what stands for a free motion; empty if there is none."""
        drives = self.document.project.mechanism.drives
        return next(
            (
                id
                for id, d in drives.items()
                if d.enabled and (d.joint, d.coordinate) == (freedom.joint, freedom.coordinate)
            ),
            "",
        )

    def drive_freedom(self, freedom: Freedom, lock: bool = False) -> None:
        """Put a motor on the joint that stands for a free motion, or hold it where it is drawn; one
        that is there is selected instead.
        """
        project, id = self.document.project, self.mover(freedom)
        joint = project.mechanism.joints.get(freedom.joint)
        if not id and joint is not None:
            project, id = (add_lock if lock else add_drive)(project, joint.id, freedom.coordinate)
            self.document.commit(f"{'Lock' if lock else 'Drive'} {joint.name}", project)
        if id:
            self.selection.select(id)

    def change(self, label: str, edit_: Callable[[Project], Project]) -> str:
        """Do an edit as one undo step; returns why it cannot be, "" if it was done."""
        try:
            project = edit_(self.document.project)
        except ExpressionError as error:
            return str(error)
        self.document.commit(label, project)
        return ""

    def change_shown(self, label: str, edit_: Callable[[Project], Project]) -> str:
        """The same for an edit that reads where bodies are, or changes joints."""
        try:
            project = edit_(self.display.project)
        except ExpressionError as error:
            return str(error)
        self.display.commit(label, project)
        return ""

    # laws

    def law_context(
        self, id: str, path: law_edits.Path
    ) -> tuple[str, str, dict[str, evaluation.Variable]]:
        """(dimension of the law's value, "time" or "angle", what its text may name) of a law of an
        element.
        """
        project = self.document.project
        element = fields.find(project, id)
        known = evaluation.variables(project.mechanism, element)
        if isinstance(element, Drive):
            return fields.drive_dimension(element, project.mechanism), "time", known
        if isinstance(element, Coupling):
            end = element.ends[-1]
            return fields.dimension_of(project.mechanism, end.joint, end.coordinate), "angle", known
        assert isinstance(element, Force)
        return (
            next(p.dimension for p in FORCE_TYPES[element.type].parameters if p.name == path[1]),
            "time",
            known,
        )

    def law_problem(self, id: str, path: law_edits.Path, text: str) -> str:
        """Why a text cannot be the law's expression; empty if it can."""
        own, _, known = self.law_context(id, path)
        law = law_edits.new_law("expression")
        return evaluation.check(
            elements.replace(law, text=text),
            own,
            known,
            elements.parameter_values(self.document.project),
        )

    def wanted_by_law(self, id: str, path: law_edits.Path, text: str) -> Wanted | None:
        """The parameter to create so that a text can be the law's expression; None where it needs
        something else.
        """
        own, _, known = self.law_context(id, path)
        present = law_edits.level_of(law_edits.law_at(self.document.project, id, path)).value
        return wanted_by(
            self.document.project,
            text,
            own,
            present or None,
            self.units,
            {v.name: (math.nan, v.dimension) for v in known.values()},
        )

    def set_law_type(self, id: str, path: law_edits.Path, type: str) -> None:
        own, variable, _ = self.law_context(id, path)
        over = 1.0 if variable == "time" else 3.141592653589793
        self.change(
            f"Law of {self.name(id)} {evaluation.LAW_TYPES[type].label.lower()}",
            lambda p: law_edits.set_type(p, id, path, type, own, over),
        )

    def set_table_kind(self, id: str, path: law_edits.Path, kind: str) -> None:
        """Let a table run otherwise between its points, key of TABLE_KINDS."""
        self.change(
            f"Table of {self.name(id)} {TABLE_KINDS[kind].label.lower()}",
            lambda p: law_edits.set_between(p, id, path, kind),
        )

    def set_law_text(self, id: str, path: law_edits.Path, text: str) -> str:
        """Type an expression; returns why it cannot be."""
        return self.change(
            f"Law of {self.name(id)} {text.strip()}",
            lambda p: law_edits.set_text(p, id, path, text),
        )

    def follow(self, id: str, parameter: str) -> None:
        """Let a force's number follow a law, or be constant again."""
        force = self.document.project.mechanism.forces[id]
        label = next(p.label for p in FORCE_TYPES[force.type].parameters if p.name == parameter)
        if parameter in force.laws:
            self.change(
                f"{label} of {force.name} constant", lambda p: law_edits.unfollow(p, id, parameter)
            )
        else:
            self.change(
                f"{label} of {force.name} follows a law",
                lambda p: law_edits.follow(p, id, parameter),
            )
