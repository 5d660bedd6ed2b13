"""glTF of a project, its bodies with colours and the motion of a run as an animation (glTF 2.0
specification, Khronos).
"""

import json
import struct
from typing import Any

import numpy as np

from mechstudio.files.exchange.chains import drawn_poses
from mechstudio.files.exchange.motion import Motion, Written
from mechstudio.files.exchange.palette import color_of
from mechstudio.files.exchange.surfaces import shape_surface
from mechstudio.model.mechanism import GROUND, Body
from mechstudio.model.project import Project
from mechstudio.translation import comma, tr

FLOATS, INTEGERS = 5126, 5125
TIP = (-(0.5**0.5), 0.0, 0.0, 0.5**0.5)  # z up to y up, as x y z w


def gltf_bytes(project: Project, motion: Motion | None = None) -> Written:
    """A .glb of the bodies as they are drawn, or as they move."""
    m = project.mechanism
    scene = _Scene()
    poses = drawn_poses(m, None if motion is None else motion.start_poses(m))
    nodes: list[int] = []
    places: dict[str, int] = {}
    for id, body in {GROUND: m.ground, **m.bodies}.items():
        mesh = scene.mesh(body) if body.visible else None
        if mesh is None and id == GROUND:
            continue
        p, (w, x, y, z) = poses[id]
        node = {
            "name": body.name,
            "translation": [float(c) for c in p],
            "rotation": [x, y, z, w],
        }
        places[id] = scene.node(node | ({} if mesh is None else {"mesh": mesh}))
        nodes.append(places[id])
    root = scene.node({"name": "mechanism", "rotation": list(TIP), "children": nodes})
    notes: list[str] = []
    hidden = [b.name for b in m.bodies.values() if not b.visible]
    if hidden:
        notes.append(
            tr("Hidden bodies have no surface there: {names}.", names=comma().join(hidden))
        )
    if m.forces or m.joints:
        notes.append(tr("Joints, springs and forces are no surfaces, and were left out."))
    if motion is not None and len(motion.times) > 1:
        scene.animate({id: places[id] for id in m.bodies}, motion, project.lesson.title)
        turning = np.linalg.norm(motion.velocities[:-1, :, 3:], axis=2).max(axis=1, initial=0.0)
        if (turning * np.diff(motion.times)).max() > np.pi:
            notes.append(
                tr(
                    "A body turns by more than half a turn from one instant to the next, and seems "
                    "to turn the other way there: run it with a smaller sample step."
                )
            )
    elif m.bodies:
        notes.append(tr("Nothing moves in it, since there is no run; run the mechanism first."))
    return Written(scene.packed(root, project.lesson.title or "mechanism"), notes)


class _Scene:
    """A scene as it grows: one buffer, and what lies in it."""

    def __init__(self) -> None:
        self._binary = bytearray()
        self._views: list[dict[str, Any]] = []
        self._accessors: list[dict[str, Any]] = []
        self._meshes: list[dict[str, Any]] = []
        self._materials: list[dict[str, Any]] = []
        self._known: dict[tuple[float, ...], int] = {}
        self._nodes: list[dict[str, Any]] = []
        self._animations: list[dict[str, Any]] = []

    def node(self, node: dict[str, Any]) -> int:
        """Number of a new node."""
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _accessor(self, rows: np.ndarray, kind: str, bounds: bool, target: int = 0) -> int:
        """Number of a new accessor of rows."""
        component = INTEGERS if rows.dtype.kind in "iu" else FLOATS
        data = rows.astype("<u4" if component == INTEGERS else "<f4")
        view: dict[str, Any] = {
            "buffer": 0,
            "byteOffset": len(self._binary),
            "byteLength": data.nbytes,
        }
        self._views.append(view | ({"target": target} if target else {}))
        self._binary += data.tobytes()
        accessor: dict[str, Any] = {
            "bufferView": len(self._views) - 1,
            "componentType": component,
            "count": len(data),
            "type": kind,
        }
        if bounds:
            flat = data.reshape(len(data), -1)
            accessor["min"] = flat.min(axis=0).tolist()
            accessor["max"] = flat.max(axis=0).tolist()
        self._accessors.append(accessor)
        return len(self._accessors) - 1

    def _material(self, color: tuple[float, float, float]) -> int:
        if color not in self._known:
            # colours of glTF are linear
            linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color]
            self._materials.append(
                {
                    "pbrMetallicRoughness": {
                        "baseColorFactor": [*linear, 1.0],
                        "metallicFactor": 0.1,
                        "roughnessFactor": 0.6,
                    }
                }
            )
            self._known[color] = len(self._materials) - 1
        return self._known[color]

    def mesh(self, body: Body) -> int | None:
        """Number of the mesh of a body's shapes, one part a colour; None for a body without."""
        parts: dict[int, list[tuple[np.ndarray, np.ndarray]]] = {}
        for shape in body.shapes:
            points, triangles = shape_surface(shape)
            if len(triangles):
                # corners of their own for each triangle, so that edges stay sharp
                parts.setdefault(self._material(color_of(body, shape)), []).append(
                    (points, triangles)
                )
        if not parts:
            return None
        primitives: list[dict[str, Any]] = []
        for material, surfaces in parts.items():
            offsets = np.cumsum([0, *(len(p) for p, _ in surfaces[:-1])])
            points = np.concatenate([p for p, _ in surfaces])
            triangles = np.concatenate([t + o for (_, t), o in zip(surfaces, offsets)])
            primitives.append(
                {
                    "attributes": {"POSITION": self._accessor(points, "VEC3", True, 34962)},
                    "indices": self._accessor(
                        triangles.ravel().astype(int), "SCALAR", False, 34963
                    ),
                    "material": material,
                }
            )
        self._meshes.append({"name": body.name, "primitives": primitives})
        return len(self._meshes) - 1

    def animate(self, places: dict[str, int], motion: Motion, name: str) -> None:
        """Channels of translation and rotation of each body over the run."""
        times = self._accessor(motion.times - motion.times[0], "SCALAR", True)
        samplers: list[dict[str, Any]] = []
        channels: list[dict[str, Any]] = []
        for k, node in enumerate(places.values()):
            q = motion.poses[:, k, [4, 5, 6, 3]].copy()
            # of both quaternions of an attitude the one nearer to that before
            turned = np.cumprod(np.where((q[1:] * q[:-1]).sum(axis=1) < 0.0, -1.0, 1.0))
            q[1:] *= turned[:, None]
            for path, rows, kind in (
                ("translation", motion.poses[:, k, :3], "VEC3"),
                ("rotation", q, "VEC4"),
            ):
                samplers.append(
                    {
                        "input": times,
                        "output": self._accessor(np.ascontiguousarray(rows), kind, False),
                        "interpolation": "LINEAR",
                    }
                )
                target = {"node": node, "path": path}
                channels.append({"sampler": len(samplers) - 1, "target": target})
        if channels:
            self._animations.append(
                {"name": name or "motion", "samplers": samplers, "channels": channels}
            )

    def packed(self, root: int, name: str) -> bytes:
        """The .glb file."""
        head: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "mechstudio"},
            "scene": 0,
            "scenes": [{"name": name, "nodes": [root]}],
            "nodes": self._nodes,
        }
        for key, row in (
            ("meshes", self._meshes),
            ("materials", self._materials),
            ("accessors", self._accessors),
            ("bufferViews", self._views),
            ("animations", self._animations),
        ):
            if row:
                head[key] = row
        if self._binary:
            head["buffers"] = [{"byteLength": len(self._binary)}]
        text = json.dumps(head, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        binary = bytes(self._binary) + b"\0" * (-len(self._binary) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        if binary:
            chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks
