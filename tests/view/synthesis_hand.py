"""A hand at the page on which linkages are requested."""

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.synthesis.question import LinkageQuestion

Qt = QtCore.Qt
LEFT = Qt.MouseButton.LeftButton


def open_synthesis(window, qtbot):
    """Open the page by Ctrl+K."""
    QTest.keyClick(window.viewport, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(window.sheet.edit, "drawn curve")
    QTest.keyClick(window.sheet.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.synthesis is not None and window.synthesis.is_on)
    qtbot.wait(30)
    return window.synthesis


def open_empty(window, qtbot):
    """Open the page with nothing on its sheet, whatever another test has left there."""
    page = open_synthesis(window, qtbot)
    page.draft.now, page.draft.stroke = LinkageQuestion(), None
    page.search.task, page.search.answers, page.search.state = None, [], "idle"
    page.search.sentence = ""
    page.gallery.choose(None)
    page.draft.changed.emit()
    page.sheet.fit()
    return page


def drag(sheet, points):
    """Press at the first point x + i z [m], move through the others, release at the last."""
    places = [sheet.place_of(p) for p in points]
    QTest.mousePress(sheet, LEFT, Qt.KeyboardModifier.NoModifier, places[0])
    for place in places[1:]:
        event = QtGui.QMouseEvent(
            QtCore.QEvent.Type.MouseMove,
            QtCore.QPointF(place),
            QtCore.QPointF(sheet.mapToGlobal(place)),
            LEFT,
            LEFT,
            Qt.KeyboardModifier.NoModifier,
        )
        QtCore.QCoreApplication.sendEvent(sheet, event)
    QTest.mouseRelease(sheet, LEFT, Qt.KeyboardModifier.NoModifier, places[-1])


def type_cell(table, row, column, text):
    """Type a number into a cell of the table."""
    QTest.qWait(5)  # until the table has its height
    index = table.rows.index(row, column)
    table.scrollTo(index)
    at = table.visualRect(index).center()
    QTest.mouseClick(table.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, at)
    edit = [e for e in table.findChildren(QtWidgets.QLineEdit) if e.isVisible()][-1]
    edit.selectAll()
    QTest.keyClicks(edit, text)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    QTest.qWait(5)  # until the field is gone
