"""Columns of the tables that kernels read and write, and how kernels are compiled.

A *node* is one elementary motion of the spanning tree (a screw, a ball, a free motion or a motion
along a curve) with the mass that it carries.  A body has a constant pose in its node's axes.  All
node axes are parallel to W when every coordinate is zero.  The last row of the node tables is
ground.  A *slot* is a loop row as seen at one node on its way up the tree.
A *reading* is a joint coordinate outside the coordinates of the tree: that of a loop-closing joint,
or an angle of a ball.
State y = (q, v, work, readings, time).
"""

from typing import Any

import numpy as np

from mechstudio.engine.kernels.compilation.array_sets import (
    INTEGERS,
    NUMBERS,
    ArraySet,
    integer_table,
    table,
)

# never nnan, since the NaN guards must stay.  No reference counts: kernels own nothing, and
# counting twenty arrays took half the time of a small right-hand side
OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "fastmath": {"contract", "nsz", "arcp"},
    "_nrt": False,
    "nogil": True,
    "forceinline": False,
}  # explicit, since Numba inherits omitted options from the calling kernel
CALLED = OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
INLINE = CALLED | {"forceinline": True}

# size: integers of the whole.  KEPT rows are eliminated, the others only checked.  Of the checked
# rows those up to HELD, of joints and couplings, hold positions in every pose; SPARE: whether some
# of them could replace a kept row; INNER kept rows close at nodes, the rest at ground; LOANS:
# columns with regularising inertia; READ_ROWS: coordinate rows that depend on readings; DRIVEN:
# rows with a law over the time;
# `order` holds the ground rows in their order of elimination, from EDGE0 on the coupling entries of
# `factor`, from FILL0 on its fill
(
    NQ,
    NV,
    NX,
    KEPT,
    INNER,
    EDGE0,
    FILL0,
    REFINEMENTS,
    LOANS,
    READ_ROWS,
    DRIVEN,
    EVALUATIONS,
    PROJECTIONS,
    HELD,
    SPARE,
    SIZE_WIDTH,
) = range(16)

# settings: numbers of the whole.  NEAR: relative row pivot below which a position counts as
# near-singular; LENGTH: size [m];
# CLOSED: largest row residual [m] after projection; TORN: the same at which a joint counts as torn
# apart; GX: gravity;
# UNHELD: 1 where nothing is projected, so that drift shows; DAMP, PULL: Baumgarte's 2 alpha and
# beta^2 on the rows' accelerations
EPSILON, NEAR, LENGTH, CLOSED, GX, GY, GZ, UNHELD, DAMP, PULL, TORN, SETTINGS_WIDTH = range(12)

# nodes (integers): parent row, motion, first coordinate, first velocity, freedoms, slots
# CLOSE0:PASS0 of rows that close here, PASS0:PASS1 that pass on; of a motion along a curve its
# pieces PIECE0:PIECE1 and whether the curve is closed
PARENT, MOTION, Q0, V0, DOF, CLOSE0, PASS0, PASS1, PIECE0, PIECE1, ENDLESS, NODE_INTS = range(12)
SCREW, BALL, FREE, TRACK = range(4)
# node_const: axis in node axes, radians and metres per unit of the coordinate, joint position in
# the parent's axes, mass, mass times centre, inertia about the node's origin (xx, xy, xz, yy, yz,
# zz), and of a curve that turns about the axis by 1 rad per unit of the coordinate 1, or -1 where
# it is traversed backwards
AXIS, PER_TURN, PER_SLIDE, ARM, MASS, MOMENT, INERTIA, CURVE_TURNING, NODE_CONSTS = (
    0,
    3,
    4,
    5,
    8,
    9,
    12,
    18,
    19,
)
# node (work, world axes): rotation matrix, origin, angular velocity, velocity of the origin, their
# accelerations for v' = 0 with ground accelerating by -g, arm from the parent's origin, articulated
# inertia (J 6, H 9, M 6), applied wrench with minus, unknowns
R, O, W, V, AW, AV, RV, JJ, HH, MM, PF, AA, NODE_WORK = (
    0,
    9,
    12,
    15,
    18,
    21,
    24,
    27,
    33,
    42,
    48,
    54,
    60,
)

# curves, one row per piece, in the axes of the node's parent: arc length at its beginning and end,
# curvature of an arc of a circle (0: a polynomial), x, y, z in powers 0 to 5 of the arc length from
# its beginning; of an arc in 1, cos and sin of the angle from its beginning
P_START, P_STOP, P_CURVATURE, P_X, P_Y, P_Z, CURVE_CONSTS = 0, 1, 2, 3, 9, 15, 21

# dof (work): column S = (angular, linear), U = I_A S, 1 / D, upward remainder, generalised effort,
# result; regularising inertia of a column that has none
S, U, DI, UU, TAU, ACC, REGULARISING, DOF_WORK = 0, 6, 12, 13, 14, 15, 16, 17

# rows (integers): primitive, node a, node b, their slots, neighbours NEAR0:NEAR1 left at
# elimination, first fill entry, level
ROW_TYPE, RA, RB, SA, SB, NEAR0, NEAR1, FILL, LEVEL, ROW_INTS = range(10)
POINT, ANGLE, DISTANCE, TWIST, ROLL, EDGE, COORDINATE = range(7)
# a COORDINATE row has terms TERM0:TERM1 instead of two nodes, and a law (-1: none) of the time or
# of the coordinate of its first term
TERM0, TERM1, LAW, OVER = RA, RB, SA, SB
OVER_TIME, OVER_FIRST = range(2)
# level of a row: it constrains its value, rate and acceleration; only its rate and acceleration;
# only its acceleration
OF_POSITION, OF_VELOCITY, OF_ACCELERATION = range(3)
# row_const: axis in a, point or second axis in a, axis or point in b, length (constant of a
# coordinate row), unit of epsilon, pivot at the generic pose, factor to metres, second axis in b;
# stiffness and damping of a soft row, both 0 of others, its value without force, and 1 where the
# work of its stiffness is in no potential
RU, RP, RQ, RLEN, RSCALE, RPIVOT, RMETRES, RW, RSTIFF, RDAMP, RREST, RACCOUNTED, ROW_CONSTS = (
    0,
    3,
    6,
    9,
    10,
    11,
    12,
    13,
    16,
    17,
    18,
    19,
    20,
)
# row (work): value C, rate, gamma, (J M^-1 J^T)_rr along the tree, pivot, 1 / pivot, multiplier,
# right-hand side, epsilon, rate J v of a driven row;  of a soft row, which is compliant as a spring
# and damper are: its compliance (0: a rigid row) and its right-hand side in J v' + SOFT lambda =
# YIELD
C, CD, GAM, KD0, KD, KDI, LAM, KK, EPS, DRIVE, SOFT, YIELD, ROW_WORK = range(13)

# terms (integers) of coordinate rows: place of the coordinate in y, its dof (-1: a reading), its
# reading, whether it is an angle, nodes a and b between which it is measured, their slots.
# factors: of each term
TERM_X, TERM_DOF, TERM_READ, TERM_TURN, TERM_A, TERM_B, TERM_SA, TERM_SB, TERM_INTS = range(9)

# slots (integers): row, slot of the same row at the parent node (-1: none).   wrench (work): F of
# the row there, S.F per column
SLOT_ROW, SLOT_UP = range(2)
FF, YY, WRENCH_WORK = 0, 6, 12

# forces (integers): attachment, law, nodes, place of x in y, dof or reading, whether body axes,
# whether a moment, potential (-1: none), rows of its laws
(
    F_AT,
    F_LAW,
    F_A,
    F_B,
    F_X,
    F_DOF,
    F_BODY_AXES,
    F_MOMENT,
    F_POTENTIAL,
    F_LAW0,
    F_LAW1,
    FORCE_INTS,
) = range(12)
AT_TWO_POINTS, AT_DOF, AT_READING, AT_BODY, AT_FRAMES = range(5)
# force_const: point in a, point in b, frame A in a, frame B in b (of a BODY vector: the axes it is
# given in), parameters (work where they follow laws); work of a bushing: turn and shift, their
# rates, K x + D x'
FPA, FPB, FRA, FRB, FPAR, FX, FXRATE, FPULL, FORCE_CONSTS = 0, 3, 6, 15, 24, 66, 72, 78, 84

# reads (integers), one row per coordinate: node a, node b, operation, axis, reference axis, source,
# first row and count of the group that is read together, axis of a following rod (-1: none),
# whether the rate is read along one axis (0: through the joint's whole basis), side
X_A, X_B, X_OP, X_AXIS, X_REF, X_SOURCE, X_FIRST, X_COUNT, X_ROD, X_SIMPLE, X_SIDE, READ_INTS = (
    range(12)
)
OP_TURN, OP_SLIDE, OP_PSI, OP_THETA, OP_PHI, OP_TILT_X, OP_TILT_Y = range(7)
FROM_TRACE, FROM_COLUMN, FROM_POINT = range(3)
# read_const: frame A in a (matrix, origin), frame B in b, rod length
XRA, XPA, XRB, XPB, XLEN, READ_CONSTS = 0, 9, 12, 21, 24, 25
# read (work): column (angular, linear at B's origin), row of the inverse Gram matrix, rate, largest
# rate that is integrated; remaining R and p; axes so far
XS, XG, XRATE, XMOST, XR, XP, XAX, READ_WORK = 0, 6, 14, 15, 16, 25, 28, 37
MOST_FREEDOMS = 8

# laws (integers), motion laws and typed expressions (engine/system/law_tables.py): type, first row
# in law_const or code, how many; of a force's parameter: its column in force_const, and that of its
# rate (-1: unused)
L_TYPE, L_FIRST, L_COUNT, L_PARAMETER, L_RATE, LAW_INTS = range(6)
# TURNING: pieces that repeat with every turn of the variable.  GENEVA: wheel of a Geneva drive
PIECES, TURNING, SINE, EXPRESSION, GENEVA = range(5)
# law_const, one row per piece: beginning, origin, 1 / length, coefficients in u = (s - origin) /
# length; of a sine offset, amplitude, omega, phase; of a Geneva wheel begin, end, step, sense,
# ratio (model/laws/geneva.py)
L_BEGIN, L_ORIGIN, L_INVERSE, L_COEFFICIENT, LAW_CONSTS = 0, 1, 2, 3, 9
# code, one row per instruction: operation, the instructions whose results it takes; of a variable:
# which one, its place in y or number, and where its rate is (dof, or -1 - reading)
C_OP, C_A, C_B, C_RATE, CODE_INTS = range(5)
V_CLOCK, V_X, V_V, V_POINT, V_COORDINATE, V_RATE = range(6)
# code_const, one row per instruction (work, but for constants): result, its slope and curvature
C_VALUE, C_SLOPE, C_CURVE, CODE_CONSTS = range(4)

# bodies (integers): node.   body_const: body frame in node axes (matrix, origin), unused for bodies
# on ground
B_NODE, BODY_INTS = range(2)
BR, BP, BODY_CONSTS = 0, 9, 12


# addresses of the compiled kernels that others call by address (kernels/kernel_table.py), of this
# process
ADDRESSES = np.zeros(32, np.int64)


class Tables(ArraySet):
    """Data of a mechanism that kernels read, and their working memory."""

    beyond = (ADDRESSES,)

    kinds = {
        "size": INTEGERS,
        "settings": NUMBERS,
        "nodes": integer_table(NODE_INTS),
        "node_const": table(NODE_CONSTS),
        "node": table(NODE_WORK),
        "dof": table(DOF_WORK),
        "curves": table(CURVE_CONSTS),
        "rows": integer_table(ROW_INTS),
        "row_const": table(ROW_CONSTS),
        "row": table(ROW_WORK),
        "terms": integer_table(TERM_INTS),
        "factors": NUMBERS,
        "slots": integer_table(2),
        "wrench": table(WRENCH_WORK),
        "near": integer_table(2),
        "coupling": NUMBERS,
        "order": INTEGERS,
        "forces": integer_table(FORCE_INTS),
        "force_const": table(FORCE_CONSTS),
        "reads": integer_table(READ_INTS),
        "read_const": table(READ_CONSTS),
        "read": table(READ_WORK),
        "bodies": integer_table(BODY_INTS),
        "body_const": table(BODY_CONSTS),
        "laws": integer_table(LAW_INTS),
        "law_const": table(LAW_CONSTS),
        "code": integer_table(CODE_INTS),
        "code_const": table(CODE_CONSTS),
    }
