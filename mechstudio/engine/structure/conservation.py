"""Constants of the motion that momentum makes: which of its components must stay constant for the
loads present (THEORY 2).

The momentum of a group of bodies along a twist (w; v) is w.N + v.p.  Its rate is the virtual power,
in the field of that twist, of all that acts on the group from outside, and what the field's own
change adds.  So it is constant where the twist is reciprocal to every wrench that the outside can
exert at every pose (Lagrange 1788; Ball 1900 for reciprocity), and

    fixed in W                          its field does not change
    fixed in a body c of the group
        sum_i <I_i V_i, [V_c, x]> = 0: each body's inertia is the same after a turn or a slide along
        x
                                        in all motions that it can have, and it does not leave x
                                        (Noether 1918): a top's own axis
    about the common centre of mass     what acts passes through it, weight always

Groups are connected bodies, single bodies, and the bodies that one joint carries.  Every condition
is linear in the twist.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import scipy.linalg

from mechstudio.engine.structure import constant_names
from mechstudio.engine.structure.displacements import (
    algebras,
    bracket,
    cross,
    displaced,
    joint_twists,
    movement,
    rotated_about,
)
from mechstudio.engine.structure.outer_wrenches import Outside, ties
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.joints.touching import touching_pairs
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Body, Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.results.analysis import Conserved

SMALL = 1e-9  # of a condition that counts as met
NEW = 1e-6  # of a constant that is no sum of those before
POSES = 3  # at which constants are compared: what is one at a single pose need not be one


class Group(NamedTuple):
    """Bodies whose momentum is examined. tree_joints: joints in whose axes a twist may be fixed;
    GROUND is W.
    """

    bodies: frozenset[str]
    tree_joints: tuple[str, ...]


def conserved(mechanism: Mechanism) -> tuple[Conserved, ...]:
    """The constants of a mechanism's motion, each once and by name."""
    if not mechanism.bodies:
        return ()
    touching = {id for pair in touching_pairs(mechanism) for id in pair}
    search = _Search(mechanism)
    out: list[Conserved] = []
    for group in _groups(mechanism, touching):
        for constant in search.constants(group):
            if search.is_new(constant):
                out.append(constant)
    return tuple(out)


# groups of bodies


def _groups(mechanism: Mechanism, touching: set[str]) -> Iterator[Group]:
    """Groups of bodies: connected ones, single ones, then those that one joint carries; none
    touches a body outside it.
    """
    apart = lambda bodies: not (touching & bodies) or touching <= bodies
    for part in _parts(mechanism, touching):
        if apart(part):
            yield Group(part, (GROUND,))
    # the bodies of a large group that may touch are not examined one by one
    for id in mechanism.bodies:
        if id not in touching:
            yield Group(frozenset((id,)), (id,))
    for inner, outer, bodies in _carried(mechanism):
        if apart(bodies) and len(bodies) > 1:
            yield Group(bodies, tuple(c for c in (outer, inner) if c != GROUND))


def _parts(mechanism: Mechanism, touching: set[str]) -> list[frozenset[str]]:
    """Bodies that joints, forces, couplings and contacts hold together, in file order."""
    ends = [[j.frame_a.body, j.frame_b.body] for j in mechanism.joints.values()]
    ends += [
        [f.body for f in (force.frame_a, force.frame_b) if f is not None]
        for force in mechanism.forces.values()
    ]
    joints = mechanism.joints
    ends += [
        [
            f.body
            for e in c.ends
            if e.joint in joints
            for f in (joints[e.joint].frame_a, joints[e.joint].frame_b)
        ]
        for c in mechanism.couplings.values()
    ]
    return _joined(mechanism, [*ends, list(touching)])


def _joined(mechanism: Mechanism, ends: list[list[str]]) -> list[frozenset[str]]:
    """Bodies in groups that ties between them make, in file order; ground ties nothing."""
    group = {id: {id} for id in mechanism.bodies}
    for tied in ends:
        moving = [id for id in tied if id in group]
        for other in moving[1:]:
            one, two = group[moving[0]], group[other]
            if one is not two:
                one |= two
                for id in two:
                    group[id] = one
    return list(dict.fromkeys(frozenset(g) for g in group.values()))


def _carried(mechanism: Mechanism) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Joints that alone connect some bodies to the rest: (the joint's body among these, its other
    body, these).
    """
    neighbours: dict[str, list[tuple[str, str]]] = {}
    for id, j in mechanism.joints.items():
        neighbours.setdefault(j.frame_a.body, []).append((j.frame_b.body, id))
        neighbours.setdefault(j.frame_b.body, []).append((j.frame_a.body, id))
    roots = [
        GROUND,
        *(
            next(iter(sorted(part)))
            for part in _joined(
                mechanism, [[j.frame_a.body, j.frame_b.body] for j in mechanism.joints.values()]
            )
        ),
    ]
    order: list[str] = []
    above: dict[str, tuple[str, str]] = {}
    for root in roots:
        if root in above or root in order:
            continue
        ahead = [root]
        while ahead:
            here = ahead.pop()
            order.append(here)
            for other, joint in neighbours.get(here, ()):
                if other != root and other not in above:
                    above[other] = (here, joint)
                    ahead.append(other)
    below: dict[str, set[str]] = {id: {id} for id in order}
    for id in reversed(order):
        if id in above:
            below[above[id][0]] |= below[id]
    for id, (outer, joint) in above.items():
        leading = [
            k
            for k, j in mechanism.joints.items()
            if (j.frame_a.body in below[id]) != (j.frame_b.body in below[id])
        ]
        if leading == [joint]:
            yield id, outer, frozenset(below[id])


# constants of a group


class _Search:
    """Constants of the groups of one mechanism, with their common data.  Twists stand in W at the
    drawn pose, v at W's origin.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism, self.size = mechanism, mechanism.size()
        self.parts = {
            id: part
            for part in _parts(
                mechanism, set(mechanism.bodies) if mechanism.contacts.enabled else set()
            )
            for id in part
        }
        self.all = (
            () if self.parts and len(next(iter(self.parts.values()))) == len(self.parts) else None
        )
        self.order = {id: k for k, id in enumerate(mechanism.bodies)}
        rescale = np.array([1.0] * 3 + [self.size] * 3)
        twists = {id: joint_twists(mechanism, j, self.size) for id, j in mechanism.joints.items()}
        self.joint_twists = {id: t * rescale for id, t in twists.items()}
        own = algebras(mechanism, twists)
        self.algebras = {id: own.get(id, np.eye(6)) * rescale for id in mechanism.bodies} | {
            GROUND: np.zeros((0, 6))
        }
        self.inertias = {id: _inertia(body) for id, body in mechanism.bodies.items()}
        self.touching = ties(mechanism)
        self._rng = np.random.default_rng(1)
        self._displaced: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
        # per part an orthonormal basis of the known constants
        self._known: dict[frozenset[str], np.ndarray] = {}

    def constants(self, group: Group) -> Iterator[Conserved]:
        """Conserved components of a group's momentum, by name."""
        bodies = (
            self.all
            if self.all is not None and len(group.bodies) == len(self.parts)
            else tuple(sorted(group.bodies, key=self.order.__getitem__))
        )
        for carrier in group.tree_joints:
            if len(group.bodies) > 1 and self._weighed(carrier):
                continue
            center, radius = self._measure(group.bodies, carrier)
            outside = Outside(
                self.mechanism, group.bodies, carrier, self.algebras[carrier], self.touching
            )
            free = _null(
                _scaled(np.array(list(outside.wrenches())).reshape(-1, 6), center, radius),
                np.eye(6),
            )
            if not free.shape[1]:
                continue
            resting = _null(self._changes(carrier, center, radius), free)
            # what is fixed in W is given in W
            yield from constant_names.named(
                self.mechanism, _unscaled(resting, center, radius), bodies, GROUND, self.size
            )
            if carrier != GROUND and resting.shape[1] < free.shape[1]:
                for condition in self._symmetries(group.bodies, carrier, center, radius):
                    free = _null(condition, free)
                    if not free.shape[1]:
                        break
                p, q = self.mechanism.bodies[carrier].placement.pose
                own = np.array(
                    [
                        displaced(x, np.array(matrix(q)), np.array(p))
                        for x in _unscaled(free, center, radius).T
                    ]
                ).reshape(-1, 6)
                yield from constant_names.named(self.mechanism, own.T, bodies, carrier, self.size)
        yield from self._central(group, bodies)

    def _weighed(self, carrier: str) -> bool:
        """True if weight can pull in every direction of the axes of a carrier, so that nothing is
        left that several bodies could conserve there.
        """
        g = np.array(values(self.mechanism.gravity))
        return (
            carrier != GROUND
            and bool(np.any(g))
            and len(rotated_about([g / np.linalg.norm(g)], self.algebras[carrier])) == 3
        )

    def _center(self, bodies: Iterable[str], mass: float) -> np.ndarray:
        """Centre of mass of bodies in W [m]."""
        return np.asarray(sum(m * c for m, c, _ in (self.inertias[id] for id in bodies)) / mass)

    def _measure(self, bodies: frozenset[str], carrier: str) -> tuple[np.ndarray, float]:
        """A point and a length that make twists and wrenches numbers alike: centre and radius of
        gyration.
        """
        mass = sum(m for m, _, _ in (self.inertias[id] for id in bodies))
        if carrier == GROUND or not mass:
            return np.zeros(3), self.size
        center = self._center(bodies, mass)
        double = sum(
            np.trace(theta) + 2 * m * (c - center) @ (c - center)
            for m, c, theta in (self.inertias[id] for id in bodies)
        )
        return center, float(np.sqrt(0.5 * double / mass)) or self.size

    def _changes(self, carrier: str, center: np.ndarray, radius: float) -> np.ndarray:
        """[V, x] = 0 for all motions V of the carrier: x is fixed in W."""
        return np.vstack(
            [
                np.zeros((0, 6)),
                *(bracket(V) for V in _located(self.algebras[carrier], center, radius)),
            ]
        )

    def _symmetries(
        self, bodies: frozenset[str], carrier: str, center: np.ndarray, radius: float
    ) -> Iterator[np.ndarray]:
        """Per joint inside and body i: it does not leave x, and <I V, [V, x]> = 0 for all its
        motions V.
        """
        inside = bodies | {carrier}
        for id in (
            {k for b in bodies for k in self.touching.joints.get(b, ())} if len(inside) > 1 else ()
        ):
            joint = self.mechanism.joints[id]
            if {joint.frame_a.body, joint.frame_b.body} <= inside:
                for V in _located(self.joint_twists[id], center, radius):
                    yield bracket(V)
        for id in bodies:
            m, c, theta = self.inertias[id]
            if not m and not np.any(theta):
                continue
            inertia = _spatial(m, (c - center) / radius, theta / radius**2)
            basis = _located(self.algebras[id], center, radius)
            rates = [bracket(V) for V in basis]
            yield np.array(
                [
                    basis[k] @ inertia @ rates[l] + basis[l] @ inertia @ rates[k]
                    for k in range(len(basis))
                    for l in range(k + 1)
                ]
            ).reshape(-1, 6) / max(np.abs(inertia).max(), 1e-300)

    def _central(self, group: Group, bodies: tuple[str, ...]) -> Iterator[Conserved]:
        """Angular momenta about the centre of mass, along directions of W."""
        mass = sum(self.inertias[id][0] for id in group.bodies)
        if not mass or (len(group.bodies) > 1 and group.tree_joints != (GROUND,)):
            return
        center = self._center(group.bodies, mass)
        carrier = next(iter(group.bodies)) if len(group.bodies) == 1 else GROUND
        outside = Outside(self.mechanism, group.bodies, carrier, np.zeros((0, 6)), self.touching)
        others = _scaled(np.array(list(outside.others())).reshape(-1, 6), center, self.size)
        # a force that does not pass through the centre may turn the group any way
        forces = others[np.linalg.norm(others[:, 3:], axis=1) > SMALL]
        if (len(group.bodies) > 1 and len(forces)) or np.any(np.abs(forces[:, :3]) > SMALL):
            return
        moments = others[:, :3]
        if any(outside.crosses(self.mechanism.joints[id]) for id in outside.joints) and np.any(
            np.abs(moments) > SMALL
        ):
            return
        free = scipy.linalg.null_space(moments, rcond=SMALL) if np.any(moments) else np.eye(3)
        yield from constant_names.central(self.mechanism, free, bodies)

    # whether one follows from others

    def is_new(self, constant: Conserved) -> bool:
        """True if a constant is no sum of those before, at all poses.  It is known from now on."""
        part = self.parts[(constant.bodies or tuple(self.mechanism.bodies))[0]]
        row = self._functional(constant, part)
        known = self._known.get(part, np.zeros((0, len(row))))
        length = np.linalg.norm(row)
        row = row - known.T @ (known @ row)
        rest = np.linalg.norm(row)
        if rest <= NEW * length:
            return False
        row = row / rest
        self._known[part] = np.vstack([known, row - known.T @ (known @ row)])
        return True

    def _moved(self, id: str) -> list[tuple[np.ndarray, np.ndarray]]:
        """Displacements (R, p) that a body can have, at random."""
        if id not in self._displaced:
            algebra = self.algebras[id]
            self._displaced[id] = [
                movement(self._rng.normal(size=len(algebra)) @ algebra) for _ in range(POSES)
            ]
        return self._displaced[id]

    def _functional(self, constant: Conserved, part: frozenset[str]) -> np.ndarray:
        """Linear functional of a constant on the velocities that each body of its part can have, at
        some poses of each.
        """
        bodies = constant.bodies or tuple(self.mechanism.bodies)
        twist = np.array(constant.twist)
        if constant.carrier != GROUND:
            p, q = self.mechanism.bodies[constant.carrier].placement.pose
            R = np.array(matrix(q))
            w = R @ twist[:3]
            twist = np.concatenate((w, R @ twist[3:] + np.cross(np.array(p), w)))
        out = []
        inside = set(bodies)
        for k in range(POSES):
            moved = {id: self._moved(id)[k] for id in bodies}
            if constant.central:
                total = sum(self.inertias[id][0] for id in bodies)
                center = (
                    sum(
                        self.inertias[id][0] * (moved[id][0] @ self.inertias[id][1] + moved[id][1])
                        for id in bodies
                    )
                    / total
                )
                twist = np.concatenate((twist[:3], np.cross(center, twist[:3])))
            for id in sorted(part):
                basis = self.algebras[id]
                if id not in inside:
                    out.append(np.zeros(len(basis)))
                    continue
                seen = twist if constant.carrier != GROUND else displaced(twist, *moved[id])
                out.append(basis @ _spatial(*self.inertias[id]) @ seen)
        return np.concatenate(out)


def _inertia(body: Body) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass [kg], centre of mass [m] and inertia about it [kg m^2], in W at the drawn pose."""
    own = mass_properties(body)
    p, q = body.placement.pose
    R = np.array(matrix(q))
    return own.mass, np.array(p) + R @ np.array(own.center), R @ np.array(own.inertia) @ R.T


def _spatial(m: float, c: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """The matrix (6, 6) that makes (N; p) about a point of (w; v) there.  c: centre of mass from
    that point.
    """
    K = cross(c)
    return np.block([[theta - m * K @ K, m * K], [-m * K, m * np.eye(3)]])


def _located(twists: np.ndarray, center: np.ndarray, radius: float) -> np.ndarray:
    """Twists (k, 6) with v at a centre, over a length; orthonormal ones that span the same."""
    moved = np.hstack([twists[:, :3], (twists[:, 3:] + np.cross(twists[:, :3], center)) / radius])
    return scipy.linalg.orth(moved.T, rcond=SMALL).T if len(moved) else moved


def _scaled(wrenches: np.ndarray, center: np.ndarray, radius: float) -> np.ndarray:
    """Wrenches (k, 6) about a centre, moments over a length, each of unit length: metres and
    millimetres give one answer.
    """
    moved = np.hstack(
        [(wrenches[:, :3] - np.cross(center, wrenches[:, 3:])) / radius, wrenches[:, 3:]]
    )
    return moved / np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-300)


def _unscaled(twists: np.ndarray, center: np.ndarray, radius: float) -> np.ndarray:
    """Twists (6, k) of `_scaled` conditions with v at W's origin."""
    w = twists[:3]
    return np.vstack([w, radius * twists[3:] + np.cross(center, w, axisb=0, axisc=0)])


def _null(conditions: np.ndarray, within: np.ndarray) -> np.ndarray:
    """The part (6, k) of a space (6, n) that meets conditions (m, 6) of about unit size."""
    if not within.shape[1] or not len(conditions):
        return within
    _, s, Vt = np.linalg.svd(conditions @ within, full_matrices=True)
    found: np.ndarray = within @ Vt[int(np.sum(s > SMALL)) :].T
    return found


__all__ = ["conserved"]
