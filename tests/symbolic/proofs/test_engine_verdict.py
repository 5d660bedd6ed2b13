"""The mark "the simulator accelerates alike", on every sample and red for planted faults."""

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.equations.lecture import DIFFERENT, SAMPLED
from mechstudio.model.mechanism import Placement
from mechstudio.model.quantity import vector
from tests.symbolic.methods.test_three_methods import FAULTS
from tests.symbolic.samples import SAMPLES


def load(name):
    return ms.load(next(p for p in SAMPLES if p.stem == name))


@pytest.mark.thinned(9)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
@pytest.mark.thinned(3)
def test_the_simulator_agrees_on_every_sample(path):
    proof = ms.agreement(ms.derive(ms.load(path)))
    assert proof.how == SAMPLED, proof.detail


@pytest.mark.parametrize(
    ("where", "name", "fault", "of", "method", "letters"),
    [f for f in FAULTS if f[1] != "kinetic"],
    ids=lambda x: x if isinstance(x, str) else getattr(x, "__name__", None),
)
def test_a_fault_in_a_method_turns_it_red(monkeypatch, where, name, fault, of, method, letters):
    monkeypatch.setattr(where, name, fault)
    assert ms.agreement(ms.derive(load(of), method)).how == DIFFERENT


def test_equations_of_another_drawing_are_recognised():
    """Derived from one drawing, compared with the simulator of another whose gravity points
    elsewhere.
    """
    from mechstudio.engine.agreement import Simulator
    from mechstudio.symbolic.instants.states import engine_proof

    d = ms.derive(load("double_pendulum"))
    other = msgspec.structs.replace(d.plan.mechanism, gravity=vector(0.0, 0.0, -9.80))
    proof = engine_proof(d, Simulator(other))
    assert proof.how == DIFFERENT and "Different at 3 random states" in proof.detail


@pytest.mark.parametrize("turn", [0.0, 0.4])
def test_places_count_from_the_origin_wherever_ground_s_first_joint_stands(turn):
    """Frames on ground and bodies that slide have their places in W, which equations of motion do
    not ask for, but simulators and contacts do.
    """
    from mechstudio.symbolic.instants.states import closed_state, frames

    project = load("cam_and_follower")
    placed = msgspec.structs.replace(
        project.mechanism.ground,
        placement=Placement(vector(0.3, -0.2, 0.1), vector(turn, 0.0, 0.0)),
    )
    d = ms.derive(
        msgspec.structs.replace(
            project, mechanism=msgspec.structs.replace(project.mechanism, ground=placed)
        )
    )
    R = np.array(
        [[np.cos(turn), -np.sin(turn), 0.0], [np.sin(turn), np.cos(turn), 0.0], [0.0, 0.0, 1.0]]
    )
    # as drawn, the slide at 0: its shaft 0.14 m above ground's origin, the follower's guide 0.35 m
    # with 0.17 m below
    expected = np.array([0.3, -0.2, 0.1]) + np.array([[0.0, 0.0, 0.14], [0.0, 0.0, 0.18]]) @ R.T
    assert frames(d, 0.0 * closed_state(d))[0][:, :3] == pytest.approx(expected, abs=1e-12)
    proof = ms.agreement(d)
    assert proof.how == SAMPLED and "stops and contacts left out" in proof.detail, proof.detail


def test_engine_proof_compares_accelerations():
    d = ms.derive(load("four_bar"))
    from mechstudio.engine.agreement import Simulator
    from mechstudio.symbolic.instants.states import engine_proof

    class Still(Simulator):
        def accelerations(self, poses, twists):
            return np.zeros_like(twists), 0.0

    proof = engine_proof(d, Still(d.plan.mechanism))
    assert proof.how == DIFFERENT
