"""Symbols of the equations avoid the names of the user's parameters, also of those that the
equations do without, and what looks like them.
"""

import pytest

import mechstudio as ms
from mechstudio.model.equations.terms import Equations
from mechstudio.symbolic.exports.words import symbol_names
from mechstudio.symbolic.methods import blocks
from mechstudio.symbolic.ring.names import Names, identifier, split
from tests.symbolic.exports.test_exports import derived
from tests.symbolic.samples import SAMPLES, marked

# names that the equations of `slide` would give to its own symbols
OWN = ("x", "xdot", "xddot", "F", "k", "d", "m", "g", "l_0", "T", "theta", "thetadot")


def slide(*parameters):
    """A pendulum on a cart with a spring, a damper and two motors, and parameters that stand in no
    equation.
    """
    m = ms.Builder("Slide", gravity=(0, -9.81, 0))
    for name in parameters:
        m.parameter(name, "0.1", name)
    base = m.body("base", (0, 0, 0), mass=1.0, inertia=(0.01,) * 3)
    bob = m.body("bob", (0.3, 0.1, 0), mass=2.0, inertia=(0.02,) * 3)
    rail = m.slider("rail", m.ground, base, at=(0, 0, 0), axis=(1, 0, 0))
    pin = m.pin("pin", base, bob, at=(0, 0, 0), axis=(0, 0, 1))
    m.force("slide_spring", "spring", joint=rail, stiffness="30 N/m", free_length="0.1 m")
    m.force("slide_damper", "damper", joint=rail, damping="2 N*s/m")
    m.force("motor_force", "push", joint=rail, force="5 N")
    m.force("motor_torque", "turn", joint=pin, torque="0.5 N*m")
    return m.project()


def looks(name):
    """Letter and subscript, as a formula shows them."""
    return split(name)


def clashes(e: Equations, project, used):
    """Symbols that are called like a parameter which is another quantity."""
    every = [x for x in symbol_names(e) if x not in used]
    own = {identifier(n) for n in project.parameters}
    shown = {looks(n) for n in project.parameters}
    letters = [n for u in e.coordinates for n in (u.position,)] + [k.name for k in e.parameters]
    alike = [n.name for n in letters if n.name not in used and (n.letter, n.subscript) in shown]
    return sorted({*(x for x in every if x in own), *alike})


def used(d):
    names = d.names
    return {names.p[s.index].name for s in d.plan.symbols.all if s.parameter}


def test_symbols_have_their_own_letters_without_parameters_in_the_way():
    d = ms.derive(slide(), coordinates="joint")
    assert {"F", "k", "d", "g", "T", "l_0", "x", "theta"} <= set(symbol_names(d.equations))


@pytest.mark.parametrize("name", OWN)
def test_every_kind_of_symbol_avoids_a_parameter_of_its_name(name):
    project = slide(name)
    d = ms.derive(project, coordinates="joint")
    assert clashes(d.equations, project, used(d)) == []
    names = symbol_names(d.equations)
    assert len(set(names)) == len(names) and identifier(name) not in names


@pytest.mark.parametrize("name", ["theta0", "θ0", "l0", "x1"])
def test_names_that_look_alike_are_apart(name):
    """theta0 and theta_0 are one symbol to a reader."""
    m = ms.Builder("Spring", gravity=(0, -9.81, 0))
    m.parameter(name, "0.1", name)
    body = m.body("rod", (0.3, 0, 0), mass=1.0, inertia=(0.01,) * 3)
    pin = m.pin("pin", m.ground, body, at=(0, 0, 0), axis=(0, 0, 1))
    m.force("torsion_spring", "s", joint=pin, stiffness="1 N*m/rad", free_angle="0.2 rad")
    m.force("motor_torque", "turn", joint=pin, torque="2 N*m")
    project = m.project()
    d = ms.derive(project)
    assert clashes(d.equations, project, used(d)) == []


@pytest.mark.parametrize("path", marked(SAMPLES))
@pytest.mark.thinned(3)
def test_no_symbol_of_a_sample_is_called_like_a_parameter_that_it_is_not(path):
    d = derived(path)
    assert clashes(d.readable, d.plan.project, used(d)) == []


def test_a_clash_is_seen(monkeypatch):
    """Names that know of the equations' own parameters alone take F for the motor's force."""
    monkeypatch.setattr(blocks, "Names", lambda *arguments: Names(*arguments[:-1]))
    project = slide("F")
    d = ms.derive(project, coordinates="joint")
    assert clashes(d.equations, project, used(d)) == ["F"]


def test_symbols_of_chapters_avoid_parameters_too():
    d = ms.derive(slide("F_1"), coordinates="joint")
    plain = d.writer.name("F", "2")
    shown = d.writer.name("F", "1")
    assert (plain.name, plain.subscript) == ("F_2", "2")
    assert (shown.name, shown.subscript) == ("F_1_2", "1 2")


@pytest.mark.parametrize("free", [False, True])
def test_distances_on_ground_are_from_its_first_joint_unless_a_body_is_free(free):
    m = ms.Builder("ground")
    rod = m.link("rod", (0.5, 0, 0.2), (0.8, 0, 0.2))
    m.pin("P", m.ground, rod, at=(0.5, 0, 0.2))
    ends = ((0.5, 0, 1.0), (0.8, 0, 0.2))
    m.force("spring", "F", a=m.ground, b=rod, at=ends, stiffness=50, free_length=0.2)
    if free:
        m.body("ball", (0.3, 0.2, 0.6)).sphere(0.1)
    d = ms.derive(m.project())
    shown = {k.meaning: k.shown for k in d.equations.parameters if "ground" in k.meaning}
    lengths = sorted(abs(v) for v in shown.values())
    # F stands above P; from the origin of W it is off to the right too
    assert lengths == pytest.approx([0.2, 0.5, 0.5, 1.0] if free else [0.8])
