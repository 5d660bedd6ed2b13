"""An MJCF file as it is read: included files, default classes and the compiler's conventions."""

import math
from pathlib import Path, PurePosixPath, PureWindowsPath

from mechstudio.files.exchange.xml_text import (
    ExchangeError,
    Node,
    fault,
    number,
    numbers,
    parsed,
    read_bytes,
)
from mechstudio.model.geometry.pose import from_euler
from mechstudio.model.geometry.rotation import (
    IDENTITY,
    Pose,
    Quaternion,
    Triple,
    about,
    from_axes,
    multiply,
    normalise,
)
from mechstudio.model.naming import quoted
from mechstudio.translation import tr

MOST_INCLUDES = 50
ACTUATORS = ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder")
SHARED = (  # attributes that actuators of all kinds take from a default of any kind
    "gear",
    "ctrlrange",
    "ctrllimited",
    "forcerange",
    "forcelimited",
)
_AXES: dict[str, Triple] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class Source:
    """The file. root: its element, with included files in place.  folder: that it lies in."""

    def __init__(self, path: Path) -> None:
        self.folder = path.parent
        self._visited: list[Path] = []
        self.root = self._loaded(path)
        if self.root.tag != "mujoco":
            raise ExchangeError(
                tr(
                    "{name} is no MuJoCo model: its element is {tag}, not mujoco.",
                    name=quoted(path.name),
                    tag=quoted(self.root.tag),
                )
            )
        compiler: dict[str, str] = {}
        for node in self.root.all("compiler"):
            compiler |= node.attributes
        self.compiler = Node("compiler", compiler, self.root.line)
        if compiler.get("coordinate") == "global":
            raise ExchangeError(
                tr(
                    "{name} gives global coordinates, which MuJoCo itself has given up. Save it "
                    "again with MuJoCo 2.3.3.",
                    name=quoted(path.name),
                )
            )
        self.degrees = compiler.get("angle", "degree") != "radian"
        self.angle = math.pi / 180.0 if self.degrees else 1.0
        self.sequence = compiler.get("eulerseq", "xyz")
        if len(self.sequence) != 3 or any(c not in "xyzXYZ" for c in self.sequence):
            raise fault(self.compiler, tr("eulerseq is {text}.", text=quoted(self.sequence)))
        self.autolimits = compiler.get("autolimits", "true") == "true"
        self.inertia_from = compiler.get("inertiafromgeom", "auto")
        self.classes: dict[str, dict[str, dict[str, str]]] = {"main": {}}
        for node in self.root.all("default"):
            self._read_defaults(node, {}, True)

    def _loaded(self, path: Path) -> Node:
        self._visited.append(path.resolve())
        node = parsed(read_bytes(path), path.name)
        left = [node]
        while left:
            here = left.pop()
            children: list[Node] = []
            for child in here.children:
                if child.tag == "include":
                    children += self._included(child)
                else:
                    children.append(child)
                    left.append(child)
            here.children = children
        return node

    def _included(self, node: Node) -> list[Node]:
        """Elements of an included file."""
        path = self.beside(node.get("file"), node)
        if path.resolve() in self._visited:
            raise fault(node, tr("{file} is included twice.", file=quoted(node.get("file"))))
        if len(self._visited) > MOST_INCLUDES:
            raise fault(node, tr("more than {most} files are included.", most=MOST_INCLUDES))
        return self._loaded(path).children

    def beside(self, name: str, node: Node, below: str = "") -> Path:
        """A file that the model names, in its folder or below.  Raises ExchangeError for a path
        that leads out of it.
        """
        if not name or "\0" in name:
            raise fault(node, tr("it names no file."))
        for kind in (PurePosixPath, PureWindowsPath):
            for part in (name, below):
                if kind(part).is_absolute() or ".." in kind(part).parts or kind(part).drive:
                    raise fault(
                        node,
                        tr(
                            "{file} leads out of the model's folder, and is not read.",
                            file=quoted(str(PurePosixPath(below) / name)),
                        ),
                    )
        path = self.folder / below / name
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise fault(
                node,
                tr("{file} leads out of the model's folder, and is not read.", file=quoted(name)),
            )
        return path

    # defaults

    def _read_defaults(self, node: Node, outer: dict[str, dict[str, str]], top: bool) -> None:
        left: list[tuple[Node, dict[str, dict[str, str]], bool]] = [(node, outer, top)]
        while left:
            here, above, is_top = left.pop()
            name = here.get("class") or ("main" if is_top else "")
            if not name:
                raise fault(here, tr("a default class has no name."))
            known = {tag: dict(a) for tag, a in above.items()}
            if is_top:
                for tag, attributes in self.classes.get(name, {}).items():
                    known.setdefault(tag, {}).update(attributes)
            for child in here.children:
                if child.tag == "default":
                    continue
                known.setdefault(child.tag, {}).update(child.attributes)
                if child.tag in ACTUATORS:  # one default stands for all their kinds
                    shared = {k: v for k, v in child.attributes.items() if k in SHARED}
                    for tag in ACTUATORS:
                        known.setdefault(tag, {}).update(shared)
                    _pass_gain_on(child, known)
            self.classes[name] = known
            left += [(c, known, False) for c in here.children if c.tag == "default"]

    def full(self, node: Node, childclass: str = "", tag: str = "") -> Node:
        """An element with the attributes of its default class."""
        name = node.get("class") or childclass or "main"
        if name not in self.classes:
            raise fault(node, tr("there is no default class {name}.", name=quoted(name)))
        known = self.classes[name].get(tag or node.tag, {})
        full = Node(node.tag, {**known, **node.attributes}, node.line)
        full.children = node.children
        return full

    # poses

    def pose(self, node: Node) -> Pose:
        """pos and one of quat, axisangle, euler, xyaxes and zaxis."""
        x, y, z = numbers(node, "pos", 3) or (0.0, 0.0, 0.0)
        return ((x, y, z), self.attitude(node))

    def attitude(self, node: Node) -> Quaternion:
        """The attitude of an element."""
        if quat := numbers(node, "quat", 4):
            return unit_quaternion(node, quat)
        if row := numbers(node, "axisangle", 4):
            return about(unit(node, row[:3]), row[3] * self.angle)
        if row := numbers(node, "euler", 3):
            angles = [a * self.angle for a in row]
            if self.sequence.islower():
                return from_euler(self.sequence.upper(), (angles[0], angles[1], angles[2]))
            out = IDENTITY
            for letter, angle in zip(self.sequence, angles):
                turn = about(_AXES[letter.lower()], angle)
                out = multiply(out, turn) if letter.islower() else multiply(turn, out)
            return out
        if row := numbers(node, "xyaxes", 6):
            x = unit(node, row[:3])
            d = sum(a * b for a, b in zip(x, row[3:]))
            y = unit(node, [b - d * a for a, b in zip(x, row[3:])])
            return from_axes(x, y, cross(x, y))
        if row := numbers(node, "zaxis", 3):
            return onto_axis(unit(node, row))
        return IDENTITY


def cross(a: Triple, b: Triple) -> Triple:
    """a x b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def unit(node: Node, row: list[float]) -> Triple:
    """A direction.  Raises ExchangeError for zero."""
    length = math.hypot(*row)
    if length < 1e-12:
        raise fault(node, tr("an axis has no length."))
    return (row[0] / length, row[1] / length, row[2] / length)


def unit_quaternion(node: Node, row: list[float]) -> Quaternion:
    """A unit quaternion.  Raises ExchangeError for zero."""
    if math.hypot(*row) < 1e-12:
        raise fault(node, tr("quat has no length."))
    return normalise((row[0], row[1], row[2], row[3]))


def onto_axis(z: Triple) -> Quaternion:
    """The smallest turn of the axis z onto a direction."""
    if z[2] < -1.0 + 1e-12:
        return (0.0, 1.0, 0.0, 0.0)
    return normalise((1.0 + z[2], -z[1], z[0], 0.0))


def _pass_gain_on(default: Node, known: dict[str, dict[str, str]]) -> None:
    """Let the gain of one kind of actuator be the default of the others, as MuJoCo does: that of a
    general one is the stiffness of servos, and a servo's law is that of general ones.
    """
    if default.tag == "general":
        gain = default.get("gainprm").split()
        if gain:
            known["position"]["kp"] = known["velocity"]["kv"] = gain[0]
        return
    if default.tag == "motor":
        law = {"gainprm": "1", "biastype": "none"}
    elif default.tag == "position":
        kp, kv = default.get("kp", "1"), number(default, "kv", 0.0)
        stiffness = number(default, "kp", 1.0)
        law = {"gainprm": kp, "biasprm": f"0 {-stiffness!r} {-kv!r}", "biastype": "affine"}
    elif default.tag == "velocity":
        kv = number(default, "kv", 1.0)
        law = {"gainprm": f"{kv!r}", "biasprm": f"0 0 {-kv!r}", "biastype": "affine"}
    else:
        return
    known["general"].update(law)
