"""From poses to contacts: places, pairs, and each pair's own closed form or search."""

from itertools import combinations_with_replacement

import numpy as np
from numba import typeof

from mechstudio.engine.contacts.contact_kernels import ENTRY, kernel
from mechstudio.engine.contacts.geometry.broad_phase import grid_pairs, plane_pairs, sweep_pairs
from mechstudio.engine.contacts.geometry.convex.box import box_box, look_ahead, sphere_box
from mechstudio.engine.contacts.geometry.convex.convex_pair import convex_convex
from mechstudio.engine.contacts.geometry.fast import fast_pair, passing_pair
from mechstudio.engine.contacts.geometry.hollow.bore import revolved_hollow, tube_hollow
from mechstudio.engine.contacts.geometry.hollow.mesh_mesh import mesh_mesh
from mechstudio.engine.contacts.geometry.hollow.tube import convex_tube, sphere_trough, sphere_tube
from mechstudio.engine.contacts.geometry.mesh import convex_mesh, sphere_mesh
from mechstudio.engine.contacts.geometry.placement import place_all
from mechstudio.engine.contacts.geometry.round import (
    balls,
    capsule_capsule,
    plane_box,
    plane_capsule,
    plane_ellipsoid,
    plane_hull,
    plane_revolved,
    sphere_capsule,
    sphere_plane,
    sphere_sphere,
)
from mechstudio.engine.contacts.geometry.separating_sides import gliding_pair
from mechstudio.engine.contacts.geometry.shapes import (
    BODY,
    BOX,
    CAPSULE,
    CONE,
    CONVEX,
    CYLINDER,
    DISC,
    ELLIPSOID,
    FAST,
    GLIDE,
    GRID,
    HULL,
    KIND,
    KINDS,
    MESH,
    PASS,
    PLANE,
    SPHERE,
    SWEEP,
    TROUGH,
    TUBE,
    ShapeTable,
)
from mechstudio.engine.contacts.geometry.work import (
    FEATURE_BITS,
    MOTION,
    PAIRS,
    ContactPoints,
    contact_points,
)
from mechstudio.engine.contacts.kernel_calls import address_of, call

_REVOLVED = (CAPSULE, CYLINDER, CONE, DISC)
# kernels by kinds, the lower one first
_NARROW = {
    **{(a, b): revolved_hollow for a in _REVOLVED for b in (TUBE, TROUGH)},
    (TUBE, TUBE): tube_hollow,
    (TUBE, TROUGH): tube_hollow,
    (SPHERE, SPHERE): sphere_sphere,
    (SPHERE, PLANE): sphere_plane,
    (SPHERE, BOX): sphere_box,
    (SPHERE, CAPSULE): sphere_capsule,
    (PLANE, BOX): plane_box,
    (PLANE, CAPSULE): plane_capsule,
    (PLANE, CYLINDER): plane_revolved,
    (PLANE, CONE): plane_revolved,
    (PLANE, DISC): plane_revolved,
    (PLANE, HULL): plane_hull,
    (PLANE, ELLIPSOID): plane_ellipsoid,
    (BOX, BOX): box_box,
    (CAPSULE, CAPSULE): capsule_capsule,
    (SPHERE, MESH): sphere_mesh,
    (SPHERE, TUBE): sphere_tube,
    (SPHERE, TROUGH): sphere_trough,
    (PLANE, MESH): plane_hull,
    (PLANE, TUBE): plane_revolved,
    (PLANE, TROUGH): plane_hull,
}
# all kernels that `prepare` may need
ANY_PAIR = (
    grid_pairs,
    sweep_pairs,
    fast_pair,
    passing_pair,
    gliding_pair,
    convex_convex,
    convex_mesh,
    convex_tube,
    mesh_mesh,
    *_NARROW.values(),
)
_FACETED = (MESH, TUBE, TROUGH)
_CONVEX = (SPHERE, BOX, CAPSULE, CYLINDER, CONE, DISC, HULL, ELLIPSOID)


def prepare(table: ShapeTable) -> None:
    """Compile the kernels that the table's shapes need, or load them from the cache, and write
    their addresses into the table.
    """
    own, T, W = table.shapes, typeof(table.shapes), typeof(table.work)
    if len(own.small):
        own.calls[GRID] = address_of(grid_pairs, T, W)
    if len(own.large) > 1 or (len(own.large) and len(own.small)):
        own.calls[SWEEP] = address_of(sweep_pairs, T, W)
    moving = {int(k) for k in table.kind[table.body >= 0]}
    if moving:
        own.calls[FAST] = address_of(fast_pair, T, W)
        own.calls[PASS] = address_of(passing_pair, T, W)
    for a, b in combinations_with_replacement(sorted({int(k) for k in table.kind}), 2):
        if a not in moving and b not in moving:
            continue
        kernel_of_pair = _NARROW.get((a, b)) or (
            convex_tube
            if a in _CONVEX and b == TUBE
            else convex_mesh
            if a in _CONVEX and b in _FACETED
            else mesh_mesh
            if a in _FACETED and b in _FACETED
            else convex_convex
            if a in _CONVEX and b in _CONVEX
            else None
        )
        if kernel_of_pair in (box_box, convex_convex, convex_mesh, convex_tube, revolved_hollow):
            own.calls[GLIDE] = address_of(gliding_pair, T, W)
        if kernel_of_pair in (box_box, convex_tube, revolved_hollow):
            own.calls[CONVEX] = address_of(convex_convex, T, W)
        if kernel_of_pair is not None:
            own.calls[KINDS * a + b] = address_of(kernel_of_pair, T, W)


@kernel(options=ENTRY)
def find_contacts(table, poses, velocities, margin, points, step=0.0):
    """Fill points and return their number; more than len(points.gap) if there is no room
    (make_room).  The head of the package describes the arguments.
    """
    T, W = table.shapes, table.work
    X, ints, pairs = W.placed, T.ints, W.pairs
    place_all(ints, T.numbers, T.vertices, T.nodes, X, poses, velocities, margin, step)
    near = plane_pairs(ints, T.planes, T.excluded, X, margin, pairs, 0)
    if T.calls[GRID] != 0:
        near = call(T.calls[GRID], T, W, near, 0, margin)
    if T.calls[SWEEP] != 0:
        near = call(T.calls[SWEEP], T, W, near, 0, margin)
    W.counts[PAIRS] = near
    points.count[0] = 0
    room = points.gap.shape[0]
    if near > pairs.shape[0]:
        return room + 1
    count = 0
    for p in range(near):
        i, j = pairs[p, 0], pairs[p, 1]
        a, b = ints[i, KIND], ints[j, KIND]
        if b == SPHERE:
            found = balls(
                X[i, 0],
                X[i, 1],
                X[i, 2],
                T.numbers[i, 0],
                X[j, 0],
                X[j, 1],
                X[j, 2],
                T.numbers[j, 0],
                0,
                margin,
                W.out,
                W.feature,
                0,
            )
        else:
            address = T.calls[KINDS * a + b]
            found = call(address, T, W, i, j, margin) if address != 0 else 0
            if found == 1 and a == SPHERE and b == BOX:
                look_ahead(T, X, i, j, margin, W.out)
        # shapes farther apart than margin touch within the step only if they move by more
        motion = X[i, MOTION] + X[j, MOTION]
        if found == 0 and motion > margin and T.calls[KINDS * a + b] != 0:
            found = call(T.calls[FAST], T, W, i, j, margin)
        if found > 0 and PLANE < a < MESH and T.calls[GLIDE] != 0:
            found = call(T.calls[GLIDE], T, W, i, j, float(found))
        if found > 0 and W.out[0, 0] > 0.0 and motion > 0.0:
            found = call(T.calls[PASS], T, W, i, j, float(found))
        if found == 0:
            continue
        if count + found <= room:
            write(ints, i, j, found, W.out, W.feature, count, points)
        count += found
    if count <= room:
        points.count[0] = count
    return count


@kernel
def write(ints, i, j, found, out, feature, count, C):
    """Contacts of one pair into the list, turned so that the first shape is the one of the lower
    number.
    """
    a, b, sign = (i, j, 1.0) if i < j else (j, i, -1.0)
    key = (a * ints.shape[0] + b) << FEATURE_BITS
    for c in range(found):
        n = count + c
        C.shape_a[n], C.shape_b[n], C.body_a[n], C.body_b[n] = a, b, ints[a, BODY], ints[b, BODY]
        C.key[n], C.gap[n] = key | feature[c], out[c, 0]
        C.point[n, 0], C.point[n, 1], C.point[n, 2] = out[c, 1], out[c, 2], out[c, 3]
        C.normal[n, 0], C.normal[n, 1], C.normal[n, 2] = (
            sign * out[c, 4],
            sign * out[c, 5],
            sign * out[c, 6],
        )


@kernel
def copy_points(C, D):
    """D <- the contacts C, which has as much room.   Returns their number."""
    count = C.count[0]
    for n in range(count):
        D.shape_a[n], D.shape_b[n], D.body_a[n], D.body_b[n] = (
            C.shape_a[n],
            C.shape_b[n],
            C.body_a[n],
            C.body_b[n],
        )
        D.key[n], D.gap[n] = C.key[n], C.gap[n]
        for k in range(3):
            D.point[n, k], D.normal[n, k] = C.point[n, k], C.normal[n, k]
    D.count[0] = count
    return count


def make_room(
    table: ShapeTable, points: ContactPoints, requested: int
) -> tuple[ShapeTable, ContactPoints]:
    """Table and points with the room requested by the last search, and half as much again."""
    pairs = int(table.work.counts[PAIRS])
    if pairs > len(table.work.pairs):
        table = table._replace(
            work=table.work._replace(pairs=np.zeros((pairs + pairs // 2, 2), np.int64))
        )
    elif requested > len(points.gap):
        points = contact_points(requested + requested // 2)
    return table, points


def contacts_of(
    table: ShapeTable,
    poses: np.ndarray,
    velocities: np.ndarray | None,
    margin: float,
    points: ContactPoints,
    step: float = 0.0,
) -> tuple[ShapeTable, ContactPoints]:
    """Search until there is room; (table, points), which are those given unless there was none."""
    if velocities is None:
        velocities, step = np.zeros((0, 6)), 0.0
    while (requested := find_contacts(table, poses, velocities, margin, points, step)) > len(
        points.gap
    ):
        table, points = make_room(table, points, requested)
    return table, points
