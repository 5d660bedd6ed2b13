"""Wrenches that everything outside a group of bodies can exert on it, as a carrier sees them at any
pose.

A wrench is (moment about W's origin; force) in W at the drawn pose.  What can have any size counts
as one that has it.  Ground is a carrier like any other: what stands still in W stands still in
ground.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import scipy.linalg

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.structure.displacements import rotated_about
from mechstudio.engine.structure.free_twists import always_free
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Force, Frame, Joint, Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.types.forces import BODY, FORCE_TYPES, JOINT, TWO_POINTS
from mechstudio.model.types.joints import JOINT_TYPES, SLIDE

I3 = np.eye(3)


class Ties(NamedTuple):
    """Ids of the joints and of the forces of each body."""

    joints: dict[str, list[str]]
    forces: dict[str, list[str]]


def ties(mechanism: Mechanism) -> Ties:
    """Joints and forces attached to each body of a mechanism."""
    out = Ties({}, {})
    for joint in mechanism.joints.values():
        for frame in (joint.frame_a, joint.frame_b):
            out.joints.setdefault(frame.body, []).append(joint.id)
    for force in mechanism.forces.values():
        held = (
            mechanism.joints.get(force.joint)
            if FORCE_TYPES[force.type].attachment == JOINT
            else None
        )
        for end in (force.frame_a, force.frame_b) if held is None else (held.frame_a, held.frame_b):
            if end is not None:
                out.forces.setdefault(end.body, []).append(force.id)
    return out


class Outside:
    """Everything outside a group of bodies.

    inside: ids of the group.  carrier: id of the body whose fixed twists the wrenches shall be
    compared with.  algebra: in which the carrier moves, see displacements.  touching: of the
    mechanism.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        inside: frozenset[str],
        carrier: str,
        algebra: np.ndarray,
        touching: Ties,
    ) -> None:
        self.mechanism, self.inside, self.carrier, self.algebra = (
            mechanism,
            inside,
            carrier,
            algebra,
        )
        self.joints = list(dict.fromkeys(id for b in inside for id in touching.joints.get(b, ())))
        self.forces = list(dict.fromkeys(id for b in inside for id in touching.forces.get(b, ())))

    def wrenches(self) -> Iterator[np.ndarray]:
        """All but those of contacts."""
        yield from self.gravity()
        yield from self.others()

    def gravity(self) -> Iterator[np.ndarray]:
        g = np.array(values(self.mechanism.gravity))
        if np.linalg.norm(g) > 0:
            yield from self._pull(rotated_about([g / np.linalg.norm(g)], self.algebra))

    def _pull(self, directions: np.ndarray) -> Iterator[np.ndarray]:
        if self.inside != {self.carrier}:
            for d in directions:
                yield from _anywhere(d)
            return
        body = self.mechanism.bodies[self.carrier]
        own = mass_properties(body)
        if own.mass:
            p, q = body.placement.pose
            yield from _at(np.array(p) + np.array(matrix(q)) @ np.array(own.center), directions)

    def others(self) -> Iterator[np.ndarray]:
        """Those of joints, forces, drives, couplings and stops."""
        yield from self._joints()
        for id in self.forces:
            yield from self._load(self.mechanism.forces[id])
        yield from self._rows()

    def crosses(self, joint: Joint) -> bool:
        """True if a joint leads out of the group."""
        return (joint.frame_a.body in self.inside) != (joint.frame_b.body in self.inside)

    def _pose(self, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
        p, q = self.mechanism.frame_in_world(frame)
        return np.array(matrix(q)), np.array(p)

    def _end(self, joint: Joint) -> Frame | None:
        """The frame of a joint that the carrier has."""
        return next((f for f in (joint.frame_a, joint.frame_b) if f.body == self.carrier), None)

    def _joints(self) -> Iterator[np.ndarray]:
        """Spans of all wrenches that are reciprocal to the twists, fixed in the carrier, that a
        joint always leaves free.
        """
        for joint in map(self.mechanism.joints.__getitem__, self.joints):
            if self.crosses(joint):
                end = self._end(joint)
                free = (
                    []
                    if end is None
                    else always_free(joint, *self._pose(end), end is joint.frame_a)
                )
                yield from (scipy.linalg.null_space(np.array(free)).T if free else np.eye(6))

    def _load(self, force: Force) -> Iterator[np.ndarray]:
        kind = FORCE_TYPES[force.type]
        if kind.attachment == BODY:
            yield from self._vector(force, kind.moment)
        elif kind.attachment == JOINT:
            yield from self._effort(force.joint, force.coordinate)
        else:
            ends = [f for f in (force.frame_a, force.frame_b) if f is not None]
            if len({f.body in self.inside for f in ends}) == 2:
                fixed = next((f for f in ends if f.body == self.carrier), None)
                yield from (
                    _at(self._pose(fixed)[1])
                    if kind.attachment == TWO_POINTS and fixed is not None
                    else np.eye(6)
                )

    def _vector(self, force: Force, moment: bool) -> Iterator[np.ndarray]:
        """A force or torque on a body; what follows a law may have any size, also one that is zero
        now.
        """
        frame = force.frame_b
        if frame is None or frame.body not in self.inside:
            return
        axes = [
            axis
            for axis, name in zip(I3, "xyz", strict=True)
            if name in force.laws or force.parameters[name].value != 0
        ]
        if not axes:
            return
        if not force.laws:
            f = np.array([force.parameters[n].value for n in "xyz"])
            axes = [f / np.linalg.norm(f)]
        seen = I3 if force.axes != "world" else rotated_about(axes, self.algebra)
        if moment:
            yield from _couple(*seen)
        elif frame.body == self.carrier:
            yield from _at(self._pose(frame)[1], seen)
        elif len(seen) == 1:
            yield from _anywhere(seen[0])
        else:
            yield from np.eye(6)

    def _effort(self, id: str, coordinate: int) -> Iterator[np.ndarray]:
        """A motor or spring on a coordinate of a joint that leads out; others are inner."""
        joint = self.mechanism.joints.get(id)
        if joint is None or not self.crosses(joint):
            return
        motions, end = JOINT_TYPES[joint.type].motions, self._end(joint)
        if end is None or not JOINT_TYPES[joint.type].has_one_axis or coordinate >= len(motions):
            yield from np.eye(6)
            return
        R, p = self._pose(end)
        motion, axis = motions[coordinate]
        if motion == SLIDE:
            yield np.concatenate((cross(p, R[:, axis]), R[:, axis]))
        else:
            yield from _couple(R[:, axis])

    def _rows(self) -> Iterator[np.ndarray]:
        """Drives, couplings and stops act along coordinates as motors do."""
        for drive in self.mechanism.drives.values():
            if drive.enabled:
                yield from self._effort(drive.joint, drive.coordinate)
        for coupling in self.mechanism.couplings.values():
            for end in coupling.ends:
                yield from self._effort(end.joint, end.coordinate)
        for joint in map(self.mechanism.joints.__getitem__, self.joints):
            for limit in joint.limits:
                if limit.lower is not None or limit.upper is not None:
                    yield from self._effort(joint.id, limit.coordinate)


def _at(point: np.ndarray, forces: np.ndarray = I3) -> Iterator[np.ndarray]:
    """Forces through a point that is fixed in the carrier."""
    for f in forces:
        yield np.concatenate((cross(point, f), f))


def _couple(*axes: np.ndarray) -> Iterator[np.ndarray]:
    for a in axes:
        yield np.concatenate((a, np.zeros(3)))


def _anywhere(force: np.ndarray) -> Iterator[np.ndarray]:
    """A force of fixed direction whose point wanders: any moment perpendicular to it comes with
    it.
    """
    yield np.concatenate((np.zeros(3), force))
    yield from _couple(*scipy.linalg.null_space(force[None]).T)
