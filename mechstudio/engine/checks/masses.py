"""Masses and inertias that no body can have, and free motions that nothing gives inertia to (THEORY
2).
"""

from collections.abc import Sequence

import numpy as np

from mechstudio.engine.checks.elements import named
from mechstudio.engine.constraints.attitude import matrices
from mechstudio.model.findings import Finding
from mechstudio.model.mass_properties import MassProperties, impossible_inertia
from mechstudio.model.mechanism import Body
from mechstudio.translation import tr

NOTHING = 1e-14  # kinetic energy, relative to the largest, below which a motion has no inertia
MOVING = 1e-6  # part of the largest motion below which a body stands still


def impossible(body: Body, properties: MassProperties) -> Finding | None:
    """The error of a body whose mass or inertia no solid can have."""
    numbers = (properties.mass, *properties.center, *(c for row in properties.inertia for c in row))
    name = named(body)
    if not all([abs(c) < 1e100 for c in numbers]):  # also true for NaN
        return Finding(
            "error",
            body.id,
            tr("The mass or inertia of {name} is not a possible number.", name=name),
            tr("Type its mass, or its shapes' density and lengths, again."),
        )
    if properties.mass < 0:
        return Finding(
            "error",
            body.id,
            tr("{name} has a negative mass.", name=name),
            tr("Type a positive mass or density."),
        )
    if reason := impossible_inertia(properties.inertia):
        return Finding(
            "error",
            body.id,
            tr("No body can have the inertia of {name}. {reason}", name=name, reason=reason),
            tr("Type another inertia, or clear it to take the shapes'."),
        )
    if properties.mass == 0 and any(c != 0 for row in properties.inertia for c in row):
        return Finding(
            "error",
            body.id,
            tr("{name} has inertia but no mass.", name=name),
            tr("Type its mass, or clear its inertia."),
        )
    return None


def motions_without_inertia(
    bodies: Sequence[Body],
    properties: Sequence[MassProperties],
    poses: np.ndarray,
    motions: np.ndarray,
    origin: np.ndarray,
    size: float,
) -> list[Finding]:
    """Errors for bodies that can move without anything resisting.

    poses (n, 7).  motions (n, 6, d): twists (w; v / size) of all free motions in W, v at `origin`
    (3,) [m].
    A motion has no inertia if its kinetic energy vanishes: an eigenvector of sum J^T M J for the
    eigenvalue zero.
    """
    if motions.shape[2] == 0:
        return []
    R = matrices(poses[:, 3:])
    mass = np.array([p.mass for p in properties])
    center = poses[:, :3] + (R @ np.array([p.center for p in properties])[:, :, None])[:, :, 0]
    inertia = R @ np.array([p.inertia for p in properties]) @ R.swapaxes(1, 2) / size**2
    w = motions[:, :3]
    v = motions[:, 3:] + np.cross(w, ((center - origin) / size)[:, :, None], axis=1)
    energy = np.einsum("bid,bij,bje->de", w, inertia, w) + np.einsum("bid,b,bie->de", v, mass, v)
    eigenvalues, vectors = np.linalg.eigh(energy)
    free = vectors[:, eigenvalues <= NOTHING * max(eigenvalues[-1], 0.0)]
    speed = (
        np.linalg.norm((motions @ free).reshape(len(bodies), -1), axis=1)
        if free.size
        else np.zeros(len(bodies))
    )
    return [
        _without_inertia(body, p)
        for body, p, s in zip(bodies, properties, speed, strict=True)
        if s > MOVING
    ]


def resists_everything(properties: MassProperties) -> bool:
    """True if such a body has inertia against every motion."""
    moments = np.linalg.eigvalsh(np.array(properties.inertia))
    return properties.mass > 0 and bool(moments[0] > NOTHING * moments[-1])


def _without_inertia(body: Body, properties: MassProperties) -> Finding:
    if properties.mass == 0:
        return Finding(
            "error",
            body.id,
            tr("{body} can move freely but has no mass.", body=named(body)),
            tr("Give it a shape with a density, or type its mass."),
        )
    return Finding(
        "error",
        body.id,
        tr("{body} can spin freely about an axis about which it has no inertia.", body=named(body)),
        tr("Give it a shape, type its inertia, or use a joint that prevents the spin."),
    )
