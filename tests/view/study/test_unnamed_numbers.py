"""Numbers of the drawing that have no name yet are offered to a study, and named when chosen."""

import pytest

import mechstudio as ms
from tests.view.study_hand import choose, open_study, pick


@pytest.fixture
def page(make_window, qtbot, tmp_path):
    m = ms.Builder()
    arm = m.link("arm", (0, 0, 0), (0.3, 0, 0))
    A = m.pin("A", m.ground, arm, at=(0, 0, 0))
    m.force("torsion_spring", "k", joint=A, stiffness=2.0, free_angle=0)
    ms.save(m.project(), tmp_path / "arm.mech")
    window = make_window(size=(1280, 800))
    assert window.studio.files.open(tmp_path / "arm.mech")
    return open_study(window, qtbot)


def test_the_length_of_a_link_is_varied_without_a_name(page, qtbot):
    document = page._studio.document
    before = document.project
    menu = page.setup.plus_vary.menu()
    menu.aboutToShow.emit()
    choose(next(a for a in menu.actions() if a.text() == "arm").menu(), "Length")
    project = document.project
    (name,) = project.parameters
    made = project.parameters[name]
    assert made.value.value == pytest.approx(0.3) and made.note == "Length of arm"
    assert not made.slider
    arm = next(iter(project.mechanism.bodies.values()))
    assert arm.shapes[0].dimensions["length"].text == name
    (study,) = project.studies
    assert [(v.parameter, v.values) for v in study.vary] == [(name, "270 mm..330 mm:9")]
    document.undo()
    assert document.project == before, "one step"


def test_a_stiffness_is_picked_by_the_mouse(page, qtbot):
    pick(qtbot, page.setup.plus_vary, "Stiffness of k")
    project = page._studio.document.project
    ((name, made),) = project.parameters.items()
    assert name == "k1" and made.value.value == 2.0
    menu = page.setup.plus_vary.menu()
    menu.aboutToShow.emit()
    assert "Stiffness of k" not in [a.text() for a in menu.actions()]
    assert not any(a.text().startswith("k1") for a in menu.actions()), "varied already"
