"""The reason that is offered for keeping a redundancy."""

import pytest

from mechstudio.application.actions.edits.redundancies import IDEAL, PLANAR, usual_reason
from mechstudio.application.resources import sample_folder
from mechstudio.engine.structure.mobility import analyse
from mechstudio.files.project_file import load


@pytest.mark.parametrize(
    ("sample", "reasons"),
    [
        ("four_bar", [PLANAR]),
        ("slider_crank", [PLANAR]),
        ("andrews_squeezer", [PLANAR] * 3),
        (
            "parallelogram_five_bars",
            [PLANAR, IDEAL],
        ),  # the third crank holds the coupler along the cranks once more
        ("door_two_hinges", [IDEAL]),
        ("screw_jack", [IDEAL]),
    ],
)
def test_planar_idealisation_is_said_of_what_is_planar(sample, reasons):
    """A planar loop is redundant three times by being planar; two hinges in line five times, and by
    no plane.
    """
    project = load(sample_folder() / f"{sample}.mech").project
    assert [usual_reason(project.mechanism, r) for r in analyse(project).redundancies] == reasons
