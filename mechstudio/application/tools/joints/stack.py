"""Bodies that a pin through a place would go through: those that hold the place, and those stacked
on them along the pin.
"""

from collections.abc import Iterable

from mechstudio.model.edits.links import link_ends
from mechstudio.model.geometry.forms import Bar
from mechstudio.model.geometry.rotation import Triple, compose, conjugate, minus, plus, rotate
from mechstudio.model.mechanism import Body, Mechanism

SLACK = 0.25  # of the thinner of two bodies: what lies closer together is one stack

Interval = tuple[float, float]


def stacked(
    m: Mechanism, ids: Iterable[str], point: Triple, direction: Triple, tolerance: float
) -> list[str]:
    """Those of the bodies that lie on the line through a point of W along a unit direction, at the
    point or beside one that does so, in the order of ids.  tolerance [m]: as of Form.holds.
    """
    met = {
        id: found
        for id in ids
        if (found := along(m.bodies[id], point, direction, tolerance)) is not None
    }
    reached = {id for id, (low, high) in met.items() if low <= tolerance and high >= -tolerance}
    grown = True
    while grown:
        more = {
            id
            for id in met.keys() - reached
            if any(_touch(met[id], met[other], tolerance) for other in reached)
        }
        grown, reached = bool(more), reached | more
    return [id for id in met if id in reached]


def _touch(a: Interval, b: Interval, tolerance: float) -> bool:
    gap = max(a[0], b[0]) - min(a[1], b[1])
    return gap <= tolerance + SLACK * min(a[1] - a[0], b[1] - b[0])


def along(body: Body, point: Triple, direction: Triple, tolerance: float) -> Interval | None:
    """From where to where a body lies on a line through a point, counted along the direction [m];
    None where the line misses it.

    Flat forms are taken as they are, round ones as long as the box about them, meshes as that box.
    """
    lows, highs = [], []
    for shape in body.shapes:
        at, q = compose(body.placement.pose, shape.placement.pose)
        back = conjugate(q)
        p, d = rotate(back, minus(point, at)), rotate(back, direction)  # type: ignore[arg-type]
        corners = shape.form.hull()
        low, high = -float("inf"), float("inf")
        for k in range(3):
            a, b = min(c[k] for c in corners) - tolerance, max(c[k] for c in corners) + tolerance
            if abs(d[k]) < 1e-12:
                if not a <= p[k] <= b:
                    low, high = 1.0, 0.0
            else:
                s, t = sorted(((a - p[k]) / d[k], (b - p[k]) / d[k]))
                low, high = max(low, s), min(high, t)
        if low > high or low == -float("inf"):
            continue
        middle: Triple = plus(p, d, (low + high) / 2)  # type: ignore[assignment]
        if shape.form.holds(middle, tolerance):
            lows.append(low)
            highs.append(high)
    return (min(lows), max(highs)) if lows else None


def on_link(body: Body, point: Triple, reach: float) -> bool:
    """True if a pin of a link's plane through a place goes through the link; reach [m]: how far
    beside its outline it may stand.
    """
    if link_ends(body) is None:
        return False
    shape = body.shapes[0]
    assert isinstance(shape.form, Bar)
    x, y, z = rotate(conjugate(body.placement.quaternion), minus(point, body.placement.pose[0]))
    x0, layer, z0 = (q.value for q in shape.placement.position)
    beyond = max(0.0, x0 - x, x - x0 - shape.form.length)
    level = abs(layer) + 1.1 * shape.form.thickness
    return (beyond**2 + (z - z0) ** 2) ** 0.5 <= shape.form.radius + reach and abs(y) <= level
