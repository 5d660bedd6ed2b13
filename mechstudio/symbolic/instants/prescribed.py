"""Values that laws and drives prescribe at an instant: the numbers of the symbols that stand for
them.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.model.formulas.jets import tree_jet
from mechstudio.model.geometry.rotation import conjugate, minus, multiply, rotate
from mechstudio.model.joints.coordinate_readings import readings
from mechstudio.model.joints.drawn_coordinates import drawn_coordinate
from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import GROUND, Force, Frame, Law, Mechanism
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.forces import FORCE_TYPES, JOINT, TWO_POINTS

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations
    from mechstudio.symbolic.methods.sampling import Values

STEP = 1e-6  # of the motion along which the coordinate of a closing joint is differenced [s]


class Followed:
    """The laws of a derivation's forces and drives."""

    def __init__(self, d: "DerivedEquations"):
        self.d, self.mechanism = d, d.plan.mechanism
        self._loads = [load for load in d.setting.loads.loads if load.followed]
        self._variables: dict[str, dict] = {}
        # a position starts from the drawn pose: q = q_drawn + f(t) - f(start)
        self._starts = {
            t.drive.id: drawn_coordinate(self.mechanism, t.drive.joint, t.drive.coordinate)
            - evaluation.jet(t.drive.law, self.mechanism.start.value)[0]
            for t in d.setting.targets
        }

    def at(
        self,
        values: "Values",
        q: np.ndarray,
        v: np.ndarray,
        t: float,
        poses: np.ndarray,
        twists: np.ndarray,
        row: np.ndarray | None,
        layout: SampleLayout | None,
    ) -> dict[int, float]:
        """Per symbol its number.  poses (b, 7), twists (b, 6): of the bodies in W.  row, layout:
        the sample of a run, for coordinates on their turns.
        """
        out: dict[int, float] = {}
        if not self._loads and not self._starts:
            return out
        state = _State(self.d, q, v, poses, twists, row, layout)
        for load in self._loads:
            for p in load.kind.parameters:
                # a parameter that is the rate of another one is the slope of that one's law
                order, law = (
                    (0, load.force.laws[p.name])
                    if p.name in load.force.laws
                    else (1, load.force.laws.get(p.rate_of))
                )
                if law is not None:
                    others = self._others(load.force, law, state)
                    out[load.followed[p.name]] = (
                        self._rate(load.force, law, t, others, state)
                        if order
                        else evaluation.jet(law, t, others)[0]
                    )
        for target in self.d.setting.targets:
            drive = target.drive
            f, df, ddf = evaluation.jet(drive.law, t)
            x, rate = (
                state.coordinate(drive.joint, drive.coordinate),
                state.rate(drive.joint, drive.coordinate),
            )
            position, velocity, acceleration = {
                "position": (self._starts[drive.id] + f, df, ddf),
                "velocity": (x, f, df),
            }.get(drive.quantity, (x, rate, f))
            out |= {
                target.position: position,
                target.rate: velocity,
                target.acceleration: acceleration,
            }
        return out

    def _rate(
        self, force: Force, law: Law, t: float, others: Mapping[str, float], state: "_State"
    ) -> float:
        """Rate of a law along the motion: as in the kernel, rates that it reads stand still."""
        if not others:
            return evaluation.jet(law, t)[1]
        known = self._variables[force.id]
        jets = {name: (q.value, 0.0, 0.0) for name, q in law.parameters.items()}
        jets |= {name: (t, 1.0, 0.0) for name in evaluation.VARIABLES} | jets
        for name, value in others.items():
            rate = evaluation.rate_variable(known[name])
            jets[name] = (value, state.variable(force, rate) if rate is not None else 0.0, 0.0)
        return tree_jet(evaluation.tree(law.text), jets)[1]

    def _others(self, force: Force, law: Law, state: "_State") -> Mapping[str, float]:
        if law.type != "expression":
            return {}
        if force.id not in self._variables:
            self._variables[force.id] = evaluation.variables(self.mechanism, force)
        known = self._variables[force.id]
        return {
            name: state.variable(force, known[name])
            for name in evaluation.names(law.text)
            if name in known and known[name].kind != evaluation.CLOCK
        }


class _State:
    """State at an instant, as laws query it."""

    def __init__(
        self,
        d: "DerivedEquations",
        q: np.ndarray,
        v: np.ndarray,
        poses: np.ndarray,
        twists: np.ndarray,
        row: np.ndarray | None,
        layout: SampleLayout | None,
    ):
        self.d, self.mechanism, self.q, self.v, self.poses, self.twists, self.row, self.layout = (
            d,
            d.plan.mechanism,
            q,
            v,
            poses,
            twists,
            row,
            layout,
        )
        self.places = {id: k for k, id in enumerate(d.plan.mechanism.bodies)}

    def variable(self, force: Force, x: evaluation.Variable) -> float:
        if x.kind == evaluation.COORDINATE:
            return self.coordinate(x.joint, x.place)
        if x.kind == evaluation.RATE:
            return self.rate(x.joint, x.place)
        if x.kind == evaluation.POINT:
            assert force.frame_b is not None
            return float(np.concatenate(self.point(force.frame_b))[x.place])
        attachment = FORCE_TYPES[force.type].attachment
        if attachment == JOINT:
            return (
                self.coordinate(force.joint, force.coordinate)
                if x.kind == evaluation.OWN_COORDINATE
                else self.rate(force.joint, force.coordinate)
            )
        assert attachment == TWO_POINTS
        assert force.frame_a is not None
        assert force.frame_b is not None
        (p, u), (r, w) = self.point(force.frame_a), self.point(force.frame_b)
        length = float(np.linalg.norm(r - p))
        return (
            length
            if x.kind == evaluation.OWN_COORDINATE
            else float((r - p) @ (w - u)) / length
            if length
            else 0.0
        )

    def point(self, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
        """Place and velocity in W of a frame's origin."""
        p, _ = _transformed(self.mechanism, frame, self.poses, self.places)
        if frame.body == GROUND:
            return np.array(p), np.zeros(3)
        k = self.places[frame.body]
        return np.array(p), self.twists[k, :3] + np.cross(
            self.twists[k, 3:], np.array(p) - self.poses[k, :3]
        )

    def coordinate(self, joint: str, component: int) -> float:
        form = self.d.plan.joint_forms.get((joint, component))
        if form is not None:
            value_of = self.d.plan.symbols.value_of
            return float(sum(c * (self.q[x] if x >= 0 else value_of(-1 - x)) for x, c in form))
        if self.row is not None and self.layout is not None:
            return float(self.row[self.layout.joint(joint)][component])
        return self._read(joint, component, self.poses)

    def rate(self, joint: str, component: int) -> float:
        form = self.d.plan.joint_forms.get((joint, component))
        if form is not None:
            return float(sum(c * self.v[x] for x, c in form if x >= 0))
        ahead, behind = (
            self._read(joint, component, _carried(self.poses, self.twists, sign * STEP))
            for sign in (1, -1)
        )
        change = ahead - behind
        # principal angles jump at half a turn
        return (
            np.remainder(change + np.pi, 2 * np.pi) - np.pi if abs(change) > np.pi else change
        ) / (2 * STEP)

    def _read(self, id: str, component: int, poses: np.ndarray) -> float:
        joint = self.mechanism.joints[id]
        (p, attitude), (r, other) = (
            _transformed(self.mechanism, f, poses, self.places)
            for f in (joint.frame_a, joint.frame_b)
        )
        d = rotate(conjugate(attitude), tuple(np.subtract(r, p)))
        found = readings(joint, d, multiply(conjugate(attitude), other))[component]
        return 0.0 if found is None else float(found)


def _transformed(mechanism: Mechanism, frame: Frame, poses: np.ndarray, places: dict[str, int]):
    """A frame in W: (origin, quaternion) with its body at one of `poses`."""
    origin, attitude = mechanism.frame_in_world(frame)
    if frame.body == GROUND:
        return origin, attitude
    at, rotated = mechanism.bodies[frame.body].placement.pose
    own = rotate(conjugate(rotated), minus(origin, at))
    pose = poses[places[frame.body]]
    now = tuple(pose[3:])
    return tuple(a + b for a, b in zip(pose[:3], rotate(now, own))), multiply(
        now, multiply(conjugate(rotated), attitude)
    )


def _carried(poses: np.ndarray, twists: np.ndarray, h: float) -> np.ndarray:
    out = poses.copy()
    for k, (velocity, spin) in enumerate(zip(twists[:, :3], twists[:, 3:])):
        out[k, :3] += h * velocity
        rotated = np.array(multiply((1.0, *(0.5 * h * spin)), tuple(poses[k, 3:])))
        out[k, 3:] = rotated / np.linalg.norm(rotated)
    return out
