"""Registry of panels: everything that stands in a dock, each a function that carries its own words
and its place.

The order of definition is that of the docks in their column or row, and of the pages in theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6 import QtCore, QtWidgets

from mechstudio.application.help.pages import FIRST, Topic
from mechstudio.translation import Words

if TYPE_CHECKING:
    from mechstudio.view.docks.dock import Dock
    from mechstudio.view.docks.docks import Docks

LEFT = QtCore.Qt.DockWidgetArea.LeftDockWidgetArea
RIGHT = QtCore.Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM = QtCore.Qt.DockWidgetArea.BottomDockWidgetArea
PAGE = QtCore.Qt.DockWidgetArea.NoDockWidgetArea  # a page of the dock that shows one at a time


class Room(NamedTuple):
    """Room that there is for panels.

    workspace: "build", "analyse" or "explain".  crowded: letters are too large for four panels in a
    row.  roomy: the pages stand beside the table of parameters.  table: that table is open.
    sliders: number of parameters with a slider.  lesson: the lesson is open.  first: the first
    drawing is under way.
    """

    workspace: str
    crowded: bool
    roomy: bool
    table: bool
    sliders: int
    lesson: bool = False
    first: bool = False

    @property
    def beside(self) -> bool:
        """True if the pages stand at the right of the scene, over the sliders."""
        return self.workspace == "explain" and not self.crowded and not self.first


class Content(NamedTuple):
    """Body of a panel, and widgets at the right end of its head.  topic(): of the manual, for what
    the panel shows now; that of the panel's row without.
    """

    body: QtWidgets.QWidget
    extras: tuple[QtWidgets.QWidget, ...] = ()
    topic: Callable[[], Topic] | None = None


def always(room: Room) -> bool:
    """True in any room."""
    return True


class Panel(NamedTuple):
    """One panel.

    key: its stable name, that of the function.  title: as its head or its page shows it.  make():
    its content, once the first frame is painted.  when(room): True if its dock is shown.  share: of
    the height of its column.  words: further English words that the palette finds a page by; a page
    with words has an entry in the Tools menu.  topic: of the manual.  seated: whether the row of
    pages names it while another one is shown; large letters leave no room for all.
    """

    key: str
    title: Words
    place: QtCore.Qt.DockWidgetArea
    make: Callable[[Docks, Dock], Content]
    when: Callable[[Room], bool] = always
    share: float = 0.0
    words: Words = ""
    topic: Topic = Topic(FIRST)
    seated: bool = True


PANELS: list[Panel] = []


def register(new: Panel) -> Panel:
    """Put a panel after the others."""
    PANELS.append(new)
    return new


def panel(
    title: str,
    place: QtCore.Qt.DockWidgetArea,
    when: Callable[[Room], bool] = always,
    share: float = 0.0,
    words: str = "",
    topic: Topic = Topic(FIRST),
    seated: bool = True,
) -> Callable[[Callable[[Docks, Dock], Content]], Panel]:
    """Make a function that returns the content of a panel a panel; fields as in Panel."""

    def made(make: Callable[[Docks, Dock], Content]) -> Panel:
        return register(Panel(make.__name__, title, place, make, when, share, words, topic, seated))

    return made


def docked() -> list[Panel]:
    """Panels that have a dock of their own."""
    return [each for each in PANELS if each.place != PAGE]


def pages() -> list[Panel]:
    """Panels that share a dock, which shows one at a time."""
    return [each for each in PANELS if each.place == PAGE]
