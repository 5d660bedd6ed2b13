"""ms.branches as a script uses it."""

import pytest

import mechstudio as ms
from mechstudio.application.resources import sample_folder


def test_branches_by_name_with_progress():
    project = ms.load(sample_folder() / "slider_crank.mech")
    shares = []
    found = ms.branches(project, "A", progress=shares.append)
    assert len(found.branches) == 2 and found.turns == 1 and found.problem == ""
    assert shares == sorted(shares) and shares[-1] == 1.0


def test_a_joint_that_is_not_there():
    with pytest.raises(KeyError, match="There is no joint Q"):
        ms.branches(ms.load(sample_folder() / "slider_crank.mech"), "Q")


def test_a_cam_whose_law_ends_is_followed_up_to_there():
    # sqrt(cos a) has values up to a right angle only, and at the right angle no slope
    m = ms.Builder()
    wheel = m.body("wheel", (0, 0, 0.5)).disc("40 mm", "20 mm", angles=(0, 0, "90 deg"))
    follower = m.body("follower", (0, 0, 0.7)).box("20 mm", "20 mm", "0.1 m")
    shaft = m.pin("A", m.ground, wheel, at=wheel.world())
    m.cam(
        "lift",
        shaft,
        m.slider("B", m.ground, follower, at=follower.world(), axis=(0, 0, 1)),
        "20 mm*sqrt(cos(a))",
    )
    result = ms.branches(m.project(), "A")
    assert result.problem == "" and len(result.branches) >= 1 and not result.turns
