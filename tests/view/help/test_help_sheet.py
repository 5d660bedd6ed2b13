"""The manual in the window."""

import re

import pytest
from PySide6 import QtCore, QtGui
from PySide6.QtTest import QTest

from mechstudio import translation
from mechstudio.application.help.pages import (
    Topic,
    formula_name,
    formulas,
    pages,
    translated_pages,
)
from mechstudio.translation import ENGLISH, LANGUAGES
from mechstudio.view.actions.help import entries
from mechstudio.view.help.sheet import HelpSheet
from tests.house.test_translation import english  # noqa: F401
from tests.view.access.test_contrast import measured

Qt = QtCore.Qt


@pytest.fixture
def sheet(window):
    window.actions_.trigger("manual")
    assert isinstance(window.sheet, HelpSheet)
    return window.sheet


def title(sheet):
    return sheet.page.document().begin().text()


@pytest.mark.slow
def test_every_page_can_be_read(sheet):
    for k, (_, page) in enumerate(pages()):
        sheet.list.setCurrentRow(k)
        assert title(sheet) and (k == 0 or title(sheet) == page)
        bar, document = sheet.page.verticalScrollBar(), sheet.page.document()
        assert bar.value() == 0
        # its end can be reached at once
        hidden = document.size().height() - sheet.page.viewport().height()
        assert bar.maximum() == pytest.approx(max(hidden, 0.0), abs=1.0), page
        # nothing is wider than the page
        assert not sheet.page.horizontalScrollBar().isVisible(), page


def test_links_lead_to_pages_and_headings_back_and_forward(sheet):
    bar = sheet.page.verticalScrollBar()
    sheet.page.anchorClicked.emit(QtCore.QUrl("contacts.md"))
    assert title(sheet) == "Contacts"
    sheet.page.anchorClicked.emit(QtCore.QUrl("theory.md#8-contacts"))
    assert title(sheet) == "Theory" and bar.value() > 500
    assert sheet.page.heading == "8-contacts"
    assert sheet.list.currentItem().text() == "Theory"
    bar.setValue(bar.value() + 40)
    left = bar.value()
    QTest.mouseClick(sheet.back, Qt.MouseButton.LeftButton)
    assert title(sheet) == "Contacts"
    QTest.keyClick(sheet.page, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert title(sheet) == "Help" and not sheet.back.isEnabled()
    QTest.keyClick(sheet.page, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    QTest.mouseClick(sheet.forward, Qt.MouseButton.LeftButton)
    # where it was left, not where it began
    assert title(sheet) == "Theory" and bar.value() == left
    assert not sheet.forward.isEnabled()
    sheet.go_back()
    sheet.open_topic(Topic("plots"))
    assert not sheet.forward.isEnabled()


def test_the_search_is_led_by_keys_alone(sheet):
    assert sheet.edit.hasFocus()
    QTest.keyClicks(sheet.edit, "screw pitch")
    assert sheet.hits.isVisible() and not sheet.list.isVisible()
    QTest.keyClick(sheet.edit, Qt.Key.Key_Down)
    assert title(sheet) == "Elements" and sheet.page.heading == "screw"
    QTest.keyClick(sheet.edit, Qt.Key.Key_Return)
    assert sheet.page.hasFocus()
    QTest.keyClick(sheet.page, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert sheet.edit.hasFocus() and sheet.edit.selectedText() == "screw pitch"
    QTest.keyClicks(sheet.edit, "zzzzqq")
    assert "zzzzqq" in sheet.note.text() and sheet.note.isVisible()
    # Esc first empties the field, then closes
    QTest.keyClick(sheet.edit, Qt.Key.Key_Escape)
    assert sheet.list.isVisible() and sheet.parentWidget() is not None
    QTest.keyClick(sheet.edit, Qt.Key.Key_Escape)
    assert sheet.parentWidget() is None


def test_links_are_reached_by_tab(sheet):
    sheet.open_topic(Topic("equations"))
    sheet.page.setFocus()
    sheet.open_topic(Topic("index"))
    QTest.keyClick(sheet.page, Qt.Key.Key_Tab)
    QTest.keyClick(sheet.page, Qt.Key.Key_Return)
    assert title(sheet) == "Drawing"


@pytest.mark.slow
def test_text_size_and_theme_follow(window, sheet, theme):
    sheet.open_topic(Topic("theory", "5-dynamics"))
    size = QtGui.QFontMetrics(sheet.page.document().defaultFont()).height()
    link = sheet.page.palette().color(QtGui.QPalette.ColorRole.Link)
    try:
        theme.set_scale(1.5)
        theme.set_choice("dark")
        grown = QtGui.QFontMetrics(sheet.page.document().defaultFont()).height()
        assert grown == pytest.approx(1.5 * size, rel=0.1)
        assert sheet.page.palette().color(QtGui.QPalette.ColorRole.Link) != link
        assert sheet.page.heading in ("4-structure-and-mobility", "5-dynamics")
    finally:
        theme.set_choice("light")
        theme.set_scale(1.0)


def test_escape_closes_it(window, sheet):
    QTest.keyClick(sheet.page, Qt.Key.Key_Escape)
    assert sheet.parentWidget() is None


def test_the_palette_finds_pages_and_headings(window):
    found = {e.key: e for e in entries(window)}
    found["help glossary"].run()
    assert title(window.sheet) == "Glossary"
    window.sheet.close_sheet()
    found["help theory#7-numerical-accuracy"].run()
    assert window.sheet.page.heading == "7-numerical-accuracy"
    assert "Theory" in found["help theory#7-numerical-accuracy"].note


@pytest.mark.slow
@pytest.mark.parametrize("look", ["light", "dark"])
def test_formulas_are_typeset_in_the_ink_of_the_theme(window, sheet, look):
    window.theme.set_choice(look)
    sheet.open_topic(Topic("theory"))
    room = sheet.page.viewport().width()
    for latex in formulas():
        address = QtCore.QUrl(f"formula:{formula_name(latex)}")
        image = sheet.page.loadResource(
            QtGui.QTextDocument.ResourceType.ImageResource.value, address
        )
        assert 20 < image.width() <= room and image.height() > 8
        ground = QtGui.QImage(image.size(), QtGui.QImage.Format.Format_RGB32)
        ground.fill(window.theme.color("raised"))
        painter = QtGui.QPainter(ground)
        painter.drawImage(0, 0, image)
        painter.end()
        assert measured(ground) > 8.0, latex
    # each stands in the page, none as LaTeX
    text = sheet.page.toPlainText()
    assert text.count("\ufffc") == len(formulas()) and "mathsf" not in text
    window.theme.set_choice("light")


def dressed(page):
    """Text of a page as it is painted, with the number of its stretches that are bold, links or
    code.
    """
    block, counts = page.document().begin(), [0, 0, 0]
    while block.isValid():
        for span in block.textFormats():
            look = span.format
            is_bold = look.fontWeight() > QtGui.QFont.Weight.Normal
            is_bold &= not block.blockFormat().headingLevel()
            for k, has in enumerate((is_bold, look.isAnchor(), look.fontFixedPitch())):
                counts[k] += has
        block = block.next()
    return page.toPlainText(), counts


@pytest.mark.slow
@pytest.mark.parametrize("code", sorted(set(LANGUAGES) - {ENGLISH}))
def test_every_page_can_be_read_in_every_language(sheet, code, english):
    shown = {}
    for language in (ENGLISH, code):
        translation.use(language)
        for page in translated_pages():
            sheet.page.show_page(page)
            shown[language, page] = dressed(sheet.page)
            assert not sheet.page.horizontalScrollBar().isVisible(), page
            # no mark of Markdown is left over, as one that stands beside a sign of Chinese would be
            assert not re.search(r"\*\*|`|\]\(", shown[language, page][0]), page
    for page in translated_pages():
        assert shown[code, page][1] == shown[ENGLISH, page][1], page
        assert shown[code, page][0] != shown[ENGLISH, page][0]


def test_a_paragraph_that_begins_with_code_is_no_block_of_code(sheet):
    sheet.page.show_page("terminal")
    ground = {}
    block = sheet.page.document().begin()
    while block.isValid():
        ground[block.text()[:20]] = block.blockFormat().hasProperty(
            QtGui.QTextFormat.Property.BackgroundBrush
        )
        block = block.next()
    assert ground["$ mechstudio actions"] and not ground["mechstudio do ACTION"]
