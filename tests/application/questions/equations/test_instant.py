"""Numbers under the symbols: requested from the process of the derivations, newest instant first.
Real processes, no window.
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
    values = four_bar.it.instant_values
    run = ms.simulate(four_bar.document.project, duration=0.2, sample_step=0.05)
    values.evaluate(run.rows[3])
    four_bar.until(lambda: values.is_settled)
    assert values.problem == "" and values.numbers.t == pytest.approx(0.15)
    assert values.numbers.values["theta_crank"] == pytest.approx(
        run.rows[3][run.layout.joint(next(iter(four_bar.document.project.mechanism.joints)))][0]
    )
    assert values.numbers.independent == ("theta_crank",) and values.numbers.rank == 2
    values.choose(("theta_rocker",))
    four_bar.until(lambda: values.is_settled)
    assert values.numbers.independent == ("theta_rocker",)
    values.choose(("theta_rocker", "theta_crank"))
    four_bar.until(lambda: values.is_settled)
    assert "1 independent" in values.numbers.refusal and "B" not in values.numbers.matrices
    values.choose()
    values.evaluate(None)
    four_bar.until(lambda: values.is_settled)
    assert values.numbers.t == 0.0 and values.numbers.values["thetadot_crank"] == 0.0


def test_a_sample_of_another_drawing_is_refused_in_words(four_bar):
    values = four_bar.it.instant_values
    values.evaluate(np.zeros(7))
    four_bar.until(lambda: values.is_settled)
    assert values.numbers is None and "another drawing" in values.problem


def test_numbers_follow_an_edit(four_bar):
    values = four_bar.it.instant_values
    values.evaluate(None)
    four_bar.until(lambda: values.numbers is not None)
    before = values.numbers.values["theta_coupler"]
    name = next(iter(four_bar.document.project.parameters))
    four_bar.value(name, "0.31 m")
    four_bar.until(
        lambda: (
            four_bar.it.is_current
            and values.is_settled
            and values.numbers is not None
            and values.numbers.values["theta_coupler"] != before
        )
    )


def test_only_the_newest_instant_is_requested():
    sent = []

    def post(make):
        sent.append(make(len(sent) + 1))
        return len(sent)

    values = InstantValues(post)
    for k in range(5):
        values.evaluate(np.array([float(k)]))
    assert len(sent) == 1
    values.take(Evaluated(sent[0].id))
    assert [np.frombuffer(r.sample)[0] for r in sent] == [0.0, 4.0] and all(
        isinstance(r, Evaluate) for r in sent
    )
    values.take(Evaluated(sent[0].id))  # late: another one is under way
    assert not values.is_settled
    values.take(Evaluated(sent[1].id))
    assert values.is_settled
