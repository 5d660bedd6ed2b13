"""Paths of points and surfaces of bodies, into files for CAD."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mechstudio.files import durable
from mechstudio.files.exchange.mesh_writing import body_mesh
from mechstudio.model.mechanism import GROUND
from mechstudio.model.naming import find_id
from mechstudio.model.project import Project
from mechstudio.model.types.exports import PATH_EXPORTS
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.api.result import Result
    from mechstudio.application.marks.exported_paths import ExportedPath
    from mechstudio.application.marks.places import BodyPoint


def trail(
    result: "Result",
    on: str,
    point: str = "",
    out: str | os.PathLike[str] = "",
    units: str = DEFAULT_SYSTEM,
) -> "ExportedPath":
    """Path of a point over a run; see Result.trail."""
    from mechstudio.application.marks.exported_paths import recorded_path
    from mechstudio.application.marks.places import color

    at = _body_point(result.project, on, point)
    index = color(result.project.mechanism, at.body)
    path = recorded_path(result.layout, result.rows, at, at.name, index)
    _write(out, [path], units)
    return path


def whole_turn(
    project: Project,
    on: str,
    point: str = "",
    joint: str = "",
    out: str | os.PathLike[str] = "",
    units: str = DEFAULT_SYSTEM,
) -> "list[ExportedPath]":
    """Paths of a point over the whole motion of a mechanism of one freedom.

    There is one path for each way of putting the mechanism together, the drawn one first.  Each has
    points (n, 3) in W [m], parameter (n,), the input [rad or m], and notes: sentences on what was
    not counted, such as stops.

    on: a body, whose named `point` or centre of mass it is, or a joint, by name or id.  joint: the
    input; the driven one, or the one that stands for the motion, where it is left out.  out: .csv,
    .dxf or .svg to write.  Raises ValueError with a sentence where there is no such curve, KeyError
    for what is not in the drawing, WriteFailed.

        >>> curve, *_ = ms.whole_turn(ms.load("four_bar.mech"), "B")
        >>> curve.closed
        True
    """
    from mechstudio.application.marks.exported_paths import turn_path
    from mechstudio.application.marks.places import color
    from mechstudio.engine.structure.point_curves import point_curves

    m, at = project.mechanism, _body_point(project, on, point)
    names = {id: j.name for id, j in m.joints.items()}
    input = find_id(names, joint, "joint") if joint else ""
    found = point_curves(project, [(at.body, at.local)], input)
    if found.problem:
        raise ValueError(f"{found.problem} {found.cure}".strip())
    paths = [
        turn_path(
            tr("{point}, branch {number}", point=at.name, number=k + 1),
            np.frombuffer(circuit.curves[0].points, "<f8").reshape(-1, 3),
            np.frombuffer(circuit.inputs, "<f8"),
            (tr("input {joint}", joint=names[found.joint]), found.dimension),
            (circuit.closed, not circuit.drawn),
            color(m, at.body),
        )._replace(notes=found.notes)
        for k, circuit in enumerate(found.circuits)
    ]
    _write(out, paths, units)
    return paths


def surface(project: Project, body: str, out: str | os.PathLike[str]) -> None:
    """Write the surface of a body, by name or id, in its own axes and mm: .stl, .obj or .ply.

    Raises KeyError for an unknown body, ExchangeError for a body without shapes and an unknown
    ending, WriteFailed.

        >>> ms.surface(ms.load("four_bar.mech"), "crank", "crank.stl")
    """
    m = project.mechanism
    names = {GROUND: m.ground.name, **{id: b.name for id, b in m.bodies.items()}}
    found = m.body(find_id(names, body, "body"))
    durable.write(out, body_mesh(found, Path(out).suffix.lower()))


def _body_point(project: Project, on: str, point: str) -> "BodyPoint":
    """A point of a body, or a joint's.  Raises KeyError, ValueError."""
    from mechstudio.application.marks.places import body_point
    from mechstudio.model.edits.marks import Place

    m = project.mechanism
    joints = {id: j.name for id, j in m.joints.items()}
    if not point and (on in joints or on in joints.values()):
        place = Place(joint=find_id(joints, on, "joint"))
    else:
        bodies = {GROUND: m.ground.name, **{id: b.name for id, b in m.bodies.items()}}
        place = Place(find_id(bodies, on, "body"), point)
    found = body_point(m, place)
    if found is None:
        known = m.body(place.body).named_points()
        raise ValueError(
            tr(
                "{body} has no point {point}; it has {points}.",
                body=on,
                point=point,
                points=comma().join(known) or tr("none"),
            )
        )
    return found


def _write(out: str | os.PathLike[str], paths: "list[ExportedPath]", units: str) -> None:
    if not os.fspath(out):
        return
    from mechstudio.application.marks.path_files import content

    suffix = Path(out).suffix.lower()
    format: Any = next((f for f in PATH_EXPORTS if f.suffix == suffix), None)
    if format is None:
        raise ValueError(
            tr(
                "Paths are written as {known}, not as {ending}.",
                known=comma().join(f.suffix for f in PATH_EXPORTS),
                ending=suffix or "–",
            )
        )
    durable.write(out, content(paths, format.id, units))
