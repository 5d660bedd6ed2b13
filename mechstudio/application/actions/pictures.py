"""Pictures under the drawing: inserting, choosing another file, and following files that were
copied on save; part of Studio.
"""

import os
from pathlib import Path

from mechstudio.application.notifications import Message
from mechstudio.application.part import Part
from mechstudio.files.pictures import LARGEST, SUFFIXES, Stowed, is_picture_file, with_paths
from mechstudio.model.edits import elements
from mechstudio.model.edits.pictures import add_picture
from mechstudio.model.geometry.rotation import Triple

__all__ = ["SUFFIXES", "Pictures", "is_picture_file", "picture_problem"]


def picture_problem(path: str | Path) -> str:
    """Why a file cannot be inserted, apart from what it holds; empty if it can."""
    name = Path(path).name
    try:
        size = os.stat(path).st_size
    except OSError as error:
        return f"{name} cannot be opened ({error.strerror})."
    if size > LARGEST:
        return (
            f"{name} has {size / 1e6:.0f} MB, and a picture may have {LARGEST / 1e6:.0f} MB: "
            "save it smaller in a picture program first."
        )
    return ""


class Pictures(Part):
    """Picture edits, as a part of Studio; every edit is one undo step."""

    def insert_picture(self, path: str | Path, aspect: float, center: Triple, width: float) -> str:
        """Lay a picture on the work plane and ask at once for its scale.  aspect: height over
        width; center [m, W]; width [m].  Returns its id.
        """
        path = Path(os.path.abspath(path))
        self.withdraw("picture")
        self.bench.rest()
        project, id = add_picture(
            self.document.project,
            str(path),
            path.stem.strip() or "picture",
            self.bench.context.plane,
            center,
            width,
            aspect,
        )
        self.document.commit(f"Insert picture {project.pictures[id].name}", project)
        self.selection.select(id)
        self.scale_picture(id)
        return id

    def scale_picture(self, id: str) -> None:
        """Ask for two points of a picture and their distance."""
        self.bench.take("scale_picture", id=id)

    def exchange_picture(self, id: str, path: str | Path, aspect: float) -> None:
        """Show another file in a picture's place, as wide as it was."""
        project = elements.set_attribute(
            self.document.project, id, path=os.path.abspath(path), aspect=aspect
        )
        self.withdraw("picture")
        self.document.commit(f"File of {self.name(id)} {Path(path).name}", project)

    def refuse_picture(self, sentence: str) -> None:
        """Say why a file is no picture."""
        self.say(Message("warning", sentence, "picture"))

    def follow_pictures(self, stowed: Stowed) -> None:
        """After a save: pictures are shown from where they were copied to, also in the steps that
        can be undone.
        """
        if stowed.moved:
            self.document.rewrite(
                lambda project: with_paths(project, lambda path: stowed.moved.get(path, path))
            )
        if stowed.told:
            self.say(Message("info", " ".join(stowed.told), "picture"))
        else:
            self.withdraw("picture")
