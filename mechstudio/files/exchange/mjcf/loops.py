"""Loops and couplings of an MJCF model, as equality constraints."""

from mechstudio.files.exchange.chains import Step, chain, inverse, is_chain
from mechstudio.files.exchange.mjcf.bodies import LEAST, add_joint
from mechstudio.files.exchange.mjcf.model import Held, Model
from mechstudio.files.exchange.xml_text import add
from mechstudio.model.geometry.rotation import Pose, compose
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Coupling, Frame, Joint, Mechanism
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr

SHARE = 0.1  # of the mechanism's size: half the distance of the points that hold an axis
LIGHT = 1e-5  # of a body's mass and inertia: of the body through which a loop is closed


def needs_joint(m: Mechanism, id: str) -> bool:
    """True if something acts on a coordinate of a joint, so that MuJoCo must have it."""
    return (
        any(f.joint == id for f in m.forces.values())
        or any(d.joint == id and d.enabled for d in m.drives.values())
        or any(end.joint == id for c in m.couplings.values() for end in c.ends)
        or bool(m.joints[id].limits)
    )


def _in_body(model: Model, frame: Frame) -> Pose:
    """A frame in the axes of its body in the model."""
    at = model.mechanism.frame_in_body(frame)
    return compose(model.poses[GROUND], at) if frame.body == GROUND else at


def add_loops(model: Model, joints: list[Joint]) -> None:
    """Equality constraints of the joints that close loops; a note for those that MJCF lacks."""
    m = model.mechanism
    for joint in joints:
        who = joint.name or joint.id
        if joint.frame_a.body == joint.frame_b.body:
            continue
        if JOINT_TYPES[joint.type].holds_distance:
            _add_rod(model, joint)
        elif not is_chain(joint.type):
            model.say(
                tr(
                    "Joint {name}: MJCF has no {noun}; it was left out.",
                    name=who,
                    noun=tr(JOINT_TYPES[joint.type].noun),
                )
            )
        elif joint.type == "free":
            pass
        elif joint.type in ("revolute", "spherical", "fixed") and not needs_joint(m, joint.id):
            _add_equality(model, joint)
        else:
            _add_split(model, joint)


def _add_equality(model: Model, joint: Joint) -> None:
    equality = model.section("equality")
    a, b = _in_body(model, joint.frame_a), _in_body(model, joint.frame_b)
    who, noun = joint.name or joint.id, tr(JOINT_TYPES[joint.type].noun)
    if joint.type == "fixed":
        sites = [model.site(f.body, p) for f, p in ((joint.frame_a, a), (joint.frame_b, b))]
        add(equality, "weld", name=joint.id, site1=sites[0], site2=sites[1])
    else:
        arm = SHARE * model.mechanism.size() if joint.type == "revolute" else 0.0
        for k, z in enumerate((-arm, arm) if arm else (0.0,)):
            sites = [
                model.site(f.body, compose(p, ((0.0, 0.0, z), (1.0, 0.0, 0.0, 0.0))))
                for f, p in ((joint.frame_a, a), (joint.frame_b, b))
            ]
            name = joint.id if k == 0 else f"{joint.id}_{k}"
            add(equality, "connect", name=name, site1=sites[0], site2=sites[1])
    model.say(
        tr(
            "Joint {name}: MJCF has no loops; the {noun} became a soft equality constraint, stiff "
            "by solref and solimp.",
            name=who,
            noun=noun,
        )
    )


def _add_split(model: Model, joint: Joint) -> None:
    """A joint that closes a loop and must be one in MuJoCo: it carries a light body, which is
    welded to the second one.
    """
    m = model.mechanism
    name = f"{joint.id}_end"
    body = joint.frame_b.body
    other = body if body != GROUND else joint.frame_a.body
    carrier, reversed = (joint.frame_a.body, False) if body != GROUND else (GROUND, True)
    here = model.poses[other]
    pose = here if carrier == GROUND else compose(inverse(model.poses[carrier]), here)
    element = add(model.bodies[carrier], "body", name=name, pos=pose[0], quat=pose[1])
    steps = chain(m, joint, reversed, model.poses)
    held = model.held[joint.id] = Held(joint, name, steps)
    add_joint(model, element, held)
    known = mass_properties(m.bodies[other])
    size = m.size()
    moment = max(
        LIGHT * max(known.inertia[k][k] for k in range(3)), 1e-3 * LIGHT * known.mass * size**2
    )
    add(
        element,
        "inertial",
        pos=known.center,
        mass=max(LIGHT * known.mass, LEAST),
        diaginertia=(max(moment, LEAST),) * 3,
    )
    model.bodies[name] = element
    ends = [
        model.site(n, (steps[0].point if steps else (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
        for n in (name, other)
    ]
    add(model.section("equality"), "weld", name=f"{joint.id}_weld", site1=ends[0], site2=ends[1])
    model.say(
        tr(
            "Joint {name}: MJCF has no loops; the {noun} carries a light body of its own, "
            "{share:g} of the mass, which a weld holds to {body}.",
            name=joint.name or joint.id,
            noun=tr(JOINT_TYPES[joint.type].noun),
            share=LIGHT,
            body=m.bodies[other].name,
        )
    )


def _add_rod(model: Model, joint: Joint) -> None:
    """A rod as a tendon of constant length."""
    tendon = add(model.section("tendon"), "spatial", name=joint.id)
    for frame in (joint.frame_a, joint.frame_b):
        add(tendon, "site", site=model.frame_site(frame))
    add(model.section("equality"), "tendon", name=f"{joint.id}_length", tendon1=joint.id)
    model.say(
        tr(
            "Joint {name}: the rod became a tendon whose length a soft equality constraint keeps.",
            name=joint.name or joint.id,
        )
    )


def add_couplings(model: Model) -> None:
    """Screws, gears, racks, belts, differentials and planetary gears as equality constraints."""
    for held in model.held.values():
        if held.joint.type == "screw":
            turn = next(s for s in held.steps if s.coordinate >= 0)
            slide = next(s for s in held.steps if s.coordinate < 0)
            lead = held.joint.parameters["pitch"].value / 6.283185307179586
            _add_relation(model, f"{held.joint.id}_thread", held, slide, held, turn, lead)
            model.say(
                tr(
                    "Screw {name}: MJCF has none; it became a hinge and a slide that a soft "
                    "equality constraint couples.",
                    name=held.joint.name or held.joint.id,
                )
            )
    for coupling in model.mechanism.couplings.values():
        _add_coupling(model, coupling)


def _add_coupling(model: Model, coupling: Coupling) -> None:
    kind = COUPLING_TYPES[coupling.type]
    who = coupling.name or coupling.id
    ends = [
        (held, held.name(end.coordinate))
        for end in coupling.ends
        if (held := model.held.get(end.joint)) is not None
    ]
    if kind.law or len(ends) < len(coupling.ends) or not all(name for _, name in ends):
        model.say(
            tr(
                "{kind} {name}: MJCF cannot hold it; it was left out.",
                kind=tr(kind.label),
                name=who,
            )
        )
        return
    factors = kind.factors({k: q.value for k, q in coupling.parameters.items()})
    if len(ends) == 2:
        (a, name_a), (b, name_b) = ends
        step_a = next(s for s in a.steps if a.step_name(s) == name_a)
        step_b = next(s for s in b.steps if b.step_name(s) == name_b)
        _add_relation(model, coupling.id, a, step_a, b, step_b, -factors[1] / factors[0])
    else:
        tendon = add(model.section("tendon"), "fixed", name=coupling.id)
        for (_, name), factor in zip(ends, factors):
            add(tendon, "joint", joint=name, coef=factor)
        add(model.section("equality"), "tendon", name=f"{coupling.id}_sum", tendon1=coupling.id)
    model.say(
        tr(
            "{kind} {name} became a soft equality constraint between its joints.",
            kind=tr(kind.label),
            name=who,
        )
    )


def _add_relation(
    model: Model, name: str, a: Held, step_a: Step, b: Held, step_b: Step, factor: float
) -> None:
    """a - a at the start = factor (b - b at the start)."""
    add(
        model.section("equality"),
        "joint",
        name=name,
        joint1=a.step_name(step_a),
        joint2=b.step_name(step_b),
        polycoef=(0.0, factor, 0.0, 0.0, 0.0),
    )
