"""The spanning tree: which joints carry bodies, and the chain of elementary nodes that each becomes.

Ground is the root.  A joint whose frame A is on the child's side is walked backwards; its coordinates keep their sign, because
the axis is turned instead.  Composite joints become chains of screws and balls with massless links between; a fixed joint welds
its child to the parent's node.  A body that no joint can carry hangs on a free motion.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from mechstudio.model.joint_types import BALL, JOINT_TYPES, ROD, SLIDE, TURN
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Frame, Joint, Mechanism
from mechstudio.model.rotation import matrix

from .kernels import columns as k
from .rows import rod_length

Pose = tuple[np.ndarray, np.ndarray]           # matrix (3, 3), origin (3,)


def pose_of(position: Sequence[float] | np.ndarray, quaternion: Sequence[float] | np.ndarray) -> Pose:
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
    """One elementary motion.  parent: index, -1 for ground.   axis: in node axes.   arm: joint position in the parent's axes [m].

    start: values of its coordinates at the start, quaternion included.   joint, coordinate: whose it is ("" for a free motion).
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

    @property
    def dof(self) -> int:
        """Freedoms."""
        return {k.SCREW: 1, k.BALL: 3, k.FREE: 6}[self.motion]


@dataclass
class Tree:
    """nodes: parents first, a child next to its parent.   place: node and pose in its axes of each body.   closing: joints that are rows.

    screws: (joint, coordinate) -> node, for coordinates that are the tree's own.
    """

    nodes: list[Node]
    place: dict[str, tuple[int, Pose]]
    closing: list[str]
    screws: dict[tuple[str, int], int]


def frame_pose(mechanism: Mechanism, frame: Frame) -> Pose:
    """A frame in its body's axes."""
    return pose_of(*mechanism.frame_in_body(frame))


def joint_end(mechanism: Mechanism, tree: Tree, frame) -> tuple[int, Pose]:
    """Node that carries a frame (-1: ground) and the frame in its axes."""
    node, place = tree.place[frame.body]
    return node, compose(place, frame_pose(mechanism, frame))


class _Builder:
    def __init__(self, mechanism: Mechanism, poses: dict[str, Pose], coordinates: dict[str, tuple[float, ...]]):
        self.mechanism, self.poses, self.coordinates = mechanism, poses, coordinates
        self.nodes: list[Node] = []
        self.place: dict[str, tuple[int, Pose]] = {GROUND: (-1, pose_of(*mechanism.ground.placement.pose))}
        self.depth = {GROUND: 0}

    def add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def hang(self, body: str) -> None:
        """Hang a body on a free motion about its centre of mass."""
        center = np.array(mass_properties(self.mechanism.bodies[body]).center)
        Rm, p = self.poses[body]
        at = Rm @ center + p
        node = self.add(Node(-1, k.FREE, np.zeros(3), at, "", start=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)))
        self.place[body] = (node, (Rm, p - at))
        self.depth[body] = 1

    def carry(self, joint: Joint, parent: str, child: str) -> None:
        """Hang `child` on `parent` by the motions of a joint."""
        forward = joint.frame_a.body == parent
        inner, outer = (joint.frame_a, joint.frame_b) if forward else (joint.frame_b, joint.frame_a)
        at, place = self.place[parent]
        frame = compose(place, frame_pose(self.mechanism, inner))
        kind = JOINT_TYPES[joint.type]
        values = self.coordinates[joint.id]
        steps, c = [], 0
        for motion, axis in kind.motions:
            steps.append((motion, axis, c))
            c += {TURN: 1, SLIDE: 1, BALL: 3, ROD: 0}[motion]
        for motion, axis, c in steps if forward else reversed(steps):
            direction = frame[0][:, axis] * (1.0 if forward else -1.0)
            if motion == ROD:
                frame = (frame[0], frame[1] + rod_length(self.mechanism, joint) * direction)
            elif motion == BALL:
                # the ball's zero is its attitude at the start, so that its quaternion starts as identity
                turn = _angles_matrix(*values[c:c + 3])
                at = self.add(Node(at, k.BALL, np.zeros(3), frame[1], joint.id, c, start=(1.0, 0.0, 0.0, 0.0)))
                frame = (frame[0] @ (turn if forward else turn.T), np.zeros(3))
            else:
                turning = motion == TURN
                at = self.add(Node(at, k.SCREW, direction, frame[1], joint.id, c, float(turning), float(not turning), (values[c],)))
                frame = (frame[0], np.zeros(3))
        self.place[child] = (at, compose(frame, inverse(frame_pose(self.mechanism, outer))))
        self.depth[child] = self.depth[parent] + 1


def _angles_matrix(psi: float, theta: float, phi: float) -> np.ndarray:
    """Rz(psi) Ry(theta) Rx(phi)."""
    (a, b), (c, d), (e, f) = ((np.cos(x), np.sin(x)) for x in (psi, theta, phi))
    return np.array([[a * c, a * d * f - b * e, a * d * e + b * f], [b * c, b * d * f + a * e, b * d * e - a * f], [-d, c * f, c * e]])


def spanning_tree(mechanism: Mechanism, poses: dict[str, Pose], coordinates: dict[str, tuple[float, ...]],
                  kept_out: Collection[str] = ()) -> Tree:
    """Grow the tree from ground: joints with the fewest freedoms first, so that the fewest rows are left; then the shortest branches.

    poses: of each body in W, ground included.   coordinates: of each joint there.   kept_out: joints that must be rows.
    """
    b = _Builder(mechanism, poses, coordinates)
    usable = {id: j for id, j in mechanism.joints.items() if JOINT_TYPES[j.type].tree and id not in kept_out}
    order = {id: n for n, id in enumerate(mechanism.joints)}
    touching: dict[str, list[Joint]] = {body: [] for body in (GROUND, *mechanism.bodies)}
    for joint in usable.values():
        for body in {joint.frame_a.body, joint.frame_b.body}:
            touching[body].append(joint)
    carriers: set[str] = set()
    frontier: list[tuple[int, int, int, str, str, str]] = []

    def reach(body: str) -> None:
        for j in touching[body]:
            other = j.frame_b.body if j.frame_a.body == body else j.frame_a.body
            if other not in b.place:
                frontier.append((JOINT_TYPES[j.type].dof, b.depth[body], order[j.id], j.id, body, other))

    reach(GROUND)
    waiting = list(mechanism.bodies)
    while True:
        frontier = [f for f in frontier if f[5] not in b.place]
        if frontier:
            best = min(frontier)
            frontier.remove(best)
            joint = usable[best[3]]
            carriers.add(joint.id)
            b.carry(joint, best[4], best[5])
            reach(best[5])
            continue
        waiting = [w for w in waiting if w not in b.place]
        if not waiting:
            break
        b.hang(waiting[0])
        reach(waiting[0])
    _load(mechanism, b)
    return _depth_first(mechanism, b, [id for id in mechanism.joints if id not in carriers])


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
        node.inertia = node.inertia + Rm @ np.array(m.inertia) @ Rm.T + m.mass * (c @ c * np.eye(3) - np.outer(c, c))
        node.bodies.append(id)


def _depth_first(mechanism: Mechanism, b: _Builder, closing: list[str]) -> Tree:
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
    screws = {(node.joint, node.coordinate): i for i, node in enumerate(nodes) if node.motion == k.SCREW}
    return Tree(nodes, {body: (at[n], pose) for body, (n, pose) in b.place.items()}, closing, screws)
