"""Nodes of the spanning tree: the chain of elementary motions that each joint becomes.

Ground is the root.  A joint whose frame A is on the child's side is walked backwards; its
coordinates keep their sign, because the axis is turned instead.  Composite joints become chains of
screws and balls with massless links between; a fixed joint welds its child to the parent's node.  A
body that no joint can carry hangs on a free motion.  A joint that closes a loop and has no rows of
its own for the kernel (a rolling disc, a point on a curve) keeps its chain too, without a body: the
chain's end is held to body b by rows.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from mechstudio.engine.constraints.coordinates import is_chained
from mechstudio.engine.constraints.curves import CurveTable
from mechstudio.engine.constraints.rows import joint_length
from mechstudio.engine.constraints.tracks import track_table
from mechstudio.engine.kernels import columns as k
from mechstudio.model.geometry.rotation import about, matrix
from mechstudio.model.joints.coordinate_readings import thread_constant
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Frame, Joint, Mechanism
from mechstudio.model.tree import Branch, spanning_tree
from mechstudio.model.types.joints import (
    BALL,
    HELIX,
    JOINT_TYPES,
    LIFT,
    QUARTER,
    ROD,
    TRACK,
    TURN,
    Z,
)

Pose = tuple[np.ndarray, np.ndarray]  # matrix (3, 3), origin (3,)


def pose_of(
    position: Sequence[float] | np.ndarray, quaternion: Sequence[float] | np.ndarray
) -> Pose:
    """(matrix, origin) of a position [m] and a quaternion."""
    return np.array(matrix(tuple(quaternion))), np.array(position, float)  # type: ignore[arg-type]


def compose(a: Pose, b: Pose) -> Pose:
    """The pose b, given in a's axes, seen from outside a."""
    return a[0] @ b[0], a[0] @ b[1] + a[1]


def inverse(a: Pose) -> Pose:
    """The outside seen from a."""
    return a[0].T, -a[0].T @ a[1]


@dataclass
class Node:
    """One elementary motion.  parent: index, -1 for ground.  axis: in node axes.  arm: joint
    position in the parent's axes [m].

    start: values of its coordinates at the start, quaternion included.  joint, coordinate: whose it
    is ("" for a free motion).
    curve: of a way along one, and curve_axes (3, 3): its axes, or their opposites walked backwards,
    in the parent's axes.  curve_turning: 1 where the curve turns about `axis` by 1 rad per unit of
    the coordinate, -1 where it is walked backwards, 0 where it does not turn.
    """

    parent: int
    motion: int
    axis: np.ndarray
    arm: np.ndarray
    joint: str
    coordinate: int = -1
    turn: float = 0.0
    slide: float = 0.0
    start: tuple[float, ...] = (0.0,)
    mass: float = 0.0
    moment: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    bodies: list[str] = field(default_factory=list)
    curve: CurveTable | None = None
    curve_axes: np.ndarray = field(default_factory=lambda: np.eye(3))
    curve_turning: float = 0.0

    @property
    def dof(self) -> int:
        """Freedoms."""
        return {k.SCREW: 1, k.BALL: 3, k.FREE: 6, k.TRACK: 1}[self.motion]


@dataclass
class Tree:
    """nodes: parents first, a child next to its parent.  place: node and pose in its axes of each
    body.  closing: joints that are rows.

    screws: (joint, coordinate) -> node, for coordinates that are the tree's own.  ends: node and
    frame of the ends of bodiless chains.
    """

    nodes: list[Node]
    place: dict[str, tuple[int, Pose]]
    closing: list[str]
    screws: dict[tuple[str, int], int]
    ends: dict[str, tuple[int, Pose]]


def frame_pose(mechanism: Mechanism, frame: Frame) -> Pose:
    """A frame in its body's axes."""
    return pose_of(*mechanism.frame_in_body(frame))


def joint_end(mechanism: Mechanism, tree: Tree, frame) -> tuple[int, Pose]:
    """Node that carries a frame (-1: ground) and the frame in its axes."""
    node, place = tree.place[frame.body]
    return node, compose(place, frame_pose(mechanism, frame))


class _Builder:
    def __init__(
        self,
        mechanism: Mechanism,
        poses: dict[str, Pose],
        coordinates: dict[str, tuple[float, ...]],
    ):
        self.mechanism, self.poses, self.coordinates = mechanism, poses, coordinates
        self.nodes: list[Node] = []
        self.place: dict[str, tuple[int, Pose]] = {
            GROUND: (-1, pose_of(*mechanism.ground.placement.pose))
        }
        self.ends: dict[str, tuple[int, Pose]] = {}

    def add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def attach(self, body: str) -> None:
        """Attach a body to a free motion about its centre of mass."""
        center = np.array(mass_properties(self.mechanism.bodies[body]).center)
        Rm, p = self.poses[body]
        at = Rm @ center + p
        node = self.add(
            Node(-1, k.FREE, np.zeros(3), at, "", start=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
        )
        self.place[body] = (node, (Rm, p - at))

    def attach_by_joint(self, joint: Joint, branch: Branch) -> None:
        """Attach a body to its parent by the motions of a joint."""
        inner, outer = joint.frame_a, joint.frame_b
        if branch.reversed:
            inner, outer = outer, inner
        at, frame = self.chain(joint, inner, not branch.reversed)
        self.place[branch.body] = (at, compose(frame, inverse(frame_pose(self.mechanism, outer))))

    def close(self, joint: Joint) -> None:
        """The chain of a joint that closes a loop, from its body a on and without a body at its
        end.
        """
        self.ends[joint.id] = self.chain(joint, joint.frame_a, True)

    def chain(self, joint: Joint, inner: Frame, forward: bool) -> tuple[int, Pose]:
        """Add the nodes of a joint's motions to the body of frame `inner`.  Returns the last node
        and the other frame in its axes.
        """
        at, place = self.place[inner.body]
        frame = compose(place, frame_pose(self.mechanism, inner))
        values = self.coordinates[joint.id]
        steps, c = [], 0
        for motion, axis in JOINT_TYPES[joint.type].motions:
            steps.append((motion, axis, c))
            c += {BALL: 3, ROD: 0, QUARTER: 0}.get(motion, 1)
        sign = 1.0 if forward else -1.0
        for motion, axis, c in steps if forward else reversed(steps):
            direction = sign * frame[0][:, axis]
            if motion == ROD:
                frame = (frame[0], frame[1] + joint_length(self.mechanism, joint) * direction)
            elif motion == QUARTER:
                frame = (
                    frame[0] @ np.array(matrix(about(tuple(np.eye(3)[axis]), sign * 0.5 * np.pi))),
                    frame[1],
                )
            elif motion in (TRACK, LIFT):
                course = track_table(joint)
                assert course is not None
                at = self.add(
                    Node(
                        at,
                        k.TRACK,
                        direction if motion == LIFT else np.zeros(3),
                        frame[1],
                        joint.id,
                        c,
                        start=(values[c],),
                        curve=course,
                        turn=float(JOINT_TYPES[joint.type].coordinates[c].dimension == "angle"),
                        curve_axes=sign * frame[0],
                        curve_turning=sign if motion == LIFT else 0.0,
                    )
                )
                frame = (frame[0], np.zeros(3))
            elif motion == HELIX:
                # angle zero lies where the thread has carried it, as far as it is drawn off
                lead = joint_length(self.mechanism, joint) / (2 * np.pi)
                arm = (
                    frame[1]
                    + thread_offset(self.mechanism, joint, self.poses, values[c]) * direction
                )
                at = self.add(
                    Node(at, k.SCREW, direction, arm, joint.id, c, 1.0, lead, (values[c],))
                )
                frame = (frame[0], np.zeros(3))
            elif motion == BALL:
                # the ball's zero is its attitude at the start, so that its quaternion starts as
                # identity
                turn = _angles_matrix(*values[c : c + 3])
                at = self.add(
                    Node(at, k.BALL, np.zeros(3), frame[1], joint.id, c, start=(1.0, 0.0, 0.0, 0.0))
                )
                frame = (frame[0] @ (turn if forward else turn.T), np.zeros(3))
            else:
                turning = motion == TURN
                at = self.add(
                    Node(
                        at,
                        k.SCREW,
                        direction,
                        frame[1],
                        joint.id,
                        c,
                        float(turning),
                        float(not turning),
                        (values[c],),
                    )
                )
                frame = (frame[0], np.zeros(3))
        return at, frame


def thread_offset(
    mechanism: Mechanism, joint: Joint, poses: dict[str, Pose], angle: float
) -> float:
    """Constant of a screw's thread at given poses and an angle [m]."""
    (Ra, pa), (_, pb) = (
        compose(poses[f.body], frame_pose(mechanism, f)) for f in (joint.frame_a, joint.frame_b)
    )
    return thread_constant(joint, float(Ra[:, Z] @ (pb - pa)), angle)


def _angles_matrix(psi: float, theta: float, phi: float) -> np.ndarray:
    """Rz(psi) Ry(theta) Rx(phi)."""
    (a, b), (c, d), (e, f) = ((np.cos(x), np.sin(x)) for x in (psi, theta, phi))
    return np.array(
        [
            [a * c, a * d * f - b * e, a * d * e + b * f],
            [b * c, b * d * f + a * e, b * d * e - a * f],
            [-d, c * f, c * e],
        ]
    )


def node_tree(
    mechanism: Mechanism,
    poses: dict[str, Pose],
    coordinates: dict[str, tuple[float, ...]],
    excluded: Collection[str] = (),
) -> Tree:
    """The nodes of the spanning tree (model/tree.py).

    poses: of each body in W, ground included.  coordinates: of each joint there.  excluded: joints
    that must be rows.
    """
    b = _Builder(mechanism, poses, coordinates)
    tree = spanning_tree(mechanism, excluded=excluded)
    for branch in tree.branches:
        if branch.joint:
            b.attach_by_joint(mechanism.joints[branch.joint], branch)
        else:
            b.attach(branch.body)
    for id in tree.closing:
        if is_chained(mechanism.joints[id].type):
            b.close(mechanism.joints[id])
    _load(mechanism, b)
    return _depth_first(b, list(tree.closing))


def _load(mechanism: Mechanism, b: _Builder) -> None:
    """Give the nodes the masses of their bodies, about the node's origin (Huygens/Steiner)."""
    for id, body in mechanism.bodies.items():
        at, (Rm, p) = b.place[id]
        if at < 0:
            continue
        m = mass_properties(body)
        node, c = b.nodes[at], Rm @ np.array(m.center) + p
        node.mass += m.mass
        node.moment = node.moment + m.mass * c
        node.inertia = (
            node.inertia
            + Rm @ np.array(m.inertia) @ Rm.T
            + m.mass * (c @ c * np.eye(3) - np.outer(c, c))
        )
        node.bodies.append(id)


def _depth_first(b: _Builder, closing: list[str]) -> Tree:
    """Order the nodes so that a child's rows lie next to its parent's."""
    children: dict[int, list[int]] = {}
    for n, node in enumerate(b.nodes):
        children.setdefault(node.parent, []).append(n)
    order, todo = [], children.get(-1, [])[::-1]
    while todo:
        n = todo.pop()
        order.append(n)
        todo += children.get(n, [])[::-1]
    at = {n: i for i, n in enumerate(order)} | {-1: -1}
    nodes = [b.nodes[n] for n in order]
    for node in nodes:
        node.parent = at[node.parent]
    screws = {
        (node.joint, node.coordinate): i
        for i, node in enumerate(nodes)
        if node.motion in (k.SCREW, k.TRACK)
    }
    return Tree(
        nodes,
        {body: (at[n], pose) for body, (n, pose) in b.place.items()},
        closing,
        screws,
        {joint: (at[n], pose) for joint, (n, pose) in b.ends.items()},
    )
