"""Surfaces of Collada files (.dae, Khronos 1.4 and 1.5), which many robots are drawn in."""

import numpy as np

from mechstudio.files.exchange.xml_text import ExchangeError, Node, parsed
from mechstudio.files.gltf import Unreadable
from mechstudio.model.geometry.mesh import MOST_TRIANGLES
from mechstudio.model.geometry.rotation import about, matrix
from mechstudio.translation import tr

DEEPEST = 100  # nodes in nodes
MOST_INSTANCES = 5000
_UP = {
    "X_UP": ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    "Y_UP": ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    "Z_UP": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}  # axes of the file to ours, z up


def read_collada(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n, 3) [m] and triangles (t, 3) of the scene of a file, z up.  Raises Unreadable."""
    try:
        root = parsed(data, "file.dae")
        return _scene(root)
    except ExchangeError as error:
        raise Unreadable(str(error).rstrip(".")) from None
    except (LookupError, ValueError, TypeError, OverflowError) as error:
        raise Unreadable(tr("it is no complete Collada file ({error})", error=error)) from None


def _row(node: Node | None, kind: type[float] | type[int] = float) -> np.ndarray:
    if node is None:
        return np.zeros(0, kind)
    return np.array("".join(node.texts).split(), kind)


def _scene(root: Node) -> tuple[np.ndarray, np.ndarray]:
    if root.tag != "COLLADA":
        raise ValueError(root.tag)
    nodes = list(root.walk())
    known = {n.get("id"): n for n in nodes if n.get("id")}
    asset = root.first("asset")
    unit = next((n for n in asset.children if n.tag == "unit"), None) if asset else None
    up = next((n for n in asset.children if n.tag == "up_axis"), None) if asset else None
    scale = float(unit.get("meter", "1")) if unit is not None else 1.0
    axes = np.array(_UP["".join(up.texts).strip() if up is not None else "Y_UP"], float)
    outer = np.eye(4)
    outer[:3, :3] = scale * axes
    scenes = [n for n in nodes if n.tag == "visual_scene"]
    left = [(child, outer, 0) for scene in scenes[:1] for child in scene.all("node")]
    points: list[np.ndarray] = []
    triangles: list[np.ndarray] = []
    count = faced = instances = 0
    made: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    while left:
        node, above, depth = left.pop()
        if depth > DEEPEST or instances > MOST_INSTANCES:
            raise ValueError("its nodes lie in each other")
        here = above @ _movement(node)
        for child in node.children:
            if child.tag == "node":
                left.append((child, here, depth + 1))
            elif child.tag == "instance_node":
                instances += 1
                left.append((known[child.get("url").lstrip("#")], here, depth + 1))
            elif child.tag == "instance_geometry":
                instances += 1
                id = child.get("url").lstrip("#")
                if id not in made:
                    made[id] = _geometry(known[id], known)
                p, t = made[id]
                if not len(t):
                    continue
                faced += len(t)
                if faced > MOST_TRIANGLES:
                    raise Unreadable(
                        tr("it has more than {most} triangles", most=MOST_TRIANGLES),
                        tr("Save it with fewer triangles."),
                    )
                points.append(p @ here[:3, :3].T + here[:3, 3])
                triangles.append((t[:, ::-1] if np.linalg.det(here[:3, :3]) < 0 else t) + count)
                count += len(p)
    if not triangles:
        raise Unreadable(tr("it has no triangles"), tr("Save the part, not an empty document."))
    return np.concatenate(points), np.concatenate(triangles)


def _movement(node: Node) -> np.ndarray:
    out = np.eye(4)
    for child in node.children:
        step = np.eye(4)
        if child.tag == "matrix":
            step = _row(child).reshape(4, 4)
        elif child.tag == "translate":
            step[:3, 3] = _row(child)[:3]
        elif child.tag == "scale":
            step[:3, :3] = np.diag(_row(child)[:3])
        elif child.tag == "rotate":
            x, y, z, angle = _row(child)[:4]
            n = np.sqrt(x * x + y * y + z * z) or 1.0
            step[:3, :3] = matrix(about((x / n, y / n, z / n), np.radians(angle)))
        else:
            continue
        out = out @ step
    return out


def _geometry(node: Node, known: dict[str, Node]) -> tuple[np.ndarray, np.ndarray]:
    """Corners and triangles of one geometry, in its own axes."""
    mesh = node.first("mesh")
    points: list[np.ndarray] = []
    out: list[np.ndarray] = []
    count = 0
    for part in mesh.children if mesh is not None else []:
        if part.tag not in ("triangles", "polylist", "polygons"):
            continue
        inputs = part.all("input")
        width = 1 + max((int(i.get("offset", "0")) for i in inputs), default=0)
        vertex = next(i for i in inputs if i.get("semantic") == "VERTEX")
        offset = int(vertex.get("offset", "0"))
        vertices = known[vertex.get("source").lstrip("#")]
        source = next(i for i in vertices.all("input") if i.get("semantic") == "POSITION")
        array = known[source.get("source").lstrip("#")].first("float_array")
        p = _row(array).reshape(-1, 3)
        faces: list[np.ndarray] = []
        if part.tag == "polygons":
            faces = [_row(f, int).reshape(-1, width)[:, offset] for f in part.all("p")]
        else:
            row = _row(part.first("p"), int).reshape(-1, width)[:, offset]
            if part.tag == "triangles":
                out.append(row.reshape(-1, 3) + count)
            else:
                ends = np.cumsum(_row(part.first("vcount"), int))
                faces = np.split(row, ends[:-1])
        if faces:
            fans = [(f[0], f[k], f[k + 1]) for f in faces for k in range(1, len(f) - 1)]
            out.append(np.array(fans, int).reshape(-1, 3) + count)
        if out and len(out[-1]) and (out[-1].min() < count or out[-1].max() >= count + len(p)):
            raise ValueError("a triangle names a vertex that is not there")
        points.append(p)
        count += len(p)
    if not out:
        return np.zeros((0, 3)), np.zeros((0, 3), int)
    return np.concatenate(points), np.concatenate(out)
