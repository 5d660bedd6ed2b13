"""Findings on approximations that a run makes of the drawing: facets of tubes, circles
drawn as splines.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from mechstudio.engine.checks.elements import named
from mechstudio.engine.constraints.curves import curve_table
from mechstudio.model.findings import Finding, listed
from mechstudio.model.geometry.forms import (
    FACETS,
    OFF,
    Ball,
    Capsule,
    Cylinder,
    Form,
    Frustum,
    HalfPipe,
    Tube,
)
from mechstudio.model.joints.titles import titled
from mechstudio.model.mechanism import GROUND, Body, Force, Joint, Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.types.force_laws import friction
from mechstudio.model.types.forces import FORCE_TYPES, sticks
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.model.units import DEFAULT_SYSTEM, format_value
from mechstudio.translation import tr

ROUND = 1e-2  # of its radius: how far the points of a curve may lie off a circle that is meant
PLACES = 400  # at which the curvature of a spline is compared with the circle's
NAMED = 3  # bodies that one sentence names


def approximations(mechanism: Mechanism) -> list[Finding]:
    """Sentences of `check` and of every run about a mechanism whose elements can be read."""
    solid = (
        [b for b in (*mechanism.bodies.values(), mechanism.ground) if b.touches]
        if mechanism.contacts.enabled
        else []
    )
    return [
        *_passing(solid),
        *_facets(solid, mechanism.contacts.floor is not None),
        *_circles(mechanism.joints.values()),
        *_smoothed(mechanism.forces.values()),
    ]


def run_notes(mechanism: Mechanism) -> tuple[str, ...]:
    """The same in sentences, for a run's statistics."""
    return tuple(f"{f.message} {f.cure}" for f in approximations(mechanism))


def _passing(bodies: Iterable[Body]) -> Iterator[Finding]:
    """Shapes of types that contacts do not know."""
    for body in bodies:
        labels = dict.fromkeys(
            tr(kind.label).lower()
            for shape in body.shapes
            if not (kind := SHAPE_TYPES[shape.type]).contacts
        )
        for label in labels:
            yield Finding(
                "warning",
                body.id,
                tr(
                    "Contacts know no {label}: that of {body} passes through everything.",
                    label=label,
                    body=named(body),
                ),
                tr("Draw what should touch from other shapes, or insert it as a mesh."),
            )


def _facets(bodies: Iterable[Body], floor: bool) -> Iterator[Finding]:
    """Tubes that others than solids of revolution may touch, and half-pipes that may also roll on
    their outside: what touches them there touches facets.
    """
    forms = {
        b.id: [s.form for s in b.shapes if SHAPE_TYPES[s.type].contacts] for b in bodies if b.shapes
    }
    uneven = {id for id, own in forms.items() if any(not _is_round(f) for f in own)}
    wide = {id for id, own in forms.items() if any(not isinstance(f, Ball) for f in own)}
    off = {}
    for b in bodies:
        touched = bool(uneven - {b.id})
        rolls = b.id != GROUND and (floor or bool(wide - {b.id}))
        errors = [
            f.facet_error
            for f in forms.get(b.id, ())
            if isinstance(f, Tube) and (touched or (rolls and isinstance(f, HalfPipe)))
        ]
        if errors:
            off[b.id] = max(errors)
    if off:
        names = [named(b) for b in bodies if b.id in off]
        more = [tr("{count} more", count=len(names) - NAMED)] if len(names) > NAMED else []
        worst = max(off, key=lambda id: off[id])
        yield Finding(
            "info",
            worst,
            tr(
                "Contacts take {listed} for {count} facets around, up to {off} off the round "
                "surface ({share:.2g} % of its radius), but where balls touch, where solids of "
                "revolution lie in a bore, and on the outside of a tube. What rolls over facets "
                "loses energy at each edge.",
                listed=listed([*names[:NAMED], *more]),
                count=FACETS,
                off=format_value(off[worst], "length", DEFAULT_SYSTEM, 3),
                share=100.0 * OFF,
            ),
            tr("Draw what rolls in a bore as a cylinder, disc, cone, capsule or tube."),
            amounts=((off[worst], "length", 3),),
        )


def _is_round(form: Form) -> bool:
    """True for solids of revolution that touch a bore as such."""
    return isinstance(form, Capsule | Cylinder | Frustum | Tube) and not isinstance(form, HalfPipe)


def _circles(joints: Iterable[Joint]) -> Iterator[Finding]:
    """Closed curves through the points of a circle, which are splines."""
    for joint in joints:
        if (
            JOINT_TYPES[joint.type].curve
            and joint.curve is not None
            and joint.curve.form == "spline"
            and joint.curve.closed
        ):
            points = np.array([values(p) for p in joint.curve.points], float)
            radius = circle_radius(points)
            if radius > 0.0:
                table = curve_table(joint.curve)
                _, d, dd = table.at(np.linspace(0.0, table.length, PLACES))
                curvature = np.linalg.norm(np.cross(d, dd), axis=1) / np.linalg.norm(d, axis=1) ** 3
                off = float(np.abs(radius * curvature - 1.0).max())
                yield Finding(
                    "info",
                    joint.id,
                    tr(
                        "The circle of {joint} is a spline through {count} points: its curvature, "
                        "and with it the force that holds a body on its way, is off by up to "
                        "{off:.2g} %.",
                        joint=titled(joint),
                        count=len(points),
                        off=100.0 * off,
                    ),
                    tr(
                        "For a circle to rounding choose the form Circle, or give the "
                        "curve more points, with all their digits."
                    ),
                )


def _smoothed(forces: Iterable[Force]) -> Iterator[Finding]:
    """Frictions that hold nothing at rest, since they are smoothed over a speed."""
    for force in forces:
        kind = FORCE_TYPES.get(force.type)
        if kind is not None and kind.law is friction and not sticks(force):
            p = next(p for p in kind.parameters if p.name == "speed")
            speed = (
                force.parameters["speed"].value if "speed" in force.parameters else p.default or 0.0
            )
            number = (speed, p.dimension, 3)
            yield Finding(
                "info",
                force.id,
                tr(
                    "The friction of {force} is smoothed below {speed}: what it should hold "
                    "creeps, up to that fast.",
                    force=force.name,
                    speed=format_value(speed, p.dimension, DEFAULT_SYSTEM, 3),
                ),
                tr("Set the speed below which it is smoothed to 0 to let it stick and slide."),
                amounts=(number,),
            )


def circle_radius(points: np.ndarray) -> float:
    """The radius [m] of the circle on which points (n, 3) [m] lie, 0 where they lie on none."""
    if len(points) < 4:
        return 0.0
    middle = points - points.mean(axis=0)
    _, sizes, axes = np.linalg.svd(middle, full_matrices=False)
    if not sizes[1] > ROUND * sizes[0] or sizes[2] > ROUND * sizes[0]:
        return 0.0
    # |p|^2 = 2 p.c + k of a circle about c
    flat = middle @ axes[:2].T
    (cx, cy, k), *_ = np.linalg.lstsq(
        np.column_stack((2.0 * flat, np.ones(len(flat)))), (flat**2).sum(axis=1), rcond=None
    )
    radius = float(np.sqrt(k + cx * cx + cy * cy))
    return radius if np.abs(np.hypot(*(flat - (cx, cy)).T) - radius).max() < ROUND * radius else 0.0
