"""Registry of actions: everything a user can do by menu, key, button, palette or terminal, each a
function that carries its own words.

The order of definition is that of the menus.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar, Unpack

import msgspec

from mechstudio.translation import Words, tr

if TYPE_CHECKING:
    from mechstudio.application.studio import Studio

MENUS: tuple[Words, ...] = ("File", "Edit", "Insert", "Simulate", "View", "Tools", "Help")
# menus inside them, for the catalogue: rows name them in their paths
SUBMENUS: tuple[Words, ...] = (
    "Export",
    "Select",
    "Joint type",
    "Playback",
    "Workspace",
    "Standard view",
    "Camera",
    "Work plane",
    "Beside the drawing",
    "Theme",
    "Panels",
    "In class",
    "Diagram",
)

Subject = TypeVar("Subject")  # what an action acts on: the Studio, or the window


def always(studio: "Studio") -> str:
    """No reason: what can be done at any time."""
    return ""


class Action(msgspec.Struct, Generic[Subject], frozen=True, eq=False):
    """One action; calling it does it.

    id: its stable name, that of the function.  text: as the menus show it.  menu: "File", or
    "View/Theme" for a submenu.  keys: shortcuts, the first one is shown.  section: a line stands
    above it in the menu.  words: further English words that the palette finds it by.
    unless(studio): reason why it cannot be done now, "" if it can.  checked(subject): True if its
    tick is set, for actions with a tick.  detail(studio): text added to its own ("Undo: Length of
    crank 330 mm").  context: place in the menu of the right button, 0 for none; a line stands where
    the tens change.  window: it acts on the window, and is nothing for the terminal.
    """

    id: str
    run: Callable[[Subject], object]
    text: Words
    menu: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    words: Words = ""
    section: bool = False
    unless: "Callable[[Studio], str]" = always
    checked: Callable[[Subject], bool] | None = None
    detail: "Callable[[Studio], str] | None" = None
    context: int = 0
    window: bool = False

    def __call__(self, subject: Subject) -> None:
        self.run(subject)

    @property
    def path(self) -> list[str]:
        """Names of the menu and of the submenu, if it is in one."""
        return self.menu.split("/")


_defined: list[Action[Any]] = []


def actions() -> list[Action[Any]]:
    """Every action that is defined, in the order of the menus."""
    return sorted(_defined, key=lambda a: MENUS.index(a.path[0]))


def context_actions() -> list[Action[Any]]:
    """Actions in the menu of the right button, in its order."""
    return sorted((a for a in _defined if a.context), key=lambda a: a.context)


def by_id(id: str) -> Action[Any]:
    """The action with an id.  Raises KeyError."""
    for each in _defined:
        if each.id == id:
            return each
    raise KeyError(id)


def register(new: Action[Subject], before: Action[Any] | None = None) -> Action[Subject]:
    """Add an action at the end of its menu, or in front of another one."""
    if any(a.id == new.id for a in _defined):
        raise ValueError(tr("two actions are called {id}", id=new.id))
    _defined.insert(len(_defined) if before is None else _defined.index(before), new)
    return new


class Details(TypedDict, total=False):
    """Fields of an Action beside its text, menu and keys, as the decorators take them."""

    icon: str
    words: str
    section: bool
    unless: "Callable[[Studio], str]"
    detail: "Callable[[Studio], str] | None"
    context: int


def define(
    run: Callable[[Subject], object],
    place: tuple[str, str, tuple[str, ...]],
    checked: Callable[[Subject], bool] | None,
    before: Action[Any] | None,
    window: bool,
    words: Details,
) -> Action[Subject]:
    """Make a function an action by its own name.  place: text, menu and keys."""
    return register(
        Action(run.__name__, run, *place, checked=checked, window=window, **words), before
    )


def action(
    text: str,
    menu: str,
    *keys: str,
    checked: "Callable[[Studio], bool] | None" = None,
    before: Action[Any] | None = None,
    **words: Unpack[Details],
) -> "Callable[[Callable[[Studio], object]], Action[Studio]]":
    """Make a function of the Studio an action; fields as in Action.

    before: the action in front of which it stands in the menu; it stands at the end without.
    """
    return lambda run: define(run, (text, menu, keys), checked, before, False, words)
