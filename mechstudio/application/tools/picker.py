"""Tool that asks for joints one after the other, in the view or in the tree, and then puts a
coupling, drive or force on them.
"""

from collections.abc import Mapping

from mechstudio.application.tools.snapping.candidates import candidates_of
from mechstudio.application.tools.snapping.snap import REACH
from mechstudio.application.tools.tool import STOP, Key, Pointer, Preview, Tool, ToolContext
from mechstudio.application.tools.typed_numbers import Numbers
from mechstudio.model.edits.couplings import is_gear_pair, ratio_words, same_way, signed
from mechstudio.model.edits.insertion import add_coupling, add_drive, add_joint_force
from mechstudio.model.element_fields.laws import drive_dimension
from mechstudio.model.fields import find
from mechstudio.model.findings import listed
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.mechanism import GROUND, Coupling, Drive, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES, entries
from mechstudio.model.types.parameter import Parameter
from mechstudio.model.units import format_value
from mechstudio.translation import comma, tr

DRIVE = "drive"


def joint_count(what: str) -> int:
    """Number of joints requested; what: a key of COUPLING_TYPES, DRIVE, or an entry of forces on
    joints.
    """
    return len(COUPLING_TYPES[what].ends) if what in COUPLING_TYPES else 1


def inserted(
    project: Project, what: str, joints: tuple[str, ...], typed: Mapping[str, Quantity] = {}
) -> tuple[Project, str, str]:
    """The project with it on these joints, its id and the label of the step; typed: numbers of a
    coupling.  Raises ExpressionError with the reason.
    """
    if what in COUPLING_TYPES:
        project, id = add_coupling(project, what, joints, typed)
        section: dict = dict(project.mechanism.couplings)
    elif what == DRIVE:
        (joint,) = joints
        project, id = add_drive(project, joint)
        section = dict(project.mechanism.drives)
    else:
        (joint,) = joints
        project, id = add_joint_force(project, what, joint)
        section = dict(project.mechanism.forces)
    names = listed([project.mechanism.joints[j].name for j in joints])
    return project, id, tr("Add {section} at {names}", section=section[id].name, names=names)


def words(project: Project, id: str, units: str) -> str:
    """Phrase for a coupling, drive or force on a joint, with the number that matters most: "gear
    pair 1 to 2, turning opposite ways".
    """
    element = find(project, id)
    if isinstance(element, Coupling):
        name, number = (
            COUPLING_TYPES[element.type].label,
            {k: q.value for k, q in element.parameters.items()},
        )
        if is_gear_pair(element.type):
            way = {
                True: tr(", turning the same way"),
                False: tr(", turning opposite ways"),
                None: "",
            }[same_way(project.mechanism, element)]
            return f"{name} {ratio_words(number[signed(element.type)])}{way}"
        lengths = [
            format_value(abs(v), "length", units, 4)
            for k, v in number.items()
            if k.startswith("radius")
        ]
        return (
            f"{name}, {'radius' if len(lengths) == 1 else 'radii'} {' and '.join(lengths)}"
            if lengths
            else name
        )
    if isinstance(element, Drive):
        dimension = drive_dimension(element, project.mechanism)
        value = element.law.parameters["value"].value
        return tr("Drive, {dimension}", dimension=format_value(value, dimension, units, 4))
    return FORCE_TYPES[element.type].label


class PickTool(Tool):
    """Click so many joints; what was clicked wears a ring until all are there."""

    name = "pick"
    repeats = True

    def __init__(self, context: ToolContext, what: str = DRIVE) -> None:
        super().__init__(context)
        if what not in COUPLING_TYPES and what not in entries() and what != DRIVE:
            raise KeyError(what)
        self.what = what
        self._joints: list[str] = []
        self._tried: tuple[tuple, Project | None, str] = ((), None, "")
        self._pointer: Pointer | None = None
        self.numbers = Numbers(
            context, *((tr(p.label).lower(), p.dimension) for p in self._parameters)
        )
        self._say()

    @property
    def _parameters(self) -> tuple[Parameter, ...]:
        return COUPLING_TYPES[self.what].parameters if self.what in COUPLING_TYPES else ()

    def _typed(self) -> dict[str, Quantity]:
        """The numbers typed so far by name, as far as they mean something yet."""
        found = {p.name: self.numbers.sofar(k) for k, p in enumerate(self._parameters)}
        return {name: q for name, q in found.items() if q is not None}

    @property
    def _mechanism(self) -> Mechanism:
        return self.context.document.project.mechanism

    def _joint_at(self, pointer: Pointer) -> str:
        """The joint under the pointer, or whose point is near it."""
        if pointer.element in self._mechanism.joints:
            return pointer.element
        near = candidates_of(self._mechanism).near(self.context.plane, pointer, 1.5 * REACH)
        return min(((gap, s.joint) for _, gap, s in near if s.joint), default=(0.0, ""))[1]

    @property
    def title(self) -> str:
        forces = entries()
        return forces[self.what].noun if self.what in forces else self.what.replace("_", " ")

    def move(self, pointer: Pointer) -> None:
        self._pointer = pointer
        joint = self._joint_at(pointer)
        p = self.preview = Preview()
        if self.finished:
            return
        p.marks = [(self._place(id), self._mechanism.joints[id].name) for id in self._joints]
        self.tentative = None
        if joint and joint not in self._joints:
            p.marker, p.word = (
                self._place(joint),
                tr("joint {joint}", joint=self._mechanism.joints[joint].name),
            )
            if len(self._joints) == joint_count(self.what) - 1:
                self.tentative, p.label = self._would_be(joint)
        if self.numbers.typed:
            p.label = "   ".join(
                filter(
                    None, (self.numbers.label([tr("as drawn")] * len(self._parameters)), p.label)
                )
            )

    def _would_be(self, joint: str) -> tuple[Project | None, str]:
        """The project after a click on a last joint, and in words what that adds, or why it cannot
        be.
        """
        project, typed = self.context.document.project, self._typed()
        if self._tried[0] != (project, joint, typed):
            try:
                made, id, _ = inserted(project, self.what, (*self._joints, joint), typed)
                self._tried = ((project, joint, typed), made, words(made, id, self.context.units))
            except ExpressionError as error:
                self._tried = ((project, joint, typed), None, str(error))
        return self._tried[1:]

    # typing

    def key(self, key: str) -> bool:
        if key == "escape" and self.numbers.typed:
            self.numbers.clear()
        elif key == "enter" and self.numbers.typed:
            self.context.message = self.numbers.check()
        elif not self.numbers.key(key):
            return super().key(key)
        self._say()
        if self._pointer is not None:
            self.move(self._pointer)
        return True

    def wants(self, key: str) -> bool:
        return super().wants(key) or self.numbers.wants(key)

    def keys(self) -> list[Key]:
        return [
            Key("Click", tr("a joint, here or in the tree")),
            *(
                [Key("0–9 . ( =", comma().join(name for name, _ in self.numbers.fields), "1")]
                if self._parameters
                else []
            ),
            STOP,
        ]

    def _place(self, joint: str):
        m = self._mechanism
        j = m.joints[joint]
        return m.frame_in_world(j.frame_a if j.frame_a.body != GROUND else j.frame_b)[0]

    def press(self, pointer: Pointer) -> None:
        joint = self._joint_at(pointer)
        if not joint:
            self.context.message = tr(
                "There is no joint here: click a joint's mark, or its line in the model tree."
            )
            return
        self.take(joint)
        self.move(pointer)

    def take(self, id: str) -> None:
        """This joint is the next one, clicked here or in the tree; anything else is none."""
        if id not in self._mechanism.joints or id in self._joints:
            return
        self._joints.append(id)
        self.context.message = ""
        if len(self._joints) == joint_count(self.what):
            if self.numbers.check():
                # what was typed is to be mended first
                self.context.message = self.numbers.check()
                self._joints.pop()
                return
            try:
                project, id, label = inserted(
                    self.context.document.project, self.what, tuple(self._joints), self._typed()
                )
            except ExpressionError as error:
                self.context.message = str(error)
                self._joints.clear()
            else:
                self.cancel()
                self.made = True
                self.context.document.commit(label, project)
                self.context.selection.select(id)
                self.context.entry_id = id if self.what not in COUPLING_TYPES else ""
                return
        self._say()

    def _say(self) -> None:
        if self.what in COUPLING_TYPES:
            kind = COUPLING_TYPES[self.what]
            order, end = (
                (tr("first"), tr("second"), tr("third"))[len(self._joints)],
                tr(kind.ends[len(self._joints)].label).lower(),
            )
            self.hint = tr(
                "{kind}: click the {order} joint ({end}) in the view or in the tree{asks} · Esc "
                "stops",
                kind=tr(kind.label),
                order=order,
                end=end,
                asks=self._number_hint(),
            )
        elif self.what == DRIVE:
            self.hint = tr(
                "Click the joint that is to be driven, in the view or in the tree · Esc stops"
            )
        else:
            self.hint = tr(
                "Click the joint for the {entry}, in the view or in the tree · Esc stops",
                entry=tr(entries()[self.what].noun),
            )

    def _number_hint(self) -> str:
        """Hint on the numbers that may be typed meanwhile; empty if there are none."""
        return (
            tr(" · type the {name}", name=comma().join(name for name, _ in self.numbers.fields))
            if self._parameters
            else ""
        )
