"""Piles in MuJoCo and PyBullet (the extra `bench`), of the bodies and starts of contacts.py: the
same tray of five planes, step of 2 ms, friction 0.5, density and gravity.

Both as they come: MuJoCo with Newton's method and pyramidal cones, PyBullet with 50 sweeps.
Nothing sleeps and nothing is damped; PyBullet multiplies the frictions of a pair, so each has the
root.  A peer is advance(steps), with advance.overlap() for the deepest overlap of the moment [m].
"""

import importlib.util

import numpy as np

from tests.benchmarks.contacts import DENSITY, HALF, R, ball_scene, box_scene

STEP, FRICTION = 2e-3, 0.5


def _scene(kind: str, count: int):
    at, turns, w = (ball_scene if kind == "balls" else box_scene)(count)
    walls = (
        ((0, 0, 0), (0, 0, 1)),
        ((-w, 0, 0), (1, 0, 0)),
        ((w, 0, 0), (-1, 0, 0)),
        ((0, -w, 0), (0, 1, 0)),
        ((0, w, 0), (0, -1, 0)),
    )
    return at, turns, walls


class Bullet:
    """PyBullet."""

    def __init__(self, kind: str, count: int) -> None:
        import pybullet as p
        from pybullet_utils import bullet_client

        at, turns, walls = _scene(kind, count)
        self.client = c = bullet_client.BulletClient(p.DIRECT)
        c.setGravity(0, 0, -9.81)
        c.setTimeStep(STEP)
        for place, normal in walls:
            c.changeDynamics(
                c.createMultiBody(
                    0, c.createCollisionShape(p.GEOM_PLANE, planeNormal=normal), basePosition=place
                ),
                -1,
                lateralFriction=FRICTION**0.5,
            )
        ball = kind == "balls"
        shape = (
            c.createCollisionShape(p.GEOM_SPHERE, radius=R)
            if ball
            else c.createCollisionShape(p.GEOM_BOX, halfExtents=HALF)
        )
        mass = DENSITY * (4 / 3 * np.pi * R**3 if ball else 8 * np.prod(HALF))
        for x, q in zip(at, turns):
            body = c.createMultiBody(
                mass, shape, basePosition=x.tolist(), baseOrientation=[*q[1:].tolist(), float(q[0])]
            )
            c.changeDynamics(
                body, -1, lateralFriction=FRICTION**0.5, linearDamping=0.0, angularDamping=0.0
            )

    def __call__(self, steps: int) -> None:
        for _ in range(steps):
            self.client.stepSimulation()

    def overlap(self) -> float:
        return max((-point[8] for point in self.client.getContactPoints()), default=0.0)


class Mujoco:
    """MuJoCo."""

    def __init__(self, kind: str, count: int) -> None:
        import mujoco

        at, turns, walls = _scene(kind, count)
        text = lambda numbers: " ".join(map(str, numbers))
        planes = "".join(
            f'<geom type="plane" size="9 9 1" pos="{text(place)}" zaxis="{text(normal)}"/>'
            for place, normal in walls
        )
        geom = f'type="sphere" size="{R}"' if kind == "balls" else f'type="box" size="{text(HALF)}"'
        bodies = "".join(
            f'<body pos="{text(x)}" quat="{text(q)}"><freejoint/><geom {geom}/></body>'
            for x, q in zip(at, turns)
        )
        self.step = mujoco.mj_step
        self.model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="{STEP}"/><size memory="1G"/><default><geom '
            f'friction="{FRICTION} 0 0" condim="3" density="{DENSITY}"/></default>'
            f"<worldbody>{planes}{bodies}</worldbody></mujoco>"
        )
        self.data = mujoco.MjData(self.model)

    def __call__(self, steps: int) -> None:
        for _ in range(steps):
            self.step(self.model, self.data)

    def overlap(self) -> float:
        return max(0.0, -float(self.data.contact.dist.min())) if self.data.ncon else 0.0


PEERS = {
    name: peer
    for name, peer in {"mujoco": Mujoco, "pybullet": Bullet}.items()
    if importlib.util.find_spec(name)
}
# settling alone would take minutes
TOO_SLOW = {("mujoco", "boxes 500"), ("mujoco", "balls 1000")}
