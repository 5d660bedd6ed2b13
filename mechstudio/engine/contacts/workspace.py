"""Working memory of the steps of a run with contacts, beside the tables of smooth motion: settings,
units, stored impulses, totals.

A *unit* is a set of nodes connected by joints: a free body by itself, or all nodes of a mechanism
that joints, couplings and drives connect.  Units in contact with each other form an island.
"""

from collections.abc import Sequence

import numpy as np

from mechstudio.engine.contacts.kernel_table import Addressed
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.compilation.array_sets import INTEGERS, MATRIX, NUMBERS, table

# settings [SI].  METHOD: of engine/contacts/cone/gauss_seidel.py; SAXCE: most passes of De Saxce's
# correction; SLOWEST: approach below which there is no rebound [m/s];
# RECOVERY: speed at which overlaps may be separated by velocity [m/s]; SLOP: overlap that the
# projection ignores [m], negative for no projection;
# SEQUENTIAL: 1 for impacts one after the other; MEANS: 1 where loads are means over steps
# (engine/contacts/runs/mean_loads.py); REST_SPEED, REST_TIME: below and for how long before a
# unit sleeps,
# REST_TIME 0 for never; SIZE: of the mechanism [m]; TAKEN: length of the last step made [s];
# BELTED: 1 where a surface moves along itself; SHARING: 1 where flat patches that spin share
# friction inside (engine/contacts/cone/patches); ADHESIVE: 1 where surfaces hold together;
# ACCELERATED: 1 where drives prescribe accelerations; ELASTIC: 1 where a surface is compliant;
# REBOUNDS: 1 where a surface or a stop rebounds
(
    STEP,
    TOLERANCE,
    MOST,
    METHOD,
    SAXCE,
    OMEGA,
    MARGIN,
    SLOWEST,
    RECOVERY,
    SLOP,
    SEQUENTIAL,
    REST_SPEED,
    REST_TIME,
    SIZE,
    SECOND_ORDER,
    MEANS,
    TAKEN,
    BELTED,
    SHARING,
    ADHESIVE,
    ACCELERATED,
    ELASTIC,
    REBOUNDS,
    SETTINGS_WIDTH,
) = range(24)
# counts: contacts (of joints at their stops among them), iterations, products, islands, unconverged
# islands of the last step, steps so far, room for contacts requested, sleeping units, rebounds so
# far, joints near their stops, events in `events`, whether the rates of driven rows are still those
# of the beginning of the step, steps so far with unconverged islands; contents of S.past
# (engine/contacts/stepping/overlaps.py), the deepest point of a step that sinks in; islands of the
# last step whose patches kept friction at their corners since none was found inside, steps so far
# with such; contacts of the last step that would be reached from another one of their body, by the
# velocity after its impact, before that step ends
(
    CONTACTS,
    ITERATIONS,
    PRODUCTS,
    ISLANDS,
    UNCONVERGED,
    STEPS,
    REQUESTED,
    ASLEEP,
    IMPACTS,
    BEGUN,
    STOPPING,
    EVENTS,
    FORESEEN,
    UNSOLVED,
    PAST,
    DEEPEST,
    CORNERED,
    UNSHARED,
    CROSSED,
    COUNTS_WIDTH,
) = range(20)
# tally: of the last step residual [m/s], largest overlap [m], joint residual |G v + b| [m/s]; work
# of friction, of normal impulses, of drives and of loads without potential, since the start [J];
# largest residual, overlap and joint residual of the run; all iterations of the solves, power of
# loads without potential at the beginning of the last step [W]; largest overlap at the beginning of
# the last step as a share of its body's size, and that of the run; work of normal impulses before
# the last step with soft rows [J]; energy added by impacts so far, the largest in one step [J], and
# the beginning of that step [s]; the same of contacts that last; energy that normal impulses take
# in steps without impacts [J]; share of the kinetic energy that closing the loops changed in the
# last step; square of the step times the rate of the stiffest elastic contact that moved quickly in
# the last step (engine/contacts/elastic.py); energy in missed rebounds so far [J]
(
    RESIDUAL,
    OVERLAP,
    JOINT_RESIDUAL,
    FRICTION_WORK,
    NORMAL_WORK,
    DRIVE_WORK,
    LOAD_WORK,
    WORST_RESIDUAL,
    WORST_OVERLAP,
    WORST_JOINT,
    ALL_ITERATIONS,
    POWER,
    SUNK,
    WORST_SUNK,
    NORMAL_BEFORE,
    IMPACT_GAIN,
    LARGEST_GAIN,
    GAINED_AT,
    LASTING_GAIN,
    LARGEST_LASTING,
    LASTING_AT,
    LASTING_LOSS,
    CLOSING,
    STIFFEST,
    MISSED,
    TALLY_WIDTH,
) = range(26)
# material of a pair: friction, restitution, rolling and spinning resistance [m], compliance [m/N],
# damping time [s], tangential restitution, largest adhesive pull [N]
(
    FRICTION,
    RESTITUTION,
    ROLLING,
    SPINNING,
    COMPLIANCE,
    DAMPING,
    TANGENTIAL,
    ADHESION,
    MATERIAL_WIDTH,
) = range(9)
# remembered per contact: impulse and moment in W, L of its island, 1 if it was pressed without a
# rebound, 1 if its patch shared its friction
R_IMPULSE, R_MOMENT, R_CURVATURE, R_PRESSED, R_SHARED, REMEMBERED_WIDTH = 0, 3, 6, 7, 8, 9
# hard stops of joints: place of the coordinate in y, 1 for an upper one and -1 for a lower one,
# present bound, drawn bound, arm of a turn [m] (0 for a slide), bodies a and b, z and x axis of the
# joint in a, its origin in b, number of the pair of materials
(
    STOP_AT,
    STOP_SIDE,
    STOP_BOUND,
    STOP_DRAWN,
    STOP_ARM,
    STOP_A,
    STOP_B,
    STOP_Z,
    STOP_X,
    STOP_P,
    STOP_MATERIAL,
    STOP_WIDTH,
) = 0, 1, 2, 3, 4, 5, 6, 7, 10, 13, 16, 17
# impacts: instant [s], bodies, number of the stop (-1 for bodies that touch), normal impulse [N s],
# approach before and speed apart after it [m/s], energy lost [J], duration if elastic, else 0 [s]
(
    EVENT_TIME,
    EVENT_A,
    EVENT_B,
    EVENT_STOP,
    EVENT_IMPULSE,
    EVENT_BEFORE,
    EVENT_AFTER,
    EVENT_LOSS,
    EVENT_LASTS,
    EVENT_WIDTH,
) = range(10)
# impacts one after the other (cone/island_solution.py): their number at a contact in the step,
# impulse [N s], approach before the first and speed apart after the last one [m/s], energy lost
# [J], instant of the first one [s] after the beginning of the step; gap at the present one [m]
(
    TURN_HITS,
    TURN_IMPULSE,
    TURN_BEFORE,
    TURN_AFTER,
    TURN_LOSS,
    TURN_TIME,
    TURN_GAP,
    TURN_WIDTH,
) = range(8)
# contacts that press a unit in a step: none, lasting ones, a closing one
UNPRESSED, LASTING, CLOSING = range(3)
# place and normal of a contact at the middle of a step, or when it closes; bend of surfaces in the
# second half (engine/contacts/stepping/surface_motion.py), and whether it applies in this step;
# time until the contact closes [s], 0 for one that acts at its present place
# (engine/contacts/geometry/touch_places.py)
HALFWAY, BENT, SMOOTH, CLOSES, BENDS_WIDTH = 0, 6, 9, 10, 11

_INTEGERS = (
    "unit_of_node",
    "unit_start",
    "unit_nodes",
    "unit_free",
    "unit_sleeps",
    "unit_weighs",
    "parent",
    "island_of_unit",
    "touched",
    "mover_of_node",
    "node_of_mover",
    "asleep",
    "order",
    "island_of_contact",
    "pair",
    "hashes",
    "slots",
    "unit_of_row",
    "pressed",
    "halfway",
    "closes",
    "follows",
    "past_counts",
)
_NUMBERS = (
    "still",
    "before",
    "predicted",
    "increments",
    "slope",
    "middle",
    "matrix",
    "slips",
    "rates",
    "pulls",
    "jump",
    "rotated",
    "held",
    "yielding",
    "stretched",
    "goals",
    "past",
    "belts",
)


class Stage(Addressed):
    """settings … materials: above.  unit_of_node (nodes + 1,), unit_start, unit_nodes: units and
    their nodes; unit_free: free bodies; unit_sleeps: may sleep; unit_weighs: no load but weight.

    parent, island_of_unit, touched, mover_of_node, node_of_mover, asleep: of the step.  still
    (units,): time that each has been at rest [s]. order, island_of_contact, pair: of contacts.
    hashes, slots, remembered: impulses by key.  before, predicted, increments (nv,): velocities.
    slope, middle: like the state.  poses, velocities: of the bodies.  bias (bodies, 6):
    accelerations of the origins of their nodes [m/s^2] and of their turning [rad/s^2] at constant
    rates of their joints.  approach (contacts, 6): D^T v before the step; foreseen: D^T v*; both
    include the tangential slip of belts, belt_slip (contacts, 2) [m/s].  belts: speed of
    the surface of each material about the y axis of its body [m/s].  pull (contacts,): adhesive
    pull of each contact [N]; pulled (contacts, 6): effect of all pulls on the velocities of r;
    rebounded: 1 for one that rebounds in the step; shared: 1 for one of a patch that shares its
    friction in the step.  kept
    (contacts, 6): impulses of the step; slips: sliding speeds at its end [m/s].
    unit_of_row: unit of every kept row; rates, pulls: mean rate that it imposes in the step, 0 if
    it has no law of the time, and the impulse of its multiplier without contacts. rotated (nv,):
    effect of the rotation of rows in a step on the velocities without contacts; held (rows,):
    impulses of the rows against it. yielding, stretched (rows,): rates and stretches of soft rows
    at the beginning of a step; closes (units,): 1 for a unit with such rows in an island where a
    contact closes (engine/contacts/stepping/soft_rows.py). goals (rows,): rates at the end of a
    step of rows that prescribe an acceleration, 0 of others; follows (units,): 1 for a unit with a
    coordinate that follows a law. jump (nv,): effect of lasting contacts on the velocities in the
    step before.  bends, turns (contacts,), pressed (units,): above.  stops,
    events: above; of events the first counts[EVENTS] rows count. halfway (units,): 1 for a
    mechanism with lasting contacts, which steps by rows and masses of the middle of the step. past,
    past_counts: the states before a step that may have to be repeated in parts, and before a part
    (engine/contacts/stepping/overlaps.py).
    """

    kinds = {
        "settings": NUMBERS,
        "counts": INTEGERS,
        "tally": NUMBERS,
        "materials": table(MATERIAL_WIDTH),
        **{name: INTEGERS for name in _INTEGERS},
        **{name: NUMBERS for name in _NUMBERS},
        "poses": MATRIX,
        "velocities": MATRIX,
        "bias": MATRIX,
        "remembered": table(REMEMBERED_WIDTH),
        "approach": table(6),
        "foreseen": table(3),
        "kept": table(6),
        "belt_slip": table(2),
        "pulled": table(6),
        "pull": NUMBERS,
        "rebounded": INTEGERS,
        "shared": INTEGERS,
        "bends": table(BENDS_WIDTH),
        "turns": table(TURN_WIDTH),
        "stops": table(STOP_WIDTH),
        "events": table(EVENT_WIDTH),
    }


STAGE = Stage.compiled_type


def _tied(T: Tables, row: np.ndarray) -> list[int]:
    """The nodes that a row connects."""
    if row[k.ROW_TYPE] == k.COORDINATE:
        return [
            int(n)
            for t in range(row[k.TERM0], row[k.TERM1])
            for n in T.terms[t, [k.TERM_A, k.TERM_B]]
        ]
    return [int(row[k.RA]), int(row[k.RB])]


def units_of(T: Tables) -> tuple[np.ndarray, np.ndarray]:
    """(unit of every node, ground's -1 last; whether a unit is one free body)."""
    count = len(T.nodes) - 1
    parent = list(range(count))

    def find(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    def join(nodes: Sequence[int]) -> None:
        inner = [find(int(n)) for n in nodes if n < count]
        for n in inner[1:]:
            parent[find(n)] = find(inner[0])

    held = np.zeros(count, bool)
    for i in range(count):
        if T.nodes[i, k.PARENT] < count:
            join((i, T.nodes[i, k.PARENT]))
    for row in T.rows:
        nodes = _tied(T, row)
        join(nodes)
        held[[int(n) for n in nodes if n < count]] = True
    roots = [find(i) for i in range(count)]
    names = {root: n for n, root in enumerate(dict.fromkeys(roots))}
    unit = np.array([names[r] for r in roots] + [-1], np.int64)
    sizes = np.bincount(unit[:-1], minlength=len(names)) if count else np.zeros(0, np.int64)
    free = np.zeros(len(names), np.int64)
    for i in range(count):
        hung = T.nodes[i, k.PARENT] == count and T.nodes[i, k.MOTION] == k.FREE
        free[unit[i]] = int(
            sizes[unit[i]] == 1
            and hung
            and not held[i]
            and np.abs(T.node_const[i, k.MOMENT : k.MOMENT + 3]).max()
            <= 1e-12 * max(T.node_const[i, k.MASS], 1e-300)
        )
    return unit, free


def units_of_rows(T: Tables, unit: np.ndarray) -> np.ndarray:
    """The unit of every kept row."""
    out = np.zeros(max(int(T.size[k.KEPT]), 1), np.int64)
    for r in range(int(T.size[k.KEPT])):
        out[r] = max(int(unit[n]) for n in _tied(T, T.rows[r]))
    return out


def units_that_follow(T: Tables, unit: np.ndarray, count: int) -> np.ndarray:
    """1 for every unit in which a kept row gives the value of a coordinate by a law."""
    out, kept = np.zeros(max(count, 1), np.int64), int(T.size[k.KEPT])
    rows = T.rows[:kept]
    by_law = (
        (rows[:, k.ROW_TYPE] == k.COORDINATE)
        & (rows[:, k.LEVEL] == k.OF_POSITION)
        & (rows[:, k.LAW] >= 0)
    )
    out[units_of_rows(T, unit)[:kept][by_law]] = 1
    return out


def pushed_nodes(T: Tables) -> set[int]:
    """Nodes with forces other than weight."""
    out: set[int] = set()
    for row in T.forces:
        if row[k.F_AT] == k.AT_DOF:
            out |= {
                i
                for i in range(len(T.nodes) - 1)
                if T.nodes[i, k.V0] <= row[k.F_DOF] < T.nodes[i, k.V0] + T.nodes[i, k.DOF]
            }
        elif row[k.F_AT] == k.AT_READING:
            out |= {int(T.reads[row[k.F_DOF], k.X_A]), int(T.reads[row[k.F_DOF], k.X_B])}
        else:
            out |= {int(row[k.F_A]), int(row[k.F_B])}
    return out


def block_room(T: Tables) -> tuple[int, int]:
    """(numbers that the blocks of all mechanisms may need, number of blocks)."""
    unit, free = units_of(T)
    sizes = np.bincount(unit[:-1], minlength=len(free)) if len(unit) > 1 else np.zeros(0, np.int64)
    held = [6 * int(s) for s, f in zip(sizes, free) if not f]
    return sum(n * n + n for n in held), len(held)


def new_stage(
    T: Tables,
    settings: np.ndarray,
    materials: np.ndarray,
    belts: np.ndarray,
    room: int,
    stops: np.ndarray,
) -> Stage:
    """The working memory of a run. settings (SETTINGS_WIDTH,). materials (m * m, MATERIAL_WIDTH):
    of every pair of materials.  belts (m,): speeds of their surfaces [m/s].  room: contacts.  stops
    (n, STOP_WIDTH).
    """
    unit, free = units_of(T)
    nodes, units, nv = len(unit) - 1, len(free), int(T.size[k.NV])
    order = np.argsort(unit[:-1], kind="stable").astype(np.int64)
    start = np.searchsorted(unit[:-1][order], np.arange(units + 1)).astype(np.int64)
    weighs = np.ones_like(free)
    for i in pushed_nodes(T):
        if i < nodes:
            weighs[unit[i]] = 0
    sleeps = free * weighs
    ints = lambda n: np.zeros(max(n, 1), np.int64)
    state = int(T.size[k.NQ]) + nv + len(T.reads) + 2
    table_size = 16
    while table_size < 3 * room:
        table_size *= 2
    bodies, rows, lasting = max(len(T.bodies), 1), max(room, 1), max(int(T.size[k.KEPT]), 1)
    per_unit = [ints(units) for _ in range(3)]
    return Stage(
        settings,
        ints(COUNTS_WIDTH),
        np.zeros(TALLY_WIDTH),
        np.ascontiguousarray(materials),
        unit,
        start,
        order if nodes else ints(1),
        _some(free),
        _some(sleeps),
        _some(weighs),
        *per_unit,
        ints(nodes + 1),
        ints(nodes + 2),
        ints(units),
        ints(rows),
        ints(rows),
        ints(rows),
        ints(table_size),
        ints(table_size),
        units_of_rows(T, unit),
        ints(units),
        ints(units),
        ints(units),
        units_that_follow(T, unit, units),
        ints(2 * (COUNTS_WIDTH + 2 * table_size)),
        np.zeros(max(units, 1)),
        np.zeros(max(nv, 1)),
        np.zeros(max(nv, 1)),
        np.zeros(max(nv, 1)),
        np.zeros(state),
        np.zeros(state),
        np.zeros(9),
        np.zeros(rows),
        np.zeros(lasting),
        np.zeros(lasting),
        np.zeros(max(nv, 1)),
        np.zeros(max(nv, 1)),
        np.zeros(lasting),
        np.zeros(lasting),
        np.zeros(lasting),
        np.zeros(lasting),
        np.zeros(
            2
            * (
                1
                + state
                + TALLY_WIDTH
                + max(units, 1)
                + max(nv, 1)
                + rows * REMEMBERED_WIDTH
                + stops.size
            )
        ),
        _some(belts),
        np.zeros((bodies, 7)),
        np.zeros((bodies, 6)),
        np.zeros((bodies, 6)),
        np.zeros((rows, REMEMBERED_WIDTH)),
        np.zeros((rows, 6)),
        np.zeros((rows, 3)),
        np.zeros((rows, 6)),
        np.zeros((rows, 2)),
        np.zeros((rows, 6)),
        np.zeros(rows),
        ints(rows),
        ints(rows),
        np.zeros((rows, BENDS_WIDTH)),
        np.zeros((rows, TURN_WIDTH)),
        np.ascontiguousarray(stops.reshape(-1, STOP_WIDTH)),
        np.zeros((4 * rows, EVENT_WIDTH)),
    )


def _some(array: np.ndarray) -> np.ndarray:
    """A table with at least one entry, so that it has an address."""
    return array if len(array) else np.zeros(1, array.dtype)
