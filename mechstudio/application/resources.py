"""Paths of the files that ship beside the code: icons, fonts, theme, samples."""

import pathlib

from mechstudio.translation import tr

_PACKAGE = pathlib.Path(__file__).resolve().parent.parent


def _folder(installed: str, checkout: str) -> pathlib.Path:
    """The folder inside the installed package or, in a checkout, beside the package.  Raises
    FileNotFoundError.
    """
    for folder in (_PACKAGE / installed, _PACKAGE.parent / checkout):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(
        tr(
            "The installation has no folder {checkout}: it is incomplete. Install mechstudio "
            "again.",
            checkout=checkout,
        )
    )


def resource(*parts: str) -> pathlib.Path:
    """The path of a shipped file or folder, e.g. resource("icons", "play.svg").  Raises
    FileNotFoundError with a cure.
    """
    path = _folder("_resources", "resources").joinpath(*parts)
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
    return _folder("_samples", "samples")
