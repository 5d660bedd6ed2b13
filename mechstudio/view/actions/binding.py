"""Actions as Qt actions: one object each, shared by menu, key, button and palette."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions.joints import CHANGES, drive_joint
from mechstudio.application.actions.registry import (
    MENUS,
    Action,
    actions,
    by_id,
    context_actions,
)
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

# text, tooltip and callback of each line of a submenu, called when it opens
Entries = Callable[[], list[tuple[str, str, Callable[[], object]]]]


class Actions:
    """Builds the menus; `refresh` brings texts, ticks and greyness up to date."""

    def __init__(self, window: "MainWindow") -> None:
        self._window, self._studio = window, window.studio
        self._acting = False  # a command has not come to its end
        self._rows = actions()
        self._reasons: dict[str, str] = {}  # for which actions are disabled, as they stand in Qt
        self._inner: dict[str, QtWidgets.QMenu] = {}  # submenus, by "View/Theme"
        self.by_id: dict[str, QtGui.QAction] = {}
        for row in self._rows:
            action = QtGui.QAction(tr(row.text).replace("&", "&&"), window)
            action.setObjectName(row.id)
            action.setShortcuts([QtGui.QKeySequence(s) for s in row.keys])
            action.setCheckable(row.checked is not None)
            # held, F1 shows the keys once
            action.setAutoRepeat("F1" not in row.keys)
            action.triggered.connect(lambda _=False, row=row: self.trigger(row))
            window.addAction(action)
            self.by_id[row.id] = action
        # a disabled action does not answer to its key, so what is possible must be known at every
        # moment
        studio = self._studio
        studio.document.state_changed.connect(self.refresh)
        for signal in (
            studio.selection.changed,
            studio.files.opened,
            studio.questions.solver_changed,
            studio.questions.analysed,
            studio.runs.recorded,
            studio.runs.playback.section_changed,
            studio.questions.assembly.proposed,
        ):
            signal.connect(self._refresh_possible)
        self.refresh()

    def rekey(self, keys: Mapping[str, tuple[str, ...]] | None) -> None:
        """Give actions other keys, by their ids, and none to all others; None gives each its own
        back.
        """
        for row in self._rows:
            now = row.keys if keys is None else keys.get(row.id, ())
            self.by_id[row.id].setShortcuts([QtGui.QKeySequence(s) for s in now])

    def of(self, action: Action[Any]) -> QtGui.QAction:
        """The Qt action of an action."""
        return self.by_id[action.id]

    def _refresh_possible(self) -> None:
        if not self._acting:
            known: dict[Callable, str] = {}
            for row in self._rows:
                self._enable(row, known)

    def _enable(self, row: Action[Any], known: dict[Callable, str]) -> None:
        """Enable an action if it is possible now, else give the reason in its tooltip.  known:
        reasons of conditions so far.
        """
        reason = known.get(row.unless)
        if reason is None:
            reason = known[row.unless] = row.unless(self._studio)
        # Qt notifies every button and menu, even without a change
        if reason != self._reasons.get(row.id):
            self._reasons[row.id] = reason
            self.by_id[row.id].setEnabled(not reason)
            self.by_id[row.id].setToolTip(tr(reason) if reason else "")

    def _subject(self, row: Action[Any]) -> object:
        return self._window if row.window else self._studio

    def trigger(self, action: Action[Any] | str) -> None:
        """Do an action, given itself or by its id, if it may be done now."""
        row = by_id(action) if isinstance(action, str) else action
        self._enable(row, {})
        before, self._acting = self._acting, True
        try:
            if self.of(row).isEnabled():
                row(self._subject(row))
        finally:
            self._acting = before
        # once for all that the command has changed
        self.refresh()

    def refresh(self) -> None:
        """Bring every action up to date with the studio."""
        if self._acting:
            return
        known: dict[Callable, str] = {}
        for row in self._rows:
            self._enable(row, known)
            action = self.by_id[row.id]
            if row.detail is not None:
                detail = row.detail(self._studio)
                text = tr(row.text)
                if detail:
                    text = tr("{action}: {detail}", action=text, detail=detail)
                action.setText(text.replace("&", "&&"))
            if row.checked is not None:
                action.setChecked(row.checked(self._subject(row)))

    def submenu(self, action: Action[Any]) -> QtWidgets.QMenu:
        """The submenu that an action stands in."""
        return self._inner[action.menu]

    @staticmethod
    def titles(bar: QtWidgets.QMenuBar) -> dict[str, QtWidgets.QMenu]:
        """Empty menus, by their English names."""
        return {name: bar.addMenu(tr(name)) for name in MENUS}

    def fill(
        self,
        menus: dict[str, QtWidgets.QMenu],
        files: dict[Action[Any], dict[str, Entries]],
    ) -> None:
        """Put the actions in.  files: entries of the submenus that follow an action, by their
        titles.
        """
        for name, menu in menus.items():
            menu.setToolTipsVisible(True)
            menu.aboutToShow.connect(self.refresh)
            for row in self._rows:
                if row.path[0] != name:
                    continue
                if row.section:
                    self._inner.get(row.menu, menu).addSeparator()
                target = menu
                if len(row.path) > 1:
                    if row.menu not in self._inner:
                        self._inner[row.menu] = menu.addMenu(tr(row.path[1]))
                        self._inner[row.menu].setToolTipsVisible(True)
                        self._inner[row.menu].aboutToShow.connect(self.refresh)
                    target = self._inner[row.menu]
                target.addAction(self.by_id[row.id])
                for title, entries in files.get(row, {}).items():
                    self._file_menu(target, title, entries)

    def popup(self, parent: QtWidgets.QWidget, place: QtCore.QPoint) -> QtWidgets.QMenu:
        """A menu of the actions on the selection, at a place of the screen."""
        self.refresh()
        menu = QtWidgets.QMenu(parent)
        menu.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        section = 0
        for row in context_actions():
            if row.context // 10 != section:
                if section:
                    menu.addSeparator()
                section = row.context // 10
            if self.of(row).isEnabled():
                menu.addAction(self.of(row))
                if row is drive_joint:  # its types stand below it
                    self._borrow(menu, next(iter(CHANGES.values())))
        menu.popup(place)
        return menu

    def menu_of(
        self,
        parent: QtWidgets.QWidget,
        place: QtCore.QPoint,
        rows: Iterable[Action[Any] | None],
    ) -> QtWidgets.QMenu:
        """A menu of some actions at a place of the screen, None for a line.  Of an action in a
        submenu the whole submenu stands there.
        """
        self.refresh()
        menu = QtWidgets.QMenu(parent)
        menu.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        self.put(menu, rows)
        menu.popup(place)
        return menu

    def put(self, menu: QtWidgets.QMenu, rows: Iterable[Action[Any] | None]) -> None:
        """Put actions into a menu, as `menu_of` has them."""
        menu.setToolTipsVisible(True)
        for row in rows:
            if row is None:
                menu.addSeparator()
            elif len(row.path) > 1:
                self._borrow(menu, row)
            else:
                menu.addAction(self.of(row))

    def _borrow(self, menu: QtWidgets.QMenu, row: Action[Any]) -> None:
        """Show the submenu of an action in another menu too.  Not by addMenu, with which PySide
        gives it to that menu: it would be gone with the first that closes.
        """
        menu.addAction(self.submenu(row).menuAction())

    @staticmethod
    def _file_menu(menu: QtWidgets.QMenu, title: str, entries: Entries) -> None:
        inner = menu.addMenu(tr(title))
        inner.setToolTipsVisible(True)

        def fill() -> None:
            inner.clear()
            found = entries()
            for text, tip, callback in found:
                action = inner.addAction(text.replace("&", "&&"))
                action.setToolTip(tip)
                action.triggered.connect(lambda _=False, callback=callback: callback())
            if not found:
                inner.addAction(tr("None")).setEnabled(False)

        inner.aboutToShow.connect(fill)


def key_text(action: Action[Any]) -> str:
    """First shortcut of an action as this system writes it."""
    return (
        QtGui.QKeySequence(action.keys[0]).toString(QtGui.QKeySequence.SequenceFormat.NativeText)
        if action.keys
        else ""
    )
