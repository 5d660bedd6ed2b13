"""Mechanisms for tests, built from world points and axes; planar ones stand in the front plane xz
with pins along -y.
"""

import math

import msgspec
import numpy as np

from mechstudio.model.geometry.rotation import (
    conjugate,
    frame_on_axis,
    from_axes,
    multiply,
    rotate,
    to_angles,
)
from mechstudio.model.mechanism import GROUND, Body, Frame, Joint, Mechanism, Placement
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector

UP = (0.0, 0.0, 1.0)
PIN = (0.0, -1.0, 0.0)
ROD_INERTIA = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)


class Builder:
    """Collects bodies and joints by world points; `scale` multiplies every length, to draw the same
    thing in other units.
    """

    def __init__(self, scale: float = 1.0):
        self.scale = scale
        self.bodies: dict[str, Body] = {}
        self.joints: dict[str, Joint] = {}

    def body(self, id, at, quaternion=(1.0, 0.0, 0.0, 0.0), mass=1.0, inertia=ROD_INERTIA):
        """A body of typed mass with its centre at its frame's origin."""
        at = [self.scale * c for c in at]
        self.bodies[id] = Body(
            id,
            id,
            placement=Placement(vector(*at), vector(*to_angles(quaternion))),
            mass=Quantity(mass),
            center_of_mass=vector(0, 0, 0),
            inertia=tuple(Quantity(c * self.scale**2) for c in inertia),
        )
        return id

    def frame(self, body, at, quaternion):
        """A body's frame at a world point with a world attitude."""
        at = [self.scale * c for c in at]
        if body == GROUND:
            return Frame(GROUND, "", Placement(vector(*at), vector(*to_angles(quaternion))))
        p, q = self.bodies[body].placement.pose
        local = rotate(conjugate(q), tuple(a - b for a, b in zip(at, p)))
        return Frame(
            body,
            "",
            Placement(vector(*local), vector(*to_angles(multiply(conjugate(q), quaternion)))),
        )

    def joint(
        self,
        id,
        a,
        b,
        at,
        axis=PIN,
        type="revolute",
        at_b=None,
        quaternion_a=None,
        quaternion_b=None,
        **more,
    ):
        """A joint whose frames stand at a world point with z along the axis, unless given otherwise
        for frame B.
        """
        q = quaternion_a if quaternion_a is not None else frame_on_axis(axis)
        self.joints[id] = Joint(
            id,
            id,
            type,
            self.frame(a, at, q),
            self.frame(b, at_b or at, quaternion_b if quaternion_b is not None else q),
            **more,
        )
        return id

    def link(self, id, start, end):
        """A body halfway between two points, its x from one to the other."""
        d = np.subtract(end, start)
        x = tuple(d / np.linalg.norm(d))
        z = np.cross(x, (0, 1, 0)) if abs(x[1]) < 0.9 else np.cross(x, (0, 0, 1))
        z = z / np.linalg.norm(z)
        return self.body(
            id, tuple(0.5 * np.add(start, end)), from_axes(x, tuple(np.cross(z, x)), tuple(z))
        )

    @property
    def mechanism(self) -> Mechanism:
        return Mechanism(self.bodies, self.joints)


def project(mechanism: Mechanism) -> Project:
    """A document that holds the mechanism."""
    return Project(mechanism)


def circle_meeting(p, r, q, s, side=1.0):
    """The point at distance r from p and s from q (xz plane), left of p -> q for side = +1."""
    d = math.hypot(q[0] - p[0], q[1] - p[1])
    u = ((q[0] - p[0]) / d, (q[1] - p[1]) / d)
    a = (r * r - s * s + d * d) / (2 * d)
    h = side * math.sqrt(r * r - a * a)
    return (p[0] + a * u[0] - h * u[1], p[1] + a * u[1] + h * u[0])


def flat(p):
    """A point of the drawing plane in W."""
    return (p[0], 0.0, p[1])


def four_bar(crank=0.2, coupler=0.632, rocker=0.5, base=0.6, angle=1.0, scale=1.0) -> Mechanism:
    """Ground, crank, coupler and rocker; pins A (ground), B, C and D (ground)."""
    b = Builder(scale)
    A, D = (0.0, 0.0), (base, 0.0)
    B = (crank * math.cos(angle), crank * math.sin(angle))
    C = circle_meeting(B, coupler, D, rocker)
    for id, (p, q) in {"crank": (A, B), "coupler": (B, C), "rocker": (D, C)}.items():
        b.link(id, flat(p), flat(q))
    b.joint("A", GROUND, "crank", flat(A))
    b.joint("B", "crank", "coupler", flat(B))
    b.joint("C", "coupler", "rocker", flat(C))
    b.joint("D", GROUND, "rocker", flat(D))
    return b.mechanism


def slider_crank(crank=0.15, rod=0.3, angle=0.7, scale=1.0) -> Mechanism:
    """Crank, rod and a slider along x."""
    b = Builder(scale)
    B = (crank * math.cos(angle), crank * math.sin(angle))
    C = (B[0] + math.sqrt(rod**2 - B[1] ** 2), 0.0)
    b.link("crank", flat((0, 0)), flat(B))
    b.link("rod", flat(B), flat(C))
    b.body("slider", flat(C))
    b.joint("A", GROUND, "crank", flat((0, 0)))
    b.joint("B", "crank", "rod", flat(B))
    b.joint("C", "rod", "slider", flat(C))
    b.joint("D", GROUND, "slider", flat(C), (1.0, 0.0, 0.0), "prismatic")
    return b.mechanism


def door(scale=1.0) -> Mechanism:
    """A door on two hinges with one axis."""
    b = Builder(scale)
    b.body("door", (0.4, 0.0, 1.0))
    b.joint("lower", GROUND, "door", (0.0, 0.0, 0.3), (0, 0, 1))
    b.joint("upper", GROUND, "door", (0.0, 0.0, 1.7), (0, 0, 1))
    return b.mechanism


def parallelogram_five_bars(angle=1.1, scale=1.0) -> Mechanism:
    """Three equal parallel cranks and one coupler: five bars with ground."""
    b = Builder(scale)
    tip = (0.3 * math.cos(angle), 0.3 * math.sin(angle))
    ends = [(0.4 * k, 0.0) for k in range(3)]
    tips = [(x + tip[0], tip[1]) for x, _ in ends]
    for k in range(3):
        b.link(f"crank{k}", flat(ends[k]), flat(tips[k]))
    b.link("coupler", flat(tips[0]), flat(tips[2]))
    for k in range(3):
        b.joint(f"A{k}", GROUND, f"crank{k}", flat(ends[k]))
    for k in range(3):
        b.joint(f"B{k}", f"crank{k}", "coupler", flat(tips[k]))
    return b.mechanism


# Andrews' squeezing mechanism at its standard start (Schiehlen 1990): centres of mass and pins in
# the plane [m]
ANDREWS_CENTERS = (
    (9.182485980307614e-4, -5.674074562905483e-05),
    (-0.0044914333599330725, 0.0002775362557942899),
    (-0.018742186670315457, 0.020485106789073934),
    (-0.030222939830158887, 0.012071182356663938),
    (-0.05323682815570414, 0.016631847966616306),
    (-0.028543268536783597, -0.010722254707252287),
    (-0.059262402801791715, -0.010600698332712844),
)
_O, _F, _E = (
    (0.0, 0.0),
    (0.006986674115451445, -0.0004317230645688955),
    (-0.020960022346354336, 0.0012951691937066864),
)
_A, _B, _G = (-0.06934, -0.00227), (-0.03635, 0.03273), (-0.03399720388583998, 0.01646197167499768)


def andrews(scale=1.0) -> Mechanism:
    """Seven bodies, ten pins, three loops."""
    b = Builder(scale)
    for k, c in enumerate(ANDREWS_CENTERS):
        b.body(f"K{k + 1}", flat(c))
    # H lies at distance 0.04 from A and 0.02 from E, beyond the line A E as drawn
    H = circle_meeting(_A, 0.04, _E, 0.02, -1.0)
    for k, (p, q, at) in enumerate(
        (
            (GROUND, "K1", _O),
            ("K1", "K2", _F),
            ("K2", "K3", _E),
            (GROUND, "K3", _B),
            ("K2", "K4", _E),
            ("K4", "K5", _G),
            (GROUND, "K5", _A),
            ("K2", "K6", _E),
            ("K6", "K7", H),
            (GROUND, "K7", _A),
        )
    ):
        b.joint(f"J{k + 1}", p, q, flat(at))
    return b.mechanism


def four_bars(count, angle=math.pi / 2, scale=1.0) -> Mechanism:
    """The N four-bar chain of the IFToMM benchmark: N + 1 cranks and N couplers, all 1 m, at a
    crank angle from x.
    """
    b = Builder(scale)
    tip = np.array([math.cos(angle), math.sin(angle)])
    base = [np.array([float(k), 0.0]) for k in range(count + 1)]
    for k in range(count + 1):
        b.link(f"v{k}", flat(base[k]), flat(base[k] + tip))
        b.joint(f"O{k}", GROUND, f"v{k}", flat(base[k]))
    for k in range(count):
        b.link(f"h{k}", flat(base[k] + tip), flat(base[k + 1] + tip))
        b.joint(f"L{k}", f"v{k}", f"h{k}", flat(base[k] + tip))
        b.joint(f"R{k}", f"v{k + 1}", f"h{k}", flat(base[k + 1] + tip))
    return b.mechanism


def separate_four_bars(count, scale=1.0) -> Mechanism:
    """Four-bars beside each other, each on ground only."""
    b = Builder(scale)
    one = four_bar()
    for k in range(count):
        shift = 0.9 * k
        for id, body in one.bodies.items():
            p, q = body.placement.pose
            b.body(f"{id}{k}", (p[0] + shift, p[1], p[2]), q)
        for id, joint in one.joints.items():
            at, q = one.frame_in_world(joint.frame_a)
            names = [
                GROUND if f.body == GROUND else f"{f.body}{k}"
                for f in (joint.frame_a, joint.frame_b)
            ]
            b.joint(f"{id}{k}", *names, (at[0] + shift, at[1], at[2]))
    return b.mechanism


def stewart(scale=1.0) -> Mechanism:
    """A platform on six legs universal - prismatic - spherical."""
    b = Builder(scale)
    b.body("platform", (0.0, 0.0, 1.0))
    for k in range(6):
        low = math.radians(60 * (k // 2 * 2) + (12 if k % 2 else -12))
        high = math.radians(60 * (k // 2 * 2) + (48 if k % 2 else -48))
        foot = np.array([1.0 * math.cos(low), 1.0 * math.sin(low), 0.0])
        head = np.array([0.6 * math.cos(high), 0.6 * math.sin(high), 1.0])
        axis = (head - foot) / np.linalg.norm(head - foot)
        b.body(f"lower{k}", tuple(foot + 0.3 * axis * 1.0))
        b.body(f"upper{k}", tuple(head - 0.3 * axis * 1.0))
        u = np.cross(axis, (0.0, 0.0, 1.0))
        u /= np.linalg.norm(u)
        # the universal joint's first axis lies in ground, its second across the leg
        first, second = np.cross(u, axis), u
        b.joint(
            f"U{k}",
            GROUND,
            f"lower{k}",
            tuple(foot),
            quaternion_a=frame_on_axis(tuple(first)),
            quaternion_b=_frame_with_x(second, axis),
            type="universal",
        )
        b.joint(
            f"P{k}", f"lower{k}", f"upper{k}", tuple(foot + 0.5 * axis), tuple(axis), "prismatic"
        )
        b.joint(f"S{k}", f"upper{k}", "platform", tuple(head), type="spherical")
    return b.mechanism


def _frame_with_x(x, z):
    z = np.asarray(z) - np.dot(z, x) * np.asarray(x)
    z /= np.linalg.norm(z)
    return from_axes(tuple(x), tuple(np.cross(z, x)), tuple(z))


def chain(count, scale=1.0) -> Mechanism:
    """An open spatial chain along x, its hinge axes in turn (0, 1, 1) and (0, 1, -1)."""
    b = Builder(scale)
    before = GROUND
    for k in range(count):
        b.body(f"c{k}", (0.2 * (k + 0.5), 0.0, 0.0), mass=0.2)
        b.joint(
            f"H{k}", before, f"c{k}", (0.2 * k, 0.0, 0.0), (0.0, 1.0, 1.0 if k % 2 == 0 else -1.0)
        )
        before = f"c{k}"
    return b.mechanism


def double_pendulum(scale=1.0) -> Mechanism:
    """Two links on pins."""
    b = Builder(scale)
    b.link("upper", (0, 0, 0), (0.3, 0, 0))
    b.link("lower", (0.3, 0, 0), (0.3, 0, -0.4))
    b.joint("A", GROUND, "upper", (0, 0, 0))
    b.joint("B", "upper", "lower", (0.3, 0, 0))
    return b.mechanism


def cart_pole(scale=1.0) -> Mechanism:
    """A cart on a rail and a pole on a pin."""
    b = Builder(scale)
    b.body("cart", (0, 0, 0))
    b.link("pole", (0, 0, 0), (0, 0, -0.5))
    b.joint("rail", GROUND, "cart", (0, 0, 0), (1, 0, 0), "prismatic")
    b.joint("pin", "cart", "pole", (0, 0, 0))
    return b.mechanism


def ball_pendulum(scale=1.0) -> Mechanism:
    """A body on a ball joint: the spherical pendulum and the heavy top."""
    b = Builder(scale)
    b.link("top", (0, 0, 0), (0.1, 0.2, 0.3))
    b.joint("ball", GROUND, "top", (0, 0, 0), type="spherical")
    return b.mechanism


def plate_on_rods(feet, height=1.0, axis=(0, 0, 1), tops=None) -> Mechanism:
    """A plate on upright rods of the type "distance", frames A along an axis.  feet, tops: (x, y)
    of their ends, tops straight above unless given.
    """
    b = Builder()
    b.body("plate", (0, 0, height), inertia=(0.1, 0.1, 0.2, 0, 0, 0))
    for n, (foot, top) in enumerate(zip(feet, tops or feet, strict=True)):
        b.joint(f"rod {n + 1}", GROUND, "plate", (*foot, 0), axis, "distance", at_b=(*top, height))
    return b.mechanism


def links_in_line(rise=0.0, **pin) -> Mechanism:
    """Two links of 1 m between pins A and C on ground, B between them `rise` above their line: it
    can only shake.  pin: changes of pin C.
    """
    b = Builder()
    for id, x in (("one", 0.5), ("two", 1.5)):
        b.body(id, (x, 0, 0.5 * rise), inertia=(1e-4, 1 / 12, 1 / 12, 0, 0, 0))
    b.joint("A", GROUND, "one", (0, 0, 0))
    b.joint("B", "one", "two", (1, 0, rise))
    b.joint("C", GROUND, "two", (2, 0, 0), **pin)
    return b.mechanism


def hub_on_rods(feet) -> Mechanism:
    """A hub at the origin on rods of the type "distance" to feet on ground: with two in line or
    three in a plane it can only shake across them.
    """
    b = Builder()
    b.body("hub", (0, 0, 0), inertia=(0.01, 0.01, 0.01, 0, 0, 0))
    for n, foot in enumerate(feet):
        b.joint(f"rod {n + 1}", GROUND, "hub", foot, type="distance", at_b=(0, 0, 0))
    return b.mechanism


def three_cranks(middle=1.0) -> Mechanism:
    """A bar on three upright cranks, the outer ones of 1 m: with a middle one of another length it
    can only shake.
    """
    b = Builder()
    b.body("bar", (1, 0, 1), inertia=(1e-4, 1 / 3, 1 / 3, 0, 0, 0))
    for n, length in enumerate((1.0, middle, 1.0)):
        b.body(f"crank {n + 1}", (n, 0, 1 - 0.5 * length), inertia=(1 / 12, 1 / 12, 1e-4, 0, 0, 0))
        b.joint(f"foot {n + 1}", GROUND, f"crank {n + 1}", (n, 0, 1 - length))
        b.joint(f"head {n + 1}", f"crank {n + 1}", "bar", (n, 0, 1))
    return b.mechanism


def single_joint(
    type, scale=1.0, quaternion_a=None, quaternion_b=None, at=(0.3, -0.2, 0.5), at_b=None, **more
) -> Mechanism:
    """Two free bodies with one joint between them."""
    b = Builder(scale)
    b.body("one", (0.1, 0.2, -0.3), (0.8, 0.1, -0.5, 0.3))
    b.body("two", (-0.4, 0.3, 0.6), (0.5, -0.5, 0.1, 0.7))
    b.joint(
        "joint",
        "one",
        "two",
        at,
        type=type,
        quaternion_a=quaternion_a,
        quaternion_b=quaternion_b,
        at_b=at_b,
        **more,
    )
    return b.mechanism


def with_joint(mechanism: Mechanism, id: str, **changes) -> Mechanism:
    """The mechanism with one joint changed."""
    joint = msgspec.structs.replace(mechanism.joints[id], **changes)
    return msgspec.structs.replace(mechanism, joints={**mechanism.joints, id: joint})
