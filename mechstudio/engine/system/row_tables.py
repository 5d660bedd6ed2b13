"""The rows that the kernels eliminate: of joints that close loops, of rolling, and between joint
coordinates (couplings, drives, stops).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from mechstudio.engine.constraints.coordinates import is_chained, reading_plan
from mechstudio.engine.constraints.rows import joint_length
from mechstudio.engine.errors import EngineError
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.system.law_tables import Programs
from mechstudio.engine.system.nodes import Pose, Tree, joint_end
from mechstudio.engine.system.state_layout import Places
from mechstudio.model.findings import Finding
from mechstudio.model.laws.evaluation import jet
from mechstudio.model.mechanism import POSITION, VELOCITY, Coupling, Drive, Joint, Mechanism
from mechstudio.model.types import joints
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.joints import EDGE, JOINT_TYPES, ROLL, THREAD, X, Y, Z
from mechstudio.translation import tr

PRIMITIVES = {
    joints.POINT: k.POINT,
    joints.ANGLE: k.ANGLE,
    joints.DISTANCE: k.DISTANCE,
    joints.TWIST: k.TWIST,
    joints.ROLL: k.ROLL,
    joints.EDGE: k.EDGE,
}


@dataclass(frozen=True)
class Term:
    """One coordinate of a coordinate row, as the kernels take it: columns TERM_X to TERM_B of the
    `terms` table (nodes: -1 is ground).
    """

    x: int
    dof: int
    reading: int
    turns: int
    a: int
    b: int
    factor: float


@dataclass
class Row:
    """One constraint row.

    owner: id of the joint, coupling, drive or stop that it belongs to.  nodes: at which it acts, -1
    for ground: a and b, or a and b of each term.  const (ROW_CONSTS,).  level: OF_POSITION,
    OF_VELOCITY or OF_ACCELERATION.  terms, law, over: of a COORDINATE row.
    lasting: whether it holds in every pose and at every time; drives and stops do not, nor does
    what holds velocities only.
    """

    owner: str
    primitive: int
    nodes: tuple[int, ...]
    const: np.ndarray
    level: int = k.OF_POSITION
    terms: tuple[Term, ...] = field(default=())
    law: int = -1
    over: int = k.OVER_TIME
    lasting: bool = True

    @property
    def rheonomic(self) -> bool:
        """True if the row contains a law over the time."""
        return self.primitive == k.COORDINATE and self.law >= 0 and self.over == k.OVER_TIME


def joint_rows(
    mechanism: Mechanism, tree: Tree, where: Places, start: np.ndarray, size: float
) -> list[Row]:
    """The rows of every joint that is not in the tree, and the rolling rows of all, in file order.

    start: state (n,) at the start, for the constants of screws.  size: the factor of angle rows to
    metres [m].
    """
    out, closing = [], set(tree.closing)
    for id, joint in mechanism.joints.items():
        kind = JOINT_TYPES[joint.type]
        if id not in closing and not kind.rolling:
            continue
        a, b = (joint_end(mechanism, tree, f) for f in (joint.frame_a, joint.frame_b))
        if id in closing:
            if is_chained(joint.type):
                out += _pair_rows(id, JOINT_TYPES["fixed"].rows, tree.ends[id], b, 1.0, size)
            else:
                out += _pair_rows(
                    id,
                    [row for row in kind.rows if row[0] != THREAD],
                    a,
                    b,
                    joint_length(mechanism, joint),
                    size,
                )
                if any(row[0] == THREAD for row in kind.rows):
                    out.append(_thread_row(mechanism, tree, where, joint, start))
        out += _pair_rows(id, kind.rolling, a, b, joint_length(mechanism, joint), size)
    return out


def _pair_rows(
    id: str,
    rows: Sequence[joints.Row],
    a: tuple[int, Pose],
    b: tuple[int, Pose],
    length: float,
    size: float,
) -> Iterator[Row]:
    """Rows of a joint between frame a and frame b, each a node and a pose in its axes."""
    (node_a, (Ra, pa)), (node_b, (Rb, pb)) = a, b
    for primitive, axis_a, axis_b in rows:
        const = _blank_const()
        tilt = primitive in (joints.ANGLE, joints.TWIST)
        rolling = primitive in (ROLL, EDGE)
        const[k.RU : k.RU + 3] = Rb[:, axis_b] if primitive == EDGE else Ra[:, axis_a]
        const[k.RP : k.RP + 3] = (
            Ra[:, Y] if primitive == joints.TWIST else Ra[:, Z] if primitive == ROLL else pa
        )
        const[k.RQ : k.RQ + 3] = Rb[:, axis_b] if tilt else pb
        const[k.RW : k.RW + 3] = Rb[:, X] if primitive == joints.TWIST else Rb[:, axis_b]
        const[k.RLEN] = length if primitive in (joints.DISTANCE, ROLL) else 1.0
        const[k.RMETRES] = size if tilt else 1.0
        yield Row(
            id,
            PRIMITIVES[primitive],
            (node_a, node_b),
            const,
            k.OF_VELOCITY if rolling else k.OF_POSITION,
            lasting=not rolling,
        )


def _thread_row(
    mechanism: Mechanism, tree: Tree, where: Places, joint: Joint, start: np.ndarray
) -> Row:
    """Row slide - pitch / 2 pi angle = its value at the start."""
    angle, slide = (where.readings + where.reads[joint.id, c] for c in (0, 1))
    lead = joint_length(mechanism, joint) / (2 * np.pi)
    return coordinate_row(
        mechanism,
        tree,
        where,
        joint.id,
        ((joint.id, 1, 1.0), (joint.id, 0, -lead)),
        start[slide] - lead * start[angle],
    )


def coordinate_row(
    mechanism: Mechanism,
    tree: Tree,
    where: Places,
    owner: str,
    terms: Sequence[tuple[str, int, float]],
    constant: float = 0.0,
    *,
    law: int = -1,
    over: int = k.OVER_TIME,
    level: int = k.OF_POSITION,
    metres: float = 1.0,
    lasting: bool = True,
) -> Row:
    """The row sum a_k x_k - f(s) - constant = 0 between joint coordinates.

    terms: (joint, coordinate, a_k) each, at most three.  law: row of the laws' table that holds f,
    -1 for none; s is the time (OVER_TIME) or x_1 (OVER_FIRST).  level: OF_VELOCITY and
    OF_ACCELERATION say sum a_k x_k' = f and sum a_k x_k'' = f instead.  metres: factor that makes a
    residual metres, the mechanism's size for angles.  lasting: False for what holds at times or in
    one pose only (stops).
    Raises EngineError where a coordinate is one of several that are read together (of a ball, a rod
    or a constant-velocity joint) or is none.
    """
    const = _blank_const()
    const[k.RLEN], const[k.RMETRES] = constant, metres
    found = tuple(_term(mechanism, tree, where, owner, *term) for term in terms)
    nodes = tuple(n for term in found for n in (term.a, term.b))
    rheonomic = law >= 0 and over == k.OVER_TIME
    return Row(
        owner,
        k.COORDINATE,
        nodes,
        const,
        level,
        found,
        law,
        over,
        lasting and not rheonomic and level == k.OF_POSITION,
    )


def _blank_const() -> np.ndarray:
    const = np.zeros(k.ROW_CONSTS)
    const[k.RSCALE] = const[k.RPIVOT] = const[k.RLEN] = const[k.RMETRES] = 1.0
    return const


def _term(
    mechanism: Mechanism, tree: Tree, where: Places, owner: str, id: str, c: int, factor: float
) -> Term:
    joint = mechanism.joints.get(id)
    if joint is None or not 0 <= c < JOINT_TYPES[joint.type].dof + (
        THREAD in JOINT_TYPES[joint.type].primitives
    ):
        raise EngineError(
            Finding(
                "error",
                owner,
                tr(
                    "{owner} refers to a joint coordinate that does not exist.",
                    owner=element_name(mechanism, owner),
                ),
                tr("Choose a joint and one of its coordinates."),
            )
        )
    if (id, c) in tree.screws:
        i = tree.screws[id, c]
        dof = sum(n.dof for n in tree.nodes[:i])
        q = sum(len(n.start) for n in tree.nodes[:i])
        node = tree.nodes[i]
        # an angle along a track is the way of a point, which takes a force along it
        turns = (node.motion == k.SCREW and node.turn != 0.0) or node.curve_turning != 0.0
        return Term(q, dof, -1, int(turns), node.parent, i, factor)
    order, reads = reading_plan(joint.type)
    row = reads[order.index(c)]
    if not row[k.X_SIMPLE]:
        name = JOINT_TYPES[joint.type].coordinates[c].name
        raise EngineError(
            Finding(
                "error",
                owner,
                tr(
                    "{owner} cannot hold {name} of {joint}, one of several angles that only have "
                    "a meaning together.",
                    owner=element_name(mechanism, owner),
                    name=name,
                    joint=joint.name,
                ),
                tr(
                    "Use a hinge angle or a slide: of a revolute, prismatic, cylindrical, screw, "
                    "universal, planar or rolling joint, or the slides of a joint with a ball."
                ),
            )
        )
    end_a, end_b = (joint_end(mechanism, tree, f)[0] for f in (joint.frame_a, joint.frame_b))
    e = where.reads[id, c]
    return Term(where.readings + e, -1, e, int(row[k.X_OP] != k.OP_SLIDE), end_a, end_b, factor)


def element_name(mechanism: Mechanism, id: str) -> str:
    """Name of an element at the beginning of a sentence: "Joint A", "Drive 1"."""
    for word, section in (
        ("joint", mechanism.joints),
        ("coupling", mechanism.couplings),
        ("drive", mechanism.drives),
    ):
        if id in section:
            name = section[id].name or id
            return (
                name[:1].upper() + name[1:]
                if name.lower().startswith(word)
                else f"{word.capitalize()} {name}"
            )
    return id


def coupling_rows(
    mechanism: Mechanism,
    tree: Tree,
    where: Places,
    start: np.ndarray,
    size: float,
    programs: Programs,
) -> list[Row]:
    """A row per coupling; its constant is its value at the start, a state (n,)."""
    return [
        _coupling_row(mechanism, tree, where, start, size, programs, coupling)
        for coupling in mechanism.couplings.values()
    ]


def _coupling_row(
    mechanism: Mechanism,
    tree: Tree,
    where: Places,
    start: np.ndarray,
    size: float,
    programs: Programs,
    coupling: Coupling,
) -> Row:
    kind = COUPLING_TYPES[coupling.type]
    factors = kind.factors({name: q.value for name, q in coupling.parameters.items()})
    law = programs.index["coupling", coupling.id] if kind.law else -1
    terms = [
        (end.joint, end.coordinate, float(a)) for end, a in zip(coupling.ends, factors, strict=True)
    ]
    slides = any(
        JOINT_TYPES[mechanism.joints[joint].type].coordinates[c].dimension == "length" and a
        for joint, c, a in terms
        if joint in mechanism.joints
    )
    lengths = any(p.dimension == "length" for p in kind.parameters)
    row = coordinate_row(
        mechanism,
        tree,
        where,
        coupling.id,
        terms,
        law=law,
        over=k.OVER_FIRST,
        metres=1.0 if slides or lengths else size,
    )
    row.const[k.RLEN] = sum(t.factor * start[t.x] for t in row.terms)
    if coupling.law is not None and law >= 0:
        row.const[k.RLEN] -= jet(coupling.law, float(start[row.terms[0].x]))[0]
    return row


def drive_rows(
    mechanism: Mechanism,
    tree: Tree,
    where: Places,
    start: np.ndarray,
    size: float,
    programs: Programs,
) -> list[Row]:
    """A row per enabled drive; a position starts from the coordinate that it has at the start, a
    state (n,).
    """
    return [
        _drive_row(mechanism, tree, where, start, size, programs, drive)
        for drive in mechanism.drives.values()
        if drive.enabled
    ]


def _drive_row(
    mechanism: Mechanism,
    tree: Tree,
    where: Places,
    start: np.ndarray,
    size: float,
    programs: Programs,
    drive: Drive,
) -> Row:
    law = programs.index["drive", drive.id]
    level = {POSITION: k.OF_POSITION, VELOCITY: k.OF_VELOCITY}.get(
        drive.quantity, k.OF_ACCELERATION
    )
    row = coordinate_row(
        mechanism,
        tree,
        where,
        drive.id,
        ((drive.joint, drive.coordinate, 1.0),),
        law=law,
        level=level,
        lasting=False,
    )
    term = row.terms[0]
    row.const[k.RMETRES] = size if term.turns else 1.0
    if level == k.OF_POSITION:
        row.const[k.RLEN] = start[term.x] - jet(drive.law, mechanism.start.value)[0]
    return row


__all__ = [
    "Row",
    "Term",
    "coordinate_row",
    "coupling_rows",
    "drive_rows",
    "element_name",
    "joint_rows",
]
