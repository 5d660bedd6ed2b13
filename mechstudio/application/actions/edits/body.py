"""Insertion of bodies and shapes: their places and sizes, and the content of mesh files."""

from pathlib import Path

from mechstudio.application.studio import Studio
from mechstudio.files.meshes import UNITS, MeshFile, MeshFileError
from mechstudio.files.parts import MESHES, PROFILES, Part, load_part
from mechstudio.model.edits.bodies.shapes import (
    add_body,
    add_shape,
    new_shape,
    remove_shape,
    with_axes,
)
from mechstudio.model.geometry.mesh import solid
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Body
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.model.units import format_number, format_value, unit
from mechstudio.translation import tr, trn

__all__ = [
    "MESHES",
    "PROFILES",
    "UNITS",
    "MeshFile",
    "MeshFileError",
    "Part",
    "insert_mesh",
    "is_mesh_file",
    "join_mesh",
    "load_part",
    "mass_words",
    "size_words",
    "take_shape",
]


def is_mesh_file(path: str | Path) -> bool:
    """True if the suffix of a file name is that of a mesh, or of a profile that is no picture."""
    return Path(path).suffix.lower() in (*MESHES, ".dxf")


def center_of_view(studio: Studio) -> Triple:
    """The point of the work plane [m, W] at the centre of the view, at the nearest node of the
    grid.
    """
    context, camera = studio.tools.context, studio.files.camera_now()
    return _on_grid(studio, camera.target if camera is not None else context.plane.origin)


def _on_grid(studio: Studio, point: Triple) -> Triple:
    """The node of the work plane's grid that is nearest to a point of W."""
    context = studio.tools.context
    return context.plane.to_world(
        *(round(c / context.grid) * context.grid for c in context.plane.to_plane(point))
    )


def insert_mesh(studio: Studio, file: MeshFile, at: Triple | None = None) -> str:
    """A body with the skin of a mesh file, its middle at a point of the work plane [m, W] or at the
    centre of the view. Returns its id.
    """
    name = Path(file.mesh.source).stem.strip() or tr(SHAPE_TYPES["mesh"].label).lower()
    shape = new_shape("mesh", 1.0, file.mesh)
    project, id = add_body(
        studio.document.project,
        studio.tools.context.plane,
        _on_grid(studio, at) if at else center_of_view(studio),
        shape,
        name,
    )
    return _insert(studio, (with_axes(project, id, file.axes), id))


def _insert(studio: Studio, made) -> str:
    project, id = made
    studio.tools.rest()
    studio.document.commit(tr("Draw {body}", body=project.mechanism.bodies[id].name), project)
    studio.selection.select(id)
    return id


def join_mesh(studio: Studio, body: str, file: MeshFile) -> None:
    """Add a mesh as a shape of a body, at its place in the file."""
    studio.document.commit(
        tr("Add mesh to {body}", body=studio.document.name(body)),
        with_axes(
            add_shape(studio.document.project, body, new_shape("mesh", 1.0, file.mesh)),
            body,
            file.axes,
        ),
    )


def take_shape(studio: Studio, body: str, index: int) -> None:
    """Remove a shape of a body; no effect if another edit has removed it already."""
    shapes = (
        studio.document.project.mechanism.body(body).shapes
        if body in studio.document.known()
        else ()
    )
    if index >= len(shapes):
        return
    type = shapes[index].type
    studio.document.commit(
        tr("Remove {kind} of {body}", kind=_kind(type), body=studio.document.name(body)),
        remove_shape(studio.document.project, body, index),
    )


def mass_words(file: MeshFile, units: str) -> str:
    """Mass of a mesh made of steel, in words: "47.1 kg of steel"."""
    shape = new_shape("mesh", 1.0, file.mesh)
    return tr(
        "{mass} of steel",
        mass=format_value(mass_properties(Body("", "", (shape,))).mass, "mass", units, 4),
    )


def axes_words(file: MeshFile) -> str:
    """Holes and shafts of a mesh in words: "2 holes and 1 axis"; empty for none."""
    holes = sum(axis.hole for axis in file.axes)
    words = (
        trn("{count} hole", "{count} holes", holes) if holes else "",
        trn("{count} axis", "{count} axes", len(file.axes) - holes)
        if len(file.axes) > holes
        else "",
    )
    return tr(" and ").join(filter(None, words))


def _kind(type: str) -> str:
    return tr(SHAPE_TYPES[type].label).lower()


def size_words(file: MeshFile, units: str) -> str:
    """Triangles and extents of a mesh in words: "12 triangles, 300 × 100 × 200 mm"."""
    s, shown = solid(file.mesh), unit("length", units)
    extents = " × ".join(format_number((b - a) / shown.factor, 4) for a, b in zip(s.low, s.high))
    return tr(
        "{count} triangles, {extents} {symbol}",
        count=len(file.mesh.triangles) // 12,
        extents=extents,
        symbol=shown.symbol,
    )
