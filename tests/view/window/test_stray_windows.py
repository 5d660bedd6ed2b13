"""No widget stands on the screen as a window of its own, not for a moment."""

import pytest
from PySide6 import QtCore, QtWidgets

from mechstudio.application.notifications import Message
from tests.view.equation_panel import make_panel, panel  # noqa: F401
from tests.view.equations.test_views import calm

Qt = QtCore.Qt


class Strays(QtCore.QObject):
    """Notes what is shown without a parent, but for menus, tips and the widgets that a test shows
    itself.
    """

    def __init__(self, own):
        super().__init__()
        self.own, self.seen = own, []

    def eventFilter(self, watched, event):
        if (
            event.type() == QtCore.QEvent.Type.Show
            and isinstance(watched, QtWidgets.QWidget)
            and watched.isWindow()
            and watched.windowType() == Qt.WindowType.Window
            and watched not in self.own
        ):
            self.seen.append((type(watched).__name__, watched.objectName()))
        return False


@pytest.fixture
def strays(qapp):
    filter = Strays(qapp.topLevelWidgets())
    qapp.installEventFilter(filter)
    yield filter
    qapp.removeEventFilter(filter)


def test_steps_of_three_derivations_are_made_in_their_column(panel, qtbot, strays):
    strays.own.append(panel)
    panel.bar.view.choose("derivations")
    qtbot.waitUntil(lambda: bool(panel.chapters[0].sections))
    calm(panel, qtbot)
    assert strays.seen == []


def test_a_message_that_is_replaced_at_once_is_never_a_window(window, qtbot, strays):
    for k in range(3):
        window.studio.notifications.say(Message("info", f"The message of number {k}.", "test"))
    qtbot.wait(100)
    window.studio.notifications.withdraw("test")
    assert strays.seen == []
