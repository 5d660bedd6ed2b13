"""A body's place in each of the forms, without a window: numbers that are read are those that were
written.
"""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtTest import QTest

from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.model.edits import elements
from mechstudio.model.geometry.pose import ATTITUDES, POSITIONS
from mechstudio.model.mechanism import Placement
from mechstudio.model.quantity import vector
from mechstudio.view.inspector.pose import PoseSection, default_forms
from tests.view.conftest import sample_file


@pytest.fixture
def studio(qapp):
    """A studio with the four-bar, its coupler away from the axes: at 3, 4, 12 dm, turned by small
    angles that no form is locked at.
    """
    made = Studio(Preferences())
    project = sample_file("four_bar").project
    placement = Placement(vector(0.3, 0.4, 1.2), vector(0.4, 0.5, 0.6))
    made.files.show(elements.set_attribute(project, "coupler", placement=placement), None, None)
    return made


def section_of(theme, studio, qtbot, **forms):
    made = PoseSection(theme, studio, SimpleNamespace(id="coupler"), default_forms() | forms)
    qtbot.addWidget(made)
    return made


def pose(studio):
    return studio.document.project.mechanism.bodies["coupler"].placement.pose


@pytest.mark.parametrize(
    ("form", "names", "numbers"),
    [
        ("cartesian", ["X", "Y", "Z"], ["300 mm", "400 mm", "1200 mm"]),
        ("cylindrical", ["Radius", "Azimuth", "Z"], ["500 mm", "53.1301 deg", "1200 mm"]),
        ("spherical", ["Distance", "From Z", "Azimuth"], ["1300 mm", "22.6199 deg", "53.1301 deg"]),
    ],
)
def test_each_form_reads_the_same_place(theme, studio, qtbot, form, names, numbers):
    made = section_of(theme, studio, qtbot, position=form)
    shown = made.numbers[:3]
    assert [n.edit.accessibleName() for n in shown] == names
    assert [n.edit.text() for n in shown] == numbers
    assert all(reading.isHidden() for reading, _, _ in made._readings), "it is as drawn"


@pytest.mark.parametrize(
    ("part", "form"),
    [("position", p) for p in POSITIONS] + [("attitude", a) for a in ATTITUDES],
)
def test_one_number_of_a_form_is_changed_and_nothing_else(theme, studio, qtbot, part, form):
    made = section_of(theme, studio, qtbot, **{part: form})
    project, before = studio.document.project, pose(studio)
    count = len(made._form(part).names)
    first = 0 if part == "position" else 3
    assert made.numbers[first]._part == part and len(made.numbers) == count + 3
    for k in range(count):
        numbers = made._drawn_numbers(part)
        assert numbers[k] == made.drawn_number(part, k)
        made.place(project, part, k, numbers[k] + 0.02, "")
        now = made._drawn_numbers(part)
        expected = np.array(numbers)
        expected[k] += 0.02
        if form == "quaternion":  # which is made a unit one again
            expected /= np.linalg.norm(expected)
        assert now == pytest.approx(expected.tolist(), abs=1e-9), k
        other = 1 if part == "position" else 0
        assert pose(studio)[other] == pytest.approx(before[other], abs=1e-12)
        words = f"{made._form(part).names[k]} of coupler "
        assert studio.document.undo_label.startswith(words)
        studio.document.undo()
        assert pose(studio) == before
    made.place(project, part, 0, made.drawn_number(part, 0) + 0.1, "By hand")
    assert studio.document.undo_label == "By hand"


def test_another_form_brings_its_own_fields(theme, studio, qtbot):
    made = section_of(theme, studio, qtbot)
    made._choose("attitude", "quaternion")
    assert len(made.numbers) == 6, "not while the button is at work"
    QTest.qWait(1)
    assert len(made.numbers) == 7 and made._built_for["attitude"] == "quaternion"
    # the forms were chosen on another page
    made._chosen["position"] = "cartesian"
    made.arrive()
    assert made.numbers[0].edit.accessibleName() == "X"
    numbers = made.numbers
    made.arrive()
    assert made.numbers is numbers, "the same forms"
    made.numbers[0].edit.clear()
    with pytest.raises(ValueError, match="needs a number"):
        made.numbers[0].tried(studio.document.project)


def test_the_place_of_now_is_read_beside_it(theme, studio, qtbot, monkeypatch):
    made = section_of(theme, studio, qtbot)
    turned = ((0.0, 2.0, 0.5), (math.cos(0.25), 0.0, 0.0, math.sin(0.25)))
    monkeypatch.setattr(made, "_now", lambda: turned)
    made.refresh()
    texts = [reading.text() for reading, _, _ in made._readings]
    assert texts[:3] == ["2000 mm", "90 deg", "500 mm"]
    assert "28.65 deg" in texts[3:] and not any(r.isHidden() for r, _, _ in made._readings)
    assert made._lock.isHidden()
    # turned by 90° about y the first and the last angle turn about one axis
    locked = ((0.0, 0.0, 0.0), (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0))
    monkeypatch.setattr(made, "_now", lambda: locked)
    made.refresh()
    assert not made._lock.isHidden() and made._lock.text().startswith("Gimbal lock: ")
    made._leaf.id = "nobody"
    made.refresh()
    assert not made.stands()
