"""Contact islands: movers and contacts are numbered island by island, so that each island is solved
by itself.
"""

import math

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.island_solution import POINTS
from mechstudio.engine.contacts.cone.patches.shared_friction import SHAPES
from mechstudio.engine.contacts.cone.problem import (
    B_COUNT,
    B_MOVER,
    B_START,
    CONTACTS,
    I_ASLEEP,
    I_BLOCK0,
    I_BLOCK1,
    I_FIRST,
    I_LAST,
    I_MOVER0,
    I_MOVER1,
    I_NEAR,
    ISLANDS,
    MOVERS,
    PROBLEM,
    end_at,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.geometry.work import MOTION
from mechstudio.engine.contacts.kernel_table import EVERY, NOTHING, TABLES, alone
from mechstudio.engine.kernels.columns import DOF, V0

# contacts beyond so many motions of both shapes in a step, and this share of the margin, are solved
# only if one of them would close (stages.py)
FAR_MOTIONS, FAR_MARGIN = 4.0, 0.1


@kernel(options=INLINED)
def root(parent, i):
    """The representative of unit i."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@alone(EVERY, NOTHING, TABLES, s.STAGE, PROBLEM, SHAPES, POINTS)
def find_islands(T, S, P, table, points):
    """Number movers, blocks and islands for the contacts in points; S.order has the point of each
    contact.
    """
    count = points.count[0]
    ground = T.nodes.shape[0] - 1
    units = S.unit_free.shape[0]
    for u in range(units):
        S.parent[u] = u
        S.island_of_unit[u] = -1
    for i in range(ground + 1):
        S.mover_of_node[i] = -1
    # touching units
    touched = 0
    for p in range(count):
        a, b = points.body_a[p], points.body_b[p]
        na = ground if a < 0 else T.bodies[a, 0]
        nb = ground if b < 0 else T.bodies[b, 0]
        if na == nb:
            # two bodies of one unit: nothing can separate them
            continue
        ua, ub = S.unit_of_node[na], S.unit_of_node[nb]
        for u, n in ((ua, na), (ub, nb)):
            if u >= 0:
                S.mover_of_node[n] = 0
                if S.island_of_unit[u] == -1:
                    S.island_of_unit[u] = -2
                    S.touched[touched] = u
                    touched += 1
        if ua >= 0 and ub >= 0:
            ra, rb = root(S.parent, ua), root(S.parent, ub)
            if ra != rb:
                S.parent[rb] = ra
    I = P.islands
    islands = 0
    for t in range(touched):
        r = root(S.parent, S.touched[t])
        if S.island_of_unit[r] < 0:
            S.island_of_unit[r] = islands
            I[islands, I_FIRST] = I[islands, I_LAST] = I[islands, I_MOVER0] = I[
                islands, I_MOVER1
            ] = 0
            islands += 1
    for t in range(touched):
        S.island_of_unit[S.touched[t]] = S.island_of_unit[root(S.parent, S.touched[t])]
    number_movers(T, S, P, touched, islands)
    order_contacts(T, S, P, table, points, islands)
    for e in range(islands):
        end_at(P, e, I[e, I_LAST])
    P.size[CONTACTS] = I[islands - 1, I_LAST] if islands > 0 else 0
    P.size[ISLANDS] = islands


@kernel
def number_movers(T, S, P, touched, islands):
    """Number movers in the order of islands, those of one unit next to each other."""
    I = P.islands
    for t in range(touched):
        u = S.touched[t]
        for x in range(S.unit_start[u], S.unit_start[u + 1]):
            if S.mover_of_node[S.unit_nodes[x]] >= 0:
                I[S.island_of_unit[u], I_MOVER1] += 1
    total = 0
    for e in range(islands):
        n = I[e, I_MOVER1]
        I[e, I_MOVER0] = I[e, I_MOVER1] = total
        total += n
        I[e, I_BLOCK0] = I[e, I_BLOCK1] = 0
        I[e, I_ASLEEP] = 0
    # blocks are numbered island by island too
    block, start = 0, 0
    for b in range(P.blocks.shape[0]):
        P.blocks[b, B_COUNT] = 0
    for turn in range(2):
        for t in range(touched):
            u = S.touched[t]
            if (S.unit_free[u] == 0) != (turn == 1):
                continue
            e = S.island_of_unit[u]
            if turn == 1:
                I[e, I_BLOCK1] += 1
        if turn == 1:
            for e in range(islands):
                n = I[e, I_BLOCK1]
                I[e, I_BLOCK0] = I[e, I_BLOCK1] = block
                block += n
        for t in range(touched):
            u = S.touched[t]
            if (S.unit_free[u] == 0) != (turn == 1):
                continue
            e, first = S.island_of_unit[u], I[S.island_of_unit[u], I_MOVER1]
            for x in range(S.unit_start[u], S.unit_start[u + 1]):
                i = S.unit_nodes[x]
                if S.mover_of_node[i] >= 0:
                    S.mover_of_node[i] = I[e, I_MOVER1]
                    S.node_of_mover[I[e, I_MOVER1]] = i
                    I[e, I_MOVER1] += 1
            if turn == 1:
                b, n = I[e, I_BLOCK1], I[e, I_MOVER1] - first
                P.blocks[b, B_MOVER], P.blocks[b, B_COUNT], P.blocks[b, B_START] = first, n, start
                start += 36 * n * n + 6 * n
                I[e, I_BLOCK1] += 1
    S.mover_of_node[T.nodes.shape[0] - 1] = total
    P.size[MOVERS] = total


@kernel
def order_contacts(T, S, P, table, points, islands):
    """S.order: points sorted by island, in each those first that may close in the step."""
    I, ground = P.islands, T.nodes.shape[0] - 1
    for p in range(points.count[0]):
        a, b = points.body_a[p], points.body_b[p]
        na = ground if a < 0 else T.bodies[a, 0]
        nb = ground if b < 0 else T.bodies[b, 0]
        e = -1
        if na != nb:
            e = S.island_of_unit[S.unit_of_node[na if na != ground else nb]]
            I[e, I_LAST] += 1
        S.island_of_contact[p] = e
    total = 0
    for e in range(islands):
        n = I[e, I_LAST]
        I[e, I_FIRST] = I[e, I_LAST] = total
        total += n
    for turn in range(2):
        for p in range(points.count[0]):
            e = S.island_of_contact[p]
            if e >= 0 and is_far(S, table, points, p) == (turn == 1):
                S.order[I[e, I_LAST]] = p
                I[e, I_LAST] += 1
        if turn == 0:
            for e in range(islands):
                I[e, I_NEAR] = I[e, I_LAST]


@kernel(options=INLINED)
def is_far(S, table, points, p):
    """True for a contact that bodies close only if others throw them at it: it is farther away than
    several times their motion in a step, and a share of the margin.
    """
    a, b = points.shape_a[p], points.shape_b[p]
    if a < 0 or S.settings[s.ADHESIVE] > 0.0:
        return False
    X = table.work.placed
    reach = FAR_MOTIONS * (X[a, MOTION] + X[b, MOTION])
    return points.gap[p] > reach + FAR_MARGIN * S.settings[s.MARGIN]


@kernel
def rest(T, S, P, y, h):
    """Add up the time that every unit has been at rest, and put islands to sleep in which all units
    have rested long enough.
    y: velocities at the end of the step.
    """
    speed = S.settings[s.REST_SPEED]
    nq = T.size[0]
    for u in range(S.unit_free.shape[0]):
        if S.unit_sleeps[u] == 0 or S.island_of_unit[u] < 0:
            S.still[u] = 0.0
            continue
        i = S.unit_nodes[S.unit_start[u]]
        fastest = 0.0
        for j in range(T.nodes[i, V0], T.nodes[i, V0] + T.nodes[i, DOF]):
            # angular velocities count as speeds at the size of the body
            reach = 1.0 if j < T.nodes[i, V0] + 3 else S.settings[s.SIZE]
            fastest = max(fastest, abs(y[nq + j]) * reach)
        S.still[u] = S.still[u] + h if fastest < speed else 0.0
    if S.settings[s.BELTED] > 0.0:
        wake_on_belts(S, P)


@kernel
def wake_on_belts(S, P):
    """Count units in contact with running belts as moving, even for slow belts: they are carried
    along, or slip.
    """
    for i in range(P.size[CONTACTS]):
        if math.hypot(S.belt_slip[i, 0], S.belt_slip[i, 1]) > S.settings[s.TOLERANCE]:
            for end in range(2):
                if P.side[i, end] != P.size[MOVERS]:
                    S.still[S.unit_of_node[S.node_of_mover[P.side[i, end]]]] = 0.0


@kernel
def mark_sleepers(S, P):
    """Mark islands and units that sleep in this step: all of an island, or none."""
    I, time, sleeping = P.islands, S.settings[s.REST_TIME], 0
    for e in range(P.size[ISLANDS]):
        I[e, I_ASLEEP] = 1 if time > 0.0 else 0
    for u in range(S.unit_free.shape[0]):
        e = S.island_of_unit[u]
        if e >= 0 and not S.still[u] >= time:
            I[e, I_ASLEEP] = 0
    for u in range(S.unit_free.shape[0]):
        e = S.island_of_unit[u]
        S.asleep[u] = 1 if e >= 0 and I[e, I_ASLEEP] == 1 else 0
        sleeping += S.asleep[u]
    return sleeping
