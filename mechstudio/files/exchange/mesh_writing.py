"""Surfaces of bodies as OBJ, PLY and STL files, in millimetres."""

import numpy as np

from mechstudio.files.exchange.chains import drawn_poses
from mechstudio.files.exchange.meshes.stl import stl_bytes
from mechstudio.files.exchange.motion import Motion, Written
from mechstudio.files.exchange.palette import color_of
from mechstudio.files.exchange.surfaces import shape_surface
from mechstudio.files.exchange.xml_text import ExchangeError
from mechstudio.model.geometry.rotation import IDENTITY, Pose, matrix
from mechstudio.model.mechanism import GROUND, Body
from mechstudio.model.project import Project
from mechstudio.translation import comma, tr

MILLIMETRES = 1000.0
SUFFIXES = (".stl", ".obj", ".ply")  # of body_mesh


class _Solid:
    """Surface of a body: corners (n, 3) [mm], triangles (t, 3), a colour for each triangle."""

    def __init__(self, body: Body, pose: Pose) -> None:
        R, p = np.array(matrix(pose[1])), np.array(pose[0])
        points: list[np.ndarray] = [np.zeros((0, 3))]
        triangles: list[np.ndarray] = [np.zeros((0, 3), int)]
        colors: list[np.ndarray] = [np.zeros((0, 3))]
        count = 0
        for shape in body.shapes:
            corners, faces = shape_surface(shape)
            points.append((corners @ R.T + p) * MILLIMETRES)
            triangles.append(faces + count)
            colors.append(np.tile(color_of(body, shape), (len(faces), 1)))
            count += len(corners)
        self.name = body.name
        self.points, self.triangles = np.concatenate(points), np.concatenate(triangles)
        self.colors = np.concatenate(colors)


def _solids(project: Project, motion: Motion | None) -> tuple[list[_Solid], list[str]]:
    m = project.mechanism
    poses = drawn_poses(m, None if motion is None else motion.start_poses(m))
    bodies = {GROUND: m.ground, **m.bodies}
    solids = [_Solid(b, poses[id]) for id, b in bodies.items() if b.visible and b.shapes]
    if not solids:
        raise ExchangeError(tr("No body has a shape: there is no surface to write."))
    notes = [tr("Lengths are in millimetres.")]
    if m.joints or m.forces:
        notes.append(tr("Joints, springs and forces are no surfaces, and were left out."))
    return solids, notes


def obj_bytes(project: Project, motion: Motion | None = None) -> Written:
    """An OBJ file of all bodies as drawn, one object each, with a file of materials beside it."""
    solids, notes = _solids(project, motion)
    content, materials = _obj(solids, "{folder}/materials.mtl")
    return Written(content, notes, {"materials.mtl": materials})


def _obj(solids: list[_Solid], library: str) -> tuple[bytes, bytes]:
    lines = ["# mechstudio, lengths in mm"]
    if library:
        lines.append(f"mtllib {library}")
    known: dict[tuple[float, ...], str] = {}
    colors: list[list[float]]
    count = 1
    for solid in solids:
        lines.append("o " + "_".join(solid.name.split()))
        lines += [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in solid.points.tolist()]
        before = ""
        colors = solid.colors.tolist()
        for (a, b, c), color in zip(solid.triangles.tolist(), colors):
            name = known.setdefault(tuple(color), f"material_{len(known) + 1}")
            if library and name != before:
                lines.append(f"usemtl {name}")
                before = name
            lines.append(f"f {a + count} {b + count} {c + count}")
        count += len(solid.points)
    materials = [
        f"newmtl {name}\nKd {r:.4f} {g:.4f} {b:.4f}\n" for (r, g, b), name in known.items()
    ]
    return "\n".join([*lines, ""]).encode(), "\n".join(materials).encode()


def stl_scene(project: Project, motion: Motion | None = None) -> Written:
    """A binary STL of all bodies as drawn."""
    solids, notes = _solids(project, motion)
    points, triangles, _ = _merged(solids)
    return Written(stl_bytes(points, triangles), [*notes, tr("STL has no colours and no names.")])


def ply_bytes(project: Project, motion: Motion | None = None) -> Written:
    """A binary PLY of all bodies as drawn, coloured by face."""
    solids, notes = _solids(project, motion)
    return Written(_ply(solids), [*notes, tr("PLY has no names of bodies.")])


def _merged(solids: list[_Solid]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    offsets = np.cumsum([0, *(len(s.points) for s in solids[:-1])])
    return (
        np.concatenate([s.points for s in solids]),
        np.concatenate([s.triangles + o for s, o in zip(solids, offsets)]),
        np.concatenate([s.colors for s in solids]),
    )


def _ply(solids: list[_Solid]) -> bytes:
    points, triangles, colors = _merged(solids)
    head = (
        "ply\nformat binary_little_endian 1.0\ncomment mechstudio, lengths in mm\n"
        f"element vertex {len(points)}\n"
        "property float x\nproperty float y\nproperty float z\n"
        f"element face {len(triangles)}\nproperty list uchar int vertex_indices\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n"
    )
    rows = np.zeros(len(triangles), [("n", "u1"), ("corners", "<i4", 3), ("color", "u1", 3)])
    rows["n"], rows["corners"] = 3, triangles
    rows["color"] = np.round(255.0 * colors)
    return head.encode() + points.astype("<f4").tobytes() + rows.tobytes()


def body_mesh(body: Body, suffix: str) -> bytes:
    """File of one body's surface in its own axes [mm].  suffix: one of SUFFIXES.  Raises
    ExchangeError for a body without shapes.
    """
    if not body.shapes:
        raise ExchangeError(
            tr("Body {name} has no shape: there is no surface to write.", name=body.name)
        )
    solid = _Solid(body, ((0.0, 0.0, 0.0), IDENTITY))
    if suffix == ".obj":
        return _obj([solid], "")[0]
    if suffix == ".ply":
        return _ply([solid])
    if suffix == ".stl":
        return stl_bytes(solid.points, solid.triangles)
    raise ExchangeError(
        tr(
            "A body is written as {known}, not {suffix}.",
            known=comma().join(SUFFIXES),
            suffix=suffix,
        )
    )
