"""Writes samples/*.mech: every sample is a page of Python here, and a test checks that the files are what this makes.

    python packaging/make_samples.py          write all of them
"""

import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from mechstudio.builder import BodyHandle, Builder  # noqa: E402
from mechstudio.model.project import Camera, Project  # noqa: E402

BLUE, ORANGE, GREEN, PINK, OCHRE = 0, 1, 2, 3, 4        # series colours
FLAT = (0, 0, "90 deg")                                 # turns a plate of the xz plane into one that lies on the floor
CAST_IRON, ALUMINIUM = 7200.0, 2700.0                   # [kg/m^3]


def plots(m: Builder, title: str, *channels: str) -> None:
    """The three panes that every sample opens with."""
    m.plot(title, *channels)
    m.plot("Energy", "energy/kinetic", "energy/potential", "energy/total", "energy/balance")
    m.plot("Constraint error", "constraint/position", "constraint/velocity", log=True)


def base_plate(ground: BodyHandle, left: float | str, right: float | str, front: str, back: str) -> None:
    """A cast plate on the floor with round corners, 14 mm thick; front and back are distances in front of and behind the plane of the pins."""
    ground.plate([(left, front), (right, front), (right, f"-{back}"), (left, f"-{back}")], "22 mm", "14 mm", at=(0, 0, "7 mm"), angles=FLAT,
                 density=CAST_IRON, material="cast")


def bracket(ground: BodyHandle, x: float | str, height: str, foot: str = "52 mm") -> None:
    """A cast bracket that carries a pin of the front plane, 42 mm behind it, and the pin itself."""
    ground.plate([(0, 0), (f"-{foot}", f"22 mm - {height}"), (foot, f"22 mm - {height}")], "22 mm", "18 mm", at=(x, "42 mm", height),
                 density=CAST_IRON, material="cast")
    ground.pin("10 mm", "58 mm", at=(x, "27.5 mm", height))


def four_bar() -> tuple[Project, Camera]:
    crank, coupler, rocker, base, start = 0.130, 0.330, 0.260, 0.340, math.radians(120)
    m = Builder("Four-bar", "A crank-rocker: the short crank turns all the way round, the rocker swings. The start pushes the crank at the speed omega "
                "and nothing drives it afterwards, so kinetic and potential energy trade places while their sum stays. Four pins with parallel axes "
                "make a loop that is hyperstatic of degree 3, and it runs all the same.",
                ["Where in the turn does the crank run fastest, and where is the potential energy then?",
                 "Which of the four lengths can you change until the crank no longer turns fully (Grashof)?",
                 "Which three joint freedoms could you add without changing the motion?"])
    m.parameter("L1", "130 mm", minimum="60 mm", maximum="150 mm", slider=True, note="crank")
    m.parameter("L2", "330 mm", minimum="250 mm", maximum="420 mm", slider=True, note="coupler")
    m.parameter("L3", "260 mm", minimum="220 mm", maximum="330 mm", slider=True, note="rocker")
    m.parameter("L4", "340 mm", minimum="280 mm", maximum="400 mm", slider=True, note="distance of the ground pins")
    m.parameter("omega", "6 rad/s", "angular_velocity", minimum="-20 rad/s", maximum="20 rad/s", slider=True, note="crank speed at the start")
    # closed form of the drawn pose: B at the crank's end, C on both circles
    bx, bz = crank * math.cos(start), crank * math.sin(start)
    reach, heading = math.hypot(base - bx, bz), math.atan2(-bz, base - bx)
    tilt = heading + math.acos((coupler ** 2 + reach ** 2 - rocker ** 2) / (2 * coupler * reach))
    lean = math.atan2(bz + coupler * math.sin(tilt), bx + coupler * math.cos(tilt) - base)

    base_plate(m.ground, "-64 mm", "L4 + 64 mm", "18 mm", "66 mm")
    bracket(m.ground, 0, "190 mm")
    bracket(m.ground, "L4", "190 mm")
    one = m.link("crank", (0, 0, "190 mm"), length="L1", angle="120 deg", width="44 mm", thickness="20 mm", layer="12 mm", color=ORANGE)
    two = m.body("coupler", one.end, (0, -tilt, 0), color=BLUE)
    two.plate([(0, 0), ("L2", 0), ("0.46*L2", "150 mm")], "20 mm", "18 mm", at=(0, "-12 mm", 0), density=ALUMINIUM)
    two.pin("13 mm", "52 mm").pin("13 mm", "52 mm", at=("L2", 0, 0)).pin("13 mm", "24 mm", at=("0.46*L2", "-12 mm", "150 mm"))
    two.point("C", ("L2", 0, 0)).point("P", ("0.46*L2", "-24 mm", "150 mm"))
    three = m.link("rocker", ("L4", 0, "190 mm"), length="L3", angle=lean, width="44 mm", thickness="20 mm", layer="12 mm", color=GREEN)
    m.pin("A", m.ground, one, at=(0, 0, "190 mm"), rate="omega")
    m.pin("B", one, two, at=one.end)
    m.pin("C", two, three, at=(two.world("C"), three.end))
    m.pin("D", m.ground, three, at=("L4", 0, "190 mm"))
    m.run(duration="6 s")
    plots(m, "Crank and rocker", "joint/A/0", "joint/D/0")
    return m.project(), Camera((0.170, 0.0, 0.200), -62.0, 14.0, 1.45)


SAMPLES = {"four_bar": four_bar}


def encoded(name: str) -> bytes:
    """What the file of a sample holds."""
    from mechstudio.project.file import encode
    return encode(*SAMPLES[name]())


def main() -> None:
    for name in SAMPLES:
        path = ROOT / "samples" / f"{name}.mech"
        path.write_bytes(encoded(name))
        print(path)


if __name__ == "__main__":
    main()
