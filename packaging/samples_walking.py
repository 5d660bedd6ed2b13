"""The sample that walks: Jansen's leg, four times, on a floor."""

import math

from sample_parts import BLUE, GREEN, OCHRE, ORANGE, PINK, sample
from samples_contacts import contact_plots

from mechstudio.builder import BodyHandle, Builder
from mechstudio.model.project import Camera, Project

Flat = tuple[float, float]  # a point of the front plane, x and z [m]

# Jansen's numbers [mm]: crank, and the other bars by their letters; the leg's fixed pin lies A
# beside and L below the crank's
SCALE = 2e-3
CRANK, A, L, B, C, D, E, F, G, H, I, J, K = (
    SCALE * x for x in (15.0, 38.0, 7.8, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49.0, 50.0, 61.9)
)
THICK, LAYER, FOOT = (
    0.006,
    0.009,
    0.012,
)  # of a part; from one to the next, so that nothing touches but feet


def meeting(p: Flat, r: float, q: Flat, s: float, side: float) -> Flat:
    """The point r from p and s from q, to the left of the way from p to q for side 1."""
    dx, dz = q[0] - p[0], q[1] - p[1]
    d = math.hypot(dx, dz)
    along = (d * d + r * r - s * s) / (2 * d)
    off = side * math.sqrt(r * r - along * along)
    return p[0] + (along * dx - off * dz) / d, p[1] + (along * dz + off * dx) / d


def leg_points(way: float, pin: Flat) -> dict[str, Flat]:
    """The pins of a leg about the crank's axis at (0, 0), to the left for way -1, and its foot."""
    fixed = (way * A, -L)
    # above, seen from the fixed pin towards the crank, on the right for a leg to the right
    top = meeting(fixed, B, pin, J, -way)
    back = meeting(fixed, D, top, E, -way)
    low = meeting(fixed, C, pin, K, way)
    knee = meeting(back, F, low, G, way)
    return {
        "fixed": fixed,
        "top": top,
        "back": back,
        "low": low,
        "knee": knee,
        "foot": meeting(knee, H, low, I, way),
    }


@sample("contact", 3)
def walking_linkage() -> tuple[Project, Camera]:
    m = Builder(
        "Walking linkage",
        "Theo Jansen's leg turns a crank's circle into a step: flat below, where the foot "
        "carries, and high above, where it comes forward. Two pairs of legs half a turn "
        "apart carry in turn. Nothing drives the machine along but friction at its feet, and "
        "the plane that keeps it upright; each foot that takes "
        "over strikes the floor a little, and that is what walking costs.",
        [
            "How long is a step, and how many steps does one turn of the crank give?",
            "Below which μ do the feet slip, and when in a step do they slip first?",
            "How does the height of the body change over a step, and what would a wheel do better?",
        ],
    )
    m.parameter(
        "n",
        "4 rad/s",
        "angular_velocity",
        minimum="1 rad/s",
        maximum="8 rad/s",
        slider=True,
        note="speed of the crank",
    )
    m.parameter(
        "mu", "0.8", "number", minimum="0.05", maximum="1", slider=True, note="friction of the feet"
    )
    start = 0.4  # angle of the crank [rad]
    pins = {
        side: (CRANK * math.cos(start + turn), CRANK * math.sin(start + turn))
        for side, turn in ((-1, 0.0), (1, math.pi))
    }
    legs = {(side, way): leg_points(way, pins[side]) for side in (-1, 1) for way in (-1, 1)}
    height = FOOT - min(p["foot"][1] for p in legs.values())
    m.floor(0, friction="mu", restitution=0)
    at = lambda p, layer: (p[0], layer, p[1] + height)
    chassis = m.body("chassis", (0, 0, height), color=7)
    chassis.plate([(-A, -L), (A, -L), (0, 0.03)], "16 mm", "10 mm").box(
        "60 mm", "20 mm", "50 mm", at=(0, 0, "75 mm"), material="steel"
    )
    upright = m.planar("upright", m.ground, chassis, at=(0, 0, height), normal=(0, 1, 0))
    m.hide(upright)
    crank = m.body("crank", (0, 0, height), color=OCHRE)
    crank.pin("7 mm", 2 * LAYER + 2 * THICK)
    for side, p in pins.items():
        crank.bar(
            CRANK,
            "22 mm",
            THICK,
            at=(0, side * 1.5 * LAYER, 0),
            angles=(0, -start - (math.pi if side > 0 else 0), 0),
        ).pin("4 mm", 5 * LAYER, at=(p[0], side * 4 * LAYER, p[1]))
    shaft = m.pin("shaft", chassis, crank, at=(0, 0, height))
    m.drive("motor", shaft, speed="n")
    for (side, way), p in legs.items():
        name = f"{'front' if side < 0 else 'rear'} {'left' if way < 0 else 'right'}"
        _leg(m, chassis, crank, name, p, side, way, pins[side], at)
    m.touch(margin="1 mm", tolerance="1e-5 m/s")
    m.run(duration="5 s")
    contact_plots(m, "Way and height", "body/chassis/x", "body/chassis/z")
    return m.project(), Camera((-0.45, 0.0, height * 0.8), -70.0, 12.0, 2.0)


def _leg(
    m: Builder,
    chassis: BodyHandle,
    crank: BodyHandle,
    name: str,
    p: dict[str, Flat],
    side: int,
    way: int,
    pin: Flat,
    at,
) -> None:
    """Six parts: two triangles beside the crank's web, then two bars side by side, then the two
    rods, those of the right leg outside.
    """
    near, middle, upper, lower = (
        side * LAYER * n for n in (1.5, 2.5, 3.5 if way < 0 else 5.5, 4.5 if way < 0 else 6.5)
    )
    triangle = lambda part, corners, color: m.body(
        f"{name} {part}", at(corners[0], near), color=color
    ).plate([(x - corners[0][0], z - corners[0][1]) for x, z in corners], "8 mm", THICK)
    bar = lambda part, a, b, layer, color: m.link(
        f"{name} {part}", at(a, layer), at(b, layer), width="14 mm", thickness=THICK, color=color
    )
    rocker = triangle("rocker", (p["fixed"], p["top"], p["back"]), BLUE)
    foot = triangle("foot", (p["low"], p["knee"], p["foot"]), ORANGE)
    x, z = p["foot"][0] - p["low"][0], p["foot"][1] - p["low"][1]
    foot.sphere(FOOT, at=(x, 0, z), material="steel")
    m.surface(foot, friction="mu", restitution=0)
    swing, back = (
        bar("swing", p["fixed"], p["low"], middle, GREEN),
        bar("back", p["back"], p["knee"], middle, GREEN),
    )
    top, low = (
        bar("upper rod", pin, p["top"], upper, PINK),
        bar("lower rod", pin, p["low"], lower, PINK),
    )
    for joint, a, b, point in (
        ("A", chassis, rocker, p["fixed"]),
        ("B", chassis, swing, p["fixed"]),
        ("C", crank, top, pin),
        ("D", crank, low, pin),
        ("E", top, rocker, p["top"]),
        ("F", rocker, back, p["back"]),
        ("G", swing, foot, p["low"]),
        ("H", low, foot, p["low"]),
        ("I", back, foot, p["knee"]),
    ):
        m.hide(m.pin(f"{name} {joint}", a, b, at=at(point, side * 4 * LAYER)))
