"""Actions of the View menu on the panels, hidden and shown together or one by one, and on the whole
screen.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6 import QtCore

from mechstudio.application.actions import display as studio_display
from mechstudio.application.actions.registry import Action, register
from mechstudio.translation import Words, tr
from mechstudio.view.actions.window_action import window_action
from mechstudio.view.docks.panels import equations, first, inspector, parameters
from mechstudio.view.docks.registry import docked

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

FULL = QtCore.Qt.WindowState.WindowFullScreen
# docks whose heads name something else than the panel
NAMES: dict[str, Words] = {
    inspector.key: "Inspector",
    equations.key: "Equations, structure and analyses",
}


@window_action(
    "Scene alone",
    "View",
    "F11",
    words="hide show all panels docks focus mode distraction free maximize scene",
    section=True,
    checked=lambda window: window.docks.cleared,
    before=studio_display.work_plane,
)
def scene_alone(window: MainWindow) -> None:
    """Hide all panels, or give them back exactly as they were."""
    if window.docks.cleared:
        window.docks.bring_back()
        window.reminder.hide()
    else:
        window.docks.clear()
        window.reminder.say(tr("Press F11 to bring the panels back"))


@window_action(
    "Full screen",
    "View",
    "Shift+F11",
    words="whole monitor maximize window",
    checked=lambda window: window.isFullScreen(),
    before=studio_display.work_plane,
)
def full_screen(window: MainWindow) -> None:
    """Let the window take the whole screen, or give it back."""
    window.setWindowState(window.windowState() ^ FULL)


def _toggle(window: MainWindow, key: str) -> None:
    """Hide a panel that is shown, or give it back its place."""
    if window.docks.has_place(key):
        window.docks.hide(key)
        window.reminder.say(tr("View > Panels brings the panel back"))
    else:
        window.docks.show_again(key)


def _is_shown(window: MainWindow, key: str) -> bool:
    return window.docks.has_place(key)


PANELS = {
    key: register(
        Action(
            f"panel_{key}",
            partial(_toggle, key=key),
            NAMES.get(key, title),
            "View/Panels",
            words="panel dock hide show close",
            checked=partial(_is_shown, key=key),
            window=True,
        ),
        studio_display.work_plane,
    )
    for key, title in (
        # the table of parameters and the first drawing have actions of their own
        *((p.key, p.title) for p in docked() if p not in (parameters, first)),
        (equations.key, equations.title),
    )
}
