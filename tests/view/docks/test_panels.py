"""Every panel of the registry has its place in the window, in the workspaces that show it."""

import pytest
from PySide6.QtTest import QTest

from mechstudio.view.actions.panels import PANELS as PANEL_ACTIONS
from mechstudio.view.docks.registry import PAGE, PANELS, docked, pages

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
