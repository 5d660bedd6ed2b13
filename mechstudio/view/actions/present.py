"""Actions of the window in front of a class: entered by F5, and what its single letters do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mechstudio.application.actions.lessons.steps import next_step
from mechstudio.application.actions.registry import Action, actions
from mechstudio.application.studio import Studio
from mechstudio.translation import tr
from mechstudio.view.actions.display import fit
from mechstudio.view.actions.window_action import window_action
from mechstudio.view.present.foot import WIDE, Hint
from mechstudio.view.present.present import Present

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


def _present(window: MainWindow) -> Present:
    """Made with the first class."""
    if window.present is None:
        window.present = Present(window, HINTS, class_keys())
    return window.present


def _is_on(window: MainWindow) -> bool:
    return window.present is not None and window.present.is_on


@window_action(
    "Present",
    "View",
    "F5",
    words="class lecture projector beamer large full slide show teach explain",
    section=True,
    checked=_is_on,
    before=next_step,
)
def present(window: MainWindow) -> None:
    """Show the window to a class, in large letters; the same key gives it back as it was."""
    shown = _present(window)
    if shown.is_on:
        shown.leave()
    else:
        shown.enter()


def _needs_class(studio: Studio) -> str:
    """Refusal where the window is not in front of a class."""
    return "" if studio.lecture.presenting else tr("In front of a class only: press F5 first")


def _needs_curves(studio: Studio) -> str:
    return _needs_class(studio) or (
        ""
        if studio.runs.recording is not None
        else tr("There is no run whose curves are to be covered")
    )


@window_action(
    "Cover the curves",
    "View/In class",
    words="predict hide reveal show plot guess H in front of a class",
    unless=_needs_curves,
    checked=lambda window: _is_on(window) and _present(window).is_covered,
    before=next_step,
)
def cover(window: MainWindow) -> None:
    """Cover the curves from the time cursor on, for the class to predict them, or show them."""
    _present(window).toggle_cover()


@window_action(
    "Freeze",
    "View/In class",
    words="freeze frame still hold picture F in front of a class",
    unless=_needs_class,
    checked=lambda window: _is_on(window) and _present(window).is_frozen,
    before=next_step,
)
def freeze(window: MainWindow) -> None:
    """Hold the picture while sliders and time are set beneath, or show what has become of it."""
    shown = _present(window)
    shown.set_frozen(not shown.is_frozen)


@window_action(
    "Laser pointer",
    "View/In class",
    words="laser point ring mouse P in front of a class",
    unless=_needs_class,
    checked=lambda window: _is_on(window) and _present(window).is_pointing,
    before=next_step,
)
def pointer(window: MainWindow) -> None:
    """Let a ring follow the mouse, or the arrow again."""
    shown = _present(window)
    shown.set_pointing(not shown.is_pointing)


@window_action(
    "Blank",
    "View/In class",
    words="black dark screen off B in front of a class",
    unless=_needs_class,
    checked=lambda window: _is_on(window) and _present(window).is_blank,
    before=next_step,
)
def blank(window: MainWindow) -> None:
    """Darken the window until a click or the same key."""
    shown = _present(window)
    shown.set_blank(not shown.is_blank)


@window_action(
    "Notes on the second screen",
    "View/In class",
    words="speaker presenter N in front of a class",
    unless=_needs_class,
    checked=lambda window: _is_on(window) and _present(window).has_notes,
    before=next_step,
)
def notes(window: MainWindow) -> None:
    """Open the notes of the step with the time of the class, on the second screen where there is
    one.
    """
    shown = _present(window)
    shown.set_notes(not shown.has_notes)


@window_action(
    "Choose what is shown…",
    "View/In class",
    words="sliders plots equation choose O in front of a class",
    unless=_needs_class,
    before=next_step,
)
def choose_shown(window: MainWindow) -> None:
    """Open the card of sliders, plots and the equation that are shown, or close it."""
    _present(window).choose_shown()


@window_action(
    "Leave the class",
    "View/In class",
    words="end presentation escape back",
    unless=_needs_class,
    before=next_step,
)
def leave_class(window: MainWindow) -> None:
    """Give the window back exactly as it was."""
    _present(window).escape()


# keys there; with Ctrl and by function keys everything else goes on
LETTERS: dict[Action[Any], str] = {
    cover: "H",
    freeze: "F",
    pointer: "P",
    blank: "B",
    notes: "N",
    choose_shown: "O",
    leave_class: "Esc",
}
HINTS = (
    Hint(next_step, "Page Down", "next"),
    Hint(freeze, "F", "freeze", WIDE),
    Hint(cover, "H", "cover", WIDE),
    Hint(pointer, "P", "pointer"),
    Hint(blank, "B", "blank"),
    Hint(leave_class, "Esc", "leave"),
)


def _is_quiet(key: str, action: Action[Any]) -> bool:
    """True for a key that would draw or delete in front of a class, or means another thing."""
    *held, last = key.split("+") if not key.endswith("+") else [key]
    letter = len(last) == 1 and last.isalnum() and not {"Ctrl", "Alt", "Num"} & {*held}
    taken = key in LETTERS.values()
    return taken or (action is not fit and (letter or last in ("Del", "Backspace", "?")))


def class_keys() -> dict[str, tuple[str, ...]]:
    """Keys of actions in front of a class, by their ids."""
    keys = {
        row.id: kept
        for row in actions()
        if (kept := tuple(key for key in row.keys if not _is_quiet(key, row)))
    }
    return keys | {action.id: (letter,) for action, letter in LETTERS.items()}
