"""Preferences in the real window: the theme, the size of everything, the units of every number; all
of them live and kept.
"""

import math

import msgspec
import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.plots.panes import panes
from mechstudio.application.preferences import TEXT_SIZES, Preferences
from mechstudio.main import first_size
from mechstudio.model.fields import SETTINGS
from mechstudio.view.dialogs.preferences import PreferencesSheet, example
from mechstudio.view.idle_tasks import turns
from mechstudio.view.widgets.fields.number_field import NumberField
from mechstudio.view.widgets.form import Reading
from mechstudio.view.widgets.widgets import Elided
from tests.view.conftest import settle
from tests.view.hands import LENGTH, click, length_of, press, select, type_into

Qt = QtCore.Qt
CONTROL = Qt.KeyboardModifier.ControlModifier
INCH = 0.0254


def set_size(window, qapp, percent):
    window.studio.preferences.set(text_size=percent)
    settle(qapp)


def path_of(widget, top):
    out = []
    while widget is not None and widget is not top:
        parent = widget.parent()
        out.append((type(widget).__name__, parent.children().index(widget)))
        widget = parent
    return tuple(reversed(out))


def measures(window):
    """Place and size of everything that can be seen."""
    seen = [
        w
        for w in window.findChildren(QtWidgets.QWidget)
        if w.isVisible() and not (isinstance(w, QtWidgets.QLabel) and not w.text())
    ]
    # equations are typeset elsewhere and come when they come
    seen = [w for w in seen if not window.docks.equations.isAncestorOf(w)]
    # how long ago it was saved is shown in other words as time goes by, and leaves the hint
    # another room
    seen = [
        w
        for w in seen
        if w not in (window.status.saved, window.status.hint)
        and not window.status.hint.isAncestorOf(w)
    ]
    return {
        path_of(w, window): (
            w.mapTo(window, QtCore.QPoint(0, 0)).toTuple(),
            w.size().toTuple(),
            w.font().pixelSize(),
        )
        for w in seen
    }


def preferences_sheet(window, qapp):
    press(window, Qt.Key.Key_Comma, CONTROL)
    settle(qapp)
    sheet = window.sheet
    assert isinstance(sheet, PreferencesSheet) and sheet.isVisible()
    return sheet


# the sheet


def test_the_sheet_opens_by_key_and_by_search_and_esc_closes_it(window, qapp):
    sheet = preferences_sheet(window, qapp)
    press(window, Qt.Key.Key_Escape)
    assert not sheet.isVisible()
    press(window, Qt.Key.Key_K, CONTROL)
    QTest.keyClicks(window.sheet.edit, "units inch")
    assert window.sheet.found[0].key == "setting units"
    QTest.keyClick(window.sheet.edit, Qt.Key.Key_Return)
    assert isinstance(window.sheet, PreferencesSheet) and window.sheet.isVisible()


def test_the_sheet_keeps_its_margin_on_both_sides(window, qapp):
    sheet = preferences_sheet(window, qapp)
    margin = sheet.box.contentsMargins().right()
    assert margin == 20
    for part in (sheet.text_size.value, *sheet.card.findChildren(QtWidgets.QPushButton)):
        right = part.mapTo(sheet.card, QtCore.QPoint(part.width(), 0)).x()
        assert right <= sheet.card.width() - margin, part


def test_the_sheet_shows_what_is_chosen_and_each_choice_acts_at_once(window, qapp, unstyled):
    sheet, stored = preferences_sheet(window, qapp), window.studio.preferences.stored
    assert sheet.units.button(
        "mm-N-deg"
    ).isChecked() and sheet.text_size.slider.value() == TEXT_SIZES.index(100)
    assert sheet.motion.button("full").isChecked() and not window.viewport.look.reduced_motion
    click(sheet.theme.button("dark"))
    assert (window.theme.name, window.viewport.look.theme, stored.theme) == ("dark", "dark", "dark")
    click(sheet.theme.button("light"))
    assert (window.theme.name, window.viewport.look.theme, stored.theme) == (
        "light",
        "light",
        "light",
    )
    click(sheet.units.button("inch-lbf"))
    assert (
        stored.units
        == window.viewport.look.units
        == window.studio.tools.context.units
        == "inch-lbf"
    )
    assert sheet.example.text() == "5.118 in · 45 deg · 22.13 lbf·in"
    click(sheet.motion.button("reduced"))
    assert window.viewport.look.reduced_motion
    sheet.text_size.slider.setFocus()
    QTest.keyClick(sheet.text_size.slider, Qt.Key.Key_Right)
    assert stored.text_size == 110 and window.theme.scale == 1.1
    assert sheet.card.width() == window.theme.dp(500)
    press(window, Qt.Key.Key_Plus, CONTROL)
    assert stored.text_size == 125 and sheet.text_size.value.text() == "125 %"


def test_dragging_the_size_shows_it_and_applies_it_when_let_go(window, qapp, unstyled):
    sheet = preferences_sheet(window, qapp)
    sheet.text_size.slider.setSliderDown(True)
    sheet.text_size.slider.setSliderPosition(len(TEXT_SIZES) - 1)
    assert sheet.text_size.value.text() == "200 %" and window.theme.scale == 1.0
    sheet.text_size.slider.setSliderDown(False)
    assert window.theme.scale == 2.0


def test_the_example_is_the_same_in_every_system():
    assert example("mm-N-deg") == "130 mm · 45 deg · 2.5 N·m"
    assert example("m-N-rad") == "0.13 m · 0.7854 rad · 2.5 N·m"


def test_reduced_motion_takes_a_view_at_once(window, qapp):
    window.studio.preferences.set(reduced_motion=True)
    window.viewport.framing.view_from("top")
    assert window.viewport.framing.current.elevation == 90.0


# text size


@pytest.mark.slow
def test_sizes_change_live_and_come_back_exactly(window, qapp):
    select(window, "crank")
    set_size(window, qapp, 110)
    set_size(window, qapp, 100)
    before = measures(window)
    for percent in (80, 200):
        set_size(window, qapp, percent)
        dp = window.theme.dp
        assert (
            window.top.height() == dp(44)
            and window.time_bar.height() == dp(52)
            and window.status.height() == dp(30)
        )
        assert window.docks.inspector.numbers[0].edit.font().pixelSize() == dp(12)
        assert (
            window.time_bar.play.size().toTuple() == (dp(34), dp(34))
            and window.viewport.look.text_scale == percent / 100
        )
        assert window.time_bar.play.iconSize().toTuple() == (dp(18), dp(18))
        assert all(
            p.titleBarWidget().height() == dp(32)
            for p in window.docks.by_key.values()
            if p.isVisible() and not p.frame.isHidden()
        )
        assert window.docks.plots[0].area._font.pixelSize() == dp(10)
        assert (window.width(), window.height()) == (1280, 800)
    set_size(window, qapp, 100)
    after = measures(window)
    assert {k: (before.get(k), v) for k, v in after.items() if before.get(k) != v} == {}
    assert before.keys() == after.keys()


@pytest.mark.slow
def test_a_window_made_at_a_size_is_like_one_that_was_brought_to_it(
    window, make_window, four_bar, qapp
):
    set_size(window, qapp, 150)
    live = measures(window)
    window.studio.preferences.set(text_size=100)
    Preferences().set(text_size=150)
    other = make_window(four_bar)
    settle(qapp)
    fresh = measures(other)
    assert {k: (live[k], v) for k, v in fresh.items() if k in live and live[k][1:] != v[1:]} == {}
    assert len(live.keys() & fresh.keys()) > 0.9 * len(fresh)


@pytest.mark.slow
def test_a_long_sentence_about_equations_leaves_the_bottom_row_as_high_as_it_was(
    window, qapp, qtbot
):
    set_size(window, qapp, 150)
    dock, panel = window.docks.low[-1], window.docks.equations
    qtbot.waitUntil(lambda: panel.is_settled and not panel.area.isHidden())
    before = dock.height()
    panel.progress.show_state("Deriving the equations of all motions " * 3, "Cancel", None)
    settle(qapp)
    assert panel.progress.height() > 2 * panel.fontMetrics().height()
    assert dock.height() == before


def test_keys_turn_the_text_and_stop_at_the_ends(window, monkeypatch):
    # what a size looks like is the matter of the tests around this one
    monkeypatch.setattr(window.theme, "set_scale", lambda scale: None)
    for key, expected in (
        (Qt.Key.Key_Plus, 110),
        (Qt.Key.Key_Equal, 125),
        (Qt.Key.Key_Minus, 110),
        (Qt.Key.Key_0, 100),
    ):
        press(window, key, CONTROL)
        assert window.studio.preferences.stored.text_size == expected
    window.studio.preferences.set(text_size=200)
    press(window, Qt.Key.Key_Plus, CONTROL)
    assert window.studio.preferences.stored.text_size == 200
    window.studio.preferences.set(text_size=80)
    press(window, Qt.Key.Key_Minus, CONTROL)
    assert window.studio.preferences.stored.text_size == 80


@pytest.mark.slow
def test_a_number_being_typed_survives_another_size(window, qapp):
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    type_into(field, "14", key=None)
    set_size(window, qapp, 125)
    assert (
        window.docks.inspector.number(LENGTH) is field
        and field.edit.text() == "14"
        and field.is_dirty
    )
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert length_of(window).value == pytest.approx(0.014)


@pytest.mark.slow
def test_pages_put_away_are_gone_before_another_look_is_styled(window, qapp, monkeypatch, unstyled):
    inspector, theme = window.docks.inspector, window.theme
    styled = []
    # the sheet itself is the matter of other tests
    inspector.opened.clear()
    # taken back before `unstyled` is, which would else come back after its end
    with monkeypatch.context() as patch:
        patch.setattr(
            theme._app,
            "setStyleSheet",
            lambda text: styled.append(len(inspector.findChildren(NumberField))),
        )
        for change in (lambda: theme.set_scale(1.1), lambda: theme.set_choice("dark")):
            for element in ("A", "crank"):
                select(window, element)
                inspector.catch_up()
            settle(qapp)
            shown = len(inspector.numbers)
            assert len(inspector.findChildren(NumberField)) > shown
            change()
            assert styled.pop() == shown


def cut(window):
    """Every visible word that has less room than it needs, with what it needs and what it has."""
    out = []
    for w in window.findChildren(QtWidgets.QWidget):
        if not w.isVisible() or isinstance(w.parent(), Elided):
            continue
        if (isinstance(w, QtWidgets.QLabel) and w.text() and not w.wordWrap()) or (
            isinstance(w, QtWidgets.QPushButton) and w.text()
        ):
            policy = w.sizePolicy().horizontalPolicy()
            need = w.minimumSizeHint()
            if (
                w.width() < need.width() and policy != QtWidgets.QSizePolicy.Policy.Ignored
            ) or w.height() < w.fontMetrics().height():
                out.append((w.text(), need.toTuple(), w.size().toTuple()))
        elif (
            isinstance(w, QtWidgets.QLabel)
            and w.wordWrap()
            and w.text()
            and w.height() < w.heightForWidth(w.width())
        ):
            out.append((w.text(), w.heightForWidth(w.width()), w.size().toTuple()))
        elif isinstance(w, QtWidgets.QToolButton) and (
            w.width() < w.iconSize().width() or w.height() < w.iconSize().height()
        ):
            out.append((w.accessibleName(), w.iconSize().toTuple(), w.size().toTuple()))
    return out


def beyond(window):
    """Every visible word that reaches out of its panel or bar sideways."""
    holders = [
        window.top,
        window.time_bar,
        window.status,
        *(p for p in window.docks.by_key.values() if p.isVisible()),
    ]
    out = []
    for holder in holders:
        for w in holder.findChildren(QtWidgets.QWidget):
            if w.isVisible() and isinstance(w, QtWidgets.QLabel | QtWidgets.QAbstractButton):
                left = w.mapTo(holder, QtCore.QPoint(0, 0)).x()
                if left < 0 or left + w.width() > holder.width():
                    out.append(
                        (w.objectName(), getattr(w, "text", str)(), left, w.width(), holder.width())
                    )
    return out


def overlapping(bar):
    """Pairs of a bar's visible parts that lie over each other."""
    parts = [
        w
        for w in bar.findChildren(
            QtWidgets.QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly
        )
        if w.isVisible() and w.width()
    ]
    return [
        (a, b)
        for k, a in enumerate(parts)
        for b in parts[k + 1 :]
        if a.geometry().intersects(b.geometry())
    ]


@pytest.mark.thinned(3)
# the largest letters in the fullest workspaces at every run, the others in the long one
@pytest.mark.parametrize(
    ("percent", "size", "workspace"),
    [
        (200, (1280, 800), "build"),
        (150, (1024, 768), "explain"),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                (200, (1280, 800), "analyse"),
                (200, (1280, 800), "explain"),
                (150, (1024, 768), "build"),
                (150, (1024, 768), "analyse"),
                (80, (1024, 768), "build"),
                (100, (1024, 768), "analyse"),
            )
        ),
    ],
)
def test_no_word_is_cut_at_any_size(window, qapp, qtbot, percent, size, workspace):
    window.resize(*size)
    set_size(window, qapp, percent)
    window.set_workspace(workspace)
    for selected in ("", "crank", "A", SETTINGS):
        window.studio.selection.select(*([selected] if selected else []))
        settle(qapp)
        assert (window.width(), window.height()) == size, (
            "the window was made larger by what is in it"
        )
        assert cut(window) == []
        assert beyond(window) == []
        assert [overlapping(bar) for bar in (window.top, window.time_bar, window.status)] == [
            [],
            [],
            [],
        ]
    strip, view = window.strip, window.host
    assert (
        strip.geometry().bottom() < view.height() - 4
        and strip.geometry().right() < view.width() / 2
    )


@pytest.mark.slow
def test_cards_fit_at_200_percent(window, qapp):
    set_size(window, qapp, 200)
    for action in ("preferences", "shortcuts", "palette", "about"):
        window.actions_.trigger(action)
        settle(qapp)
        sheet = window.sheet
        assert sheet.isVisible() and sheet.rect().contains(sheet.card.geometry()), action
        labels = [
            w
            for w in sheet.card.findChildren(QtWidgets.QLabel)
            if w.isVisible() and not w.wordWrap()
        ]
        assert [w.text() for w in labels if w.width() < w.sizeHint().width()] == [], action
        if action == "preferences":
            assert sheet._area.verticalScrollBar().maximum() == 0
        sheet.close_sheet()


# units


def test_values_follow_the_units_and_what_was_typed_stands_beside_them(window, qapp):
    select(window, "crank")
    field, width = (
        window.docks.inspector.number(LENGTH),
        window.docks.inspector.number(("shapes", 0, "dimensions", "width")),
    )
    assert field.edit.text() == "130 mm" and width.edit.text() == "44 mm"
    window.studio.preferences.set(units="inch-lbf")
    assert (
        field.edit.text() == "5.11811 in"
        and width.edit.text() == "1.73228 in"
        and width._note.text() == "= 44 mm"
    )
    mass = window.docks.inspector.number(("mass",))
    assert mass.edit.text().endswith(" lb")
    window.studio.preferences.set(units="m-N-rad")
    assert field.edit.text() == "0.13 m" and mass.edit.text().endswith(" kg")


def test_a_bare_number_is_in_the_current_unit(window, qapp):
    window.studio.preferences.set(units="inch-lbf")
    select(window, "crank")
    field = window.docks.inspector.number(LENGTH)
    type_into(field, "2")
    assert (
        length_of(window).value == pytest.approx(2 * INCH, abs=1e-15)
        and length_of(window).text == "2 in"
    )
    window.studio.preferences.set(units="mm-N-deg")
    field.edit.clearFocus()
    assert field.edit.text() == "50.8 mm" and field._note.text() == "= 2 in"
    type_into(field, "50.8")
    assert length_of(window).text == "50.8 mm" and length_of(window).value == pytest.approx(
        2 * INCH, abs=1e-15
    )


def test_typed_lengths_of_a_tool_and_its_grid_follow_the_units(window, qapp):
    window.studio.files.new()
    window.studio.preferences.set(units="inch-lbf")
    bench = window.studio.tools
    assert bench.context.units == "inch-lbf" and bench.context.grid == window.viewport.grid
    # the side of a cell is 1, 2 or 5 times a power of ten, now of inches
    cell = window.viewport.grid / INCH
    assert (
        min(abs(math.log10(cell / k) % 1 - round(math.log10(cell / k) % 1)) for k in (1, 2, 5))
        < 1e-9
    )
    press(window, Qt.Key.Key_L)
    view = window.viewport
    middle = QtCore.QPoint(view.width() // 2, view.height() // 2)
    click(view, middle)
    QTest.mouseMove(view, middle + QtCore.QPoint(80, 0))
    QTest.keyClicks(view, "2")
    QTest.keyClick(view, Qt.Key.Key_Return)
    body = next(iter(window.studio.document.project.mechanism.bodies.values()))
    assert body.shapes[0].dimensions["length"].value == pytest.approx(2 * INCH, abs=1e-12)
    press(window, Qt.Key.Key_Escape)


def test_plots_readings_status_and_controls_follow_the_units(window, qapp, qtbot):
    studio = window.studio
    select(window, "crank")
    studio.runs.simulate()
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.complete, timeout=60_000
    )
    studio.runs.playback.pause()
    studio.runs.playback.seek(0.5)
    units = lambda: [pane.pane.units[0] for pane in window.docks.plots[:3]]
    assert units() == ["deg", "J", "m, m/s"]
    assert window.status.constraint.text() == "|C| 1e−12 m"
    first = window.docks.plots[0]

    def curve():
        turns().finish()
        first.follow()
        return first.area.drawn[0].values

    degrees = curve()
    studio.preferences.set(units="m-N-rad")
    assert units()[0] == "rad"
    assert curve()[40] == pytest.approx(math.radians(degrees[40]), rel=1e-12)
    studio.preferences.set(units="inch-lbf")
    assert units() == ["deg", "ft·lbf", "in, in/s"]
    assert window.status.constraint.text() == "|C| 4e−11 in"
    readings = [w.text() for w in window.docks.inspector.parts(Reading)]
    assert [r.rsplit(" ", 1)[1] for r in readings[:3]] == ["in/s", "deg/s", "ft·lbf"]


def test_log_panes_show_powers_of_the_same_number_in_each_system(window):
    project = window.studio.document.project
    metric, inch = (panes(project, units)[2].curves[0] for units in ("mm-N-deg", "inch-lbf"))
    assert metric.factor == 1.0 and inch.factor == INCH


def test_a_slider_of_a_bare_parameter_is_in_the_current_unit(window, qapp):
    studio = window.studio
    parameters = dict(studio.document.project.parameters)
    bare = msgspec.structs.replace(
        parameters["L1"], value=msgspec.structs.replace(parameters["L1"].value, text="")
    )
    studio.document.commit(
        "Bare",
        msgspec.structs.replace(studio.document.project, parameters=parameters | {"L1": bare}),
    )
    controls = window.docks.controls
    assert controls._values["L1"].text() == "130 mm"
    studio.preferences.set(units="inch-lbf")
    assert controls._values["L1"].text() == "5.118 in" and controls._values["L2"].text() == "330 mm"
    slider = controls.sliders["L1"]
    slider.setValue(slider.value() + 1)
    q = studio.document.project.parameters["L1"].value
    assert q.text.endswith(" in") and q.value == pytest.approx(float(q.text.split()[0]) * INCH)


# kept


def test_preferences_are_there_in_the_next_window(make_window, four_bar, qapp, unstyled):
    first = make_window(four_bar)
    first.studio.preferences.set(text_size=125, units="inch-lbf", reduced_motion=True, theme="dark")
    first.leave()
    second = make_window(four_bar)
    assert second.theme.scale == 1.25 and second.viewport.look.text_scale == 1.25
    assert second.viewport.look.units == "inch-lbf" and second.viewport.look.reduced_motion
    select(second, "crank")
    assert second.docks.inspector.number(LENGTH).edit.text() == "5.11811 in"
    assert Preferences().stored.theme == "dark"
    second.studio.preferences.set(text_size=100)


@pytest.mark.parametrize(
    ("screen", "stored", "opens"),
    [
        ((1280, 800), (1600, 994), (1280, 800)),  # from a larger screen
        ((1280, 800), (900, 700), (900, 700)),
        ((1280, 800), None, (1178, 736)),
        ((3840, 2160), None, (1600, 1000)),
    ],
)
def test_a_window_opens_no_larger_than_its_screen(screen, stored, opens):
    assert first_size(QtCore.QRect(0, 0, *screen), stored) == opens
