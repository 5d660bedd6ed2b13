"""Every panel of the registry has its place in the window, in the workspaces that show it."""

import pytest
from PySide6.QtTest import QTest

from mechstudio.view.actions.panels import PANELS as PANEL_ACTIONS
from mechstudio.view.docks.registry import BOTTOM, LEFT, PAGE, PANELS, RIGHT, docked, pages
from mechstudio.view.panels.model_tree import NAME

SHOWN = {
    "build": {"model", "inspector", "doctor"},
    "analyse": {"model", "runs", "inspector", "doctor"},
    "explain": set(),
}
ALWAYS = {"controls", "plots", "equations"}


@pytest.mark.parametrize("workspace", SHOWN)
def test_a_workspace_shows_the_panels_that_it_is_for(window, workspace):
    window.set_workspace(workspace)
    shown = {key for key, dock in window.docks.by_key.items() if not dock.isHidden()}
    assert shown == ALWAYS | SHOWN[workspace]


def test_every_panel_has_a_dock_or_a_page_with_its_words(window):
    assert len({p.key for p in PANELS}) == len(PANELS) == len(docked()) + len(pages())
    for panel in docked():
        assert window.docks.by_key[panel.key].objectName() == f"dock_{panel.key}"
    for page in pages():
        window.docks.show_page(page)
        assert window.docks.pages.button(page.key).isChecked() and page.place == PAGE
    window.docks.show_page(pages()[0])


def test_the_table_of_parameters_stands_beside_the_plots(window):
    window.docks.show_parameters(True)
    assert window.docks.shows_parameters and not window.docks.by_key["plots"].isHidden()
    window.docks.show_parameters(False)
    assert not window.docks.by_key["plots"].isHidden()


def test_words_about_all_panes_have_a_row_where_there_is_room(window):
    head = window.docks.by_key["plots"].frame
    for workspace, shown in (("analyse", True), ("build", False), ("analyse", True)):
        window.set_workspace(workspace)
        assert head.isHidden() is not shown
    window.set_workspace("build")


def test_explain_puts_the_pages_at_the_right_of_the_scene_over_the_sliders(window):
    docks, pages_dock = window.docks, window.docks.by_key["equations"]
    plots, controls = docks.by_key["plots"], docks.by_key["controls"]
    window.set_workspace("explain")
    QTest.qWait(20)
    assert pages_dock.x() > window.host.parentWidget().x() and pages_dock.y() < controls.y()
    assert pages_dock.x() == controls.x() and pages_dock.width() == controls.width()
    assert controls.geometry().bottom() == plots.geometry().bottom()
    assert 0.4 < pages_dock.width() / window.width() < 0.48
    window.set_workspace("build")
    QTest.qWait(20)
    assert pages_dock.y() == plots.y() and pages_dock.x() > plots.geometry().right()
    assert docks.by_key["inspector"].y() < controls.y() < docks.by_key["doctor"].y()


def test_large_letters_leave_the_pages_in_the_bottom_row(window):
    pages_dock, plots = window.docks.by_key["equations"], window.docks.by_key["plots"]
    window.resize(1280, 800)
    window.theme.set_scale(2.0)
    window.set_workspace("explain")
    QTest.qWait(20)
    assert pages_dock.y() == plots.y() and not window.docks.by_key["inspector"].isHidden()


def test_a_panel_that_a_workspace_has_no_place_for_comes_in_another_one(window):
    window.set_workspace("explain")
    action = PANEL_ACTIONS["inspector"]
    assert not window.docks.has_place("inspector")
    window.actions_.trigger(action)
    assert window.workspace == "build" and window.docks.has_place("inspector")
    window.docks.show_again("runs")
    assert window.workspace == "analyse" and not window.docks.by_key["runs"].isHidden()
    window.actions_.trigger(PANEL_ACTIONS["lesson"])
    assert window.docks.shows_lesson and not window.docks.by_key["lesson"].isHidden()


def test_a_use_of_a_parameter_is_shown_in_the_inspector_from_anywhere(window):
    body = next(iter(window.studio.document.project.mechanism.bodies))
    window.set_workspace("explain")
    window.docks.show_field(body, ("name",))
    assert window.workspace == "build" and not window.docks.by_key["inspector"].isHidden()
    window.docks.hide("inspector")
    window.docks.show_field(body, ("name",))
    assert not window.docks.by_key["inspector"].isHidden()


@pytest.mark.parametrize("workspace", ["build", "analyse"])
def test_the_left_column_is_shared_by_what_is_in_it(window, workspace):
    window.resize(1600, 1000)
    window.docks.open_low()
    window.docks.show_lesson(True)
    window.set_workspace(workspace)
    QTest.qWait(20)
    shown = [p for p in docked() if p.place == LEFT]
    shown = [p for p in shown if not window.docks.by_key[p.key].isHidden()]
    heights = [window.docks.by_key[p.key].height() for p in shown]
    whole = sum(p.share for p in shown)
    for panel, height in zip(shown, heights, strict=True):
        assert height / sum(heights) == pytest.approx(panel.share / whole, abs=0.06), panel.key
    widths = {window.docks.by_key[p.key].width() for p in shown}
    assert len(widths) == 1 and 300 < widths.pop() < 380
    window.docks.show_lesson(False)


def test_pages_that_were_dragged_elsewhere_stay_there_in_their_workspace(window):
    docks, pages_dock = window.docks, window.docks.by_key["equations"]
    window.set_workspace("build")
    window.addDockWidget(LEFT, pages_dock)
    docks.show_parameters(True)
    docks.show_parameters(False)
    assert window.dockWidgetArea(pages_dock) == LEFT
    window.set_workspace("explain")
    assert window.dockWidgetArea(pages_dock) == RIGHT
    window.set_workspace("analyse")
    assert window.dockWidgetArea(pages_dock) == BOTTOM


@pytest.mark.parametrize("width", [1280, 1280 * 92 // 100])
def test_a_screen_of_1280_shows_names_of_joints_and_long_sliders(window, width):
    window.resize(width, 736)
    window.docks.arrange("build")
    QTest.qWait(20)
    tree = window.docks.tree
    shown = [tree._items[id] for id in window.studio.document.project.mechanism.joints]
    assert shown
    for item in shown:
        text, room = item.text(NAME), tree.visualRect(tree.indexFromItem(item, NAME)).width()
        words = tree.fontMetrics().horizontalAdvance(text)
        # the icon and the margins beside icon and words
        assert tree.iconSize().width() + words + 8 <= room, text
    for slider in window.docks.controls.sliders.values():
        assert slider.width() >= 90
    window.resize(1280, 800)
    window.docks.arrange("build")
