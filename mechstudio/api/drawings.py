"""Drawings of a project: with dimensions and true to scale, and kinematic diagrams."""

import os
from pathlib import Path

import numpy as np

from mechstudio.api.projects import check
from mechstudio.curves.drawings.sheet import Sheet, front_view, scale_of
from mechstudio.curves.gauges.reading import Poses, posed
from mechstudio.curves.picture import Theme
from mechstudio.engine.constraints.attitude import drawn_poses
from mechstudio.files import durable
from mechstudio.model.project import Project
from mechstudio.translation import tr

ENDINGS = (".svg", ".pdf")


def drawing(
    project: Project,
    out: str | os.PathLike[str] | None = None,
    *,
    poses: np.ndarray | None = None,
    sheet: str = "A4",
    scale: str | None = None,
    title: str = "",
) -> Sheet:
    """The front view on a sheet with the project's gauges as dimensions, or where there are none
    with the lengths of links and the distances of pins on the ground.

    out: .svg or .pdf to write. poses (bodies, 7): in file order, such as `result.poses[-1]`; the
    assembled drawing where they are left out. sheet: "A4", "A3" or "A2". scale: "1:5"; the largest
    of ISO 5455 that fits where it is left out. title: instead of the lesson's or the file's name.
    The result's `left_out` and `hulls` name what the view does not show true. Raises ValueError for
    an ending, a sheet, a scale or poses that are none, and where there is nothing to draw;
    WriteFailed with one sentence.

        >>> sheet = ms.drawing(ms.load("four_bar.mech"), "four_bar.pdf", scale="1:5")
        >>> sheet.left_out
        ()
    """
    ending = "" if out is None else Path(out).suffix.lower()
    if out is not None and ending not in ENDINGS:
        raise ValueError(
            tr("A drawing is written as .svg or .pdf, not as {ending}.", ending=ending or "–")
        )
    where = _placed(project, poses)
    name = title or project.lesson.title or (Path(out).stem if out is not None else "")
    found_scale = None if scale is None else scale_of(scale)
    made = front_view(project, name, sheet, found_scale, poses=where)
    if out is not None:
        durable.write(out, made.content(ending))
    return made


def diagram(
    project: Project,
    out: str | os.PathLike[str] | None = None,
    *,
    poses: np.ndarray | None = None,
    view: str | tuple[float, float] = "front",
    size: tuple[float, float] = (960, 640),
    theme: Theme = "paper",
    names: bool = True,
    bodies: bool = False,
    colours: bool = False,
    loads: bool = True,
    transparent: bool = False,
    dimensions: bool = False,
) -> str:
    """The kinematic diagram as SVG text: links as bars, joints by the symbols of ISO 3952.

    out: .svg, .pdf or .png to write. poses (bodies, 7): in file order; the assembled drawing where
    they are left out. view: "front", "back", "left", "right", "top", "bottom", "corner", or azimuth
    and elevation [deg]. size [px]. theme: "paper", "light" or "dark". names, bodies: of joints and
    of bodies. colours: links have those of their bodies. loads: springs, forces and motors.
    transparent: without a ground. dimensions: lengths and angles, in the front view: those of the
    project's gauges, or where it has none of links, grounded joints and driven cranks. Raises
    ValueError for what is none of these and where nothing is visible, WriteFailed with one
    sentence.

        >>> text = ms.diagram(ms.load("four_bar.mech"), "four_bar.svg", dimensions=True)
        >>> ">340</text>" in text
        True
    """
    from mechstudio.curves.drawings.diagram import Look, content, view_of
    from mechstudio.curves.drawings.diagram import diagram as drawn

    look = Look(size, theme, names, bodies, colours, loads, transparent, dimensions)
    seen = view_of(view) if isinstance(view, str) else view
    picture = drawn(project.mechanism, _placed(project, poses), seen, look, project)
    if out is not None:
        durable.write(out, content(picture, Path(out).suffix.lower()))
    return picture


def _placed(project: Project, poses: np.ndarray | None) -> Poses:
    """Poses of bodies by id.  Raises ValueError."""
    m = project.mechanism
    if poses is None:
        found = np.array(check(project).poses)
        poses = found if len(found) else drawn_poses(m)
    if np.shape(poses) != (len(m.bodies), 7):
        raise ValueError(
            tr("A drawing needs the poses of {count} bodies, (n, 7).", count=len(m.bodies))
        )
    return posed(m, np.asarray(poses, float))
