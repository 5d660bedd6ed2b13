"""An independent reference for the derived equations: rigid bodies in absolute coordinates, in
plain numpy.

Kinematics by recursion over the tree's joints in world axes; loads by their definitions; constraint
directions from the engine's rows over absolute poses.  Nothing here reads mechstudio.symbolic.
"""

from functools import partial

import numpy as np
from scipy.spatial.transform import Rotation

from mechstudio.engine.constraints.attitude import drawn_poses
from mechstudio.engine.constraints.curves import curve_table
from mechstudio.engine.constraints.joint_coordinates import joint_coordinates
from mechstudio.engine.constraints.lifts import lift_table
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.joints.tracks import curve_of
from mechstudio.model.laws.evaluation import jet
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND
from mechstudio.model.tree import equation_tree
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import BODY, FORCE_TYPES, FRAMES, JOINT
from mechstudio.model.types.joints import (
    BALL,
    HELIX,
    JOINT_TYPES,
    LIFT,
    QUARTER,
    ROD,
    SLIDE,
    TRACK,
    TURN,
    X,
    Y,
    Z,
)

E3 = np.eye(3)


def turn(axis, angle):
    """Rotation matrix about a coordinate axis."""
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[j, j] = R[k, k] = np.cos(angle)
    R[k, j], R[j, k] = np.sin(angle), -np.sin(angle)
    return R


class Moving:
    """Pose, velocity and acceleration of a frame in world axes: R, p, w, v, alpha, a."""

    def __init__(
        self,
        R=np.eye(3),
        p=np.zeros(3),
        w=np.zeros(3),
        v=np.zeros(3),
        alpha=np.zeros(3),
        a=np.zeros(3),
    ):
        self.R, self.p, self.w, self.v, self.alpha, self.a = R, p, w, v, alpha, a

    def fixed(self, R, p):
        """A frame fixed in this one."""
        d = self.R @ p
        return Moving(
            self.R @ R,
            self.p + d,
            self.w,
            self.v + np.cross(self.w, d),
            self.alpha,
            self.a + np.cross(self.alpha, d) + np.cross(self.w, np.cross(self.w, d)),
        )

    def rotated(self, axis, q, v, a):
        z = self.R[:, axis]
        return Moving(
            self.R @ turn(axis, q),
            self.p,
            self.w + v * z,
            self.v,
            self.alpha + a * z + np.cross(self.w, v * z),
            self.a,
        )

    def slid(self, axis, q, v, a):
        z = self.R[:, axis]
        d = q * z
        return Moving(
            self.R,
            self.p + d,
            self.w,
            self.v + np.cross(self.w, d) + v * z,
            self.alpha,
            self.a
            + np.cross(self.alpha, d)
            + np.cross(self.w, np.cross(self.w, d))
            + 2 * np.cross(self.w, v * z)
            + a * z,
        )


def body_frame(mechanism, frame):
    p, q = mechanism.frame_in_body(frame)
    return np.array(matrix(q)), np.array(p)


def slots(mechanism):
    """(joint id or body id, first column) of the tree's coordinates, and their number."""
    tree = equation_tree(mechanism)
    out, k = {}, 0
    for id, joint in mechanism.joints.items():
        if id in tree.joints:
            out[id] = k
            k += JOINT_TYPES[joint.type].dof
    for b in tree.branches:
        if not b.joint:
            out[b.body] = k
            k += 6
    return out, k


def steps(motions):
    out = []
    for motion, axis in motions:
        out += [(TURN, Z), (TURN, Y), (TURN, X)] if motion == BALL else [(motion, axis)]
    return out


def bodies(mechanism, q, v, a):
    """Moving frames of all bodies, ground included."""
    place, _ = slots(mechanism)
    p, quaternion = mechanism.ground.placement.pose
    out = {GROUND: Moving(np.array(matrix(quaternion)), np.array(p))}
    for b in equation_tree(mechanism).branches:
        if not b.joint:
            at, k = Moving(), place[b.body]
            for i, axis in enumerate((X, Y, Z)):
                at = at.slid(axis, q[k + i], v[k + i], a[k + i])
            for i, axis in enumerate((Z, Y, X), 3):
                at = at.rotated(axis, q[k + i], v[k + i], a[k + i])
            out[b.body] = at
            continue
        joint, k = mechanism.joints[b.joint], place[b.joint]
        near, far = (joint.frame_b, joint.frame_a) if b.reversed else (joint.frame_a, joint.frame_b)
        at = out[b.parent].fixed(*body_frame(mechanism, near))
        moves, i = [], 0
        for motion, axis in steps(JOINT_TYPES[joint.type].motions):
            moves.append((i, motion, axis))
            i += motion not in (ROD, QUARTER)
        sign = -1 if b.reversed else 1
        for i, motion, axis in reversed(moves) if b.reversed else moves:
            at = transformed(
                at,
                joint,
                motion,
                axis,
                sign,
                *(sign * x[k + i] if motion not in (ROD, QUARTER) else 0.0 for x in (q, v, a)),
            )
        R, d = body_frame(mechanism, far)
        out[b.body] = at.fixed(R.T, -R.T @ d)
    return out


def transformed(at, joint, motion, axis, sign, q, v, a):
    """A frame carried through one elementary motion."""
    if motion == QUARTER:
        return at.fixed(turn(axis, sign * np.pi / 2), np.zeros(3))
    if motion == ROD:
        return at.fixed(
            E3,
            sign
            * joint.parameters["radius" if "radius" in joint.parameters else "length"].value
            * E3[axis],
        )
    if motion == TRACK:
        assert sign > 0, "a curve on the outer body has no reference here"
        return tracked(at, curve_table(curve_of(joint)).at(q), v, a)
    if motion == LIFT:
        # signed rates of a chain that is walked backwards turn the other way, and its curve stays
        jet = lift_table(curve_of(joint)).at(sign * q)
        if sign > 0:
            return tracked(at.rotated(axis, q, v, a), jet, v, a)
        back = [-x for x in jet]
        return tracked(at, back, -v, -a).rotated(axis, q, v, a)
    if motion == HELIX:
        h = joint.parameters["pitch"].value / (2 * np.pi)
        at, motion = at.slid(axis, h * q, h * v, h * a), TURN
    return (at.rotated if motion == TURN else at.slid)(axis, q, v, a)


def tracked(at, jet, v, a):
    """A frame moved along a curve, of which place and two derivatives by the way are given."""
    c, d, dd = (at.R @ x for x in jet)
    return Moving(
        at.R,
        at.p + c,
        at.w,
        at.v + np.cross(at.w, c) + v * d,
        at.alpha,
        at.a
        + np.cross(at.alpha, c)
        + np.cross(at.w, np.cross(at.w, c))
        + 2 * np.cross(at.w, v * d)
        + v * v * dd
        + a * d,
    )


def quaternion_of(R):
    """A unit quaternion of a rotation matrix, by its symmetric eigenvalue problem."""
    K = np.array(
        [
            [R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [0, R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [0, 0, R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1]],
            [0, 0, 0, R[2, 2] - R[0, 0] - R[1, 1]],
        ]
    )
    return np.linalg.eigh(np.triu(K, 1).T + np.diag(np.diag(K)))[1][:, -1]


def poses(mechanism, moving):
    """Poses (n, 7) in file order."""
    return np.array(
        [(*moving[id].p, *quaternion_of(moving[id].R)) for id in mechanism.bodies]
    ).reshape(-1, 7)


def drawn_coordinates(mechanism):
    """The tree's coordinates as drawn."""
    place, count = slots(mechanism)
    row = joint_coordinates(mechanism, drawn_poses(mechanism)[None])[0]
    q, k = np.zeros(count), 0
    for id, joint in mechanism.joints.items():
        dof = JOINT_TYPES[joint.type].dof
        if id in place:
            q[place[id] : place[id] + dof] = row[k : k + dof]
        k += dof
    for id, body in mechanism.bodies.items():
        if id in place:
            q[place[id] : place[id] + 3] = [c.value for c in body.placement.position]
            q[place[id] + 3 : place[id] + 6] = [c.value for c in body.placement.orientation]
    return q


def bushing_wrench(a, b, numbers):
    """Moment and force on b at its frame, in a's axes: -J^-T and -1 times K x + D x', with x the
    rotation vector and the shift of b against a, and J the left Jacobian of SO(3).
    """
    x = np.concatenate([Rotation.from_matrix(a.R.T @ b.R).as_rotvec(), a.R.T @ (b.p - a.p)])
    omega = a.R.T @ (b.w - a.w)
    speed = a.R.T @ (b.v - a.v - np.cross(a.w, b.p - a.p))
    phi, hat = np.linalg.norm(x[:3]), np.cross(np.eye(3), x[:3])
    # sin(phi)/phi and so on by numpy's sinc, which is whole at zero
    half = np.sinc(phi / (2 * np.pi)) ** 2 / 2
    third = (1 - np.sinc(phi / np.pi)) / phi**2 if phi > 1e-4 else 1 / 6
    J = np.eye(3) + half * hat + third * hat @ hat
    rates = np.concatenate([np.linalg.solve(J, omega), speed])
    matrices = np.zeros((2, 6, 6))
    upper = np.triu_indices(6)
    for matrix_, row in zip(matrices, np.reshape(numbers, (2, 21))):
        matrix_[upper] = row
        matrix_.T[upper] = row
    y = matrices[0] @ x + matrices[1] @ rates
    return -np.linalg.solve(J.T, y[:3]), -y[3:]


def applied(mechanism, moving, all_coordinates, all_rates):
    """Force at the origin in W and torque about it in W per body, from gravity and every load."""
    load = {id: [np.zeros(3), np.zeros(3)] for id in (GROUND, *mechanism.bodies)}

    def push(id, force, at):
        load[id][0] += force
        load[id][1] += np.cross(at - moving[id].p, force)

    for id, body in mechanism.bodies.items():
        m = mass_properties(body)
        push(
            id,
            m.mass * np.array([c.value for c in mechanism.gravity]),
            moving[id].p + moving[id].R @ m.center,
        )
    for f in mechanism.forces.values():
        kind = FORCE_TYPES[f.type]
        numbers = [
            f.parameters[p.name].value if p.name in f.parameters else p.default
            for p in kind.parameters
        ]
        if kind.attachment == BODY:
            at = moving[f.frame_b.body].fixed(*body_frame(mechanism, f.frame_b))
            vector = np.array(numbers) if f.axes == "world" else moving[f.frame_b.body].R @ numbers
            if kind.moment:
                load[f.frame_b.body][1] += vector
            else:
                push(f.frame_b.body, vector, at.p)
        elif kind.attachment == JOINT:
            joint = mechanism.joints[f.joint]
            a, b = (
                moving[x.body].fixed(*body_frame(mechanism, x))
                for x in (joint.frame_a, joint.frame_b)
            )
            effort = kind.law(
                all_coordinates[f.joint][f.coordinate], all_rates[f.joint][f.coordinate], *numbers
            )
            motion, axis = JOINT_TYPES[joint.type].motions[f.coordinate]
            z = a.R[:, axis]
            if motion == SLIDE:
                push(joint.frame_b.body, effort * z, b.p)
                push(joint.frame_a.body, -effort * z, b.p)
            else:
                load[joint.frame_b.body][1] += effort * z
                load[joint.frame_a.body][1] -= effort * z
        elif kind.attachment == FRAMES:
            a, b = (moving[x.body].fixed(*body_frame(mechanism, x)) for x in (f.frame_a, f.frame_b))
            moment, force = (a.R @ x for x in bushing_wrench(a, b, numbers))
            push(f.frame_b.body, force, b.p)
            push(f.frame_a.body, -force, b.p)
            load[f.frame_b.body][1] += moment
            load[f.frame_a.body][1] -= moment
        else:
            a, b = (moving[x.body].fixed(*body_frame(mechanism, x)) for x in (f.frame_a, f.frame_b))
            d = b.p - a.p
            length = np.linalg.norm(d)
            effort = kind.law(length, d @ (b.v - a.v) / length, *numbers)
            push(f.frame_b.body, effort * d / length, b.p)
            push(f.frame_a.body, -effort * d / length, a.p)
    return load


def imbalance(mechanism, q, v, a):
    """Newton-Euler's residual in the directions that the joints leave free, per size of the forces;
    and the constraint residual [m].

    For every body: m a_G - F and dK/dt - moment about the body's origin; reactions are in the range
    of J^T, so N^T residual = 0.
    """
    moving = bodies(mechanism, q, v, a)
    rows = JointRows(mechanism)
    at = poses(mechanism, moving)
    coordinates, rates = joint_motion(mechanism, moving, at)
    load = applied(mechanism, moving, coordinates, rates)
    out = []
    for id, body in mechanism.bodies.items():
        m, b = mass_properties(body), moving[id]
        g = b.fixed(E3, np.array(m.center))
        theta = b.R @ np.array(m.inertia) @ b.R.T
        spin = theta @ b.alpha + np.cross(b.w, theta @ b.w) + np.cross(g.p - b.p, m.mass * g.a)
        out += [*(m.mass * g.a - load[id][0]), *(b.R.T @ (spin - load[id][1]))]
    J = np.concatenate(
        (
            rows.jacobian(at),
            rows.rolling_jacobian(at),
            coordinate_rows(mechanism, moving, coordinates),
        )
    )
    _, s, vt = (
        np.linalg.svd(J) if len(J) else (None, np.zeros(0), np.eye(6 * len(mechanism.bodies)))
    )
    rank = int(np.sum(s > 1e-9 * max([1.0, *s])))
    N = vt[rank:]
    size = max(1.0, *(np.linalg.norm(x) for pair in load.values() for x in pair))
    return (
        np.abs(N @ np.array(out)).max(initial=0.0) / size,
        np.abs(rows.residuals(at)).max(initial=0.0),
        np.linalg.norm(J @ twists(mechanism, moving)),
    )


def coordinate_rows(mechanism, moving, coordinates):
    """Rates of what couplings and drives tie, per twist of every body: what their reactions act
    along (hinges, slides, screws).
    """
    index = {id: k for k, id in enumerate(mechanism.bodies)}

    def rate(id, coordinate):
        joint, row = mechanism.joints[id], np.zeros(6 * len(index))
        a, b = (
            moving[x.body].fixed(*body_frame(mechanism, x)) for x in (joint.frame_a, joint.frame_b)
        )
        motion, axis = [m for m in JOINT_TYPES[joint.type].motions if m[0] not in (ROD, QUARTER)][
            coordinate
        ]
        for sign, frame in ((1.0, joint.frame_b), (-1.0, joint.frame_a)):
            if frame.body in index:
                body, z = moving[frame.body], a.R[:, axis]
                # the point of either body that is at B's origin
                force = np.cross(b.p - body.p, z) if motion == SLIDE else z
                row[6 * index[frame.body] : 6 * index[frame.body] + 6] += sign * np.concatenate(
                    (z if motion == SLIDE else 0 * z, body.R.T @ force)
                )
        return row

    out = []
    for c in mechanism.couplings.values():
        kind = COUPLING_TYPES[c.type]
        factors = kind.factors({name: q.value for name, q in c.parameters.items()})
        if kind.law:
            first = coordinates[c.ends[0].joint][c.ends[0].coordinate]
            factors = (-jet(c.law, first)[1], *factors[1:])
        out.append(sum(f * rate(e.joint, e.coordinate) for f, e in zip(factors, c.ends)))
    out += [rate(d.joint, d.coordinate) for d in mechanism.drives.values() if d.enabled]
    return np.array(out).reshape(-1, 6 * len(index))


def twists(mechanism, moving):
    """Velocities (6 n,): of the origin in W, angular in body axes."""
    return np.concatenate(
        [np.concatenate((moving[id].v, moving[id].R.T @ moving[id].w)) for id in mechanism.bodies]
    )


def joint_motion(mechanism, moving, at):
    """Coordinates and rates of all joints; a rate by projection of the relative motion on the
    joint's axes (hinges and slides).
    """
    row = joint_coordinates(mechanism, at[None])[0]
    coordinates, rates, k = {}, {}, 0
    for id, joint in mechanism.joints.items():
        kind = JOINT_TYPES[joint.type]
        coordinates[id] = row[k : k + kind.dof]
        k += kind.dof
        a, b = (
            moving[x.body].fixed(*body_frame(mechanism, x)) for x in (joint.frame_a, joint.frame_b)
        )
        relative = b.v - a.v - np.cross(a.w, b.p - a.p)
        rates[id] = [
            relative @ a.R[:, axis] if motion == SLIDE else (b.w - a.w) @ a.R[:, axis]
            for motion, axis in kind.motions
        ]
    return coordinates, rates


def accelerations(numbers, tau):
    """Least-norm a and lambda of [M -C_q^T; C_q 0] [a; lambda] = [tau - b - g; gamma]."""
    M, b, g, C, C_q, gamma = numbers
    n, m = len(M), len(C)
    K = np.block([[M, -C_q.T], [C_q, np.zeros((m, m))]])
    return np.linalg.lstsq(K, np.concatenate((tau - b - g, gamma)), rcond=1e-11)[0][:n]


def random_state(derivation, rng, spread=0.3):
    """q on C = 0 near the drawing and v with C_q v = 0, from the derived rows; `imbalance` checks
    them against the engine's rows.
    """
    mechanism = derivation.plan.mechanism
    f = partial(derivation.function(), t=0.0, parameters=derivation.values)
    q = drawn_coordinates(mechanism)
    q = q + spread * rng.uniform(-1, 1, len(q))
    for _ in range(60):
        _, _, _, C, C_q, _ = f(q, 0 * q)
        if len(C) == 0 or np.abs(C).max() < 1e-13:
            break
        q = q - np.linalg.lstsq(C_q, C, rcond=1e-4)[0]
    v = rng.uniform(-2, 2, len(q))
    C_q = f(q, v)[4]
    return q, v - np.linalg.pinv(C_q, rcond=1e-10) @ (C_q @ v) if len(C_q) else v
