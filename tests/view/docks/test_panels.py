"""Every panel of the registry has its place in the window, in the workspaces that show it."""

import pytest

from mechstudio.view.docks.registry import PAGE, PANELS, docked, pages

SHOWN = {
    "build": {"model"},
    "analyse": {"model", "runs"},
    "explain": set(),
}
ALWAYS = {"inspector", "controls", "doctor", "plots", "equations"}


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
