"""Fields of the helpers: a choice of bodies says what is ticked."""

import pytest

import mechstudio as ms
from mechstudio.view.sizing.form import BodiesChoice


@pytest.mark.slow
def test_a_choice_of_bodies_says_what_is_ticked(qtbot, theme, window):
    m = ms.Builder("Links")
    for k in (1, 2):
        m.link(f"link {k}", (0, 0, k), (0.2, 0, k))
    window.studio.document.commit("Draw", m.project())
    heard = []
    choice = BodiesChoice(theme, window.studio, "Links", "all of them", heard.append)
    qtbot.addWidget(choice)
    assert choice.text() == "all of them"
    choice.menu().aboutToShow.emit()
    first, second = choice.menu().actions()
    second.trigger()
    assert choice.text() == "link 2"
    first.trigger()
    assert choice.text() == "link 2, link 1" and heard[-1] == ",".join(choice.ids)
    second.trigger()
    first.trigger()
    assert choice.text() == "all of them" and heard[-1] == ""
