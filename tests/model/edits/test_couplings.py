"""The sense of gears and racks: the same way or not in space, and reversed with their texts."""

import pytest

from mechstudio.model.edits import insertion
from mechstudio.model.edits.couplings import negative, ratio_words, reverse, same_way
from mechstudio.model.edits.links import FRONT, add_joint, add_link
from mechstudio.model.formulas.expression import evaluate
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity


def pair(swap=False, type="gear", second="revolute", axis=None):
    project, a = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.0, 0.0, 0.1))
    project, b = add_link(project, FRONT, (0.2, 0.0, 0.0), (0.2, 0.0, 0.1))
    project, first = add_joint(project, FRONT, GROUND, a, (0.0, 0.0, 0.0))
    project, other = add_joint(
        project, FRONT, *((b, GROUND) if swap else (GROUND, b)), (0.2, 0.0, 0.0), second, axis
    )
    return insertion.add_coupling(project, type, (first, other))


@pytest.mark.parametrize("swap", [False, True])
def test_outer_gears_turn_opposite_ways_however_their_joints_were_drawn(swap):
    project, id = pair(swap)
    coupling = project.mechanism.couplings[id]
    assert same_way(project.mechanism, coupling) is False
    rotated = reverse(project, id)
    assert same_way(rotated.mechanism, rotated.mechanism.couplings[id]) is True
    assert (
        rotated.mechanism.couplings[id].parameters["ratio"].value
        == -coupling.parameters["ratio"].value
    )
    assert reverse(rotated, id) == project


def test_a_rack_has_no_sense_of_turning():
    project, id = pair(type="rack_and_pinion", second="prismatic", axis=(1.0, 0.0, 0.0))
    assert same_way(project.mechanism, project.mechanism.couplings[id]) is None
    before = project.mechanism.couplings[id].parameters["radius"].value
    assert reverse(project, id).mechanism.couplings[id].parameters["radius"].value == -before


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("", ""),
        ("2", "-2"),
        ("-30 mm", "30 mm"),
        ("2*z", "-(2*z)"),
        ("-(z + 1)", "z + 1"),
        ("-(z)*(1 + z)", "-(-(z)*(1 + z))"),
    ],
)
def test_texts_are_reversed_too(text, opposite):
    found = negative(Quantity(3.0, text))
    assert (found.value, found.text) == (-3.0, opposite)
    if "z" in text:
        names = {"z": (1.5, "number")}
        assert evaluate(found.text, "number", names) == pytest.approx(
            -evaluate(text, "number", names)
        )
        assert evaluate(negative(found).text, "number", names) == pytest.approx(
            evaluate(text, "number", names)
        )


def test_ratios_in_words():
    assert [ratio_words(r) for r in (-2.0, 0.5, 1.0, 2.5)] == [
        "2 to 1",
        "1 to 2",
        "1 to 1",
        "2.5 to 1",
    ]
