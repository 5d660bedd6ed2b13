"""An MJCF file as a project: its tree of bodies, then what closes, drives and loads it."""

import functools
from pathlib import Path

import msgspec

from mechstudio.files.exchange.drawing import Drawing, frame, placement
from mechstudio.files.exchange.mjcf.actuators import add_actuators, add_joint_forces
from mechstudio.files.exchange.mjcf.equalities import add_equalities, screw_leads
from mechstudio.files.exchange.mjcf.geoms import Geom, Geoms, touch, weighs_more
from mechstudio.files.exchange.mjcf.hinges import Element, add_joints, element
from mechstudio.files.exchange.mjcf.omissions import report_joint, report_settings
from mechstudio.files.exchange.mjcf.parts import Parts, Site
from mechstudio.files.exchange.mjcf.source import Source, unit_quaternion
from mechstudio.files.exchange.mjcf.tendons import add_tendons
from mechstudio.files.exchange.xml_text import Node, fault, number, numbers
from mechstudio.model.contact import ContactPair
from mechstudio.model.geometry.rotation import IDENTITY, Pose, compose
from mechstudio.model.mass_properties import mass_properties, rotated
from mechstudio.model.mechanism import GROUND, Body, InitialVelocity, Joint
from mechstudio.model.naming import quoted
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.translation import Words, comma, tr

HERE: Pose = ((0.0, 0.0, 0.0), IDENTITY)
MOST_MASKED = 150  # bodies up to which pairs that never touch are looked for one by one
_NOT_READ: dict[str, Words] = {
    "camera": "cameras",
    "light": "lights",
    "sensor": "sensors",
    "skin": "skins",
    "flex": "flexible bodies",
    "flexcomp": "flexible bodies",
    "composite": "composite objects",
    "replicate": "replicated bodies",
    "attach": "attached models",
    "plugin": "plugins",
    "deformable": "flexible bodies",
    "hfield": "height fields",
}


def read_mjcf(path: Path) -> tuple[Project, list[str]]:
    """The project of a file, and notes.  Raises ExchangeError."""
    source = Source(path)
    drawing = Drawing()
    model = Parts(source, drawing, {"world": GROUND}, {}, {}, {}, {GROUND: HERE}, {GROUND: HERE})
    _options(model)
    tree = _Tree(model)
    key = _Key(model)
    for world in source.root.all("worldbody"):
        tree.read(world, key)
    key.done()
    add_joint_forces(model)
    tree.add_contacts()
    add_equalities(model)
    add_tendons(model)
    add_actuators(model, key.controls)
    _left_out(model)
    return drawing.project(source.root.get("model") or path.stem)


def _options(model: Parts) -> None:
    source, drawing = model.source, model.drawing
    for option in source.root.all("option"):
        if row := numbers(option, "gravity", 3):
            drawing.gravity = vector(*row)
        for flag in option.all("flag"):
            if flag.get("contact") == "disable":
                drawing.touching = False
            if flag.get("gravity") == "disable":
                drawing.gravity = vector(0.0, 0.0, 0.0)
        for name in ("density", "viscosity"):
            if number(option, name, 0.0):
                drawing.say(tr("The {name} of the medium was left out.", name=name))
        if any(numbers(option, "wind")):
            drawing.say(tr("The wind was left out."))
    report_settings(source, drawing)


def _contacts_off(source: Source) -> bool:
    return any(
        flag.get("contact") == "disable"
        for option in source.root.all("option")
        for flag in option.all("flag")
    )


class _Key:
    """The first keyframe, or else the reference values; joint elements take their numbers in the
    file's order.
    """

    def __init__(self, model: Parts) -> None:
        self._drawing = model.drawing
        key = next((k for s in model.source.root.all("keyframe") for k in s.all("key")), None)
        self._qpos = numbers(key, "qpos") if key is not None else []
        self._qvel = numbers(key, "qvel") if key is not None else []
        self.controls = numbers(key, "ctrl") if key is not None else []
        self._q = self._v = 0
        # nothing is taken of a keyframe whose length is not the model's
        if key is not None and not self._fits(model):
            self._qpos, self._qvel, self.controls = [], [], []
            self._drawing.say(
                tr("The keyframe has not as many numbers as the joints, and was left out.")
            )
        elif key is not None and (self._qpos or self._qvel):
            name = key.get("name")
            self._drawing.say(
                tr("The drawing stands as in the keyframe {name}.", name=quoted(name or "0"))
            )

    def _fits(self, model: Parts) -> bool:
        q = v = 0
        for world in model.source.root.all("worldbody"):
            for node in world.walk():
                if node.tag not in ("joint", "freejoint"):
                    continue
                kind = "free" if node.tag == "freejoint" else node.get("type")
                if not kind:
                    # a class may say it
                    return True
                q += {"free": 7, "ball": 4}.get(kind, 1)
                v += {"free": 6, "ball": 3}.get(kind, 1)
        return len(self._qpos) in (0, q) and len(self._qvel) in (0, v)

    def _take(self, count: int) -> list[float]:
        out = self._qpos[self._q : self._q + count]
        self._q += count
        return out if len(out) == count else []

    def _take_rates(self, count: int) -> list[float]:
        out = self._qvel[self._v : self._v + count]
        self._v += count
        return out if len(out) == count else []

    def applied(self, e: Element) -> Element:
        """An element at the start."""
        if e.kind == "ball":
            q = self._take(4)
            rates = self._take_rates(3)
            return e._replace(
                turn=unit_quaternion(e.node, q) if q else IDENTITY, rates=tuple(rates)
            )
        q, rates = self._take(1), self._take_rates(1)
        return e._replace(value=q[0] if q else e.value, rates=tuple(rates))

    def free(self, node: Node, pose: Pose) -> tuple[Pose, list[float]]:
        """Pose of a free body in W and its velocities at the start."""
        q, rates = self._take(7), self._take_rates(6)
        if q:
            pose = ((q[0], q[1], q[2]), unit_quaternion(node, q[3:]))
        return pose, rates

    def done(self) -> None:
        """A sentence where numbers were left over."""
        if self._qpos and self._q != len(self._qpos):
            self._drawing.say(tr("The keyframe has more or fewer numbers than the joints."))


class _Tree:
    """Reader of the tree of bodies."""

    def __init__(self, model: Parts) -> None:
        self._model = model
        self._geoms = Geoms(model.source, model.drawing)
        self._of: dict[str, list[Geom]] = {}
        self._leads = screw_leads(model.source)
        self._names: set[str] = set()  # of joints

    def read(self, world: Node, key: _Key) -> None:
        """All bodies of a worldbody."""
        self._content(world, GROUND, "", key)

    def _content(self, node: Node, id: str, childclass: str, key: _Key) -> None:
        """Children of a body, with those of its frames, then the bodies on it."""
        children = self._children(node, childclass)
        geoms = self._of.setdefault(id, [])
        for child, outer, of_class in children:
            if child.tag == "geom":
                if (geom := self._geoms.read(child, outer, of_class, id == GROUND)) is not None:
                    geoms.append(geom)
            elif child.tag == "site":
                full = self._model.source.full(child, of_class)
                pose = compose(outer, self._model.source.pose(full))
                self._model.sites[child.get("name")] = Site(id, pose)
        self._settle(id, node, [c for c, _, _ in children])
        for child, outer, of_class in children:
            if child.tag == "body":
                self._body(child, id, outer, of_class, key)

    def _children(self, node: Node, childclass: str) -> list[tuple[Node, Pose, str]]:
        """Children of a body and of its frames, each with the pose of its frame and its class."""
        children: list[tuple[Node, Pose, str]] = []
        left = [(c, HERE, childclass) for c in node.children[::-1]]
        while left:
            child, outer, of_class = left.pop()
            if child.tag == "frame":
                here = compose(outer, self._model.source.pose(child))
                inner = child.get("childclass") or of_class
                left += [(c, here, inner) for c in child.children[::-1]]
            else:
                children.append((child, outer, of_class))
        return children

    def _body(self, node: Node, parent: str, outer: Pose, childclass: str, key: _Key) -> None:
        model, drawing = self._model, self._model.drawing
        childclass = node.get("childclass") or childclass
        id, name = drawing.id(node.get("name"), "body")
        if (said := node.get("name")) and said in model.bodies:
            raise fault(node, tr("two bodies have this name."))
        model.bodies[said or id] = id
        rel = compose(outer, model.source.pose(node))
        elements = [
            element(model.source, c, of_class).seen_in(outer)
            for c, outer, of_class in self._children(node, childclass)
            if c.tag in ("joint", "freejoint")
        ]
        # what has no name of its own is found by the body's
        elements = [
            e if e.name else e._replace(name=f"{said or id} joint {k}")
            for k, e in enumerate(elements, 1)
        ]
        for e in elements:
            if e.name in self._names:
                raise fault(e.node, tr("two joints have this name."))
            self._names.add(e.name)
            report_joint(drawing, e.node, e.kind, e.name or name)
        if number(node, "gravcomp", 0.0):
            drawing.leave(tr("Bodies that float against gravity, and which weigh here"), name)
        world = drawing.body(parent).placement.pose
        model.reference[id] = compose(model.reference[parent], rel)
        rest = [e.at_rest(model.source).move for e in elements]
        model.relaxed[id] = functools.reduce(compose, rest, compose(model.relaxed[parent], rel))
        drawing.put_body(Body(id, name))
        if any(e.kind == "free" for e in elements):
            if len(elements) > 1 or parent != GROUND:
                raise fault(node, tr("a free joint stands alone, on a body of the world."))
            pose, rates = key.free(node, rel)
            drawing.change(id, placement=placement(pose))
            if any(rates):
                drawing.change(
                    id, initial_velocity=InitialVelocity(vector(*rates[:3]), vector(*rates[3:]))
                )
        else:
            row = [key.applied(e) for e in elements]
            pose = functools.reduce(compose, [e.move for e in row], rel)
            drawing.change(id, placement=placement(compose(world, pose)))
            if row:
                add_joints(drawing, model.source, parent, id, rel, row, model.placed, self._leads)
            else:
                joint, title = drawing.id(f"{name} fixed", "joint")
                drawing.joints[joint] = Joint(
                    joint, title, "fixed", frame(parent, rel), frame(id, HERE)
                )
            model.elements.update({e.name: e for e in row})
        self._content(node, id, childclass, key)

    def _settle(self, id: str, node: Node, children: list[Node]) -> None:
        """Shapes, mass and surface of a body of its geoms and its inertial."""
        drawing, geoms = self._model.drawing, self._of[id]
        body = drawing.body(id)
        touching = [g for g in geoms if g.type or g.affinity]
        color = next((g.color for g in geoms if g.color is not None), None)
        full = msgspec.structs.replace(body, shapes=tuple(g.shape for g in geoms))
        shown = geoms
        off = _contacts_off(self._model.source)
        if touching and not off:
            shown = touching
            if len(touching) < len(geoms):
                drawing.leave(tr("Bodies of which only the geoms that touch were taken"), body.name)
        changes: dict[str, object] = {
            "shapes": tuple(g.shape for g in shown),
            "touches": bool(touching) or off,
        }
        if touching:
            changes["surface"] = touching[0].surface
            if any(g.surface != touching[0].surface for g in touching):
                drawing.leave(
                    tr("Bodies whose geoms rub differently, and which rub as the first"), body.name
                )
        if color is not None and id != GROUND:
            changes["color"] = color
        if id != GROUND:
            inertial = next((c for c in children if c.tag == "inertial"), None)
            inertia_from = self._model.source.inertia_from
            if inertial is not None and inertia_from != "true":
                changes |= self._inertial(inertial)
            elif inertia_from == "false":
                changes |= {"mass": Quantity(0.0)}
            elif any(weighs_more(g) for g in geoms):
                drawing.leave(
                    tr("Bodies of meshes that are not convex, which MuJoCo weighs otherwise"),
                    body.name,
                )
            if "mass" not in changes and len(shown) < len(geoms):
                known = mass_properties(full)
                I = known.inertia
                changes |= {
                    "mass": Quantity(known.mass),
                    "center_of_mass": vector(*known.center),
                    "inertia": tuple(
                        Quantity(x) for x in (I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2])
                    ),
                }
        drawing.change(id, **changes)

    def _inertial(self, node: Node) -> dict[str, object]:
        mass = number(node, "mass", 0.0)
        if mass < 0.0:
            raise fault(node, tr("its mass is negative."))
        p, q = self._model.source.pose(node)
        if row := numbers(node, "fullinertia", 6):
            xx, yy, zz, xy, xz, yz = row
            matrix = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
        else:
            a, b, c = numbers(node, "diaginertia", 3) or (0.0, 0.0, 0.0)
            matrix = ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c))
        if min(matrix[0][0], matrix[1][1], matrix[2][2]) < 0.0:
            raise fault(node, tr("a moment of inertia is negative."))
        I = rotated(matrix, q) if q != IDENTITY else matrix
        return {
            "mass": Quantity(mass),
            "center_of_mass": vector(*p),
            "inertia": tuple(
                Quantity(x) for x in (I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2])
            ),
        }

    def add_contacts(self) -> None:
        """Contacts where geoms can touch, and pairs that cannot."""
        model, drawing = self._model, self._model.drawing
        source = model.source
        excluded = {
            frozenset((model.bodies.get(c.get("body1"), ""), model.bodies.get(c.get("body2"), "")))
            for section in source.root.all("contact")
            for c in section.all("exclude")
        }
        if any(section.all("pair") for section in source.root.all("contact")):
            drawing.say(tr("Contact pairs with numbers of their own were left out."))
        if _contacts_off(source):
            return
        solid = [
            id
            for id in (GROUND, *drawing.bodies)
            if any(g.type or g.affinity for g in self._of.get(id, []))
        ]
        if drawing.floor is not None and GROUND not in solid:
            solid.insert(0, GROUND)
        drawing.touching = len(solid) > 1
        if not drawing.touching:
            return
        drawing.say(
            tr(
                "Contacts are rigid here: solref and solimp were left out, and friction of a pair "
                "is the geometric mean, not the larger."
            )
        )
        joined = {frozenset((j.frame_a.body, j.frame_b.body)) for j in drawing.joints.values()}
        pairs = {p for p in excluded if len(p) == 2 and p - {""} == p and p not in joined}
        if len(solid) <= MOST_MASKED:
            for n, a in enumerate(solid):
                for b in solid[n + 1 :]:
                    pair = frozenset((a, b))
                    if pair in joined or pair in pairs:
                        continue
                    if GROUND in pair and drawing.floor is not None:
                        continue
                    if not touch(self._of[a], self._of[b]):
                        pairs.add(pair)
        order = {id: k for k, id in enumerate((GROUND, *drawing.bodies))}
        for pair in sorted(pairs, key=lambda p: sorted(order[x] for x in p)):
            a, b = sorted(pair, key=lambda x: order[x])
            drawing.pairs.append(ContactPair(a, b, False))


def _left_out(model: Parts) -> None:
    counts: dict[str, int] = {}
    for node in model.source.root.walk():
        if (what := _NOT_READ.get(node.tag)) is not None and node is not model.source.root:
            counts[what] = counts.get(what, 0) + (
                len(node.children) or 1 if node.tag == "sensor" else 1
            )
    if counts:
        row = comma().join(f"{n} {tr(what)}" for what, n in counts.items())
        model.drawing.say(tr("Not read: {row}.", row=row))
