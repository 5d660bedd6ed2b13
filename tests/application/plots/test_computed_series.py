"""Computed curves of a run that grows while it is read."""

import numpy as np

import mechstudio as ms
from mechstudio.application.plots.series import recorded
from mechstudio.application.resources import sample_folder
from mechstudio.curves.interpolation import derivative


class Growing:
    """Samples of a run, of which only the first ones are there yet."""

    def __init__(self, result):
        self.project, self.layout, self.all = result.project, result.layout, result.rows
        self.count, self.loads = 0, ()

    @property
    def rows(self):
        return self.all[: self.count]

    @property
    def time(self):
        return self.rows[:, 0]


def test_a_computed_curve_follows_a_run_that_grows():
    project = ms.load(sample_folder() / "four_bar.mech")
    samples = Growing(ms.simulate(project, duration=0.5))
    key = f"joint/{next(iter(project.mechanism.joints))}/0"
    for count in (0, 1, 3, 10, 30):
        samples.count = count
        angle, rate = recorded(samples, key), recorded(samples, f"derivative/{key}")
        assert len(rate.times) == len(rate.values) == count
        expected = derivative(angle.times, angle.values)
        assert np.array_equal(rate.values, expected, equal_nan=True)
