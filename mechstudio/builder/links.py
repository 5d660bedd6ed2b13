"""Span and attitude of a link, from its end or from its length and angle."""

import math

from mechstudio.builder.draft import Draft
from mechstudio.builder.geometry import Number, Point, along, negative
from mechstudio.model.geometry.rotation import to_angles
from mechstudio.model.quantity import Quantity, values
from mechstudio.translation import tr


def span(
    draft: Draft,
    name: str,
    start: Point,
    end: Point | None,
    length: Number | None,
    angle: Number | None,
) -> tuple[Quantity, Point]:
    """Length of a link, and the angles of its body, whose x runs along it."""
    if end is not None and angle is None:
        a = values(draft.point_quantities(start, tr("{name}, start", name=name)))
        b = values(draft.point_quantities(end, tr("{name}, end", name=name)))
        drawn = math.dist(a, b)
        if drawn == 0.0:
            raise ValueError(
                tr(
                    "{name}: start and end are the same point, so the link has no direction.",
                    name=name,
                )
            )
        x = ((b[0] - a[0]) / drawn, (b[1] - a[1]) / drawn, (b[2] - a[2]) / drawn)
        angles: Point = to_angles(along(x))
        if length is None:
            return Quantity(drawn), angles
    elif end is None and angle is not None and length is not None:
        angles = (0, negative(angle), 0)
    else:
        raise ValueError(
            tr(
                "{name}: a link needs either its end, or its length and its angle in the front "
                "plane.",
                name=name,
            )
        )
    return draft.quantity(length, "length", tr("{name}, length", name=name)), angles
