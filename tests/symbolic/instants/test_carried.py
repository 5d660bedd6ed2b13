"""Poses a moment later, by which rates of coordinates are read off that no formula gives."""

import numpy as np
import pytest

from mechstudio.model.geometry.rotation import about, multiply, rotate
from mechstudio.symbolic.instants.prescribed import _carried


def test_bodies_go_on_along_their_velocities_and_turn_about_their_spins():
    rng = np.random.default_rng(4)
    start = np.array(multiply(about((0, 0, 1), 0.7), about((1, 0, 0), -0.4)))
    poses = np.array([(*rng.normal(size=3), *start), (*rng.normal(size=3), *start)])
    twists, h = rng.normal(size=(2, 6)), 1e-4
    later = _carried(poses, twists, h)
    assert later[:, :3] == pytest.approx(poses[:, :3] + h * twists[:, :3], abs=1e-15)
    for before, after, twist in zip(poses, later, twists, strict=True):
        spin = float(np.linalg.norm(twist[3:]))
        turn = about(tuple(twist[3:] / spin), h * spin)
        for arm in np.eye(3):
            known = rotate(turn, rotate(tuple(before[3:]), tuple(arm)))
            assert rotate(tuple(after[3:]), tuple(arm)) == pytest.approx(known, abs=1e-11)
