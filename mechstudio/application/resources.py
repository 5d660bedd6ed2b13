"""Paths of the files that ship beside the code: icons, fonts, theme, samples."""

import pathlib

from mechstudio import folders
from mechstudio.translation import tr


def resource(*parts: str) -> pathlib.Path:
    """The path of a shipped file or folder, e.g. resource("icons", "play.svg").  Raises
    FileNotFoundError with a cure.
    """
    path = folders.resource_folder(parts[0]).joinpath(*parts[1:])
    if not path.exists():
        raise FileNotFoundError(
            tr(
                "The installation lacks {parts}: it is incomplete. Install mechstudio again.",
                parts="/".join(parts),
            )
        )
    return path


def sample_folder() -> pathlib.Path:
    """The folder of the sample projects.  Raises FileNotFoundError with a cure."""
    folder = folders.sample_folder()
    if not folder.is_dir():
        raise FileNotFoundError(
            tr(
                "The installation has no folder {checkout}: it is incomplete. Install mechstudio "
                "again.",
                checkout=folder.name,
            )
        )
    return folder
