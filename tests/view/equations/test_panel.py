"""The equations panel under real mouse, wheel and keys, with the real deriving process."""

import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.actions.edits import parameters
from mechstudio.application.resources import sample_folder
from mechstudio.model.equations.term_lengths import is_cut
from mechstudio.model.project import Project
from mechstudio.protocol.process import derive_command
from mechstudio.tokens import contrast
from mechstudio.view.equations import panel as module
from mechstudio.view.equations.parts import enumerated
from tests.symbolic.samples import SMALL, marked
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


# what is shown


# a loop, a coupling, rolling, a curve, a contact, two axes of a joint; that each sample's parts can
# be typeset is shown where they are typeset
FEW = (
    "four_bar",
    "gear_train",
    "rolling_disc",
    "cam_profile",
    "bouncing_ball",
    "universal_joint_pair",
)


@pytest.mark.parametrize("path", marked(SMALL, long={p.stem for p in SMALL} - {*FEW}))
@pytest.mark.thinned(6)
def test_every_sample_shows_its_equations(make_panel, qtbot, path):
    panel = make_panel(path.stem)
    settled(panel, qtbot)
    assert (
        panel.derivations.state == "ready" and panel.progress.isHidden() and panel.calm.isHidden()
    )
    qtbot.waitUntil(lambda: bool(panel.derivations.latex_parts))
    assert list(panel.sections) == [p for p in panel.derivations.latex_parts if p != "structure"]
    for part in panel.sections:
        section = unfold(panel, part, qtbot)
        assert section.formula.height() > 10 and len(ink(section.formula)) > 4, part


def test_structure_first_and_entries_on_demand(panel, qtbot):
    assert not any(s.is_open for s in panel.sections.values())
    assert all(s.formula.picture is None for s in panel.sections.values())
    section = unfold(panel, "M", qtbot)
    assert section.note.text() == "3 × 3"
    QTest.mouseClick(section.head, Qt.MouseButton.LeftButton)
    assert not section.is_open


def test_rows_that_are_always_zero_are_said_to_be_the_hyperstaticity(panel, qtbot):
    section = unfold(panel, "C", qtbot)
    assert section.note.text() == "5 rows, 3 of them 0 = 0"
    assert "Rows 2, 4 and 5" in section.remark.text() and "hyperstaticity" in section.remark.text()
    assert panel.sections["tau"].note.text() == "zero"


def test_a_click_on_a_letter_of_the_structure_unfolds_its_part(panel, qtbot):
    QTest.mouseClick(
        panel.structure, Qt.MouseButton.LeftButton, pos=spot_of(panel.structure, "part:C")
    )
    qtbot.waitUntil(
        lambda: panel.sections["C"].is_open and panel.sections["C"].formula.picture is not None
    )


def test_open_sections_stay_open_after_edits_and_in_the_next_file(panel, qtbot):
    unfold(panel, "M", qtbot)
    parameters.set_parameter(panel.studio, "L1", "140 mm", "L1")
    qtbot.waitUntil(lambda: panel.derivations.is_current)
    assert panel.sections["M"].is_open
    panel.studio.files.open(sample_folder() / "cart_pole.mech", as_copy=True)
    qtbot.waitUntil(lambda: panel.derivations.is_current and panel.is_settled)
    assert panel.sections["M"].is_open and "C" not in panel.sections
    assert panel.sections["M"].note.text() == "2 × 2"


def test_an_empty_drawing_has_one_calm_line(make_panel, qtbot):
    panel = make_panel("")
    assert panel.calm.isVisible() and panel.calm.text() == module.EMPTY
    assert panel.area.isHidden() and panel.progress.isHidden() and not panel.copy_button.isEnabled()
    assert panel.studio.files.open(sample_folder() / "cart_pole.mech", as_copy=True)
    settled(panel, qtbot)
    assert panel.calm.isHidden() and panel.copy_button.isEnabled()
    panel.studio.files.show(Project(), None, None)
    assert panel.calm.text() == module.EMPTY and panel.calm.isVisible() and not panel.sections


@pytest.mark.slow
def test_a_form_that_is_too_long_says_so(make_panel, qtbot):
    from tests import mechanisms

    panel = make_panel("")
    panel.studio.files.show(mechanisms.project(mechanisms.stewart()), None, None)
    qtbot.waitUntil(lambda: panel.derivations.is_current and panel.is_settled, timeout=30_000)
    equations = panel.derivations.equations
    assert panel.form.isVisible() and panel.warning.isHidden()
    assert f"Recursive form: {len(equations.intermediates)} named" in panel.form.text()
    assert {"rows", "intermediates", "M", "C"} <= panel.sections.keys()
    for part in ("rows", "intermediates"):
        panel.sections[part].set_open(True)
    settled(panel, qtbot)
    for part in ("rows", "intermediates"):
        formula = panel.sections[part].formula
        assert formula.picture is not None and formula.width() <= panel.area.width()
    panel.copy("intermediates")
    assert "z_{9} =" in QtGui.QGuiApplication.clipboard().text()


def test_a_long_closed_form_is_named_and_leads_to_the_recursive_one(make_panel, qtbot):
    panel = make_panel("six_axis_arm")
    settled(panel, qtbot)
    assert panel.form.isVisible() and "Closed form of" in panel.form.text()
    panel.form.linkActivated.emit("recursive")
    settled(panel, qtbot)
    assert panel.bar.lecture == "recursive" and panel.form.isHidden()
    panel.bar.show_view("")
    settled(panel, qtbot)
    assert panel.form.isVisible()


def test_short_equations_name_no_form(panel):
    assert panel.form.isHidden() and not panel.form.text()


@pytest.mark.slow
def test_a_long_part_is_written_by_names_of_what_its_entries_share(make_panel, qtbot):
    """The arm's equations of motion are typeset all the same: row by row, long ones by the names of
    their entries, and these by parts with names.
    """
    panel = make_panel("six_axis_arm")
    settled(panel, qtbot)
    for part in ("rows", "b"):
        panel.sections[part].set_open(True)
    settled(panel, qtbot)
    equations = panel.derivations.equations
    count = equations.block("b").term_count
    assert is_cut(equations, "rows") and is_cut(equations, "b")
    assert (
        f"{count} terms" in panel.sections["b"].remark.text()
        and "Recursive form" in panel.sections["rows"].remark.text()
    )
    for part in ("rows", "b"):
        formula = panel.sections[part].formula
        assert (
            formula.isVisible()
            and formula.picture is not None
            and formula.width() <= panel.area.width()
        )
    panel.copy("b")
    assert QtGui.QGuiApplication.clipboard().text().count(r"\theta") > count


# pointer


def test_hovering_a_term_hovers_its_body_and_back(panel, qtbot):
    section = unfold(panel, "M", qtbot)
    selection = panel.studio.selection
    # the section comes into sight with the next layout
    qtbot.waitUntil(
        lambda: any(
            section.formula.visibleRegion().contains(b.center().toPoint())
            for b in section.formula.boxes("rocker")
        )
    )
    QTest.mouseMove(section.formula, spot_of(section.formula, "rocker"))
    qtbot.waitUntil(lambda: selection.hovered == "rocker")
    assert section.formula.marked == "rocker"
    QTest.mouseMove(section.formula, QtCore.QPoint(section.formula.width() - 2, 1))
    qtbot.waitUntil(lambda: selection.hovered == "")
    # the other way: a body under the pointer elsewhere marks its terms
    box = section.formula.boxes("crank")[-1]
    calm = ink(section.formula, box)
    selection.hover("crank")
    assert (
        panel.theme.color("accent_soft").name() in ink(section.formula, box)
        and panel.theme.color("accent_soft").name() not in calm
    )
    selection.hover("")
    assert ink(section.formula, box) == calm


def test_a_click_on_a_term_selects_its_body(panel, qtbot):
    section = unfold(panel, "M", qtbot)
    QTest.mouseClick(
        section.formula, Qt.MouseButton.LeftButton, pos=spot_of(section.formula, "crank")
    )
    assert panel.studio.selection.selected == ("crank",)


def test_the_wheel_zooms_with_ctrl_and_goes_sideways_with_shift(make_panel, qtbot):
    panel = make_panel(size=(300, 400))
    settled(panel, qtbot)
    section = unfold(panel, "C_q", qtbot)
    formula, before = section.formula, section.formula.picture.style.size
    for _ in range(12):
        wheel(formula, 120, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: panel.is_settled and formula.picture.style.size > 2 * before)
    assert formula._bar.isVisible() and formula._offset == 0
    assert wheel(formula, -120, Qt.KeyboardModifier.ShiftModifier) and formula._offset > 0
    for _ in range(40):
        wheel(formula, -120, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: panel.is_settled and formula.picture.style.size < before)
    assert not formula._bar.isVisible()


def test_a_narrow_panel_breaks_lines_instead_of_cutting_them(make_panel, qtbot):
    panel = make_panel(size=(900, 400))
    settled(panel, qtbot)
    formula = unfold(panel, "rows", qtbot).formula
    wide = formula.picture.size
    panel.resize(420, 400)
    qtbot.waitUntil(lambda: panel.is_settled and formula.picture.size[0] < 420)
    assert formula.picture.size[1] > wide[1] and not formula._bar.isVisible()


# theme


@pytest.mark.slow
def test_terms_have_their_bodys_colour_in_both_themes(panel, qtbot, theme):
    section = unfold(panel, "M", qtbot)
    for name in ("light", "dark", "light"):
        theme.set_choice(name)
        requested = theme.readable(
            theme.body(panel.studio.document.project.mechanism.bodies["rocker"].color)
        )
        qtbot.waitUntil(
            lambda requested=requested: (
                section.formula.picture.style.colors["rocker"] == requested and panel.is_settled
            )
        )
        assert contrast(requested, theme["panel"]) >= 4.5
        color = QtGui.QColor(requested)
        image = QtGui.QImage.fromData(section.formula.picture.png, "PNG")
        solid = [
            image.pixelColor(x, y)
            for x in range(image.width())
            for y in range(image.height())
            if image.pixelColor(x, y).alpha() > 150
        ]
        assert any(
            abs(c.red() - color.red())
            + abs(c.green() - color.green())
            + abs(c.blue() - color.blue())
            < 12
            for c in solid
        )


def test_pictures_have_the_pixels_of_the_screen(panel, qtbot):
    picture = unfold(panel, "M", qtbot).formula.picture
    image = QtGui.QImage.fromData(picture.png, "PNG")
    assert image.width() == pytest.approx(picture.size[0] * panel.devicePixelRatioF(), abs=1.5)


# copying


def test_copy_puts_latex_on_the_clipboard(panel, qtbot):
    qtbot.waitUntil(panel.copy_button.isEnabled)
    QTest.mouseClick(panel.copy_button, Qt.MouseButton.LeftButton)
    text = QtGui.QGuiApplication.clipboard().text()
    assert text == panel.derivations.latex and r"M(q)\,\ddot q" in text
    panel.copying.menu("M", panel.mapToGlobal(QtCore.QPoint(10, 10)))
    menu = panel.findChildren(QtWidgets.QMenu)[-1]
    assert [a.text() for a in menu.actions()] == [
        "Copy “Mass matrix M” as LaTeX",
        "Copy everything as LaTeX",
    ]
    menu.actions()[0].trigger()
    menu.close()
    assert QtGui.QGuiApplication.clipboard().text() == panel.derivations.latex_parts["M"]


# long and failed


def test_a_long_derivation_shows_its_step_and_can_be_cancelled(make_panel, qtbot, monkeypatch):
    panel = make_panel(command=[*derive_command(), "--slow", "60"], monkeypatch=monkeypatch)
    qtbot.waitUntil(
        lambda: panel.progress.isVisible() and panel.derivations.step != "", timeout=30_000
    )
    assert (
        panel.progress.text.text() == "Reading the drawing"
        and panel.progress.bar.isVisible()
        and panel.calm.text() == ""
    )
    panel.derivations.channel.command = (
        derive_command()
    )  # of the next one, which starts as soon as this one has ended
    slow, clock = panel.derivations.channel.process, QtCore.QElapsedTimer()
    clock.start()
    QTest.mouseClick(panel.progress.button, Qt.MouseButton.LeftButton)
    assert (
        clock.elapsed() < 200 and panel.derivations.channel.process is not slow and slow.has_ended
    )
    assert (
        "cancelled" in panel.progress.text.text()
        and panel.progress.button.text() == "Derive again"
        and not panel.progress.bar.isVisible()
    )
    QTest.mouseClick(panel.progress.button, Qt.MouseButton.LeftButton)
    settled(panel, qtbot)
    assert panel.progress.isHidden()


def test_a_quick_derivation_never_flashes_the_bar(make_panel, qtbot):
    panel = make_panel()
    settled(panel, qtbot)
    shown = []
    monkey = panel.progress.show_state
    panel.progress.show_state = lambda *a: (shown.append(a), monkey(*a))
    parameters.set_parameter(panel.studio, "L1", "140 mm", "L1")
    qtbot.waitUntil(lambda: panel.derivations.is_current)
    assert not shown


def test_a_failure_is_a_sentence_with_a_way_on(panel, qtbot):
    panel.derivations.request("guessing")
    qtbot.waitUntil(lambda: panel.derivations.state == "failed")
    assert (
        "guessing" in panel.progress.text.text()
        and panel.progress.button.isVisible()
        and panel.area.isHidden()
    )
    QTest.mouseClick(panel.progress.button, Qt.MouseButton.LeftButton)
    settled(panel, qtbot)


# in the window


def test_the_dock_turns_between_equations_and_structure(window, qtbot):
    docks = window.docks
    panel = docks.equations
    qtbot.waitUntil(
        lambda: panel.derivations is not None and panel.derivations.is_current and panel.is_settled,
        timeout=30_000,
    )
    QTest.mouseClick(docks.pages.button("structure"), Qt.MouseButton.LeftButton)
    assert (
        docks.structure.isVisible() and not panel.isVisible() and not panel.copy_button.isVisible()
    )
    QTest.mouseClick(docks.pages.button("equations"), Qt.MouseButton.LeftButton)
    assert panel.isVisible() and not docks.structure.isVisible()


def test_explain_gives_the_equations_room_and_unfolds_them(window, qtbot):
    panel = window.docks.equations
    qtbot.waitUntil(
        lambda: panel.derivations is not None and panel.derivations.is_current and panel.is_settled,
        timeout=30_000,
    )
    before = panel.width() * panel.height()
    window.set_workspace("explain")
    qtbot.waitUntil(lambda: panel.width() * panel.height() > 1.5 * before)
    assert panel.sections["rows"].is_open
    qtbot.waitUntil(lambda: panel.sections["rows"].formula.picture is not None and panel.is_settled)


# words


def test_enumeration():
    assert [enumerated(n) for n in ([1], [1, 2], [2, 4, 5])] == ["1", "1 and 2", "2, 4 and 5"]


def test_terms_and_parts_explain_themselves(panel, qtbot):
    section = unfold(panel, "M", qtbot)
    areas = section.formula.picture.link_areas
    spot = next(k for k, area in enumerate(areas) if area.words == "J_crank")
    assert section.formula.words_at(spot).startswith("J_crank: inertia of crank about its centre")
    place = section.formula.box_of(spot).center().toPoint()
    tip = QtGui.QHelpEvent(QtCore.QEvent.Type.ToolTip, place, section.formula.mapToGlobal(place))
    QtWidgets.QApplication.sendEvent(section.formula, tip)
    assert QtWidgets.QToolTip.text().startswith("J_crank: inertia of crank")
    QtWidgets.QToolTip.hideText()
    texts = [panel.structure.words_at(k) for k in range(len(panel.structure.picture.link_areas))]
    assert any(text.startswith("M: the mass matrix") for text in texts)
    with qtbot.waitSignal(panel.help_requested) as theory_requested:
        QTest.mouseClick(section.why, Qt.MouseButton.LeftButton)
    assert str(theory_requested.args[0]) == "theory#5-dynamics"
