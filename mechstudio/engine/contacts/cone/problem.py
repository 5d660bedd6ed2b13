"""The cone complementarity problem of one step, and the product with its matrix N = D^T W D + E.

    K contains gamma  _|_  N gamma + r  in K*
        (Tasora & Anitescu 2011;  r holds gap / step, restitution and the velocity without contacts)

W maps wrenches on *movers* to their twists: a mover is a touched node of the tree; its wrench
(force, moment) and its twist (velocity, angular velocity) are in W's axes about the node's own
origin.  A free body is a mover with its own mass; movers of a mechanism are connected by joints,
and a dense block per mechanism gives the motion of each under a wrench on any other with the joints
held: the projected inverse mass of CONTACT 4.B.  The last mover is ground.  Contacts and movers are
in the order of their islands.
"""

import numpy as np

from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.kernel_table import EVERY, INDEX, NOTHING, ROWS, Addressed, alone
from mechstudio.engine.kernels.compilation.array_sets import (
    INTEGERS,
    MATRIX,
    NUMBERS,
    integer_table,
    table,
)

# size: contacts, numbers per contact (3, or 6 with resistance to spinning and rolling), movers
# without ground, islands, patches of the present island that share friction (cone/patches)
CONTACTS, WIDTH, MOVERS, ISLANDS, PATCHES, SIZE_WIDTH = range(6)
# frame: normal n and tangents u, w in W, arms from the origins of movers a and b to the contact;
# n x d for friction that acts at a distance d from it along the patch (cone/patches)
N, U, W, ARM_A, ARM_B, INWARD, FRAME_WIDTH = 0, 3, 6, 9, 12, 15, 18
# cone: friction (below zero: minus the most friction of a point inside a patch [N s]), spinning and
# rolling resistance over the length, that length [m]
MU, SPIN, ROLL, LENGTH, CONE_WIDTH = range(5)
# mass of a mover: 1 / m, inverse inertia xx xy xz yy yz zz in W; zeros for one of a mechanism
MASS_WIDTH = 7
# islands (integers): contacts, movers, blocks from - to, whether dense, whether it sleeps, end of
# the contacts that may close in the step
I_FIRST, I_LAST, I_MOVER0, I_MOVER1, I_BLOCK0, I_BLOCK1, I_DENSE, I_ASLEEP = range(8)
I_NEAR, ISLAND_INTS = 8, 9
# blocks (integers): first mover, number of movers, beginning of the matrix
B_MOVER, B_COUNT, B_START, BLOCK_INTS = range(4)
# data of a contact for pile_operator.py in one row, constant in a solve and changing
FIXED_WIDTH, MOVING_WIDTH = 17, 22
# numbering, newton: see envelope.py; factor: L of every block, W = L L^T, see coordinates.py
NUMBERING_WIDTH = 7
# patches (integers, numbers): see cone/patches; most rows of a contact's patch after all contacts,
# and most grains of its area
PATCH_INTS, PATCH_WIDTH, GRAIN_WIDTH, CORNER_WIDTH = 8, 17, 6, 3
PATCH_ROWS, PATCH_GRAINS = 4, 80
NEWTON = 400_000  # numbers of a matrix in its envelope up to which Newton's method is used
IMMOVABLE = 1e-12  # of the largest response in an island: smaller responses are rounding
DENSE = 42  # numbers of unknowns up to which an island's matrix is assembled

# side (contacts, 2): movers a and b.   soft (contacts, 2): compliance of normal and tangent rows
# [m/s per N s].   scale (contacts,): mean of N's diagonal. shift (contacts,): De Saxce's mu |u_t|
# [m/s].   impact: impulses of impacts before.   r, gamma, and y … kept (contacts, 6): see solvers.
# twist (movers + 2, 6): ground, and a spare row; change, wrench: of a step of Newton's method.
# matrix, total: N of a dense island, row by row, and a product with it
_PER_CONTACT = (
    "r",
    "gamma",
    "impact",
    "y",
    "gradient",
    "trial",
    "product_y",
    "product_gamma",
    "product_trial",
    "best",
    "kept",
    "first",
)


class Problem(Addressed):
    """Arrays of the problem, described above."""

    kinds = {
        "size": INTEGERS,
        "side": integer_table(2),
        "frame": table(FRAME_WIDTH),
        "cone": table(CONE_WIDTH),
        "soft": table(2),
        "scale": NUMBERS,
        "shift": NUMBERS,
        **{name: MATRIX for name in _PER_CONTACT},
        "mass": table(MASS_WIDTH),
        "twist": table(6),
        "change": table(6),
        "wrench": table(6),
        "blocks": integer_table(BLOCK_INTS),
        "block_matrix": NUMBERS,
        "factor": NUMBERS,
        "matrix": table(1),
        "total": table(1),
        "islands": integer_table(ISLAND_INTS),
        "fixed": table(FIXED_WIDTH),
        "moving": table(MOVING_WIDTH),
        "numbering": integer_table(NUMBERING_WIDTH),
        "newton": NUMBERS,
        "patches": integer_table(PATCH_INTS),
        "places": table(PATCH_WIDTH),
        "grains": table(GRAIN_WIDTH),
        "corners": table(CORNER_WIDTH),
    }


PROBLEM = Problem.compiled_type


def new_problem(
    contacts: int, movers: int, width: int = 3, block_room: int = 0, blocks: int = 0
) -> Problem:
    """A problem with room for so many contacts and movers. width: 6 if any contact resists spinning
    or rolling, else 3.  block_room: numbers of all blocks together.
    """
    room, m = max(contacts, 1), max(movers, 1) + 2
    # after the contacts there is room for a copy of an island with points inside its patches
    n = room * (2 + PATCH_ROWS)
    return Problem(
        np.array([0, width, 0, 0, 0], np.int64),
        np.zeros((n, 2), np.int64),
        np.zeros((n, FRAME_WIDTH)),
        np.zeros((n, CONE_WIDTH)),
        np.zeros((n, 2)),
        np.zeros(n),
        np.zeros(n),
        *(np.zeros((n, width)) for _ in _PER_CONTACT),
        np.zeros((m, MASS_WIDTH)),
        np.zeros((m, 6)),
        np.zeros((m, 6)),
        np.zeros((m, 6)),
        np.zeros((max(blocks, 1), BLOCK_INTS), np.int64),
        np.zeros(max(block_room, 1)),
        np.zeros(max(block_room, 1)),
        np.zeros((DENSE * DENSE, 1)),
        np.zeros((DENSE, 1)),
        np.zeros((m, ISLAND_INTS), np.int64),
        np.zeros((n, FIXED_WIDTH)),
        np.zeros((n, MOVING_WIDTH)),
        np.zeros((m, NUMBERING_WIDTH), np.int64),
        np.zeros(NEWTON),
        np.zeros((room, PATCH_INTS), np.int64),
        np.zeros((room, PATCH_WIDTH)),
        np.zeros((PATCH_GRAINS * room, GRAIN_WIDTH)),
        np.zeros((room, CORNER_WIDTH)),
    )


@kernel(options=INLINED)
def push(F, i, twist, a, b, p0, p1, p2):
    """Add the impulse (p0, p1, p2) in contact axes to the wrenches of its movers."""
    x = F[i, 0] * p0 + F[i, 3] * p1 + F[i, 6] * p2
    y = F[i, 1] * p0 + F[i, 4] * p1 + F[i, 7] * p2
    z = F[i, 2] * p0 + F[i, 5] * p1 + F[i, 8] * p2
    twist[b, 0] += x
    twist[b, 1] += y
    twist[b, 2] += z
    twist[b, 3] += F[i, 13] * z - F[i, 14] * y
    twist[b, 4] += F[i, 14] * x - F[i, 12] * z
    twist[b, 5] += F[i, 12] * y - F[i, 13] * x
    twist[a, 0] -= x
    twist[a, 1] -= y
    twist[a, 2] -= z
    twist[a, 3] -= F[i, 10] * z - F[i, 11] * y
    twist[a, 4] -= F[i, 11] * x - F[i, 9] * z
    twist[a, 5] -= F[i, 9] * y - F[i, 10] * x
    turn = F[i, INWARD] * x + F[i, INWARD + 1] * y + F[i, INWARD + 2] * z
    for c in range(3):
        twist[b, 3 + c] += turn * F[i, c]
        twist[a, 3 + c] -= turn * F[i, c]


@kernel(options=INLINED)
def push_turn(F, i, twist, a, b, p0, p1, p2):
    """Add the moment (p0, p1, p2) in contact axes to the wrenches of its movers."""
    x = F[i, 0] * p0 + F[i, 3] * p1 + F[i, 6] * p2
    y = F[i, 1] * p0 + F[i, 4] * p1 + F[i, 7] * p2
    z = F[i, 2] * p0 + F[i, 5] * p1 + F[i, 8] * p2
    twist[b, 3] += x
    twist[b, 4] += y
    twist[b, 5] += z
    twist[a, 3] -= x
    twist[a, 4] -= y
    twist[a, 5] -= z


@kernel(options=INLINED)
def slip(F, i, twist, a, b):
    """Velocity of b relative to a at contact i, in contact axes."""
    x = (
        twist[b, 0]
        + twist[b, 4] * F[i, 14]
        - twist[b, 5] * F[i, 13]
        - (twist[a, 0] + twist[a, 4] * F[i, 11] - twist[a, 5] * F[i, 10])
    )
    y = (
        twist[b, 1]
        + twist[b, 5] * F[i, 12]
        - twist[b, 3] * F[i, 14]
        - (twist[a, 1] + twist[a, 5] * F[i, 9] - twist[a, 3] * F[i, 11])
    )
    z = (
        twist[b, 2]
        + twist[b, 3] * F[i, 13]
        - twist[b, 4] * F[i, 12]
        - (twist[a, 2] + twist[a, 3] * F[i, 10] - twist[a, 4] * F[i, 9])
    )
    turn = 0.0
    for c in range(3):
        turn += (twist[b, 3 + c] - twist[a, 3 + c]) * F[i, c]
    x, y, z = x + turn * F[i, INWARD], y + turn * F[i, INWARD + 1], z + turn * F[i, INWARD + 2]
    return (
        F[i, 0] * x + F[i, 1] * y + F[i, 2] * z,
        F[i, 3] * x + F[i, 4] * y + F[i, 5] * z,
        F[i, 6] * x + F[i, 7] * y + F[i, 8] * z,
    )


@kernel(options=INLINED)
def turn_slip(F, i, twist, a, b):
    """Angular velocity of b relative to a, in contact axes."""
    x, y, z = twist[b, 3] - twist[a, 3], twist[b, 4] - twist[a, 4], twist[b, 5] - twist[a, 5]
    return (
        F[i, 0] * x + F[i, 1] * y + F[i, 2] * z,
        F[i, 3] * x + F[i, 4] * y + F[i, 5] * z,
        F[i, 6] * x + F[i, 7] * y + F[i, 8] * z,
    )


@kernel(options=INLINED)
def is_inward(F, i):
    """True if the friction of contact i acts inside a patch."""
    return F[i, INWARD] != 0.0 or F[i, INWARD + 1] != 0.0 or F[i, INWARD + 2] != 0.0


@kernel(options=INLINED)
def inward(F, i):
    """Moments about the normal of unit friction along u and w, where it acts inside a patch."""
    x, y, z = F[i, INWARD], F[i, INWARD + 1], F[i, INWARD + 2]
    return (
        x * F[i, U] + y * F[i, U + 1] + z * F[i, U + 2],
        x * F[i, W] + y * F[i, W + 1] + z * F[i, W + 2],
    )


@kernel
def end_at(P, island, last):
    """Let an island end at the contact `last`, and be dense if what is left is small."""
    I = P.islands
    I[island, I_LAST] = last
    rows = (last - I[island, I_FIRST]) * P.size[WIDTH]
    I[island, I_DENSE] = 1 if rows <= DENSE else 0


@kernel
def copy_impulses(P, island, source, target):
    """Copy the rows of an island from one array of impulses to another."""
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        for c in range(P.size[WIDTH]):
            target[i, c] = source[i, c]


@kernel
def gather_wrenches(P, island, x):
    """The wrenches that impulses x (contacts, WIDTH) put on the movers of an island, in place of
    their twists.
    """
    I, F, twist = P.islands, P.frame, P.twist
    ground = P.size[MOVERS]
    for k in range(I[island, I_MOVER0], I[island, I_MOVER1]):
        for j in range(6):
            twist[k, j] = 0.0
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        push(F, i, twist, P.side[i, 0], P.side[i, 1], x[i, 0], x[i, 1], x[i, 2])
    if P.size[WIDTH] == 6:
        for i in range(I[island, I_FIRST], I[island, I_LAST]):
            k = P.cone[i, LENGTH]
            push_turn(
                F, i, twist, P.side[i, 0], P.side[i, 1], k * x[i, 3], k * x[i, 4], k * x[i, 5]
            )
    for j in range(6):
        twist[ground, j] = 0.0


@kernel
def respond(P, island):
    """twist <- W wrench for the movers of an island."""
    I, M, twist = P.islands, P.mass, P.twist
    if I[island, I_BLOCK1] > I[island, I_BLOCK0]:
        for b in range(I[island, I_BLOCK0], I[island, I_BLOCK1]):
            respond_block(P, b)
    for k in range(I[island, I_MOVER0], I[island, I_MOVER1]):
        m = M[k, 0]
        if m == 0.0:
            continue
        x, y, z = twist[k, 3], twist[k, 4], twist[k, 5]
        twist[k, 0] *= m
        twist[k, 1] *= m
        twist[k, 2] *= m
        twist[k, 3] = M[k, 1] * x + M[k, 2] * y + M[k, 3] * z
        twist[k, 4] = M[k, 2] * x + M[k, 4] * y + M[k, 5] * z
        twist[k, 5] = M[k, 3] * x + M[k, 5] * y + M[k, 6] * z


@kernel
def respond_block(P, b):
    """twist <- block times wrench.  After the matrix there is room for the result."""
    first, count, start = P.blocks[b, B_MOVER], P.blocks[b, B_COUNT], P.blocks[b, B_START]
    n = 6 * count
    A, out = P.block_matrix, start + n * n
    for p in range(n):
        A[out + p] = 0.0
    for q in range(n):
        x, row = P.twist[first + q // 6, q % 6], start + q * n
        if x != 0.0:
            for p in range(n):
                A[out + p] += A[row + p] * x
    for p in range(n):
        P.twist[first + p // 6, p % 6] = A[out + p]


@kernel
def read_slips(P, island, x, out):
    """out <- D^T twist + E x for the contacts of an island."""
    I, F, twist = P.islands, P.frame, P.twist
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        a, b, c = slip(F, i, twist, P.side[i, 0], P.side[i, 1])
        out[i, 0] = a + P.soft[i, 0] * x[i, 0]
        out[i, 1] = b + P.soft[i, 1] * x[i, 1]
        out[i, 2] = c + P.soft[i, 1] * x[i, 2]
    if P.size[WIDTH] == 6:
        for i in range(I[island, I_FIRST], I[island, I_LAST]):
            a, b, c = turn_slip(F, i, twist, P.side[i, 0], P.side[i, 1])
            k = P.cone[i, LENGTH]
            out[i, 3], out[i, 4], out[i, 5] = k * a, k * b, k * c


@alone(EVERY, NOTHING, PROBLEM, INDEX, ROWS, ROWS)
def multiply(P, island, x, out):
    """out <- N x for the contacts of an island; x, out (contacts, WIDTH)."""
    I = P.islands
    if I[island, I_DENSE] == 0:
        gather_wrenches(P, island, x)
        respond(P, island)
        read_slips(P, island, x, out)
        return
    first, last, width, A, total = (
        I[island, I_FIRST],
        I[island, I_LAST],
        P.size[WIDTH],
        P.matrix,
        P.total,
    )
    length, entry = width * (last - first), 0
    for k in range(length):
        total[k, 0] = 0.0
    for i in range(first, last):
        for c in range(width):
            v = x[i, c]
            if v != 0.0:
                # along one row of numbers, several of which the processor handles at a time
                for k in range(length):
                    total[k, 0] += A[entry + k, 0] * v
            entry += length
    k = 0
    for i in range(first, last):
        for c in range(width):
            out[i, c] = total[k, 0]
            k += 1


@kernel
def assemble_dense(P, island):
    """Fill P.matrix with N of an island that is marked dense, column by column.  Overwrites y and
    product_y.
    """
    I = P.islands
    first, last, width, entry = I[island, I_FIRST], I[island, I_LAST], P.size[WIDTH], 0
    for i in range(first, last):
        for c in range(width):
            P.y[i, c] = 0.0
    for i in range(first, last):
        for c in range(width):
            P.y[i, c] = 1.0
            gather_wrenches(P, island, P.y)
            respond(P, island)
            read_slips(P, island, P.y, P.product_y)
            P.y[i, c] = 0.0
            for j in range(first, last):
                for e in range(width):
                    P.matrix[entry, 0] = P.product_y[j, e]
                    entry += 1


@kernel
def set_scales(P, island):
    """The mean of the diagonal of N per contact [1/kg], from the first three rows."""
    I = P.islands
    ground = P.size[MOVERS]
    width, count, largest = P.size[WIDTH], I[island, I_LAST] - I[island, I_FIRST], 0.0
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        total = P.soft[i, 0] + 2.0 * P.soft[i, 1]
        if I[island, I_DENSE] == 1:
            row = (i - I[island, I_FIRST]) * width
            total = 0.0
            for c in range(3):
                total += P.matrix[(row + c) * width * count + row + c, 0]
        else:
            for end in range(2):
                k = P.side[i, end]
                if k != ground:
                    total += own_response(P, i, k, ARM_A + 3 * end)
        P.scale[i] = total / 3.0
        largest = max(largest, total / 3.0)
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        if not P.scale[i] > IMMOVABLE * largest:
            # a driven body presses on a fixed one: no impulse moves either, and none is requested
            P.scale[i] = largest if largest > 0.0 else 1.0
            P.r[i, 0] = max(P.r[i, 0], 0.0)
            P.cone[i, MU] = P.cone[i, SPIN] = P.cone[i, ROLL] = 0.0


@kernel
def own_response(P, i, k, arm):
    """Trace over n, u, w of the response of mover k at contact i to impulses there alone."""
    total = 0.0
    for c in range(3):
        total += row_response(P, i, k, arm, c)
    return total


@kernel
def normal_response(P, i):
    """Normal velocity that an impulse of 1 N s at contact i alone gives its ends against each
    other, as if these were not connected [m/s].
    """
    total = 0.0
    for end in range(2):
        if P.side[i, end] != P.size[MOVERS]:
            total += row_response(P, i, P.side[i, end], ARM_A + 3 * end, 0)
    return total


@kernel
def row_response(P, i, k, arm, c):
    """Response of mover k along axis c of contact i to an impulse along it."""
    F, M = P.frame, P.mass
    rx, ry, rz = F[i, arm], F[i, arm + 1], F[i, arm + 2]
    fx, fy, fz = F[i, 3 * c], F[i, 3 * c + 1], F[i, 3 * c + 2]
    x, y, z = ry * fz - rz * fy, rz * fx - rx * fz, rx * fy - ry * fx
    start, n, row = block_of(P, k)
    if start < 0:
        return (
            M[k, 0]
            + x * (M[k, 1] * x + M[k, 2] * y + M[k, 3] * z)
            + y * (M[k, 2] * x + M[k, 4] * y + M[k, 5] * z)
            + z * (M[k, 3] * x + M[k, 5] * y + M[k, 6] * z)
        )
    A, total = P.block_matrix, 0.0
    for p in range(6):
        left = (
            fx
            if p == 0
            else fy
            if p == 1
            else fz
            if p == 2
            else x
            if p == 3
            else y
            if p == 4
            else z
        )
        at = start + (row + p) * n + row
        total += left * (
            A[at] * fx
            + A[at + 1] * fy
            + A[at + 2] * fz
            + A[at + 3] * x
            + A[at + 4] * y
            + A[at + 5] * z
        )
    return total


@kernel
def block_of(P, k):
    """(beginning of the block of mover k, its size, first row of the mover); -1 for a free body."""
    if P.mass[k, 0] > 0.0:
        return -1, 0, 0
    for b in range(P.blocks.shape[0]):
        first, count = P.blocks[b, B_MOVER], P.blocks[b, B_COUNT]
        if first <= k < first + count:
            return P.blocks[b, B_START], 6 * count, 6 * (k - first)
    return -1, 0, 0
