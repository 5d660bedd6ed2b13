"""From contact points to the problem of a step: frames, arms, materials, and the right-hand side r.

    r = D^T v* + b,   b_n = gap / h        a gap may at most close in this step
                      b_n = max(gap / h, -recovery)  an overlap is separated, if not by projection
                      elastic contacts: elastic.py
                      b_n = e u_n(v)
                          restitution, for an approach faster than the least speed (Moreau 1988;
                          CONTACT 1); b_t = e_t u_t(v) with it
v*: velocities at the end of the step without contacts.
"""

import math

from numba import typeof

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.cone import tangents
from mechstudio.engine.contacts.cone.island_solution import POINTS
from mechstudio.engine.contacts.cone.problem import (
    ARM_A,
    ARM_B,
    CONTACTS,
    LENGTH,
    MOVERS,
    MU,
    PROBLEM,
    ROLL,
    SPIN,
    WIDTH,
    own_response,
    slip,
    turn_slip,
)
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.elastic import elastic_push, row_compliance
from mechstudio.engine.contacts.geometry.shapes import shape_table
from mechstudio.engine.contacts.geometry.vectors import cross
from mechstudio.engine.contacts.kernel_table import EVERY, INDEX, NOTHING, TABLES, alone
from mechstudio.engine.contacts.stepping.stop_contacts import carried
from mechstudio.engine.kernels.columns import O

SHAPES = typeof(shape_table(()))
# largest slip per impulse of a patch that spins, in units of the response of the bodies
EASIEST = 100.0
# slip over friction times the normal jump of a step, from which a contact slides throughout the
# step
SURELY = 20.0


@kernel
def origin_speed(T, S, b):
    """Velocity in W of the origin of body b's node at the beginning of the step."""
    if b < 0:
        return 0.0, 0.0, 0.0
    i, v, p = T.bodies[b, 0], S.velocities, S.poses
    cx, cy, cz = cross(
        v[b, 3],
        v[b, 4],
        v[b, 5],
        T.node[i, O] - p[b, 0],
        T.node[i, O + 1] - p[b, 1],
        T.node[i, O + 2] - p[b, 2],
    )
    return v[b, 0] + cx, v[b, 1] + cy, v[b, 2] + cz


@alone(EVERY, NOTHING, TABLES, s.STAGE, PROBLEM, POINTS, SHAPES)
def fill_contacts(T, S, P, points, table):
    """Frames, arms and cones of all contacts, in the order of islands."""
    ground, count = T.nodes.shape[0] - 1, int(math.sqrt(S.materials.shape[0] + 0.5))
    for i in range(P.size[CONTACTS]):
        p = S.order[i]
        a, b = points.body_a[p], points.body_b[p]
        na = ground if a < 0 else T.bodies[a, 0]
        nb = ground if b < 0 else T.bodies[b, 0]
        P.side[i, 0], P.side[i, 1] = S.mover_of_node[na], S.mover_of_node[nb]
        F = P.frame
        x, y, z = points.normal[p, 0], points.normal[p, 1], points.normal[p, 2]
        X, Y, Z = points.point[p, 0], points.point[p, 1], points.point[p, 2]
        if S.bends[i, s.SMOOTH] > 0.0 or S.bends[i, s.CLOSES] > 0.0:
            B, k = S.bends, s.HALFWAY
            X, Y, Z, x, y, z = (
                B[i, k],
                B[i, k + 1],
                B[i, k + 2],
                B[i, k + 3],
                B[i, k + 4],
                B[i, k + 5],
            )
        F[i, 0], F[i, 1], F[i, 2] = x, y, z
        F[i, 3], F[i, 4], F[i, 5], F[i, 6], F[i, 7], F[i, 8] = tangents(x, y, z)
        # the impulse of a closing contact acts at its place of touch, about the origins of that
        # instant
        closes = S.bends[i, s.CLOSES]
        for end in range(2):
            body, node, at = (b, nb, ARM_B) if end else (a, na, ARM_A)
            vx, vy, vz = origin_speed(T, S, body) if closes > 0.0 else (0.0, 0.0, 0.0)
            F[i, at], F[i, at + 1], F[i, at + 2] = (
                X - T.node[node, O] - closes * vx,
                Y - T.node[node, O + 1] - closes * vy,
                Z - T.node[node, O + 2] - closes * vz,
            )
        if points.shape_a[p] < 0:
            # a joint at its stop
            m = int(S.stops[points.shape_b[p], s.STOP_MATERIAL])
        else:
            m = table.material[points.shape_a[p]] * count + table.material[points.shape_b[p]]
        S.pair[i] = m
        M = S.materials
        P.cone[i, MU] = M[m, s.FRICTION]
        if P.size[WIDTH] == 6:
            # moments are divided by the arm to the rolling body, so that all rows are speeds
            ra = 0.0 if na == ground else math.sqrt(F[i, 9] ** 2 + F[i, 10] ** 2 + F[i, 11] ** 2)
            rb = 0.0 if nb == ground else math.sqrt(F[i, 12] ** 2 + F[i, 13] ** 2 + F[i, 14] ** 2)
            length = max(ra, rb, 1e-6 * S.settings[s.SIZE])
            P.cone[i, LENGTH], P.cone[i, SPIN], P.cone[i, ROLL] = (
                length,
                M[m, s.SPINNING] / length,
                M[m, s.ROLLING] / length,
            )
        if S.settings[s.BELTED] > 0.0:
            run_belts(S, P, points, table, i, p)
        P.soft[i, 0] = P.soft[i, 1] = 0.0


@kernel
def run_belts(S, P, points, table, i, p):
    """S.belt_slip <- slip that moving surfaces (belts) add at contact i, of point p.

    A belt of speed c runs about the y axis of its body: c y x m at the outward normal m, which is n
    of a and -n of b, so that of either c y x n is taken from the slip of b against a.
    """
    F, u, w = P.frame, 0.0, 0.0
    if points.shape_a[p] >= 0:
        for end in range(2):
            shape = points.shape_b[p] if end else points.shape_a[p]
            speed = S.belts[table.material[shape]]
            if speed != 0.0:
                body = points.body_b[p] if end else points.body_a[p]
                ax, ay, az = carried(S, body, 0.0, 1.0, 0.0)
                x, y, z = cross(ax, ay, az, F[i, 0], F[i, 1], F[i, 2])
                u -= speed * (F[i, 3] * x + F[i, 4] * y + F[i, 5] * z)
                w -= speed * (F[i, 6] * x + F[i, 7] * y + F[i, 8] * z)
    S.belt_slip[i, 0], S.belt_slip[i, 1] = u, w


@alone(EVERY, NOTHING, s.STAGE, PROBLEM, POINTS)
def read_approach(S, P, points):
    """S.approach <- D^T v of the velocities before the step, given as the movers' twists; P.soft <-
    compliances of the rows.
    """
    for i in range(P.size[CONTACTS]):
        x, y, z = slip(P.frame, i, P.twist, P.side[i, 0], P.side[i, 1])
        S.approach[i, 0] = x
        S.approach[i, 1], S.approach[i, 2] = y + S.belt_slip[i, 0], z + S.belt_slip[i, 1]
        P.soft[i, 1] = 0.0
        if S.materials[S.pair[i], s.COMPLIANCE] > 0.0:
            P.soft[i, 0] = row_compliance(S, P, i, points.gap[S.order[i]])
        if P.size[WIDTH] == 6:
            x, y, z = turn_slip(P.frame, i, P.twist, P.side[i, 0], P.side[i, 1])
            S.approach[i, 3], S.approach[i, 4], S.approach[i, 5] = x, y, z
            if P.cone[i, SPIN] > 0.0 and P.cone[i, MU] > 0.0:
                arm = P.cone[i, SPIN] * P.cone[i, LENGTH]
                P.soft[i, 1] = 1.5 * abs(x) * arm / P.cone[i, MU] ** 2


@kernel
def add_creep(P):
    """Lower the resistance to slip of a patch that spins (Contensou 1963): with even pressure and
    radius e = 3 s / (2 mu), s its arm of spinning resistance, it is mu N v / (e |w_n|) while that
    is less than mu N.
    N is from the normal impulses of the step before, in gamma.  New contacts have none yet, and a
    contact that barely touched may press now.
    """
    for i in range(P.size[CONTACTS]):
        if P.soft[i, 1] > 0.0:
            free = 0.0
            for end in range(2):
                if P.side[i, end] != P.size[MOVERS]:
                    free += own_response(P, i, P.side[i, end], ARM_A + 3 * end) / 3.0
            P.soft[i, 1] = (
                min(P.soft[i, 1] / P.gamma[i, 0], EASIEST * free) if P.gamma[i, 0] > 0.0 else 0.0
            )


@alone(EVERY, INDEX, s.STAGE, PROBLEM, POINTS)
def fill_right_side(S, P, points):
    """Fill r from the predicted velocities, given as the movers' twists.  Returns the number of
    contacts that rebound.
    """
    h, recovery = S.settings[s.STEP], S.settings[s.RECOVERY]
    slowest, sequential = S.settings[s.SLOWEST], S.settings[s.SEQUENTIAL] > 0.0
    projected, adhesive = S.settings[s.SLOP] >= 0.0, S.settings[s.ADHESIVE] > 0.0
    rebounds = 0
    for i in range(P.size[CONTACTS]):
        m, gap, before = S.pair[i], points.gap[S.order[i]], S.approach[i, 0]
        x, y, z = slip(P.frame, i, P.twist, P.side[i, 0], P.side[i, 1])
        y, z = y + S.belt_slip[i, 0], z + S.belt_slip[i, 1]
        S.foreseen[i, 0], S.rebounded[i] = x, 0
        S.turns[i, s.TURN_HITS] = 0.0
        if adhesive:
            x, y, z = x + S.pulled[i, 0], y + S.pulled[i, 1], z + S.pulled[i, 2]
        S.foreseen[i, 1], S.foreseen[i, 2] = y, z
        e, again = S.materials[m, s.RESTITUTION], S.materials[m, s.TANGENTIAL]
        soft = S.materials[m, s.COMPLIANCE] > 0.0
        if soft:
            push = elastic_push(S, P, i, gap)
        elif gap < 0.0:
            push = 0.0 if projected else max(gap / h, -recovery)
        else:
            push = gap / h
        if S.bends[i, s.SMOOTH] > 0.0:
            y, z = bend_slip(S, P, i, x + push, y, z)
            x += S.bends[i, s.BENT]
        elif e + again > 0.0 and before < -slowest and gap + h * before < 0.0 and not soft:
            rebounds += 1
            S.rebounded[i] = 1
            if not sequential:
                # the load of the step also acts after the rebound, or else a ball would gain height
                push = min(e * before - min(x - before, 0.0), 0.0)
                y, z = y + again * S.approach[i, 1], z + again * S.approach[i, 2]
        P.r[i, 0], P.r[i, 1], P.r[i, 2] = x + push, y, z
        if P.size[WIDTH] == 6:
            x, y, z = turn_slip(P.frame, i, P.twist, P.side[i, 0], P.side[i, 1])
            k = P.cone[i, LENGTH]
            P.r[i, 3], P.r[i, 4], P.r[i, 5] = k * x, k * y, k * z
            if adhesive:
                for c in range(3, 6):
                    P.r[i, c] += S.pulled[i, c]
        for c in range(P.size[WIDTH]):
            P.impact[i, c] = 0.0
        if adhesive:
            P.impact[i, 0] = -h * S.pull[i]
    return rebounds


@kernel
def bend_slip(S, P, i, x, y, z):
    """The tangential part of r of a contact that lasts (surface_motion.py).  x, y, z: of the
    predicted velocities, at the middle of the step.
    """
    B, u, w = S.bends, S.approach[i, 1], S.approach[i, 2]
    # too fast for friction to stop it in this step, whatever its arms: against the mean slip, which
    # needs De Saxce's correction, since it is not the slip at the end
    if S.settings[s.SAXCE] > 0.0 and math.hypot(u, w) > SURELY * P.cone[i, MU] * abs(
        x + B[i, s.BENT]
    ):
        return y + u, z + w
    return y + B[i, s.BENT + 1], z + B[i, s.BENT + 2]


@kernel
def fill_overlaps(S, P, points):
    """Fill r for the projection of positions: overlaps deeper than the slop are reduced to it, and
    open contacts must not become deep.  Returns whether any overlap is too deep.
    """
    h, slop = S.settings[s.STEP], S.settings[s.SLOP]
    deep = False
    for i in range(P.size[CONTACTS]):
        gap = points.gap[S.order[i]]
        if S.materials[S.pair[i], s.COMPLIANCE] > 0.0:
            # a compliant contact overlaps by design
            P.r[i, 0] = 1e30
        else:
            P.r[i, 0] = (gap + slop) / h if gap < -slop else max(gap, 0.0) / h
            deep = deep or gap < -2.0 * slop
        for c in range(1, P.size[WIDTH]):
            P.r[i, c] = 0.0
        for c in range(P.size[WIDTH]):
            P.gamma[i, c] = 0.0
        P.shift[i] = 0.0
    return deep
