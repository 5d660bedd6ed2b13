"""The rows of application/actions/registry.py as Qt actions: one object per row, shared by menu,
key, button and palette.
"""

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions.registry import ACTIONS, CONTEXT, MENUS, SUBMENUS, Action
from mechstudio.application.studio import Studio
from mechstudio.view.translation import tr


class Actions:
    """Builds the menus; `refresh` brings texts, ticks and greyness up to date."""

    def __init__(self, window: QtWidgets.QMainWindow, studio: Studio, commands: object) -> None:
        """commands: has a method per action id, and the yes-or-no properties that actions name as
        `checked`.
        """
        self._studio, self._commands = studio, commands
        self._acting = False  # a command has not come to its end
        self.by_id: dict[str, QtGui.QAction] = {}
        for row in ACTIONS:
            action = QtGui.QAction(tr(row.text), window)
            action.setObjectName(row.id)
            action.setShortcuts([QtGui.QKeySequence(s) for s in row.shortcuts])
            action.setCheckable(bool(row.checked))
            # held, F1 shows the keys once
            action.setAutoRepeat(row.id != "shortcuts")
            action.triggered.connect(lambda _=False, id=row.id: self.trigger(id))
            window.addAction(action)
            self.by_id[row.id] = action
        # a disabled action does not answer to its key, so what is possible must be known at every
        # moment
        studio.document.state_changed.connect(self.refresh)
        for signal in (
            studio.selection.changed,
            studio.opened,
            studio.solver_changed,
            studio.analysed,
            studio.recorded,
            studio.proposed,
        ):
            signal.connect(self._refresh_possible)
        self.refresh()

    def _refresh_possible(self) -> None:
        if not self._acting:
            known: dict[str, object] = {}
            for row in ACTIONS:
                self._enable(row, known)

    def _enable(self, row: Action, known: dict[str, object]) -> None:
        """Enable an action if it is possible now, else give the reason in its tooltip.  known:
        answers of the studio so far.
        """
        if row.when not in known:
            known[row.when] = bool(getattr(self._studio, row.when))
        action, possible = self.by_id[row.id], bool(known[row.when])
        action.setEnabled(possible)
        if row.why:
            action.setToolTip(tr(row.text) if possible else getattr(self._studio, row.why))

    def trigger(self, id: str) -> None:
        """Do an action, if it may be done now."""
        action = self.by_id[id]
        self._enable(next(row for row in ACTIONS if row.id == id), {})
        before, self._acting = self._acting, True
        try:
            if action.isEnabled():
                getattr(self._commands, id)()
        finally:
            self._acting = before
        # once for all that the command has changed
        self.refresh()

    def refresh(self) -> None:
        """Bring every action up to date with the studio."""
        if self._acting:
            return
        known: dict[str, object] = {}
        for row in ACTIONS:
            action = self.by_id[row.id]
            self._enable(row, known)
            detail = getattr(self._studio, row.detail) if row.detail else ""
            action.setText(f"{tr(row.text)} {detail}".strip().replace("&", "&&"))
            if row.checked:
                action.setChecked(bool(getattr(self._commands, row.checked)))

    @staticmethod
    def titles(bar: QtWidgets.QMenuBar) -> dict[str, QtWidgets.QMenu]:
        """Empty menus, by their English names."""
        return {name: bar.addMenu(tr(name)) for name in MENUS}

    def fill(
        self,
        menus: dict[str, QtWidgets.QMenu],
        files: dict[str, Callable[[], list[tuple[str, str, Callable[[], object]]]]],
    ) -> None:
        """Put the actions in.  files: title of a submenu -> the (text, tooltip, callback) of its
        entries, asked when it opens.
        """
        for name, menu in menus.items():
            menu.setToolTipsVisible(True)
            menu.aboutToShow.connect(self.refresh)
            inner: dict[str, QtWidgets.QMenu] = {}
            for row in ACTIONS:
                path = row.menu.lstrip("-").split("/")
                if path[0] != name:
                    continue
                if row.menu.startswith("-"):
                    menu.addSeparator()
                target = menu
                if len(path) > 1:
                    if path[1] not in inner:
                        inner[path[1]] = menu.addMenu(tr(path[1]))
                        inner[path[1]].setToolTipsVisible(True)
                        inner[path[1]].aboutToShow.connect(self.refresh)
                    target = inner[path[1]]
                target.addAction(self.by_id[row.id])
                for where, title, after in SUBMENUS:
                    if where == name and after == row.id:
                        self._file_menu(menu, title, files[title])

    def popup(self, parent: QtWidgets.QWidget, place: QtCore.QPoint) -> QtWidgets.QMenu:
        """A menu of what may be done with the selection, at a place of the screen."""
        self.refresh()
        menu = QtWidgets.QMenu(parent)
        menu.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        for id in CONTEXT:
            if not id:
                menu.addSeparator()
            elif self.by_id[id].isEnabled():
                menu.addAction(self.by_id[id])
        menu.popup(place)
        return menu

    @staticmethod
    def _file_menu(
        menu: QtWidgets.QMenu,
        title: str,
        entries: Callable[[], list[tuple[str, str, Callable[[], object]]]],
    ) -> None:
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

    @staticmethod
    def shortcut_text(row: Action) -> str:
        """The first shortcut as this system writes it."""
        return (
            QtGui.QKeySequence(row.shortcuts[0]).toString(
                QtGui.QKeySequence.SequenceFormat.NativeText
            )
            if row.shortcuts
            else ""
        )
