"""The contacts of the round end of a cylinder, disc or cone with the feature that faces it: its
true circle bounds the common part, while RIM points of it stand for its own corners.

Features are written as in clipping.py; seen along the normal the circle may be an ellipse.
"""

import math

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.convex.clipping import (
    A_CORNER,
    B_CORNER,
    CROSSING,
    emit,
    height,
    line_ends,
    name_of,
)

# corners of a round end: points of the rim, at angles that are fixed in the shape
RIM = 8
# name of the edge at corner 0 of the first end; the second end's is RIM more
RIM_EDGE = 16
# name of the apex of the first end, the point of the rim towards the middle of the other feature,
# less RIM_EDGE; and the distance of that middle, in radii, at which it is a contact
_APEX = 24
_APEX_FROM, _APEX_TO = 0.9, 1.1


@kernel
def circle_of(P, label, side):
    """(x and y of the middle, name of the rim) of a round end."""
    half = RIM // 2
    return (
        0.5 * (P[side, 0, 0] + P[side, half, 0]),
        0.5 * (P[side, 0, 1] + P[side, half, 1]),
        label[side, 0, 1] & -RIM,
    )


@kernel
def in_plane(slope_x, slope_y, ax, ay, bx, by):
    """Scalar product of two vectors of a plane with these slopes, given by x and y."""
    return ax * bx + ay * by + (slope_x * ax + slope_y * ay) * (slope_x * bx + slope_y * by)


@kernel
def radius_in(P, side, slope_x, slope_y, cx, cy):
    """Radius [m] of a round end about its middle c."""
    x, y = P[side, 0, 0] - cx, P[side, 0, 1] - cy
    return math.sqrt(in_plane(slope_x, slope_y, x, y, x, y))


@kernel
def chord(slope_x, slope_y, x, y, dx, dy, radius):
    """(t of the entry, of the exit) of the line (x, y) + t (dx, dy) through the circle about the
    origin; the exit before the entry if it misses.
    """
    a = in_plane(slope_x, slope_y, dx, dy, dx, dy)
    b = in_plane(slope_x, slope_y, x, y, dx, dy)
    square = b * b - a * (in_plane(slope_x, slope_y, x, y, x, y) - radius * radius)
    if square <= 0.0 or a == 0.0:
        return 2.0, -1.0
    root = math.sqrt(square)
    return (-b - root) / a, (root - b) / a


@kernel
def own_name(side, name):
    """Name of a contact at a corner of that side."""
    return name_of(A_CORNER, name, 0) if side == 0 else name_of(B_CORNER, 0, name)


@kernel
def crossing_name(side, name, other):
    """Name of a contact where an edge of that side crosses one of the other side."""
    return name_of(CROSSING, name, other) if side == 0 else name_of(CROSSING, other, name)


@kernel
def rim_point(P, label, side, c, sx, sy, cx, cy, radius, mx, my):
    """(x, y, name) of corner c of a round end with the middle c and slopes s; of corner RIM, its
    apex towards the middle m of the other feature, name -1 unless m is near the rim.
    """
    if c < RIM:
        return P[side, c, 0], P[side, c, 1], label[side, c, 0]
    x, y = mx - cx, my - cy
    far = math.sqrt(in_plane(sx, sy, x, y, x, y)) / radius
    if far < _APEX_FROM or far > _APEX_TO:
        return cx, cy, -1
    return cx + x / far, cy + y / far, (label[side, 0, 1] & -RIM) + _APEX


@kernel
def over_polygon(P, side, n, slack, x, y):
    """True if a point lies over the polygon of that side, or less than slack beyond an edge."""
    for e in range(n):
        f = e + 1 if e + 1 < n else 0
        ax, ay = P[side, e, 0], P[side, e, 1]
        ex, ey = P[side, f, 0] - ax, P[side, f, 1] - ay
        if ex * (y - ay) - ey * (x - ax) < -slack * math.sqrt(ex * ex + ey * ey):
            return False
    return True


@kernel
def emit_between(P, slopes, x, y, key, to, count):
    """Write a contact over (x, y) between both planes, if within reach: the new count.

    slopes: those of A along x and y, and those of B.   to: (near, F, reach, begin, out, feature).
    """
    near, F, reach, begin, out, feature = to
    low = height(P, 0, slopes[0], slopes[1], x, y)
    high = height(P, 1, slopes[2], slopes[3], x, y)
    if high - low > reach:
        return count
    return emit(F, x, y, 0.5 * (low + high), high - low, key, near, begin, out, feature, count)


@kernel
def clip_round(P, label, side, n, ax, ay, bx, by, slack, near, F, reach, out, feature, count):
    """Contacts of a round end, of that side, and the polygon of the other side (n corners): points
    of its rim over the polygon, corners of the polygon inside its circle, and crossings of its
    circle with the polygon's edges.
    """
    other, slopes, to = 1 - side, (ax, ay, bx, by), (near, F, reach, count, out, feature)
    sx, sy = (ax, ay) if side == 0 else (bx, by)
    cx, cy, rim = circle_of(P, label, side)
    radius = radius_in(P, side, sx, sy, cx, cy)
    wide = radius + slack
    mx, my = 0.0, 0.0
    for e in range(n):
        mx, my = mx + P[other, e, 0] / n, my + P[other, e, 1] / n
    for c in range(RIM + 1):
        x, y, name = rim_point(P, label, side, c, sx, sy, cx, cy, radius, mx, my)
        if name >= 0 and over_polygon(P, other, n, slack, x, y):
            count = emit_between(P, slopes, x, y, own_name(side, name), to, count)
    for e in range(n):
        f = e + 1 if e + 1 < n else 0
        x, y = P[other, e, 0], P[other, e, 1]
        ex, ey = P[other, f, 0] - x, P[other, f, 1] - y
        enter, leave = chord(sx, sy, x - cx, y - cy, ex, ey, wide)
        if enter <= 0.0 <= leave:
            count = emit_between(P, slopes, x, y, own_name(other, label[other, e, 0]), to, count)
        for k in range(2):
            t = leave if k else enter
            if enter < leave and 0.0 < t < 1.0:
                count = emit_between(
                    P,
                    slopes,
                    x + t * ex,
                    y + t * ey,
                    crossing_name(side, rim + k, label[other, e, 1]),
                    to,
                    count,
                )
    return count


@kernel
def clip_rounds(P, label, ax, ay, bx, by, slack, near, F, reach, out, feature, count):
    """Contacts of two round ends: points of either rim inside the other circle, and, if both lie
    flat on one another (slack above zero), the crossings of the circles.
    """
    slopes, to = (ax, ay, bx, by), (near, F, reach, count, out, feature)
    x0, y0, rim0 = circle_of(P, label, 0)
    x1, y1, rim1 = circle_of(P, label, 1)
    ra, rb = radius_in(P, 0, ax, ay, x0, y0), radius_in(P, 1, bx, by, x1, y1)
    for side in range(2):
        # of the rim's own circle, and the other one
        cx, cy, radius = (x0, y0, ra) if side == 0 else (x1, y1, rb)
        ox, oy, wide = (x1, y1, rb + slack) if side == 0 else (x0, y0, ra + slack)
        sx, sy, tx, ty = (ax, ay, bx, by) if side == 0 else (bx, by, ax, ay)
        for c in range(RIM + 1):
            x, y, name = rim_point(P, label, side, c, sx, sy, cx, cy, radius, ox, oy)
            if name >= 0 and in_plane(tx, ty, x - ox, y - oy, x - ox, y - oy) <= wide * wide:
                count = emit_between(P, slopes, x, y, own_name(side, name), to, count)
    dx, dy = x1 - x0, y1 - y0
    d = math.sqrt(dx * dx + dy * dy)
    if slack == 0.0 or d <= abs(ra - rb) + slack or d >= ra + rb:
        return count
    along = 0.5 * (d * d + ra * ra - rb * rb) / d
    across = math.sqrt(max(ra * ra - along * along, 0.0))
    for k in range(2):
        h = across if k else -across
        x, y = x0 + (along * dx - h * dy) / d, y0 + (along * dy + h * dx) / d
        count = emit_between(P, slopes, x, y, name_of(CROSSING, rim0 + k, rim1), to, count)
    return count


@kernel
def clip_round_line(
    P, label, line, slope_x, slope_y, slack, near, ra, rb, F, reach, out, feature, count
):
    """Contacts of a line (P[line], 2 corners) and the round end of the other side: both ends of the
    part that lies over its circle.

    ra, rb [m]: radii about the cores of A and B.   slopes: of the round end's plane.
    """
    other = 1 - line
    cx, cy, rim = circle_of(P, label, other)
    x, y = P[line, 0, 0], P[line, 0, 1]
    enter, leave = chord(
        slope_x,
        slope_y,
        x - cx,
        y - cy,
        P[line, 1, 0] - x,
        P[line, 1, 1] - y,
        radius_in(P, other, slope_x, slope_y, cx, cy) + slack,
    )
    if leave < max(enter, 0.0) or enter > 1.0:
        return count
    own = A_CORNER if line == 0 else B_CORNER
    first, last = label[line, 0, 0], label[line, 1, 0]
    return line_ends(
        P,
        line,
        max(enter, 0.0),
        min(leave, 1.0),
        name_of(CROSSING, 0, rim) if enter > 0.0 else name_of(own, first, first),
        name_of(CROSSING, 1, rim) if leave < 1.0 else name_of(own, last, last),
        slope_x,
        slope_y,
        near,
        ra,
        rb,
        F,
        reach,
        out,
        feature,
        count,
    )
