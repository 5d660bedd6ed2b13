"""The constant and working arrays that the kernels see, filled from tree, rows, forces and joint coordinates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mechstudio.model import joint_types
from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.quantity import values

from .coordinates import PLANS
from .force_tables import coordinate_places, force_tables
from .kernels import columns as k
from .kernels.columns import Tables
from .programs import compile_laws
from .rows import rod_length
from .schedule import as_table, schedule
from .tree import Node, Tree, joint_end

EPSILON_FACTOR = 1e-12        # of (J M^-1 J^T)_rr at the generic pose
NEAR_SINGULAR = 0.1           # relative row pivot
CLOSURE = 1e-13               # largest row residual after projection, in mechanism sizes of LEAST_LENGTH to 1 m
ROUNDING = 5e-15              # the same for larger ones, where rounding sets the limit
LEAST_LENGTH = 0.15

PRIMITIVES = {joint_types.POINT: k.POINT, joint_types.ANGLE: k.ANGLE, joint_types.DISTANCE: k.DISTANCE}


@dataclass
class Row:
    """One constraint row of a closing joint between nodes a and b (ground: the last row of the node tables)."""

    joint: str
    primitive: int
    a: int
    b: int
    const: np.ndarray


@dataclass
class Places:
    """Where things lie in the state.  coordinates: index in y of each joint coordinate, in sample order.   reads: (joint, coordinate) -> reading."""

    nq: int
    nv: int
    coordinates: np.ndarray
    reads: dict[tuple[str, int], int]

    @property
    def readings(self) -> int:
        """Index in y of the first reading."""
        return self.nq + self.nv + 1

    @property
    def time(self) -> int:
        """Index in y of the time [s], its last entry."""
        return self.readings + len(self.reads)

    @property
    def work(self) -> int:
        """Index in y of the work of the loads without potential."""
        return self.nq + self.nv


def closing_rows(mechanism: Mechanism, tree: Tree, size: float) -> list[Row]:
    """The rows of every joint that is not in the tree, in file order.   size: the factor of angle rows to metres [m]."""
    ground, out = len(tree.nodes), []
    for id in tree.closing:
        joint = mechanism.joints[id]
        (a, (Ra, pa)), (b, (Rb, pb)) = (joint_end(mechanism, tree, f) for f in (joint.frame_a, joint.frame_b))
        for primitive, axis_a, axis_b in JOINT_TYPES[joint.type].rows:
            const = np.zeros(k.ROW_CONSTS)
            const[k.RU:k.RU + 3], const[k.RP:k.RP + 3] = Ra[:, axis_a], pa
            angle = primitive == joint_types.ANGLE
            const[k.RQ:k.RQ + 3] = Rb[:, axis_b] if angle else pb
            const[k.RLEN] = rod_length(mechanism, joint) if primitive == joint_types.DISTANCE else 1.0
            const[k.RSCALE] = const[k.RPIVOT] = 1.0
            const[k.RMETRES] = size if angle else 1.0
            out.append(Row(id, PRIMITIVES[primitive], a if a >= 0 else ground, b if b >= 0 else ground, const))
    return out


def places(mechanism: Mechanism, tree: Tree) -> Places:
    """Number coordinates, velocities and readings."""
    nq = sum({k.SCREW: 1, k.BALL: 4, k.FREE: 7}[n.motion] for n in tree.nodes)
    nv = sum(n.dof for n in tree.nodes)
    starts = np.cumsum([0] + [{k.SCREW: 1, k.BALL: 4, k.FREE: 7}[n.motion] for n in tree.nodes])
    index: list[int] = []
    reads: dict[tuple[str, int], int] = {}
    for id, joint in mechanism.joints.items():
        # a joint with a ball is read as a whole: its angles follow from the pose
        whole = all((id, c) in tree.screws for c in range(JOINT_TYPES[joint.type].dof))
        for c in range(JOINT_TYPES[joint.type].dof):
            if whole:
                index.append(int(starts[tree.screws[id, c]]))
            else:
                reads[id, c] = len(reads)
                index.append(nq + nv + 1 + reads[id, c])
    return Places(nq, nv, np.array(index, np.int64), reads)


def _node_tables(nodes: Sequence[Node], gravity: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    count = len(nodes)
    ints, const, work = np.zeros((count + 1, k.NODE_INTS), np.int64), np.zeros((count + 1, k.NODE_CONSTS)), np.zeros((count + 1, k.NODE_WORK))
    q = v = 0
    for i, n in enumerate(nodes):
        ints[i, :5] = n.parent if n.parent >= 0 else count, n.motion, q, v, n.dof
        const[i, k.AXIS:k.AXIS + 3], const[i, k.PER_TURN], const[i, k.PER_SLIDE] = n.axis, n.turn, n.slide
        const[i, k.ARM:k.ARM + 3], const[i, k.MASS], const[i, k.MOMENT:k.MOMENT + 3] = n.arm, n.mass, n.moment
        const[i, k.INERTIA:k.INERTIA + 6] = n.inertia[np.triu_indices(3)]
        q, v = q + len(n.start), v + n.dof
    work[count, [0, 4, 8]] = 1.0
    work[count, k.AV:k.AV + 3] = -gravity
    return ints, const, work


def _read_tables(mechanism: Mechanism, tree: Tree, where: Places) -> tuple[np.ndarray, np.ndarray]:
    ground = len(tree.nodes)
    ints, const = np.zeros((len(where.reads), k.READ_INTS), np.int64), np.zeros((len(where.reads), k.READ_CONSTS))
    for (id, c), e in where.reads.items():
        joint = mechanism.joints[id]
        plan = PLANS[joint.type]
        (a, (Ra, pa)), (b, (Rb, pb)) = (joint_end(mechanism, tree, f) for f in (joint.frame_a, joint.frame_b))
        ints[e] = plan[c]
        ints[e, [k.X_A, k.X_B, k.X_FIRST, k.X_COUNT]] = a if a >= 0 else ground, b if b >= 0 else ground, where.reads[id, 0], len(plan)
        const[e] = [*Ra.ravel(), *pa, *Rb.ravel(), *pb, rod_length(mechanism, joint) if "length" in JOINT_TYPES[joint.type].parameters else 0.0]
    return ints, const


def build_tables(mechanism: Mechanism, tree: Tree, where: Places, rows: Sequence[Row], kept: Sequence[int], length: float, lent: np.ndarray) -> Tables:
    """All tables, with the rows of `kept` eliminated, in that order, and the other rows only checked.   length: the mechanism's size [m].

    lent: (nv,) inertia lent to columns that have none.
    """
    ground, nodes = len(tree.nodes), tree.nodes
    gravity = np.array(values(mechanism.gravity))
    node_ints, node_const, node_work = _node_tables(nodes, gravity)
    chosen = [rows[r] for r in kept]
    left = set(kept)
    ordered = chosen + [row for r, row in enumerate(rows) if r not in left]
    end = lambda n: n if n < ground else -1
    plan = schedule([n.parent for n in nodes], [n.dof for n in nodes], [(end(r.a), end(r.b)) for r in chosen])
    node_ints[:ground, k.CLOSE0:k.PASS1 + 1] = as_table(plan.node_slots, 3)
    row_ints, row_const = np.zeros((len(rows), k.ROW_INTS), np.int64), np.zeros((len(rows), k.ROW_CONSTS))
    for r, row in enumerate(ordered):
        row_ints[r, [k.ROW_TYPE, k.RA, k.RB, k.SA, k.SB]] = row.primitive, row.a, row.b, -1, -1
        row_const[r] = row.const
    if chosen:
        row_ints[:len(chosen), [k.SA, k.SB]] = plan.row_slots
        row_ints[:len(chosen), [k.NEAR0, k.NEAR1, k.FILL]] = plan.row_near
    size = np.zeros(k.SIZE_WIDTH, np.int64)
    size[[k.NQ, k.NV, k.NX, k.KEPT, k.INNER]] = where.nq, where.nv, len(where.reads), len(chosen), len(chosen) - len(plan.ground)
    size[k.EDGE0], size[k.FILL0] = len(plan.ground), len(plan.ground) + len(plan.edges)
    size[k.LOANS] = np.count_nonzero(lent)
    size[k.REFINEMENTS] = 2 if size[k.LOANS] else int(bool(chosen))
    dofs = np.zeros((where.nv, k.DOF_WORK))
    dofs[:, k.LENT] = lent
    settings = np.zeros(k.SETTINGS_WIDTH)
    settings[[k.EPSILON, k.NEAR, k.LENGTH, k.CLOSED]] = EPSILON_FACTOR, NEAR_SINGULAR, length, max(CLOSURE * min(max(length, LEAST_LENGTH), 1.0), ROUNDING * length)
    settings[k.GX:k.GX + 3] = gravity
    reads, read_const = _read_tables(mechanism, tree, where)
    at = coordinate_places(mechanism, tree, where.coordinates, where.reads)
    programs = compile_laws(mechanism, at)
    forces, force_const = force_tables(mechanism, tree, at, programs)
    bodies, body_const = np.zeros((len(mechanism.bodies), k.BODY_INTS), np.int64), np.zeros((len(mechanism.bodies), k.BODY_CONSTS))
    for b, id in enumerate(mechanism.bodies):
        at, (Rm, p) = tree.place[id]
        bodies[b, k.B_NODE], body_const[b] = at if at >= 0 else ground, [*Rm.ravel(), *p]
    return Tables(size, settings, node_ints, node_const, node_work, dofs, row_ints, row_const,
                  np.zeros((len(rows), k.ROW_WORK)), as_table(plan.slots, 2), np.zeros((len(plan.slots), k.WRENCH_WORK)), as_table(plan.near, 2),
                  np.zeros(len(plan.near)), np.array(plan.ground + plan.edges + plan.fill, np.int64), forces, force_const, reads, read_const,
                  np.zeros((len(reads), k.READ_WORK)), bodies, body_const,
                  *programs.tables)


def copy_tables(tables: Tables) -> Tables:
    """Tables with working memory of their own."""
    return Tables(*(a.copy() for a in tables))


__all__ = ["Places", "Row", "build_tables", "closing_rows", "copy_tables", "places"]
