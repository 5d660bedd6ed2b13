"""Symbols of derived equations explain themselves."""

import pytest

import mechstudio as ms
from mechstudio.application.questions.equations.symbols import (
    CONTACT_STEMS,
    PARTS,
    STEMS,
    explained,
    symbols,
)
from mechstudio.application.resources import sample_folder
from mechstudio.model.equations.term_words import words
from mechstudio.model.units import unit
from mechstudio.symbolic.printers.typst.typst_equations import markup

NAMES = {"crank": "crank", "A": "A", "coupler": "coupler"}
INK = {"text": "#000000", "mute": "#888888"}


@pytest.fixture(
    scope="module", params=["four_bar", "cam_and_follower", "screw_jack", "vibration_absorber"]
)
def equations(request):
    path = sample_folder() / f"{request.param}.mech"
    return ms.derive(ms.load(path)).equations


def test_every_symbol_that_is_typeset_explains_itself(equations):
    known = symbols(equations)
    for part in ("M", "b", "g", "tau", *(("C", "C_q") if equations.multipliers else ())):
        for said in markup(equations, part, INK).words:
            for word in said.split():
                assert word in known or word in ("sin", "cos"), (part, word)


def four_bar():
    return symbols(ms.derive(ms.load(sample_folder() / "four_bar.mech")).equations)


def test_a_term_explains_its_symbols_with_unit_value_and_owner():
    known = four_bar()
    lines = explained(known, "m_crank c_crank", ("crank",), {}, "mm-N-deg", NAMES)
    assert lines == (
        "m_crank: mass of crank, 1.137 kg",
        "c_crank: distance to the centre of mass of crank, along x of crank, 65 mm",
        "belongs to crank",
    )
    still = explained(known, "thetadot_A", ("A",), {}, "mm-N-deg", NAMES)
    assert still[0].endswith("rate of angle of joint A [deg/s]")
    moving = explained(known, "thetadot_A", ("A",), {"thetadot_A": 1.0}, "mm-N-deg", NAMES)
    assert moving[0].endswith("rate of angle of joint A, 57.3 deg/s")
    assert "row 2 of C" in explained(known, "lambda_2", (), {}, "mm-N-deg", NAMES)[0]


def test_parts_of_the_structure_are_reported():
    for part in PARTS:
        assert explained({}, "", (f"part:{part}",), {}, "mm-N-deg", {})
    assert explained({}, "", ("part:xyz",), {}, "mm-N-deg", {}) == ()


@pytest.mark.parametrize("name", ["four_bar", "box_on_incline"])
def test_symbols_of_the_lecture_explain_themselves(name):
    derivation = ms.derive(ms.load(sample_folder() / f"{name}.mech"))
    known, unknown = symbols(derivation.equations), set()
    for key in ("newton-euler", "projected", "lagrange", "constraints", "torsors", "recursive"):
        for step in derivation.chapter(key).steps:
            rows = [e for b in step.blocks for row in b.rows for e in row]
            entries = [*rows, *(s for e in step.equations for s in (e.left, e.right))]
            for term in (t for entry in entries for t in entry.terms):
                unknown |= {
                    word
                    for word in words(term).split()
                    if word not in ("sin", "cos")
                    and not explained(known, word, (), {}, "mm-N-deg", {})
                }
    assert sorted(unknown) == []


def test_letters_of_the_chapter_of_contacts_say_what_they_are_there():
    """N is no moment of a joint there, and D no dynamic resultant."""
    project = ms.load(sample_folder() / "box_on_incline.mech")
    derivation = ms.derive(project)
    row, sample = ms.contacts_at(project, "0.2 s")
    known, found = symbols(derivation.equations), {}
    for step in derivation.chapter("contacts", row=row, sample=sample).steps:
        names = [b.name.name for b in step.blocks if b.name is not None and step.sources]
        names += [
            word
            for e in step.equations
            if e.sources
            for t in e.left.terms
            for word in words(t).split()
        ]
        sources = step.sources or next((e.sources for e in step.equations if e.sources), ())
        for name in names:
            found[name] = explained(known, name, sources, {}, "m-N-rad", {})
    letters = {name.split("_")[0] for name in found}
    assert letters == CONTACT_STEMS.keys() - {"E"}, "the box is rigid"
    assert all(
        lines and CONTACT_STEMS[n.split("_")[0]][0] in lines[0] for n, lines in found.items()
    )


def test_dimensions_of_stems_are_known():
    for words_, dimension in (*STEMS.values(), *CONTACT_STEMS.values()):
        assert words_ and (not dimension or unit(dimension, "mm-N-deg"))
    line = explained({}, "omega_crank_y", ("crank",), {}, "mm-N-deg", NAMES)
    assert line == ("ω_crank y: angular velocity [deg/s]", "belongs to crank")
    assert explained({}, "M_1_2", (), {}, "mm-N-deg", {}) == ("M_1 2: entry of the mass matrix",)
