"""Numbers under the symbols: asked of the process of the derivations, newest instant first.  Real
processes, no window.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.questions.equations.instant import InstantValues
from mechstudio.protocol.derivation_messages import Evaluate, Evaluated
from tests.application.questions.equations.test_derivations import Driver


@pytest.fixture
def four_bar(tmp_path):
    driver = Driver(tmp_path, "four_bar").ready()
    yield driver
    driver.it.close()


def test_numbers_at_a_sample_and_at_the_drawn_pose(four_bar):
    live = four_bar.it.live
    run = ms.simulate(four_bar.document.project, duration=0.2, sample_step=0.05)
    live.look(run.rows[3])
    four_bar.until(lambda: live.is_settled)
    assert live.problem == "" and live.numbers.t == pytest.approx(0.15)
    assert live.numbers.values["theta_crank"] == pytest.approx(
        run.rows[3][run.layout.joint(next(iter(four_bar.document.project.mechanism.joints)))][0]
    )
    assert live.numbers.independent == ("theta_crank",) and live.numbers.rank == 2
    live.choose(("theta_rocker",))
    four_bar.until(lambda: live.is_settled)
    assert live.numbers.independent == ("theta_rocker",)
    live.choose(("theta_rocker", "theta_crank"))
    four_bar.until(lambda: live.is_settled)
    assert "1 independent" in live.numbers.refusal and "B" not in live.numbers.matrices
    live.choose()
    live.look(None)
    four_bar.until(lambda: live.is_settled)
    assert live.numbers.t == 0.0 and live.numbers.values["thetadot_crank"] == 0.0


def test_a_sample_of_another_drawing_is_refused_in_words(four_bar):
    live = four_bar.it.live
    live.look(np.zeros(7))
    four_bar.until(lambda: live.is_settled)
    assert live.numbers is None and "another drawing" in live.problem


def test_numbers_follow_an_edit(four_bar):
    live = four_bar.it.live
    live.look(None)
    four_bar.until(lambda: live.numbers is not None)
    before = live.numbers.values["theta_coupler"]
    name = next(iter(four_bar.document.project.parameters))
    four_bar.value(name, "0.31 m")
    four_bar.until(
        lambda: (
            four_bar.it.is_current
            and live.is_settled
            and live.numbers is not None
            and live.numbers.values["theta_coupler"] != before
        )
    )


def test_only_the_newest_instant_is_asked_for():
    sent = []
    live = InstantValues(lambda request: sent.append(request) or True)
    for k in range(5):
        live.look(np.array([float(k)]))
    assert len(sent) == 1
    live.take(Evaluated(sent[0].id))
    assert [np.frombuffer(r.sample)[0] for r in sent] == [0.0, 4.0] and all(
        isinstance(r, Evaluate) for r in sent
    )
    live.take(Evaluated(sent[0].id))  # late: another one is under way
    assert not live.is_settled
    live.take(Evaluated(sent[1].id))
    assert live.is_settled
