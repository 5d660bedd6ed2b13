"""Verdicts on answers against known ones: nothing right is called wrong, nothing wrong right."""

import pytest

from mechstudio.application.lessons.checking import (
    RIGHT,
    WRONG,
    check_equation,
)
from mechstudio.model.equations.lecture import EXACT, Proof
from mechstudio.model.project import EQUATION, Question


def test_another_equation_than_the_one_that_is_asked_for_is_not_right():
    question = Question(EQUATION, answer="m x'' = F")
    proof = Proof("claim:0", "J theta'' = 0", EXACT, "It is equation 2.", row=2)
    assert check_equation(question, proof, 2).verdict == RIGHT
    assert check_equation(question, proof, 0).verdict == RIGHT
    other = check_equation(question, proof, 1)
    assert other.verdict == WRONG and "not the one" in other.words
