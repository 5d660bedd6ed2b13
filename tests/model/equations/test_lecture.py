"""Data of a lecture: it survives the pipe, and every name that it uses is known."""

import msgspec

from mechstudio.model.equations import lecture as lectures
from mechstudio.model.equations.lecture import (
    CHAPTER_TITLES,
    DIFFERENT,
    FORMULAS,
    HOW,
    METHODS,
    UNPROVEN,
    Chapter,
    Equality,
    Lecture,
    Proof,
    Reaction,
    Step,
)
from mechstudio.model.equations.terms import Block, Entry, Equations, Function, Name, Term

X, ONE = Name("x", "x"), Entry((Term(1, 1, (Name("x", "x"),), ("b1",)),))
PRIMED = Name("f_lift_1", "f", "lift", 0, 1, "lift", 1)


def lecture():
    equations = Equations(
        "lagrange",
        "open",
        (),
        (),
        functions=(Function((X, PRIMED, PRIMED), ONE, "lift", "law", "lift"),),
    )
    step = Step(
        "cuts:b1",
        "cuts",
        "Crank",
        ("Cut free.",),
        "balances",
        (Equality(ONE, Entry(), "x", ("b1",)),),
        (Block("J_P:b1", "J_P", ((ONE,),), name=X),),
        1,
        ("b1",),
    )
    proof = Proof(
        "skew", "Ṁ − 2C is skew", DIFFERENT, "", (Block("skew", "difference", ((ONE,),)),)
    )
    return Lecture(
        equations,
        (Chapter("lagrange", "Lagrange", (step,)),),
        (proof,),
        (Reaction(X, "A", False, 0, "b1", "b1", "ground", "force"),),
    )


def test_a_lecture_survives_the_pipe():
    made = lecture()
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(made), type=Lecture) == made
    assert made.chapter("lagrange").step("cuts:b1").blocks[0].name == X


def test_unproven_and_different_proofs_do_not_hold():
    assert [h for h in HOW if not Proof("k", "c", h).holds] == [UNPROVEN, DIFFERENT]


def test_every_method_and_chapter_has_a_title():
    assert set(METHODS) <= set(CHAPTER_TITLES) and all(CHAPTER_TITLES.values())
    assert {
        getattr(lectures, k)
        for k in ("CONSTRAINTS", "PARTITION", "KINEMATICS", "TORSORS", "EQUILIBRIA", "RECURSIVE")
    } <= set(CHAPTER_TITLES)


def test_every_formula_is_written_in_three_notations():
    for key, formula in FORMULAS.items():
        assert all((formula.text, formula.latex, formula.typst)), key
        assert formula.latex.count("{") == formula.latex.count("}") and formula.typst.count(
            "("
        ) == formula.typst.count(")"), key
