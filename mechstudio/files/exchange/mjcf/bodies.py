"""Bodies, shapes and contacts of an MJCF model."""

import itertools
import math
import xml.etree.ElementTree as ET

from mechstudio.files.exchange.chains import Step, inverse
from mechstudio.files.exchange.mjcf.model import WORLD, Held, Model
from mechstudio.files.exchange.palette import color_of
from mechstudio.files.exchange.surfaces import surface
from mechstudio.files.exchange.xml_text import add
from mechstudio.model.contact import Surface
from mechstudio.model.geometry.forms import Ball, Block, Capsule, Cylinder, Ellipsoid, Form, Tube
from mechstudio.model.geometry.rotation import IDENTITY, Pose, Quaternion, compose
from mechstudio.model.joints.touching import kept_apart
from mechstudio.model.mass_properties import MassProperties, mass_properties
from mechstudio.model.mechanism import GROUND, Body, Shape
from mechstudio.model.tree import Branch
from mechstudio.model.types.joints import BALL, SLIDE
from mechstudio.translation import Words, tr

# mass [kg] and moment of inertia [kg m^2] that a moving body has at least in MuJoCo, and moment of
# inertia as a share of all three, of which MuJoCo finds the principal ones
LEAST, LEAST_SHARE = 1e-15, 1e-12
STRAIGHT = 1e-14  # of a quaternion: turns of assembled bodies that are rounding


def add_ground(model: Model) -> None:
    """World with the shapes of ground and the floor."""
    m = model.mechanism
    world = model.bodies[GROUND] = model.section("worldbody")
    model.bodies[WORLD] = world
    for shape in m.ground.shapes:
        _add_geom(model, world, m.ground, shape, m.ground.placement.pose)
    if (floor := m.contacts.floor) is not None:
        add(
            world,
            "geom",
            name="floor",
            type="plane",
            size=(0.0, 0.0, 0.1),
            pos=(0.0, 0.0, floor.height.value),
            friction=_friction(floor.surface),
            condim=_dimensions(floor.surface),
            rgba=(0.6, 0.62, 0.65, 1.0),
        )


def add_body(model: Model, branch: Branch) -> None:
    """A body on the one that carries it, with the joint between them."""
    m = model.mechanism
    body = m.bodies[branch.body]
    here = model.poses[branch.body]
    pose = here
    if branch.parent != GROUND:
        pose = compose(inverse(model.poses[branch.parent]), here)
    parent = model.bodies[branch.parent]
    name = model.name(branch.body)
    element = add(parent, "body", name=name, pos=pose[0], quat=_turn(pose[1]))
    model.bodies[branch.body] = element
    moves = True
    if not branch.joint:
        add(element, "freejoint", name=f"{name}_free")
    else:
        joint = m.joints[branch.joint]
        steps = model.steps(branch)
        held = model.held[joint.id] = Held(joint, name, steps)
        add_joint(model, element, held)
        moves = bool(steps)
    _add_inertia(model, element, body, mass_properties(body), moves)
    for shape in body.shapes:
        _add_geom(model, element, body, shape, ((0.0, 0.0, 0.0), IDENTITY))


def add_joint(model: Model, element: ET.Element, held: Held) -> None:
    """The elements of a joint on the body that it carries."""
    for step in held.steps:
        if step.kind == BALL and any(x.coordinate >= 0 for x in held.joint.limits):
            model.say(
                tr(
                    "Stop of {name}: MuJoCo has none on an angle of a ball joint; it was left out.",
                    name=held.joint.name or held.joint.id,
                )
            )
        kind = "ball" if step.kind == BALL else "slide" if step.kind == SLIDE else "hinge"
        add(
            element,
            "joint",
            name=held.step_name(step),
            type=kind,
            pos=step.point,
            axis=None if kind == "ball" else step.axis,
            ref=None if kind == "ball" or step.value == 0.0 else step.value,
            range=None if kind == "ball" else _range(model, held, step),
        )


def _range(model: Model, held: Held, step: Step) -> tuple[float, float] | None:
    """Stops of a step's coordinate."""
    limit = next((x for x in held.joint.limits if x.coordinate == step.coordinate), None)
    if limit is None or (limit.lower is None and limit.upper is None):
        return None
    far = 1e6
    if limit.lower is None or limit.upper is None:
        model.say(
            tr(
                "Stop of {name}: MJCF wants two ends; the missing one was put {far:g} away.",
                name=held.joint.name or held.joint.id,
                far=far,
            )
        )
    if limit.stiffness is not None:
        model.say(
            tr(
                "Stop of {name}: its spring and damper were left out; MuJoCo's stops are hard.",
                name=held.joint.name or held.joint.id,
            )
        )
    elif limit.restitution.value:
        model.say(
            tr(
                "Stop of {name}: MJCF has no rebound; what hits it stays there.",
                name=held.joint.name or held.joint.id,
            )
        )
    return (
        -far if limit.lower is None else limit.lower.value,
        far if limit.upper is None else limit.upper.value,
    )


def _add_inertia(
    model: Model, element: ET.Element, body: Body, known: MassProperties, moves: bool
) -> None:
    """Mass properties, with the least ones that MuJoCo takes."""
    mass = max(known.mass, LEAST)
    I = known.inertia
    trace = I[0][0] + I[1][1] + I[2][2]
    entries = [I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]]
    smallest = _smallest_moment(entries)
    least = max(LEAST, LEAST_SHARE * trace)
    if smallest < least:
        lift = least - smallest
        entries = [x + lift if k < 3 else x for k, x in enumerate(entries)]
    if moves and (known.mass < LEAST or smallest < least):
        model.say(
            tr(
                "Body {name} has no mass or no inertia about an axis; MuJoCo wants some and got "
                "{least:g} kg and kg·m².",
                name=body.name,
                least=least,
            )
        )
    products = any(abs(x) > 1e-15 * trace for x in entries[3:])
    add(
        element,
        "inertial",
        pos=known.center,
        mass=mass,
        diaginertia=None if products else entries[:3],
        fullinertia=entries if products else None,
    )


def _smallest_moment(e: list[float]) -> float:
    """The smallest eigenvalue of a symmetric matrix xx, yy, zz, xy, xz, yz (Smith 1961)."""
    a, b, c, d, f, g = e
    p1 = d * d + f * f + g * g
    if p1 == 0.0:
        return min(a, b, c)
    q = (a + b + c) / 3.0
    p = math.sqrt(((a - q) ** 2 + (b - q) ** 2 + (c - q) ** 2 + 2.0 * p1) / 6.0)
    A, B, C, D, F, G = (a - q) / p, (b - q) / p, (c - q) / p, d / p, f / p, g / p
    r = (A * (B * C - G * G) - D * (D * C - G * F) + F * (D * G - B * F)) / 2.0
    phi = math.acos(min(1.0, max(-1.0, r))) / 3.0
    return q + 2.0 * p * math.cos(phi + 2.0 * math.pi / 3.0)


# shapes


def _size(form: Form) -> tuple[str, tuple[float, ...]] | None:
    """Type and size of a geom that is a form; None where only a mesh is."""
    if isinstance(form, Ball):
        return "sphere", (form.radius,)
    if isinstance(form, Capsule):
        if form.height == 0.0:
            return "sphere", (form.radius,)
        return "capsule", (form.radius, form.height / 2)
    if isinstance(form, Cylinder):
        return "cylinder", (form.radius, form.height / 2)
    if isinstance(form, Block):
        return "box", (form.x / 2, form.y / 2, form.z / 2)
    if isinstance(form, Ellipsoid):
        return "ellipsoid", (form.x / 2, form.y / 2, form.z / 2)
    return None


def _turn(turn: Quaternion) -> Quaternion | None:
    """A quaternion, or None for one that turns by less than rounding does."""
    return None if max(map(abs, turn[1:])) < STRAIGHT else turn


def _add_geom(model: Model, element: ET.Element, body: Body, shape: Shape, outer: Pose) -> None:
    """A shape as a geom."""
    pose = compose(outer, shape.placement.pose)
    known = _size(shape.form)
    touches = body.touches
    common: dict[str, object] = {
        "pos": pose[0],
        "quat": _turn(pose[1]),
        "rgba": (*color_of(body, shape), 1.0),
        "friction": _friction(body.surface) if model.mechanism.contacts.enabled else None,
        "condim": _dimensions(body.surface) if model.mechanism.contacts.enabled else None,
        "contype": 0 if model.mechanism.contacts.enabled and not touches else None,
        "conaffinity": 0 if model.mechanism.contacts.enabled and not touches else None,
    }
    if known is not None:
        kind, size = known
        add(element, "geom", type=kind, size=size, **common)
        return
    points, triangles = surface(shape.form)
    if len(points) < 4 or not len(triangles):
        model.say(
            tr(
                "Body {name}: a {type} without volume was left out.",
                name=body.name,
                type=shape.type,
            )
        )
        return
    asset = model.section("asset")
    name = f"mesh_{len(asset) + 1}"
    add(
        asset,
        "mesh",
        name=name,
        vertex=points.ravel().tolist(),
        face=triangles.ravel().tolist(),
    )
    add(element, "geom", type="mesh", mesh=name, **common)
    hollow = shape.mesh is not None or isinstance(shape.form, Tube)
    if hollow and touches and model.mechanism.contacts.enabled:
        model.say(
            tr("Body {name}: in contacts MuJoCo takes the convex hull of its mesh.", name=body.name)
        )


def _friction(surface: Surface) -> tuple[float, float, float]:
    """Sliding friction, and the arms [m] of spinning and rolling resistance."""
    number = surface.number
    return (number("friction"), number("spinning"), number("rolling"))


def _dimensions(surface: Surface) -> int | None:
    """Dimensions of contacts, 3 by default, in which MuJoCo has friction alone."""
    if surface.number("rolling"):
        return 6
    return 4 if surface.number("spinning") else None


# numbers of surfaces that MJCF does not know, and the sentence about them
_UNKNOWN: tuple[tuple[str, Words], ...] = (
    ("restitution", "Contacts: MJCF has no coefficient of restitution; bodies do not rebound."),
    (
        "tangential_restitution",
        "Contacts: MJCF has no tangential rebound; slip is not turned round.",
    ),
    ("adhesion", "Contacts: MJCF has no adhesion of touching bodies; nothing holds them together."),
    (
        "stiffness",
        "Contacts: the stiffness and damping of elastic surfaces were left out; MuJoCo's are hard.",
    ),
    ("belt_speed", "Contacts: MJCF has no belts; surfaces that run stand still there."),
)


def add_contacts(model: Model) -> None:
    """Pairs that never touch, and what MuJoCo takes differently."""
    m = model.mechanism
    if not m.contacts.enabled:
        return
    for a, b in kept_apart(m):
        add(model.section("contact"), "exclude", body1=model.name(a), body2=model.name(b))
    drawn = [b for b in (*m.bodies.values(), m.ground) if b.shapes and b.touches]
    surfaces = [b.surface for b in drawn] + (
        [m.contacts.floor.surface] if m.contacts.floor is not None else []
    )
    for number, sentence in _UNKNOWN:
        # a rigid surface has no end to its stiffness
        if any(0.0 < abs(s.number(number)) < math.inf for s in surfaces):
            model.say(tr(sentence))
    if any(a.number("friction") != b.number("friction") for a, b in itertools.pairwise(surfaces)):
        model.say(
            tr(
                "Contacts: where surfaces differ MuJoCo takes the larger friction, mechstudio the "
                "geometric mean."
            )
        )
    for pair in m.contacts.pairs:
        if pair.surface is not None:
            model.say(
                tr(
                    "Contact of {a} and {b}: a surface of a pair was left out; theirs count.",
                    a=m.body(pair.body_a).name,
                    b=m.body(pair.body_b).name,
                )
            )
