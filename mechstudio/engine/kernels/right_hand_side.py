"""The right-hand side dy/dt of the state y = (q, v, work, readings, time), and the projection onto
the constraint manifold.
"""

from mechstudio.engine.kernels.columns import (
    ACC,
    CD,
    CLOSED,
    DAMP,
    DRIVE,
    DRIVEN,
    EPS,
    EVALUATIONS,
    GAM,
    KEPT,
    KK,
    LAM,
    LEVEL,
    LOANS,
    NEAR,
    NQ,
    NV,
    NX,
    OF_ACCELERATION,
    OF_POSITION,
    OPTIONS,
    PROJECTIONS,
    PULL,
    READ_ROWS,
    REFINEMENTS,
    RMETRES,
    SOFT,
    UNHELD,
    XRATE,
    YIELD,
    C,
)
from mechstudio.engine.kernels.compilation.smooth_kernels import kernel
from mechstudio.engine.kernels.factorisation import factor
from mechstudio.engine.kernels.kernel_table import EVERY, FLAG, NUMBER, TABLES, VECTOR, standing
from mechstudio.engine.kernels.kinematics import (
    coordinate_rates,
    kinematics,
    poses,
    step_coordinates,
)
from mechstudio.engine.kernels.loads.loads import loads
from mechstudio.engine.kernels.rows.loop_rows import row_values, row_wrenches
from mechstudio.engine.kernels.rows.readings import counted_rate, reading_rates, settle
from mechstudio.engine.kernels.solve import solve

MOST_ITERATIONS = 8
# of CLOSED; a residual of a stage near a singular position is divided by the vanishing pivot
STAGE_CLOSED = 0.01


@kernel(**OPTIONS)
def project(y, T, closed):
    """Put y on the constraint manifold: positions by simplified Newton, then velocities, both
    orthogonally in the mass metric.

    y: state, overwritten.  closed: residual at which to stop [m].  Uses the factorisation at hand,
    which must be that of a nearby pose.  On return the nodes are at the new positions, with the
    velocities before their projection.  Returns the largest residual of a kept row [m].
    """
    count, nq, nv, work, D = T.size[KEPT], T.size[NQ], T.size[NV], T.row, T.dof
    step_coordinates(y, T, -1)
    if count == 0 or T.settings[UNHELD] > 0.0:
        if T.size[NX] > 0:
            poses(y, T)
        return 0.0
    T.size[PROJECTIONS] += 1
    worst = 0.0
    for turn in range(MOST_ITERATIONS + 1):
        if turn < MOST_ITERATIONS:
            poses(y, T)
            if T.size[READ_ROWS] > 0:
                settle(y, T)
            row_values(y, T, 0, count)
            before, worst = worst, 0.0
            for r in range(count):
                if work[r, SOFT] == 0.0:
                    worst = max(worst, abs(work[r, C]) * T.row_const[r, RMETRES])
        # positions until they are closed or no longer improve; then, in the last iteration,
        # velocities
        last = turn == MOST_ITERATIONS or worst < closed or (turn > 2 and not worst < 0.5 * before)
        column = CD if last else C
        for r in range(count):
            # a prescribed acceleration constrains no velocity, a soft row neither position nor
            # velocity
            says = T.rows[r, LEVEL] != OF_ACCELERATION and work[r, SOFT] == 0.0
            work[r, KK] = -work[r, column] if says else 0.0
        solve(T, False)
        if last:
            break
        step_coordinates(y, T, ACC)
    for j in range(nv):
        y[nq + j] += D[j, ACC]
    return worst


close = standing(EVERY, project, NUMBER, VECTOR, TABLES, NUMBER)  # stand-in that kernels call


@kernel(**OPTIONS)
def right_hand_side(y, T, out, accelerations):
    """dy/dt into out.  Returns the smallest relative row pivot (see `factor`).

    accelerations: False leaves `out` unfilled and only factorises at y, for a projection.  Near a
    singular position y itself is first put on the constraint manifold: there the normal part of a
    stage's error would be divided by the vanishing pivot.
    """
    size, work = T.size, T.row
    nq, nv, count = size[NQ], size[NV], size[KEPT]
    low = 1.0
    for attempt in range(2):
        kinematics(y, nq, T)
        if count > 0:
            row_wrenches(y, T)
        low = factor(T)
        size[EVALUATIONS] += 1
        if (
            attempt == 1
            or not accelerations
            or not low < T.settings[NEAR]
            or T.settings[UNHELD] > 0.0
        ):
            break
        close(y, T, STAGE_CLOSED * T.settings[CLOSED])
    if not accelerations:
        return low
    if size[NX] > 0:
        reading_rates(T)
    power = loads(y, nq, T)
    if T.settings[DAMP] > 0.0 or T.settings[PULL] > 0.0:
        # Baumgarte: C'' + 2 alpha C' + beta^2 C = 0 in place of C'' = 0, as the right-hand side of
        # the rows
        row_values(y, T, 0, count)
        for r in range(count):
            if T.rows[r, LEVEL] != OF_ACCELERATION:
                work[r, GAM] -= T.settings[DAMP] * work[r, CD]
            if T.rows[r, LEVEL] == OF_POSITION:
                work[r, GAM] -= T.settings[PULL] * work[r, C]
    for r in range(count):
        if work[r, SOFT] > 0.0:
            work[r, GAM] = work[r, YIELD]
        work[r, KK] = work[r, GAM]
    if size[LOANS] > 0:
        # regularising inertia acts on the accelerations of the solve before, which do not exist yet
        for j in range(nv):
            T.dof[j, ACC] = 0.0
    # the proximal refinement removes the error of epsilon and regularising inertia; without either
    # it is not needed
    turns = T.size[REFINEMENTS] if low < T.settings[NEAR] or size[LOANS] > 0 else 0
    for turn in range(turns + 1):
        if turn > 0:
            for r in range(count):
                work[r, KK] = work[r, GAM] + work[r, EPS] * work[r, LAM]
        solve(T, True)
    if size[DRIVEN] > 0:
        # the work of drives: lambda times the rate that they impose
        for r in range(count):
            power += work[r, LAM] * work[r, DRIVE]
    coordinate_rates(y, nq, T, out)
    for j in range(nv):
        out[nq + j] = T.dof[j, ACC]
    out[nq + nv] = power
    for e in range(size[NX]):
        out[nq + nv + 1 + e] = counted_rate(T, e)
    out[y.shape[0] - 1] = 1.0
    return low


evaluate = standing(EVERY, right_hand_side, NUMBER, VECTOR, TABLES, VECTOR, FLAG)


@kernel(**OPTIONS)
def repeat(y, T, out, count):
    """Evaluate the right-hand side `count` times, for timing."""
    for _ in range(count):
        evaluate(y, T, out, True)


@kernel(**OPTIONS)
def jacobian(y, T, J):
    """Fill J (rows, nv) with the rates of all rows, dropped ones included, per unit velocity [m or
    rad].

    y: its velocities become zero.  On return the rows' values and rates in the tables are those at
    rest: C and C_t.
    """
    nq, nv, total = T.size[NQ], T.size[NV], T.row.shape[0]
    for j in range(nv):
        y[nq + j] = 0.0
    for j in range(nv):
        y[nq + j] = 1.0
        poses(y, T)
        row_values(y, T, 0, total)
        for r in range(total):
            J[r, j] = T.row[r, CD]
        y[nq + j] = 0.0
    poses(y, T)
    row_values(y, T, 0, total)
    for j in range(nv):
        for r in range(total):
            J[r, j] -= T.row[r, CD]


@kernel(**OPTIONS)
def move(y, T, increments):
    """q <- q (+) increments (nv,) [m or rad], then the nodes' poses and the values of all rows
    there.
    """
    for j in range(T.size[NV]):
        T.dof[j, ACC] = increments[j]
    step_coordinates(y, T, ACC)
    poses(y, T)
    if T.size[READ_ROWS] > 0:
        settle(y, T)
    row_values(y, T, 0, T.row.shape[0])


@kernel(**OPTIONS)
def settle_readings(y, T):
    """Set the readings of y to their exact values."""
    poses(y, T)
    settle(y, T)


@kernel(**OPTIONS)
def reading_jacobian(y, T, J):
    """Fill J (readings, nv) with the rates of the readings per unit velocity.  y's velocities are
    overwritten.
    """
    nq, nv = T.size[NQ], T.size[NV]
    for j in range(nv):
        y[nq + j] = 0.0
    for j in range(nv):
        y[nq + j] = 1.0
        poses(y, T)
        reading_rates(T)
        for e in range(T.size[NX]):
            J[e, j] = T.read[e, XRATE]
        y[nq + j] = 0.0
