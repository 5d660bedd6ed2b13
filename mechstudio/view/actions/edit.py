"""Actions of the Edit menu that need the window: clipboard, names, history, preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtWidgets

from mechstudio.application.actions import choice, conditions, edit
from mechstudio.application.actions.edits import clipboard
from mechstudio.application.files.python_text import steps_text
from mechstudio.application.mouse import MOUSE_PRESETS, OURS
from mechstudio.application.notifications import Message
from mechstudio.translation import comma, tr
from mechstudio.view.actions.window_action import window_action
from mechstudio.view.bars.history import HistoryPanel
from mechstudio.view.dialogs.preferences import PreferencesSheet

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


def _shows_history(window: MainWindow) -> bool:
    return window.history_panel is not None and window.history_panel.isVisible()


@window_action(
    "History",
    "Edit",
    "Ctrl+H",
    words="undo redo list steps",
    checked=_shows_history,
    before=edit.duplicate,
)
def history(window: MainWindow) -> None:
    """Show or hide the list of all steps."""
    if window.history_panel is None:
        window.history_panel = HistoryPanel(
            window.theme,
            window.studio,
            window.host,
            window.actions_.trigger,
            copy_steps,
            lambda: window.strip.geometry().right(),
        )
        window.history_panel.closed.connect(window.actions_.refresh)
    if _shows_history(window):
        window.history_panel.hide()
    else:
        window.history_panel.show_panel()


@window_action(
    "Copy steps as Python",
    "Edit",
    words="history script code builder macro record clipboard",
    unless=conditions.needs_undo,
    before=edit.duplicate,
)
def copy_steps(window: MainWindow) -> None:
    """Put the steps since the file was saved on the clipboard, as a script."""
    studio = window.studio
    QtWidgets.QApplication.clipboard().setText(steps_text(studio.document))
    text = tr("The steps are copied as Python.")
    studio.notifications.say(Message("info", text, "export", passing=True))


def _copy(window: MainWindow) -> bool:
    """Put the selection on the clipboard as text; True if it is there."""
    text = clipboard.copied_text(window.studio)
    if text:
        QtWidgets.QApplication.clipboard().setText(text)
    return bool(text)


@window_action(
    "Cut",
    "Edit",
    "Ctrl+X",
    words="clipboard move",
    section=True,
    unless=conditions.needs_copyable,
    detail=choice.words,
    context=20,
    before=edit.duplicate,
)
def cut(window: MainWindow) -> None:
    """Put the selection on the clipboard and remove it."""
    if _copy(window):
        edit.remove(window.studio, edit.CUT)


@window_action(
    "Copy",
    "Edit",
    "Ctrl+C",
    icon="copy",
    words="clipboard text",
    unless=conditions.needs_copyable,
    detail=choice.words,
    context=21,
    before=edit.duplicate,
)
def copy(window: MainWindow) -> None:
    """Put the selection on the clipboard."""
    _copy(window)


@window_action(
    "Paste", "Edit", "Ctrl+V", words="clipboard insert text", context=22, before=edit.duplicate
)
def paste(window: MainWindow) -> None:
    """Put what is on the clipboard into the drawing."""
    empty = not window.studio.document.has_bodies
    if clipboard.paste(window.studio, QtWidgets.QApplication.clipboard().text()) and empty:
        window.viewport.framing.fit()


@window_action(
    "Rename",
    "Edit",
    "F2",
    words="name call label",
    section=True,
    unless=conditions.needs_name,
    context=10,
    before=edit.group,
)
def rename(window: MainWindow) -> None:
    """Make the line of the model tree a field for the name."""
    if window.docks.is_filled:
        group = choice.group(window.studio)
        window.docks.tree.begin_rename(
            group.id if group is not None else window.studio.selection.current
        )


@window_action(
    "Preferences…",
    "Edit",
    "Ctrl+,",
    icon="settings",
    words="settings options theme dark light text size units inch metre motion mouse wheel",
    section=True,
)
def preferences(window: MainWindow) -> None:
    """Show the preferences."""
    show_preferences(window)


def offer_mouse(window: MainWindow) -> None:
    """Say once, after the first drag that moved the view, that there are other presets."""
    studio = window.studio
    if studio.preferences.stored.mouse:
        return
    studio.preferences.set(mouse=OURS)
    names = comma().join(tr(row.label) for key, row in MOUSE_PRESETS.items() if key != OURS)
    text = tr("The mouse can move the view as in other programs: {names}.", names=names)

    def choose() -> None:
        studio.notifications.withdraw("mouse")
        show_preferences(window).mouse.setFocus()

    message = Message("info", text, "mouse", ((tr("Choose"), choose),))
    studio.notifications.say(message)


def show_preferences(window: MainWindow) -> PreferencesSheet:
    """Open the sheet of preferences."""
    window.sheet = sheet = PreferencesSheet(window.theme, window, window.studio.preferences)
    sheet.open()
    return sheet
