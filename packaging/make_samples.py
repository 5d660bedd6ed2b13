"""Writes samples/*.mech: every sample is a page of Python here, and a test checks that the files are what this makes.

    python packaging/make_samples.py          write all of them
    python packaging/make_samples.py gear_train cam_profile
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [p for p in (str(ROOT), str(ROOT / "packaging")) if p not in sys.path]

import samples_classic  # noqa: E402
import samples_gears  # noqa: E402
import samples_planar  # noqa: E402
import samples_rolling  # noqa: E402
import samples_spatial  # noqa: E402

SAMPLES = {sample.__name__: sample for room in (samples_classic, samples_planar, samples_gears, samples_rolling, samples_spatial) for sample in room.ALL}


def encoded(name: str) -> bytes:
    """What the file of a sample holds."""
    from mechstudio.project.file import encode
    return encode(*SAMPLES[name]())


def main(names: list[str]) -> None:
    for name in names or SAMPLES:
        path = ROOT / "samples" / f"{name}.mech"
        path.write_bytes(encoded(name))
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
