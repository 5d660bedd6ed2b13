"""The equations panel alone, with the real deriving process: what its tests share."""

import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.preferences import Preferences
from mechstudio.application.questions.equations.derivations import Derivations
from mechstudio.application.resources import sample_folder
from mechstudio.application.studio import Studio
from mechstudio.view.equations import panel as module
from mechstudio.view.equations.panel import EquationsPanel

Qt = QtCore.Qt


@pytest.fixture
def make_panel(qapp, qtbot, theme):
    """make(sample, size, command): the panel alone, shown and polled as the window does."""
    made = []

    def make(name="four_bar", size=(620, 420), command=None, monkeypatch=None):
        studio = Studio(Preferences(kept=False))
        if name:
            assert studio.files.open(sample_folder() / f"{name}.mech", as_copy=True)
        theme.set_choice("light")
        panel = EquationsPanel(theme, studio)
        panel.resize(*size)
        panel.timer = QtCore.QTimer(panel, interval=10)
        panel.timer.timeout.connect(panel.poll)
        panel.timer.start()
        made.append(panel)
        panel.show()
        if command is not None:
            monkeypatch.setattr(
                module,
                "Derivations",
                lambda document, is_free: Derivations(document, is_free, command=command),
            )
        panel.begin(lambda: True)
        return panel

    yield make
    for panel in made:
        panel.timer.stop()
        panel.end()
        panel.close()
        # in the window these stand in the head above
        for each in (panel, panel.copy_button, panel.export_button):
            each.deleteLater()
    qapp.processEvents()


@pytest.fixture
def panel(make_panel, qtbot):
    """The equations of the four-bar, derived."""
    made = make_panel()
    settled(made, qtbot)
    return made


def settled(panel, qtbot):
    qtbot.waitUntil(
        lambda: panel.is_settled and panel.structure.picture is not None, timeout=30_000
    )


def unfold(panel, part, qtbot):
    """Click the heading of a part and wait for its picture."""
    section = panel.sections[part]
    QTest.mouseClick(section.head, Qt.MouseButton.LeftButton)
    assert section.is_open
    qtbot.waitUntil(
        lambda: section.formula.picture is not None and panel.is_settled, timeout=30_000
    )
    QtWidgets.QApplication.processEvents()
    panel.area.ensureWidgetVisible(section, 0, 0)
    return section


def spot_of(formula, id):
    """The middle of a term of an element that is in sight."""
    return next(
        b.center().toPoint()
        for b in formula.boxes(id)
        if formula.visibleRegion().contains(b.center().toPoint())
    )


def ink(formula, area=None):
    """Colours that occur in what a formula paints, as #rrggbb."""
    image = formula.grab().toImage()
    box = image.rect() if area is None else area.toAlignedRect()
    return {
        image.pixelColor(x, y).name()
        for x in range(box.left(), box.right())
        for y in range(box.top(), box.bottom())
    }


def wheel(widget, y, modifiers=Qt.KeyboardModifier.NoModifier):
    at = QtCore.QPointF(widget.rect().center())
    event = QtGui.QWheelEvent(
        at,
        widget.mapToGlobal(at),
        QtCore.QPoint(),
        QtCore.QPoint(0, y),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QtWidgets.QApplication.sendEvent(widget, event)
    return event.isAccepted()
