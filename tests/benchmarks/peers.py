"""The reference problems in other engines, for a comparison in one run: MuJoCo, Exudyn, Pinocchio (the extra `bench`).

Each peer is a function run(problem, setting, outputs) -> (CPU seconds of its stepping loop, tracked points (points, outputs, 3), energies (outputs,), largest loop gap [m]);
SETTINGS lists what is tried, from loose to tight.  A peer that is not installed is left out.   problem: an entry of tests/reference/problems.json.
"""

import time
from collections.abc import Callable

import numpy as np


def tree_and_closures(problem):
    """(joints that carry a body, in an order in which parents come first; joints that close loops)."""
    carried, closing, waiting = set(), [], list(problem["joints"])
    tree = []
    while waiting:
        ready = next((j for j in waiting if j["parent"] in carried | {-1} and j["child"] not in carried), None)
        if ready is None:
            ready = next((j for j in waiting if j["parent"] in carried | {-1} and j["child"] in carried), None)
            if ready is None:
                raise ValueError("a joint hangs on nothing")
            closing.append(ready)
        else:
            tree.append(ready)
            carried.add(ready["child"])
        waiting.remove(ready)
    return tree, closing


def _mechanical_energy(problem, positions, rotations, velocities, spins):
    """Energy of bodies (n, ...) at an instant [J]; spins in W."""
    g, total = np.array(problem["gravity"]), 0.0
    for b, p, R, v, w in zip(problem["bodies"], positions, rotations, velocities, spins):
        inertia = R @ np.array(b["inertia_com_world"]) @ R.T
        total += 0.5 * b["mass"] * v @ v + 0.5 * w @ inertia @ w - b["mass"] * g @ p
    for s in problem["springs"]:
        ends = []
        for k, point in ((s["body_1"], s["point_1"]), (s["body_2"], s["point_2"])):
            ends.append(np.array(point) if k < 0 else positions[k] + rotations[k] @ (np.array(point) - problem["bodies"][k]["com"]))
        total += 0.5 * s["stiffness"] * (np.linalg.norm(ends[1] - ends[0]) - s["free_length"]) ** 2
    return total


def _tracked(problem, positions, rotations):
    return [positions[t["body"]] + rotations[t["body"]] @ (np.array(t["point"]) - problem["bodies"][t["body"]]["com"]) for t in problem["tracked_points"]]


def _gap(problem, positions, rotations):
    """Largest distance between the two places of a joint."""
    at = lambda k, p: np.array(p) if k < 0 else positions[k] + rotations[k] @ (np.array(p) - problem["bodies"][k]["com"])
    return max((float(np.linalg.norm(at(j["parent"], j["point"]) - at(j["child"], j["point"]))) for j in problem["joints"] if j["type"] == "revolute"), default=0.0)


# MuJoCo

def mujoco(problem, setting, outputs):
    """setting: (integrator, step [s], stiffness of the loops' time constant in steps)."""
    import mujoco as mj
    integrator, step = setting
    tree, closing = tree_and_closures(problem)
    children: dict[int, list] = {}
    for j in tree:
        children.setdefault(j["parent"], []).append(j)
    text = lambda v: " ".join(repr(float(c)) for c in v)

    def body(j, origin):
        b = problem["bodies"][j["child"]]
        I = np.array(b["inertia_com_world"]) + 1e-12 * np.eye(3)
        inner = "".join(body(c, b["com"]) for c in children.get(j["child"], []))
        kind = {"revolute": "hinge", "prismatic": "slide"}[j["type"]]
        return (f'<body name="b{j["child"]}" pos="{text(np.subtract(b["com"], origin))}"><inertial pos="0 0 0" mass="{b["mass"]!r}" '
                f'fullinertia="{I[0, 0]!r} {I[1, 1]!r} {I[2, 2]!r} {I[0, 1]!r} {I[0, 2]!r} {I[1, 2]!r}"/>'
                f'<joint name="j{problem["joints"].index(j)}" type="{kind}" axis="{text(j["axis"])}" pos="{text(np.subtract(j["point"], b["com"]))}"/>{inner}</body>')

    sites = lambda k: "".join(f'<site name="s{n}_{e}" pos="{text(np.subtract(s[f"point_{e}"], problem["bodies"][k]["com"] if k >= 0 else (0, 0, 0)))}"/>'
                              for n, s in enumerate(problem["springs"]) for e in (1, 2) if s[f"body_{e}"] == k)
    bodies = "".join(body(j, (0, 0, 0)) for j in children.get(-1, []))
    for k in range(len(problem["bodies"])):
        bodies = bodies.replace(f'<body name="b{k}"', f'<body name="b{k}"', 1).replace(f'<joint name="j{next(i for i, j in enumerate(problem["joints"]) if j in tree and j["child"] == k)}"',
                                                                                         f'{sites(k)}<joint name="j{next(i for i, j in enumerate(problem["joints"]) if j in tree and j["child"] == k)}"', 1)
    name = lambda k: "world" if k < 0 else f"b{k}"
    closed = "".join(f'<connect body1="{name(j["child"])}" body2="{name(j["parent"])}" anchor="{text(np.subtract(j["point"], problem["bodies"][j["child"]]["com"]))}" '
                     f'solref="{2 * step!r} 1" solimp="0.9999 0.9999 0.001"/>' for j in closing)
    tendons = "".join(f'<spatial stiffness="{s["stiffness"]!r}" springlength="{s["free_length"]!r}"><site site="s{n}_1"/><site site="s{n}_2"/></spatial>'
                      for n, s in enumerate(problem["springs"]))
    xml = (f'<mujoco><option timestep="{step!r}" integrator="{integrator}" gravity="{text(problem["gravity"])}" tolerance="1e-14" iterations="200"><flag contact="disable"/></option>'
           f'<worldbody>{sites(-1)}{bodies}</worldbody><equality>{closed}</equality><tendon>{tendons}</tendon></mujoco>')
    model = mj.MjModel.from_xml_string(xml)
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    # initial velocities from the bodies' own
    rows, wanted = [], []
    for k, b in enumerate(problem["bodies"]):
        Jp, Jr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        mj.mj_jacBodyCom(model, data, Jp, Jr, model.body(f"b{k}").id)
        rows += [Jp, Jr]
        wanted += [b["velocity"], b["angular_velocity_world"]]
    data.qvel[:] = np.linalg.lstsq(np.concatenate(rows), np.concatenate(wanted), rcond=None)[0]
    for t in problem["joint_torques"]:
        data.qfrc_applied[model.joint(f"j{t['joint']}").dofadr[0]] = t["torque"]
    ids = [model.body(f"b{k}").id for k in range(len(problem["bodies"]))]
    count = round(problem["duration"] / outputs / step)
    cpu, points, energies, gap = 0.0, [], [], 0.0
    R0 = [data.xmat[i].reshape(3, 3).copy() for i in ids]

    def record():
        nonlocal gap
        state = mj.MjData(model)
        state.qpos[:], state.qvel[:] = data.qpos, data.qvel
        mj.mj_kinematics(model, state)
        mj.mj_comPos(model, state)
        mj.mj_comVel(model, state)
        positions, rotations, velocities, spins = [], [], [], []
        for i, R in zip(ids, R0):
            v = np.zeros(6)
            mj.mj_objectVelocity(model, state, mj.mjtObj.mjOBJ_BODY, i, v, 0)
            positions.append(state.xipos[i].copy())
            rotations.append(state.xmat[i].reshape(3, 3) @ R.T)
            velocities.append(v[3:])
            spins.append(v[:3])
        points.append(_tracked(problem, positions, rotations))
        energies.append(_mechanical_energy(problem, positions, rotations, velocities, spins))
        gap = max(gap, _gap(problem, positions, rotations))

    record()
    for _ in range(outputs):
        start = time.process_time()
        mj.mj_step(model, data, count)
        cpu += time.process_time() - start
        record()
    return cpu, np.array(points).swapaxes(0, 1), np.array(energies), gap


# Exudyn

def exudyn(problem, setting, outputs):
    """setting: (solver, number of steps, relative tolerance): its explicit Runge-Kutta methods over a kinematic tree, and generalised alpha for loops."""
    import exudyn as exu
    import exudyn.utilities as eu
    solver, steps, tolerance = setting
    system = exu.SystemContainer().AddSystem()
    ground = system.AddObject(eu.ObjectGround())
    bodies, g = [], problem["gravity"]
    for b in problem["bodies"]:
        I = np.array(b["inertia_com_world"]) + 1e-12 * np.eye(3)
        inertia = eu.RigidBodyInertia(mass=b["mass"], inertiaTensor=I)
        made = system.CreateRigidBody(inertia=inertia, nodeType=exu.NodeType.RotationEulerParameters, referencePosition=list(b["com"]), initialVelocity=list(b["velocity"]),
                                      initialAngularVelocity=list(b["angular_velocity_world"]), gravity=list(g))
        bodies.append(made)
    which = lambda k: ground if k < 0 else bodies[k]
    closed = set()
    for j in problem["joints"]:
        planar_again = j["child"] in closed
        closed.add(j["child"])
        make = {"revolute": system.CreateRevoluteJoint, "prismatic": system.CreatePrismaticJoint}[j["type"]]
        if planar_again and j["type"] == "revolute":
            # a redundant joint of a planar loop: only what holds in the plane, which is what this engine needs
            axes = [0 if abs(c) > 0.9 else 1 for c in j["axis"]]
            local = lambda k: list(np.subtract(j["point"], problem["bodies"][k]["com"] if k >= 0 else (0, 0, 0)))
            markers = [system.AddMarker(eu.MarkerBodyRigid(bodyNumber=which(k), localPosition=local(k))) for k in (j["parent"], j["child"])]
            system.AddObject(eu.GenericJoint(markerNumbers=markers, constrainedAxes=[*axes, 0, 0, 0]))
        else:
            make(bodyNumbers=[which(j["parent"]), which(j["child"])], position=list(j["point"]), axis=list(j["axis"]), useGlobalFrame=True)
    for s in problem["springs"]:
        local = lambda k, p: list(np.subtract(p, problem["bodies"][k]["com"] if k >= 0 else (0, 0, 0)))
        system.CreateSpringDamper(bodyNumbers=[which(s["body_1"]), which(s["body_2"])], localPosition0=local(s["body_1"], s["point_1"]),
                                  localPosition1=local(s["body_2"], s["point_2"]), referenceLength=s["free_length"], stiffness=s["stiffness"], damping=0.0)
    for t in problem["joint_torques"]:
        j = problem["joints"][t["joint"]]
        for k, sign in ((j["parent"], -1.0), (j["child"], 1.0)):
            if k >= 0:
                system.CreateTorque(bodyNumber=which(k), loadVector=list(sign * t["torque"] * np.array(j["axis"])))
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = problem["duration"]
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.relativeTolerance = tolerance
    settings.linearSolverType = exu.LinearSolverType.EigenSparse if len(bodies) > 10 else exu.LinearSolverType.EXUdense
    points, energies, gap = [], [], 0.0

    def record():
        nonlocal gap
        rotations = [np.array(system.GetObjectOutputBody(o, exu.OutputVariableType.RotationMatrix)).reshape(3, 3) for o in bodies]
        positions = [np.array(system.GetObjectOutputBody(o, exu.OutputVariableType.Position)) for o in bodies]
        velocities = [np.array(system.GetObjectOutputBody(o, exu.OutputVariableType.Velocity)) for o in bodies]
        spins = [np.array(system.GetObjectOutputBody(o, exu.OutputVariableType.AngularVelocity)) for o in bodies]
        points.append(_tracked(problem, positions, rotations))
        energies.append(_mechanical_energy(problem, positions, rotations, velocities, spins))
        gap = max(gap, _gap(problem, positions, rotations))

    # in pieces of one output each, so that only stepping is timed
    settings.timeIntegration.numberOfSteps = max(1, round(steps / outputs))
    cpu = 0.0
    record()
    for n in range(outputs):
        settings.timeIntegration.startTime, settings.timeIntegration.endTime = n * problem["duration"] / outputs, (n + 1) * problem["duration"] / outputs
        start = time.process_time()
        if not system.SolveDynamic(settings, solverType=getattr(exu.DynamicSolverType, solver), updateInitialValues=True):
            raise RuntimeError("stopped")
        cpu += time.process_time() - start
        record()
    return cpu, np.array(points).swapaxes(0, 1), np.array(energies), gap


# Pinocchio

def pinocchio(problem, setting, outputs):
    """setting: (number of steps,): its constrained forward dynamics (proximal) with a Runge-Kutta method of order 4 around it."""
    import pinocchio as pin
    steps, = setting
    tree, closing = tree_and_closures(problem)
    model, joints = pin.Model(), {-1: 0}
    model.gravity.linear = np.array(problem["gravity"])
    frames = {-1: np.zeros(3)}
    for j in tree:
        b = problem["bodies"][j["child"]]
        z = np.array(j["axis"], float)
        kind = pin.JointModelRevoluteUnaligned(z) if j["type"] == "revolute" else pin.JointModelPrismaticUnaligned(z)
        at = np.array(j["point"], float)
        id = model.addJoint(joints[j["parent"]], kind, pin.SE3(np.eye(3), at - frames[j["parent"]]), f"j{problem['joints'].index(j)}")
        model.appendBodyToJoint(id, pin.Inertia(b["mass"], np.array(b["com"]) - at, np.array(b["inertia_com_world"]) + 1e-12 * np.eye(3)), pin.SE3.Identity())
        joints[j["child"]], frames[j["child"]] = id, at
    contacts = []
    for j in closing:
        places = [pin.SE3(np.eye(3), np.array(j["point"]) - frames[k]) for k in (j["parent"], j["child"])]
        c = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, joints[j["parent"]], places[0], joints[j["child"]], places[1], pin.ReferenceFrame.LOCAL)
        c.corrector.Kp[:], c.corrector.Kd[:] = 0.0, 0.0
        contacts.append(c)
    data, datas = model.createData(), [c.createData() for c in contacts]
    pin.initConstraintDynamics(model, data, contacts)
    settings = pin.ProximalSettings(1e-12, 1e-12, 10)
    nv = model.nv
    torque = np.zeros(nv)
    for t in problem["joint_torques"]:
        torque[model.joints[model.getJointId(f"j{t['joint']}")].idx_v] = t["torque"]

    def spring_torques(q):
        if not problem["springs"]:
            return torque
        pin.computeJointJacobians(model, data, q)
        out = torque.copy()
        for s in problem["springs"]:
            ends, jac = [], []
            for k, point in ((s["body_1"], s["point_1"]), (s["body_2"], s["point_2"])):
                if k < 0:
                    ends.append(np.array(point))
                    jac.append(np.zeros((3, nv)))
                    continue
                M = data.oMi[joints[k]]
                r = M.rotation @ (np.array(point) - frames[k])
                J = pin.getJointJacobian(model, data, joints[k], pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
                ends.append(M.translation + r)
                jac.append(J[:3] - pin.skew(r) @ J[3:])
            d = ends[1] - ends[0]
            x = np.linalg.norm(d)
            out -= s["stiffness"] * (x - s["free_length"]) / x * d @ (jac[1] - jac[0])
        return out

    def f(q, v):
        tau = spring_torques(q)
        return pin.constraintDynamics(model, data, q, v, tau, contacts, datas, settings).copy() if contacts else pin.aba(model, data, q, v, tau).copy()

    q, v = pin.neutral(model), np.zeros(nv)
    pin.computeJointJacobians(model, data, q)
    rows, wanted = [], []
    for k, b in enumerate(problem["bodies"]):
        J = pin.getJointJacobian(model, data, joints[k], pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        r = np.array(b["com"]) - frames[k]
        rows += [J[:3] - pin.skew(r) @ J[3:], J[3:]]
        wanted += [b["velocity"], b["angular_velocity_world"]]
    v[:] = np.linalg.lstsq(np.concatenate(rows), np.concatenate(wanted), rcond=None)[0]
    points, energies, gap = [], [], 0.0

    def record():
        nonlocal gap
        other = model.createData()
        pin.forwardKinematics(model, other, q, v)
        positions, rotations, velocities, spins = [], [], [], []
        for k, b in enumerate(problem["bodies"]):
            M = other.oMi[joints[k]]
            twist = pin.getVelocity(model, other, joints[k], pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
            r = M.rotation @ (np.array(b["com"]) - frames[k])
            positions.append(M.translation + r)
            rotations.append(M.rotation.copy())
            velocities.append(twist.linear + np.cross(twist.angular, r))
            spins.append(twist.angular.copy())
        points.append(_tracked(problem, positions, rotations))
        energies.append(_mechanical_energy(problem, positions, rotations, velocities, spins))
        gap = max(gap, _gap(problem, positions, rotations))

    record()
    each = max(1, round(steps / outputs))
    h, cpu = problem["duration"] / outputs / each, 0.0
    for _ in range(outputs):
        start = time.process_time()
        for _ in range(each):
            k1 = f(q, v)
            k2 = f(q + 0.5 * h * v, v + 0.5 * h * k1)
            k3 = f(q + 0.5 * h * v + 0.25 * h * h * k1, v + 0.5 * h * k2)
            k4 = f(q + h * v + 0.5 * h * h * k2, v + h * k3)
            q, v = q + h * v + h * h / 6 * (k1 + k2 + k3), v + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        cpu += time.process_time() - start
        record()
    return cpu, np.array(points).swapaxes(0, 1), np.array(energies), gap


PEERS: dict[str, Callable] = {"mujoco": mujoco, "exudyn": exudyn, "pinocchio": pinocchio}


def settings(name, problem):
    """What is tried of a peer, loose to tight; at most some seconds each."""
    T = problem["duration"]
    if name == "mujoco":
        return [(i, T / 100 / n) for i in ("RK4", "implicitfast") for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)]
    if name == "exudyn":
        trees = len(problem["joints"]) == len(problem["bodies"])
        kinds = ("RK44", "DOPRI5") if trees else ("GeneralizedAlpha",)
        return [(k, 100 * n, 1e-10) for k in kinds for n in (1, 2, 5, 10, 20, 50, 100, 200)]
    return [(100 * n,) for n in (1, 2, 5, 10, 20, 50, 100, 200, 500)]
