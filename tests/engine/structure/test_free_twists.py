"""Twists that joints leave free at every pose, against those known of each type."""

from types import SimpleNamespace

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.structure.conservation import conserved
from mechstudio.engine.structure.free_twists import _plain, always_free
from mechstudio.model.geometry.rotation import from_angles, matrix
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.joints import JOINT_TYPES

R, P, PITCH = np.array(matrix(from_angles(0.4, -0.7, 1.1))), np.array((0.3, -0.2, 0.5)), -0.07


def turn(axis):
    return np.concatenate((axis, np.cross(P, axis)))


def slide(axis):
    return np.concatenate((np.zeros(3), axis))


X, Y, Z = R.T
BALL = [turn(a) for a in np.eye(3)]
LEAD = PITCH / (2 * np.pi)
# type: (fixed in A, fixed in B)
KNOWN = {
    "fixed": ([], []),
    "revolute": ([turn(Z)], [turn(Z)]),
    "prismatic": ([slide(Z)], [slide(Z)]),
    "cylindrical": ([turn(Z), slide(Z)], [turn(Z), slide(Z)]),
    "screw": ([turn(Z) + LEAD * slide(Z)], [turn(Z) + LEAD * slide(Z)]),
    "planar": ([turn(Z), slide(X), slide(Y)], [turn(Z), slide(X), slide(Y)]),
    "universal": ([turn(Z)], [turn(X)]),
    "constant_velocity": ([], []),
    "spherical": (BALL, BALL),
    "distance": (BALL, BALL),
    "point_on_plane": ([turn(Z), slide(X), slide(Y)], BALL),
    "point_on_line": ([turn(Z), slide(Z)], BALL),
    # its curve goes anywhere
    "point_on_curve": ([], BALL),
    # along the cam's axis; the face also turns about its normal and slides in itself
    "flat_follower": ([slide(Z)], [turn(Y), slide(X), slide(Z)]),
    "rolling_disc": ([], []),
    "rolling_wheel": ([], []),
    # along the blade, and about the upright through it, as the blade itself sees them
    "knife_edge": ([], [turn(Z), slide(X)]),
    "free": (list(np.eye(6)), list(np.eye(6))),
}


@pytest.mark.parametrize("type", KNOWN)
@pytest.mark.parametrize("is_a", [True, False])
def test_twists_are_those_that_are_known(type, is_a):
    numbers = {"pitch": PITCH, "length": 0.3, "radius": 0.05}
    parameters = {p.name: Quantity(numbers[p.name]) for p in JOINT_TYPES[type].parameters}
    joint = SimpleNamespace(type=type, parameters=parameters)
    found = np.array(always_free(joint, R, P, is_a)).reshape(-1, 6)
    known = np.array(KNOWN[type][0 if is_a else 1]).reshape(-1, 6)
    rank = lambda rows: int(np.linalg.matrix_rank(rows, tol=1e-9)) if len(rows) else 0
    assert rank(found) == rank(known) == rank(np.vstack([found, known])) == len(found)


def test_a_point_on_a_curve_of_the_moving_body_keeps_angular_momenta_about_it():
    # the ground's point runs on the body's curve: what holds it passes through that point of W
    m = ms.Builder("Track", gravity=(0, 0, 0))
    track = m.body("track", (0, 0, 0)).box("400 mm", "200 mm", "20 mm")
    m.on_curve("P", track, m.ground, [(-0.2, 0, 0), (0, 0.1, 0), (0.2, 0, 0)], at=(0, 0.1, 0))
    turns = [c for c in conserved(m.project().mechanism) if c.turns and not c.central]
    assert len(turns) == 3


def test_a_basis_is_named_by_single_turns_and_slides():
    """Rows of a basis in any order and mixed: the reduced row echelon form is the same."""
    plain = np.zeros((3, 6))
    plain[[0, 1, 2], [0, 1, 3]] = 1.0
    plain[1, 5] = -0.5
    for mixed in (plain[[0, 2, 1]], plain[[2, 1, 0]], plain[[2, 0, 1]] + plain[[1, 1, 1]]):
        if np.linalg.matrix_rank(mixed) == 3:
            assert _plain(mixed) == pytest.approx(plain)
