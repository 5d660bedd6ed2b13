"""Several files as one zip, the same for the same content."""

import io
import zipfile
from collections.abc import Mapping

OLDEST = (1980, 1, 1, 0, 0, 0)  # time of all files, so that equal contents are equal files


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    """A zip of files by their paths."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, OLDEST), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()
