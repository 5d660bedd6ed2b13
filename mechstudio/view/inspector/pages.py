"""The pages of the inspector.  Most bodies have the same lines, and so have most joints: a page
that is put away shows the next of its kind, for a part of what building one costs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.model import fields
from mechstudio.model.mechanism import GROUND, Body, Joint
from mechstudio.model.project import Project

if TYPE_CHECKING:
    from mechstudio.view.inspector.laws.editor import LawText
    from mechstudio.view.widgets.fields.number_field import NumberField

KEPT = 4  # pages that are put away; with each the whole window is styled a little slower


def kind_of(
    id: str, element: object, shown: tuple[fields.Field, ...], further: tuple
) -> tuple | None:
    """Key that elements share whose pages have the same lines; None for those that have a page of
    their own.

    shown: fields of the element.  further: what else decides which lines there are.  The lines
    follow everything that is not in it.
    """
    if isinstance(element, Body):
        shapes = tuple(
            (s.type, s.mesh.source if s.mesh is not None else "") for s in element.shapes
        )
        return (
            "body",
            id == GROUND,
            shown,
            shapes,
            tuple((p.name, p.orientation is not None) for p in element.points),
        )
    if isinstance(element, Joint) and not element.limits and element.curve is None:
        return ("joint", element.type, shown)
    return ("project", further) if not id else None


class Leaf:
    """One page.  Its widgets read the element from `id`, since that changes.

    refreshers, on_time: called when the drawing, or the time cursor, is another.  arrivals: called
    when the page comes back, before these.
    """

    def __init__(self, kind: tuple | None, id: str) -> None:
        self.kind, self.id = kind, id
        self.widget = QtWidgets.QWidget()
        self.numbers: list[NumberField] = []
        self.texts: dict[
            tuple[str, fields.Path], LawText
        ] = {}  # expressions of laws, by element and place
        self.refreshers: list[Callable[[], None]] = []
        self.on_time: list[Callable[[], None]] = []
        self.arrivals: list[Callable[[], None]] = []

    def show_of(self, id: str) -> None:
        """From now on it is the page of another element of its kind."""
        if id != self.id:
            self.id = id
            for number in self.numbers:
                number.id = id
        for number in self.numbers:
            # what was typed into what is gone by now
            number.suspend()
            number.answered = None


class Draft:
    """A page that is hidden until it has all its lines.  project, signature: those it is made for.
    steps: makes some lines at a time.
    """

    def __init__(
        self, project: Project, signature: tuple, leaf: Leaf, steps: Iterator[None]
    ) -> None:
        self.project, self.signature, self.leaf, self._steps = project, signature, leaf, steps
        self.is_done = False

    def go_on(self, seconds: float) -> None:
        """Make lines, some at least, for so many seconds of computing or until there are all."""
        end = time.thread_time() + seconds
        while not self.is_done:
            self.is_done = next(self._steps, self) is self
            if time.thread_time() > end:
                break


class Leaves:
    """The pages in a column: one that is shown, and the last few kinds besides."""

    def __init__(self, box: QtWidgets.QVBoxLayout) -> None:
        self._box = box
        self._kept: list[Leaf] = []  # the one put away last at the end
        self.shown: Leaf | None = None

    def blank(self, kind: tuple | None, id: str) -> Leaf:
        """A new page without lines, hidden: it is either turned to or dropped."""
        leaf = Leaf(kind, id)
        leaf.widget.hide()
        self._box.addWidget(leaf.widget)
        return leaf

    def has(self, kind: tuple | None) -> bool:
        """True if a page of a kind exists that could be shown."""
        return kind is not None and any(
            leaf.kind == kind for leaf in (self.shown, *self._kept) if leaf is not None
        )

    def turn(self, kind: tuple | None, id: str, drafted: Leaf | None = None) -> None:
        """Put the page away and make one of a kind the present one, still hidden: the drafted one,
        else one that was kept, else one without lines.
        """
        before = self.shown
        if before is not None:
            # what is being typed is taken for the element that it still shows
            before.widget.hide()
        pages = [*self._kept, *([before] if before is not None and before.kind is not None else [])]
        kept = (
            next((leaf for leaf in pages if leaf.kind == kind), None) if drafted is None else None
        )
        if kept in self._kept:
            # first of all: it may be the next one to go
            self._kept.remove(kept)
        if before is not None and before is not kept:
            self._keep(before)
        self.shown = drafted or kept or self.blank(kind, id)

    def _keep(self, leaf: Leaf) -> None:
        if leaf.kind is None:
            self.drop(leaf)
            return
        self._kept.append(leaf)
        if len(self._kept) > KEPT:
            self.drop(self._kept.pop(0))

    def forget(self) -> None:
        """Keep none, the present one neither once it is put away; they are gone when this
        returns.
        """
        while self._kept:
            leaf = self._kept.pop()
            self.drop(leaf)
            QtCore.QCoreApplication.sendPostedEvents(leaf.widget, QtCore.QEvent.Type.DeferredDelete)
        if self.shown is not None:
            self.shown.kind = None

    def drop(self, leaf: Leaf) -> None:
        """Throw a page away that is not shown."""
        # without its parent it would be styled once more
        self._box.removeWidget(leaf.widget)
        leaf.widget.deleteLater()
