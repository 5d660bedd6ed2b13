"""The last saves of the document's file, compared with it and brought back."""

from collections.abc import Callable

from mechstudio.application.document import Document
from mechstudio.application.notifications import Message, Notifications
from mechstudio.files import versions
from mechstudio.files.comparison import differences
from mechstudio.files.project_file import ProjectFileError
from mechstudio.files.versions import Version
from mechstudio.model.project import Project
from mechstudio.translation import tr

__all__ = ["Version", "Versions", "spoken"]


def spoken(version: Version) -> str:
    """Day and time of a version by the clock of this place."""
    return version.saved.astimezone().strftime("%d %b %Y, %H:%M:%S")


class Versions:
    """Versions of one document's file."""

    def __init__(
        self, document: Document, notifications: Notifications, active: bool = True
    ) -> None:
        """active: False keeps nothing, for pictures."""
        self._document, self._notifications, self._active = document, notifications, active

    def keep(self, path: str, picture: Callable[[], bytes | None]) -> None:
        """Keep what was just saved; where that fails, say why."""
        if not self._active:
            return
        try:
            versions.keep(path, picture())
        except OSError as error:
            reason = error.strerror or str(error)
            text = tr("The file is saved, but no version of it is kept: {reason}.", reason=reason)
            self._notifications.say(Message("info", text, "versions"))
        else:
            self._notifications.withdraw("versions")

    def kept(self) -> list[Version]:
        """Versions of the document's file, newest first."""
        return [] if self._document.path is None else versions.versions(self._document.path)

    def changes(self, version: Version, system: str) -> list[str]:
        """Sentences on what differs between a version and the drawing.  system: of units."""
        try:
            before = self._project(version)
        except (ProjectFileError, OSError) as error:
            return [str(error)]
        found = differences(before, self._document.project, system)
        return [each.sentence for each in found]

    def restore(self, version: Version) -> None:
        """Bring a version back, as a step that can be undone; where it cannot be read, say why."""
        try:
            project = self._project(version)
        except (ProjectFileError, OSError) as error:
            self._notifications.say(Message("error", str(error), "versions"))
            return
        label = tr("Restore the version of {time}", time=spoken(version))
        self._document.commit(label, project)

    def _project(self, version: Version) -> Project:
        return versions.load_version(version, self._document.path or "").project
