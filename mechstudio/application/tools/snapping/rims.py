"""Lines and circles of the work plane that catch the pointer: rims of round bodies, and those that
a tool names.
"""

from collections.abc import Iterable

from mechstudio.application.tools.snapping.candidates import Candidates, Snap
from mechstudio.application.tools.snapping.loci import Locus
from mechstudio.application.tools.tool import Pointer
from mechstudio.model.geometry.forms import Cylinder
from mechstudio.model.geometry.rotation import compose, rotate
from mechstudio.model.geometry.work_plane import WorkPlane, parallel
from mechstudio.translation import tr

REACH = 7.0  # pixels from a line or circle within which it catches the pointer


def rims(
    known: Candidates, plane: WorkPlane, pointer: Pointer, exclude_bodies: frozenset[str]
) -> list[Snap]:
    """The place on the rim of a round body that the plane cuts across, where the pointer is close
    to it.
    """
    out: list[Snap] = []
    for axis in known.axes:
        body = known.mechanism.bodies.get(axis.owner)
        if body is None or axis.owner in exclude_bodies or not axis.reach:
            continue
        if not parallel(axis.direction, plane.normal) or not known.cuts(plane, axis.owner):
            continue
        for shape in body.shapes:
            if isinstance(shape.form, Cylinder):
                at, q = compose(body.placement.pose, shape.placement.pose)
                if parallel(rotate(q, (0.0, 0.0, 1.0)), plane.normal):  # type: ignore[arg-type]
                    word = tr("rim of {body}", body=body.name)
                    rim = Locus(word, plane.to_plane(at), radius=shape.form.radius)
                    out += on_loci(plane, pointer, (rim,), axis.owner)
    return out


def on_loci(
    plane: WorkPlane, pointer: Pointer, loci: Iterable[Locus], body: str = ""
) -> list[Snap]:
    """Places on lines and circles that the pointer is close to, in their order.  body: whose they
    are, "" for what is under the pointer.
    """
    if pointer.point is None:
        return []
    at = plane.to_plane(pointer.point)
    out = []
    for locus in loci:
        near = locus.nearest(at) if locus.gap(at) <= REACH * pointer.pixel else None
        if near is not None:
            place, own = plane.to_world(*near), body or pointer.body
            out.append(Snap(place, locus.word, own, shape="axis", locus=locus))
    return out
