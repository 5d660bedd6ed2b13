"""Assembling holds what was typed: a crank typed to stand at an angle stands there, whatever length
a slider changes.
"""

import math

import numpy as np
import pytest

from mechstudio.application.resources import sample_folder
from mechstudio.engine.constraints.attitude import displaced
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.manifold.assembly import assemble
from mechstudio.engine.manifold.metric import measured
from mechstudio.engine.manifold.placement_rows import TypedNumbers
from mechstudio.files.project_file import load
from mechstudio.model.edits import elements
from mechstudio.model.geometry.rotation import from_angles


def sample(name, **numbers):
    project = load(sample_folder() / f"{name}.mech").project
    for parameter, text in numbers.items():
        project = elements.set_quantity(project, parameter, ("value",), text)
    return project


def closed(project):
    """Bodies' places (x, z) and angles about Y [rad] by id, of a planar drawing."""
    result = assemble(project.mechanism)
    assert result.converged and result.gap_before > 1e-3
    return {
        id: (p[0], p[2], 2 * math.atan2(p[5], p[3]))
        for id, p in zip(project.mechanism.bodies, result.poses, strict=True)
    }


@pytest.mark.parametrize("coupler", [0.25, 0.29, 0.348, 0.4])
def test_a_typed_crank_stays_and_its_dyad_meets(coupler):
    """Four-bar with its crank typed at 120 deg: C is where circles about B = A + L1 e(120 deg) and
    D = A + (L4, 0) cross, to rounding.
    """
    places = closed(sample("four_bar", L2=f"{coupler} m"))
    a, L1, L3, L4 = math.radians(120.0), 0.13, 0.26, 0.34
    bx, bz = L1 * math.cos(a), 0.19 + L1 * math.sin(a)
    dx, dz = L4 - bx, 0.19 - bz
    far = math.hypot(dx, dz)
    along = (coupler**2 - L3**2 + far**2) / (2 * far)
    across = math.sqrt(coupler**2 - along**2)
    # the branch that is drawn has C above the line from B to D
    cx, cz = bx + (along * dx - across * dz) / far, bz + (along * dz + across * dx) / far
    assert places["crank"][2] == pytest.approx(-a, abs=1e-12) and places["crank"][
        :2
    ] == pytest.approx((0.0, 0.19), abs=1e-12)
    assert places["coupler"][:2] == pytest.approx((bx, bz), abs=1e-12)
    assert math.remainder(
        places["rocker"][2] + math.atan2(cz - 0.19, cx - L4), 2 * math.pi
    ) == pytest.approx(0.0, abs=1e-10)


def test_a_formula_of_the_start_is_met_and_what_was_drawn_gives_way():
    """The double pendulum's upper arm stands at alpha and its lower one at the typed 70 deg, pinned
    to its end.
    """
    places = closed(sample("double_pendulum", alpha="50 deg"))
    assert places["upper"] == pytest.approx((0.0, 0.62, -math.radians(50.0)), abs=1e-12)
    end = (0.22 * math.cos(math.radians(50.0)), 0.62 + 0.22 * math.sin(math.radians(50.0)))
    assert places["lower"] == pytest.approx((*end, -math.radians(70.0)), abs=1e-12)


def test_a_number_that_the_joints_contradict_gives_way_and_the_others_stay():
    """The rocker's pin to the ground is at L4 = 340 mm, whatever is typed for its frame."""
    project = elements.set_quantity(
        sample("four_bar"), "rocker", ("placement", "position", 0), "358 mm"
    )
    places = closed(project)
    assert places["rocker"][:2] == pytest.approx((0.34, 0.19), abs=1e-12)
    assert places["crank"][2] == pytest.approx(-math.radians(120.0), abs=1e-9)


def test_the_closed_pose_goes_steadily_with_a_slider_beyond_where_the_typed_angle_can_be_met():
    """With the crank at 120 deg B and D are 420.4 mm apart: below 160.4 mm the coupler does not
    reach, and the crank gives way without a jump.
    """
    angles = [
        closed(sample("four_bar", L2=f"{length} mm"))["crank"][2]
        for length in np.linspace(320.0, 80.0, 31)
    ]
    steps = np.abs(np.diff(np.unwrap(angles)))
    assert (
        angles[0] == pytest.approx(-math.radians(120.0), abs=1e-9)
        and abs(angles[-1] - angles[0]) > 0.5
    )
    assert steps.max() < 0.2


def test_rates_of_typed_numbers_are_their_differences():
    """The Jacobian against central differences, at attitudes that turn about all axes."""
    project = sample("four_bar")
    for id, angles in (
        ("crank", ("20 deg", "-120 deg", "35 deg")),
        ("rocker", ("-40 deg", "30 deg", "170 deg")),
    ):
        for k, text in enumerate(angles):
            project = elements.set_quantity(project, id, ("placement", "orientation", k), text)
            project = elements.set_quantity(
                project, id, ("placement", "position", k), f"{10 * k + 3} mm"
            )
    m = project.mechanism
    rows = JointRows(m)
    typed, measure = TypedNumbers(m, rows.size), measured(m, rows)
    poses = np.array(
        [
            (
                *(q.value for q in b.placement.position),
                *from_angles(*(q.value for q in b.placement.orientation)),
            )
            for b in m.bodies.values()
        ]
    )
    assert len(typed) == 12 and np.abs(typed.residuals(poses)).max() < 1e-15
    step = measure.twists(
        0.05 * np.random.default_rng(2).standard_normal(18), rows.bodies(poses)[1][1:]
    )
    poses = displaced(poses, step)
    R = rows.bodies(poses)[1]
    J = np.zeros((len(typed), 18))
    r, c, entries = typed.jacobian(poses, R, measure)
    J[r, c] = entries
    step = 1e-6
    for k in range(18):
        ahead, behind = (
            typed.residuals(displaced(poses, measure.twists(sign * step * np.eye(18)[k], R[1:])))
            for sign in (1, -1)
        )
        assert J[:, k] == pytest.approx((ahead - behind) / (2 * step), abs=1e-7)
