"""Writes samples/*.mech: every sample is a page of Python here, and a test checks that the files
are what this makes.

python packaging/make_samples.py          write all of them
python packaging/make_samples.py gear_train cam_profile
"""

import importlib
import sys
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [p for p in (str(ROOT), str(ROOT / "packaging")) if p not in sys.path]

from lessons import with_steps  # noqa: E402
from sample_parts import SAMPLES  # noqa: E402

from mechstudio.model.quantity import Quantity  # noqa: E402

for _room in sorted((ROOT / "packaging").glob("samples_*.py")):
    importlib.import_module(_room.stem)

# sines differ between machines in their sixteenth digit, and drawings count as closed to 1e-12 of
# their size
DECIMALS = 13


def rounded(x):
    """The same drawing with every computed number rounded, so that every machine writes the same;
    typed numbers stay as they are.
    """
    match x:
        case Quantity(text=""):
            return Quantity(rounded(x.value))
        case Quantity():
            return x
        case msgspec.Struct():
            return msgspec.structs.replace(
                x, **{name: rounded(getattr(x, name)) for name in x.__struct_fields__}
            )
        case dict():
            return {key: rounded(value) for key, value in x.items()}
        case tuple():
            return tuple(map(rounded, x))
        case float():
            # no negative zero
            return round(x, DECIMALS) + 0.0
    return x


def encoded(name: str) -> bytes:
    """What the file of a sample holds."""
    from mechstudio.files.project_file import encode

    project, camera = SAMPLES[name]()
    project = with_steps(name, project)
    return encode(
        msgspec.structs.replace(project, mechanism=rounded(project.mechanism)), rounded(camera)
    )


def main(names: list[str]) -> None:
    for name in names or SAMPLES:
        path = ROOT / "samples" / f"{name}.mech"
        path.write_bytes(encoded(name))
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
