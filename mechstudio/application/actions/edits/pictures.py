"""Pictures under the drawing: inserting one and choosing another file."""

import os
from pathlib import Path

from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.files.pictures import LARGEST, SUFFIXES, is_picture_file
from mechstudio.model.edits import elements
from mechstudio.model.edits.pictures import add_picture
from mechstudio.model.geometry.rotation import Triple
from mechstudio.translation import tr

__all__ = ["SUFFIXES", "is_picture_file", "picture_problem"]


def picture_problem(path: str | Path) -> str:
    """Reason why a file cannot be inserted, apart from its content; empty if it can."""
    name = Path(path).name
    try:
        size = os.stat(path).st_size
    except OSError as error:
        return tr("{name} cannot be opened ({strerror}).", name=name, strerror=error.strerror)
    if size > LARGEST:
        return tr(
            "{name} has {size:.0f} MB, and a picture may have {largest:.0f} MB: save it smaller "
            "in a picture program first.",
            name=name,
            size=size / 1e6,
            largest=LARGEST / 1e6,
        )
    return ""


def insert_picture(
    studio: Studio, path: str | Path, aspect: float, center: Triple, width: float
) -> str:
    """Lay a picture on the work plane and ask at once for its scale.  aspect: height over
    width; center [m, W]; width [m].  Returns its id.
    """
    path = Path(os.path.abspath(path))
    studio.notifications.withdraw("picture")
    studio.tools.rest()
    project, id = add_picture(
        studio.document.project,
        str(path),
        path.stem.strip() or "picture",
        studio.tools.context.plane,
        center,
        width,
        aspect,
    )
    studio.document.commit(
        tr("Insert picture {picture}", picture=project.pictures[id].name), project
    )
    studio.selection.select(id)
    scale_picture(studio, id)
    return id


def scale_picture(studio: Studio, id: str) -> None:
    """Ask for two points of a picture and their distance."""
    studio.tools.take("scale_picture", id=id)


def exchange_picture(studio: Studio, id: str, path: str | Path, aspect: float) -> None:
    """Show another file in a picture's place, as wide as it was."""
    project = elements.set_attribute(
        studio.document.project, id, path=os.path.abspath(path), aspect=aspect
    )
    studio.notifications.withdraw("picture")
    studio.document.commit(
        tr("File of {id} {path}", id=studio.document.name(id), path=Path(path).name), project
    )


def refuse_picture(studio: Studio, sentence: str) -> None:
    """Say why a file is no picture."""
    studio.notifications.say(Message("warning", sentence, "picture"))
