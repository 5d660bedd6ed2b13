"""The free motions of a mechanism by name: null vectors in a basis in which each is one input with what follows it (THEORY 4).

Of all joint coordinates the basis takes as many as there are freedoms, driven ones and those near ground first; each motion moves
one of them and keeps the others still (reduced echelon form), so that few bodies move in each.
"""

from typing import Any

import msgspec
import numpy as np

from mechstudio.model.analysis import Freedom
from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.mechanism import Joint, Mechanism

from .attitude import cross
from .loops import Graph
from .redundancy import listed
from .rows import JointRows
from .screws import LoopEquations, body_motions

STILL = 1e-7            # part of a motion's largest rate that counts as none
CLEAR = (0.1, 1e-3, 1e-8)   # how much of a coordinate's motion the chosen ones must leave for it to be chosen, most demanding first
MOTORS = ("motor_", "servo_")
LOCKED = 100.0          # condition of a joint's coordinates from which on they say nothing about its motion: within 0.01 rad of a gimbal lock


class _Row(msgspec.Struct, frozen=True):
    """One joint coordinate that may stand for a motion, or a free twist of a joint whose coordinates are locked.

    scale: metres for a length, 1 for an angle.
    """

    joint: int
    coordinate: int
    scale: float
    locked: bool


def freedoms(mechanism: Mechanism, equations: LoopEquations, motions: np.ndarray, poses: np.ndarray, rows: JointRows) -> tuple[Freedom, ...]:
    """All free motions at the pose of the equations, then the groups that move freely.

    motions (n, d): joint freedoms of the free motions, orthonormal.   poses (n, 7) there.
    """
    out: list[Freedom] = []
    joints, bodies = list(mechanism.joints.values()), list(mechanism.bodies.values())
    if motions.shape[1]:
        table, rates = _coordinates(equations, joints, motions)
        depth = depths(equations.graph)
        order = sorted(range(len(table)), key=_preference(mechanism, joints, table, depth, rows))
        chosen = _pivots(rates, order, motions.shape[1])
        basis = np.linalg.inv(rates[chosen])
        origin = poses[:, :3].mean(axis=0)
        twists = body_motions(equations, origin, rows.size)[1:, :, :equations.count] @ (motions @ basis)
        for c, pivot in enumerate(chosen):
            out.append(_freedom(mechanism, table, rates @ basis[:, c], pivot, twists[:, :, c], (poses, origin, rows), depth))
    return (*out, *_floating(equations.graph, bodies))


def depths(graph: Graph) -> list[int]:
    """Joints between each node and the root of its group, along the spanning forest."""
    out = [0] * len(graph.component)
    for _, parent, child, _ in graph.tree:
        out[child] = out[parent] + 1
    return out


def _coordinates(equations, joints, motions) -> tuple[list[_Row], np.ndarray]:
    """Every coordinate with its rates (rows, d) in all motions, lengths over the loop's extent; of a locked joint the free twists themselves."""
    table, rates = [], []
    for j, joint in enumerate(joints):
        own = motions[equations.columns[j]]
        if not len(own):
            continue
        turn = equations.rates.of(j)
        kinds = [c.dimension for c in JOINT_TYPES[joint.type].coordinates]
        scale = np.array([equations.extent[j] if d == "length" else 1.0 for d in kinds])
        turn = turn / scale[:, None]
        locked = not np.isfinite(turn).all() or np.linalg.cond(turn) > LOCKED
        if locked:
            turn, scale = np.eye(len(own)), np.ones(len(own))
        table += [_Row(j, c, float(scale[c]), locked) for c in range(len(own))]
        rates.append(turn @ own)
    return table, np.concatenate(rates)


def _preference(mechanism: Mechanism, joints: list[Joint], table: list[_Row], depth: list[int], rows: JointRows) -> Any:
    """Sorting key of the coordinates: driven, then with a motor, of joints with one freedom, near ground; of rolling joints angles before places."""
    drives = {(d.joint, d.coordinate) for d in mechanism.drives.values() if d.enabled}
    motors = {(f.joint, f.coordinate) for f in mechanism.forces.values() if f.type.startswith(MOTORS)}

    def key(k: int) -> tuple:
        row = table[k]
        joint = joints[row.joint]
        kind = JOINT_TYPES[joint.type]
        place = (joint.id, row.coordinate)
        near = min(depth[rows.body_a[row.joint]], depth[rows.body_b[row.joint]])
        return place not in drives, place not in motors, kind.dof > 1, near, bool(kind.rolling) and kind.coordinates[row.coordinate].dimension == "length", k

    return key


def _pivots(rates: np.ndarray, order: list[int], count: int) -> list[int]:
    """As many rows as there are motions, independent of each other, the earliest in order that are clearly so."""
    chosen: list[int] = []
    taken = np.zeros((0, count))
    for least in CLEAR:
        for k in order:
            if len(chosen) == count:
                return chosen
            rest = rates[k] - (rates[k] @ taken.T) @ taken
            rest = rest - (rest @ taken.T) @ taken
            length = float(np.linalg.norm(rest))
            if k not in chosen and length > least * max(float(np.linalg.norm(rates[k])), 1e-3):
                chosen.append(k)
                taken = np.concatenate((taken, rest[None] / length))
    return chosen


def _freedom(mechanism: Mechanism, table: list[_Row], rates: np.ndarray, pivot: int, twists: np.ndarray, place: tuple, depth: list[int]) -> Freedom:
    """One motion.  rates (rows,): of all coordinates; twists (bodies, 6): (w; v / size), v at place's origin."""
    poses, origin, rows = place
    joints, bodies = list(mechanism.joints.values()), list(mechanism.bodies.values())
    w, v = twists[:, :3], twists[:, 3:] * rows.size + cross(twists[:, :3], poses[:, :3] - origin)
    speed = np.maximum(np.linalg.norm(w, axis=1), np.linalg.norm(v, axis=1) / rows.size)
    moving = np.flatnonzero(speed > STILL * max(speed.max(), 1e-300))
    scale = 1.0 / max(float(speed.max()), 1e-300)
    active = [k for k in range(len(table)) if abs(rates[k]) > STILL * np.abs(rates).max()]
    row = table[pivot]
    joint = joints[row.joint]
    pair = sorted((rows.body_a[row.joint], rows.body_b[row.joint]), key=lambda node: (depth[node], node))
    child, parent = int(pair[1]) - 1, int(pair[0]) - 1
    touching = [j for j in range(len(joints)) if len(moving) == 1 and moving[0] + 1 in (rows.body_a[j], rows.body_b[j])]
    # idle: what it is joined to stands, and is more than one body (a door on two hinges is not idle)
    if len({int(node) for j in touching for node in (rows.body_a[j], rows.body_b[j])}) > 2:
        kind, name = "idle", _idle_name(bodies[moving[0]].name, w[moving[0]], rows, touching, poses)
    else:
        kind = "part" if len({table[k].joint for k in active}) == 1 else "input"
        name = _name(joint, row, bodies, child, parent, moving)
    return Freedom(name, kind, joint.id, row.coordinate, tuple(bodies[k].id for k in moving),  # type: ignore[arg-type]
                   tuple((joints[table[k].joint].id, table[k].coordinate, float(rates[k] * table[k].scale * scale)) for k in active if not table[k].locked),
                   tuple(tuple(float(c) + 0.0 for c in np.concatenate((w[k], v[k])) * scale) for k in range(len(bodies))))


def _name(joint, row, bodies, child, parent, moving) -> str:
    kind = JOINT_TYPES[joint.type]
    verb = "turns" if kind.coordinates[row.coordinate].dimension == "angle" else "slides"
    text = f"{bodies[child].name} {verb}"
    if row.locked:
        text = f"{bodies[child].name} moves at {joint.name} ({row.coordinate + 1}; its angles are in gimbal lock)"
    elif kind.dof > 1:
        text += f" at {joint.name} ({kind.coordinates[row.coordinate].name})"
    elif parent >= 0:
        text += f" against {bodies[parent].name}"
    others = [bodies[k].name for k in moving if k != child]
    if not others:
        return text
    if len(others) == len(bodies) - 1 and len(others) > 1:
        return f"{text}, all follow"
    return f"{text}, {listed(others)} {'follows' if len(others) == 1 else 'follow'}"


def _idle_name(name, w, rows, touching, poses) -> str:
    """A body that nothing else follows: mostly a rod that turns about the line through its joints."""
    frames = rows.frames(poses)
    points = np.array([frames[2][j] for j in touching])
    line = points[-1] - points[0]
    spins = np.linalg.norm(np.cross(line, w)) < 1e-6 * max(np.linalg.norm(line) * np.linalg.norm(w), 1e-300)
    return f"{name} spins about its own axis: idle" if spins and np.linalg.norm(line) > 0 else f"{name} moves on its own: idle"


def _floating(graph: Graph, bodies) -> list[Freedom]:
    out = []
    for k in range(1, len(graph.roots)):
        group = [bodies[node - 1] for node, c in enumerate(graph.component) if c == k and node > 0]
        verb = "moves" if len(group) == 1 else "move"
        out.append(Freedom(f"{listed([b.name for b in group])} {verb} freely in 6 directions", "floating", bodies=tuple(b.id for b in group)))
    return out
