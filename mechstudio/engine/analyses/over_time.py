"""Analyses of a motion, instant by instant: torsors, virtual power, momenta, energy, relative
motion, kinematics, errors of joints.

All read the same instants (engine/dynamics/instant.py), and each checks itself by an independent
equation.
"""

from collections.abc import Callable, Sequence

import numpy as np

from mechstudio.engine.analyses.differences import disagreement, nearby
from mechstudio.engine.analyses.loads.joint_loads import BODY, WORLD
from mechstudio.engine.analyses.table import TIME, Table
from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.dynamics.instant import CONTACTS, Instant, transferred
from mechstudio.engine.dynamics.partition import coordinate_names
from mechstudio.engine.structure.conservation import conserved
from mechstudio.engine.system.initial_velocities import body_jacobians
from mechstudio.engine.system.system import System
from mechstudio.model.mechanism import GROUND, Frame, Mechanism
from mechstudio.model.results.analysed_channels import change_of, momentum_dimension
from mechstudio.model.results.constant_course import course
from mechstudio.model.results.sample import (
    DRIVE_WORK,
    FRICTION_WORK,
    GAP,
    IMPACT_WORK,
    LOAD_WORK,
    SampleLayout,
)
from mechstudio.translation import Words, tr

BY_DIFFERENCES: Words = (
    "Checked against differences of the places of the bodies, which are good to about seven digits."
)
MOVING: Words = (
    "The point moves: N is about its place at each instant, and N' is the outer moment about it "
    "less v × p, with the velocity v of the point."
)
# at an instant, the number of the body with which a point moves and the point's place in W (3,)
About = Callable[[Instant], tuple[int, np.ndarray]]
COMOMENTS = 8  # bodies with whose kinematic torsors comoments are taken


def torsors(
    now: Instant, bodies: Sequence[str], point: np.ndarray | None = None, axes: str = WORLD
) -> Table:
    """Kinematic, kinetic, dynamic and action torsors of bodies at a place of W (None: at each
    centre of mass).

    axes: BODY for components along those of each body, else along W's.

    The action torsor is that of all external actions on the body, joints included; residual:
    largest difference between dynamic and action, relative.  The last columns are the comoments of
    each torsor with the kinematic torsors of the bodies, the same at every point: with its own one
    of the kinetic torsor twice the kinetic energy, of the action the power.
    """
    m = now.mechanism
    index = {id: k for k, id in enumerate((GROUND, *m.bodies))}
    beside = list(bodies)[:COMOMENTS]
    columns = [
        (name, "number")
        for name in (
            "Rx",
            "Ry",
            "Rz",
            "Mx",
            "My",
            "Mz",
            *(f"• V {m.body(id).name}" for id in beside),
        )
    ]
    rows, labels, worst = [], [], 0.0
    for id in bodies:
        b = index[id]
        R = now.at.R[b] if axes == BODY else np.eye(3)
        P = now.centers[b] if point is None else np.asarray(point, float)
        action = total_action(now, b, P)
        dynamic = now.dynamic(b, P)
        worst = max(
            worst, now.strength(transferred(action - dynamic, P, now.centers[b])) / now.largest
        )
        fields = [
            np.concatenate((now.velocity_at(index[other], P), now.at.twists[index[other], 3:]))
            for other in beside
        ]
        for word, torsor in (
            ("kinematic {ω; v}", np.concatenate((now.at.twists[b, 3:], now.velocity_at(b, P)))),
            ("kinetic {p; σ}", now.kinetic(b, P)),
            ("dynamic {m a; δ}", dynamic),
            ("action {F; M}", action),
        ):
            labels.append(f"{m.body(id).name} {word}")
            rows.append(
                np.concatenate(
                    (R.T @ torsor[:3], R.T @ torsor[3:], [torsor @ field for field in fields])
                )
            )
    notes = [
        tr(
            "Resultant and moment in {word}; rad/s and m/s, kg m/s and kg m²/s, N and N m.",
            word=tr("axes of the body") if axes == BODY else "W",
        ),
        tr("At another point: M(B) = M(A) + R × AB."),
        tr(
            "• V is the comoment R · v + M · ω with the kinematic torsor of a body: of its own "
            "kinetic torsor 2 T [J], of its dynamic torsor and its actions the power [W]."
        ),
    ]
    if len(bodies) > COMOMENTS:
        notes.append(
            tr(
                "Comoments are shown with {comoments} bodies; select others to see theirs.",
                comoments=COMOMENTS,
            )
        )
    return Table("torsors", columns, np.array(rows), labels, worst, tuple(notes))


def total_action(now: Instant, body: int, point: np.ndarray) -> np.ndarray:
    """The wrench of all loads, joints, drives and couplings on a body, at a place of W."""
    total = sum((now.wrench_of(a, body, point) for a in now.loads), np.zeros(6))
    for value, row in zip(now.multipliers, now.row_wrenches):
        if body in row:
            total = total + value * transferred(row[body], now.at.origins[body], point)
    return total


def power(now: Instant, y: np.ndarray) -> Table:
    """The balance of virtual power for every velocity q'_i of the spanning tree, per solid and per
    load [N or N m, per unit of q'_i].

    Per q_i: dynamic torsor times partial velocity torsor of every solid, and the energetic
    coefficient of every load; `joints` is the contribution of loop-closing joints, couplings and
    drives.  The last row is the balance for the real motion, not divided [W].  residual: largest
    imbalance, relative.
    """
    system, m = now.system, now.mechanism
    J = body_jacobians(y, system.tables)
    nv = J.shape[2]
    names = [
        "gravity",
        *(f.name for f in m.forces.values()),
        *(
            "contacts" if a.id == CONTACTS else f"stop of {m.joints[a.id].name}"
            for a in now.loads[1 + len(m.forces) :]
        ),
    ]
    columns = (
        [(f"D {b.name}", "number") for b in m.bodies.values()]
        + [(n, "number") for n in names]
        + [("joints", "number"), ("residual", "number")]
    )
    rows = np.zeros((nv + 1, len(columns)))
    n = len(m.bodies)
    # the real field last: sums of the columns weighed by the velocities
    fields = (
        np.concatenate((J, now.at.twists[1:, :, None]), axis=2) if n else np.zeros((0, 6, nv + 1))
    )
    for b in range(1, n + 1):
        rows[:, b - 1] = now.dynamic(b, now.at.origins[b]) @ fields[b - 1]
        for k, action in enumerate(now.loads):
            if b in action.wrenches:
                rows[:, n + k] += action.wrenches[b] @ fields[b - 1]
        rows[:, -2] += (
            sum(
                (
                    value * row[b]
                    for value, row in zip(now.multipliers, now.row_wrenches)
                    if b in row
                ),
                np.zeros(6),
            )
            @ fields[b - 1]
        )
    rows[:, -1] = rows[:, :n].sum(axis=1) - rows[:, n:-1].sum(axis=1)
    # scale: the power of the largest load, since a unit rate of a coordinate moves bodies by about
    # its unit
    real = float(np.abs(y[system.where.nq : system.where.nq + nv] * system.units).max(initial=0.0))
    reach = now.largest * np.concatenate((system.units, [max(real, 1e-12 * system.size)]))
    return Table(
        "power",
        columns,
        rows,
        [*coordinate_names(system), "real motion"],
        float((np.abs(rows[:, -1]) / reach).max(initial=0.0)),
        (
            tr(
                "Per velocity q': the dynamic quantities of the solids equal the sum of the "
                "energetic coefficients of the loads and of the joints."
            ),
        ),
    )


def momenta(instants: Sequence[Instant], about: About | None = None) -> Table:
    """Momentum [kg m/s] and angular momentum about a point [kg m^2/s] of all bodies together, with
    their rates.  about: see About; None: the origin of W.

    The angular momentum is that of the velocities in W about the place P where the point is at the
    instant; its rate is the outer moment about P less v(P) × p.  residual: largest difference
    between the rate and the action of gravity, forces and ground, relative.
    """
    columns = [TIME] + [
        (f"{p}{a}", d)
        for p, d in (
            ("p", "momentum"),
            ("N", "angular_momentum"),
            ("p'", "force"),
            ("N'", "torque"),
        )
        for a in "xyz"
    ]
    rows, residual = _momenta(instants, about)
    moves = False
    for row, now in zip(rows, instants):
        if about is not None:
            v = now.velocity_at(*about(now))
            row[10:13] -= cross(v, row[1:4])
            moves |= bool(v.any())
    notes = (tr(MOVING),) if moves else ()
    return Table("momenta", columns, rows, residual=residual, notes=notes)


def _momenta(instants: Sequence[Instant], about: About | None) -> tuple[np.ndarray, float]:
    """Time, kinetic and dynamic torsor of all bodies together (s, 13) about a point, and how far
    the dynamic torsor is from the action of gravity, forces and ground, relative.
    """
    rows, worst = np.zeros((len(instants), 13)), 0.0
    for r, now in enumerate(instants):
        P = np.zeros(3) if about is None else about(now)[1]
        bodies = range(1, len(now.masses))
        kinetic, dynamic = (
            sum((f(b, P) for b in bodies), np.zeros(6)) for f in (now.kinetic, now.dynamic)
        )
        # actions between two bodies cancel: only those of ground and gravity remain
        action = sum((total_action(now, b, P) for b in bodies), np.zeros(6))
        rows[r] = (now.motion.time, *kinetic, *dynamic)
        worst = max(
            worst, now.strength(transferred(action - dynamic, P, now.centers[0])) / now.largest
        )
    return rows, worst


def shaking(instants: Sequence[Instant], about: About | None = None) -> Table:
    """Shaking force [N] and moment about a point, where it is at the instant [N m]: the load of the
    inertia of all bodies on the ground, minus the dynamic torsor.  about, residual: those of
    momenta.
    """
    columns = [TIME] + [
        (f"shaking {part}{axis}", dimension)
        for part, dimension in (("F", "force"), ("M", "torque"))
        for axis in "xyz"
    ]
    found, residual = _momenta(instants, about)
    # 0.0 less: no zero with a minus
    rows = np.column_stack((found[:, 0], 0.0 - found[:, 7:13]))
    return Table("shaking", columns, rows, residual=residual)


def with_constants(
    momenta: Table, mechanism: Mechanism, layout: SampleLayout, samples: np.ndarray
) -> Table:
    """The table with the conserved components of the momenta, and their changes since the start."""
    columns, rows = list(zip(momenta.columns, momenta.dimensions, strict=True)), [momenta.rows]
    for constant in conserved(mechanism):
        values, _ = course(constant, mechanism, layout, samples)
        columns += [
            (name, momentum_dimension(name)) for name in (constant.words, change_of(constant.words))
        ]
        rows += [values[:, None], values[:, None] - values[0]]
    return Table("momenta", columns, np.hstack(rows), residual=momenta.residual)


def kinematics(instants: Sequence[Instant], frames: Sequence[tuple[str, Frame]]) -> Table:
    """Position, velocity and acceleration of points of bodies, angular velocity and acceleration of
    the bodies, in W.  frames: (name, frame).

    residual: largest relative difference from finite differences of the positions of the bodies, of
    each kind by itself.
    """
    parts = (
        ("x", "length"),
        ("v", "velocity"),
        ("a", "acceleration"),
        ("ω", "angular_velocity"),
        ("α", "angular_acceleration"),
    )
    columns = [TIME] + [
        (f"{name} {p}{axis}", d) for name, _ in frames for p, d in parts for axis in "xyz"
    ]
    rows, check = np.zeros((len(instants), len(columns))), np.zeros((len(instants), len(columns)))
    rate = 1.0
    for r, now in enumerate(instants):
        near = nearby(now)
        rate = max(rate, near.rate)
        rows[r, 0] = now.motion.time
        for n, (_, frame) in enumerate(frames):
            b, P = place(now, frame)
            rows[r, 1 + 15 * n : 16 + 15 * n] = (
                *P,
                *now.velocity_at(b, P),
                *now.acceleration_at(b, P),
                *now.at.twists[b, 3:],
                *now.accelerations[b, 3:],
            )
            path = near.origins[:, b] + near.R[:, b] @ np.array(
                now.mechanism.frame_in_body(frame)[0]
            )
            # R' R^T = [w], R'' R^T = [alpha] + [w][w], of which the second part is symmetric
            turning = (
                _axial(near.first(near.R[:, b]) @ now.at.R[b].T),
                _axial(near.second(near.R[:, b]) @ now.at.R[b].T),
            )
            check[r, 1 + 15 * n : 16 + 15 * n] = (
                *P,
                *near.first(path),
                *near.second(path),
                *turning[0],
                *turning[1],
            )
    size = instants[0].rows.size
    kind = np.arange(rows.shape[1] - 1) % 15 // 3
    # velocities, accelerations, angular velocities, angular accelerations
    worst = [
        disagreement(rows[:, 1:][:, kind == c], check[:, 1:][:, kind == c], unit, rate**order)
        for c, unit, order in ((1, size, 1), (2, size, 2), (3, 1.0, 1), (4, 1.0, 2))
    ]
    return Table("kinematics", columns, rows, residual=max(worst), notes=(tr(BY_DIFFERENCES),))


def _axial(matrix: np.ndarray) -> np.ndarray:
    """The vector w of the skew part [w] of a matrix."""
    return 0.5 * np.array(
        (matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1])
    )


def relative(instants: Sequence[Instant], name: str, frame: Frame, seen_from: str) -> Table:
    """The motion of a point as seen from a body: v = v_rel + v_transport, a = a_rel + a_transport +
    2 w x v_rel, all in W.

    seen_from: id of the body (or ground).  residual: largest relative difference of any column from
    finite differences of positions: the point's position in the moving frame gives v_rel and a_rel,
    that of the frame's point under it the transport, the rotation of v_rel with the frame the
    Coriolis term.
    """
    parts = (
        ("v_rel", "velocity"),
        ("v_tr", "velocity"),
        ("a_rel", "acceleration"),
        ("a_tr", "acceleration"),
        ("a_cor", "acceleration"),
        ("a", "acceleration"),
    )
    columns = [TIME] + [(f"{name} {p} {axis}", d) for p, d in parts for axis in "xyz"]
    rows, check = np.zeros((len(instants), len(columns))), np.zeros((len(instants), len(columns)))
    rate = 1.0
    for r, now in enumerate(instants):
        b, P = place(now, frame)
        s = [GROUND, *now.mechanism.bodies].index(seen_from)
        w, alpha = now.at.twists[s, 3:], now.accelerations[s, 3:]
        R, arm = now.at.R[s], P - now.at.origins[s]
        v_rel = now.velocity_at(b, P) - now.velocity_at(s, P)
        coriolis = 2 * cross(w, v_rel)
        a = now.acceleration_at(b, P)
        # d/dt of v_rel seen from s: the change of (v_P - v_O - w x r) less w x v_rel
        change = (
            a
            - now.accelerations[s, :3]
            - cross(alpha, arm)
            - cross(w, now.velocity_at(b, P) - now.at.twists[s, :3])
        )
        rows[r] = (
            now.motion.time,
            *v_rel,
            *now.velocity_at(s, P),
            *(change - cross(w, v_rel)),
            *now.acceleration_at(s, P),
            *coriolis,
            *a,
        )
        near = nearby(now)
        rate = max(rate, near.rate)
        path = near.origins[:, b] + near.R[:, b] @ np.array(now.mechanism.frame_in_body(frame)[0])
        local = np.einsum("sji,sj->si", near.R[:, s], path - near.origins[:, s])
        carried = near.origins[:, s] + near.R[:, s] @ local[2]
        check[r] = (
            now.motion.time,
            *(R @ near.first(local)),
            *near.first(carried),
            *(R @ near.second(local)),
            *near.second(carried),
            *(2 * near.first(near.R[:, s]) @ near.first(local)),
            *near.second(path),
        )
    size = instants[0].rows.size
    worst = max(
        disagreement(rows[:, part], check[:, part], size, rate**order)
        for part, order in ((slice(1, 7), 1), (slice(7, 19), 2))
    )
    return Table("relative", columns, rows, residual=worst, notes=(tr(BY_DIFFERENCES),))


def place(now: Instant, frame: Frame) -> tuple[int, np.ndarray]:
    """(body, place in W) of a frame's origin."""
    b = [GROUND, *now.mechanism.bodies].index(frame.body)
    return b, now.at.origins[b] + now.at.R[b] @ np.array(now.mechanism.frame_in_body(frame)[0])


def joint_errors(system: System, rows: np.ndarray, joints: Sequence[str]) -> Table:
    """Gap and norm of the constraints of joints at samples [m]: the distance of their points in the
    constrained directions, and the norm of that with their angle rows times the mechanism's size.

    From the recorded poses, accurate to the rounding of positions of the mechanism's size.
    residual: difference of the largest gap of all joints from the recorded one, over that size.
    """
    layout, of = system.layout, system.joint_rows
    poses = rows[:, layout.poses].reshape(len(rows), len(layout.bodies), 7)
    C = of.residuals(poses)
    gaps, norms = of.gaps_of(C), of.norms_of(C)
    columns: list[tuple[str, str]] = [TIME]
    values = [rows[:, 0]]
    for id in joints:
        k, name = of.joints.index(id), system.mechanism.joints[id].name
        columns += [
            (f"{name} gap", "length"),
            (f"{name} error", "length"),
        ]
        values += [gaps[:, k], norms[:, k]]
    recorded = rows[:, layout.constraint.start + GAP]
    largest = gaps.max(axis=1, initial=0.0)
    return Table(
        "joint_errors",
        columns,
        np.column_stack(values),
        residual=float(np.abs(largest - recorded).max(initial=0.0)) / of.size,
        notes=(tr("The error counts turns too, as an angle times the size of the mechanism."),),
    )


def energy(rows: np.ndarray, layout: SampleLayout) -> Table:
    """The energy account of a run from its samples: kinetic, potential, work put in, and the
    balance [J].

    With contacts the work is listed by cause.  residual: imbalance over the largest
    kinetic energy, with contacts over the largest energy or work.
    """
    e = rows[:, layout.energy]
    largest = float(np.abs(rows[:, list(layout.energies)]).max(initial=0.0))
    works, notes = [("work", "energy")], ()
    parts = [rows[:, 0], e[:, 0], e[:, 1], e[:, 2]]
    if layout.touching:
        contact = rows[:, layout.contact]
        works = [
            ("drives", "energy"),
            ("motors, forces, dampers", "energy"),
            ("friction", "energy"),
            ("impacts", "energy"),
        ]
        parts[3:] = [contact[:, c] for c in (DRIVE_WORK, LOAD_WORK, FRICTION_WORK, IMPACT_WORK)]
        notes = (
            tr(
                "Kinetic and potential energy grow by the sum of the works; the balance is what "
                "the steps of a fixed length leave, and shrinks with them."
            ),
        )
    return Table(
        "energy",
        [TIME, ("kinetic", "energy"), ("potential", "energy"), *works, ("balance", "energy")],
        np.column_stack((*parts, e[:, 3])),
        residual=float(np.abs(e[:, 3]).max(initial=0.0)) / largest if largest else None,
        notes=notes,
    )
