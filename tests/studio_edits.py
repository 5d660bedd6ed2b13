"""Random edits as the window does them by Studio and the inspector: arranging, copying, mirroring,
pictures, parameters, and what the solver answers.

Each returns the ids that it takes away; whatever else is gone afterwards was lost.
"""

import math
from functools import partial
from types import SimpleNamespace

import numpy as np

from mechstudio.application.actions import choice as chosen_actions
from mechstudio.application.actions import edit, insert, simulate
from mechstudio.application.actions.edits import clipboard, naming, parameters, redundancies
from mechstudio.application.actions.edits import laws as laws_actions
from mechstudio.application.actions.edits import pictures as pictures_actions
from mechstudio.model import fields
from mechstudio.model.edits import couplings, elements, insertion, laws, links, pictures, springs
from mechstudio.model.edits.bodies import points, sizes, solids
from mechstudio.model.edits.bodies import shapes as shaping
from mechstudio.model.edits.parameters import requested_by, set_range
from mechstudio.model.edits.patterns.mirror import MirrorPlane, mirror_image, mirrored
from mechstudio.model.edits.poses import motion
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry import pose
from mechstudio.model.geometry.rotation import about, to_angles
from mechstudio.model.geometry.work_plane import FRONT, unit
from mechstudio.model.mechanism import GROUND, Placement
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.results.analysis import Cure, Freedom, Redundancy
from mechstudio.model.results.assembly import AssemblyResult, Gap
from mechstudio.model.results.branches import Branch
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import BODY, FORCE_TYPES, entries
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.laws import LAW_TYPES
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.model.units import DIMENSIONS
from mechstudio.protocol.solver_messages import DragEnded, Dragged, PoseFound
from tests.application.stand_in_solver import Signals

MOST = 70  # elements above which nothing is doubled
NOTES = ("", "see page 3", "é\u4e2d", "two\nlines", "x" * 500)


class Solver(Signals):
    """A session without a solver: the edits supply its answers."""

    analysis, recording, is_running = None, None, False
    status = SimpleNamespace(phase="ready", sentence="", progress=1.0)

    def __getattr__(self, name):
        return lambda *args, **kept: None


class StudioEdits:
    """Edits of an Editor, which has `studio`, `project`, `m`, `random`, `one`, `some`, `point`,
    `body`, `plane` and `commit`.
    """

    # choosing

    def few(self):
        """Some ids, all of them now and then."""
        ids = [*self.m.bodies, *self.m.joints, *self.m.forces, *self.m.couplings, *self.m.drives]
        return ids if ids and self.random.random() < 0.2 else self.some(ids)

    def choose(self, *ids):
        self.studio.selection.select(*(ids or self.few()))

    def may_double(self):
        if (
            sum(
                len(getattr(self.m, s))
                for s in ("bodies", "joints", "couplings", "drives", "forces")
            )
            > MOST
        ):
            raise ExpressionError("the drawing is large enough")

    def mirror_plane(self):
        r = self.random
        normal = r.choice(
            (
                (1.0, 0.0, 0.0),
                (0.0, 1.0, 0.0),
                (0.0, 0.0, 1.0),
                unit((r.gauss(0, 1), r.gauss(0, 1), r.gauss(0, 1))),
            )
        )
        return MirrorPlane(r.choice(((0.0, 0.0, 0.0), self.point())), normal)

    # mirror, flip, copies

    def do_mirror(self):
        self.may_double()
        self.commit(mirror_image(self.project, self.few(), self.mirror_plane())[0])

    def do_mirror_in_place(self):
        self.commit(mirrored(self.project, self.few(), self.mirror_plane()))

    def do_flip(self):
        self.choose()
        self.one((edit.flip_across, edit.flip_along))(self.studio)

    def do_double(self):
        self.may_double()
        self.choose()
        edit.duplicate(self.studio)

    def do_copy_and_paste(self):
        """By the clipboard's text, of this drawing or of one that was."""
        self.may_double()
        self.choose(*(self.some([*self.project.parameters, *self.m.bodies, *self.m.joints])))
        text = clipboard.copied_text(self.studio) or self.one(())
        now = self.project
        clipboard.paste(
            self.studio,
            self.one((text, f"> {text}", f"Look:\n```\n{text}\n```", "nothing of the kind")),
        )
        assert not now.mechanism.bodies.keys() - self.m.bodies.keys()

    # groups, names, notes, what is seen

    def do_group_chosen(self):
        before = self.project.groups
        self.choose(*self.some(self.m.bodies, 2))
        chosen = set(chosen_actions.bodies(self.studio))
        edit.group(self.studio)
        return (
            {k for k, g in before.items() if set(g.members) <= chosen}
            if self.project.groups is not before
            else set()
        )

    def do_ungroup_chosen(self):
        self.choose(*self.some(self.m.bodies))
        gone = {
            k
            for k, g in self.project.groups.items()
            if set(g.members) & set(chosen_actions.bodies(self.studio))
        }
        edit.ungroup(self.studio)
        return gone

    def do_call(self):
        from tests.edits import NAMES

        named = (
            id
            for id, e in fields.elements(self.project)
            if hasattr(e, "name") and id not in (GROUND, fields.SETTINGS, fields.GRAVITY)
        )
        id = self.one([*named, *self.project.groups])
        before = self.project
        naming.rename(self.studio, id, self.one(NAMES))
        return {id} if id in before.parameters and self.project is not before else set()

    def do_note(self):
        id = self.one(
            [
                *(id for id, e in fields.elements(self.project) if hasattr(e, "note")),
                *self.project.groups,
            ]
        )
        naming.set_note(self.studio, id, self.one(NOTES))

    def do_hide_or_show(self):
        self.choose()
        self.one(
            (
                partial(edit.hide, self.studio),
                partial(edit.isolate, self.studio),
                partial(edit.show_all, self.studio),
            )
        )()

    def do_color(self):
        project = self.project
        for id in self.some(self.m.bodies):
            project = elements.set_attribute(project, id, color=self.random.randint(-1, 9))
        self.commit(project)

    # deleting

    def do_delete_chosen(self):
        from tests.edits import ids_of, standing_on

        if self.random.random() < 0.5:
            raise ExpressionError("not so often")
        self.choose(*self.some(ids_of(self.project).keys() - self.project.groups.keys()))
        chosen = [id for id in self.studio.selection.selected]
        # of a group all members may be gone though each of them alone leaves some
        gone = {x for id in chosen for x in standing_on(self.project, id)}
        gone |= {k for k, g in self.project.groups.items() if set(g.members) <= gone}
        edit.delete(self.studio)
        return gone

    def do_cure(self):
        from tests.edits import standing_on

        element = self.one([*self.m.joints, *self.m.couplings])
        type = self.one(("", *JOINT_TYPES)) if element in self.m.joints else ""
        gone = set() if type else standing_on(self.project, element)
        redundancies.apply_cure(self.studio, Cure(element, type, 3, 1, "Loosen it: it is too much"))
        return gone

    def do_keep(self):
        id = self.one([*self.m.joints, *self.m.couplings])
        self.one(
            (
                lambda: redundancies.keep(
                    self.studio, Redundancy(id, 0, "X", (), 1), self.one(("", "stiff"))
                ),
                lambda: redundancies.stop_keeping(self.studio, id),
            )
        )()

    # parameters

    def do_new_parameter(self):
        parameters.add_parameter(self.studio, self.one(DIMENSIONS))

    def do_requested_parameter(self):
        """Define the parameter that a formula with an unknown name asks for."""
        text = self.one(("w1", "2*w1 + 3 mm", "w1/2", "L1 + w2", "w3^2"))
        id, element = self.one(fields.elements(self.project))
        field = self.one(fields.fields(element, id, self.m))
        q = fields.read(element, field.path)
        requested = requested_by(
            self.project, text, field.dimension, q.value if q else None, "mm-N-deg"
        )
        if requested is None:
            raise ExpressionError("no value is allowed")
        assert parameters.create_parameter(self.studio, requested) == ""

    def do_parameter_name(self):
        from tests.edits import NAMES

        name, before = self.one(self.project.parameters), self.project
        parameters.rename_parameter(self.studio, name, self.one((*NAMES, "p1", "length")))
        return {name} if self.project is not before else set()

    def do_remove_parameter(self):
        name = self.one(self.project.parameters)
        parameters.remove_parameter(self.studio, name)
        return {name}

    def do_parameter_kind(self):
        parameters.set_dimension(
            self.studio, self.one(self.project.parameters), self.one(DIMENSIONS)
        )

    def do_parameter_rest(self):
        from tests.edits import NUMBERS

        name, studio = self.one(self.project.parameters), self.studio
        self.one(
            (
                lambda: parameters.set_slider(studio, name, self.random.random() < 0.5),
                lambda: naming.set_note(studio, name, self.one(NOTES)),
                lambda: parameters.set_parameter(studio, name, self.one(NUMBERS), "Slide"),
                lambda: studio.document.change(
                    "Range",
                    lambda p: set_range(
                        p, name, self.one(("minimum", "maximum")), self.one(NUMBERS)
                    ),
                ),
            )
        )()

    # pictures

    def do_picture(self):
        self.studio.tools.set_plane(self.plane())
        pictures_actions.insert_picture(
            self.studio,
            self.one(("/nowhere/plan.png", "/nowhere/\u4e2d.svg")),
            self.random.uniform(0.2, 3),
            self.point(),
            self.random.uniform(0.01, 2),
        )
        self.studio.tools.take("select")

    def do_picture_edit(self):
        id = self.one(self.project.pictures)
        a, b = (
            pictures.plane_of(self.project.pictures[id]).to_world(
                self.random.uniform(-1, 1), self.random.uniform(-1, 1)
            )
            for _ in range(2)
        )
        self.one(
            (
                lambda: self.commit(pictures.move_picture(self.project, id, self.point())),
                lambda: self.commit(
                    pictures.scale_picture(
                        self.project, id, a, b, Quantity(0.1, "100 mm"), self.random.random() < 0.5
                    )
                ),
                lambda: pictures_actions.exchange_picture(
                    self.studio, id, "/elsewhere/other.jpg", 0.7
                ),
                lambda: self.commit(
                    elements.set_attribute(
                        self.project, id, locked=not self.project.pictures[id].locked
                    )
                ),
            )
        )()

    # joints, couplings, drives, forces

    def do_insert(self):
        what = self.one((*COUPLING_TYPES, "drive", *entries()))
        self.choose(*self.some(self.m.joints))
        insert.insert(self.studio, what)
        self.studio.tools.take("select")

    def do_drive_freedom(self):
        joint = self.m.joints[self.one(self.m.joints)]
        count = JOINT_TYPES[joint.type].dof or self.one(())
        insert.drive_freedom(
            self.studio,
            Freedom("", "input", joint.id, self.random.randrange(count)),
            self.random.random() < 0.5,
        )

    def do_reverse(self):
        id = self.one(id for id, c in self.m.couplings.items() if couplings.signed(c.type))
        self.commit(couplings.reverse(self.project, id))

    def do_curve(self):
        joint = self.one(j for j in self.m.joints.values() if j.curve is not None)
        at = self.random.randrange(len(joint.curve.points))
        self.commit(
            self.one((insertion.add_curve_point, insertion.remove_curve_point))(
                self.project, joint.id, at
            )
        )

    def do_turn_drawn_joints(self):
        project = self.project
        for id in self.some(self.m.joints):
            project = self.one((motion.flip_joint, motion.quarter_joint))(project, id)
        self.commit(project)

    def do_order(self):
        self.commit(links.order_joints(self.project, tuple(self.some(self.m.joints))))

    def do_preload(self):
        id = self.one(id for id, f in self.m.forces.items() if f.type == "spring")
        self.commit(
            springs.set_preload(self.project, id, self.one(("5 N", "0", "-2 N", "1e9 N")), "N")
        )

    def do_table_row(self):
        id, path, _, _ = self._law()
        law = laws.law_at(self.project, id, path)
        at = self.random.randrange(len(law.points)) if law.points else self.one(())
        self.commit(self.one((laws.add_row, laws.remove_row))(self.project, id, path, at))

    def do_studio_law(self):
        id, path, _, _ = self._law()
        self.one(
            (
                lambda: laws_actions.set_law_type(self.studio, id, path, self.one(LAW_TYPES)),
                lambda: laws_actions.set_law_text(
                    self.studio, id, path, self.one(("sin(3*t)", "L1", "w9*t", ""))
                ),
            )
        )()

    def do_cam_law(self):
        id = self.one(id for id, c in self.m.couplings.items() if c.law is not None)
        law_types = laws.types_for(self.m.couplings[id])
        laws_actions.set_law_type(self.studio, id, ("law",), self.one(law_types))

    def do_hold_force(self):
        id, side = self.one(
            (id, side)
            for id, f in self.m.forces.items()
            for side in ("frame_a", "frame_b")
            if getattr(f, side) is not None
        )
        self.commit(sizes.hold_at(self.project, id, side, self.body(), self.point()))

    def do_aim_force(self):
        id = self.one(
            id
            for id, f in self.m.forces.items()
            if FORCE_TYPES[f.type].attachment == BODY and not f.laws
        )
        self.commit(
            sizes.aim(
                self.project, id, self.one(((0.0, 0.0, 0.0), (1.0, 2.0, -3.0), (1e-9, 0.0, 4e5)))
            )
        )

    # solids, points, places

    def do_drawn_solid(self):
        r, plane = self.random, self.plane()
        q = lambda: Quantity(r.uniform(0.01, 0.3))
        a, b = (plane.to_world(r.uniform(-1, 1), r.uniform(-1, 1)) for _ in range(2))
        corners = [
            plane.to_world(r.uniform(-1, 1), r.uniform(-1, 1)) for _ in range(r.randint(3, 6))
        ]
        standing = r.random() < 0.5
        solid = self.one(
            (
                lambda: solids.box(plane, a, q(), q(), q(), standing),
                lambda: solids.disc(plane, a, q(), q(), standing),
                lambda: solids.sphere(plane, a, q(), standing),
                lambda: solids.round_on_axis(
                    self.one(("cylinder", "capsule", "cone")),
                    plane,
                    a,
                    b,
                    Quantity(links.distance(a, b)),
                    q(),
                    standing,
                ),
                lambda: solids.bar(plane, a, b, Quantity(links.distance(a, b)), q(), q(), standing),
                lambda: solids.plate(plane, corners, q(), standing),
            )
        )()
        self.commit(
            solids.as_body(self.project, solid)[0]
            if r.random() < 0.5
            else solids.as_part(self.project, solid, self.body())
        )

    def do_resize(self):
        body, k, size = self.one(
            (b, k, size)
            for b in (GROUND, *self.m.bodies)
            for k, s in enumerate(self.m.body(b).shapes)
            for size in SHAPE_TYPES[s.type].sizes
        )
        self.commit(
            sizes.resize(self.project, body, k, size, Quantity(self.random.uniform(0.005, 0.4)))
        )

    def do_corner(self):
        body, k, shape = self.one(
            (b, k, s)
            for b in (GROUND, *self.m.bodies)
            for k, s in enumerate(self.m.body(b).shapes)
            if s.outline
        )
        self.commit(
            sizes.move_corner(
                self.project,
                body,
                k,
                self.random.randrange(len(shape.outline)),
                self.random.uniform(-1, 1),
                self.random.uniform(-1, 1),
            )
        )

    def do_material(self):
        id = self.one(id for id, b in self.m.bodies.items() if b.shapes)
        body = self.m.bodies[id]
        shapes = tuple(
            elements.replace(s, material=self.one(("paint", "steel", "cast"))) for s in body.shapes
        )
        self.commit(shaping.with_body_kept(self.project, elements.replace(body, shapes=shapes)))

    def do_frame(self):
        body, name = self._named()
        self.commit(
            points.set_frame(
                self.project, body, name, self.one((None, about(unit((1.0, 2.0, 3.0)), 0.7)))
            )
        )

    def do_move_point(self):
        self.commit(motion.move_named_point(self.project, *self._named(), self.point()))

    def do_pose_form(self):
        """A place typed as distance and angles, or as Euler angles."""
        id = self.one(self.m.bodies)
        position, quaternion = self.m.bodies[id].placement.pose
        form, k = pose.POSITIONS[self.one(pose.POSITIONS)], self.random.randrange(3)
        numbers = list(form.read(position))
        numbers[k] = self.random.uniform(-1, 1)
        rotated = (
            pose.from_euler("ZXZ", (self.random.uniform(-3, 3), 0.0, 1.0))
            if self.random.random() < 0.5
            else quaternion
        )
        self.commit(
            elements.set_attribute(
                self.project,
                id,
                placement=Placement(
                    vector(*form.write(tuple(numbers))), vector(*to_angles(rotated))
                ),
            )
        )

    # what the solver answers

    def _poses(self, ids):
        r = self.random
        return {
            id: (
                r.uniform(-1, 1),
                r.choice((0.0, r.uniform(-1, 1))),
                r.uniform(-1, 1),
                *about(
                    r.choice(((0.0, 1.0, 0.0), unit((1.0, 2.0, 3.0)))), r.uniform(-math.pi, math.pi)
                ),
            )
            for id in ids
        }

    def _values(self):
        return {
            j.id: tuple(self.random.uniform(-1, 1) for _ in j.values)
            for j in self.m.joints.values()
            if j.values
        }

    def do_assemble(self):
        self.studio.questions.assembly.assemble()
        poses = tuple(self._poses(self.m.bodies).values())
        if not poses:
            raise ExpressionError("there is no body")
        self.studio.questions.assembly.take(
            AssemblyResult(
                True,
                poses,
                self._values(),
                0.1,
                0.0,
                0.2,
                next(iter(self.m.bodies)),
                (Gap(self.one(self.m.joints), 0.1),),
            )
        )
        self.one(
            (
                self.studio.questions.assembly.accept,
                self.studio.questions.assembly.accept,
                self.studio.questions.assembly.leave,
            )
        )()

    def do_drag(self):
        point_drag, joint = self.studio.questions.drag, self.one(self.m.joints)
        body = point_drag.holds(joint, "") or self.one(())
        point_drag.drop()  # a tool's pull, which nothing answers here
        assert point_drag.start_drag(body, point_drag.joint_point(joint))
        for _ in range(self.random.randint(0, 3)):
            point_drag.aim(self.point(), (0.0, 1.0, 0.0))
            poses = np.array([*self._poses(self.m.bodies).values()])
            point_drag.take(Dragged(1, poses.tobytes(), self.point(), False))
        if self.random.random() < 0.2:
            point_drag.drop()
            return
        ended = DragEnded(1, self._poses(self.some(self.m.bodies)), self._values())
        point_drag.release()
        point_drag.take(ended)
        assert not point_drag.state and point_drag.poses is None

    def do_pose_joint(self):
        joint = self.m.joints[self.one(self.m.joints)]
        count = JOINT_TYPES[joint.type].dof or self.one(())
        self.studio.questions.joint_setting.take(
            (joint.id, self.random.randrange(count), 0.5, ""),
            PoseFound(1, self._poses(self.some(self.m.bodies)), self._values(), 0.5),
        )

    def do_other_way(self):
        """Another way of putting it together."""
        poses = tuple(self._poses(self.m.bodies).values())
        coordinates = tuple(
            tuple(self.random.uniform(-1, 1) for _ in JOINT_TYPES[j.type].coordinates)
            for j in self.m.joints.values()
        )
        simulate.put_together(
            self.studio, Branch(False, True, coordinates, poses), "Put together otherwise"
        )

    def do_plane(self):
        self.studio.tools.set_plane(self.plane() if self.random.random() < 0.7 else FRONT)
        if self.random.random() < 0.3:
            self.studio.tools.toggle_lock()
