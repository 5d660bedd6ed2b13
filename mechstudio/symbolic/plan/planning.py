"""Making of the plan of a derivation: its coordinates, and the cursors of bodies and joint frames
along the tree.
"""

from collections.abc import Collection, Sequence

from mechstudio.model.geometry.curve_forms import curve_problem, exact_pieces
from mechstudio.model.geometry.work_plane import cross
from mechstudio.model.joints.tracks import curve_numbers, curve_of
from mechstudio.model.mechanism import GROUND, Joint, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.tree import Branch, Tree, equation_tree
from mechstudio.model.types.joints import (
    BALL,
    HELIX,
    JOINT_TYPES,
    LIFT,
    QUARTER,
    ROD,
    SLIDE,
    TRACK,
    TURN,
    X,
    Y,
    Z,
)
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.plan.angle_choice import is_hinge, takes_links
from mechstudio.symbolic.plan.drawing_numbers import ZERO
from mechstudio.symbolic.plan.frames import NOWHERE, frame_point
from mechstudio.symbolic.plan.layout import Cursor, Form, Layout, backwards, plus
from mechstudio.symbolic.plan.plan import CURVATURE, Coordinate, Opaque, Plan, Wave
from mechstudio.symbolic.plan.symbols import NEGLIGIBLE, Symbols
from mechstudio.translation import Words, tr

_BALL = (("psi", Z), ("theta", Y), ("phi", X))
_SPOKEN: dict[str, Words] = {
    "psi": "angle ψ about z",
    "theta": "angle θ about y′",
    "phi": "angle φ about x″",
}
_WALKED = (TURN, SLIDE, HELIX, ROD, QUARTER, TRACK, LIFT)  # motions in closed form
_FREE = (
    ("x", SLIDE, X),
    ("y", SLIDE, Y),
    ("z", SLIDE, Z),
    ("psi", TURN, Z),
    ("theta", TURN, Y),
    ("phi", TURN, X),
)


def make_plan(
    project: Project,
    coordinates: str = "joint",
    measured: Collection[tuple[str, int]] = (),
) -> Plan:
    """Lay out a project.  measured: (joint, component) of angles of joints that close loops that
    are coordinates without mass (kinematics/measured_rows.py).  Raises DerivationError for a
    drawing that cannot be read as a mechanism.
    """
    mechanism = project.mechanism
    _check(mechanism)
    # what a curve holds has a closed form over the way along it, and none from outside
    tree = equation_tree(mechanism)
    if coordinates == "auto":
        coordinates = "link" if takes_links(mechanism, tree) else "joint"
    symbols = Symbols(project)
    plan = Plan(
        project,
        tree,
        symbols,
        Layout(),
        _coordinates(mechanism, tree, coordinates, measured),
        {},
        {},
        {},
        {},
    )
    if not plan.coordinates:
        raise DerivationError(
            tr(
                "Nothing in the drawing can move, so there are no equations of motion. Give a "
                "body a joint with a freedom."
            )
        )
    _place_ground(plan)
    for branch in tree.branches:
        if branch.joint:
            _attach(plan, branch, coordinates == "link")
        else:
            _attach_free(plan, branch)
    plan.joint_forms |= {
        (c.joint, c.component): ((k, 1),) for k, c in enumerate(plan.coordinates) if not c.body
    }
    return plan


def _check(mechanism: Mechanism) -> None:
    if not mechanism.bodies:
        raise DerivationError(
            tr("There is no moving body, so there are no equations. Draw a link (L) first.")
        )
    for joint in mechanism.joints.values():
        for frame in (joint.frame_a, joint.frame_b):
            if frame.body != GROUND and frame.body not in mechanism.bodies:
                raise DerivationError(
                    tr(
                        "Joint {joint} stands on a body that is not in the drawing. Attach it to "
                        "another body or delete it.",
                        joint=joint.name,
                    )
                )


def _coordinates(
    mechanism: Mechanism, tree: Tree, kind: str, measured: Collection[tuple[str, int]]
) -> list[Coordinate]:
    carried = {b.joint: b for b in tree.branches}
    out = []
    for id, joint in mechanism.joints.items():
        if id in carried:
            body = carried[id].body
            link = kind == "link" and is_hinge(joint)
            owner = mechanism.body(body).name if link else joint.name
            for k, c in enumerate(JOINT_TYPES[joint.type].coordinates):
                meaning = (
                    tr("angle of {owner}", owner=owner)
                    if link and c.dimension == "angle"
                    else tr(
                        "{spoken} of joint {joint}",
                        spoken=_SPOKEN.get(tr(c.name), tr(c.name)),
                        joint=joint.name,
                    )
                )
                out.append(Coordinate(c.letter, id, k, body, owner, c.dimension, meaning))
        elif curve_of(joint) is not None:
            way = JOINT_TYPES[joint.type].coordinates[0]
            out.append(
                Coordinate(
                    way.letter,
                    id,
                    0,
                    "",
                    joint.name,
                    way.dimension,
                    tr("angle of the face of joint {joint}", joint=joint.name)
                    if JOINT_TYPES[joint.type].has_face
                    else tr("way along the curve of joint {joint}", joint=joint.name),
                )
            )
        if id in carried:
            continue
        for k, c in enumerate(JOINT_TYPES[joint.type].coordinates):
            if (id, k) in measured:
                meaning = tr(
                    "{spoken} of joint {joint}",
                    spoken=_SPOKEN.get(tr(c.name), tr(c.name)),
                    joint=joint.name,
                )
                out.append(Coordinate(c.letter, id, k, "", joint.name, c.dimension, meaning))
    for b in tree.branches:
        if not b.joint:
            name = mechanism.body(b.body).name
            out += [
                Coordinate(
                    letter,
                    "",
                    k,
                    b.body,
                    name,
                    "length" if motion == SLIDE else "angle",
                    tr("{spoken} of {name}", spoken=_SPOKEN.get(letter, letter), name=name),
                )
                for k, (letter, motion, _) in enumerate(_FREE)
            ]
    return out


def _place_ground(plan: Plan) -> None:
    """Ground's reference point is its first joint, so that only distances on ground are seen; its
    origin if a body is free.
    """
    ground = plan.mechanism.ground
    free = any(not b.joint for b in plan.tree.branches)
    frames = [
        f
        for j in plan.mechanism.joints.values()
        for f in (j.frame_a, j.frame_b)
        if f.body == GROUND
    ]
    plan.references[GROUND] = (
        NOWHERE if free or not frames else frame_point(plan.symbols, ground, frames[0], GROUND)
    )
    cursor = Cursor()
    if free:
        x, y, z = (
            plan.symbols.read(q, "p", ground.name, axis, "length", tr("position of ground"), GROUND)
            for axis, q in zip("xyz", ground.placement.position)
        )
        cursor = cursor.shifted((x, y, z))
    turns = [
        (axis, *plan.symbols.angle(q, ground.name, tr("attitude of ground"), GROUND))
        for axis, q in zip((Z, Y, X), ground.placement.orientation)
    ]
    plan.cursors[GROUND] = plan.layout.fixed(cursor, turns)


def _attach(plan: Plan, branch: Branch, links: bool) -> None:
    """Reach a body over a joint."""
    joint = plan.mechanism.joints[branch.joint]
    near, far = (
        (joint.frame_b, joint.frame_a) if branch.reversed else (joint.frame_a, joint.frame_b)
    )
    first = (
        next(k for k, c in enumerate(plan.coordinates) if c.joint == branch.joint)
        if JOINT_TYPES[joint.type].dof
        else 0
    )
    motions = _elementary(JOINT_TYPES[joint.type].motions)
    turns = [
        axis
        for motion, axis in (reversed(motions) if branch.reversed else motions)
        if motion in (TURN, HELIX, LIFT)
    ]
    cursor = plan.joint_frame(joint, near, turns[0] if turns else Z)
    start = cursor
    cursor = _transformed(plan, cursor, branch, first, links and is_hinge(joint))
    plan.ends[joint.id] = (cursor, start) if branch.reversed else (start, cursor)
    body = plan.mechanism.bodies[branch.body]
    plan.references[body.id] = frame_point(plan.symbols, body, far, body.id)
    known = len(plan.layout.frames)
    straight = plan.layout.fixed(
        cursor, backwards(plan.attitude(cursor, far, tr("joint {joint}", joint=joint.name)))
    )
    if len(plan.layout.frames) > known:
        # the joint sits skew on the body: its frame's axes serve as the body's, so that fixed
        # angles do not multiply
        del plan.layout.frames[known:]
        plan.axes[body.id] = far.placement.quaternion
        straight = cursor
    plan.cursors[body.id] = straight


def _elementary(motions):
    """The motions one by one, a ball as its three turns: (motion, axis)."""
    out = []
    for motion, axis in motions:
        out += [(TURN, a) for _, a in _BALL] if motion == BALL else [(motion, axis)]
    return out


def _transformed(plan: Plan, cursor: Cursor, branch: Branch, first: int, links: bool) -> Cursor:
    """The cursor carried through a joint's motions, backwards if the joint is reversed."""
    joint = plan.mechanism.joints[branch.joint]
    motions = _elementary(JOINT_TYPES[joint.type].motions)
    if any(motion not in _WALKED for motion, _ in motions):
        raise DerivationError(
            tr(
                "Joint {joint} has no closed form ({type}). Replace it by another joint, or use "
                "the numbers of a run.",
                joint=joint.name,
                type=tr(JOINT_TYPES[joint.type].label).lower(),
            )
        )
    steps, component = [], 0
    for motion, axis in motions:
        steps.append((component, motion, axis))
        component += motion not in (ROD, QUARTER)
    sign = -1 if branch.reversed else 1
    for component, motion, axis in reversed(steps) if branch.reversed else steps:
        variable: Form = ((first + component, 1),)
        if motion == QUARTER:
            cursor = cursor.quarter(axis, sign)
            continue
        if motion == TRACK:
            cursor = tracked(plan, cursor, joint, variable, sign)
            plan.joint_forms[joint.id, component] = variable
            continue
        if motion == ROD:
            rod = [ZERO] * 3
            rod[axis] = plan.joint_length(joint).scaled(sign)
            cursor = cursor.shifted(tuple(rod))  # type: ignore[arg-type]
            plan.rods[joint.id] = cursor.legs[-1]  # type: ignore[assignment]
            continue
        if motion == SLIDE:
            cursor = cursor.slid(axis, plus((), variable, sign))
            plan.joint_forms[joint.id, component] = variable
            continue
        if motion == HELIX:
            drawn = [ZERO] * 3
            drawn[axis] = plan.thread_constant(joint).scaled(sign)
            cursor = cursor.shifted(tuple(drawn))  # type: ignore[arg-type]
            cursor = cursor.slid(axis, plus((), variable, sign), plan.lead(joint))
        if motion == LIFT and branch.reversed:
            cursor = lifted(plan, cursor, joint, variable, sign)
        cursor, j, side = plan.layout.run(cursor, axis)
        fixed = tuple((v, c) for v, c in cursor.form if v < 0)
        # the angle of a link in its plane replaces the sum of the joint angles on the way to it
        form = plus(fixed, variable, side) if links else plus(cursor.form, variable, sign * side)
        plan.joint_forms[joint.id, component] = plus((), plus(form, cursor.form, -1), sign * side)
        cursor = plan.layout.rotated_to(cursor, j, form)
        if motion == LIFT and not branch.reversed:
            cursor = lifted(plan, cursor, joint, variable, sign)
    return cursor


def lifted(plan: Plan, cursor: Cursor, joint: Joint, angle: Form, sign: int) -> Cursor:
    """The cursor moved along its y by the lift of a joint's curve, a function of the angle of its
    flat face.
    """
    if joint.curve is None:
        raise DerivationError(tr("Joint {joint} has no curve. Draw one.", joint=joint.name))
    meaning = tr("lift of the curve of joint {joint}, over the angle of the face", joint=joint.name)
    place = len(plan.functions)
    plan.functions.append(Opaque("h", joint.name, angle, meaning, "curve", joint.id, Y))
    return cursor.tracked((None, place, None), angle, sign)


def tracked(plan: Plan, cursor: Cursor, joint: Joint, variable: Form, sign: int) -> Cursor:
    """The cursor moved along a joint's curve, whose components are functions of the way; those that
    never change are plain lengths.
    """
    if JOINT_TYPES[joint.type].track:
        return _on_ellipse(plan, cursor, joint, variable, sign)
    if joint.curve is None:
        raise DerivationError(tr("Joint {joint} has no curve. Draw one.", joint=joint.name))
    places: list[int | None] = []
    fixed = []
    for k, axis in enumerate("xyz"):
        along = [p[k].value for p in joint.curve.points]
        flat = max(along) - min(along) <= NEGLIGIBLE * plan.symbols.size
        meaning = tr("{axis} of the curve of joint {joint}", axis=axis, joint=joint.name)
        fixed.append(
            plan.symbols.named("c", joint.name, axis, sign * along[0], "length", meaning, joint.id)
            if flat
            else ZERO
        )
        places.append(None if flat else len(plan.functions))
        if not flat:
            plan.functions.append(
                Opaque(
                    axis.upper(),
                    joint.name,
                    variable,
                    tr("{meaning}, over the way", meaning=meaning),
                    "curve",
                    joint.id,
                    k,
                )
            )
    _find_curvature(plan, joint, places, variable)
    shifted = cursor.shifted(tuple(fixed))  # type: ignore[arg-type]
    return shifted.tracked(tuple(places), variable, sign)  # type: ignore[arg-type]


def _on_ellipse(plan: Plan, cursor: Cursor, joint: Joint, variable: Form, sign: int) -> Cursor:
    """The cursor moved along a joint's ellipse: x = a cos, y = b sin of its eccentric angle."""
    places = []
    for p, axis, cosine in zip(JOINT_TYPES[joint.type].parameters, "XY", (True, False)):
        meaning = tr("{what} of joint {joint}", what=tr(p.label).lower(), joint=joint.name)
        arm = plan.symbols.read(
            joint.parameters[p.name], p.letter, joint.name, "", "length", meaning, joint.id
        )
        places.append(len(plan.functions))
        plan.waves[len(plan.functions)] = Wave(arm, variable, cosine)
        plan.functions.append(Opaque(axis, joint.name, variable, meaning, "curve", joint.id))
    plan.ellipses.append((places[0], places[1]))
    return cursor.tracked((places[0], places[1], None), variable, sign)


def _find_curvature(plan: Plan, joint: Joint, places: Sequence[int | None], variable: Form) -> None:
    """Note the curvature of a joint's curve, where it is exact over its arc length and lies square
    to an axis of its frame: constant of a circle, none of a line, else a function of the way.
    """
    curve = joint.curve
    assert curve is not None
    numbers = curve_numbers(curve)
    if curve_problem(*numbers):
        return
    pieces = exact_pieces(*numbers)
    known = [i for i in places if i is not None]
    if len(known) == 1 and len(pieces) == 1:
        plan.lines.append((known[0], 1 if pieces[0].first[places.index(known[0])] > 0.0 else -1))
    if len(known) != 2 or not pieces:
        return
    flat = places.index(None)
    i, j = places[(flat + 1) % 3], places[(flat + 2) % 3]
    assert i is not None
    assert j is not None
    if not any(p.curvature for p in pieces):
        plan.circles.append((i, j, None))
    elif len(pieces) == 1 and curve.closed:
        (piece,) = pieces
        meaning = tr("curvature of the circle of joint {joint}", joint=joint.name)
        curvature = plan.symbols.named(
            "kappa", joint.name, "", piece.curvature, "curvature", meaning, joint.id
        )
        turns = cross(piece.first, piece.second)[flat] > 0.0
        plan.circles.append((i, j, curvature) if turns else (j, i, curvature))
    else:
        plan.circles.append((i, j, len(plan.functions)))
        meaning = tr("curvature of the curve of joint {joint}, over the way", joint=joint.name)
        plan.functions.append(
            Opaque("kappa", joint.name, variable, meaning, "curve", joint.id, CURVATURE + flat)
        )


def _attach_free(plan: Plan, branch: Branch) -> None:
    """Six coordinates from W to the body frame."""
    first = next(k for k, c in enumerate(plan.coordinates) if c.body == branch.body and not c.joint)
    cursor = Cursor()
    for k, (_, motion, axis) in enumerate(_FREE):
        variable: Form = ((first + k, 1),)
        cursor = (
            cursor.slid(axis, variable)
            if motion == SLIDE
            else plan.layout.rotated(cursor, axis, variable)
        )
    plan.references[branch.body] = NOWHERE
    plan.cursors[branch.body] = cursor
