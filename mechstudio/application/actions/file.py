"""Files of the document: opened, saved, and what came back after a crash; part of Studio."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from mechstudio.application.files.recovery import Safekeeping
from mechstudio.application.notifications import OF_THE_PROGRAM, Message
from mechstudio.application.part import Part
from mechstudio.application.preferences import Preferences
from mechstudio.application.signal import Signal
from mechstudio.files.durable import WriteFailed
from mechstudio.files.pictures import Stowed
from mechstudio.files.project_file import Loaded, ProjectFileError, load, save
from mechstudio.model.findings import Finding
from mechstudio.model.geometry.work_plane import FRONT
from mechstudio.model.project import Camera, Project


class Filing(Part):
    """File commands, as a part of Studio.  camera_now(): camera of the view, None while there is no
    view.  camera_wanted: camera that the opened file requests.
    """

    preferences: Preferences
    safekeeping: Safekeeping
    opened: Signal
    camera_wanted: Camera | None
    camera_now: Callable[[], Camera | None]
    follow_pictures: Callable[[Stowed], None]

    def new(self) -> None:
        self.show_project(Project(), None, None)

    def open(self, path: str | Path, as_copy: bool = False) -> bool:
        """Open a file, or a copy of it that has no place on disk yet; on failure say why and leave
        everything as it is.
        """
        try:
            loaded = load(path)
        except (ProjectFileError, OSError) as error:
            self.say_unread(path, error)
            return False
        self.take_file(path, loaded, as_copy)
        return True

    def say_unread(self, path: str | Path, error: Exception) -> None:
        """A file could not be opened."""
        self.say(Message("error", self.sentence(path, error), "file"))

    def take_file(self, path: str | Path, loaded: Loaded, as_copy: bool) -> None:
        """Show a project that was read from a file as the document; a copy gets no path."""
        self.withdraw("file")
        self.show_project(
            loaded.project, None if as_copy else str(path), loaded.camera, loaded.findings
        )
        if not as_copy:
            self.preferences.add_recent(str(path))

    @staticmethod
    def sentence(path: str | Path, error: Exception) -> str:
        """Error message of a file operation, with the name of the file."""
        name = Path(path).name
        if isinstance(error, FileNotFoundError):
            return f"{name} is not there any more: it was moved or deleted."
        if isinstance(error, OSError) and not isinstance(error, WriteFailed):
            return f"{name}: {error.strerror or error}. Nothing was changed."
        return str(error)

    def show_project(
        self,
        project: Project,
        path: str | None,
        camera: Camera | None,
        findings: tuple[Finding, ...] = (),
    ) -> None:
        """Make this the document, as it stands in the file at `path`; findings are what reading it
        had to remark.
        """
        self.bench.rest()
        self.playback.to_design()
        self.selection.select()
        self.camera_wanted = camera
        self.bench.context.locked = camera is not None and camera.locked
        self.bench.set_plane(
            camera.plane if camera is not None and camera.plane is not None else FRONT
        )
        self.kept_runs.forget()
        self.leave_messages(OF_THE_PROGRAM)
        self.document.load(project, path)
        if findings:
            text = " ".join(f"{f.message} {f.cure}".strip() for f in findings[:2])
            more = f" And {len(findings) - 2} more notes." if len(findings) > 2 else ""
            kind = "warning" if any(f.severity != "info" for f in findings) else "info"
            self.say(Message(kind, text + more, "load"))
        self.safekeeping.opened(path)
        self.opened.emit()

    def save(self, path: str | Path, anyway: bool = False) -> bool:
        """Write the document with the present camera; on failure say why.  anyway: also over
        changes of another program.
        """
        if not anyway and self.safekeeping.changed_elsewhere(str(path)):
            self.say(
                Message(
                    "warning",
                    f"{Path(path).name} was changed by another window or program since it "
                    "was opened here. Saving replaces those "
                    f"changes; they stay in {Path(path).name}~.",
                    "file",
                    (("Save anyway", "save_anyway"),),
                )
            )
            return False
        try:
            stowed = save(path, self.document.project, self._view_now())
        except (ProjectFileError, OSError) as error:
            self.say(Message("error", self.sentence(path, error), "file"))
            return False
        self.withdraw("file")
        self.follow_pictures(stowed)
        self.document.mark_saved(str(path))
        self.safekeeping.saved(str(path))
        self.preferences.add_recent(str(path))
        return True

    def _view_now(self) -> Camera | None:
        """The camera with the work plane, as they are kept in the file."""
        camera, plane = self.camera_now(), self.bench.context.plane
        return (
            None
            if camera is None
            else msgspec.structs.replace(
                camera, plane=None if plane == FRONT else plane, locked=self.bench.context.locked
            )
        )

    def save_anyway(self) -> None:
        if self.document.path is not None:
            self.save(self.document.path, anyway=True)

    def keep_restored(self) -> None:
        """The user wants the restored changes; they stay unsaved until saved."""
        self.withdraw("restored")

    def discard_restored(self) -> None:
        """Back to the file as it was saved; redo brings the restored changes again."""
        self.withdraw("restored")
        self.document.undo()
