"""The constant and working arrays that the kernels see, filled from tree, rows
(engine/system/row_tables.py), forces and joint coordinates.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mechstudio.engine.constraints.coordinates import reading_plan
from mechstudio.engine.constraints.rows import joint_length
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels import kernel_table
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.system.elimination_order import Schedule, as_table, schedule
from mechstudio.engine.system.force_tables import coordinate_places, force_tables
from mechstudio.engine.system.law_tables import Programs
from mechstudio.engine.system.nodes import Node, Tree, joint_end
from mechstudio.engine.system.row_tables import Row
from mechstudio.engine.system.state_layout import Places
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.types.joints import JOINT_TYPES

EPSILON_FACTOR = 1e-12  # of (J M^-1 J^T)_rr at the generic pose
NEAR_SINGULAR = 0.1  # relative row pivot
CLOSURE = 1e-13  # largest row residual after projection, in mechanism sizes up to 1 m
# the same for larger ones and for what stands far from W's origin, where rounding sets the limit
ROUNDING = 5e-15
# mechanism sizes, or radians, by which a row may be open at the end of a step, dropped or not
TORN = 1e-9
FAR = 1e3  # the same in largest residuals, for what stands so far away that rounding is more
_UPPER = np.triu_indices(3)


def _node_tables(
    nodes: Sequence[Node], gravity: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    count = len(nodes)
    ints, const, work = (
        np.zeros((count + 1, k.NODE_INTS), np.int64),
        np.zeros((count + 1, k.NODE_CONSTS)),
        np.zeros((count + 1, k.NODE_WORK)),
    )
    q = v = 0
    for i, n in enumerate(nodes):
        ints[i, :5] = n.parent if n.parent >= 0 else count, n.motion, q, v, n.dof
        const[i, k.AXIS : k.AXIS + 3], const[i, k.PER_TURN], const[i, k.PER_SLIDE] = (
            n.axis,
            n.turn,
            n.slide,
        )
        const[i, k.ARM : k.ARM + 3], const[i, k.MASS], const[i, k.MOMENT : k.MOMENT + 3] = (
            n.arm,
            n.mass,
            n.moment,
        )
        const[i, k.INERTIA : k.INERTIA + 6] = n.inertia[_UPPER]
        const[i, k.CURVE_TURNING] = n.curve_turning
        q, v = q + len(n.start), v + n.dof
    work[count, [0, 4, 8]] = 1.0
    work[count, k.AV : k.AV + 3] = -gravity
    return ints, const, work


def _curve_tables(nodes: Sequence[Node], ints: np.ndarray) -> np.ndarray:
    """The pieces of every curve in the axes of its node's parent; their places go into the nodes'
    integers.
    """
    rows = [np.zeros((0, k.CURVE_CONSTS))]
    count = 0
    for i, n in enumerate(nodes):
        if n.curve is None:
            continue
        table = np.zeros((len(n.curve.pieces), k.CURVE_CONSTS))
        table[:, k.P_START], table[:, k.P_STOP] = n.curve.knots[:-1], n.curve.knots[1:]
        table[:, k.P_CURVATURE] = n.curve.curvature
        table[:, k.P_X :] = np.einsum("ij,mjp->mip", n.curve_axes, n.curve.pieces).reshape(
            len(table), -1
        )
        ints[i, k.PIECE0], ints[i, k.PIECE1], ints[i, k.ENDLESS] = (
            count,
            count + len(table),
            n.curve.closed,
        )
        rows.append(table)
        count += len(table)
    return np.concatenate(rows)


def _read_tables(mechanism: Mechanism, tree: Tree, where: Places) -> tuple[np.ndarray, np.ndarray]:
    ground = len(tree.nodes)
    ints, const = (
        np.zeros((len(where.reads), k.READ_INTS), np.int64),
        np.zeros((len(where.reads), k.READ_CONSTS)),
    )
    ends: dict[str, tuple] = {}
    for (id, c), e in where.reads.items():
        joint = mechanism.joints[id]
        order, reads = reading_plan(joint.type)
        if id not in ends:
            ends[id] = tuple(joint_end(mechanism, tree, f) for f in (joint.frame_a, joint.frame_b))
        (a, (Ra, pa)), (b, (Rb, pb)) = ends[id]
        row = reads[order.index(c)]
        ints[e] = row
        # the group's first: of those read together all are read or none
        ints[e, k.X_FIRST] = where.reads[id, order[row[k.X_FIRST]]]
        ints[e, [k.X_A, k.X_B]] = a if a >= 0 else ground, b if b >= 0 else ground
        const[e] = [
            *Ra.ravel(),
            *pa,
            *Rb.ravel(),
            *pb,
            joint_length(mechanism, joint) if JOINT_TYPES[joint.type].holds_distance else 0.0,
        ]
    return ints, const


def _row_tables(
    ordered: Sequence[Row], plan: Schedule, ground: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """rows, row_const, terms and factors, with the rows in the order of elimination; those after
    the planned ones have no slots.
    """
    ints = [[0] * k.ROW_INTS for _ in ordered]
    const = np.array([row.const for row in ordered], float).reshape(-1, k.ROW_CONSTS)
    terms: list[list[int]] = []
    factors: list[float] = []
    for r, row in enumerate(ordered):
        slots = plan.row_slots[r] if r < len(plan.row_slots) else (-1,) * len(row.nodes)
        if r < len(plan.row_near):
            ints[r][k.NEAR0], ints[r][k.NEAR1], ints[r][k.FILL] = plan.row_near[r]
        ints[r][k.ROW_TYPE], ints[r][k.LEVEL] = row.primitive, row.level
        if row.primitive != k.COORDINATE:
            ints[r][k.RA], ints[r][k.RB] = (n if n >= 0 else ground for n in row.nodes)
            ints[r][k.SA], ints[r][k.SB] = slots
            continue
        ints[r][k.TERM0], ints[r][k.TERM1], ints[r][k.LAW], ints[r][k.OVER] = (
            len(terms),
            len(terms) + len(row.terms),
            row.law,
            row.over,
        )
        for t, term in enumerate(row.terms):
            nodes = [n if n >= 0 else ground for n in (term.a, term.b)]
            terms.append(
                [term.x, term.dof, term.reading, term.turns, *nodes, *slots[2 * t : 2 * t + 2]]
            )
            factors.append(term.factor)
    return as_table(ints, k.ROW_INTS), const, as_table(terms, k.TERM_INTS), np.array(factors, float)


@dataclass
class Fixed:
    """The tables that do not depend on which rows are kept: they are filled once and copied."""

    gravity: np.ndarray
    nodes: tuple[np.ndarray, np.ndarray, np.ndarray]
    curves: np.ndarray
    forces: tuple[np.ndarray, np.ndarray]
    reads: tuple[np.ndarray, np.ndarray]
    bodies: tuple[np.ndarray, np.ndarray]


def fixed_tables(mechanism: Mechanism, tree: Tree, where: Places, programs: Programs) -> Fixed:
    """`Fixed` of a mechanism.   programs: the mechanism's laws, to which its forces refer."""
    ground = len(tree.nodes)
    gravity = np.array(values(mechanism.gravity))
    nodes = _node_tables(tree.nodes, gravity)
    curves = _curve_tables(tree.nodes, nodes[0])
    forces = force_tables(
        mechanism,
        tree,
        coordinate_places(mechanism, tree, where.coordinates, where.reads),
        programs,
    )
    bodies, body_const = (
        np.zeros((len(mechanism.bodies), k.BODY_INTS), np.int64),
        np.zeros((len(mechanism.bodies), k.BODY_CONSTS)),
    )
    for b, id in enumerate(mechanism.bodies):
        at, (Rm, p) = tree.place[id]
        bodies[b, k.B_NODE], body_const[b, :9], body_const[b, 9:] = (
            at if at >= 0 else ground,
            Rm.ravel(),
            p,
        )
    return Fixed(
        gravity, nodes, curves, forces, _read_tables(mechanism, tree, where), (bodies, body_const)
    )


def build_tables(
    fixed: Fixed,
    tree: Tree,
    where: Places,
    rows: Sequence[Row],
    kept: Sequence[int],
    length: float,
    regularising: np.ndarray,
    programs: Programs,
) -> Tables:
    """All tables, with the rows of `kept` eliminated, in that order, and the other rows only
    checked.  length: the mechanism's size [m].

    regularising: (nv,) inertia lent to columns that have none.  programs: the mechanism's laws, to
    which rows of drives and cams refer.
    """
    ground, nodes = len(tree.nodes), tree.nodes
    node_ints, node_const, node_work = (a.copy() for a in fixed.nodes)
    chosen = [rows[r] for r in kept]
    left = set(kept)
    dropped = [row for r, row in enumerate(rows) if r not in left]
    ordered = chosen + dropped
    plan = schedule(
        tuple(n.parent for n in nodes),
        tuple(n.dof for n in nodes),
        tuple(tuple(row.nodes) for row in chosen),
    )
    node_ints[:ground, k.CLOSE0 : k.PASS1 + 1] = as_table(plan.node_slots, 3)
    row_ints, row_const, terms, factors = _row_tables(ordered, plan, ground)
    size = np.zeros(k.SIZE_WIDTH, np.int64)
    size[[k.NQ, k.NV, k.NX, k.KEPT, k.INNER]] = (
        where.nq,
        where.nv,
        len(where.reads),
        len(chosen),
        len(chosen) - len(plan.ground),
    )
    size[k.HELD] = len(chosen) + max(
        (n + 1 for n, row in enumerate(dropped) if row.lasting), default=0
    )
    size[k.EDGE0], size[k.FILL0] = len(plan.ground), len(plan.ground) + len(plan.edges)
    size[k.LOANS] = np.count_nonzero(regularising)
    size[k.REFINEMENTS] = 2 if size[k.LOANS] else int(bool(chosen))
    size[k.READ_ROWS], size[k.DRIVEN] = (
        np.count_nonzero(terms[:, k.TERM_DOF] < 0),
        sum(row.rheonomic for row in rows),
    )
    dofs = np.zeros((where.nv, k.DOF_WORK))
    dofs[:, k.REGULARISING] = regularising
    settings = np.zeros(k.SETTINGS_WIDTH)
    away = max((float(np.abs(n.arm).max()) for n in nodes if n.parent < 0), default=0.0)
    closed = max(CLOSURE * min(length, 1.0), ROUNDING * max(length, away))
    settings[[k.EPSILON, k.NEAR, k.LENGTH, k.CLOSED]] = (
        EPSILON_FACTOR,
        NEAR_SINGULAR,
        length,
        closed,
    )
    settings[k.TORN], settings[k.GX : k.GX + 3] = max(TORN * length, FAR * closed), fixed.gravity
    curves, forces, force_const, reads, read_const, bodies, body_const = (
        a.copy() for a in (fixed.curves, *fixed.forces, *fixed.reads, *fixed.bodies)
    )
    _compile_what_it_needs(curves, row_ints, forces)
    return Tables(
        size,
        settings,
        node_ints,
        node_const,
        node_work,
        dofs,
        curves,
        row_ints,
        row_const,
        np.zeros((len(rows), k.ROW_WORK)),
        terms,
        factors,
        as_table(plan.slots, 2),
        np.zeros((len(plan.slots), k.WRENCH_WORK)),
        as_table(plan.near, 2),
        np.zeros(len(plan.near)),
        np.array(plan.ground + plan.edges + plan.fill, np.int64),
        forces,
        force_const,
        reads,
        read_const,
        np.zeros((len(reads), k.READ_WORK)),
        bodies,
        body_const,
        *(a.copy() for a in programs.tables),
    )


def _compile_what_it_needs(curves: np.ndarray, rows: np.ndarray, forces: np.ndarray) -> None:
    """Kernels that few mechanisms need are compiled with the first that does."""
    for group, needed in (
        (kernel_table.EVERY, True),
        (kernel_table.CURVES, len(curves) > 0),
        (kernel_table.SPECIAL_ROWS, (rows[:, k.ROW_TYPE] > k.DISTANCE).any()),
        (kernel_table.BUSHINGS, (forces[:, k.F_AT] == k.AT_FRAMES).any()),
        (kernel_table.LAWS, (forces[:, k.F_LAW0] < forces[:, k.F_LAW1]).any()),
    ):
        if needed:
            kernel_table.need(group)


def copy_tables(tables: Tables) -> Tables:
    """Tables with working memory of their own."""
    return Tables(*(a.copy() for a in tables))


__all__ = ["build_tables", "copy_tables", "fixed_tables"]
