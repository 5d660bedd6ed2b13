"""The moving pictures of the samples on the start page: resources/thumbnails/NAME.webp.

python packaging/make_thumbnails.py           those that the samples have left behind
python packaging/make_thumbnails.py four_bar  these

Each is the first two seconds of the sample from its own point of view, moved back where the frame
would cut something, and without a background, so that one picture serves light and dark.
index.json keeps what each was made of; a test compares it.
"""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)] if str(ROOT) not in sys.path else []
FOLDER = ROOT / "resources" / "thumbnails"
INDEX = FOLDER / "index.json"
SIZE, RATE, SECONDS, QUALITY = (320, 180), 8, 2, 50
BACK = (1.0, 1.12, 1.25, 1.4, 1.6)  # times the distance of the sample's own point of view
SEEN, TRAIL = 60, 4  # opacity of a solid body, pixels of the edge that a trail covers at most

HEADER = re.compile(rb'^(\{"mechstudio": )\d+')


def made_of(path: Path) -> str:
    """Digest of what a picture of a sample shows: everything but its words and plots."""
    from mechstudio.files.project_file import encode, load
    from mechstudio.model.project import Lesson

    loaded = load(path)
    bare = msgspec.structs.replace(loaded.project, lesson=Lesson(), plots=(), note="", steps=())
    text = encode(bare, loaded.camera)
    # a new number of the format alone changes no picture
    return hashlib.sha256(HEADER.sub(rb"\g<1>1", text, count=1)).hexdigest()[:16]


def duration(path: Path) -> float:
    """How long a sample runs [s]."""
    from mechstudio.files.project_file import load

    return load(path).project.settings.duration.value


def index() -> dict[str, str]:
    """Digest by sample of the pictures that there are."""
    return json.loads(INDEX.read_text()) if INDEX.exists() else {}


def make(path: Path) -> None:
    """Film a sample, from farther away as long as the frame cuts it."""
    for back in BACK:
        frames = film(path, back)
        if not any(is_cut(frame) for frame in frames):
            break
    frames[0].save(
        FOLDER / f"{path.stem}.webp",
        save_all=True,
        append_images=frames[1:],
        duration=round(1000 / RATE),
        loop=0,
        quality=QUALITY,
        alpha_quality=70,
        method=6,
    )


def film(path: Path, back: float) -> list["Image.Image"]:
    """Frames of a sample.  back: times the distance of its own point of view."""
    from PIL import Image, ImageSequence

    from mechstudio.files.project_file import encode, load

    loaded = load(path)
    camera = loaded.camera
    with tempfile.TemporaryDirectory() as folder:
        moved, out = Path(folder) / path.name, Path(folder) / "film.webp"
        if camera is not None:
            camera = msgspec.structs.replace(camera, distance=back * camera.distance)
        moved.write_bytes(encode(loaded.project, camera))
        twice = f"{2 * SIZE[0]}x{2 * SIZE[1]}"
        span = min(float(SECONDS), duration(path))
        slow = ["--to", f"{span:g}", "--speed", f"{span / SECONDS:g}"]
        options = [*slow, "--fps", str(RATE), "--size", twice, "--transparent"]
        plain = ["--whole", "--no-labels", "--no-scale"]
        command = [sys.executable, "-m", "mechstudio", "film", str(moved), "--out", str(out)]
        subprocess.run([*command, "--from", "0", *options, *plain], check=True, cwd=ROOT)
        with Image.open(out) as whole:
            return [
                frame.convert("RGBA").resize(SIZE, Image.Resampling.LANCZOS)
                for frame in ImageSequence.Iterator(whole)
            ]


def is_cut(frame: "Image.Image") -> bool:
    """True if something reaches the upper or the lower edge of a frame, where a trail alone may; a
    floor may run out at the sides.
    """
    alpha = frame.getchannel("A")
    wide, tall = frame.size
    edges = ((0, 0, wide, 1), (0, tall - 1, wide, tall))
    opaque = (sum(alpha.crop(edge).histogram()[SEEN:]) for edge in edges)
    return max(opaque) > TRAIL


def main(names: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    known = index()
    for path in sorted((ROOT / "samples").glob("*.mech")):
        digest = made_of(path)
        picture = FOLDER / f"{path.stem}.webp"
        if path.stem in names or (
            not names and (known.get(path.stem) != digest or not picture.exists())
        ):
            make(path)
            known[path.stem] = digest
            INDEX.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
