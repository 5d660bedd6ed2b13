"""Names of constants of the motion: momentum along directions, angular momentum about axes."""

from collections.abc import Iterator

import numpy as np
import scipy.linalg

from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.results.analysis import Conserved

SMALL = 1e-9  # component of a unit direction that counts as zero
I3 = np.eye(3)


def named(
    mechanism: Mechanism, free: np.ndarray, bodies: tuple[str, ...], carrier: str, size: float
) -> Iterator[Conserved]:
    """The constants of twists (6, k), fixed in the carrier, in its axes and with v at its origin.
    bodies: none for all.
    """
    # twists without rotation
    _, s, Vt = np.linalg.svd(free[:3] * size, full_matrices=True)
    rank = int(np.sum(s > SMALL))
    slides = free @ Vt[rank:].T
    along = scipy.linalg.orth(slides[3:], rcond=1e-9) if slides.shape[1] else np.zeros((3, 0))
    owner = (
        f" of {mechanism.bodies[carrier].name}"
        if carrier != GROUND and not bodies
        else _of_bodies(mechanism, bodies)
    )
    axes = "XYZ" if carrier == GROUND else "xyz"
    own = (bodies or tuple(mechanism.bodies)) == (carrier,)
    axis_words = lambda name: (
        name
        if carrier == GROUND
        else f"its own axis {name}"
        if own
        else f"axis {name} of {mechanism.bodies[carrier].name}"
    )
    for name, axis in _directions(along, axes):
        yield Conserved(
            f"momentum{owner} along {axis_words(name)}",
            (0.0, 0.0, 0.0, *map(float, axis)),
            bodies,
            carrier,
        )
    if rank == 0:
        return
    # rotations, less the part from translations along conserved directions
    bases = free @ Vt[:rank].T
    bases[3:] -= along @ (along.T @ bases[3:])
    spans = scipy.linalg.orth(bases[:3] * size, rcond=1e-9)
    for name, axis in _directions(spans, axes):
        z = np.linalg.lstsq(bases[:3], axis, rcond=None)[0]
        w, v = bases[:3] @ z, bases[3:] @ z
        words = f"angular momentum{owner} about {axis_words(name)}{_place(w, v, size)}"
        yield Conserved(words, (*map(float, w), *map(float, v)), bodies, carrier)


def central(mechanism: Mechanism, free: np.ndarray, bodies: tuple[str, ...]) -> Iterator[Conserved]:
    """The angular momenta about the common centre of mass, along directions (3, k) of W."""
    for name, axis in _directions(free, "XYZ"):
        of = _of_bodies(mechanism, bodies)
        words = f"angular momentum{of} about {name} through the centre of mass"
        yield Conserved(words, (*map(float, axis), 0.0, 0.0, 0.0), bodies, central=True)


def _of_bodies(mechanism: Mechanism, bodies: tuple[str, ...]) -> str:
    """Words such as " of wheel and rim"; "" for all bodies."""
    names = [mechanism.bodies[id].name for id in bodies]
    if len(names) > 3:
        return f" of {names[0]} and {len(names) - 1} others"
    return f" of {', '.join(names[:-1])}{' and ' if names[:-1] else ''}{names[-1]}" if names else ""


def _place(w: np.ndarray, v: np.ndarray, size: float) -> str:
    """Words " through (1, 0, 0) m" for an axis off the origin, and its share of the momentum
    along it.
    """
    point = np.cross(w, v)  # the point of the axis nearest to O
    lead = float(w @ v)
    words = (
        ""
        if np.linalg.norm(point) < 1e-9 * size
        else f" through ({', '.join(f'{c:.4g}' for c in point + 0.0)}) m"
    )
    return words + (
        f" with {lead:.4g} m of the momentum along it" if abs(lead) > 1e-9 * size else ""
    )


def _directions(span: np.ndarray, names: str) -> Iterator[tuple[str, np.ndarray]]:
    """Unit directions that span a space (3, k): the axes in it, then others by their components."""
    rest = span
    for name, axis in zip(names, I3, strict=True):
        if rest.shape[1] and np.linalg.norm(axis - span @ (span.T @ axis)) < 1e-7:
            yield name, axis
            U, lengths, _ = np.linalg.svd(rest - np.outer(axis, axis @ rest), full_matrices=False)
            rest = U[:, lengths > 1e-7]
    for k in range(rest.shape[1]):
        axis = rest[:, k] * np.sign(rest[np.argmax(np.abs(rest[:, k])), k])
        yield f"({', '.join(f'{c + 0.0:.3f}' for c in axis)})", axis
