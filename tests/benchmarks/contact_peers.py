"""Piles in MuJoCo and PyBullet (the extra `bench`), of the bodies and starts of contacts.py: the
same tray of five planes, step of 2 ms, friction 0.5, masses, inertias and gravity.

MuJoCo as it comes (Newton's method, pyramidal cones, soft contacts), and with stiff contacts, whose
time constant is two steps, with each of its solvers and cones; PyBullet as it comes, with 50
sweeps.  Nothing sleeps and nothing is damped; PyBullet multiplies the frictions of a pair, so each
has the root.  A peer is advance(steps), with advance.overlap() for the deepest overlap of the
moment [m] and advance.residual() for the residual of its last step [m/s].

The residual of a contact with impulse p, velocity u after the step (normal, two tangents) and mean
inverse mass w of its point is |w p - P(w p - u~)|, with P the projection onto the cone of friction
and u~ the velocity with De Saxce's term mu |u_t| in its normal part: zero where the laws of contact
and friction hold.  It is the largest over all contacts.  Ours is that of the solver, in the same
unit.
"""

import functools
import importlib.util

import numpy as np

from tests.benchmarks.contacts import CAPSULE_SIZE, CORNERS, HALF, R, mass_of, scene

STEP, FRICTION = 2e-3, 0.5


def walls(width: float) -> tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]:
    """Places and normals of the floor and four walls."""
    return (
        ((0, 0, 0), (0, 0, 1)),
        ((-width, 0, 0), (1, 0, 0)),
        ((width, 0, 0), (-1, 0, 0)),
        ((0, -width, 0), (0, 1, 0)),
        ((0, width, 0), (0, -1, 0)),
    )


def projected(z: np.ndarray) -> np.ndarray:
    """The point of the cone |t| <= mu n next to z (n, two tangents)."""
    n, t = z[0], float(np.hypot(*z[1:]))
    if t <= FRICTION * n:
        return z
    if FRICTION * t <= -n:
        return np.zeros(3)
    along = (n + FRICTION * t) / (1.0 + FRICTION**2)
    return along * np.array([1.0, *(FRICTION * z[1:] / t)])


def violation(u: np.ndarray, p: np.ndarray, w: float) -> float:
    """Residual of one contact [m/s]."""
    corrected = u + np.array([FRICTION * float(np.hypot(*u[1:])), 0.0, 0.0])
    return float(np.linalg.norm(w * p - projected(w * p - corrected)))


def inverse_mass(kind: str, arm: np.ndarray) -> float:
    """Mean inverse mass of a point at an arm [m] from the centre of a body [1/kg]: a third of the
    trace, with the mean moment of inertia.
    """
    mass, moments = mass_of(kind)
    return 1.0 / mass + 2.0 * float(arm @ arm) / (3.0 * float(np.mean(moments)))


class Bullet:
    """PyBullet."""

    def __init__(self, kind: str, count: int) -> None:
        import pybullet as p
        from pybullet_utils import bullet_client

        at, turns, width = scene(kind, count)
        self.kind = kind
        self.client = c = bullet_client.BulletClient(p.DIRECT)
        c.setGravity(0, 0, -9.81)
        c.setTimeStep(STEP)
        for place, normal in walls(width):
            c.changeDynamics(
                c.createMultiBody(
                    0, c.createCollisionShape(p.GEOM_PLANE, planeNormal=normal), basePosition=place
                ),
                -1,
                lateralFriction=FRICTION**0.5,
            )
        shape = {
            "balls": lambda: c.createCollisionShape(p.GEOM_SPHERE, radius=R),
            "boxes": lambda: c.createCollisionShape(p.GEOM_BOX, halfExtents=HALF),
            "capsules": lambda: c.createCollisionShape(
                p.GEOM_CAPSULE, radius=CAPSULE_SIZE[0], height=2 * CAPSULE_SIZE[1]
            ),
            "hulls": lambda: c.createCollisionShape(p.GEOM_MESH, vertices=CORNERS.tolist()),
        }[kind]()
        mass, moments = mass_of(kind)
        for x, q in zip(at, turns):
            body = c.createMultiBody(
                mass, shape, basePosition=x.tolist(), baseOrientation=[*q[1:].tolist(), float(q[0])]
            )
            c.changeDynamics(
                body,
                -1,
                lateralFriction=FRICTION**0.5,
                linearDamping=0.0,
                angularDamping=0.0,
                localInertiaDiagonal=moments,
            )

    def __call__(self, steps: int) -> None:
        for _ in range(steps):
            self.client.stepSimulation()

    def overlap(self) -> float:
        return max((-point[8] for point in self.client.getContactPoints()), default=0.0)

    def residual(self) -> float:
        c, out = self.client, 0.0
        number = c.getNumBodies()
        centres = {b: np.array(c.getBasePositionAndOrientation(b)[0]) for b in range(5, number)}
        rates = {b: tuple(map(np.array, c.getBaseVelocity(b))) for b in range(5, number)}
        for point in c.getContactPoints():
            at, frame = np.array(point[6]), np.array([point[7], point[11], point[13]])
            v, w = np.zeros(3), 0.0
            # the normal points from B to A, and so does the impulse on A
            for body, sign in ((point[1], 1.0), (point[2], -1.0)):
                if body in rates:
                    arm = at - centres[body]
                    v += sign * (rates[body][0] + np.cross(rates[body][1], arm))
                    w += inverse_mass(self.kind, arm)
            impulse = STEP * np.array([point[9], point[10], point[12]])
            out = max(out, violation(frame @ v, impulse, w))
        return out


class Mujoco:
    """MuJoCo.  stiff: whether a contact's time constant is two steps."""

    def __init__(
        self,
        kind: str,
        count: int,
        solver: str = "Newton",
        cone: str = "pyramidal",
        stiff: bool = False,
    ) -> None:
        import mujoco

        at, turns, width = scene(kind, count)
        text = lambda numbers: " ".join(map(str, numbers))
        planes = "".join(
            f'<geom type="plane" size="9 9 1" pos="{text(place)}" zaxis="{text(normal)}"/>'
            for place, normal in walls(width)
        )
        geom = {
            "balls": f'type="sphere" size="{R}"',
            "boxes": f'type="box" size="{text(HALF)}"',
            "capsules": f'type="capsule" size="{text(CAPSULE_SIZE)}"',
            "hulls": 'type="mesh" mesh="hull"',
        }[kind]
        mass, moments = mass_of(kind)
        inertial = f'<inertial pos="0 0 0" mass="{mass}" diaginertia="{text(moments)}"/>'
        bodies = "".join(
            f'<body pos="{text(x)}" quat="{text(q)}"><freejoint/>{inertial}<geom {geom}/></body>'
            for x, q in zip(at, turns)
        )
        soft = f'solref="{2 * STEP} 1"' if stiff else ""
        asset = f'<asset><mesh name="hull" vertex="{text(CORNERS.ravel())}"/></asset>'
        self.kind, self.mujoco = kind, mujoco
        self.model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="{STEP}" solver="{solver}" cone="{cone}"/>'
            f'<size memory="1G"/>'
            f'<default><geom friction="{FRICTION} 0 0" condim="3" {soft}/></default>{asset}'
            f"<worldbody>{planes}{bodies}</worldbody></mujoco>"
        )
        self.data = mujoco.MjData(self.model)

    def __call__(self, steps: int) -> None:
        for _ in range(steps):
            self.mujoco.mj_step(self.model, self.data)

    def overlap(self) -> float:
        return max(0.0, -float(self.data.contact.dist.min())) if self.data.ncon else 0.0

    def residual(self) -> float:
        # contacts and forces are those of the beginning of the step, velocities those of its end
        model, data, out = self.model, self.data, 0.0
        force = np.zeros(6)
        for i in range(data.ncon):
            contact = data.contact[i]
            self.mujoco.mj_contactForce(model, data, i, force)
            frame, v, w = contact.frame.reshape(3, 3), np.zeros(3), 0.0
            # the normal points from the first geom to the second, and so does the force on that
            for geom, sign in ((contact.geom1, -1.0), (contact.geom2, 1.0)):
                body = model.geom_bodyid[geom]
                if body:
                    k = model.body_dofadr[body]
                    arm = contact.pos - data.xipos[body]
                    spin = data.xmat[body].reshape(3, 3) @ data.qvel[k + 3 : k + 6]
                    v += sign * (data.qvel[k : k + 3] + np.cross(spin, arm))
                    w += inverse_mass(self.kind, arm)
            out = max(out, violation(frame @ v, STEP * force[:3], w))
        return out


def _stiff(solver: str, cone: str):
    return functools.partial(Mujoco, solver=solver, cone=cone, stiff=True)


PEERS = {}
if importlib.util.find_spec("mujoco"):
    PEERS["mujoco, as it comes"] = Mujoco
    PEERS |= {
        f"mujoco {solver} {cone}": _stiff(solver, cone)
        for solver in ("Newton", "CG", "PGS")
        for cone in ("pyramidal", "elliptic")
    }
if importlib.util.find_spec("pybullet"):
    PEERS["pybullet"] = Bullet
# most bodies of a scene for a peer: settling alone would take minutes
MOST = {peer: 400 for peer in PEERS if peer != "pybullet"}
MOST |= {peer: 120 for peer in PEERS if "PGS" in peer}
