# pyright: standard
"""Outlines of plates, bars, discs and boxes as a DXF drawing, true to scale and side by side, for
cutting.
"""

import io
import math

from mechstudio.files.exchange.motion import Motion, Written
from mechstudio.files.exchange.xml_text import ExchangeError
from mechstudio.model.geometry.forms import Block, Cylinder, Flat, Form
from mechstudio.model.geometry.outline import Point, convex_hull
from mechstudio.model.project import Project
from mechstudio.translation import comma, tr

MILLIMETRES = 1000.0
GAP = 0.1  # between two parts, of the height of the tallest
FORBIDDEN = '<>/\\":;?*|=`,'  # in names of layers

Corner = tuple[float, float, float]  # x, y, and the bulge of the side that follows


def outline(form: Form) -> list[Corner] | float | None:
    """Outline of a form: corners [m] counter-clockwise with bulges (tan of a quarter of the arc), a
    radius [m], or None for what is not cut from a sheet.  A box lies on its widest side.
    """
    if isinstance(form, Cylinder):
        return form.radius if form.height <= 2.0 * form.radius else None
    if isinstance(form, Block):
        sides = [form.x, form.y, form.z]
        # of equally thin sides the last one
        sides.pop(2 - sides[::-1].index(min(sides)))
        a, b = (side / 2 for side in sides)
        return [(-a, -b, 0.0), (a, -b, 0.0), (a, b, 0.0), (-a, b, 0.0)]
    if isinstance(form, Flat):
        return _rounded(convex_hull(form.corners), form.radius)
    return None


def _rounded(hull: list[Point], r: float) -> list[Corner] | float | None:
    """The hull of discs about the corners of a convex outline."""
    if r <= 0.0:
        return [(x, z, 0.0) for x, z in hull] if len(hull) > 2 else None
    if len(hull) == 1:
        return r
    out: list[Corner] = []
    n = len(hull)
    for k, (x, z) in enumerate(hull):
        (a, b), (c, d) = hull[k - 1], hull[(k + 1) % n]
        before, after = math.atan2(z - b, x - a), math.atan2(d - z, c - x)
        turn = (after - before) % (2 * math.pi)
        for angle, bulge in ((before, math.tan(turn / 4)), (after, 0.0)):
            # outward is to the right of the way round
            out.append((x + r * math.sin(angle), z - r * math.cos(angle), bulge))
    return out


def dxf_bytes(project: Project, motion: Motion | None = None) -> Written:
    """A DXF drawing [mm] with each part that a sheet can give, on a layer of its body."""
    from ezdxf.filemanagement import new

    document = new("R2010", units=4)
    space = document.modelspace()
    rows: list[tuple[str, list[Corner] | float]] = []
    left: list[str] = []
    for body in project.mechanism.bodies.values():
        found = [o for o in (outline(s.form) for s in body.shapes) if o is not None]
        rows += [(body.name, o) for o in found]
        if len(found) < len(body.shapes):
            left.append(body.name)
    if not rows:
        raise ExchangeError(
            tr("No body has a plate, a bar, a disc or a box: there is no outline to write.")
        )
    tallest = max(_box(o)[3] - _box(o)[2] for _, o in rows)
    at = 0.0
    for name, shape in rows:
        layer = "".join("_" if c in FORBIDDEN or c < " " else c for c in name)[:200] or "body"
        if layer not in document.layers:
            document.layers.add(layer)
        low, high, bottom, _ = _box(shape)
        dx, dy = at - low, -bottom
        if not isinstance(shape, list):
            center = (MILLIMETRES * dx, MILLIMETRES * dy)
            space.add_circle(center, MILLIMETRES * shape, dxfattribs={"layer": layer})
        else:
            points = [(MILLIMETRES * (x + dx), MILLIMETRES * (y + dy), b) for x, y, b in shape]
            space.add_lwpolyline(points, format="xyb", close=True, dxfattribs={"layer": layer})
        at += high - low + GAP * tallest
    out = io.StringIO()
    document.write(out)
    notes = [tr("Lengths are in millimetres; holes of pins are not in the outlines.")]
    if left:
        notes.append(
            tr("Shapes that are no plates were left out, of {names}.", names=comma().join(left))
        )
    return Written(out.getvalue().encode("utf-8"), notes)


def _box(shape: list[Corner] | float) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of an outline, with its arcs."""
    if not isinstance(shape, list):
        return -shape, shape, -shape, shape
    xs, ys = [x for x, _, _ in shape], [y for _, y, _ in shape]
    for k, (x, y, bulge) in enumerate(shape):
        if bulge:
            a, b, _ = shape[(k + 1) % len(shape)]
            # the arc's centre and radius from its chord
            chord = math.hypot(a - x, b - y)
            angle = 4 * math.atan(bulge)
            r = chord / (2 * math.sin(angle / 2)) if angle < math.pi - 1e-9 else chord / 2
            to = (1 / bulge - bulge) / 2
            cx, cy = (x + a - to * (b - y)) / 2, (y + b + to * (a - x)) / 2
            begin = math.atan2(y - cy, x - cx)
            for quarter in range(8):
                here = quarter * math.pi / 2
                if (here - begin) % (2 * math.pi) <= angle:
                    xs.append(cx + r * math.cos(here))
                    ys.append(cy + r * math.sin(here))
    return min(xs), max(xs), min(ys), max(ys)
