"""The free motions of a mechanism by name: null vectors in a basis in which each is one input with
what follows it (THEORY 4).

Of all joint coordinates the basis takes as many as there are freedoms, driven ones and those near
ground first; each motion moves one of them and keeps the others still (reduced echelon form), so
that few bodies move in each.
"""

from typing import Any

import msgspec
import numpy as np

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.constraints.graph import Graph
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.constraints.screws import LoopEquations, body_motions
from mechstudio.model.findings import listed
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Joint, Mechanism
from mechstudio.model.results.analysis import Freedom
from mechstudio.model.types.forces import is_motor
from mechstudio.model.types.joints import BALL, JOINT_TYPES
from mechstudio.translation import localised, series, tr, trn

STILL = 1e-7  # part of a motion's largest rate that counts as none
CLEAR = (
    0.1,
    1e-3,
    1e-8,
    # how much of a coordinate's motion the chosen ones must leave for it to be chosen, most
    # demanding first
)
# condition of a joint's coordinates from which on they say nothing about its motion: within 0.01
# rad of a gimbal lock
LOCKED = 100.0


class _Row(msgspec.Struct, frozen=True):
    """One number that may stand for a motion: a joint coordinate, or of a ball its turn about an
    axis (angles of a ball lock, axes do not).

    coordinate: its place among the joint's; of a ball the first of its three angles.  words: how
    the motion is called, "" for the usual.
    dimension: "angle" or "length".
    """

    joint: int
    coordinate: int
    dimension: str
    words: str = ""


def freedoms(
    mechanism: Mechanism,
    equations: LoopEquations,
    motions: np.ndarray,
    poses: np.ndarray,
    rows: JointRows,
) -> tuple[Freedom, ...]:
    """All free motions at the pose of the equations, then the groups that move freely.

    motions (n, d): joint freedoms of the free motions, orthonormal.   poses (n, 7) there.
    """
    out: list[Freedom] = []
    joints, bodies = list(mechanism.joints.values()), list(mechanism.bodies.values())
    depth = depths(equations.graph)
    if motions.shape[1]:
        table, rates = _measures(mechanism, equations, motions, poses, depth, rows)
        order = sorted(range(len(table)), key=_preference(mechanism, joints, table, depth, rows))
        chosen = _pivots(rates, order, motions.shape[1])
        basis = np.linalg.inv(rates[chosen])
        origin = poses[:, :3].mean(axis=0)
        twists = body_motions(equations, origin, rows.size)[1:, :, : equations.count] @ (
            motions @ basis
        )
        for c, pivot in enumerate(chosen):
            moved = _rates(equations, joints, motions @ basis[:, c])
            out.append(
                _freedom(
                    mechanism, table[pivot], moved, twists[:, :, c], (poses, origin, rows), depth
                )
            )
    return (*out, *_floating(equations.graph, bodies))


def depths(graph: Graph) -> list[int]:
    """Joints between each node and the root of its group, along the spanning forest."""
    out = [0] * len(graph.component)
    for _, parent, child, _ in graph.tree:
        out[child] = out[parent] + 1
    return out


def _measures(
    mechanism: Mechanism,
    equations: LoopEquations,
    motions: np.ndarray,
    poses: np.ndarray,
    depth: list[int],
    rows: JointRows,
) -> tuple[list[_Row], np.ndarray]:
    """Coordinates that may stand for a motion, with their rates (rows, d) in all motions, lengths
    over the loop's extent.
    """
    table, rates = [], []
    for j, joint in enumerate(mechanism.joints.values()):
        own, kind = motions[equations.columns[j]], JOINT_TYPES[joint.type]
        balls = any(motion == BALL for motion, _ in kind.motions)
        usual = kind.coordinates[:-3] if balls else kind.coordinates
        if usual:
            turn = _scaled(equations, j, kind)[: len(usual)]
            if _determines_motion(turn):
                table += [_Row(j, c, coordinate.dimension) for c, coordinate in enumerate(usual)]
                rates.append(turn @ own)
            else:
                locked, twist = _locked_axes(mechanism, joint, rows, j, depth)
                table += locked
                rates.append(twist @ equations.motions[j][:, : equations.dofs[j]] @ own)
        if balls:
            axes, words = _ball_axes(mechanism, equations, j, poses, depth, rows)
            table += [_Row(j, len(usual), "angle", w) for w in words]
            rates.append(axes @ equations.motions[j][:3, : equations.dofs[j]] @ own)
    return table, np.concatenate(rates)


def _scaled(equations, j, kind):
    """Rates (dof, dof) of a joint's coordinates per free twist, lengths over the loop's extent."""
    scale = np.array(
        [equations.extent[j] if c.dimension == "length" else 1.0 for c in kind.coordinates]
    )
    return equations.rates.of(j) / scale[:, None]


def _determines_motion(rates: np.ndarray) -> bool:
    """True if rates of coordinates (c, dof) determine how their joint moves, that is, not within
    0.01 rad of a gimbal lock.
    """
    return bool(np.isfinite(rates).all()) and np.linalg.cond(rates) < LOCKED


def _locked_axes(
    mechanism: Mechanism, joint: Joint, rows: JointRows, j: int, depth: list[int]
) -> tuple[list[_Row], np.ndarray]:
    """Substitutes for the coordinates of a joint in gimbal lock: rotations about X, Y, Z and slides
    along them, with their shares (6, 6) of a twist.
    """
    child = max(rows.body_a[j], rows.body_b[j], key=lambda node: (depth[node], node))
    name = list(mechanism.bodies.values())[int(child) - 1].name
    at = joint.name
    turns = [tr("{name} turns at {at} about {axis}", name=name, at=at, axis=a) for a in "XYZ"]
    slides = [tr("{name} slides at {at} along {axis}", name=name, at=at, axis=a) for a in "XYZ"]
    return [
        *(_Row(j, 0, "angle", words) for words in turns),
        *(_Row(j, 0, "length", words) for words in slides),
    ], np.eye(6)


def _ball_axes(mechanism, equations, j, poses, depth, rows) -> tuple[np.ndarray, list[str]]:
    """Three axes (3, 3) by rows through a ball, the last one the body's own: to its other joint if
    it has one, or else to its centre of mass.
    """
    joint = list(mechanism.joints.values())[j]
    child = int(max(rows.body_a[j], rows.body_b[j], key=lambda node: (depth[node], node)))
    body = list(mechanism.bodies.values())[child - 1]
    at = equations.points[j]
    others = [
        equations.points[i]
        for i in range(len(equations.dofs))
        if i != j and child in (rows.body_a[i], rows.body_b[i])
    ]
    _, R = rows.bodies(poses)
    center = poses[child - 1, :3] + R[child] @ np.array(mass_properties(body).center)
    own = next(
        (p - at for p in (*others, center) if np.linalg.norm(p - at) > 1e-6 * rows.size),
        equations.frames[3][j][:, 2],
    )
    own = own / np.linalg.norm(own)
    first = np.eye(3)[int(np.argmin(np.abs(np.round(own, 9))))]
    first = first - (first @ own) * own
    first /= np.linalg.norm(first)
    axes = np.array([first, np.cross(own, first), own])
    return axes, [
        tr(
            "{body} swings at {joint} about {direction}",
            body=body.name,
            joint=joint.name,
            direction=_direction(a),
        )
        for a in axes[:2]
    ] + [tr("{body} spins about its own axis", body=body.name)]


def _direction(axis: np.ndarray) -> str:
    k = int(np.argmax(np.abs(axis)))
    if abs(axis[k]) > 1 - 1e-9:
        return "XYZ"[k]
    return tr(
        "the direction ({names})",
        names=series(localised(f"{c + 0.0:.2f}") for c in np.round(axis * np.sign(axis[k]), 2)),
    )


def _rates(
    equations: LoopEquations, joints: list[Joint], motion: np.ndarray
) -> list[tuple[int, int, float]]:
    """(joint, coordinate, rate) of all coordinates [rad or m] in one motion; none of a joint in
    gimbal lock.
    """
    out = []
    for j, joint in enumerate(joints):
        own = motion[equations.columns[j]]
        if len(own) and np.abs(own).max() > STILL * np.abs(motion).max():
            turn = _scaled(equations, j, JOINT_TYPES[joint.type])
            if _determines_motion(turn):
                out += [(j, c, float(rate)) for c, rate in enumerate(equations.rates.of(j) @ own)]
    return out


def _is_moved(mechanism: Mechanism, joint: Joint, row: _Row) -> bool:
    """True if an enabled drive or a motor acts on that coordinate."""
    acting = [(d.joint, d.coordinate) for d in mechanism.drives.values() if d.enabled] + [
        (f.joint, f.coordinate) for f in mechanism.forces.values() if is_motor(f.type)
    ]
    return (joint.id, row.coordinate) in acting


def _preference(
    mechanism: Mechanism, joints: list[Joint], table: list[_Row], depth: list[int], rows: JointRows
) -> Any:
    """Sorting key of the coordinates: driven, then with a motor, of joints with one freedom, near
    ground; of rolling joints angles before places.
    """
    drives = {(d.joint, d.coordinate) for d in mechanism.drives.values() if d.enabled}
    motors = {(f.joint, f.coordinate) for f in mechanism.forces.values() if is_motor(f.type)}

    def key(k: int) -> tuple:
        row = table[k]
        joint = joints[row.joint]
        kind = JOINT_TYPES[joint.type]
        place = (joint.id, row.coordinate)
        near = min(depth[rows.body_a[row.joint]], depth[rows.body_b[row.joint]])
        return (
            place not in drives,
            place not in motors,
            kind.dof > 1,
            near,
            bool(kind.rolling) and row.dimension == "length",
            k,
        )

    return key


def _pivots(rates: np.ndarray, order: list[int], count: int) -> list[int]:
    """As many rows as there are motions, independent of each other, the earliest in order that are
    clearly so.
    """
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


def _freedom(
    mechanism: Mechanism,
    row: _Row,
    rates: list[tuple[int, int, float]],
    twists: np.ndarray,
    place: tuple,
    depth: list[int],
) -> Freedom:
    """One motion.  row: what stands for it; twists (bodies, 6): (w; v / size), v at place's
    origin.
    """
    poses, origin, rows = place
    joints, bodies = list(mechanism.joints.values()), list(mechanism.bodies.values())
    w, v = twists[:, :3], twists[:, 3:] * rows.size + cross(twists[:, :3], poses[:, :3] - origin)
    speed = np.maximum(np.linalg.norm(w, axis=1), np.linalg.norm(v, axis=1) / rows.size)
    moving = np.flatnonzero(speed > STILL * max(speed.max(), 1e-300))
    scale = 1.0 / max(float(speed.max()), 1e-300)
    largest = max((abs(r) for _, _, r in rates), default=0.0)
    active = [(j, c, r * scale) for j, c, r in rates if abs(r) > STILL * largest]
    joint = joints[row.joint]
    child, parent = (
        int(node) - 1
        for node in sorted(
            (rows.body_a[row.joint], rows.body_b[row.joint]), key=lambda node: (-depth[node], -node)
        )
    )
    touching = [
        j
        for j in range(len(joints))
        if len(moving) == 1 and moving[0] + 1 in (rows.body_a[j], rows.body_b[j])
    ]
    # idle: nothing moves it, and it is joined to fixed bodies, more than one (a door on two hinges
    # is not idle)
    if (
        not _is_moved(mechanism, joint, row)
        and len({int(node) for j in touching for node in (rows.body_a[j], rows.body_b[j])}) > 2
    ):
        kind, name = "idle", _idle_name(bodies[moving[0]].name, w[moving[0]], rows, touching, poses)
    else:
        kind = "part" if len({j for j, _, _ in active}) <= 1 else "input"
        name = _name(joint, row, bodies, child, parent, moving)
    # of a ball the angle that turns fastest
    fastest = (
        [(abs(r), -c) for j, c, r in active if j == row.joint and c >= row.coordinate]
        if row.words
        else []
    )
    coordinate = -max(fastest)[1] if fastest else row.coordinate
    return Freedom(
        name,
        kind,
        joint.id,
        coordinate,
        tuple(bodies[k].id for k in moving),  # type: ignore[arg-type]
        tuple((joints[j].id, c, r) for j, c, r in active),
        tuple(
            tuple(float(x) + 0.0 for x in np.concatenate((w[k], v[k])) * scale)
            for k in range(len(bodies))
        ),
    )


def _name(joint, row, bodies, child, parent, moving) -> str:
    kind = JOINT_TYPES[joint.type]
    name = bodies[child].name
    moves = tr("{name} turns", name=name) if row.dimension == "angle" else ""
    text = row.words or moves or tr("{name} slides", name=name)
    if kind.dof > 1 and not row.words:
        text += tr(
            " at {joint} ({coordinate})",
            joint=joint.name,
            coordinate=tr(kind.coordinates[row.coordinate].name),
        )
    elif parent >= 0 and not row.words:
        text += tr(" against {body}", body=bodies[parent].name)
    others = [bodies[k].name for k in moving if k != child]
    if not others:
        return text
    if len(others) == len(bodies) - 1 and len(others) > 1:
        return tr("{text}, all follow", text=text)
    return trn(
        "{text}, {names} follows",
        "{text}, {names} follow",
        len(others),
        text=text,
        names=listed(others),
    )


def _idle_name(name, w, rows, touching, poses) -> str:
    """A body that nothing else follows: mostly a rod that turns about the line through its
    joints.
    """
    frames = rows.frames(poses)
    points = np.array([frames[2][j] for j in touching])
    line = points[-1] - points[0]
    spins = np.linalg.norm(np.cross(line, w)) < 1e-6 * max(
        np.linalg.norm(line) * np.linalg.norm(w), 1e-300
    )
    return (
        tr("{name} spins about its own axis: idle", name=name)
        if spins and np.linalg.norm(line) > 0
        else tr("{name} moves on its own: idle", name=name)
    )


def _floating(graph: Graph, bodies) -> list[Freedom]:
    out = []
    for k in range(1, len(graph.roots)):
        group = [bodies[node - 1] for node, c in enumerate(graph.component) if c == k and node > 0]
        out.append(
            Freedom(
                trn(
                    "{names} moves freely in 6 directions",
                    "{names} move freely in 6 directions",
                    len(group),
                    names=listed([b.name for b in group]),
                ),
                "floating",
                bodies=tuple(b.id for b in group),
            )
        )
    return out
