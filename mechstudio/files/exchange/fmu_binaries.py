"""Binaries that an FMU holds, in a sentence."""

import io
import zipfile

from mechstudio.translation import comma, tr


def binaries_sentence(content: bytes) -> str:
    """For which system an FMU holds a binary, or that it holds its sources alone."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
    systems = sorted({name.split("/")[1] for name in names if name.startswith("binaries/")})
    if systems:
        return tr(
            "The FMU holds its sources and a binary for {system}.", system=comma().join(systems)
        )
    return tr(
        "The FMU holds its sources and no binary, since no C compiler was found here or it failed: "
        "compile sources/ where it shall run."
    )
