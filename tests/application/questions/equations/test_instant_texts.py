"""Writing of the numbers of an instant."""

import pytest

from mechstudio.application.questions.equations.instant_texts import figure, texts
from mechstudio.model.equations.numbers import InstantNumbers
from mechstudio.model.equations.terms import Equations, Name, Unknown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1e-14, "0"),
        (1.0, "1.000"),
        (-0.25, "−0.2500"),
        (123.456, "123.5"),
        (9999.6, "10000"),
        (12345.0, "12345"),
        (2.5e-5, "2.5e−5"),
        (3.2e9, "3.20e9"),
        (float("nan"), "–"),
        (0.05, "0.0500"),
    ],
)
def test_figures_keep_their_digits(value, text):
    assert figure(value) == text


def test_each_place_has_its_number():
    angle = Unknown(
        Name("theta", "theta"),
        Name("thetadot", "theta", dots=1),
        Name("thetaddot", "theta", dots=2),
        "angle",
        "angle of joint A",
    )
    equations = Equations(
        "lagrange",
        "closed",
        (angle,),
        (),
        (Name("lambda_1", "lambda", "1"), Name("lambda_2", "lambda", "2")),
    )
    numbers = InstantNumbers(
        0.5,
        {
            "theta": 0.5235987755982988,
            "thetadot": 2.0,
            "thetaddot": 0.0,
            "lambda_1": 3.0,
            "lambda_2": 4.0,
        },
        {"M": ((0.25,),)},
        determined=(True, False),
    )
    shown = texts(equations, numbers, "mm-N-deg")
    assert shown["theta"] == "30°" and shown["thetadot"] == "2.000" and shown["=theta"] == "30 deg"
    assert (
        shown["lambda_1"] == "3.000"
        and shown["=lambda_2"] == "≈ 4.000"
        and shown["=M.0.0"] == "0.2500"
    )
    assert texts(equations, numbers, "m-N-rad")["theta"] == "0.5236"
