"""A URDF file as a project: a tree of links and joints, at zero of all its joints."""

from pathlib import Path

from mechstudio.files.exchange.drawing import Drawing, amounts, frame, placement
from mechstudio.files.exchange.meshes_beside import Meshes
from mechstudio.files.exchange.mjcf.actuators import DAMPERS, FRICTIONS
from mechstudio.files.exchange.mjcf.hinges import on_z
from mechstudio.files.exchange.mjcf.source import unit
from mechstudio.files.exchange.palette import nearest
from mechstudio.files.exchange.urdf.packages import found_file
from mechstudio.files.exchange.xml_text import (
    ExchangeError,
    Node,
    fault,
    number,
    numbers,
    parsed,
    read_bytes,
)
from mechstudio.model.geometry.rotation import (
    IDENTITY,
    Pose,
    Triple,
    about,
    compose,
    from_angles,
)
from mechstudio.model.mass_properties import rotated
from mechstudio.model.mechanism import (
    GROUND,
    Body,
    CoordinateOf,
    Coupling,
    Force,
    Joint,
    Limit,
    Shape,
)
from mechstudio.model.naming import quoted
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.translation import tr

ENDLESS = 1e300
HERE: Pose = ((0.0, 0.0, 0.0), IDENTITY)
TYPES = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
    "spherical": "spherical",
}


def read_urdf(path: Path) -> tuple[Project, list[str]]:
    """The project of a file, and notes.  Raises ExchangeError."""
    root = parsed(read_bytes(path), path.name)
    if root.tag != "robot":
        raise ExchangeError(
            tr(
                "{name} is no robot in URDF: its element is {tag}, not robot.",
                name=quoted(path.name),
                tag=quoted(root.tag),
            )
        )
    robot = _Robot(root, path)
    robot.read()
    return robot.drawing.project(root.get("name") or path.stem)


class _Robot:
    """Reader of one robot."""

    def __init__(self, root: Node, path: Path) -> None:
        self.drawing = Drawing()
        self._root, self._path = root, path
        self._meshes = Meshes(path.parent, self.drawing)
        self._colors: dict[str, list[float]] = {}
        self._links: dict[str, Node] = {}
        self._bodies: dict[str, str] = {}
        self._placed: dict[str, tuple[str, str]] = {}  # joint and dimension by name

    def read(self) -> None:
        """All links and joints, parents first."""
        for node in self._root.all("material"):
            self._color(node)
        for node in self._root.all("link"):
            if not node.get("name"):
                raise fault(node, tr("a link has no name."))
            if node.get("name") in self._links:
                raise fault(node, tr("two links have this name."))
            self._links[node.get("name")] = node
        if not self._links:
            raise ExchangeError(tr("{name} has no links.", name=quoted(self._path.name)))
        below, roots = self._tree()
        offsets = self._mimic_offsets()
        for root in roots:
            self._root_link(root, below)
            left = [root]
            while left:
                parent = left.pop()
                for joint in below.get(parent, []):
                    self._joint(joint, offsets)
                    left.append(_link(joint, "child"))
        self._mimics()
        self._left_out()

    def _tree(self) -> tuple[dict[str, list[Node]], list[str]]:
        """Joints by the link that they stand on, and links that stand on none."""
        below: dict[str, list[Node]] = {}
        carried: set[str] = set()
        names: set[str] = set()
        for joint in self._root.all("joint"):
            parent, child = _link(joint, "parent"), _link(joint, "child")
            for name in (parent, child):
                if name not in self._links:
                    raise fault(joint, tr("there is no link {name}.", name=quoted(name)))
            if child in carried or parent == child:
                raise fault(
                    joint,
                    tr("link {name} has two parents; a URDF is a tree.", name=quoted(child)),
                )
            if joint.get("name") in names:
                raise fault(joint, tr("two joints have this name."))
            names.add(joint.get("name"))
            carried.add(child)
            below.setdefault(parent, []).append(joint)
        roots = [name for name in self._links if name not in carried]
        reached, left = set(roots), list(roots)
        while left:
            for joint in below.get(left.pop(), []):
                reached.add(_link(joint, "child"))
                left.append(_link(joint, "child"))
        if len(reached) < len(self._links):
            stuck = next(name for name in self._links if name not in reached)
            raise ExchangeError(
                tr(
                    "{file}: the parents of link {name} lead in a circle.",
                    file=quoted(self._path.name),
                    name=quoted(stuck),
                )
            )
        return below, roots

    def _root_link(self, name: str, below: dict[str, list[Node]]) -> None:
        node = self._links[name]
        free = any(j.get("type") == "floating" for j in below.get(name, []))
        if name == "world" or (free and node.first("inertial") is None):
            self._bodies[name] = GROUND
            self.drawing.change(GROUND, shapes=self._shapes(node)[0])
            return
        id = self._link_body(name, HERE)
        joint, title = self.drawing.id(f"{name} fixed", "joint")
        self.drawing.joints[joint] = Joint(
            joint, title, "fixed", frame(GROUND, HERE), frame(id, HERE)
        )
        self.drawing.say(
            tr(
                "Link {name} stands fixed on ground; remove the joint {joint} to let it move.",
                name=quoted(name),
                joint=title,
            )
        )

    def _link_body(self, name: str, pose: Pose) -> str:
        """The body of a link at a pose in W."""
        node = self._links[name]
        id, title = self.drawing.id(name, "link")
        self._bodies[name] = id
        shapes, color = self._shapes(node)
        changes: dict[str, object] = {}
        inertial = node.first("inertial")
        if inertial is not None:
            changes = self._inertial(inertial)
        body = Body(
            id,
            title,
            shapes,
            placement(pose),
            mass=Quantity(0.0),
            color=len(self.drawing.bodies) % 7 if color is None else color,
        )
        self.drawing.put_body(body)
        self.drawing.change(id, **changes)
        return id

    def _inertial(self, node: Node) -> dict[str, object]:
        mass_node, inertia = node.first("mass"), node.first("inertia")
        mass = number(mass_node, "value", 0.0) if mass_node is not None else 0.0
        if mass < 0.0:
            raise fault(node, tr("its mass is negative."))
        p, q = self._origin(node)
        xx, yy, zz, xy, xz, yz = (
            number(inertia, f"i{k}", 0.0) if inertia is not None else 0.0
            for k in ("xx", "yy", "zz", "xy", "xz", "yz")
        )
        if min(xx, yy, zz) < 0.0:
            raise fault(node, tr("a moment of inertia is negative."))
        if not mass:
            if any((xx, yy, zz)):
                self.drawing.say(tr("Links without mass lost their inertia."))
            return {"mass": Quantity(0.0)}
        turned = rotated(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)), q)
        return {
            "mass": Quantity(mass),
            "center_of_mass": vector(*p),
            "inertia": amounts(
                turned[0][0],
                turned[1][1],
                turned[2][2],
                turned[0][1],
                turned[0][2],
                turned[1][2],
            ),
        }

    def _origin(self, node: Node) -> Pose:
        origin = node.first("origin")
        if origin is None:
            return HERE
        x, y, z = numbers(origin, "xyz", 3) or (0.0, 0.0, 0.0)
        roll, pitch, yaw = numbers(origin, "rpy", 3) or (0.0, 0.0, 0.0)
        return ((x, y, z), from_angles(yaw, pitch, roll))

    # shapes

    def _color(self, node: Node | None) -> list[float]:
        """Colour of a material element, which others may name."""
        if node is None:
            return []
        color = node.first("color")
        if color is not None and (row := numbers(color, "rgba", 4)):
            self._colors[node.get("name")] = row
        return self._colors.get(node.get("name"), [])

    def _shapes(self, node: Node) -> tuple[tuple[Shape, ...], int | None]:
        """Shapes that a link shows, or else those that touch; index of its colour."""
        shown = node.all("visual") or node.all("collision")
        out: list[Shape] = []
        color: list[float] = []
        for part in shown:
            color = color or self._color(part.first("material"))
            out += self._shape(part)
        visual, touching = node.all("visual"), node.all("collision")
        if not out and visual:
            for part in touching:
                out += self._shape(part)
        elif visual and touching and _places(visual) != _places(touching):
            self.drawing.leave(
                tr("Shapes for contacts that differ from those shown were left out"),
                quoted(node.get("name")),
            )
        return tuple(out), nearest(tuple(color)) if color else None

    def _shape(self, part: Node) -> list[Shape]:
        geometry, pose = part.first("geometry"), self._origin(part)
        if geometry is None or not geometry.children:
            raise fault(part, tr("it has no geometry."))
        node = geometry.children[0]
        at = placement(pose)
        if node.tag == "box":
            size = numbers(node, "size", 3)
            if len(size) != 3 or min(size) <= 0.0:
                raise fault(node, tr("a box needs three positive sizes."))
            x, y, z = amounts(*size)
            return [Shape("box", {"length": x, "depth": y, "height": z}, placement=at)]
        if node.tag == "sphere" and number(node, "radius", -1.0) == 0.0:
            self.drawing.leave(
                tr("Spheres without a radius were left out"), quoted(part.get("name") or node.tag)
            )
            return []
        if node.tag in ("sphere", "cylinder", "capsule"):
            sizes = {"radius": Quantity(self._positive(node, "radius"))}
            if node.tag != "sphere":
                sizes["height"] = Quantity(self._positive(node, "length"))
            return [Shape(node.tag, sizes, placement=at)]
        if node.tag == "mesh":
            x, y, z = numbers(node, "scale", 3) or (1.0, 1.0, 1.0)
            if not x * y * z:
                raise fault(node, tr("its scale is zero."))
            said = node.get("filename")
            path = found_file(said, self._path, node)
            scale: Triple = (x, y, z)
            shape = self._meshes.from_file(path, said, scale, pose)
            return [] if shape is None else [shape]
        self.drawing.leave(
            tr("Geometries of kinds that have no shape here were left out"), quoted(node.tag)
        )
        return []

    def _positive(self, node: Node, name: str) -> float:
        value = number(node, name, 0.0)
        if value <= 0.0:
            raise fault(node, tr("a {tag} needs a positive {name}.", tag=node.tag, name=name))
        return value

    # joints

    def _mimic_offsets(self) -> dict[str, float]:
        """Value of each joint that follows another one, where all others are zero."""
        mimics = {
            joint.get("name"): mimic
            for joint in self._root.all("joint")
            if (mimic := joint.first("mimic")) is not None
        }
        out: dict[str, float] = {}
        for name in mimics:
            chain = [name]  # of joints that each follow the next one
            while chain[-1] in mimics and chain[-1] not in out:
                followed = mimics[chain[-1]].get("joint")
                if followed in chain:
                    raise fault(
                        mimics[name],
                        tr("joint {name} follows itself.", name=quoted(followed)),
                    )
                chain.append(followed)
            for one, followed in zip(chain[-2::-1], chain[:0:-1]):
                mimic = mimics[one]
                factor = number(mimic, "multiplier", 1.0)
                out[one] = factor * out.get(followed, 0.0) + number(mimic, "offset", 0.0)
        return out

    def _joint(self, node: Node, offsets: dict[str, float]) -> None:
        name, kind = node.get("name"), node.get("type")
        if kind not in TYPES:
            raise fault(node, tr("there is no joint of type {kind}.", kind=quoted(kind)))
        parent = self._bodies[_link(node, "parent")]
        at = self._origin(node)
        along: Triple = (1.0, 0.0, 0.0)
        axis = node.first("axis")
        if axis is not None and TYPES[kind] in _WITH_AXIS:
            along = unit(axis, numbers(axis, "xyz", 3) or [1.0, 0.0, 0.0])
        value = offsets.get(name, 0.0)
        move = HERE
        if kind in ("revolute", "continuous"):
            move = ((0.0, 0.0, 0.0), about(along, value))
        elif kind == "prismatic":
            move = ((value * along[0], value * along[1], value * along[2]), IDENTITY)
        world = self.drawing.body(parent).placement.pose
        child = self._link_body(_link(node, "child"), compose(compose(world, at), move))
        if kind == "floating" and parent == GROUND:
            return
        base = on_z((0.0, 0.0, 0.0), along) if TYPES[kind] in _WITH_AXIS else HERE
        id, title = self.drawing.id(name, "joint")
        dimension = "length" if kind == "prismatic" else "angle"
        limits = self._limits(node) if TYPES[kind] in ("revolute", "prismatic") else ()
        self.drawing.joints[id] = Joint(
            id,
            title,
            TYPES[kind],
            frame(parent, compose(at, base)),
            frame(child, base),
            amounts(value) if value else (),
            limits=limits,
        )
        if TYPES[kind] in ("revolute", "prismatic"):
            self._placed[name] = (id, dimension)
            self._dynamics(node, id, dimension)

    def _limits(self, node: Node) -> tuple[Limit, ...]:
        limit = node.first("limit")
        if limit is None:
            return ()
        # some files write what no joint reaches for "no limit"
        efforts = [number(limit, k, 0.0, ENDLESS) for k in ("effort", "velocity")]
        if any(0.0 < e < 1e6 for e in efforts):
            self.drawing.leave(
                tr("Largest efforts and speeds of joints were left out"), quoted(node.get("name"))
            )
        if node.get("type") == "continuous":
            return ()
        if node.first("safety_controller") is not None:
            self.drawing.leave(
                tr("Soft limits of safety controllers were left out"), quoted(node.get("name"))
            )
        low, high = (number(limit, k, 0.0, ENDLESS) for k in ("lower", "upper"))
        if low >= high:
            self.drawing.leave(
                tr("Joints whose range is empty, and which move freely here"),
                quoted(node.get("name")),
            )
            return ()
        return (
            Limit(
                0,
                Quantity(low) if low > -1e5 else None,
                Quantity(high) if high < 1e5 else None,
            ),
        )

    def _dynamics(self, node: Node, joint: str, dimension: str) -> None:
        dynamics = node.first("dynamics")
        if dynamics is None:
            return
        name = node.get("name")
        damping = number(dynamics, "damping", 0.0)
        friction = number(dynamics, "friction", 0.0)
        if min(damping, friction) < 0.0:
            raise fault(dynamics, tr("its damping or friction is negative."))
        if damping:
            self._force(f"{name} damper", DAMPERS[dimension], joint, damping=damping)
        if friction:
            type, level = FRICTIONS[dimension]
            self._force(f"{name} friction", type, joint, **{level: friction}, speed=0.0)

    def _force(self, name: str, type: str, joint: str, **numbers: float) -> None:
        id, name = self.drawing.id(name, type)
        p = dict(zip(numbers, amounts(*numbers.values())))
        self.drawing.forces[id] = Force(id, name, type, p, joint=joint)

    def _held(self) -> set[str]:
        """Joints that follow another one by nothing, or a joint that is held so."""
        follows: dict[str, tuple[str, float]] = {}
        for node in self._root.all("joint"):
            mimic = node.first("mimic")
            if mimic is not None and node.get("name") in self._placed:
                follows[node.get("name")] = mimic.get("joint"), number(mimic, "multiplier", 1.0)
        held = {name for name, (of, factor) in follows.items() if not factor and of in self._placed}
        while more := {name for name, (of, _) in follows.items() if of in held} - held:
            held |= more
        return held

    def _hold(self, name: str) -> None:
        """Weld a joint where it stands."""
        id, dimension = self._placed[name]
        joint, drawing = self.drawing.joints[id], self.drawing
        value = joint.values[0].value if joint.values else 0.0
        move = (
            ((0.0, 0.0, value), IDENTITY)
            if dimension == "length"
            else ((0.0, 0.0, 0.0), about((0.0, 0.0, 1.0), value))
        )
        at = compose(joint.frame_a.placement.pose, move)
        first = frame(joint.frame_a.body, at)
        drawing.joints[id] = Joint(id, joint.name, "fixed", first, joint.frame_b)
        for force in [f.id for f in drawing.forces.values() if f.joint == id]:
            del drawing.forces[force]

    def _mimics(self) -> None:
        """Joints that follow others, as couplings; what follows by nothing is welded."""
        held = self._held()
        for name in held:
            self._hold(name)
        for node in self._root.all("joint"):
            mimic = node.first("mimic")
            if mimic is None or node.get("name") not in self._placed or node.get("name") in held:
                continue
            name = node.get("name")
            followed = self._placed.get(mimic.get("joint"))
            if followed is None:
                self.drawing.leave(
                    tr("Joints that follow one that is not there, and now move freely"),
                    quoted(name),
                )
                continue
            factor = number(mimic, "multiplier", 1.0)
            joint, dimension = self._placed[name]
            kinds = (dimension, followed[1])
            one, two = CoordinateOf(joint), CoordinateOf(followed[0])
            id, title = self.drawing.id(f"{name} mimic", "coupling")
            if kinds == ("angle", "angle"):
                made = ("gear", (one, two), {"ratio": factor})
            elif kinds == ("length", "angle"):
                made = ("rack_and_pinion", (two, one), {"radius": factor})
            elif kinds == ("length", "length"):
                made = ("linear", (two, one), {"ratio": factor})
            else:
                made = ("rack_and_pinion", (one, two), {"radius": 1.0 / factor})
            self.drawing.couplings[id] = Coupling(
                id, title, made[0], made[1], dict(zip(made[2], amounts(*made[2].values())))
            )

    def _left_out(self) -> None:
        for tag, words in (
            ("transmission", tr("Transmissions were left out; put a motor on the joint")),
            ("gazebo", tr("Elements for Gazebo were left out")),
            ("sensor", tr("Sensors were left out")),
            ("loop_joint", tr("Joints that close loops were left out: draw them here")),
        ):
            for node in self._root.all(tag):
                self.drawing.leave(words, quoted(node.get("name") or node.get("reference") or tag))


_WITH_AXIS = ("revolute", "prismatic", "planar")


def _places(parts: list[Node]) -> list[list[tuple[str, dict[str, str]]]]:
    """Geometry and origin of parts of a link as written."""
    return [
        [
            (node.tag, node.attributes)
            for child in part.all("origin", "geometry")
            for node in child.walk()
        ]
        for part in parts
    ]


def _link(joint: Node, end: str) -> str:
    """Name of the link at an end of a joint."""
    node = joint.first(end)
    if node is None or not node.get("link"):
        raise fault(joint, tr("it has no {end}.", end=end))
    return node.get("link")
