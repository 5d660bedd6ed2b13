"""The reading of a drawing that all methods of derivation share: plan, ring, kinematics, loads and
rows.
"""

from collections.abc import Collection
from typing import cast

from mechstudio.model.mechanism import Coupling, Drive, Joint, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.types import force_laws
from mechstudio.model.types.forces import FORCE_TYPES, JOINT, sticks
from mechstudio.model.types.joints import BALL, JOINT_TYPES
from mechstudio.symbolic.errors import TooLarge
from mechstudio.symbolic.kinematics.coupling_rows import (
    coordinate_rows,
    read_couplings,
    read_drives,
    rolling_rows,
)
from mechstudio.symbolic.kinematics.kinematics import Kinematics, forms_of
from mechstudio.symbolic.kinematics.load_efforts import Reader
from mechstudio.symbolic.kinematics.loads import cursors_of, read_loads
from mechstudio.symbolic.kinematics.loop_joints import (
    coordinates_of_laws,
    read_closures,
    used_coordinates,
)
from mechstudio.symbolic.kinematics.loop_rows import Row, UnwrittenRow, closing_rows
from mechstudio.symbolic.kinematics.measured_rows import measurable, measured_rows
from mechstudio.symbolic.kinematics.method import Setting
from mechstudio.symbolic.plan.followed_masses import notes_of_masses
from mechstudio.symbolic.plan.plan import Plan
from mechstudio.symbolic.plan.planning import make_plan
from mechstudio.symbolic.ring.expression_graph import Graph
from mechstudio.symbolic.ring.polynomials import LONGEST, TERM_LIMIT, TOO_LONG, Curvature, Ring
from mechstudio.translation import comma, tr, trn


def read(
    project: Project,
    coordinates: str = "joint",
    measured: Collection[tuple[str, int]] = (),
    laws: bool = True,
) -> Setting:
    """Read a project.  measured: (joint, component) of angles that are coordinates without mass
    (measured_rows.py).  laws: with room for the coordinates of closing joints that laws of forces
    read; exports hold those without.  Raises DerivationError.
    """
    plan = make_plan(project, coordinates, measured)
    loads = read_loads(plan)
    closures = read_closures(plan, len(loads.spring_index), laws)
    ratios, targets = read_couplings(plan), read_drives(plan)
    cursors = (
        cursors_of(plan, loads)
        + [c for closure in closures for c in closure.cursors]
        + [c for pair in plan.ends.values() for c in pair]
    )
    roots = len(loads.spring_index) + sum(c.roots for c in closures)
    tags = [*plan.mechanism.bodies, *plan.mechanism.forces]
    ring = Ring(
        forms_of(plan, cursors)
        + [
            ((-1 - t.position, 1),)
            for t in targets
            if plan.symbols.all[t.position].dimension == "angle"
        ]
        + [plan.joint_forms[x] for x in sorted(measured)],
        roots + len(plan.ellipses),
        len(plan.coordinates),
        len(plan.symbols.all),
        tags,
        [f.argument for f in plan.functions],
    )
    for circle in plan.circles:
        ring.set_circle(*circle)
    for line in plan.lines:
        ring.set_line(*line)
    for i, w in plan.waves.items():
        ring.set_wave(i, w.arm, w.form, w.cosine)
    for k, (i, j) in enumerate(plan.ellipses):
        ring.set_length(roots + k, ring.f[i][1] ** 2 + ring.f[j][1] ** 2)
        ring.metrics[i] = roots + k
    kinematics = Kinematics(plan, ring)
    reader = Reader(plan, loads, closures, ring, kinematics)
    graph = cast("Ring", Graph(ring))
    rows: list[Row]
    drawn = lambda of, by: (
        closing_rows(plan, of, by, closures)
        + measured_rows(plan, of, by, closures)
        + rolling_rows(plan, of, by, closures)
        + coordinate_rows(plan, of, by, closures, ratios, targets)
    )
    try:
        with ring.bounded():
            efforts = reader.read()
            try:
                rows = drawn(ring, kinematics)
                if (
                    sum(len(p) for r in rows for p in (r.value, r.gamma, *r.jacobian))
                    > LONGEST * TERM_LIMIT
                ):
                    raise TooLarge(tr(TOO_LONG))
            except TooLarge:
                # roots and functions of angles stand by their closed forms alone
                if any(c.roots or c.turns for c in closures) or any(
                    not argument for argument in ring.functions
                ):
                    raise
                rows = [
                    UnwrittenRow(r.joint, r.label) for r in drawn(graph, Kinematics(plan, graph))
                ]
    except TooLarge as error:
        if str(error) != tr(TOO_LONG):
            raise
        needed = measurable(closures, used_coordinates(plan, laws=laws)) | set(measured)
        if needed > set(measured):
            return read(project, coordinates, needed, laws)
        if laws and coordinates_of_laws(plan.mechanism):
            return read(project, coordinates, laws=False)
        raise TooLarge(
            tr(
                "What closes loops or acts between bodies has a closed form that is longer than "
                "anybody reads. Derive a part of the mechanism, or use the numbers of a run."
            )
        ) from error
    return Setting(
        plan,
        loads,
        ring,
        kinematics,
        efforts,
        rows,
        ring.amounts(loads.gravity),
        closures,
        ratios,
        (
            *(c.joint.id for c in closures for _ in range(c.roots)),
            *(plan.functions[i].source for i, _ in plan.ellipses),
        ),
        conventions(plan) + reader.notes,
        targets,
    )


def _plane_curve(plan: Plan, i: int, j: int, curvature: Curvature) -> str:
    """Note of a plane curve over its arc length."""
    x, y = sorted((plan.functions[i].letter, plan.functions[j].letter))
    joint = plan.functions[i].owner
    if curvature is None:
        return tr(
            "The line of joint {joint} runs over its length: {x}'² + {y}'² = 1, both slopes "
            "constant.",
            joint=joint,
            x=x,
            y=y,
        )
    return tr(
        "The curve of joint {joint} runs over its arc length: {x}'² + {y}'² = 1, and its tangent "
        "turns with the curvature κ.",
        joint=joint,
        x=x,
        y=y,
    )


def conventions(plan: Plan) -> list[str]:
    """Conventions that a reader must know beside the formulas."""
    notes = []
    joints = plan.mechanism.joints
    balls = [
        joints[c.joint].name
        for c in plan.coordinates
        if c.joint and c.letter == "psi" and BALL in dict(JOINT_TYPES[joints[c.joint].type].motions)
    ]
    for id in (id for id, joint in joints.items() if JOINT_TYPES[joint.type].rolling):
        notes.append(
            tr(
                "Joint {joint} does not slip: its rows are velocities, with no position behind "
                "them.",
                joint=joints[id].name,
            )
        )
        if JOINT_TYPES[joints[id].type].dof == 5 and id in plan.tree.joints:
            notes.append(
                tr(
                    "The disc at joint {joint} stands by Rz(ψ) Rx(θ) Rz(φ), upright at θ = 90°. "
                    "Lying flat (θ = 0) ψ and φ turn about the same axis.",
                    joint=joints[id].name,
                )
            )
    for i, j, curvature in plan.circles:
        notes.append(_plane_curve(plan, i, j, curvature))
    free = [c.owner for c in plan.coordinates if not c.joint and c.letter == "psi"]
    for name, what in [(n, "joint") for n in balls] + [(n, "body") for n in free]:
        notes.append(
            tr(
                "The attitude at {what} {name} is Rz(ψ) Ry(θ) Rx(φ). At θ = ±90° ψ and φ turn "
                "about the same axis: M is singular there, the mechanism is not (the simulation "
                "uses quaternions).",
                what=what,
                name=name,
            )
        )
    mechanism = plan.mechanism
    for force in mechanism.forces.values():
        if force.laws:
            notes.append(
                tr(
                    "{force} follows a law: its symbol stands for the value at the instant.",
                    force=force.name,
                )
            )
        if sticks(force):
            notes.append(
                tr(
                    "{force} sticks and slides in a run; as a formula it is smoothed below a "
                    "small speed, and at rest it holds with what is required of it up to its "
                    "level.",
                    force=force.name,
                )
            )
    motors = [
        f.name
        for f in mechanism.forces.values()
        if (kind := FORCE_TYPES[f.type]).attachment == JOINT
        and kind.law is force_laws.constant
        and not f.laws
    ]
    if motors:
        notes.append(
            trn(
                "What {motors} gives stands in τ by its symbol, with the drawing's number among "
                "the parameters.",
                "What {motors} give stands in τ by its symbol, with the drawing's number among "
                "the parameters.",
                len(motors),
                motors=comma().join(motors),
            )
        )
    notes += notes_of_masses(plan.symbols)
    if any(d.enabled for d in mechanism.drives.values()):
        notes.append(
            tr(
                "A drive is a row of C; x_d and a_d stand for what its law prescribes at the "
                "instant."
            )
        )
    stopped = [
        j.name
        for j in mechanism.joints.values()
        if any(limit.lower or limit.upper for limit in j.limits)
    ]
    if stopped:
        notes.append(
            tr(
                "The stops of {stopped} are not in the equations: these hold between the stops.",
                stopped=comma().join(stopped),
            )
        )
    if mechanism.contacts.enabled:
        notes.append(
            tr(
                "Contacts are not in the equations: these hold while nothing touches; the chapter "
                "of contacts has theirs."
            )
        )
    plane = {plan.functions[i].source for i, _, _ in plan.circles}
    plane |= {plan.functions[i].source for i in plan.waves}
    faces = {id for id, joint in mechanism.joints.items() if JOINT_TYPES[joint.type].has_face}
    for function in plan.functions:
        if function.component == 0 and function.kind == "curve" and function.source not in plane:
            notes.append(
                tr(
                    "The curve of joint {owner} stands by its components over the way along it, "
                    "whose derivatives are a unit vector.",
                    owner=function.owner,
                )
            )
        elif function.kind == "curve" and function.source in faces:
            notes.append(
                tr(
                    "The lift of the cam at joint {owner} stands by its letter, with primes for "
                    "its derivatives by the angle of the face.",
                    owner=function.owner,
                )
            )
        elif function.kind == "law":
            notes.append(
                tr(
                    "The law of {owner} stands by its letter, with primes for its derivatives by "
                    "the angle.",
                    owner=function.owner,
                )
            )
    for id in plan.tree.closing:
        name = plan.mechanism.joints[id].name
        measures = [
            c.meaning
            for c in plan.coordinates
            if c.joint == id and (c.component or not JOINT_TYPES[joints[id].type].has_track)
        ]
        if measures:
            notes.append(
                tr(
                    "Joint {name} closes a loop. Coordinates without mass, each tied by a row of "
                    "its own, measure: {measures}.",
                    name=name,
                    measures=comma().join(measures),
                )
            )
        if id in faces:
            notes.append(
                tr(
                    "Joint {name} closes a loop: it is three rows of C, and the angle of its face "
                    "is a coordinate without mass.",
                    name=name,
                )
            )
        elif JOINT_TYPES[joints[id].type].has_track and (id, 0) in plan.joint_forms:
            notes.append(
                tr(
                    "Joint {name} closes a loop: it is three rows of C, and the way along its "
                    "curve is a coordinate without mass. Its row of the equations says that "
                    "nothing is pushed along the curve but by what acts on the way.",
                    name=name,
                )
            )
        elif not measures:
            notes.append(
                tr(
                    "Joint {name} closes a loop: it is the rows of C and has no coordinate in q.",
                    name=name,
                )
            )
    return notes


def holder(mechanism: Mechanism, id: str) -> Joint | Coupling | Drive:
    """The element that a row belongs to."""
    return next(
        section[id]
        for section in (mechanism.joints, mechanism.couplings, mechanism.drives)
        if id in section
    )
