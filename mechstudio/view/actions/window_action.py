"""Decorator of actions that take the window."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mechstudio.application.actions.registry import Action, always, register
from mechstudio.application.studio import Studio

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


def window_action(
    text: str,
    menu: str,
    *keys: str,
    icon: str = "",
    words: str = "",
    section: bool = False,
    unless: Callable[[Studio], str] = always,
    checked: "Callable[[MainWindow], bool] | None" = None,
    detail: Callable[[Studio], str] | None = None,
    context: int = 0,
    before: Action[Any] | None = None,
) -> "Callable[[Callable[[MainWindow], object]], Action[MainWindow]]":
    """Make a function of the window an action; fields as in Action.

    before: the action in front of which it stands in the menu; it stands at the end without.
    """

    def made(run: "Callable[[MainWindow], object]") -> "Action[MainWindow]":
        new = Action(
            run.__name__,
            run,
            text,
            menu,
            keys,
            icon,
            words,
            section,
            unless,
            checked,
            detail,
            context,
            window=True,
        )
        return register(new, before)

    return made
