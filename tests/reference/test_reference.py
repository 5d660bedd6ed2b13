"""Four published problems, rebuilt through the Python interface and compared with solutions known
to 1e-8 or better.

problems.json: frames along the world at t = 0 with origins at the centres of mass, parent -1 is
ground, points and axes in W, SI.
pendulum: IFToMM A01; fourbar2: IFToMM A02, which passes a singular position each time it lies flat;
andrews: IFToMM A03 and the IVP test set; slidercrank: a rigid slider-crank at 150 rad/s.
NAME.json: the tracked points on 101 instants.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import mechstudio as ms

HERE = Path(__file__).parent
PROBLEMS = json.loads((HERE / "problems.json").read_text("utf-8"))


def build(problem):
    """The project of one entry of problems.json, and its tracked points as (body, point in body
    axes).
    """
    m = ms.Builder(gravity=problem["gravity"])
    bodies = {-1: m.ground}
    for k, b in enumerate(problem["bodies"]):
        I = b["inertia_com_world"]
        bodies[k] = m.body(
            b["name"],
            b["com"],
            mass=b["mass"],
            center_of_mass=(0, 0, 0),
            inertia=(I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]),
        )
        bodies[k].velocity(b["velocity"], b["angular_velocity_world"])
    handles = [
        m.joint(
            j["type"],
            f"joint {k}",
            bodies[j["parent"]],
            bodies[j["child"]],
            at=j["point"],
            axis=j["axis"],
        )
        for k, j in enumerate(problem["joints"])
    ]
    for k, s in enumerate(problem["springs"]):
        m.force(
            "spring",
            f"spring {k}",
            a=bodies[s["body_1"]],
            b=bodies[s["body_2"]],
            at=(s["point_1"], s["point_2"]),
            stiffness=s["stiffness"],
            free_length=s["free_length"],
        )
    for k, t in enumerate(problem["joint_torques"]):
        m.force("motor_torque", f"motor {k}", joint=handles[t["joint"]], torque=t["torque"])
    tracked = [
        (
            problem["bodies"][t["body"]]["name"],
            np.subtract(t["point"], problem["bodies"][t["body"]]["com"]),
        )
        for t in problem["tracked_points"]
    ]
    return m.project(), tracked


@pytest.mark.parametrize("name", PROBLEMS)
def test_reference_problem(name):
    problem, known = PROBLEMS[name], json.loads((HERE / f"{name}.json").read_text("utf-8"))
    project, tracked = build(problem)
    result = ms.simulate(
        project, duration=problem["duration"], sample_step=problem["duration"] / 100
    )
    assert result.time == pytest.approx(known["t"], abs=1e-12)
    for (body, point), truth in zip(tracked, known["points"], strict=True):
        error = np.linalg.norm(result.position(body, point) - np.array(truth), axis=1)
        # "not (error < bound)" would let NaN pass the other way round
        assert np.all(error < 1e-6 * problem["length_scale"]), f"{name}: {error.max():.2e} m"
    assert result.statistics["constraint_error_m"] < 1e-10
    assert np.all(result.joint_gap < 1e-10)


def test_a_wrong_branch_would_be_caught():
    problem, known = PROBLEMS["fourbar2"], json.loads((HERE / "fourbar2.json").read_text("utf-8"))
    _project, tracked = build(problem)
    heavier = ms.simulate(
        build({**problem, "gravity": [0, -9.82, 0]})[0],
        duration=problem["duration"],
        sample_step=problem["duration"] / 100,
    )
    assert (
        np.linalg.norm(heavier.position(*tracked[0]) - np.array(known["points"][0]), axis=1).max()
        > 1e-3
    )
