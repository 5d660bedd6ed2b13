"""Every panel of the registry has its place in the window, in the workspaces that show it."""

import pytest

from mechstudio.view.docks.registry import PAGE, PANELS, docked, pages

SHOWN = {
    "build": {"model", "plot_1", "plot_2"},
    "analyse": {"model", "plot_1", "plot_2"},
    "explain": set(),
}
ALWAYS = {"inspector", "controls", "doctor", "plot_0", "equations"}


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


def test_the_table_of_parameters_takes_the_place_of_the_lesser_plots(window):
    window.docks.show_parameters(True)
    assert window.docks.shows_parameters
    assert [dock.isHidden() for dock in window.docks.low[:3]] == [False, True, True]
    window.docks.show_parameters(False)
    assert [dock.isHidden() for dock in window.docks.low[:3]] == [False, False, False]
