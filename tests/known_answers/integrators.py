"""Known answers by every integrator: the same motions, each within what its order and step
promise.
"""

import math
from functools import partial

import numpy as np

import mechstudio as ms
from mechstudio.model.types.methods import INTEGRATOR_TYPES
from tests.known_answers import forces, joints
from tests.known_answers.joints import body
from tests.known_answers.rows import Row, coordinate, oscillation

# options of the run; bounds: of steady acceleration, of swings, of what is unstable or long, of a
# fast top
METHODS = {
    "dop853": ({}, 1e-12, 1e-6, 1e-6, 1e-6),
    "dopri5": ({}, 1e-12, 1e-6, 1e-6, 1e-6),
    "radau": ({}, 1e-12, 1e-6, 1e-6, 1e-6),
    "rk4": ({"step": 1e-3}, 1e-12, 1e-7, 1e-7, 2e-4),
    "generalized_alpha": ({"step": 1e-3}, 1e-6, 1e-4, 2e-4, 1e-2),
    "semi_implicit_euler": ({"step": 5e-4}, 1e-3, 5e-3, 5e-3, 0.02),
}
# where the axis of a top turns by 0.25 rad in a step of 1 ms
TOP_STEPS = {"semi_implicit_euler": 5e-5}


def stiff(rate):
    """A light block on a strong damper that is pushed by 1 N sin t: the fast part dies at once."""
    m = ms.Builder(gravity=(0, 0, 0))
    joint = m.slider("J", m.ground, body(m, 0.1, 1.0), at=(0, 0, 0), axis=(1, 0, 0))
    m.force("slide_damper", "c", joint=joint, damping=rate)
    m.force("motor_force", "push", joint=joint, force=ms.sine(rate, 1 / (2 * math.pi)))
    return m.project()


def creeping(t, rate):
    """x of x'' + r x' = r sin t from rest: v = (r^2 sin t - r cos t + r e^(-r t)) / (r^2 + 1)."""
    return (rate**2 * (1 - np.cos(t)) - rate * np.sin(t) - np.expm1(-rate * t)) / (rate**2 + 1)


def resonance(w):
    m = ms.Builder(gravity=(0, 0, 0))
    joint = m.slider("J", m.ground, body(m, 0.1, 1.0), at=(0, 0, 0), axis=(1, 0, 0))
    m.force("slide_spring", "k", joint=joint, stiffness=w * w, free_length=0)
    m.force("motor_force", "push", joint=joint, force=ms.sine(1.0, w / (2 * math.pi)))
    return m.project()


def of(integrator):
    options, steady, smooth, long, spinning = METHODS[integrator]
    options = {"integrator": integrator, **options}
    name = INTEGRATOR_TYPES[integrator].label
    row = lambda label, build, duration, measure, answer, source, bound, **more: Row(
        f"{name}: {label}",
        build,
        duration,
        measure,
        answer,
        source,
        bound,
        options={**options, **more},
    )
    yield row(
        "slider down a slope",
        partial(joints.on_slope, 1.0, 2.0),
        2.0,
        coordinate("S"),
        lambda t: 0.25 * joints.G * t**2,
        "g sin(slope) t^2 / 2",
        steady,
    )
    for label, k in (("undamped", 0), ("weakly damped", 1), ("critical", 2), ("overdamped", 3)):
        _, mass, stiffness, damping, start, speed, _ = forces.OSCILLATIONS[k]
        yield row(
            f"oscillator, {label}",
            partial(forces.spring_and_damper, mass, stiffness, damping, start, speed),
            2.0,
            coordinate("J"),
            lambda t, n=(mass, stiffness, damping, start, speed): oscillation(t, *n) - n[3],
            forces.LINEAR,
            smooth,
        )
    for start in (1.0, 3.0):
        yield row(
            f"pendulum from {start:g} rad",
            partial(joints.pendulum, 1.0, 2.0, start),
            4.0,
            coordinate("P"),
            lambda t, s=start: joints.swing(t, s, math.sqrt(joints.G / 1.02)),
            joints.ELLIPTIC,
            long,
        )
    yield row(
        "driven in resonance",
        partial(resonance, 5.0),
        6.0,
        coordinate("J"),
        lambda t: (np.sin(5 * t) - 5 * t * np.cos(5 * t)) / 50,
        "(sin w t - w t cos w t) / 2 w^2",
        long,
    )
    yield row(
        "strongly damped",
        partial(stiff, 300.0),
        3.0,
        coordinate("J"),
        partial(creeping, rate=300.0),
        "v' = r (sin t - v)",
        long,
    )
    yield row(
        "heavy top",
        partial(joints.top, 1.0, 2.0, 0.4, 250.0),
        0.5,
        joints.axis_of,
        partial(joints.precessing, tilt=0.4, spin=250.0),
        "steady precession",
        spinning,
        **({"step": TOP_STEPS[integrator]} if integrator in TOP_STEPS else {}),
    )
    yield row(
        "rod pendulum",
        partial(joints.rod_pendulum, 1.0, 2.0, 1.0),
        3.0,
        lambda r: np.arctan2(r.poses[:, 0, 0], -r.poses[:, 0, 2]),
        lambda t: joints.swing(t, 1.0, math.sqrt(joints.G)),
        joints.ELLIPTIC,
        long,
    )


ROWS = tuple(row for integrator in METHODS for row in of(integrator))
