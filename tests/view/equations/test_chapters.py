"""Chapters of the equations panel: made and typeset a little at a time, what is in sight first;
cancelled; copied whole and by steps.
"""

import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.model.equations.lecture import Equality, Step
from mechstudio.model.equations.terms import Entry, Term
from mechstudio.view.equations import images, lecture
from mechstudio.worker.lecture_steps import FIRST, MANY, beginning
from tests.view.equation_panel import make_panel, panel, settled  # noqa: F401
from tests.view.equations.test_views import calm, click

TERM = Term(1, 1, ())


@pytest.mark.slow
def test_visible_formulas_are_typeset_first_and_few_at_a_time(panel, qtbot):
    parts = list(panel.sections)
    for part in parts:
        panel.sections[part].set_open(True)
    calm(panel, qtbot)
    assert all(
        panel.sections[p].formula.picture is not None
        for p in parts
        if not panel.pictures.formula_of(p).isHidden()
    )
    # another size: all of them are typeset again, beginning with the end, which is visible
    bar = panel.area.verticalScrollBar()
    bar.setValue(bar.maximum())
    calm(panel, qtbot)
    came, most = [], [0]
    panel.derivations.pictures.ready.connect(came.append)
    panel.derivations.pictures.ready.connect(
        lambda part: most.append(panel.derivations.pictures.pending_count)
    )
    # what is requested already stays where it is
    panel.pictures.zoom_by(1.0)
    seen = {
        p
        for p in panel.pictures.seen()
        if not panel.pictures.formula_of(p).visibleRegion().isEmpty()
    }
    calm(panel, qtbot)
    assert len(seen) < len(came) and max(most) < images.AHEAD
    assert seen and set(came[: len(seen)]) == seen


@pytest.mark.slow
def test_a_chapters_folds_are_made_in_turns_in_their_order(panel, qtbot, monkeypatch):
    monkeypatch.setattr(lecture, "MAKING", 0.0)
    panel.bar.view.choose("derivations")
    chapter = panel.chapters[0]
    qtbot.waitUntil(lambda: bool(chapter.sections))
    assert chapter.is_making and not panel.is_settled
    calm(panel, qtbot)
    top = [h.key for h in chapter.ready.steps if not h.depth]
    assert list(chapter.sections) == top
    click(chapter.sections["positions"].head)
    click(chapter.sections["velocities"].head)
    calm(panel, qtbot)
    for key in ("positions", "velocities"):
        assert [p.heading.key for p in chapter.sections[key].parts] == [
            h.key for h in chapter.ready.steps if h.key.startswith(f"{key}:")
        ]


@pytest.mark.slow
def test_a_chapter_whose_layout_was_cancelled_is_not_promised_any_more(panel, qtbot):
    panel.bar.view.choose("equilibria")
    chapter = panel.chapters[0]
    assert panel.derivations.chapters.is_teaching and "Laying out" in chapter.words.text()
    panel.derivations.cancel()
    assert chapter.words.isHidden() and "cancelled" in panel.progress.text.text()
    QTest.mouseClick(panel.progress.button, QtCore.Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(chapter.sections), timeout=30_000)


def test_a_chapter_and_a_step_of_it_are_copied(panel, qtbot):
    panel.bar.view.choose("constraints")
    chapter, clipboard = panel.chapters[0], QtGui.QGuiApplication.clipboard()
    qtbot.waitUntil(
        lambda: "positions" in chapter.sections or bool(chapter.sections), timeout=30_000
    )
    calm(panel, qtbot)
    heading = next(h for h in chapter.ready.steps if not h.depth and h.formulas)

    def copied(k, format):
        clipboard.clear()
        chapter.menu_requested.emit(f"constraints/{heading.key}", QtCore.QPoint(10, 10))
        menu = panel.findChildren(
            QtWidgets.QMenu, options=QtCore.Qt.FindChildOption.FindDirectChildrenOnly
        )[-1]
        assert [a.text() for a in menu.actions()] == [
            f"Copy “{heading.title}” as",
            f"Copy “{chapter.ready.title}” as",
            "Copy everything as LaTeX",
        ]
        next(a for a in menu.actions()[k].menu().actions() if a.text() == format).trigger()
        menu.close()
        qtbot.waitUntil(lambda: bool(clipboard.text()))
        return clipboard.text()

    step, whole = copied(0, "LaTeX"), copied(1, "LaTeX")
    assert (
        step.strip() in whole
        and whole.count("subsection*")
        >= sum(not h.depth for h in chapter.ready.steps)
        > step.count(r"\subsection*")
        == 1
    )
    assert "documentclass" not in whole
    text = copied(1, "Plain text")
    assert text.startswith(chapter.ready.title) and all(
        h.title in text for h in chapter.ready.steps
    )
    assert "#set page" in copied(0, "Typst")


def test_a_long_step_shows_its_first_lines_before_the_rest():
    line = lambda count: Equality(Entry((TERM,)), Entry((TERM,) * (count - 1)))
    step = lambda *counts: Step("key", "", "", equations=tuple(line(c) for c in counts))
    assert beginning(step(MANY)) == 0 and beginning(step(FIRST, FIRST, FIRST)) == 1
    assert (
        beginning(step(*[10] * 40)) == FIRST // 10
        and beginning(step(MANY + 1)) == 0
        and beginning(step(MANY, 10)) == 1
    )
