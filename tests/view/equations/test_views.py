"""The views of the equations panel under real mouse and keys: derivations, marks, claims, numbers,
search, and both ways between terms and scene.
"""

import sys

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

import mechstudio as ms
from mechstudio.application.questions.equations.instant_texts import figure
from mechstudio.application.resources import resource
from mechstudio.model.equations.lecture import (
    CLAIM,
    DIFFERENT,
    ENGINE,
    EXACT,
    METHODS,
    SAMPLED,
)
from tests.view.equation_panel import (  # noqa: F401
    ink,
    make_panel,
    panel,
    settled,
    spot_of,
    unfold,
    wheel,
)

Qt = QtCore.Qt

FAULTS = {
    "dropped gyroscopic term": (
        "heavy_top",
        (
            "from mechstudio.symbolic.methods.projected import Projected; "
            "Projected.gyroscopic = lambda "
            "self, theta, omega: [self.ring.zero] * 3"
        ),
        "projected",
    ),
    "flipped sign": (
        "cart_pole",
        (
            "from mechstudio.symbolic.methods.lagrange import Lagrange; right = Lagrange.weight; "
            "Lagrange.weight = lambda self, m: -right(self, m)"
        ),
        "lagrange",
    ),
}


def click(widget, at=None):
    QTest.mouseClick(
        widget, Qt.MouseButton.LeftButton, pos=widget.rect().center() if at is None else at
    )


def calm(panel, qtbot):
    qtbot.waitUntil(lambda: panel.is_settled, timeout=60_000)
    QtWidgets.QApplication.processEvents()


def turn(panel, view, qtbot):
    panel.bar.view.choose(view)
    calm(panel, qtbot)


# derivations


@pytest.mark.slow
def test_three_derivations_stand_side_by_side_and_unfold_together(make_panel, qtbot):
    panel = make_panel("cart_pole", size=(1100, 600))
    settled(panel, qtbot)
    turn(panel, "derivations", qtbot)
    assert panel.columns == METHODS and [
        c.title.text() for c in panel.chapters if c.isVisible()
    ] == ["Newton-Euler", "Projected Newton-Euler", "Lagrange"]
    click(panel.chapters[2].sections["result"].head)
    calm(panel, qtbot)
    sections = [c.sections["result"] for c in panel.chapters]
    assert all(f.is_open and f.formula.picture is not None for f in sections)
    # no column is wider than its share: nothing is scrolled sideways
    assert all(
        f.formula._bar.isHidden() and f.formula.picture.size[0] <= f.formula.width() + 1
        for f in sections
    )


def test_a_narrow_panel_stacks_the_derivations(make_panel, qtbot):
    panel = make_panel("cart_pole", size=(460, 500))
    settled(panel, qtbot)
    turn(panel, "derivations", qtbot)
    assert panel.columns == METHODS and panel.bar.stacked
    tops = [c.mapTo(panel.content, QtCore.QPoint()).y() for c in panel.chapters]
    ends = [top + c.height() for top, c in zip(tops, panel.chapters, strict=True)]
    assert tops[0] < ends[0] <= tops[1] < ends[1] <= tops[2]
    side = panel.bar.methods.button("derivations")
    assert side.isEnabled() and "below" in side.toolTip()
    click(panel.chapters[2].sections["result"].head)
    calm(panel, qtbot)
    # each has the whole width
    assert panel.chapters[2].sections["result"].formula.width() > 380
    click(panel.bar.methods.button("newton-euler"))
    calm(panel, qtbot)
    assert panel.columns == ("newton-euler",)


@pytest.mark.parametrize("width", [300, 345, 400, 460, 640, 800, 1100])
@pytest.mark.parametrize("view", ["", "derivations", "now"])
@pytest.mark.thinned(12)
def test_no_word_of_the_bar_is_cut_and_nothing_overlaps(make_panel, qtbot, width, view):
    panel = make_panel("four_bar", size=(width, 500))
    settled(panel, qtbot)
    qtbot.waitUntil(lambda: panel.marks.pill.isVisible())
    turn(panel, view, qtbot)
    QtWidgets.QApplication.processEvents()
    bar, seen = panel.bar, []
    for widget in (bar.view, *bar._tools, bar.more, bar.pill):
        if not widget.isVisible():
            continue
        place = QtCore.QRect(widget.mapTo(panel, QtCore.QPoint()), widget.size())
        assert widget.width() >= widget.minimumSizeHint().width() and panel.rect().contains(
            place
        ), (widget, place)
        assert (
            isinstance(widget, QtWidgets.QToolButton)
            or widget.width() >= widget.sizeHint().width() - 1
        ), widget
        assert not any(place.intersects(other) for other in seen)
        seen.append(place)
    # what found no room is in the menu
    assert bar.more.isVisible() == any(
        not t.isVisible()
        for t in bar._tools
        if t is not bar.methods and not (view == "now" and t in (bar.figures, bar.numbers_button))
    )


# proofs


def test_the_mark_opens_to_the_claims_and_the_simulators_verdict_arrives(panel, qtbot):
    qtbot.waitUntil(lambda: panel.marks.pill.isVisible())
    assert "exact" in panel.marks.pill.text() and panel.marks.pill.property("kind") == "ok"
    click(panel.marks.pill)
    assert panel.marks.isVisible() and panel.is_working
    # meanwhile what is shown is settled, and the mark is not amber
    calm(panel, qtbot)
    qtbot.waitUntil(
        lambda: any(p.key == ENGINE and p.how == SAMPLED for p in panel.marks._proofs),
        timeout=300_000,
    )
    assert panel.marks.pill.property("kind") == "ok" and not panel.is_working
    assert (
        panel.marks.claims[0].how.text() == EXACT
        and "normal form" in panel.marks.claims[0].how.toolTip()
    )


def test_another_view_puts_the_claims_away(panel, qtbot):
    qtbot.waitUntil(lambda: panel.marks.pill.isVisible())
    click(panel.marks.pill)
    assert panel.marks.isVisible()
    panel.bar.set_numbers(True)
    assert panel.marks.isVisible(), "the same view otherwise"
    turn(panel, "constraints", qtbot)
    assert not panel.marks.isVisible() and not panel.marks.pill.isChecked()


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.thinned(2)
def test_a_planted_fault_turns_the_mark_red_and_a_click_shows_the_difference(
    make_panel, qtbot, monkeypatch, name
):
    sample, code, method = FAULTS[name]
    command = [
        sys.executable,
        "-c",
        (
            f"import sys\n{code}\nfrom mechstudio.worker.derivation_process import "
            "main\nmain(sys.argv[1:])"
        ),
        "--fonts",
        str(resource("fonts")),
    ]
    panel = make_panel(sample, command=command, monkeypatch=monkeypatch)
    qtbot.waitUntil(lambda: panel.marks.pill.isVisible(), timeout=60_000)
    assert panel.marks.pill.property("kind") == "error" and "differ" in panel.marks.pill.text()
    click(panel.marks.pill)
    claim = next(c for c in panel.marks.claims if c.proof.how == DIFFERENT and c.proof.between)
    assert method in claim.proof.between
    click(claim.head)
    qtbot.waitUntil(lambda: claim.formula.picture is not None and panel.is_settled)
    assert claim.is_open and claim.formula.isVisible() and len(ink(claim.formula)) > 4
    # only the method with the fault is red
    assert {
        p.proof.key for p in panel.marks.claims if p.proof.how == DIFFERENT and p.proof.between
    } <= {c.proof.key for c in panel.marks.claims if method in c.proof.between}


# equations from notes


def test_the_cart_poles_lesson_shows_the_notes_wrong_sign(make_panel, qtbot):
    panel = make_panel("cart_pole")
    settled(panel, qtbot)
    qtbot.waitUntil(lambda: panel.marks.alarm.isVisible())
    assert (
        panel.marks.pill.property("kind") == "ok"
    )  # the derivations agree: it is the note that is wrong
    click(panel.marks.alarm)
    right, wrong = (c for c in panel.marks.claims if c.proof.key.startswith(CLAIM))
    assert (
        (right.proof.how, wrong.proof.how) == (EXACT, DIFFERENT)
        and wrong.is_open
        and not panel.marks.alarm.isVisible()
    )
    qtbot.waitUntil(lambda: wrong.formula.picture is not None and panel.is_settled)
    words = [s.words for s in wrong.formula.picture.link_areas]
    assert words == ["m_p g L sin theta"]


def test_an_equation_of_ones_own_is_compared_and_undone(make_panel, qtbot):
    panel = make_panel("cart_pole")
    settled(panel, qtbot)
    qtbot.waitUntil(lambda: panel.marks.pill.isVisible())
    click(panel.marks.pill)
    panel.marks.own.setFocus()
    QTest.keyClicks(
        panel.marks.own,
        (
            "m_p L x'' cos theta + (I_p + m_p L^2) theta'' + m_p g L sin theta + k_theta (theta "
            "- theta_0) = 0"
        ),
    )
    QTest.keyClick(panel.marks.own, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len([p for p in panel.marks._proofs if p.key.startswith(CLAIM)]) == 3)
    assert next(p for p in panel.marks._proofs if p.key == f"{CLAIM}2").how == EXACT
    panel.studio.document.undo()
    qtbot.waitUntil(lambda: len([p for p in panel.marks._proofs if p.key.startswith(CLAIM)]) == 2)
    wrong = next(c for c in panel.marks.claims if c.proof.key == f"{CLAIM}1")
    # too long for the panel: shortened beside how it was proven, whole where the pointer stands
    assert (
        wrong.head.text().endswith("…")
        and wrong.head.toolTip() == wrong.proof.claim
        and wrong.drop.geometry().right() < wrong.width()
    )
    click(wrong.drop)
    qtbot.waitUntil(
        lambda: (
            len([p for p in panel.marks._proofs if p.key.startswith(CLAIM)]) == 1
            and not panel.marks.alarm.isVisible()
        )
    )


# numbers


def test_numbers_stand_in_place_of_parameters(panel, qtbot):
    section = unfold(panel, "M", qtbot)
    assert any("m_crank" in s.words for s in section.formula.picture.link_areas)
    click(panel.bar.figures.button("numbers"))
    qtbot.waitUntil(lambda: panel.is_settled and section.formula.picture.style.numbers)
    words = {w for s in section.formula.picture.link_areas for w in s.words.split()}
    assert not any(w.startswith(("m_", "J_", "L")) for w in words)
    first = section.formula.picture.link_areas[0]
    number = panel.derivations.equations.known
    values = {k.name.name: k.value for k in number}
    expected = (
        values["m_crank"] * values["c_crank"] ** 2
        + values["J_crank"]
        + values["m_coupler"] * values["L1"] ** 2
    )
    assert float(first.words.split()[0]) == pytest.approx(expected, rel=1e-3)


def test_numbers_run_under_the_symbols_with_the_time_cursor(panel, qtbot):
    section = unfold(panel, "rows", qtbot)
    calm_height = section.formula.height()
    click(panel.bar.numbers_button)
    qtbot.waitUntil(
        lambda: (
            panel.is_settled and section.formula.picture.style.with_numbers and not panel.is_working
        )
    )
    assert section.formula.height() > calm_height
    assert (
        section.formula._rooms["theta_crank"] and section.formula._values["theta_crank"] == "120°"
    )
    room = section.formula._room(section.formula._rooms["theta_crank"][0])
    assert panel.theme.color("accent_text").name() in ink(section.formula, room)
    # a run of this drawing, and a cursor in it
    run = ms.simulate(panel.studio.document.project, duration=0.2, sample_step=0.05)
    rows = np.asarray(run.rows)
    for k in (1, 3):
        panel.derivations.instant_values.evaluate(rows[k])
        qtbot.waitUntil(
            lambda k=k: panel.derivations.instant_values.numbers.t == pytest.approx(0.05 * k)
        )
        assert (
            section.formula._values["thetadot_crank"]
            == figure(panel.derivations.instant_values.numbers.values["thetadot_crank"])
            != "0"
        )


def test_the_numbers_of_an_instant_and_the_motion_of_a_singular_value(make_panel, qtbot):
    panel = make_panel(size=(700, 900))
    settled(panel, qtbot)
    turn(panel, "now", qtbot)
    now, values = panel.now, panel.derivations.instant_values
    qtbot.waitUntil(
        lambda: (
            values.numbers is not None
            and all(f.picture is not None for f in now.parts.values())
            and panel.is_settled
        )
    )
    assert "Rank 2 of 5 rows and 3 coordinates: 1 free." in now.rank.text()
    assert [c.text() for c in now.chips] == [
        figure(values.numbers.singular_values[0]),
        figure(values.numbers.singular_values[1]),
        "0",
    ]
    assert now.formulas["B"].picture is not None and now.formulas["M"]._values["=M.0.0"] == figure(
        values.numbers.matrices["M"][0][0]
    )
    assert now.note.isVisible() and now.formulas["lambda"]._values["=lambda_2"].startswith("≈")
    assert panel.structure.isHidden() and not any(s.isVisible() for s in panel.sections.values())


def test_other_independent_coordinates_change_b_and_the_chapter(make_panel, qtbot):
    panel = make_panel(size=(700, 700))
    settled(panel, qtbot)
    turn(panel, "partition", qtbot)
    qtbot.waitUntil(
        lambda: (
            panel.derivations.instant_values.numbers is not None
            and panel.choice.buttons["theta_crank"].isChecked()
        )
    )
    click(panel.choice.buttons["theta_rocker"])
    qtbot.waitUntil(
        lambda: (
            panel.derivations.instant_values.numbers.independent == ("theta_rocker",)
            and panel.is_settled
        )
    )
    assert (
        panel.choice.buttons["theta_rocker"].isChecked()
        and not panel.choice.buttons["theta_crank"].isChecked()
    )
    qtbot.waitUntil(
        lambda: "Independent: θ_rocker" in panel.chapters[0].sections["choice"].words.text()
    )
    click(panel.chapters[0].sections["embedded"].head)
    qtbot.waitUntil(
        lambda: (
            panel.chapters[0].sections["embedded"].formula.picture is not None and panel.is_settled
        )
    )


# between terms and scene


def test_a_term_of_several_lights_all_of_them(panel, qtbot):
    section = unfold(panel, "C", qtbot)
    qtbot.waitUntil(
        lambda: any(
            section.formula.visibleRegion().contains(s.center().toPoint())
            for s in section.formula.boxes("C")
        )
    )
    M = unfold(panel, "M", qtbot)
    several = (
        next(s for s in M.formula.picture.link_areas if len(s.sources) > 1)
        if any(len(s.sources) > 1 for s in M.formula.picture.link_areas)
        else None
    )
    selection = panel.studio.selection
    if several is not None:
        M.formula.hovered.emit(several.sources)
        assert (
            set(selection.lit) == set(several.sources) and selection.hovered == several.sources[0]
        )
    M.formula.hovered.emit(())
    assert selection.lit == () and selection.hovered == ""


def test_a_selected_bodys_terms_are_underlined(panel, qtbot):
    section = unfold(panel, "M", qtbot)
    box = section.formula.boxes("rocker")[0]
    before = section.formula.grab().toImage()
    panel.studio.selection.select("rocker")
    after = section.formula.grab().toImage()
    line = QtCore.QPoint(round(box.center().x()), round(box.bottom()) - 1)
    assert before.pixelColor(line) != after.pixelColor(line)


def test_parts_of_a_step_are_made_when_it_is_opened(panel, qtbot):
    turn(panel, "derivations", qtbot)
    chapter = panel.chapters[0]
    made = lambda: {key for key, section in chapter.sections.items() if section.heading.depth}
    assert not made() and sum(h.depth for h in chapter.ready.steps) > 8
    click(chapter.sections["positions"].head)
    calm(panel, qtbot)
    assert made() == {h.key for h in chapter.ready.steps if h.key.startswith("positions:")}
    click(chapter.sections["positions:crank"].head)
    calm(panel, qtbot)
    assert chapter.sections["positions:crank"].formula.picture is not None
    click(chapter.sections["positions"].head)
    turn(panel, "", qtbot)
    turn(panel, "derivations", qtbot)
    assert not chapter.sections["positions"].is_open and chapter.sections["positions:crank"].is_open


# search


def test_search_opens_the_steps_whose_formulas_hold_the_symbol(panel, qtbot):
    turn(panel, "derivations", qtbot)
    panel.open_search()
    chapter = panel.chapters[0]
    reported = [h for h in chapter.ready.steps if "J_rocker" in h.symbols.split()]
    assert reported and not any(
        "J_rocker" in word for h in reported for word in (h.title, *h.sentences)
    )
    QTest.keyClicks(panel.line.field, "J_rocker")
    qtbot.waitUntil(
        lambda: all(h.key in chapter.sections and chapter.sections[h.key].is_open for h in reported)
    )
    qtbot.waitUntil(lambda: panel.is_settled and len(panel.search.hits) > 1)
    assert not chapter.sections["frames"].is_open


def test_ctrl_f_finds_unfolds_counts_and_goes_round(panel, qtbot):
    QtGui.QGuiApplication.processEvents()
    panel.activateWindow()
    panel.open_search()
    assert panel.line.isVisible()
    panel.line.field.setFocus()
    QTest.keyClicks(panel.line.field, "theta_rocker")
    qtbot.waitUntil(
        lambda: panel.sections["rows"].is_open and panel.is_settled and len(panel.search.hits) > 3
    )
    hits = len(panel.search.hits)
    assert not panel.sections["tau"].is_open and panel.line.count.text() == f"1 of {hits}"
    QTest.keyClick(panel.line.field, Qt.Key.Key_Return)
    assert panel.line.count.text() == f"2 of {hits}"
    QTest.keyClick(panel.line.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(panel.line.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert panel.line.count.text() == f"{hits} of {hits}"
    formula, link_area = panel.search.hits[-1]
    qtbot.waitUntil(lambda: formula.visibleRegion().intersects(formula.box_of(link_area).toRect()))
    assert panel.theme.color("warn_soft").name() in ink(formula, formula.box_of(link_area))
    panel.line.field.setText("nonsense")
    assert panel.line.count.text() == "not found" and not panel.search.hits
    QTest.keyClick(panel.line.field, Qt.Key.Key_Escape)
    assert panel.line.isHidden() and not panel.search.hits


def test_search_hit_in_a_wide_formula_is_scrolled_into_view(make_panel, qtbot):
    panel = make_panel("four_bar", (300, 420))
    settled(panel, qtbot)
    section = unfold(panel, "C_q", qtbot)
    QtGui.QGuiApplication.processEvents()
    panel.open_search()
    panel.line.field.setText("theta_rocker")
    qtbot.waitUntil(
        lambda: panel.is_settled and any(f is section.formula for f, _ in panel.search.hits)
    )
    places = [
        k
        for k, (formula, link_area) in enumerate(panel.search.hits)
        if formula is section.formula and formula.box_of(link_area).right() > formula.width()
    ]
    assert places, "C_q is wider than the panel"
    panel.search.step(places[-1] - panel.search.at)
    box = section.formula.box_of(panel.search.hits[places[-1]][1])
    assert 0 <= box.left() < box.right() <= section.formula.width()


def test_larger_and_smaller(panel, qtbot):
    section = unfold(panel, "M", qtbot)
    size = section.formula.picture.style.size
    panel.resize(900, 420)
    QtWidgets.QApplication.processEvents()
    click(panel.bar.larger)
    qtbot.waitUntil(lambda: panel.is_settled and section.formula.picture.style.size > size)
    click(panel.bar.smaller)
    click(panel.bar.smaller)
    qtbot.waitUntil(lambda: panel.is_settled and section.formula.picture.style.size < size)
    panel.bar.zoomed.emit(0.0)
    qtbot.waitUntil(lambda: panel.is_settled and section.formula.picture.style.size == size)
    # one of them alone would be a way without a way back
    shown = set()
    for width in range(250, 900, 10):
        panel.bar.show_size(width, 420)
        assert panel.bar.larger.isHidden() == panel.bar.smaller.isHidden()
        shown.add(panel.bar.larger.isHidden())
    assert shown == {True, False}


# in the window


def test_a_term_glows_in_the_scene_and_a_body_in_the_equations(window, qtbot):
    panel = window.docks.equations
    qtbot.waitUntil(
        lambda: panel.derivations is not None and panel.derivations.is_current and panel.is_settled,
        timeout=60_000,
    )
    window.studio.selection.hover("crank", "A")
    assert window.viewport.look.lit == {"crank", "A"} and window.viewport.look.hovered == "crank"
    window.viewport.navigator.hovered.emit("rocker")
    assert panel.structure.marked == "rocker" and window.viewport.look.lit == {"rocker"}
    window.viewport.navigator.hovered.emit("")
    assert not window.viewport.look.lit


def test_ctrl_f_in_the_window_opens_the_line(window, qtbot):
    panel = window.docks.equations
    qtbot.waitUntil(
        lambda: panel.derivations is not None and panel.derivations.is_current and panel.is_settled,
        timeout=60_000,
    )
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: panel.line.isVisible())
    QTest.keyClick(panel.line.field, Qt.Key.Key_Escape)
    assert panel.line.isHidden()


def test_a_singular_value_swings_the_mechanism(solved_four_bar, qtbot):
    window = solved_four_bar
    window.set_workspace("explain")
    panel = window.docks.equations
    qtbot.waitUntil(
        lambda: panel.derivations is not None and panel.derivations.is_current and panel.is_settled,
        timeout=60_000,
    )
    panel.bar.view.choose("now")
    qtbot.waitUntil(lambda: len(panel.now.chips) == 3 and panel.is_settled)
    window.studio.free_motion.stop()
    click(panel.now.chips[2])
    assert (
        window.studio.free_motion.shown is not None
        and window.studio.free_motion.shown.freedom.twists
    )
    start = window.studio.free_motion.shown.poses.copy()
    window.studio.free_motion.shown.time = 0.3
    assert np.abs(window.studio.free_motion.shown.poses - start).max() > 1e-3
    window.studio.free_motion.stop()
    panel.bar.view.choose("")
