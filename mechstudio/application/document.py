"""The open project: one frozen value at a time, its history, and one signal when it changes."""

import time
from collections.abc import Callable
from typing import NamedTuple

from mechstudio.application.signal import Signal
from mechstudio.model import fields
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.project import Project

HISTORY = 1000


class Snapshot(NamedTuple):
    """A state of the project and the label of the edit that led to it."""

    label: str
    project: Project


class Document:
    """Holds the current project; every edit passes through `commit`.

    changed(old, new): emitted after every commit, undo, redo and load, with the two projects; views
    diff them by identity.
    state_changed(): emitted when path or modified mark change.
    saved_at: when it was saved last since it was opened, by time.monotonic() [s]; None if never.
    """

    def __init__(self, project: Project = Project(), path: str | None = None) -> None:
        self.changed = Signal()
        self.state_changed = Signal()
        self.path = path
        self._history = [Snapshot("Open", project)]
        self._at = 0
        self._saved = project
        self.saved_at: float | None = None
        self._movement = ""
        self._size: tuple[object, float] = (None, 1.0)
        self._forgotten = (
            False  # whether steps before the first one of the history were left behind
        )

    @property
    def project(self) -> Project:
        return self._history[self._at].project

    @property
    def has_bodies(self) -> bool:
        return bool(self.project.mechanism.bodies)

    def known(self) -> set[str]:
        """Ids of everything that can be selected."""
        return {id for id, _ in fields.elements(self.project)}

    def name(self, id: str) -> str:
        """Name of an element as the user calls it; "" for none."""
        if id in fields.OF_PROJECT:
            return id
        return fields.find(self.project, id).name if id else ""

    @property
    def size(self) -> float:
        """Size of the mechanism [m]."""
        m = self.project.mechanism
        if self._size[0] is not m:
            self._size = (m, m.size())
        return self._size[1]

    @property
    def is_modified(self) -> bool:
        return self.project is not self._saved and self.project != self._saved

    @property
    def history(self) -> tuple[list[str], int]:
        """Labels of all snapshots, oldest first, and the index of the current one."""
        return [s.label for s in self._history], self._at

    @property
    def steps(self) -> tuple[Snapshot, ...]:
        """Snapshots up to the present one, oldest first."""
        return tuple(self._history[: self._at + 1])

    def is_saved(self, project: Project) -> bool:
        """True if a project is what stands in the file."""
        return self.path is not None and (project is self._saved or project == self._saved)

    @property
    def is_whole(self) -> bool:
        """True if the history still goes back to the state that was opened."""
        return not self._forgotten

    @property
    def label(self) -> str:
        """Label of the edit that led to the present state."""
        return self._history[self._at].label

    @property
    def movement(self) -> str:
        """Name of the movement that goes on (see `commit`); empty for none."""
        return self._movement

    @property
    def undo_label(self) -> str:
        """Label of the step that undo would revert; empty if there is none."""
        return self._history[self._at].label if self._at > 0 else ""

    @property
    def redo_label(self) -> str:
        """Label of the step that redo would repeat; empty if there is none."""
        return self._history[self._at + 1].label if self._at + 1 < len(self._history) else ""

    def commit(self, label: str, project: Project, part_of: str = "") -> None:
        """Make `project` the current state; an edit that changes nothing leaves no trace.

        part_of: names a movement that goes on, as of a slider that is held; its later edits take
        the place of its first one.
        """
        old = self.project
        if project is old or project == old:
            return
        del self._history[self._at + 1 :]
        if part_of and part_of == self._movement and self._at > 0:
            self._history.pop()
        self._movement = part_of
        if project == self._history[-1].project:
            # the movement came back to where it began: its step is gone, and its next edit must not
            # take the one before
            self._movement = ""
        else:
            self._history.append(Snapshot(label, project))
        if len(self._history) > HISTORY + 1:
            del self._history[0]
            self._forgotten = True
        self._at = len(self._history) - 1
        self._emit_changed(old)

    def change(self, label: str, edit: Callable[[Project], Project]) -> str:
        """Do an edit as one undo step; returns why it cannot be, "" if it was done."""
        try:
            project = edit(self.project)
        except ExpressionError as error:
            return str(error)
        self.commit(label, project)
        return ""

    def start_of(self, part_of: str) -> Project:
        """The project that a movement (see `commit`) began with; the present one where none of that
        name goes on.
        """
        goes_on = part_of and part_of == self._movement and self._at > 0
        return self._history[self._at - 1].project if goes_on else self.project

    def undo(self) -> None:
        self.go_to(self._at - 1)

    def redo(self) -> None:
        self.go_to(self._at + 1)

    def go_to(self, index: int) -> None:
        """Undo or redo to a state of the history by its index, in one change."""
        index = min(max(index, 0), len(self._history) - 1)
        if index != self._at:
            old, self._movement = self.project, ""
            self._at = index
            self._emit_changed(old)

    def go_back_to(self, project: Project) -> None:
        """Make an earlier state the present one: what came after it can be redone.  A state that
        the history no longer has becomes a new step.
        """
        index = next((k for k, s in enumerate(self._history) if s.project is project), None)
        if index is None:
            self.commit(self._history[self._at].label, project)
        else:
            self.go_to(index)

    def load(self, project: Project, path: str | None, label: str = "Open") -> None:
        """Replace everything by a freshly opened project; the history starts again."""
        old, self._movement = self.project, ""
        self._history, self._at, self._saved, self.path = (
            [Snapshot(label, project)],
            0,
            project,
            path,
        )
        self._forgotten, self.saved_at = False, None
        self._emit_changed(old)

    def take_over(self, other: "Document") -> None:
        """Continue with another document's project, history and path."""
        old = self.project
        self._history, self._at, self._saved = list(other._history), other._at, other._saved
        self.path, self._forgotten, self.saved_at = other.path, other._forgotten, other.saved_at
        self._movement = ""
        self._emit_changed(old)

    def rewrite(self, change: Callable[[Project], Project]) -> None:
        """Change every state of the history alike, as after a file moved on disk; that is no edit
        and no step to undo.
        """
        old = self.project
        self._history = [Snapshot(s.label, change(s.project)) for s in self._history]
        self._saved = change(self._saved)
        if self.project is not old:
            self._emit_changed(old)

    def mark_saved(self, path: str) -> None:
        """The current state is what stands on disk at `path`."""
        self._saved, self.path, self._movement = self.project, path, ""
        self.saved_at = time.monotonic()
        self.state_changed.emit()

    def _emit_changed(self, old: Project) -> None:
        self.changed.emit(old, self.project)
        self.state_changed.emit()
