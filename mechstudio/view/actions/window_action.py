"""Decorator of actions that take the window."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Unpack

from mechstudio.application.actions.registry import Action, Details, define

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


def window_action(
    text: str,
    menu: str,
    *keys: str,
    checked: "Callable[[MainWindow], bool] | None" = None,
    before: Action[Any] | None = None,
    **words: Unpack[Details],
) -> "Callable[[Callable[[MainWindow], object]], Action[MainWindow]]":
    """Make a function of the window an action; fields as in Action.

    before: the action that it precedes in the menu; without it, it is the last one.
    """
    return lambda run: define(run, (text, menu, keys), checked, before, True, words)
