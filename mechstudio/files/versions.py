"""Versions of a project file: its last ten saves, with a picture of each, in the user's data
folder.
"""

import contextlib
import hashlib
import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from mechstudio.files import durable, pictures
from mechstudio.files.format.codec import Loaded, decode
from mechstudio.folders import data_folder

KEPT = 10
TICK = timedelta(milliseconds=1)  # least time between two versions
ENDING, PICTURE = ".mech", ".png"
_STAMP = "%Y%m%dT%H%M%S.%fZ"
_NAMED = re.compile(r"\d{8}T\d{6}\.\d{6}Z\.mech")


class Version(NamedTuple):
    """place: of the kept file.  saved: when, in UTC.  picture: of the drawing, None for none."""

    place: Path
    saved: datetime
    picture: Path | None


def folder_of(path: str | os.PathLike[str]) -> Path:
    """Folder of the versions of a project file."""
    real: str = os.path.realpath(os.fspath(path))
    name = hashlib.sha256(real.encode(errors="surrogateescape")).hexdigest()[:16]
    return data_folder() / "versions" / f"{Path(real).stem[:40]}-{name}"


def versions(path: str | os.PathLike[str]) -> list[Version]:
    """Versions of a project file, newest first."""
    try:
        names = sorted(os.listdir(folder_of(path)), reverse=True)
    except OSError:
        return []
    found: list[Version] = []
    for name in filter(_NAMED.fullmatch, names):
        place = folder_of(path) / name
        saved = datetime.strptime(place.stem, _STAMP).replace(tzinfo=UTC)
        picture = place.with_suffix(PICTURE)
        found.append(Version(place, saved, picture if picture.is_file() else None))
    return found


def keep(
    path: str | os.PathLike[str], picture: bytes | None = None, now: datetime | None = None
) -> None:
    """Keep what a project file holds as its newest version, and forget the oldest beyond KEPT; a
    version that is the newest already is not kept twice.  picture: PNG.

    Raises OSError where the file cannot be read or the folder cannot be written.
    """
    data = Path(path).read_bytes()
    known = versions(path)
    if known and known[0].place.read_bytes() == data:
        return
    # a clock that was set back does not change the order
    moment = max([now or datetime.now(UTC), *(known[0].saved + TICK for _ in known[:1])])
    place = folder_of(path) / f"{moment.strftime(_STAMP)}{ENDING}"
    place.parent.mkdir(parents=True, exist_ok=True)
    if picture is not None:
        durable.write(place.with_suffix(PICTURE), picture)
    durable.write(place, data)
    for old in versions(path)[KEPT:]:
        for gone in (old.place, old.place.with_suffix(PICTURE)):
            with contextlib.suppress(OSError):
                gone.unlink()


def load_version(version: Version, path: str | os.PathLike[str]) -> Loaded:
    """The project of a version; path: of its project file, beside which pictures are looked for.
    Raises ProjectFileError, OSError.
    """
    loaded = decode(version.place.read_bytes())
    project, findings = pictures.found(loaded.project, Path(os.path.realpath(path)).parent)
    return Loaded(project, loaded.camera, (*loaded.findings, *findings))
