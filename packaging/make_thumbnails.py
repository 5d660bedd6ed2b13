"""The moving pictures of the samples on the start page: resources/thumbnails/NAME.webp.

python packaging/make_thumbnails.py           those that the samples have left behind
python packaging/make_thumbnails.py four_bar  these

Each is the first two seconds of the sample from its own point of view, without a background, so
that one picture serves light and dark.  index.json keeps what each was made of; a test compares it.
"""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)] if str(ROOT) not in sys.path else []
FOLDER = ROOT / "resources" / "thumbnails"
INDEX = FOLDER / "index.json"
SIZE, RATE, SECONDS, QUALITY = (320, 180), 8, 2, 50

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
    """Film a sample."""
    from PIL import Image, ImageSequence

    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / "film.webp"
        twice = f"{2 * SIZE[0]}x{2 * SIZE[1]}"
        span = min(float(SECONDS), duration(path))
        slow = ["--to", f"{span:g}", "--speed", f"{span / SECONDS:g}"]
        options = [*slow, "--fps", str(RATE), "--size", twice, "--transparent"]
        plain = ["--whole", "--no-labels", "--no-scale"]
        command = [sys.executable, "-m", "mechstudio", "film", str(path), "--out", str(film)]
        subprocess.run([*command, "--from", "0", *options, *plain], check=True, cwd=ROOT)
        with Image.open(film) as whole:
            frames = [
                frame.convert("RGBA").resize(SIZE, Image.Resampling.LANCZOS)
                for frame in ImageSequence.Iterator(whole)
            ]
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
