"""Plot quantities as data: key, label, dimension and column of a sample.  A new quantity is one
more entry here.
"""

import msgspec

from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.results.sample import (
    BALANCE,
    COUNT,
    DRIVE_WORK,
    FRICTION_WORK,
    GAP,
    IMPACT_WORK,
    ITERATIONS,
    KINETIC,
    LOAD_WORK,
    OVERLAP,
    PAIR0,
    POSITION_ERROR,
    POTENTIAL,
    RESIDUAL,
    VELOCITY_ERROR,
    WORK,
    SampleLayout,
    sample_layout,
)
from mechstudio.model.types.joints import JOINT_TYPES


class Channel(msgspec.Struct, frozen=True):
    """One recorded quantity.  columns: its columns in a sample, added up.  element: the body or
    joint it belongs to.
    """

    key: str
    label: str
    dimension: str
    columns: tuple[int, ...]
    element: str = ""


_ENERGY = (
    ("kinetic", "Kinetic energy", (KINETIC,)),
    ("potential", "Potential energy", (POTENTIAL,)),
    ("total", "Total energy", (KINETIC, POTENTIAL)),
    ("work", "Work of motors and dampers", (WORK,)),
    ("balance", "Energy balance error", (BALANCE,)),
)
_CONSTRAINT = (
    ("position", "Constraint error |C|", "length", POSITION_ERROR),
    ("velocity", "Rate of constraint error", "velocity", VELOCITY_ERROR),
    ("gap", "Largest joint gap", "length", GAP),
)
_CONTACT = (
    ("count", "Contacts", "number", COUNT),
    ("overlap", "Deepest overlap", "length", OVERLAP),
    ("residual", "Error of the contact solve", "velocity", RESIDUAL),
    ("iterations", "Iterations of the contact solve", "number", ITERATIONS),
    ("friction", "Work of friction in contacts", "energy", FRICTION_WORK),
    ("impact", "Work of impacts", "energy", IMPACT_WORK),
    ("drives", "Work of drives", "energy", DRIVE_WORK),
    ("loads", "Work of motors, forces and dampers", "energy", LOAD_WORK),
)
_RATES = {"length": "velocity", "angle": "angular_velocity"}


def channels(mechanism: Mechanism, layout: SampleLayout | None = None) -> dict[str, Channel]:
    """Every channel of a mechanism's runs by key: joint/ID/K, energy/NAME, constraint/NAME,
    momentum/px … nz, contact/NAME, contact/A/B, body/ID/x … wz.
    """
    layout = layout or sample_layout(mechanism)
    out: dict[str, Channel] = {}
    at = layout.coordinates.start
    for id, joint in mechanism.joints.items():
        for k, c in enumerate(JOINT_TYPES[joint.type].coordinates):
            key = f"joint/{id}/{k}"
            out[key] = Channel(key, f"{joint.name} {c.name}", c.dimension, (at + k,), id)
        at += len(JOINT_TYPES[joint.type].coordinates)
    for name, label, columns in _ENERGY:
        key = f"energy/{name}"
        if name == "work" and layout.touching:
            label = "Work of drives, loads and contacts"
        out[key] = Channel(key, label, "energy", tuple(layout.energy.start + c for c in columns))
    for name, label, dimension, column in _CONSTRAINT:
        key = f"constraint/{name}"
        out[key] = Channel(key, label, dimension, (layout.constraint.start + column,))
    for k, axis in enumerate("xyz"):
        for part, label, dimension, start in (
            ("p", "Momentum", "momentum", 0),
            ("n", "Angular momentum", "angular_momentum", 3),
        ):
            key = f"momentum/{part}{axis}"
            out[key] = Channel(
                key, f"{label} {axis}", dimension, (layout.momentum.start + start + k,)
            )
    if layout.touching:
        for name, label, dimension, column in _CONTACT:
            key = f"contact/{name}"
            out[key] = Channel(key, label, dimension, (layout.contact.start + column,))
        named = lambda id: mechanism.ground.name if id == GROUND else mechanism.bodies[id].name
        for k, (a, b) in enumerate(layout.pairs):
            key = f"contact/{a}/{b}"
            out[key] = Channel(
                key,
                f"Normal force {named(a)} – {named(b)}",
                "force",
                (layout.contact.start + PAIR0 + k,),
            )
    poses, velocities = layout.poses.start, layout.velocities.start
    for b, (id, body) in enumerate(mechanism.bodies.items()):
        for k, axis in enumerate("xyz"):
            for part, dimension, start in (
                ("", "length", poses + 7 * b),
                ("v", "velocity", velocities + 6 * b),
                ("w", "angular_velocity", velocities + 6 * b + 3),
            ):
                key = f"body/{id}/{part}{axis}"
                out[key] = Channel(key, f"{body.name} {part}{axis}", dimension, (start + k,), id)
    return out
