"""Potential energy of a run, split into that of gravity and that of springs, from its samples."""

import numpy as np

from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.results.constant_course import matrices
from mechstudio.model.results.sample import POTENTIAL, SampleLayout
from mechstudio.model.types.forces import FORCE_TYPES, FRAMES


def has_springs(mechanism: Mechanism) -> bool:
    """True if anything stores energy in its shape: a spring, a bushing, a soft stop."""
    springs = (
        FORCE_TYPES[f.type].potential is not None or FORCE_TYPES[f.type].attachment == FRAMES
        for f in mechanism.forces.values()
        if not f.laws  # what follows a law of the time has no potential: its work is counted
    )
    soft = (q.stiffness is not None for j in mechanism.joints.values() for q in j.limits)
    return any(springs) or any(soft)


def gravity_energy(mechanism: Mechanism, layout: SampleLayout, rows: np.ndarray) -> np.ndarray:
    """-m g . r_G of all bodies (s,) [J] at samples (s, width)."""
    g = np.array(values(mechanism.gravity))
    total = np.zeros(len(rows))
    for id in layout.bodies:
        own = mass_properties(mechanism.bodies[id])
        pose = rows[:, layout.pose(id)]
        center = pose[:, :3] + matrices(pose[:, 3:]) @ np.array(own.center)
        total -= own.mass * (center @ g)
    return total


def spring_energy(mechanism: Mechanism, layout: SampleLayout, rows: np.ndarray) -> np.ndarray:
    """Energy of springs, bushings and soft stops (s,) [J]: what of the potential energy is not that
    of gravity, good to the rounding of both.
    """
    whole = rows[:, layout.energy.start + POTENTIAL]
    return whole - gravity_energy(mechanism, layout, rows)
