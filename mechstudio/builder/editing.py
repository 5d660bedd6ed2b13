"""Edits of what a builder has drawn already, as the window's Edit menu does them: copies, mirror
images, patterns, groups, joints turned and made another type.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mechstudio.builder import changes
from mechstudio.builder.couplings import End
from mechstudio.builder.draft import Draft
from mechstudio.builder.geometry import Number, Point, known_type, unit
from mechstudio.builder.handles import BodyHandle, CoordinateHandle, JointHandle
from mechstudio.builder.joints import FRONT
from mechstudio.model import fields
from mechstudio.model.edits import clipboard, elements, groups, insertion
from mechstudio.model.edits.bodies import stacking
from mechstudio.model.edits.gauges import driving
from mechstudio.model.edits.links import set_joint_type
from mechstudio.model.edits.patterns import repetition
from mechstudio.model.edits.patterns.mirror import MirrorPlane, mirror_image, mirrored
from mechstudio.model.edits.patterns.movement import Movement, movement_of
from mechstudio.model.edits.poses import motion
from mechstudio.model.geometry.rotation import Pose, Triple
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values
from mechstudio.model.results.analysis import Cure
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.builder.builder import Builder

Element = BodyHandle | JointHandle | str
Ids = Mapping[str, str]  # of copies, by the ids of their originals


class Editing:
    """Edits of elements of a builder, given by handle or id; see Builder.edit.

    Every method raises ValueError with one sentence for what is not there and what cannot be done;
    the drawing is then as it was.  Lengths are [m], angles [rad], or texts with units.

        >>> m = ms.Builder("Rods")
        >>> rod = m.link("rod", (0, 0, 0), length="200 mm", angle=0)
        >>> pin = m.pin("A", m.ground, rod, at=rod.start)
        >>> copies = m.edit.row(rod, pin, count=3, step="300 mm")
        >>> [body.body.name for body in m.bodies.values()]
        ['rod', 'rod 2', 'rod 3']
    """

    def __init__(self, builder: "Builder", draft: Draft) -> None:
        self._builder, self._draft = builder, draft

    # copies

    def duplicate(self, *chosen: Element, shift: Point = (0, 0, 0)) -> Ids:
        """Elements once more, and what is among them, shifted in W; their new ids by the old
        ones.
        """
        project, new = clipboard.duplicated(self._project, self._ids(chosen), self._shift(shift))
        self._take(project)
        return new

    def copied(self, *chosen: Element) -> Project:
        """Elements with what they stand on, as a project of its own, for `paste`."""
        return clipboard.part_of(
            self._project, clipboard.needed(self._builder.mechanism, self._ids(chosen))
        )

    def paste(self, part: Project, shift: Point = (0, 0, 0)) -> Ids:
        """Put all of another project in, shifted in W; the new ids of its elements, and names of
        its parameters, that are others here.  Names that are taken get a number.
        """
        project, new = clipboard.put_in(self._project, part, self._shift(shift))
        self._take(project)
        return new

    def mirror(
        self,
        *chosen: Element,
        through: Point = (0, 0, 0),
        normal: Point = (1, 0, 0),
        copy: bool = True,
        neighbours: bool = True,
    ) -> Ids:
        """The mirror image of elements in a plane of W; its ids by the old ones.

        copy: False mirrors them in place.  neighbours: with the joints to bodies that stay.
        """
        ids = self._ids(chosen)
        plane = MirrorPlane(self._point(through), self._way(normal))
        if not copy:
            self._take(mirrored(self._project, ids, plane))
            return {}
        project, new = mirror_image(self._project, ids, plane, neighbours)
        self._take(project)
        return new

    def row(
        self,
        *chosen: Element,
        count: int,
        step: Number,
        way: Point = (1, 0, 0),
        neighbours: bool = True,
    ) -> list[Ids]:
        """`count` of them in all in a row, each a step further along a direction of W; the ids of
        each copy by the old ones.  A step that is a formula stays one.
        """
        by = self._quantity(step, "length", tr("step"))
        movements = repetition.row(self._project, count, self._way(way), by)
        return self._repeated(chosen, movements, neighbours)

    def circle(
        self,
        *chosen: Element,
        count: int,
        center: Point = (0, 0, 0),
        axis: Point = FRONT,
        angle: Number | None = None,
        neighbours: bool = True,
    ) -> list[Ids]:
        """`count` of them in all in a circle about an axis through a point of W, each turned by the
        angle further; without an angle they fill the circle.
        """
        by = f"360 deg/{max(count, 1)}" if angle is None else angle
        turn = self._quantity(by, "angle", tr("angle")).value
        movements = repetition.circle(count, self._point(center), self._way(axis), turn)
        return self._repeated(chosen, movements, neighbours)

    # places

    def move(
        self,
        *chosen: Element,
        shift: Point = (0, 0, 0),
        about: Point = (0, 0, 0),
        axis: Point = FRONT,
        angle: Number = 0.0,
    ) -> None:
        """Bodies and joints turned by an angle about an axis through a point of W, then shifted.
        Joints between them move along; links on a joint that moves stretch.
        """
        ids, m = self._ids(chosen), self._builder.mechanism
        if other := [id for id in ids if id not in m.bodies and id not in m.joints]:
            raise ValueError(
                tr("{id} is neither a body nor a joint: it has no place.", id=other[0])
            )
        turn = self._quantity(angle, "angle", tr("angle")).value
        at, turned = motion.rotated_about(self._point(about), self._way(axis), turn)
        by = self._point(shift)
        pose: Pose = ((at[0] + by[0], at[1] + by[1], at[2] + by[2]), turned)
        bodies = [id for id in ids if id in m.bodies]
        self._take(motion.move(self._project, pose, bodies, [id for id in ids if id in m.joints]))

    def stack(self, motion: stacking.Motion = ()) -> None:
        """Links, arms and plates in layers along their normals, so that they clear each other as
        drawn, and at the poses of a motion (Result.instants).
        """
        self._take(stacking.stacked(self._project, motion))

    # groups and what is shown

    def group(self, *bodies: Element, name: str = "") -> str:
        """A group of bodies, and its id."""
        project, id = groups.with_group(self._project, self._ids(bodies))
        self._take(groups.with_attributes(project, id, name=name) if name else project)
        return id

    def ungroup(self, *bodies: Element) -> None:
        """Take the groups of bodies apart."""
        self._take(groups.without_groups(self._project, self._ids(bodies)))

    def show(self, *chosen: Element) -> None:
        """Show what is hidden; everything, where nothing is named."""
        ids = self._ids(chosen) if chosen else self._shown_or_hidden()
        self._take(elements.with_visible(self._project, ids, True))

    def isolate(self, *chosen: Element) -> None:
        """Hide everything else."""
        kept = set(self._ids(chosen))
        others = [id for id in self._shown_or_hidden() if id not in kept]
        self._take(elements.with_visible(self._project, others, False))

    # joints

    def flip(self, *joints: JointHandle | str) -> None:
        """Joints with their axes the other way round."""
        self._each_joint(joints, motion.flip_joint)

    def turn(self, *joints: JointHandle | str) -> None:
        """Joints with their frames turned by 90 degrees about their axes; no body moves."""
        self._each_joint(joints, motion.quarter_joint)

    def joint_type(self, type: str, *joints: JointHandle | str) -> None:
        """Joints of another type, key of JOINT_TYPES, their axes turned as that type needs it."""
        known_type(JOINT_TYPES, type, "joint")
        self._each_joint(joints, lambda project, id: set_joint_type(project, id, type))

    def stops(self, *coordinates: End | str) -> None:
        """Hard stops on both sides of the drawn coordinate of joints, 60 degrees or a tenth of the
        mechanism away.  coordinates: joints, meaning their first one, or joint[k].
        """
        project = self._project
        for end in coordinates:
            place = end.coordinate if isinstance(end, CoordinateHandle) else 0
            project = insertion.add_limit(project, self._joint(end), place)
        self._take(project)

    def cure(self, cure: Cure) -> None:
        """Take a redundancy away as an analysis proposed it: one of the `cures` of
        ms.check(project).redundancies.
        """
        try:
            self._take(elements.apply_cure(self._project, cure))
        except KeyError:
            raise ValueError(tr("There is nothing with the id {id}.", id=cure.element)) from None

    # gauges

    def gauge_value(self, gauge: str, value: Number) -> None:
        """Type another number for a gauge, by id or name, that drives one of the drawing; a gauge
        that follows the motion is refused with the reason.
        """
        known = self._project.gauges
        id = (
            gauge if gauge in known else next((g.id for g in known.values() if g.name == gauge), "")
        )
        if not id:
            raise ValueError(
                tr(
                    "There is no gauge {gauge}; there are {known}.",
                    gauge=gauge,
                    known=comma().join(g.name for g in known.values()) or tr("none"),
                )
            )
        text = value if isinstance(value, str) else repr(float(value))
        self._take(driving.with_value(self._project, id, text))

    # inside

    @property
    def _project(self) -> Project:
        return self._builder.project()

    def _take(self, project: Project) -> None:
        self._builder.take(project)

    def _ids(self, chosen: Sequence[Element]) -> list[str]:
        """Ids of what is given.  Raises ValueError where nothing is, or something is not there."""
        if not chosen:
            raise ValueError(tr("Name at least one element, by handle or id."))
        ids = [each if isinstance(each, str) else each.id for each in chosen]
        for id in ids:
            changes.element(self._project, id)
        return ids

    def _joint(self, joint: End | str) -> str:
        id = joint if isinstance(joint, str) else joint.id
        if id not in self._builder.mechanism.joints:
            raise ValueError(tr("There is no joint with the id {id}.", id=id))
        return id

    def _each_joint(
        self, joints: Sequence[JointHandle | str], edit: Callable[[Project, str], Project]
    ) -> None:
        project = self._project
        for joint in joints:
            project = edit(project, self._joint(joint))
        self._take(project)

    def _repeated(
        self, chosen: Sequence[Element], movements: Sequence[Movement], neighbours: bool
    ) -> list[Ids]:
        project, copies = repetition.repeated(
            self._project, self._ids(chosen), movements, neighbours
        )
        self._take(project)
        return list(copies)

    def _shown_or_hidden(self) -> list[str]:
        return [id for id, e in fields.elements(self._project) if hasattr(e, "visible")]

    def _quantity(self, number: Number, dimension: str, what: str) -> Quantity:
        return self._draft.quantity(number, dimension, what)

    def _point(self, point: Point) -> Triple:
        return values(self._draft.point_quantities(point, tr("point")))

    def _shift(self, shift: Point) -> Movement:
        return movement_of((self._point(shift), (1.0, 0.0, 0.0, 0.0)))

    def _way(self, way: Point) -> Triple:
        what = tr("direction")
        row = self._draft.triple(way, "number", what, tr("it has three components"))
        return unit(values(row), what)
