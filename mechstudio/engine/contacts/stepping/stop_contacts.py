"""Hard stops of joint coordinates as contacts: two places, one on each body of the joint, that meet
where the coordinate reaches its bound.

    a slide     normal along the joint's axis, at the joint's origin in b     gap = side (bound - q)
    a turn     normal across the axis and an arm L along x of the joint in a, at its end
        gap = L side (bound - q)
The joint itself allows no other motion there, so that the pair of forces is exactly the effort
along the coordinate.  No friction; restitution is the stop's.
"""

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.island_solution import POINTS
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.kernel_table import EVERY, INDEX, VECTOR, alone
from mechstudio.engine.contacts.stepping.overlaps import past_start
from mechstudio.engine.kernels.scalar import cross


@kernel(options=INLINED)
def carried(S, b, x, y, z):
    """A vector of body b's axes in W's; ground's are W's own."""
    if b < 0:
        return x, y, z
    q = S.poses
    px, py, pz = cross(q[b, 4], q[b, 5], q[b, 6], x, y, z)
    rx, ry, rz = cross(q[b, 4], q[b, 5], q[b, 6], px, py, pz)
    return (
        x + 2.0 * (q[b, 3] * px + rx),
        y + 2.0 * (q[b, 3] * py + ry),
        z + 2.0 * (q[b, 3] * pz + rz),
    )


@kernel(options=INLINED)
def point_speed(S, b, x, y, z, nx, ny, nz):
    """Speed along n of the point of body b at (x, y, z)."""
    if b < 0:
        return 0.0
    v = S.velocities
    cx, cy, cz = cross(
        v[b, 3], v[b, 4], v[b, 5], x - S.poses[b, 0], y - S.poses[b, 1], z - S.poses[b, 2]
    )
    return nx * (v[b, 0] + cx) + ny * (v[b, 1] + cy) + nz * (v[b, 2] + cz)


@kernel
def passes_stop(y, S, before):
    """True if a step has passed through a stop. before: place in S.past of the state before it."""
    stops, deep, first = S.stops, 1e-6 * S.settings[s.SIZE], past_start(S, before) + 1
    for e in range(stops.shape[0]):
        at, side = int(stops[e, s.STOP_AT]), stops[e, s.STOP_SIDE]
        arm = stops[e, s.STOP_ARM] if stops[e, s.STOP_ARM] > 0.0 else 1.0
        now = side * arm * (stops[e, s.STOP_BOUND] - y[at])
        if now < min(side * arm * (stops[e, s.STOP_BOUND] - S.past[first + at]), 0.0) - deep:
            return True
    return False


@alone(EVERY, INDEX, VECTOR, s.STAGE, POINTS, INDEX)
def add_stops(y, S, points, count):
    """Add the joints that are near their stops, or reach them within the step, to the points.
    Returns the number of points needed.
    """
    stops, room = S.stops, points.gap.shape[0]
    margin, h = S.settings[s.MARGIN], S.settings[s.STEP]
    S.counts[s.STOPPING] = 0
    for e in range(stops.shape[0]):
        at, side, arm = int(stops[e, s.STOP_AT]), stops[e, s.STOP_SIDE], stops[e, s.STOP_ARM]
        a, b = int(stops[e, s.STOP_A]), int(stops[e, s.STOP_B])
        # a stop beyond which the motion began takes its drawn bound once the joint is within it
        if side * (stops[e, s.STOP_DRAWN] - y[at]) >= 0.0:
            stops[e, s.STOP_BOUND] = stops[e, s.STOP_DRAWN]
        gap = side * (stops[e, s.STOP_BOUND] - y[at])
        zx, zy, zz = carried(
            S, a, stops[e, s.STOP_Z], stops[e, s.STOP_Z + 1], stops[e, s.STOP_Z + 2]
        )
        px, py, pz = carried(
            S, b, stops[e, s.STOP_P], stops[e, s.STOP_P + 1], stops[e, s.STOP_P + 2]
        )
        if b >= 0:
            px, py, pz = px + S.poses[b, 0], py + S.poses[b, 1], pz + S.poses[b, 2]
        nx, ny, nz = -side * zx, -side * zy, -side * zz
        if arm > 0.0:
            gap *= arm
            xx, xy, xz = carried(
                S, a, stops[e, s.STOP_X], stops[e, s.STOP_X + 1], stops[e, s.STOP_X + 2]
            )
            px, py, pz = px + arm * xx, py + arm * xy, pz + arm * xz
            tx, ty, tz = cross(zx, zy, zz, xx, xy, xz)
            nx, ny, nz = -side * tx, -side * ty, -side * tz
        rate = point_speed(S, b, px, py, pz, nx, ny, nz) - point_speed(S, a, px, py, pz, nx, ny, nz)
        if gap > margin and gap + 2.0 * h * rate > 0.0:
            continue
        if count < room:
            (
                points.shape_a[count],
                points.shape_b[count],
                points.body_a[count],
                points.body_b[count],
            ) = -1, e, a, b
            points.key[count], points.gap[count] = -1 - e, gap
            points.point[count, 0], points.point[count, 1], points.point[count, 2] = px, py, pz
            points.normal[count, 0], points.normal[count, 1], points.normal[count, 2] = nx, ny, nz
        S.counts[s.STOPPING] += 1
        count += 1
    if count <= room:
        points.count[0] = count
    return count
