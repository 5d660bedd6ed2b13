"""Structure and mobility of a drawing by the rank of its loops' closure equations, and everything
of interest (THEORY 4).

With n joint coordinates (six more for every component that does not hang on ground), n_s = 6 L
closure equations and rows of couplings and rolling, and their rank q: mobility d = n - q,
hyperstaticity h = n_s - q.  Both take the largest rank of the drawn pose and a generic one.  Drives
are released; how many of them are independent is counted apart.
"""

from collections.abc import Callable
from typing import NamedTuple

import msgspec
import numpy as np

from mechstudio.engine.checks.approximations import approximations
from mechstudio.engine.checks.elements import check_elements, check_forces, named
from mechstudio.engine.checks.layers import layer_findings
from mechstudio.engine.checks.masses import impossible, motions_without_inertia, resists_everything
from mechstudio.engine.constraints.attitude import drawn_poses
from mechstudio.engine.constraints.graph import Graph, graph
from mechstudio.engine.constraints.joint_coordinates import coordinates_by_joint, joint_coordinates
from mechstudio.engine.constraints.ranks import rank
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.constraints.screws import LoopEquations, body_motions, decompose
from mechstudio.engine.errors import EngineError
from mechstudio.engine.manifold.assembly import (
    Assembled,
    assemble,
    generic_pose,
    joint_errors,
    travel,
)
from mechstudio.engine.manifold.diagnosis import best_try, endless
from mechstudio.engine.manifold.follower import Follower
from mechstudio.engine.structure import freedoms, redundancy
from mechstudio.engine.structure.conservation import conserved
from mechstudio.engine.structure.drive_freedoms import driven, driving_findings
from mechstudio.engine.structure.second_order import shaking_motions
from mechstudio.engine.structure.velocity_conflicts import velocity_findings
from mechstudio.model.contact import is_solid
from mechstudio.model.findings import Finding, Severity, listed
from mechstudio.model.joints.touching import kept_apart
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Body, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import values
from mechstudio.model.results.analysis import Analysis, Redundancy, Structure
from mechstudio.model.results.assembly import CURE, reported
from mechstudio.model.tree import equation_tree
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr, trn

Rows = tuple[tuple[float, ...], ...]
ATTEMPTS = 4  # generic poses that are tried until two have the same rank
SHAKES_ONLY = 1e-3  # radians or parts of size below which a generic pose counts as the drawn one
VISIBLE = 1e-4  # parts of size by which assembling may move a body without a word
# square roots of the gap of a pose, in sizes, up to which a singular value may come from that
BENT = 20.0
STANDING = 1e-6  # speed of a body in the free motions below which it stands

NOTHING_DRAWN = Structure(0, 0, 0, 0, 0, 0, 0, "open", 0, 0, 0, 0, 0)


class Mobility(msgspec.Struct, frozen=True):
    """Ranks and null spaces of one mechanism at an assembled pose.

    equations: at the pose that the null spaces belong to, the drawn one unless that is singular.
    poses (n, 7) there. motions (n, d): joint freedoms of the free motions, orthonormal.  left_null
    (n_s, h). rank, drawn_rank: q at a generic and at the drawn pose.  shaking: how many of the
    motions at the drawn pose lead nowhere. drawn, drawn_motions: equations and free motions at the
    drawn pose.
    """

    graph: Graph
    equations: LoopEquations
    poses: np.ndarray
    motions: np.ndarray
    left_null: np.ndarray
    rank: int
    drawn_rank: int
    shaking: int
    drawn: LoopEquations
    drawn_motions: np.ndarray


def analyse(project: Project, closed: Callable[[Rows], object] = lambda poses: None) -> Analysis:
    """Everything that is known of a drawing without running it.  Never raises: what is wrong with
    it is among the findings.

    closed(poses): called at once with the closed poses of a drawing that is open as drawn, as
    Analysis.poses.
    """
    found = _examined(project, closed)
    if isinstance(found, Analysis):
        return found
    mechanism, rows = project.mechanism, found.rows
    assembled, mobility = found.assembled, found.mobility
    row = joint_coordinates(mechanism, assembled.poses[None], rows=rows)[0]
    # what a broken force does is unknown, and no run would start
    kept = () if any(f.severity == "error" for f in found.findings) else conserved(mechanism)
    return Analysis(
        found.structure,
        found.findings,
        found.poses,
        coordinates_by_joint(mechanism, row),
        assembled.gap_before,
        assembled.moved,
        freedoms.freedoms(mechanism, mobility.drawn, mobility.drawn_motions, assembled.poses, rows),
        found.excess,
        kept,
        _worst(mechanism, rows) if assembled.moved >= VISIBLE * rows.size else "",
    )


def refuse(project: Project) -> None:
    """Raise EngineError with the first error of a drawing, which no run and no analysis could use.
    What else is known of the drawing is not worked out for that.
    """
    for finding in _examined(project, lambda poses: None).findings:
        if finding.severity == "error":
            raise EngineError(finding)


class _Examined(NamedTuple):
    """Findings of a closed drawing, and the parts of its Analysis that they follow from."""

    findings: tuple[Finding, ...]
    rows: JointRows
    assembled: Assembled
    poses: Rows
    mobility: Mobility
    structure: Structure
    excess: tuple[Redundancy, ...]


def _examined(project: Project, closed: Callable[[Rows], object]) -> Analysis | _Examined:
    """Findings of a drawing with all that they follow from; the whole answer of analyse where there
    is nothing, or nothing closed, to measure.
    """
    mechanism = project.mechanism
    if not (mechanism.bodies or mechanism.joints or mechanism.forces):
        return Analysis(
            NOTHING_DRAWN,
            (
                Finding(
                    "info", "", tr("Nothing is drawn yet."), tr("Draw a link, or open a sample.")
                ),
            ),
        )
    findings = check_elements(mechanism)
    if findings:
        return Analysis(None, tuple(findings))
    findings = check_forces(mechanism)
    if not mechanism.bodies:
        return Analysis(
            NOTHING_DRAWN,
            (
                Finding("info", "", tr("There is no moving body yet."), tr("Draw a link.")),
                *findings,
            ),
        )
    rows = JointRows(mechanism)
    assembled = assemble(mechanism, rows)
    displaced = assembled.moved
    if not assembled.converged:
        return Analysis(
            None,
            (_not_closed(mechanism, rows, assembled), *findings),
            gap=assembled.gap_before,
            moved=displaced,
            open=_worst(mechanism, rows),
        )
    poses: Rows = tuple(tuple(map(float, p)) for p in assembled.poses)
    if displaced:
        closed(poses)
    mobility = measure(mechanism, rows, assembled.poses)
    structure = _structure(mechanism, mobility)
    excess = redundancy.redundancies(mechanism, mobility.equations, mobility.left_null)
    findings = [
        *_mass_findings(mechanism, mobility, rows.size),
        *findings,
        *_freedom_findings(mechanism, mobility, structure),
        *velocity_findings(
            mechanism, rows, assembled.poses, mobility.drawn, mobility.drawn_motions
        ),
        *driving_findings(mechanism, mobility.equations, mobility.motions, structure.mobility),
        *(redundancy.finding(mechanism, r, k) for k, r in enumerate(excess)),
        *approximations(mechanism),
        *layer_findings(mechanism),
    ]
    return _Examined(tuple(findings), rows, assembled, poses, mobility, structure, excess)


def measure(mechanism: Mechanism, rows: JointRows, poses: np.ndarray) -> Mobility:
    """Ranks and null spaces at closed poses (n, 7), compared with a generic pose."""
    # the loops are closed by the joints that close them in the equations
    closing = set(equation_tree(mechanism).closing)
    net = graph(
        1 + rows.body_count,
        rows.body_a,
        rows.body_b,
        {k for k, id in enumerate(mechanism.joints) if id in closing},
    )
    drawn = LoopEquations(mechanism, rows, net, poses)
    drawn_rank, left_null, motions = decompose(drawn.matrix)
    out = Mobility(net, drawn, poses, motions, left_null, drawn_rank, drawn_rank, 0, drawn, motions)
    # without loops or without redundancy no other pose can have a larger rank; without motion there
    # is no other pose
    if left_null.shape[1] == 0 or motions.shape[1] == 0:
        return out
    follower = Follower(mechanism, rows, net, poses) if mechanism.couplings else None
    # couplings and rolling take motions away of which the joints know nothing
    shaking = 0 if follower or drawn.rolling else shaking_motions(rows, poses)
    shakes_only, other, before = True, poses, -1
    for attempt in range(ATTEMPTS):
        # from a singular pose one attempt may free some loops only: the next one starts where it
        # ended
        other = (
            follower.generic(other, attempt)
            if follower
            else generic_pose(mechanism, other, rows, attempt)
        )
        if travel(rows, poses, other) < SHAKES_ONLY:
            continue
        shakes_only = False
        generic = LoopEquations(mechanism, rows, net, other)
        found, left_null, motions = decompose(generic.matrix)
        if (
            shaking
            and found > drawn_rank
            and _is_bent(generic, found, float(joint_errors(rows, other).max()) / rows.size)
        ):
            found = drawn_rank
        if found > out.rank:
            out = msgspec.structs.replace(
                out,
                equations=generic,
                poses=other,
                motions=motions,
                left_null=left_null,
                rank=found,
            )
        if found in (before, drawn_rank):
            break
        before = found
    return msgspec.structs.replace(
        out, shaking=out.drawn_motions.shape[1] if shakes_only else shaking
    )


def _is_bent(equations: LoopEquations, rank: int, residual: float) -> bool:
    """True if a rank comes from the gap that closing has left, in sizes. Along a motion that only
    shakes, the pose is off by the square root of it.
    """
    values = np.linalg.svd(equations.matrix, compute_uv=False)
    return bool(values[rank - 1] < BENT * np.sqrt(residual) * values[0])


def _structure(mechanism: Mechanism, mobility: Mobility) -> Structure:
    """The numbers of THEORY 4."""
    net, equations = mobility.graph, mobility.equations
    joints = list(mechanism.joints.values())
    prevented = sum(6 - JOINT_TYPES[j.type].dof for j in joints)
    floating = len(net.roots) - 1
    coordinates = equations.count + 6 * floating
    d, h = coordinates - mobility.rank, len(equations.matrix) - mobility.rank
    configuration = (
        coordinates - rank(equations.holonomic)
        if equations.rolling
        else min(d, coordinates - mobility.drawn_rank - mobility.shaking)
    )
    return Structure(
        bodies=len(mechanism.bodies),
        joints=len(joints),
        mobility=d,
        mobility_drawn=coordinates - mobility.drawn_rank,
        configuration_freedom=configuration,
        hyperstaticity=h,
        loops=len(net.loops),
        structure=net.kind,
        count=d - h,
        coordinates=coordinates,
        closure_equations=len(equations.matrix),
        closure_rank=mobility.rank,
        reaction_unknowns=prevented + equations.coupling + equations.rolling,
        closing_joints=tuple(joints[loop.closing].id for loop in net.loops),
        loop_joints=tuple(tuple(joints[j].id for j, _ in loop.members) for loop in net.loops),
        coupling_rows=equations.coupling,
        rolling_rows=equations.rolling,
        drives=sum(d.enabled for d in mechanism.drives.values()),
        driven=len(driven(mechanism, equations, mobility.motions)[0]),
        floating=floating,
        freedoms_prevented=prevented,
    )


def _not_closed(mechanism: Mechanism, rows: JointRows, assembled: Assembled) -> Finding:
    """The error of a drawing that cannot be closed: how far its two worst joints stay apart."""
    if not np.isfinite(assembled.errors).all():
        return endless()
    closing = best_try(mechanism, rows, assembled)
    amounts = tuple(
        amount
        for gap in closing.gaps
        for amount in ((gap.distance, "length", 3), (gap.tilt, "angle", 3))
    )
    return Finding(
        "error",
        closing.gaps[0].joint,
        reported(closing, mechanism),
        tr(CURE),
        action="assemble",
        amounts=amounts,
    )


def _worst(mechanism: Mechanism, rows: JointRows) -> str:
    """The joint that stands open farthest as drawn."""
    return (
        list(mechanism.joints)[int(np.argmax(joint_errors(rows, drawn_poses(mechanism))))]
        if mechanism.joints
        else ""
    )


def _mass_findings(mechanism: Mechanism, mobility: Mobility, size: float) -> list[Finding]:
    """Errors of bodies that can move and whose mass or inertia does not allow it."""
    bodies = list(mechanism.bodies.values())
    properties = [mass_properties(b) for b in bodies]
    wrong = [impossible(b, p) for b, p in zip(bodies, properties, strict=True)]
    # the motions are only needed if there is something to say
    if not any(wrong) and all(map(resists_everything, properties)):
        return []
    origin = mobility.poses[:, :3].mean(axis=0)
    floating = 6 * (len(mobility.graph.roots) - 1)
    free = np.zeros((mobility.equations.count + floating, mobility.motions.shape[1] + floating))
    free[: mobility.equations.count, : mobility.motions.shape[1]] = mobility.motions
    free[mobility.equations.count :, mobility.motions.shape[1] :] = np.eye(floating)
    motions = (body_motions(mobility.equations, origin, size) @ free)[1:]
    out = [
        w
        for w, motion in zip(wrong, motions, strict=True)
        if w is not None and np.abs(motion).max(initial=0.0) > STANDING
    ]
    if out:
        return out
    return motions_without_inertia(bodies, properties, mobility.poses, motions, origin, size)


def _freedom_findings(
    mechanism: Mechanism, mobility: Mobility, structure: Structure
) -> list[Finding]:
    """Findings about the freedoms of a mechanism: parts without ground, no mobility, a singular
    pose, redundant constraints.
    """
    out = _floating(mechanism, mobility.graph)
    joints = list(mechanism.joints.values())
    if structure.rolls:
        out.append(
            Finding(
                "info",
                "",
                tr(
                    "Rolling without slip allows {mobility} at every instant, while the position "
                    "has {configuration_freedom} freedoms.",
                    mobility=_motions(structure.mobility),
                    configuration_freedom=structure.configuration_freedom,
                ),
                tr(
                    "What rolling prevents at once can often be reached by moving there and back, "
                    "as in parking."
                ),
            )
        )
    if structure.mobility == 0 and structure.mobility_drawn == 0:
        triangles = [loop for loop in mobility.graph.loops if len(loop.members) == 3]
        reason = tr("the joints prevent every motion")
        if triangles:
            reason = tr(
                "a loop of three is rigid ({joint})",
                joint=listed([joints[j].name for j, _ in sorted(triangles[0].members)]),
            )
        out.append(
            Finding(
                "info",
                "",
                tr("Nothing can move: {reason}.", reason=reason),
                tr("Take a joint away, add a link, or choose a joint that leaves more freedom."),
            )
        )
    if mobility.shaking:
        rates = mobility.drawn_motions.shape[1]
        text = (
            tr(
                "The mechanism can only shake: it has {rates} by rates, but none leads away from "
                "the drawn pose.",
                rates=_motions(rates),
            )
            if mobility.shaking == rates
            else trn(
                "Of the {rates} by rates that it has in the drawn pose the mechanism can only "
                "shake along {count}: that leads nowhere.",
                "Of the {rates} by rates that it has in the drawn pose the mechanism can only "
                "shake along {count}: these lead nowhere.",
                mobility.shaking,
                rates=_motions(rates),
            )
        )
        out.append(
            Finding(
                "warning",
                "",
                text,
                tr(
                    "Change a length a little to see whether it locks or comes free; a run ends "
                    "where a load moves it that way."
                ),
            )
        )
    if structure.mobility_drawn != structure.mobility:
        # a typed speed there belongs to no single way of going on: what the projections make of it
        # is not what was meant
        starts = any(j.rates for j in joints) or any(
            b.initial_velocity is not None for b in mechanism.bodies.values()
        )
        out.append(
            Finding(
                "warning" if starts else "info",
                "",
                tr(
                    "The drawn pose is singular: here {mobility_drawn} {are} possible at once, in "
                    "other poses {mobility}.",
                    mobility_drawn=_motions(structure.mobility_drawn),
                    are=_are(structure.mobility_drawn),
                    mobility=structure.mobility,
                ),
                tr(
                    "Turn the mechanism a little before it starts, so that it is clear which way "
                    "it goes on."
                ),
            )
        )
    return out


def _motions(count: int) -> str:
    return trn("one motion", "{count} motions", count)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _floating(mechanism: Mechanism, net: Graph) -> list[Finding]:
    """Parts without a connection to ground, with a warning if they will fall.  Where their contacts
    are off and something is there to hold them, the action is to let bodies touch.
    """
    contacts, falls = mechanism.contacts, any(values(mechanism.gravity))
    severity: Severity = "warning" if falls else "info"
    flies = tr("falls freely") if falls else tr("floats freely")
    parts: list[list[Body]] = [[] for _ in net.roots]
    for body, component in zip(mechanism.bodies.values(), net.component[1:], strict=True):
        parts[component].append(body)
    apart = {frozenset(pair) for pair in kept_apart(mechanism)}
    stands = contacts.floor is not None or is_solid(mechanism.ground)

    def meets(a: Body, b: Body) -> bool:
        held = stands if b.id == GROUND else is_solid(b)
        return held and frozenset((a.id, b.id)) not in apart

    out = []
    for part in parts[1:]:
        # what falls comes to rest on what hangs on ground, what floats may meet any other body
        others = parts[0] if falls else [b for p in parts if p is not part for b in p]
        touches = contacts.enabled and any(is_solid(b) for b in part)
        meeting = [
            a for a in part if a.shapes and any(meets(a, b) for b in (mechanism.ground, *others))
        ]
        if touches and (not falls or any(a.touches for a in meeting)):
            continue
        if len(part) == 1:
            text = tr(
                "{part} is connected to nothing and {flies}.", part=named(part[0]), flies=flies
            )
        else:
            text = tr(
                "{body} hang together, but nothing connects them to ground: the group {flies}.",
                body=listed([named(b) for b in part]),
                flies=flies,
            )
        cure = tr("Connect it with a joint to ground or to another body.")
        if meeting:
            off = (
                tr(
                    "{body} passes through everything: its contacts are off.",
                    body=named(meeting[0]),
                )
                if contacts.enabled
                else tr("It passes through everything: contacts are off.")
            )
            text = f"{text} {off}"
            cure = tr("Let bodies touch, or connect it with a joint to ground or to another body.")
        elif touches:
            cure = tr("Lay a floor under it, or connect it with a joint.")
        element, action = (meeting[0], "let_touch") if meeting else (part[0], "")
        out.append(Finding(severity, element.id, text, cure, action=action))
    return out
