"""The manual in the window."""

import pytest
from PySide6 import QtCore
from PySide6.QtTest import QTest

from mechstudio.view.actions.help import entries
from mechstudio.view.dialogs.manual import HelpSheet, pages

Qt = QtCore.Qt


@pytest.fixture
def sheet(window):
    window.actions_.trigger("manual")
    assert isinstance(window.sheet, HelpSheet)
    return window.sheet


def test_every_page_can_be_read(sheet):
    for k, (_, title) in enumerate(pages()):
        sheet.list.setCurrentRow(k)
        shown = sheet.page.document().begin().text()
        assert shown and (k == 0 or shown == title)
        assert sheet.page.verticalScrollBar().value() == 0
        # nothing is wider than the page
        assert sheet.page.horizontalScrollBar().maximum() == 0, title


def test_links_lead_to_pages_and_headings_and_back(sheet):
    sheet.page.anchorClicked.emit(QtCore.QUrl("contacts.md"))
    assert sheet.page.document().begin().text() == "Contacts"
    sheet.page.anchorClicked.emit(QtCore.QUrl("theory.md#8-contacts"))
    assert (
        sheet.page.document().begin().text() == "Theory"
        and sheet.page.verticalScrollBar().value() > 500
    )
    assert sheet.list.currentItem().text() == "Theory"
    QTest.mouseClick(sheet.back, Qt.MouseButton.LeftButton)
    assert sheet.page.document().begin().text() == "Contacts"
    QTest.mouseClick(sheet.back, Qt.MouseButton.LeftButton)
    assert sheet.page.document().begin().text() == "Help" and not sheet.back.isEnabled()


def test_escape_closes_it(window, sheet):
    QTest.keyClick(sheet.page, Qt.Key.Key_Escape)
    assert sheet.parentWidget() is None


def test_the_palette_finds_pages(window):
    entry = next(e for e in entries(window) if e.key == "help glossary")
    entry.run()
    assert window.sheet.page.document().begin().text() == "Glossary"
