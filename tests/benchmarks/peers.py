"""The reference problems in other engines, for a comparison in one run: MuJoCo, Exudyn, Pinocchio
(the extra `bench`).

Each peer is a function run(problem, setting, outputs) -> (CPU seconds of its stepping loop,
instants): an instant is (positions, rotations, velocities, spins) of all bodies in W, centres of
mass, rotations from the start, one at t = 0 and after each of `outputs` equal times.  problem: an
entry of tests/reference/problems.json.
`families` lists what is tried of a peer, each family from loose to tight.  Making the model and
reading results is never timed.
"""

import importlib.util
import time

import numpy as np

PACKAGES = {
    "mujoco": "mujoco",
    "exudyn": "exudyn",
    "pinocchio": "pinocchio",
    "pinocchio8": "pinocchio",
}
LONGEST = 2.0  # CPU time after which a run that does not come to its end is given up [s]


class NoEnd(RuntimeError):
    """A run took too long."""


def installed():
    """Names of the peers that can run here."""
    return [
        name for name, package in PACKAGES.items() if importlib.util.find_spec(package) is not None
    ]


# what a run is judged by


def judge(problem, known, instants):
    """(position error, energy error, gap [m]) of a run, the first two over the problem's length and
    energy scales, largest over the instants.
    """
    at = lambda instant, k, point: (
        np.array(point, float)
        if k < 0
        else instant[0][k] + instant[1][k] @ np.subtract(point, problem["bodies"][k]["com"])
    )
    position = (
        max(
            np.linalg.norm(
                np.array([at(i, t["body"], t["point"]) for i in instants]) - np.array(truth), axis=1
            ).max()
            for t, truth in zip(problem["tracked_points"], known["points"], strict=True)
        )
        / problem["length_scale"]
    )
    energy = np.array([_mechanical_energy(problem, i, at) for i in instants])
    for t in problem["joint_torques"]:
        # the torque's work; the joints that carry one hang on ground and turn less than half a turn
        # between instants
        j = problem["joints"][t["joint"]]
        side = _across(j["axis"])
        rotated = [i[1][j["child"]] @ side for i in instants]
        angle = [np.arctan2(np.cross(side, d) @ j["axis"], side @ d) for d in rotated]
        energy -= t["torque"] * np.unwrap(angle)
    gap = max(
        np.linalg.norm(at(i, j["parent"], j["point"]) - at(i, j["child"], j["point"]))
        for i in instants
        for j in problem["joints"]
        if j["type"] == "revolute"
    )
    error = lambda x: float(x) if np.isfinite(x) else np.inf
    return error(position), error(np.abs(energy - energy[0]).max() / known["e_scale"]), error(gap)


def _across(axis):
    side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    return side / np.linalg.norm(side)


def _mechanical_energy(problem, instant, at):
    g, total = np.array(problem["gravity"]), 0.0
    for b, p, R, v, w in zip(problem["bodies"], *instant):
        total += (
            0.5 * b["mass"] * v @ v
            + 0.5 * w @ (R @ np.array(b["inertia_com_world"]) @ R.T) @ w
            - b["mass"] * g @ p
        )
    for s in problem["springs"]:
        d = at(instant, s["body_2"], s["point_2"]) - at(instant, s["body_1"], s["point_1"])
        total += 0.5 * s["stiffness"] * (np.linalg.norm(d) - s["free_length"]) ** 2
    return total


def tree_and_closures(problem):
    """(joints that carry a body, parents first; joints that close loops)."""
    carried, closing, tree, waiting = {-1}, [], [], list(problem["joints"])
    while waiting:
        ready = next(
            (j for j in waiting if j["parent"] in carried and j["child"] not in carried), None
        )
        if ready is None:
            closing = waiting
            break
        tree.append(ready)
        carried.add(ready["child"])
        waiting = [j for j in waiting if j is not ready]
    return tree, closing


# MuJoCo: the tree in joint coordinates, loops closed by its soft `connect`


def mujoco(problem, setting, outputs):
    """setting: (integrator, time constant of the loops in steps, steps between two outputs)."""
    import mujoco as mj

    mj.set_mju_user_warning(
        lambda text: None
    )  # else it writes a log of runs that fly apart, which too coarse settings do
    integrator, stiffness, each = setting
    step = problem["duration"] / outputs / each
    tree, closing = tree_and_closures(problem)
    bodies, joints = problem["bodies"], problem["joints"]
    text = lambda v: " ".join(repr(float(c)) for c in v)
    com = lambda k: np.zeros(3) if k < 0 else np.array(bodies[k]["com"])
    name = lambda k: "world" if k < 0 else f"b{k}"
    sites = lambda k: "".join(
        f'<site name="s{n}_{e}" pos="{text(s[f"point_{e}"] - com(k))}"/>'
        for n, s in enumerate(problem["springs"])
        for e in (1, 2)
        if s[f"body_{e}"] == k
    )

    def carried(j):
        k = j["child"]
        I = np.array(bodies[k]["inertia_com_world"])
        return (
            f'<body name="b{k}" pos="{text(com(k) - com(j["parent"]))}"><inertial pos="0 0 0" '
            f'mass="{float(bodies[k]["mass"])!r}" '
            f'fullinertia="{text((I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]))}"/>'
            f'<joint name="j{joints.index(j)}" '
            f'type="{ {"revolute": "hinge", "prismatic": "slide"}[j["type"]] }" '
            f'axis="{text(j["axis"])}" '
            f'pos="{text(j["point"] - com(k))}"/>{sites(k)}'
            f"{''.join(carried(c) for c in tree if c['parent'] == k)}</body>"
        )

    closed = "".join(
        f'<connect body1="{name(j["child"])}" body2="{name(j["parent"])}" '
        f'anchor="{text(j["point"] - com(j["child"]))}" '
        f'solref="{stiffness * step!r} 1" solimp="0.9999 0.9999 0.001"/>'
        for j in closing
    )
    tendons = "".join(
        f'<spatial stiffness="{float(s["stiffness"])!r}" '
        f'springlength="{float(s["free_length"])!r}"><site site="s{n}_1"/><site '
        f'site="s{n}_2"/></spatial>'
        for n, s in enumerate(problem["springs"])
    )
    model = mj.MjModel.from_xml_string(
        f'<mujoco><option timestep="{step!r}" integrator="{integrator}" '
        f'gravity="{text(problem["gravity"])}" tolerance="1e-14"><flag contact="disable"/></option>'
        f"<worldbody>{sites(-1)}{''.join(carried(j) for j in tree if j['parent'] < 0)}</worldbody>"
        f"<equality>{closed}</equality><tendon>{tendons}</tendon></mujoco>"
    )
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    ids, rows = [model.body(f"b{k}").id for k in range(len(bodies))], []
    for i in ids:
        Jp, Jr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        mj.mj_jacBodyCom(model, data, Jp, Jr, i)
        rows += [Jp, Jr]
    data.qvel[:] = _rates(problem, rows)
    for t in problem["joint_torques"]:
        data.qfrc_applied[model.joint(f"j{t['joint']}").dofadr[0]] = t["torque"]
    state = mj.MjData(model)

    def instant():
        state.qpos[:], state.qvel[:] = data.qpos, data.qvel
        for compute in (mj.mj_kinematics, mj.mj_comPos, mj.mj_comVel):
            compute(model, state)
        twists = []
        for i in ids:
            twists.append(np.zeros(6))
            mj.mj_objectVelocity(model, state, mj.mjtObj.mjOBJ_BODY, i, twists[-1], 0)
        return (
            [state.xipos[i].copy() for i in ids],
            [state.xmat[i].reshape(3, 3).copy() for i in ids],
            [v[3:] for v in twists],
            [v[:3] for v in twists],
        )

    cpu, instants = 0.0, [instant()]
    for _ in range(outputs):
        start = time.process_time()
        mj.mj_step(model, data, each)
        cpu += time.process_time() - start
        instants.append(instant())
    return cpu, instants


def _rates(problem, jacobians):
    """Joint rates at the start from the bodies' velocities."""
    requested = np.concatenate(
        [v for b in problem["bodies"] for v in (b["velocity"], b["angular_velocity_world"])]
    )
    return np.linalg.lstsq(np.concatenate(jacobians), requested, rcond=None)[0]


# Exudyn: planar bodies and joints with implicit methods; a tree in minimal coordinates with
# explicit ones


def exudyn(problem, setting, outputs):
    """setting: (solver, spectral radius or relative tolerance, steps between two outputs).

    Timed is one call from start to end, less the call that makes a single step; read is a run in
    pieces, with the same steps unless they are adaptive.
    """
    import exudyn as exu
    import exudyn.itemInterface as items

    exu.config.printToConsole = False
    solver, parameter, each = setting
    explicit = solver != "GeneralizedAlpha" and solver != "TrapezoidalIndex2"
    made = (_exudyn_tree if explicit else _exudyn_planar)(problem, exu, items)
    settings = exu.SimulationSettings()
    time_integration = settings.timeIntegration
    time_integration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    if explicit:
        time_integration.automaticStepSize = parameter > 0.0
        time_integration.relativeTolerance = time_integration.absoluteTolerance = parameter or 1e-8
    else:
        time_integration.generalizedAlpha.spectralRadius = parameter or 0.9
        time_integration.newton.useModifiedNewton = True
        time_integration.newton.relativeTolerance = 1e-10
        time_integration.newton.absoluteTolerance = 1e-12
    kind = getattr(exu.DynamicSolverType, solver)

    def solve(system, first, last, steps):
        time_integration.startTime, time_integration.endTime, time_integration.numberOfSteps = (
            first,
            last,
            steps,
        )
        start = time.process_time()
        if not system.SolveDynamic(settings, solverType=kind, updateInitialValues=True):
            raise RuntimeError("stopped")
        return time.process_time() - start

    T = problem["duration"]
    system, _ = made()
    cpu = solve(system, 0.0, T, each * outputs)
    system, _ = made()
    start = min(solve(system, 0.0, T / outputs / each, 1) for _ in range(3))
    system, instant = made()
    instants = [instant()]
    for n in range(outputs):
        solve(system, n * T / outputs, (n + 1) * T / outputs, each)
        instants.append(instant())
    return max(cpu - start, 1e-6), instants


def _exudyn_planar(problem, exu, items):
    planar = lambda angle: np.array(
        [[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]]
    )

    def make():
        system = exu.SystemContainer().AddSystem()
        ground = system.AddObject(items.ObjectGround())
        nodes, bodies = [], []
        for b in problem["bodies"]:
            nodes.append(
                system.AddNode(
                    items.NodeRigidBody2D(
                        referenceCoordinates=[*b["com"][:2], 0.0],
                        initialVelocities=[*b["velocity"][:2], b["angular_velocity_world"][2]],
                    )
                )
            )
            bodies.append(
                system.AddObject(
                    items.ObjectRigidBody2D(
                        mass=b["mass"], inertia=b["inertia_com_world"][2][2], nodeNumber=nodes[-1]
                    )
                )
            )
            if any(problem["gravity"]):
                system.AddLoad(
                    items.LoadMassProportional(
                        markerNumber=system.AddMarker(items.MarkerBodyMass(bodyNumber=bodies[-1])),
                        loadVector=problem["gravity"],
                    )
                )
        which = lambda k: ground if k < 0 else bodies[k]
        local = lambda k, p: list(
            np.subtract(p, problem["bodies"][k]["com"] if k >= 0 else (0, 0, 0))
        )
        marker = lambda kind, k, p: system.AddMarker(
            kind(bodyNumber=which(k), localPosition=local(k, p))
        )
        for j in problem["joints"]:
            if j["type"] == "revolute":
                system.AddObject(
                    items.ObjectJointRevolute2D(
                        markerNumbers=[
                            marker(items.MarkerBodyPosition, k, j["point"])
                            for k in (j["parent"], j["child"])
                        ]
                    )
                )
            else:
                system.AddObject(
                    items.ObjectJointPrismatic2D(
                        markerNumbers=[
                            marker(items.MarkerBodyRigid, k, j["point"])
                            for k in (j["parent"], j["child"])
                        ],
                        axisMarker0=j["axis"],
                        normalMarker1=[-j["axis"][1], j["axis"][0], 0.0],
                    )
                )
        for s in problem["springs"]:
            markers = [
                marker(items.MarkerBodyPosition, s[f"body_{e}"], s[f"point_{e}"]) for e in (1, 2)
            ]
            system.AddObject(
                items.ObjectConnectorSpringDamper(
                    markerNumbers=markers,
                    referenceLength=s["free_length"],
                    stiffness=s["stiffness"],
                )
            )
        for t in problem["joint_torques"]:
            j = problem["joints"][t["joint"]]
            system.AddLoad(
                items.LoadTorqueVector(
                    markerNumber=marker(items.MarkerBodyRigid, j["child"], j["point"]),
                    loadVector=list(t["torque"] * np.array(j["axis"])),
                )
            )
        system.Assemble()

        def instant():
            q = np.array(
                [system.GetNodeOutput(n, exu.OutputVariableType.Coordinates) for n in nodes]
            )
            v = np.array(
                [system.GetNodeOutput(n, exu.OutputVariableType.Coordinates_t) for n in nodes]
            )
            flat = lambda a: np.append(a[:2], 0.0)
            return (
                [np.array(b["com"]) + flat(c) for b, c in zip(problem["bodies"], q)],
                [planar(c[2]) for c in q],
                [flat(c) for c in v],
                [np.array([0.0, 0.0, c[2]]) for c in v],
            )

        return system, instant

    return make


def _exudyn_tree(problem, exu, items):
    (j,), (b,) = (
        problem["joints"],
        problem["bodies"],
    )  # one hinge about z is all that is needed here
    at, axis = np.array(j["point"]), np.array(j["axis"])
    arm = np.array(b["com"]) - at

    def make():
        system = exu.SystemContainer().AddSystem()
        node = system.AddNode(
            items.NodeGenericODE2(
                referenceCoordinates=[0.0],
                initialCoordinates=[0.0],
                initialCoordinates_t=[float(axis @ b["angular_velocity_world"])],
                numberOfODE2Coordinates=1,
            )
        )
        lists = lambda kind, values: getattr(exu, kind)(values)
        system.AddObject(
            items.ObjectKinematicTree(
                nodeNumber=node,
                gravity=problem["gravity"],
                baseOffset=list(at),
                jointTypes=[exu.JointType.RevoluteZ],
                linkParents=[-1],
                jointTransformations=lists("Matrix3DList", [np.eye(3)]),
                jointOffsets=lists("Vector3DList", [np.zeros(3)]),
                linkInertiasCOM=lists("Matrix3DList", [np.array(b["inertia_com_world"])]),
                linkCOMs=lists("Vector3DList", [arm]),
                linkMasses=[b["mass"]],
            )
        )
        system.Assemble()

        def instant():
            angle = float(
                np.atleast_1d(system.GetNodeOutput(node, exu.OutputVariableType.Coordinates))[0]
            )
            rate = float(
                np.atleast_1d(system.GetNodeOutput(node, exu.OutputVariableType.Coordinates_t))[0]
            )
            K = np.cross(np.eye(3), axis)
            R = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
            return [at + R @ arm], [R], [np.cross(rate * axis, R @ arm)], [rate * axis]

        return system, instant

    return make


# Pinocchio: its constrained forward dynamics (proximal) with an integrator around it, since it has
# none: a classical one in Python, or scipy's DOP853


def pinocchio(problem, setting, outputs):
    """setting: (method "RK4" | "DOP853", proximal mu, its most iterations, loops' pull back per
    unit of time [1/T], steps between two outputs or relative tolerance).
    """
    import pinocchio as pin
    from scipy.integrate import solve_ivp

    method, mu, iterations, pull, fineness = setting
    tree, closing = tree_and_closures(problem)
    bodies, T = problem["bodies"], problem["duration"]
    model, joints, origins = pin.Model(), {-1: 0}, {-1: np.zeros(3)}
    model.gravity.linear = np.array(problem["gravity"], float)
    for j in tree:
        b, at, axis = bodies[j["child"]], np.array(j["point"], float), np.array(j["axis"], float)
        kinds = (
            (pin.JointModelRZ, pin.JointModelRevoluteUnaligned, (0, 0, 1))
            if j["type"] == "revolute"
            else (pin.JointModelPX, pin.JointModelPrismaticUnaligned, (1, 0, 0))
        )
        kind = kinds[0]() if np.array_equal(axis, kinds[2]) else kinds[1](axis)
        id = model.addJoint(
            joints[j["parent"]],
            kind,
            pin.SE3(np.eye(3), at - origins[j["parent"]]),
            f"j{problem['joints'].index(j)}",
        )
        model.appendBodyToJoint(
            id,
            pin.Inertia(b["mass"], np.array(b["com"]) - at, np.array(b["inertia_com_world"])),
            pin.SE3.Identity(),
        )
        joints[j["child"]], origins[j["child"]] = id, at
    contacts, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for j in closing:
        first, second = (
            (joints[k], pin.SE3(np.eye(3), np.array(j["point"]) - origins[k]))
            for k in (j["parent"], j["child"])
        )
        contact = pin.RigidConstraintModel(
            pin.ContactType.CONTACT_3D, model, *first, *second, pin.ReferenceFrame.LOCAL
        )
        contact.m_baumgarte_parameters.Kp, contact.m_baumgarte_parameters.Kd = (
            (pull / T) ** 2,
            2 * pull / T,
        )
        contacts.append(contact)
        datas.append(contacts[len(contacts) - 1].createData())
    data, nv = model.createData(), model.nv
    pin.initConstraintDynamics(model, data, contacts, datas)
    proximal = pin.ProximalSettings(1e-13, mu, iterations)
    torque = np.zeros(nv)
    for t in problem["joint_torques"]:
        torque[model.joints[model.getJointId(f"j{t['joint']}")].idx_v] = t["torque"]
    world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    jacobian = lambda k: (
        pin.getJointJacobian(model, data, joints[k], world).reshape(6, nv)
        if k >= 0
        else np.zeros((6, nv))
    )

    def spring_torques(q):
        if not problem["springs"]:
            return torque
        pin.computeJointJacobians(model, data, q)
        out = torque.copy()
        for s in problem["springs"]:
            ends, slopes = [], []
            for k, point in ((s["body_1"], s["point_1"]), (s["body_2"], s["point_2"])):
                M, J = data.oMi[joints[k]], jacobian(k)
                r = M.rotation @ (np.array(point) - origins[k])
                ends.append(M.translation + r)
                slopes.append(J[:3] - pin.skew(r) @ J[3:])
            d = ends[1] - ends[0]
            x = np.sqrt(d @ d)
            out -= s["stiffness"] * (x - s["free_length"]) / x * (d @ (slopes[1] - slopes[0]))
        return out

    def f(q, v):
        tau = spring_torques(q)
        return (
            pin.constraintDynamics(model, data, q, v, tau, contacts, datas, proximal).copy()
            if closing
            else pin.aba(model, data, q, v, tau).copy()
        )

    def instant(q, v):
        other = model.createData()
        pin.forwardKinematics(model, other, q, v)
        out = ([], [], [], [])
        for k, b in enumerate(bodies):
            M, twist = other.oMi[joints[k]], pin.getVelocity(model, other, joints[k], world)
            r = M.rotation @ (np.array(b["com"]) - origins[k])
            for values, value in zip(
                out,
                (
                    M.translation + r,
                    M.rotation.copy(),
                    twist.linear + np.cross(twist.angular, r),
                    twist.angular.copy(),
                ),
            ):
                values.append(value)
        return out

    q, rows = pin.neutral(model), []
    pin.computeJointJacobians(model, data, q)
    for k, b in enumerate(bodies):
        J = jacobian(k)
        rows += [J[:3] - pin.skew(np.array(b["com"]) - origins[k]) @ J[3:], J[3:]]
    v = _rates(problem, rows)
    if method == "DOP853":
        start = time.process_time()

        def slope(t, y):
            if time.process_time() - start > LONGEST:
                raise NoEnd(f"not done after {LONGEST} s")
            return np.concatenate((y[nv:], f(y[:nv], y[nv:])))

        solution = solve_ivp(
            slope,
            (0.0, T),
            np.concatenate((q, v)),
            "DOP853",
            np.linspace(0.0, T, outputs + 1),
            rtol=fineness,
            atol=fineness * np.concatenate((np.ones(nv), np.full(nv, 2 * np.pi / T))),
        )
        cpu = time.process_time() - start
        if not solution.success:
            raise RuntimeError(solution.message)
        return cpu, [instant(y[:nv], y[nv:]) for y in solution.y.T]
    h, cpu, instants = T / outputs / fineness, 0.0, [instant(q, v)]
    for _ in range(outputs):
        start = time.process_time()
        for _ in range(fineness):
            k1 = f(q, v)
            k2 = f(q + 0.5 * h * v, v + 0.5 * h * k1)
            k3 = f(q + 0.5 * h * v + 0.25 * h * h * k1, v + 0.5 * h * k2)
            k4 = f(q + h * v + 0.5 * h * h * k2, v + h * k3)
            q, v = q + h * v + h * h / 6 * (k1 + k2 + k3), v + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        cpu += time.process_time() - start
        instants.append(instant(q, v))
    return cpu, instants


# pinocchio8: within scipy's DOP853, the method of this engine
PEERS = {"mujoco": mujoco, "exudyn": exudyn, "pinocchio": pinocchio, "pinocchio8": pinocchio}


def families(name, problem):
    """Settings tried of a peer: lists, each from loose to tight."""
    steps = (1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 1000, 2000)
    loops = len(problem["joints"]) > len(problem["bodies"])
    if name == "mujoco":
        return [
            [(i, c, n) for n in steps]
            for i, c in [
                ("RK4", 2.0),
                *([("RK4", 4.0), ("RK4", 10.0), ("Euler", 2.0)] if loops else []),
                ("implicitfast", 2.0),
            ]
        ]
    if name == "exudyn":
        implicit = [
            [(kind, radius, n) for n in steps[:13]]
            for kind, radius in (("GeneralizedAlpha", 0.8), ("TrapezoidalIndex2", 0.0))
        ]
        explicit = [
            [("DOPRI5", 10.0**-e, 1) for e in range(3, 14)],
            *([(kind, 0.0, n) for n in steps[:12]] for kind in ("RK44", "RK67")),
        ]
        return implicit if loops or len(problem["bodies"]) > 1 else explicit
    variants = [(1e-10, 10, pull) for pull in (0.0, 30.0, 100.0)] if loops else [(1e-10, 10, 0.0)]
    family = (
        [("RK4", n) for n in steps[:12]]
        if name == "pinocchio"
        else [("DOP853", 10.0**-e) for e in range(3, 13)]
    )
    return [[(method, *variant, fineness) for method, fineness in family] for variant in variants]
