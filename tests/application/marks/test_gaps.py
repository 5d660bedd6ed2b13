"""Gaps of joints as they are drawn, against those that the analysis of joint errors finds."""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.marks.figures.gaps import Gap, drawn, gap, magnification
from mechstudio.application.plots.joint_errors import errors_of
from mechstudio.application.resources import sample_folder
from mechstudio.engine.analyses.over_time import joint_errors
from mechstudio.engine.analyses.registry import options_of, system_for


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "stewart_platform"])
def test_drawn_gaps_are_those_of_the_analysis(name):
    project = ms.load(sample_folder() / f"{name}.mech")
    result = ms.simulate(project, duration=0.2, sample_step=0.02)
    # bodies that are moved leave gaps far above rounding
    rng = np.random.default_rng(3)
    rows = result.rows[-1:].copy()
    poses = rows[:, result.layout.poses].reshape(-1, 7)
    poses += 1e-4 * rng.normal(size=poses.shape)
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    rows[:, result.layout.poses] = poses.reshape(1, -1)
    joints = list(project.mechanism.joints)
    options = options_of(project, 0.2, 0.02)
    table = joint_errors(system_for(result.project.mechanism, options), rows, joints)
    seen = 0
    for id in joints:
        found = gap(result.project.mechanism, result.layout, rows[0], id)
        if found is not None:
            label = f"{result.project.mechanism.joints[id].name} gap"
            expected = table.rows[0, table.columns.index(label)]
            assert np.linalg.norm(found.apart) == pytest.approx(expected, rel=1e-6)
            error, own = errors_of(result.project.mechanism, result.layout, rows, id)
            whole = table.rows[0, table.columns.index(label.replace(" gap", " error"))]
            assert error[0] == pytest.approx(whole, rel=1e-6) and own[0] == pytest.approx(expected)
            seen += 1
    assert seen >= 4


def test_a_gap_is_magnified_by_a_power_of_ten_that_its_words_tell():
    assert magnification(3e-14, 0.6) == 1e12 and magnification(0.5, 0.6) == 1.0
    assert magnification(0.0, 0.6) == 1.0
    parts = list(drawn(Gap(np.zeros(3), np.array([3e-14, 0, 0])), 0.6, "C", "m-N-rad"))
    assert np.ptp(parts[0].points[:, 0]) == pytest.approx(0.03)
    assert parts[-1].words == "C: gap 3.0e−14 m, drawn 10¹² times as large"
