"""Gauges on joints, bodies, points, axes and planes."""

from typing import NamedTuple

from mechstudio.builder.draft import Draft
from mechstudio.builder.geometry import Point, known_type
from mechstudio.builder.handles import BodyHandle, JointHandle
from mechstudio.model.geometry.rotation import frame_on_axis
from mechstudio.model.mechanism import Frame
from mechstudio.model.project import Feature, Gauge
from mechstudio.model.quantity import values
from mechstudio.model.types.gauges import ANGLE, AXIS, BODY, GAUGE_TYPES, PLANE, POINT, takes
from mechstudio.translation import comma, tr


class On(NamedTuple):
    """A point, an axis or a plane of a body: at a place of W as drawn, along a direction of W."""

    kind: str
    body: BodyHandle
    at: Point
    direction: Point | None = None


def point(body: BodyHandle, at: Point) -> On:
    """A point of a body, at a place of W as drawn.

    >>> m = ms.Builder("Ruler")
    >>> rod = m.link("rod", (0, 0, 0), length="500 mm", angle="30 deg")
    >>> id = m.gauge("height", ms.point_on(m.ground, (0, 0, 0)), ms.point_on(rod, ("500 mm", 0, 0)))
    >>> list(m.project().gauges) == [id]
    True
    """
    return On(POINT, body, at)


def axis(body: BodyHandle, at: Point, direction: Point) -> On:
    """An axis of a body, through a place of W as drawn along a direction of W.

    >>> m = ms.Builder("Ruler")
    >>> rod = m.link("rod", (0, 0, 0), length="500 mm", angle="30 deg")
    >>> tip = ms.point_on(rod, (0.5, 0, 0))
    >>> id = m.gauge("distance", ms.axis_on(m.ground, (0, 0, 0), (0, 0, 1)), tip)
    >>> list(m.project().gauges) == [id]
    True
    """
    return On(AXIS, body, at, direction)


def plane(body: BodyHandle, at: Point, normal: Point) -> On:
    """A plane of a body, through a place of W as drawn across a normal of W; heights over it are
    positive on the side that the normal shows.

        >>> m = ms.Builder("Ruler")
        >>> rod = m.link("rod", (0, 0, 0), length="500 mm", angle="30 deg")
        >>> tip = ms.point_on(rod, (0.5, 0, 0))
        >>> id = m.gauge("above", ms.plane_on(m.ground, (0, 0, 0), (0, 0, 1)), tip)
        >>> list(m.project().gauges) == [id]
        True
    """
    return On(PLANE, body, at, normal)


Laid = On | BodyHandle | JointHandle


def gauge(draft: Draft, name: str, type: str, ends: tuple[Laid, ...], named: list[Gauge]) -> Gauge:
    """A gauge with a free id.  A joint stands for its axis in angles, else for its point."""
    kind = known_type(GAUGE_TYPES, type, "gauge")
    features = tuple(_feature(draft, name, type, end) for end in ends)
    if not takes(type, tuple(f.kind for f in features)):
        raise ValueError(
            tr(
                "{name}: a gauge of the type {kind} cannot be laid on {ends}.",
                name=name,
                kind=tr(kind.label).lower(),
                ends=comma().join(f.kind for f in features) or tr("nothing"),
            )
        )
    # a parameter may be called as the gauge is
    id = f"gauge_{draft.id(name, named)}"
    while any(other.id == id for other in named):
        id += "_"
    return Gauge(id, name, type, features)


def _feature(draft: Draft, name: str, type: str, end: Laid) -> Feature:
    if isinstance(end, JointHandle):
        return Feature(AXIS if type == ANGLE else POINT, joint=draft.joint(end, name).id)
    if isinstance(end, BodyHandle):
        return Feature(BODY, Frame(draft.body(end, name).id))
    attitude = None
    if end.direction is not None:
        way = values(draft.point_quantities(end.direction, name))
        if not any(way):
            raise ValueError(tr("{name}: a direction of no length shows nowhere.", name=name))
        attitude = frame_on_axis(way)  # type: ignore[arg-type]
    return Feature(end.kind, draft.frame(end.body, end.at, attitude, name))
