"""Which components of momentum must stay constant for the loads present, and whether they did (THEORY 2).

The rate of w.N + v.p (N about W's origin O) is the virtual power of all outer loads in the fixed field of twist (w; v at O).  So the
constants of the motion that linear and angular momentum make are the twists, fixed in W, that are reciprocal to every wrench which
ground can exert, at every pose: joints on ground, loads that stand on it, gravity (Lagrange 1788; Ball 1900 for reciprocity).
"""

from collections.abc import Iterator

import msgspec
import numpy as np
import scipy.linalg

from mechstudio.model.analysis import Conserved
from mechstudio.model.contact import touching_pairs
from mechstudio.model.force_types import BODY, FORCE_TYPES, JOINT, TWO_POINTS
from mechstudio.model.joint_types import HELIX, JOINT_TYPES, SLIDE, TURN
from mechstudio.model.mechanism import GROUND, Force, Frame, Joint, Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.rotation import matrix

SMALL = 1e-9            # of a unit direction that counts as zero
KEPT = 1e-6             # change over the largest momentum from which a constant has not been kept
REST = 1e-12            # of the momentum scale below which nothing moves

Pose = tuple[np.ndarray, np.ndarray]
I3 = np.eye(3)


class Verdict(msgspec.Struct, frozen=True):
    """Whether a constant was kept over a run.  value: at the start; change: largest [kg m/s or kg m^2/s]; kept: None if nothing moved."""

    conserved: Conserved
    value: float
    change: float
    kept: bool | None


def conserved(mechanism: Mechanism) -> tuple[Conserved, ...]:
    """The constants of the whole mechanism's motion, each by name."""
    if not mechanism.bodies:
        return ()
    wrenches = [w for part in (_gravity(mechanism), _joints(mechanism), _loads(mechanism), _rows(mechanism), _contacts(mechanism)) for w in part]
    A = np.array(wrenches).reshape(-1, 6)
    size = mechanism.size()
    # moments over the size, so that metres and millimetres give one answer
    A = A / np.array([size] * 3 + [1.0] * 3)
    A = A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-300)
    free = scipy.linalg.null_space(A, rcond=1e-9) if len(A) else np.eye(6)
    free = free / np.array([size] * 3 + [1.0] * 3)[:, None]
    return tuple(_named(free, size))


def verdicts(constants: tuple[Conserved, ...], momentum: np.ndarray) -> tuple[Verdict, ...]:
    """Whether each stayed constant over samples (s, 6): p, then N about W's origin."""
    out = []
    for c in constants:
        w, v = np.array(c.twist[:3]), np.array(c.twist[3:])
        course = momentum[:, 3:] @ w + momentum[:, :3] @ v
        parts = np.abs(momentum[:, 3:]) @ np.abs(w) + np.abs(momentum[:, :3]) @ np.abs(v)
        scale = float(parts.max(initial=0.0))
        change = float(np.abs(course - course[:1]).max(initial=0.0))
        out.append(Verdict(c, float(course[0]) if len(course) else 0.0, change, None if scale <= REST else change <= KEPT * scale))
    return tuple(out)


# wrenches (moment about O; force) that ground can exert

def _contacts(mechanism: Mechanism) -> Iterator[np.ndarray]:
    """Ground, or a floor, that bodies may touch anywhere pushes and rubs as it likes."""
    if any(GROUND in pair for pair in touching_pairs(mechanism)):
        yield from np.eye(6)


def _at(point: np.ndarray, forces: np.ndarray = I3) -> Iterator[np.ndarray]:
    """Forces through a fixed point."""
    for f in forces:
        yield np.concatenate((np.cross(point, f), f))


def _couple(*axes: np.ndarray) -> Iterator[np.ndarray]:
    for a in axes:
        yield np.concatenate((a, np.zeros(3)))


def _anywhere(force: np.ndarray) -> Iterator[np.ndarray]:
    """A force of fixed direction whose point wanders: any moment perpendicular to it comes with it."""
    yield np.concatenate((np.zeros(3), force))
    yield from _couple(*_normals(force))


def _normals(axis: np.ndarray) -> np.ndarray:
    return scipy.linalg.null_space(axis[None]).T


def _all() -> Iterator[np.ndarray]:
    yield from np.eye(6)


def _gravity(mechanism: Mechanism) -> Iterator[np.ndarray]:
    g = np.array(values(mechanism.gravity))
    if np.linalg.norm(g) > 0:
        yield from _anywhere(g / np.linalg.norm(g))


def _pose(mechanism: Mechanism, frame: Frame) -> Pose:
    p, q = mechanism.frame_in_world(frame)
    return np.array(matrix(q)), np.array(p)


def _joints(mechanism: Mechanism) -> Iterator[np.ndarray]:
    """What the joints on ground can exert: the span of all wrenches that are reciprocal to the fixed twists which the joint always leaves free."""
    for joint in mechanism.joints.values():
        if GROUND in (joint.frame_a.body, joint.frame_b.body):
            free = _always_free(joint, *_pose(mechanism, joint.frame_a if joint.frame_a.body == GROUND else joint.frame_b))
            yield from (scipy.linalg.null_space(np.array(free)).T if free else np.eye(6))


def _always_free(joint: Joint, R: np.ndarray, p: np.ndarray) -> list[np.ndarray]:
    """Twists (w; v at O), fixed in W, that a joint on ground leaves free at every pose; its ground frame is (R, p)."""
    slide = lambda axis: np.concatenate((np.zeros(3), axis))
    turn = lambda axis: np.concatenate((axis, np.cross(p, axis)))
    x, y, z = R.T
    on_ground = joint.frame_a.body == GROUND
    match joint.type:
        case "revolute":
            return [turn(z)]
        case "prismatic":
            return [slide(z)]
        case "cylindrical":
            return [turn(z), slide(z)]
        case "screw":
            return [turn(z) + joint.parameters["pitch"].value / (2 * np.pi) * slide(z)] if "pitch" in joint.parameters else []
        case "planar":
            return [turn(z), slide(x), slide(y)]
        case "universal":
            # the axis that the ground carries
            return [turn(z if on_ground else x)]
        case "spherical" | "distance":
            return [turn(a) for a in I3]
        case "point_on_plane":
            return [turn(z), slide(x), slide(y)] if on_ground else [turn(a) for a in I3]
        case "point_on_line":
            return [turn(z), slide(z)] if on_ground else [turn(a) for a in I3]
        case "free":
            return list(np.eye(6))
    return []


def _loads(mechanism: Mechanism) -> Iterator[np.ndarray]:
    for force in mechanism.forces.values():
        kind = FORCE_TYPES[force.type]
        if kind.attachment == BODY:
            yield from _vector(force, kind.moment)
        elif kind.attachment == JOINT:
            yield from _effort(mechanism, force.joint, force.coordinate)
        else:
            ends = [f for f in (force.frame_a, force.frame_b) if f is not None]
            if GROUND in (f.body for f in ends):
                fixed = next(f for f in ends if f.body == GROUND)
                yield from _at(_pose(mechanism, fixed)[1]) if kind.attachment == TWO_POINTS else _all()


def _vector(force: Force, moment: bool) -> Iterator[np.ndarray]:
    """A force or torque on a body; what follows a law may have any size, also one that is zero now."""
    if force.frame_b is None or force.frame_b.body == GROUND:
        return
    axes = [axis for axis, name in zip(I3, "xyz", strict=True) if name in force.laws or force.parameters[name].value != 0]
    if axes and force.axes != "world":
        axes = list(I3)
    if moment:
        yield from _couple(*axes)
    elif len(axes) == 1:
        yield from _anywhere(axes[0])
    elif axes and not force.laws:
        f = np.array([force.parameters[n].value for n in "xyz"])
        yield from (_anywhere(f / np.linalg.norm(f)) if force.axes == "world" else _all())
    elif axes:
        yield from _all()


def _effort(mechanism: Mechanism, id: str, coordinate: int) -> Iterator[np.ndarray]:
    """A motor or spring on a coordinate of a joint; between moving bodies it is inner."""
    joint = mechanism.joints.get(id)
    if joint is None or GROUND not in (joint.frame_a.body, joint.frame_b.body):
        return
    R, p = _pose(mechanism, joint.frame_a if joint.frame_a.body == GROUND else joint.frame_b)
    motions = JOINT_TYPES[joint.type].motions
    single = len(motions) <= 2 and all(m in (TURN, SLIDE, HELIX) for m, _ in motions) and joint.type != "universal"
    if not single or coordinate >= len(motions):
        yield from _all()
        return
    motion, axis = motions[coordinate]
    if motion == SLIDE:
        yield np.concatenate((np.cross(p, R[:, axis]), R[:, axis]))
    else:
        yield from _couple(R[:, axis])


def _rows(mechanism: Mechanism) -> Iterator[np.ndarray]:
    """Drives, couplings and stops act along coordinates as motors do."""
    for drive in mechanism.drives.values():
        if drive.enabled:
            yield from _effort(mechanism, drive.joint, drive.coordinate)
    for coupling in mechanism.couplings.values():
        for end in coupling.ends:
            yield from _effort(mechanism, end.joint, end.coordinate)
    for joint in mechanism.joints.values():
        for limit in joint.limits:
            if limit.lower is not None or limit.upper is not None:
                yield from _effort(mechanism, joint.id, limit.coordinate)


# names

def _named(free: np.ndarray, size: float) -> Iterator[Conserved]:
    """Momentum along directions, then angular momentum about axes."""
    if free.shape[1] == 0:
        return
    # twists without a turn
    turns = free[:3] * size
    _, s, Vt = np.linalg.svd(turns, full_matrices=True)
    rank = int(np.sum(s > SMALL))
    slides = free @ Vt[rank:].T
    along = scipy.linalg.orth(slides[3:], rcond=1e-9) if slides.shape[1] else np.zeros((3, 0))
    for name, axis in _directions(along):
        yield Conserved(f"momentum along {name}", (0.0, 0.0, 0.0, *map(float, axis)))
    if rank == 0:
        return
    # turning ones, less what slides along conserved directions adds
    bases = free @ Vt[:rank].T
    bases[3:] -= along @ (along.T @ bases[3:])
    spans = scipy.linalg.orth(bases[:3] * size, rcond=1e-9)
    for name, axis in _directions(spans):
        z = np.linalg.lstsq(bases[:3], axis, rcond=None)[0]
        w, v = bases[:3] @ z, bases[3:] @ z
        point = np.cross(w, v)                     # the point of the axis next to O
        lead = float(w @ v)
        words = f"angular momentum about {name}" + ("" if np.linalg.norm(point) < 1e-9 * size else f" through ({', '.join(f'{c:.4g}' for c in point + 0.0)}) m")
        if abs(lead) > 1e-9 * size:
            words += f" with {lead:.4g} m of the momentum along it"
        yield Conserved(words, (*map(float, w), *map(float, v)))


def _directions(span: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Unit directions that span a space (3, k): world axes where they lie in it, then others by their components."""
    rest = span
    for name, axis in zip("XYZ", I3, strict=True):
        if rest.shape[1] and np.linalg.norm(axis - span @ (span.T @ axis)) < 1e-7:
            yield name, axis
            U, lengths, _ = np.linalg.svd(rest - np.outer(axis, axis @ rest), full_matrices=False)
            rest = U[:, lengths > 1e-7]
    for k in range(rest.shape[1]):
        axis = rest[:, k] * np.sign(rest[np.argmax(np.abs(rest[:, k])), k])
        yield f"({', '.join(f'{c + 0.0:.3f}' for c in axis)})", axis
