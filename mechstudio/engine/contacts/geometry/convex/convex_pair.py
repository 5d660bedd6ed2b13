"""Any two convex shapes: the nearest points by gjk.py, and the common part of facing features."""

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.convex.box import frame_along
from mechstudio.engine.contacts.geometry.convex.clipping import (
    clip_line,
    clip_polygons,
    emit,
    name_of,
    overlap_lines,
)
from mechstudio.engine.contacts.geometry.convex.features import feature_of
from mechstudio.engine.contacts.geometry.convex.gjk import signed_distance
from mechstudio.engine.contacts.geometry.convex.round_end import (
    clip_round,
    clip_round_line,
    clip_rounds,
)
from mechstudio.engine.contacts.geometry.shapes import (
    BOUND,
    CAPSULE,
    CONE,
    CYLINDER,
    DISC,
    KIND,
    SPHERE,
)

NEAREST = 3  # the kind of key of a point that is no corner of a common part


@kernel
def radius_of(T, s):
    """Radius [m] around the core of shape s: zero without one."""
    kind = T.ints[s, KIND]
    return T.numbers[s, 0] if kind == SPHERE or kind == CAPSULE else 0.0


@kernel
def revolved(T, s):
    """True if shape s has round ends."""
    kind = T.ints[s, KIND]
    return kind == CYLINDER or kind == CONE or kind == DISC


@kernel
def common_part(T, W, i, j, gap, px, py, pz, ra, rb, reach, begin, nearest):
    """Contacts along the normal of W.F, written from row `begin` on: corners of the common part of
    both features; and, if `nearest`, the nearest point where none of them is as near.

    gap [m]: signed distance of the surfaces.   p: nearest point of A's core, in W.
    """
    F, P, label, out, feature = W.F, W.P, W.label, W.out, W.feature
    na, ax, ay, fa = feature_of(T, W, i, 0, 1.0)
    nb, bx, by, fb = feature_of(T, W, j, 1, -1.0)
    size = min(T.numbers[i, BOUND], T.numbers[j, BOUND])
    # a corner beyond an edge by rounding counts as on it, unless the side is steep
    slack = 1e-6 * size if fa > 0.999 and fb > 0.999 else 0.0
    count, near = begin, 4e-6 * size
    round_a, round_b = na > 2 and revolved(T, i), nb > 2 and revolved(T, j)
    if round_a and round_b:
        count = clip_rounds(P, label, ax, ay, bx, by, slack, near, F, reach, out, feature, begin)
    elif na > 2 and nb > 2 and (round_a or round_b):
        side, n = (0, nb) if round_a else (1, na)
        count = clip_round(
            P, label, side, n, ax, ay, bx, by, slack, near, F, reach, out, feature, begin
        )
    elif na > 2 and nb > 2:
        count = clip_polygons(P, label, na, nb, ax, ay, slack, near, F, reach, out, feature, begin)
    elif (na > 2 and nb == 2) or (na == 2 and nb > 2):
        line, n, sx, sy = (1, na, ax, ay) if nb == 2 else (0, nb, bx, by)
        if round_a or round_b:
            count = clip_round_line(
                P, label, line, sx, sy, slack, near, ra, rb, F, reach, out, feature, begin
            )
        else:
            count = clip_line(
                P, label, line, n, sx, sy, slack, near, ra, rb, F, reach, out, feature, begin
            )
    elif na == 2 and nb == 2:
        count = overlap_lines(P, label, ra, rb, near, F, reach, out, feature, begin)
    if not nearest:
        return count
    # the nearest point of a standing body would jump by rounding
    for c in range(begin, count):
        if out[c, 0] <= gap + 1e-8 * size:
            return count
    x, y, z = px - F[0, 0], py - F[0, 1], pz - F[0, 2]
    u, w = x * F[1, 0] + y * F[1, 1] + z * F[1, 2], x * F[2, 0] + y * F[2, 1] + z * F[2, 2]
    return emit(
        F,
        u,
        w,
        x * F[3, 0] + y * F[3, 1] + z * F[3, 2] + ra + 0.5 * gap,
        gap,
        name_of(NEAREST, 0, 0),
        1e-6 * size,
        begin,
        out,
        feature,
        count,
    )


@kernel
def convex_convex(T, W, i, j, reach):
    """Any two convex shapes."""
    ra, rb = radius_of(T, i), radius_of(T, j)
    close, distance, nx, ny, nz, px, py, pz = signed_distance(
        T, W, i, j, reach + ra + rb, W.toward[3] > 0.0
    )
    if not close:
        return 0
    frame_along(W.placed, i, nx, ny, nz, W.F)
    return common_part(T, W, i, j, distance - ra - rb, px, py, pz, ra, rb, reach, 0, True)
