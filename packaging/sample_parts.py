"""What the samples are made of: colours, panes, plates, gears and rings."""

import math
import struct
from collections.abc import Callable, Sequence

import msgspec

from mechstudio.builder import BodyHandle, Builder
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.laws.cam_profile import Point, extruded
from mechstudio.model.project import Camera, Project

BLUE, ORANGE, GREEN, PINK, OCHRE = 0, 1, 2, 3, 4  # series colours
FLAT = (0, 0, "90 deg")  # turns a plate of the xz plane into one that lies on the floor
ALONG_X = (0, "90 deg", 0)  # turns the axis z of a cylinder or disc into x
CAST_IRON, ALUMINIUM = 7200.0, 2700.0  # [kg/m^3]


Sample = Callable[[], tuple[Project, Camera]]
SAMPLES: dict[str, Sample] = {}


def sample(topic: str, level: int) -> Callable[[Sample], Sample]:
    """Register the function that makes a sample; its name is that of the file.  topic, level: keys
    of TOPICS and LEVELS, by which its lesson is found.
    """

    def register(make: Sample) -> Sample:
        def made() -> tuple[Project, Camera]:
            project, camera = make()
            lesson = msgspec.structs.replace(project.lesson, topic=topic, level=level)
            return msgspec.structs.replace(project, lesson=lesson), camera

        SAMPLES[make.__name__] = made
        return made

    return register


def plots(m: Builder, title: str, *channels: str) -> None:
    """The three panes that every sample opens with."""
    m.plot(title, *channels)
    m.plot("Energy", "energy/kinetic", "energy/potential", "energy/total", "energy/balance")
    m.plot("Constraint error", "constraint/position", "constraint/velocity", log=True)


def speed(
    m: Builder, value: str, note: str, lowest: str = "0.2 rad/s", most: str = "6 rad/s"
) -> None:
    """The slider of the crank's speed."""
    m.parameter(
        "omega", value, "angular_velocity", minimum=lowest, maximum=most, slider=True, note=note
    )


def base_plate(
    ground: BodyHandle, left: float | str, right: float | str, front: str, back: str
) -> None:
    """A cast plate on the floor with round corners, 14 mm thick; front and back are distances in
    front of and behind the plane of the pins.
    """
    ground.plate(
        [(left, front), (right, front), (right, f"-{back}"), (left, f"-{back}")],
        "22 mm",
        "14 mm",
        at=(0, 0, "7 mm"),
        angles=FLAT,
        density=CAST_IRON,
        material="cast",
    )


def bracket(ground: BodyHandle, x: float | str, height: str, foot: str = "52 mm") -> None:
    """A cast bracket that carries a pin of the front plane, 42 mm behind it, and the pin itself."""
    ground.plate(
        [(0, 0), (f"-{foot}", f"22 mm - {height}"), (foot, f"22 mm - {height}")],
        "22 mm",
        "18 mm",
        at=(x, "42 mm", height),
        density=CAST_IRON,
        material="cast",
    )
    ground.pin("10 mm", "58 mm", at=(x, "27.5 mm", height))


def surface(outline: tuple[Point, ...], bore: float, thickness: float, source: str) -> Mesh:
    """A plate with any edge and a round bore, about z."""
    return closed(*extruded(outline, bore, thickness), source)


def closed(
    vertices: Sequence[tuple[float, float, float]],
    triangles: Sequence[tuple[int, int, int]],
    source: str,
) -> Mesh:
    """A closed surface of vertices [m] and triangles."""
    # a tenth of a micrometre is finer than any eye, and a zero without a sign is the same on every
    # machine
    return Mesh(
        struct.pack(f"<{3 * len(vertices)}d", *(round(c, 7) + 0.0 for v in vertices for c in v)),
        struct.pack(f"<{3 * len(triangles)}i", *(i for t in triangles for i in t)),
        source,
    )


def circle(radius: float, steps: int = 72) -> tuple[Point, ...]:
    return tuple(
        (radius * math.cos(2 * math.pi * k / steps), radius * math.sin(2 * math.pi * k / steps))
        for k in range(steps)
    )


def involute(teeth: int, module: float, backlash: float = 0.04) -> tuple[Point, ...]:
    """The edge of a spur gear of 20 degrees, a tooth centred on +x.

    Half the tooth's angle at the radius r: (pi / 2 - backlash) / teeth + inv(20 deg) - inv(acos(r_b
    / r)), inv(p) = tan p - p, r_b = r_pitch cos 20 deg.
    """
    pitch, pressure = 0.5 * module * teeth, math.radians(20)
    base, tip, root = pitch * math.cos(pressure), pitch + module, pitch - 1.25 * module
    inv = lambda r: math.tan(math.acos(base / r)) - math.acos(base / r)
    start = max(base * 1.0001, root)
    flank = []
    for k in range(5):
        r = start + (tip - start) * k / 4
        flank.append((r, (math.pi / 2 - backlash) / teeth + math.tan(pressure) - pressure - inv(r)))
    if root < start:
        flank.insert(0, (root, flank[0][1] + 0.1 / teeth))
    out = []
    for n in range(teeth):
        middle = 2 * math.pi * n / teeth
        out += [(r, middle - a) for r, a in flank] + [(r, middle + a) for r, a in reversed(flank)]
    return tuple((r * math.cos(a), r * math.sin(a)) for r, a in out)


def meshing(teeth: int, rotated: float, other: int, towards: float) -> float:
    """The angle by which a gear of `other` teeth stands turned when it meshes with one of `teeth`,
    turned by `rotated`, that lies at -`towards` from it.
    """
    share = (towards - rotated) * teeth / (2 * math.pi)
    return towards + math.pi + (share - 0.5) * 2 * math.pi / other
