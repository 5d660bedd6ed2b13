"""Random edits of a document, and what must hold after each of them whatever it was; kept apart
from the program's own bookkeeping.
"""

import random
from collections.abc import Mapping

import msgspec

from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.application.tools.bench import TOOLS
from mechstudio.application.tools.joints.ground import toggle_ground
from mechstudio.files.format.codec import decode, encode
from mechstudio.model import fields
from mechstudio.model.edits import clipboard, elements, groups, insertion, links
from mechstudio.model.edits import (
    laws as law_edits,
)
from mechstudio.model.edits.bodies import points, shapes
from mechstudio.model.edits.patterns.movement import shifted
from mechstudio.model.edits.poses import motion as moving
from mechstudio.model.element_fields.laws import drive_dimension
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import about
from mechstudio.model.geometry.work_plane import FRONT, facing, unit
from mechstudio.model.laws import evaluation
from mechstudio.model.laws.interpolation import TABLE_KINDS
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.quantity import Parameter
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES, entries
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.shapes import SHAPE_TYPES
from tests.application.tools.eyes import Seen
from tests.studio_edits import Solver, StudioEdits

SECTIONS = ("bodies", "joints", "couplings", "drives", "forces")
NUMBERS = (
    "12",
    "12 mm",
    "0.3 m",
    "90 deg",
    "3*25 mm",
    "2 kg",
    "L1",
    "2*L1 + 5 mm",
    "-4",
    "0",
    "1/0",
    "1e400",
    "sin(1)",
    "",
    "nonsense",
    "5 s",
    "1e-9 mm",
    "L1 + L2",
    "unit",
)
NAMES = (
    "crank",
    "a",
    "",
    "  ",
    "L1",
    "Kurbel é",
    "name with spaces",
    "x" * 300,
    "\u4e2d\u6587",
    "sin",
    "1abc",
    "time",
    "a.b",
    "\n",
)
OPTIONS = {
    "joint": ("type", tuple(JOINT_TYPES)),
    "two_points": ("type", ("spring", "damper", "actuator")),
    "point_force": ("type", ("force", "torque")),
    "solid": (
        "type",
        (
            "box",
            "cylinder",
            "tube",
            "half_pipe",
            "disc",
            "sphere",
            "capsule",
            "cone",
            "plate",
            "link",
            "ellipsoid",
        ),
    ),
    "pick": ("what", (*COUPLING_TYPES, "drive", *entries())),
}
KEYS = ("enter", "escape", "tab", "backtab", "backspace", *"123.5 mxyzqXrpcsuwf+-*/()")


def ids_of(project):
    """Every element's id with its kind."""
    m = project.mechanism
    return (
        {id: section for section in SECTIONS for id in getattr(m, section)}
        | {id: "parameters" for id in project.parameters}
        | {id: "groups" for id in project.groups}
        | {id: "pictures" for id in project.pictures}
    )


def standing_on(project, id):
    """Everything that cannot be without an element: found by the references in plain data."""
    m = project.mechanism
    plain = {
        k: (section, msgspec.to_builtins(e))
        for section in SECTIONS
        for k, e in getattr(m, section).items()
    }
    gone = {id}
    while True:
        more = {k for k, (section, e) in plain.items() if k not in gone and _refers(e, gone)}
        if not more:
            break
        gone |= more
    return gone | {k for k, g in project.groups.items() if set(g.members) <= gone}


def _refers(e, gone):
    frames = [e.get("frame_a") or {}, e.get("frame_b") or {}]
    return (
        any(f.get("body") in gone for f in frames)
        or e.get("joint") in gone
        or any(end.get("joint") in gone for end in e.get("ends", ()))
    )


def check(project):
    """References lead somewhere, numbers are what their texts say, and the file holds it all."""
    m = project.mechanism
    for section in SECTIONS:
        for id, e in getattr(m, section).items():
            assert e.id == id and e.name, (section, id, e.name)
    for id, e in (*m.joints.items(), *m.forces.items()):
        for frame in (e.frame_a, e.frame_b):
            if frame is not None:
                assert frame.body == GROUND or frame.body in m.bodies, (id, frame.body)
                m.body(frame.body).point(frame.point)
    for id, c in m.couplings.items():
        for end in c.ends:
            assert 0 <= end.coordinate < len(JOINT_TYPES[m.joints[end.joint].type].coordinates), (
                id,
                end,
            )
    for id, d in m.drives.items():
        assert 0 <= d.coordinate < len(JOINT_TYPES[m.joints[d.joint].type].coordinates), id
    for id, f in m.forces.items():
        if f.joint:
            assert 0 <= f.coordinate < len(JOINT_TYPES[m.joints[f.joint].type].coordinates), id
    for id, g in project.groups.items():
        assert g.members and set(g.members) <= set(m.bodies), id
    assert [b for g in project.groups.values() for b in g.members] == list(
        dict.fromkeys(b for g in project.groups.values() for b in g.members)
    )
    again = elements.reevaluate(project)
    assert again == project, f"numbers are not what their texts say: {difference(again, project)}"
    loaded = decode(encode(project))
    assert not [f for f in loaded.findings if f.severity != "info"], loaded.findings
    assert loaded.project == project, (
        f"the file does not hold the project: {difference(loaded.project, project)}"
    )


def difference(a, b, where=""):
    """The first place at which two values differ."""
    if isinstance(a, msgspec.Struct) and type(a) is type(b):
        pairs = [(f".{f}", getattr(a, f), getattr(b, f)) for f in a.__struct_fields__]
    elif isinstance(a, Mapping) and isinstance(b, Mapping) and a.keys() == b.keys():
        pairs = [(f"[{k}]", a[k], b[k]) for k in a]
    elif isinstance(a, tuple | list) and isinstance(b, tuple | list) and len(a) == len(b):
        pairs = [(f"[{k}]", x, y) for k, (x, y) in enumerate(zip(a, b))]
    else:
        return f"{where}: {a!r} and {b!r}"
    return next(difference(x, y, where + at) for at, x, y in pairs if x != y)


class Editor(StudioEdits):
    """Acts on a document at random, by functions, by tools and by Studio, and knows what must be
    there.
    """

    def __init__(self, project: Project, seed: int = 0, checking: bool = True) -> None:
        self.random, self.checking = random.Random(seed), checking
        self.studio = Studio(Preferences(kept=False))
        self.studio.attach(Solver())
        self.studio.files.show(project, None, None)
        self.document, self.selection, self.bench = (
            self.studio.document,
            self.studio.selection,
            self.studio.tools,
        )
        self.states, self.at = [project], 0
        self.log: list[str] = []
        self.refusals = 0
        self.actions = [getattr(self, name) for name in dir(type(self)) if name.startswith("do_")]

    # choosing

    @property
    def project(self):
        return self.document.project

    @property
    def m(self):
        return self.project.mechanism

    def one(self, things):
        things = list(things)
        if not things:
            raise ExpressionError("there is none")
        return self.random.choice(things)

    def some(self, things, least=1):
        things = list(things)
        if len(things) < least:
            raise ExpressionError("there are too few")
        return self.random.sample(things, self.random.randint(least, min(len(things), least + 2)))

    def body(self):
        return self.one([GROUND, *self.m.bodies])

    def point(self, size=0.4):
        r = self.random
        if r.random() < 0.4 and self.m.joints:
            return self.m.frame_in_world(self.one(self.m.joints.values()).frame_a)[0]
        return (
            r.uniform(-size, size),
            r.choice((0.0, 0.0, r.uniform(-size, size))),
            r.uniform(-size, size),
        )

    def plane(self):
        if self.random.random() < 0.6:
            return FRONT
        normal = unit((self.random.gauss(0, 1), self.random.gauss(0, 1), self.random.gauss(0, 1)))
        return facing("a plane", self.point(), normal)

    # one step

    def act(self, name: str = "") -> None:
        """One random action, with all that must hold after it."""
        action = getattr(self, f"do_{name}") if name else self.random.choice(self.actions)
        before, count = self.project, len(self.document.history[0])
        known = ids_of(before)
        self.log.append(getattr(action, "__name__", name))
        allowed = set()
        try:
            allowed = action() or set()
        except ExpressionError:
            self.refusals += 1
        after = self.project
        history = self.log[-1] in ("do_undo", "do_redo", "do_jump")
        if history:
            assert after is self.states[self.at], "another state than the one that was left"
        elif after is not before:
            labels, now = self.document.history
            assert len(labels) == now + 1 and all(labels[1:]), labels[-1]
            # a tool may make several steps
            del self.states[self.at + 1 :]
            steps = now - self.at
            assert steps >= 1
            self.states += [s.project for s in self.document._history[self.at + 1 : now + 1]]
            self.at = now
        else:
            assert len(self.document.history[0]) == count, "a step that changes nothing"
        if self.checking:
            if not history:
                lost = known.keys() - ids_of(after).keys()
                assert lost == (allowed if after is not before else set()), (
                    self.log[-1],
                    "lost",
                    lost - allowed,
                    "kept",
                    allowed - lost,
                )
            if after is not before:
                check(after)

    def commit(self, project) -> None:
        self.document.commit(self.log[-1], project)

    # history

    def do_undo(self):
        for _ in range(self.random.randint(1, 4)):
            self.document.undo()
            self.at = max(self.at - 1, 0)

    def do_redo(self):
        for _ in range(self.random.randint(1, 4)):
            self.document.redo()
            self.at = min(self.at + 1, len(self.states) - 1)

    def do_jump(self):
        if self.random.random() < 0.3:
            self.at = self.random.randrange(len(self.states))
            self.document.go_to(self.at)

    # drawing

    def do_link(self):
        start, end = self.point(), self.point()
        if links.distance(start, end) < 1e-6:
            raise ExpressionError("no length")
        project, link = links.add_link(self.project, self.plane(), start, end)
        if self.m.bodies and self.random.random() < 0.7:
            project, _ = links.add_joint(project, FRONT, self.body(), link, start)
        self.commit(project)

    def do_joint(self):
        a, b = self.some([GROUND, *self.m.bodies], 2)[:2]
        self.commit(
            links.add_joint(self.project, self.plane(), a, b, self.point(), self.one(JOINT_TYPES))[
                0
            ]
        )

    def do_solid(self):
        type = self.one(t for t in SHAPE_TYPES if not SHAPE_TYPES[t].mesh)
        self.commit(
            shapes.add_body(self.project, self.plane(), self.point(), shapes.new_shape(type, 0.1))[
                0
            ]
        )

    def do_shape(self):
        type = self.one(t for t in SHAPE_TYPES if not SHAPE_TYPES[t].mesh)
        self.commit(shapes.add_shape(self.project, self.body(), shapes.new_shape(type, 0.1)))

    def do_remove_shape(self):
        body = self.body()
        count = len(self.m.body(body).shapes)
        self.commit(
            shapes.remove_shape(
                self.project, body, self.random.randrange(max(count, 1)) if count else self.one(())
            )
        )

    def do_joint_type(self):
        self.commit(
            links.set_joint_type(self.project, self.one(self.m.joints), self.one(JOINT_TYPES))
        )

    def do_coupling(self):
        self.commit(
            insertion.add_coupling(
                self.project, self.one(COUPLING_TYPES), self.some(self.m.joints, 2)
            )[0]
        )

    def do_drive(self):
        self.commit(insertion.add_drive(self.project, self.one(self.m.joints))[0])

    def do_joint_force(self):
        self.commit(
            insertion.add_joint_force(self.project, self.one(entries()), self.one(self.m.joints))[0]
        )

    def do_point_force(self):
        self.commit(
            insertion.add_point_force(
                self.project,
                self.one(("spring", "damper", "actuator", "bushing")),
                (self.body(), self.point()),
                (self.body(), self.point()),
            )[0]
        )

    def do_body_force(self):
        self.commit(
            insertion.add_body_force(
                self.project,
                self.plane(),
                self.one(("force", "torque")),
                self.one(self.m.bodies),
                self.point(),
            )[0]
        )

    def do_stop(self):
        joint = self.m.joints[self.one(self.m.joints)]
        self.commit(
            insertion.add_limit(
                self.project, joint.id, self.random.randrange(max(1, JOINT_TYPES[joint.type].dof))
            )
            if JOINT_TYPES[joint.type].dof
            else self.project
        )

    def do_remove_stop(self):
        joint = self.one(j for j in self.m.joints.values() if j.limits)
        self.commit(
            insertion.remove_limit(self.project, joint.id, self.one(joint.limits).coordinate)
        )

    def do_ground(self):
        body = self.one(self.m.bodies)
        welds = {
            k
            for k, j in self.m.joints.items()
            if j.type == "fixed" and {j.frame_a.body, j.frame_b.body} == {GROUND, body}
        }
        before = self.project
        project, label = toggle_ground(before, body, self.plane())
        self.document.commit(label, project)
        # one at a time
        return next(
            (
                {x for x in standing_on(before, weld)}
                for weld in before.mechanism.joints
                if weld in welds
            ),
            set(),
        )

    # numbers, names, laws

    def do_number(self):
        id, element = self.one(fields.elements(self.project))
        field = self.one(fields.fields(element, id, self.m))
        self.commit(elements.set_quantity(self.project, id, field.path, self.one(NUMBERS)))

    def do_rename(self):
        id, _ = self.one(
            (id, e)
            for id, e in fields.elements(self.project)
            if id not in (GROUND, fields.SETTINGS, fields.GRAVITY) and hasattr(e, "name")
        )
        before = self.project
        self.commit(elements.set_attribute(before, id, name=self.one(NAMES)))
        return {id} if id in before.parameters and self.project is not before else set()

    def do_parameter(self):
        name, dimension = (
            self.one(("L1", "L2", "angle", "mass", "k")),
            self.one(("length", "length", "angle", "mass", "number")),
        )
        text = {"length": "120 mm", "angle": "30 deg", "mass": "2 kg", "number": "3"}[dimension]
        self.commit(
            elements.add_parameter(
                self.project, Parameter(name, expression.quantity(text, dimension, {}), dimension)
            )
        )

    def do_hide(self):
        id, element = self.one(
            (id, e)
            for id, e in fields.elements(self.project)
            if hasattr(e, "visible") and id != GROUND
        )
        self.commit(elements.set_attribute(self.project, id, visible=not element.visible))

    def do_law_type(self):
        id, path, own, over = self._law()
        self.commit(
            law_edits.set_type(self.project, id, path, self.one(evaluation.LAW_TYPES), own, over)
        )

    def do_table_kind(self):
        id, path, _, _ = self._law()
        self.commit(law_edits.set_between(self.project, id, path, self.one(TABLE_KINDS)))

    def do_law_text(self):
        id, path, _, _ = self._law()
        self.commit(
            law_edits.set_text(
                self.project,
                id,
                path,
                self.one(("2*t", "sin(t) * 1 rad", "L1", "", "1/", "q", "5 mm", "t^2 * 1 mm/s^2")),
            )
        )

    def do_follow(self):
        force = self.one(self.m.forces.values())
        parameter = self.one(p.name for p in FORCE_TYPES[force.type].parameters if not p.rate_of)
        self.commit(
            (law_edits.unfollow if parameter in force.laws else law_edits.follow)(
                self.project, force.id, parameter
            )
        )

    def _law(self):
        id = self.one([*self.m.drives, *(k for k, f in self.m.forces.items() if f.laws)])
        if id in self.m.drives:
            return id, ("law",), drive_dimension(self.m.drives[id], self.m), 1.0
        force = self.m.forces[id]
        name = self.one(force.laws)
        return (
            id,
            ("laws", name),
            next(p.dimension for p in FORCE_TYPES[force.type].parameters if p.name == name),
            1.0,
        )

    def do_drive_quantity(self):
        self.commit(
            insertion.set_drive_quantity(
                self.project,
                self.one(self.m.drives),
                self.one(("position", "velocity", "acceleration")),
            )
        )

    # moving

    def do_move(self):
        motion = (
            moving.rotated_about(self.point(), unit((0.3, 1.0, 0.2)), self.random.uniform(-1, 1))
            if self.random.random() < 0.5
            else moving.shifted_by(self.point(0.1))
        )
        self.commit(
            moving.move(
                self.project,
                motion,
                self.some(self.m.bodies) if self.random.random() < 0.6 else (),
                self.some(self.m.joints) if self.m.joints and self.random.random() < 0.6 else (),
            )
        )

    def do_stretch(self):
        link = self.one(id for id, b in self.m.bodies.items() if links.link_ends(b) is not None)
        self.commit(moving.stretch_to(self.project, link, self.random.randint(0, 1), self.point()))

    def do_turn_joint(self):
        joint = self.one(self.m.joints)
        self.commit(
            self.one(
                (
                    lambda: moving.turn_joint(self.project, joint, (0.0, 1.0, 0.0), 0.4),
                    lambda: moving.flip_joint(self.project, joint),
                    lambda: moving.quarter_joint(self.project, joint),
                )
            )()
        )

    def do_place(self):
        id = self.one(self.m.bodies)
        self.commit(
            elements.place(
                self.project,
                {id: (*self.point(), *about(unit((1.0, 2.0, 3.0)), self.random.uniform(-3, 3)))},
                {},
            )
        )

    # points, groups, copies

    def do_point(self):
        self.commit(
            points.add_point(
                self.project,
                self.body(),
                self.point(),
                self.one(("", "tip", "P", "end")),
                self.one((None, (1.0, 0.0, 0.0, 0.0))),
            )[0]
        )

    def _named(self):
        return self.one(
            (id, p.name) for id in (GROUND, *self.m.bodies) for p in self.m.body(id).points
        )

    def do_rename_point(self):
        self.commit(points.rename_point(self.project, *self._named(), self.one(NAMES)))

    def do_remove_point(self):
        self.commit(points.remove_point(self.project, *self._named()))

    def do_group(self):
        chosen = self.some(self.m.bodies, 2)
        gone = {k for k, g in self.project.groups.items() if set(g.members) <= set(chosen)}
        self.commit(groups.with_group(self.project, chosen)[0])
        return gone

    def do_ungroup(self):
        chosen = self.some(self.m.bodies)
        gone = {k for k, g in self.project.groups.items() if set(g.members) & set(chosen)}
        self.commit(groups.without_groups(self.project, chosen))
        return gone

    def do_duplicate(self):
        if len(ids_of(self.project)) < 60:
            self.commit(
                clipboard.duplicated(
                    self.project, self.some(ids_of(self.project)), shifted(self.point(0.1))
                )[0]
            )

    def do_paste(self):
        if len(ids_of(self.project)) < 60:
            source = self.one(self.states)
            part = clipboard.part_of(
                source,
                clipboard.needed(
                    source.mechanism,
                    self.some([*source.mechanism.bodies, *source.mechanism.joints]),
                ),
            )
            self.commit(clipboard.put_in(self.project, part, shifted(self.point(0.1)))[0])

    # taking away

    def do_delete(self):
        if self.random.random() < 0.5:
            id = self.one(ids_of(self.project).keys() - self.project.groups.keys())
            gone = standing_on(self.project, id)
            self.commit(elements.remove(self.project, id))
            assert not gone & ids_of(self.project).keys() or id in self.project.groups, (
                "something stays that stood on what is gone"
            )
            return gone

    # tools

    def do_tool(self):
        """An active tool, given some events; it commits its edits itself."""
        name = self.one(TOOLS)
        options = {OPTIONS[name][0]: self.one(OPTIONS[name][1])} if name in OPTIONS else {}
        if name == "scale_picture" or not self._may_grow():
            name, options = "select", {}
        self._use(name, options)

    def do_grip(self):
        """The resting tool on something that is selected."""
        self.selection.select(*self.some([*self.m.bodies, *self.m.joints, *self.m.forces]))
        self._use("select", {})

    def _may_grow(self):
        return len(ids_of(self.project)) < 60

    def _use(self, name, options):
        r = self.random
        self.bench.take(name, **options)
        eye = Seen(*r.choice(((-90.0, 0.0), (-60.0, 20.0), (30.0, 50.0))))
        for _ in range(r.randint(2, 10)):
            tool, keys = self.bench.tool, {k: r.random() < 0.1 for k in ("shift", "ctrl", "alt")}
            handles = tool.handles(eye)
            at = (
                r.choice(r.choice(handles).points) if handles and r.random() < 0.5 else self.point()
            )
            element = r.choice(("", *self.m.bodies, *self.m.joints, GROUND))
            body = element if element in self.m.bodies or element == GROUND else ""
            surface = (
                {"surface": at, "normal": unit((0.2, -1.0, 0.3))}
                if body and r.random() < 0.5
                else {}
            )
            pointer = eye.over(
                at, self.bench.context.plane, element=element, body=body, **keys, **surface
            )
            what = r.random()
            if what < 0.35:
                tool.move(pointer)
            elif what < 0.6:
                tool.move(pointer)
                if tool.takes(pointer):
                    tool.press(pointer)
                    self.bench.after_event()
                    if r.random() < 0.6:
                        self.bench.tool.move(
                            eye.over(self.point(), self.bench.context.plane, **keys)
                        )
                    self.bench.tool.release(
                        eye.over(
                            self.point() if r.random() < 0.5 else at,
                            self.bench.context.plane,
                            **keys,
                        )
                    )
            elif what < 0.9:
                tool.key(r.choice(KEYS))
            elif element and name == "pick":
                tool.take(element)
            else:
                tool.linger()
            self.bench.after_event()
        self.bench.tool.cancel()
        self.bench.after_event()
        self.bench.take("select")
