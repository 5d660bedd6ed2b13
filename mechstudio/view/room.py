"""The room of the window, which one page at a time may have for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6 import QtWidgets

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


class Guest(Protocol):
    """A page that can have the room.  place(): takes its size.  left(): the room is given back."""

    def place(self) -> None: ...
    def left(self) -> None: ...
    def hide(self) -> None: ...


class Room:
    """Panels and what floats over the scene go while a page is there, and come back as they were.

    guest: the page that has the room; None without one.
    """

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.guest: Guest | None = None
        self._before: tuple[bool, tuple[tuple[QtWidgets.QWidget, bool], ...]] = (False, ())
        self._selected: tuple[str, ...] = ()
        window.docks.cleared_changed.connect(self._panels_requested)

    def take(self, guest: Guest) -> None:
        """Give the room to a page; another one leaves it first."""
        window = self._window
        if window.presents and window.present is not None:
            window.present.leave()
        self.restore()
        window.studio.tools.take("select")
        # Esc leaves the page, and is not taken to select nothing
        self._selected = window.studio.selection.selected
        window.studio.selection.select()
        floats = window.floats.widgets
        self._before = (window.docks.cleared, tuple((w, w.isHidden()) for w in floats))
        window.docks.clear()
        self.guest = guest
        for widget in floats:
            widget.hide()
        window.reminder.hide()

    def restore(self) -> None:
        """Give the window back as it was."""
        guest, self.guest = self.guest, None
        if guest is None:
            return
        window = self._window
        guest.left()
        window.show_poses()
        guest.hide()
        cleared, floats = self._before
        for widget, hidden in floats:
            widget.setHidden(hidden)
        if not cleared:
            window.docks.bring_back()
        window.follow_room()
        window.studio.selection.select(*self._selected)
        window.viewport.framing.fit()
        window.viewport.setFocus()
        window.actions_.refresh()

    def _panels_requested(self) -> None:
        """Requested panels have no place beside a page."""
        if not self._window.docks.cleared:
            self.restore()
