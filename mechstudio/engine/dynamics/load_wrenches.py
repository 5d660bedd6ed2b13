"""Every load of a mechanism at one instant as wrenches on its bodies, evaluated in plain numpy from
poses and rates (THEORY 6).

Independent of the kernels, which apply the same laws inside the tree: analyses that name a load
read it here, and tests hold the two against each other.
"""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.constraints.joint_coordinates import coordinate_wrenches
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.system.force_tables import parameter_values, soft_stops
from mechstudio.model.laws import evaluation
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Force, Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.types import forces
from mechstudio.model.types.forces import BUSHING_AXES, FORCE_TYPES, sticks
from mechstudio.model.types.joints import JOINT_TYPES

# speed over which friction that sticks is smoothed where it is read beside a run [m/s or rad/s]
SHARP = 1e-9
GRAVITY = "gravity"
# +1 or -1 where a coordinate of a joint slides or begins to, 0 where it sticks
Ways = Mapping[tuple[str, int], float]
NO_WAYS: Ways = {}


class Action(NamedTuple):
    """Wrenches of one load on the bodies.

    id: of the force, GRAVITY, or of the joint whose soft stop it is.  wrenches: body index (0 is
    ground) -> (6,) force in W [N] and moment about that body's frame origin in W [N m].  effort:
    along its coordinate or line, positive where it increases it [N or N m]; nan for a vector.
    """

    id: str
    wrenches: dict[int, np.ndarray]
    effort: float = math.nan


class Motion(NamedTuple):
    """A mechanism at one instant.

    poses (n, 7): origins in W [m], quaternions.  twists (n, 6): velocity of the origin in W [m/s],
    angular velocity in body axes [rad/s]. coordinates (f,): of all joints [m or rad], with their
    turns.  time [s].
    """

    poses: np.ndarray
    twists: np.ndarray
    coordinates: np.ndarray
    time: float


class Places(NamedTuple):
    """Places and velocities at an instant: origins (1 + n, 3) [m], matrices (1 + n, 3, 3), twists
    in W (1 + n, 6) of ground and bodies; frames of joints.
    """

    origins: np.ndarray
    R: np.ndarray
    twists: np.ndarray
    frames: tuple[np.ndarray, ...]


def places_of(rows: JointRows, motion: Motion) -> Places:
    """Places and twists of ground and all bodies, and frames of all joints, for a motion."""
    origins, R = rows.bodies(motion.poses)
    twists = np.zeros((1 + rows.body_count, 6))
    twists[1:, :3] = motion.twists[:, :3]
    twists[1:, 3:] = (R[1:] @ motion.twists[:, 3:, None])[..., 0]
    return Places(origins, R, twists, rows.frames_at(origins, R))


def joint_rates(mechanism: Mechanism, rows: JointRows, motion: Motion, at: Places) -> np.ndarray:
    """Rates (f,) of all joint coordinates [m/s or rad/s]."""
    out, start = np.zeros(len(motion.coordinates)), 0
    for k, joint in enumerate(mechanism.joints.values()):
        stop = start + JOINT_TYPES[joint.type].dof
        F, M = coordinate_wrenches(joint, k, rows, at.frames, motion.coordinates[start:stop])
        v, w = relative_twist(rows, k, at)
        out[start:stop] = F @ v + M @ w
        start = stop
    return out


def relative_twist(rows: JointRows, k: int, at: Places) -> tuple[np.ndarray, np.ndarray]:
    """(v, w) in W of the k-th joint's frame B against A: of the two bodies' points at B's origin
    [m/s], and their angular velocities [rad/s].
    """
    a, b, P = rows.body_a[k], rows.body_b[k], at.frames[2][k]
    velocity = lambda body: at.twists[body, :3] + cross(at.twists[body, 3:], P - at.origins[body])
    return velocity(b) - velocity(a), at.twists[b, 3:] - at.twists[a, 3:]


class Loads:
    """The loads of a mechanism; `at` evaluates them."""

    def __init__(self, mechanism: Mechanism, rows: JointRows | None = None) -> None:
        self.mechanism, self.rows = mechanism, rows or JointRows(mechanism)
        self.index = {id: k for k, id in enumerate((mechanism.ground.id, *mechanism.bodies))}
        self._joints = {id: k for k, id in enumerate(mechanism.joints)}
        dofs = [JOINT_TYPES[j.type].dof for j in mechanism.joints.values()]
        self.first = dict(zip(mechanism.joints, np.cumsum([0, *dofs]).tolist()))
        self._variables = evaluation.coordinate_variables(mechanism)
        known = [mass_properties(b) for b in mechanism.bodies.values()]
        self.masses = np.array([m.mass for m in known])
        self.centers = np.array([m.center for m in known], float).reshape(-1, 3)
        self.inertias = np.array([m.inertia for m in known], float).reshape(-1, 3, 3)

    def at(
        self,
        motion: Motion,
        at: Places | None = None,
        rates: np.ndarray | None = None,
        ways: Ways = NO_WAYS,
    ) -> list[Action]:
        """Every load at an instant: gravity, forces in file order, then soft stops.  at, rates: of
        all joint coordinates, if they are known.  ways: of friction that sticks, where it is known
        what slides; elsewhere the rates say it.
        """
        at = at or places_of(self.rows, motion)
        rates = joint_rates(self.mechanism, self.rows, motion, at) if rates is None else rates
        out = [self._gravity(at)]
        out += [
            self._force(force, motion, at, rates, ways) for force in self.mechanism.forces.values()
        ]
        return out + list(self._stops(motion, at, rates))

    def along(
        self, joint: str, coordinate: int, effort: float, motion: Motion, at: Places
    ) -> dict[int, np.ndarray]:
        """The wrenches of an effort [N or N m] along a joint coordinate."""
        k = self._joints[joint]
        kind = JOINT_TYPES[self.mechanism.joints[joint].type]
        start = self.first[joint]
        F, M = coordinate_wrenches(
            self.mechanism.joints[joint],
            k,
            self.rows,
            at.frames,
            motion.coordinates[start : start + kind.dof],
        )
        P = at.frames[2][k]
        return self._pair(
            int(self.rows.body_a[k]),
            int(self.rows.body_b[k]),
            P,
            effort * F[coordinate],
            effort * M[coordinate],
            at,
        )

    @staticmethod
    def _pair(
        a: int, b: int, point: np.ndarray, force: np.ndarray, moment: np.ndarray, at: Places
    ) -> dict[int, np.ndarray]:
        """A wrench at a point of W on b, and the opposite one on a."""
        out: dict[int, np.ndarray] = {}
        for body, sign in ((a, -1.0), (b, 1.0)):
            w = sign * np.concatenate((force, moment + cross(point - at.origins[body], force)))
            out[body] = out[body] + w if body in out else w
        return out

    def _gravity(self, at: Places) -> Action:
        g = np.array(values(self.mechanism.gravity))
        out = {}
        for k, (m, c) in enumerate(zip(self.masses, self.centers), 1):
            out[k] = np.concatenate((m * g, cross(at.R[k] @ c, m * g)))
        return Action(GRAVITY, out)

    def _numbers(
        self, force: Force, motion: Motion, rates: np.ndarray, own: Mapping[str, float]
    ) -> list[float]:
        """The parameters of a force at the instant, in its law's order."""
        numbers, kind = parameter_values(force), FORCE_TYPES[force.type]
        names = [p.name for p in kind.parameters]
        if sticks(force):
            numbers[names.index("speed")] = SHARP
        for name, law in force.laws.items():
            others = dict(own)
            if law.type == "expression":
                for used in evaluation.names(law.text) & self._variables.keys():
                    v = self._variables[used]
                    others[used] = float(
                        (motion.coordinates if v.kind == evaluation.COORDINATE else rates)[
                            self.first[v.joint] + v.place
                        ]
                    )
            f, slope, _ = evaluation.jet(law, motion.time, others)
            numbers[names.index(name)] = f
            for _p, k in ((p, k) for k, p in enumerate(kind.parameters) if p.rate_of == name):
                # the slope that a servo feels is that over the time, other names held
                numbers[k] = slope
        return numbers

    def first_number(self, force: Force, motion: Motion) -> float:
        """The first parameter of a force on a joint coordinate at the instant."""
        place = self.first[force.joint] + force.coordinate
        law = force.laws[FORCE_TYPES[force.type].parameters[0].name]
        used = evaluation.names(law.text) if law.type == "expression" else set()
        rates = np.zeros(len(motion.coordinates))
        if any(
            n == "v" or self._variables[n].kind == evaluation.RATE
            for n in used & {*self._variables, "v"}
        ):
            rates = joint_rates(self.mechanism, self.rows, motion, places_of(self.rows, motion))
        own = {"x": float(motion.coordinates[place]), "v": float(rates[place])}
        return self._numbers(force, motion, rates, own)[0]

    def _force(
        self, force: Force, motion: Motion, at: Places, rates: np.ndarray, ways: Ways
    ) -> Action:
        kind = FORCE_TYPES[force.type]
        if kind.attachment == forces.JOINT:
            place = self.first[force.joint] + force.coordinate
            x, v = float(motion.coordinates[place]), float(rates[place])
            numbers = self._numbers(force, motion, rates, {"x": x, "v": v})
            if sticks(force):
                v = ways.get((force.joint, force.coordinate), v)
            effort = float(kind.law(x, v, *numbers))  # type: ignore[misc]
            return Action(
                force.id, self.along(force.joint, force.coordinate, effort, motion, at), effort
            )
        if kind.attachment == forces.BODY:
            return self._vector(force, motion, at, rates)
        frame_a, frame_b = force.frame_a, force.frame_b
        assert frame_a is not None
        assert frame_b is not None
        (a, p, u), (b, q, s) = (self.point_of(frame, at) for frame in (frame_a, frame_b))
        if kind.attachment == forces.FRAMES:
            return Action(force.id, self._bushing(force, motion, at, rates))
        d = q - p
        x = float(np.linalg.norm(d))
        direction = d / x if x > 0.0 else np.zeros(3)
        v = float(direction @ (s - u))
        numbers = self._numbers(force, motion, rates, {"x": x, "v": v})
        effort = float(kind.law(x, v, *numbers))  # type: ignore[misc]
        out: dict[int, np.ndarray] = {}
        for body, point, pull in ((a, p, -effort * direction), (b, q, effort * direction)):
            w = np.concatenate((pull, cross(point - at.origins[body], pull)))
            out[body] = out[body] + w if body in out else w
        return Action(force.id, out, effort)

    def point_of(self, frame, at: Places) -> tuple[int, np.ndarray, np.ndarray]:
        """(body, place in W, velocity in W) of a frame's origin."""
        body = self.index[frame.body]
        arm = at.R[body] @ np.array(self.mechanism.frame_in_body(frame)[0])
        return body, at.origins[body] + arm, at.twists[body, :3] + cross(at.twists[body, 3:], arm)

    def _vector(self, force: Force, motion: Motion, at: Places, rates: np.ndarray) -> Action:
        body, p, v = self.point_of(force.frame_b, at)
        names = ("x", "y", "z", "vx", "vy", "vz")
        own: dict[str, float] = dict(zip(names, (*p.tolist(), *v.tolist())))
        vector = np.array(self._numbers(force, motion, rates, own)[:3])
        if force.axes == "body":
            vector = at.R[body] @ vector
        if FORCE_TYPES[force.type].moment:
            return Action(force.id, {body: np.concatenate((np.zeros(3), vector))})
        return Action(
            force.id, {body: np.concatenate((vector, cross(p - at.origins[body], vector)))}
        )

    def _bushing(
        self, force: Force, motion: Motion, at: Places, rates: np.ndarray
    ) -> dict[int, np.ndarray]:
        """See engine/kernels/loads/bushings.py for the formulas."""
        from scipy.spatial.transform import Rotation

        frame_a, frame_b = force.frame_a, force.frame_b
        assert frame_a is not None
        assert frame_b is not None
        (a, p, u), (b, q, s) = (self.point_of(frame, at) for frame in (frame_a, frame_b))
        A, B = (
            at.R[k]
            @ Rotation.from_quat(np.roll(self.mechanism.frame_in_body(f)[1], -1)).as_matrix()
            for k, f in ((a, frame_a), (b, frame_b))
        )
        theta = Rotation.from_matrix(A.T @ B).as_rotvec()
        d = q - p
        w = A.T @ (at.twists[b, 3:] - at.twists[a, 3:])
        shift_rate = A.T @ (s - u - cross(at.twists[a, 3:], d))
        phi = float(np.linalg.norm(theta))
        c = (
            1.0 / 12.0 + phi**2 / 720.0
            if phi < 1e-3
            else (1.0 - 0.5 * phi / math.tan(0.5 * phi)) / phi**2
        )
        tilt = cross(theta, w)
        x, rate = (
            np.concatenate((theta, A.T @ d)),
            np.concatenate((w - 0.5 * tilt + c * cross(theta, tilt), shift_rate)),
        )
        numbers = self._numbers(force, motion, rates, {})
        upper = np.triu_indices(len(BUSHING_AXES))
        K, D = np.zeros((6, 6)), np.zeros((6, 6))
        for S, part in ((K, numbers[:21]), (D, numbers[21:])):
            S[upper] = part
            S[upper[1], upper[0]] = part
        y = K @ x + D @ rate
        m = y[:3]
        bent = cross(theta, m)
        moment, pull = -A @ (m + 0.5 * bent + c * cross(theta, bent)), -A @ y[3:]
        return self._pair(a, b, q, pull, moment, at)

    def _stops(self, motion: Motion, at: Places, rates: np.ndarray) -> Iterator[Action]:
        from mechstudio.model.types.force_laws import soft_stop

        for joint, limit in soft_stops(self.mechanism):
            place = self.first[joint.id] + limit.coordinate
            bounds = (
                -math.inf if limit.lower is None else limit.lower.value,
                math.inf if limit.upper is None else limit.upper.value,
            )
            assert limit.stiffness is not None, "a soft stop"
            effort = float(
                soft_stop(
                    motion.coordinates[place],
                    rates[place],
                    *bounds,
                    limit.stiffness.value,
                    limit.damping.value,
                )
            )  # type: ignore[union-attr]
            yield Action(
                joint.id, self.along(joint.id, limit.coordinate, effort, motion, at), effort
            )
