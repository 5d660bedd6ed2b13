"""Drawings with dimensions of a project, true to scale."""

import os
from pathlib import Path

import numpy as np

from mechstudio.api.projects import check
from mechstudio.curves.drawings.sheet import Sheet, front_view, scale_of
from mechstudio.curves.gauges.reading import posed
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
    """
    ending = "" if out is None else Path(out).suffix.lower()
    if out is not None and ending not in ENDINGS:
        raise ValueError(
            tr("A drawing is written as .svg or .pdf, not as {ending}.", ending=ending or "–")
        )
    m = project.mechanism
    if poses is None:
        found = np.array(check(project).poses)
        poses = found if len(found) else drawn_poses(m)
    if np.shape(poses) != (len(m.bodies), 7):
        raise ValueError(
            tr("A drawing needs the poses of {count} bodies, (n, 7).", count=len(m.bodies))
        )
    name = title or project.lesson.title or (Path(out).stem if out is not None else "")
    found_scale = None if scale is None else scale_of(scale)
    made = front_view(project, name, sheet, found_scale, poses=posed(m, np.asarray(poses, float)))
    if out is not None:
        durable.write(out, made.content(ending))
    return made
