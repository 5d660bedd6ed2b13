"""Velocities at the end of a step without contacts: accelerations of all units, with joints,
couplings and drives held at its end.
"""

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.kernel_table import (
    EVERY,
    GOALS,
    NOTHING,
    NUMBER,
    TABLES,
    VECTOR,
    alone,
)
from mechstudio.engine.contacts.stepping.energy_account import account_end_of_step, account_loads
from mechstudio.engine.contacts.stepping.response import account_rows, solve_rows, turn_freely
from mechstudio.engine.contacts.stepping.soft_rows import (
    any_soft,
    clear_damper_change,
    go_to,
    read_dampers_before,
    set_damper_change,
    soft_power,
    soften,
)
from mechstudio.engine.kernels.columns import (
    ACC,
    CD,
    COORDINATE,
    DOF,
    DRIVE,
    DRIVEN,
    KEPT,
    KK,
    LAM,
    LAW,
    LEVEL,
    NQ,
    NV,
    NX,
    OF_ACCELERATION,
    OVER,
    OVER_TIME,
    RMETRES,
    ROW_TYPE,
    SOFT,
    V0,
)
from mechstudio.engine.kernels.kinematics import poses, step_coordinates
from mechstudio.engine.kernels.loads.law_interpreter import law_jet
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.kernels.rows.loop_rows import row_values

HELD = 1e-13  # joint residual after a solve from which it is polished [m/s]
ALONE, TOUCHING = (
    1.0,
    0.5,
    # shares of the velocities removed by rows as they are before the step that are restored after
    # it, to units without contacts and with them
)

# Gauss' rule of three points over a step: where, and with what weight
PLACES = (0.5 - 0.15**0.5, 0.5, 0.5 + 0.15**0.5)
WEIGHTS = (5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0)


@alone(GOALS, NOTHING, VECTOR, TABLES, s.STAGE, NUMBER)
def set_goals(y, T, S, h):
    """S.goals <- rates that rows of a prescribed acceleration shall have at the end of a step of
    length h from y: that at y and the integral of the acceleration.
    """
    poses(y, T)
    row_values(y, T, 0, T.size[KEPT])
    for r in range(T.size[KEPT]):
        if T.rows[r, LEVEL] == OF_ACCELERATION:
            S.goals[r] = T.row[r, CD]
            for k in range(3):
                f, _g, _h = law_jet(T, T.rows[r, LAW], y[y.shape[0] - 1] + PLACES[k] * h)
                S.goals[r] += WEIGHTS[k] * h * f


@kernel
def rates_left(y, T, S):
    """T.row[:, CD] <- G v + b at the nodes as `poses` left them, of prescribed accelerations the
    difference from the rate at the end of the step.
    """
    row_values(y, T, 0, T.size[KEPT])
    for r in range(T.size[KEPT]):
        T.row[r, CD] -= S.goals[r]


@kernel
def reach_goals(y, T, S):
    """Give the rows of prescribed accelerations their rates, which no projection does, by the
    factorisation at hand; all other rows keep theirs.  Accounts the work of the drives.
    """
    nq = T.size[NQ]
    for _ in range(2):
        rates_left(y, T, S)
        left = 0.0
        for r in range(T.size[KEPT]):
            T.row[r, KK] = 0.0
            if T.rows[r, LEVEL] == OF_ACCELERATION:
                left = max(left, abs(T.row[r, CD]) * T.row_const[r, RMETRES])
                T.row[r, KK] = -T.row[r, CD]
        if left <= HELD:
            break
        solve_rows(T, S, False)
        account_rows(T, S)
        for j in range(T.size[NV]):
            y[nq + j] += T.dof[j, ACC]
        poses(y, T)


@kernel
def foresee_rates(T, S):
    """Replace the rates of driven rows at the middle by the means of those imposed at beginning and
    end, from the errors at the end in CD, and account the work of the drives so far.
    """
    work = 0.0
    for r in range(T.size[KEPT]):
        if (
            T.rows[r, ROW_TYPE] == COORDINATE
            and T.rows[r, LAW] >= 0
            and T.rows[r, OVER] == OVER_TIME
        ):
            S.rates[r] -= 0.5 * T.row[r, CD]
            work += S.pulls[r] * S.rates[r]
    S.tally[s.DRIVE_WORK] += work
    S.counts[s.FORESEEN] = 0


@alone(EVERY, NUMBER, VECTOR, TABLES, s.STAGE, VECTOR)
def hold_rates(y, T, S, v):
    """Project velocities v (nv,) onto the rates required by the rows at y, by the factorisation at
    hand. Returns the largest residual before [m/s].
    """
    nq, nv, count = T.size[NQ], T.size[NV], T.size[KEPT]
    for j in range(nv):
        y[nq + j] = v[j]
    poses(y, T)
    if count == 0:
        return 0.0
    worst = 0.0
    for turn in range(2):
        rates_left(y, T, S)
        left = 0.0
        for r in range(count):
            # rows at the middle of the step constrain accelerations
            T.row[r, KK] = 0.0
            if S.halfway[S.unit_of_row[r]] == 0 and T.row[r, SOFT] == 0.0:
                left = max(left, abs(T.row[r, CD]) * T.row_const[r, RMETRES])
                T.row[r, KK] = -T.row[r, CD]
        if turn == 0:
            worst = left
            if S.counts[s.FORESEEN] == 1:
                foresee_rates(T, S)
        if left <= HELD:
            break
        solve_rows(T, S, False)
        if T.size[DRIVEN] > 0:
            account_rows(T, S)
        for j in range(nv):
            v[j] += T.dof[j, ACC]
            y[nq + j] = v[j]
        poses(y, T)
    return worst


@kernel
def rate_error(y, T, S):
    """Largest |G v + b| of all rows at the nodes as `poses` left them [m/s]."""
    worst = 0.0
    rates_left(y, T, S)
    row_values(y, T, T.size[KEPT], T.row.shape[0])
    for r in range(T.row.shape[0]):
        if r >= T.size[KEPT] and T.rows[r, LEVEL] == OF_ACCELERATION:
            continue
        if T.row[r, SOFT] == 0.0:
            worst = max(worst, abs(T.row[r, CD]) * T.row_const[r, RMETRES])
    return worst


@alone(EVERY, NOTHING, VECTOR, TABLES, s.STAGE, NUMBER)
def accelerate(y, T, S, h):
    """S.slope <- dy/dt with velocities at the middle of the step. y's velocities are restored."""
    nq, nv, clock = T.size[NQ], T.size[NV], y.shape[0] - 1
    soft = any_soft(T)
    if soft:
        go_to(y, T)
    # the power dissipated by soft dampers is accounted by the mean rate, after the step
    dissipated = soft_power(T, S) if soft else 0.0
    if S.settings[s.MEANS] > 0.0 and S.counts[s.STEPS] > 0:
        y[clock] -= 0.5 * h
        right_hand_side(y, T, S.slope, True)
        account_end_of_step(T, S, S.slope[nq + nv] + dissipated, h)
        y[clock] += 0.5 * h
    right_hand_side(y, T, S.slope, True)
    account_loads(T, S, S.slope[nq + nv] + dissipated, h)
    if soft:
        read_dampers_before(y, T)
    for u in range(S.unit_free.shape[0]):
        if S.unit_free[u] == 0:
            # Coriolis terms, dampers and springs' rates at the middle; free bodies are treated
            # separately
            for x in range(S.unit_start[u], S.unit_start[u + 1]):
                i = S.unit_nodes[x]
                for j in range(T.nodes[i, V0], T.nodes[i, V0] + T.nodes[i, DOF]):
                    y[nq + j] = S.before[j] + 0.5 * h * S.slope[nq + j]
            S.counts[s.BEGUN] = 2
    if S.counts[s.BEGUN] == 2:
        S.counts[s.BEGUN] = 1
        if soft:
            set_damper_change(y, T)
        right_hand_side(y, T, S.slope, True)
        for j in range(nv):
            y[nq + j] = S.before[j]
    if soft:
        clear_damper_change(T)


@alone(EVERY, NOTHING, VECTOR, TABLES, s.STAGE, NUMBER)
def accelerate_at_middle(y, T, S, h):
    """S.middle <- dy/dt at q (+) h v / 2 with velocities v + h a / 2, for the midpoint rule."""
    nq, nv, z = T.size[NQ], T.size[NV], S.middle
    right_hand_side(y, T, S.slope, True)
    for x in range(y.shape[0]):
        z[x] = y[x]
    for j in range(nv):
        T.dof[j, ACC] = 0.5 * h * S.before[j]
    step_coordinates(z, T, ACC)
    for e in range(T.size[NX]):
        z[nq + nv + 1 + e] += 0.5 * h * S.slope[nq + nv + 1 + e]
    z[y.shape[0] - 1] += 0.5 * h
    soft = any_soft(T)
    if soft:
        read_dampers_before(z, T)
    for j in range(nv):
        z[nq + j] = y[nq + j] + 0.5 * (h * S.slope[nq + j] + S.jump[j])
    if soft:
        set_damper_change(z, T)
    right_hand_side(z, T, S.slope, True)
    if soft:
        clear_damper_change(T)
    for x in range(y.shape[0]):
        z[x] = S.slope[x]


@kernel
def by_middle(S, u):
    """True if a unit steps by its accelerations at the middle of the step: all but free bodies with
    contacts and no load but their weight, which is the same all the way.
    """
    return S.island_of_unit[u] < 0 or S.unit_free[u] == 0 or S.unit_weighs[u] == 0


@kernel
def any_by_middle(S):
    """True if any unit steps by its accelerations at the middle of the step."""
    for u in range(S.unit_free.shape[0]):
        if by_middle(S, u):
            return True
    return False


@alone(EVERY, NOTHING, VECTOR, TABLES, s.STAGE, NUMBER)
def predict(y, T, S, h):
    """Velocities at the end of the step without contacts: `v* = v + h a, G v* + b = 0`.

    Reads y; writes S.before, S.predicted, S.rates, y.
    S.before (nv,) <- the velocities at the beginning; y holds the predicted ones on return.
    The factorisation and the nodes are those of y's positions, y's time is the end of the step.
    Accounts the work of the loads without potential, and of the drives so far.
    """
    nq, nv, count = T.size[NQ], T.size[NV], T.size[KEPT]
    for u in range(S.halfway.shape[0]):
        S.halfway[u] = 0
    for j in range(nv):
        S.before[j] = y[nq + j]
    if S.settings[s.ACCELERATED] > 0.0:
        set_goals(y, T, S, h)
    if any_soft(T):
        soften(y, T, S, h)
    second = S.settings[s.SECOND_ORDER] > 0.0 and any_by_middle(S)
    if second:
        accelerate_at_middle(y, T, S, h)
        for r in range(count):
            S.pulls[r] = h * T.row[r, LAM]
    accelerate(y, T, S, h)
    for r in range(count):
        S.rates[r] = T.row[r, DRIVE]
        if not (second and by_middle(S, S.unit_of_row[r])):
            S.pulls[r] = h * T.row[r, LAM]
    S.counts[s.FORESEEN] = 1 if T.size[DRIVEN] > 0 else 0
    for j in range(nv):
        S.predicted[j] = S.before[j] + h * S.slope[nq + j]
    for u in range(S.unit_free.shape[0]):
        if second and S.unit_free[u] == 1 and by_middle(S, u):
            # moments of springs at the middle too, or else the mean of the velocities gains energy
            first = T.nodes[S.unit_nodes[S.unit_start[u]], V0]
            for j in range(first + 3, first + 6):
                S.predicted[j] = S.before[j] + h * S.middle[nq + j]
    turn_freely(T, S, y, nq, h, S.predicted, second)
    for u in range(S.unit_free.shape[0]):
        for x in range(S.unit_start[u], S.unit_start[u + 1]):
            i = S.unit_nodes[x]
            for j in range(T.nodes[i, V0], T.nodes[i, V0] + T.nodes[i, DOF]):
                if S.asleep[u] == 1:
                    S.predicted[j] = 0.0
                elif (
                    second
                    and by_middle(S, u)
                    and not (S.unit_free[u] == 1 and j >= T.nodes[i, V0] + 3)
                ):
                    S.predicted[j] = S.before[j] + h * S.middle[nq + j]
    y[y.shape[0] - 1] += h
    for j in range(nv):
        S.rotated[j] = S.predicted[j]
    for r in range(count):
        S.held[r] = 0.0
    hold_rates(y, T, S, S.predicted)
    for j in range(nv):
        S.rotated[j] -= S.predicted[j]
    for r in range(count):
        # the velocities that `turn_with_rows` restores are no work of drives
        S.tally[s.DRIVE_WORK] -= (
            (ALONE if S.island_of_unit[S.unit_of_row[r]] < 0 else TOUCHING) * S.held[r] * S.rates[r]
        )


@kernel
def predict_by_middle(T, S):
    """Restore the part of the predicted velocities that rows of the beginning removed, for
    mechanisms that step by rows of the middle.
    """
    for u in range(S.halfway.shape[0]):
        if S.halfway[u] == 1:
            for x in range(S.unit_start[u], S.unit_start[u + 1]):
                i = S.unit_nodes[x]
                for j in range(T.nodes[i, V0], T.nodes[i, V0] + T.nodes[i, DOF]):
                    S.predicted[j] += S.rotated[j]
                    S.rotated[j] = 0.0
    for r in range(T.size[KEPT]):
        if S.halfway[S.unit_of_row[r]] == 1:
            S.tally[s.DRIVE_WORK] -= (1.0 - TOUCHING) * S.held[r] * S.rates[r]
