"""Edits of contacts: what is written down, what goes with a body, and what joints say by
themselves.
"""

import pytest

from mechstudio.builder import Builder
from mechstudio.model import fields
from mechstudio.model.edits import contacts as ce
from mechstudio.model.edits import elements
from mechstudio.model.joints.touching import apart_by_joints, kept_apart, touches, touching_pairs


def pair():
    """Two pinned links and a free ball."""
    m = Builder("t", "", [])
    a = m.link("a", (0, 0, 0), (0.2, 0, 0))
    b = m.link("b", a.end, (0.4, 0, 0.1))
    m.body("c", (0, 0, 1)).sphere(0.1)
    m.pin("P", a, b, at=a.end)
    return m.project()


def test_the_floor_brings_contacts_and_its_going_leaves_them():
    floored = ce.put_floor(pair(), -0.25)
    contacts = floored.mechanism.contacts
    assert contacts.enabled and contacts.floor.height.value == -0.25
    without = elements.remove(floored, fields.CONTACTS).mechanism.contacts
    assert without.floor is None and without.enabled


def test_a_shared_joint_keeps_bodies_apart_until_the_contrary_is_said():
    project = ce.enable(pair(), True)
    m = project.mechanism
    assert (
        not touches(m, "a", "b")
        and touches(m, "a", "c")
        and apart_by_joints(m) == {frozenset("ab"): "P"}
        and kept_apart(m) == (("a", "b"),)
    )
    said = ce.set_pair(project, "b", "a", True)
    assert touches(said.mechanism, "a", "b") and kept_apart(said.mechanism) == ()
    # what is so by itself leaves no word
    assert ce.set_pair(said, "a", "b", False).mechanism.contacts.pairs == ()


def test_bodies_fixed_to_a_third_one_do_not_touch_until_it_is_said():
    m = Builder("t", "", [])
    base = m.body("base", (0, 0, 0)).box(1.0, 1.0, 0.1)
    arms = [m.body(id, (0, 0, 0.1)).sphere(0.1) for id in ("left", "right")]
    for arm in arms:
        m.fix(f"weld {arm.id}", base, arm, at=(0, 0, 0))
    # without a shape nothing touches, and no pair of it is named
    m.fix("weld frame", arms[0], m.body("frame", (0, 0, 1)), at=(0, 0, 0))
    m.body("loose", (0, 0, 2)).sphere(0.1)
    project = ce.enable(m.project(), True)
    left = frozenset(("left", "right"))
    assert apart_by_joints(project.mechanism)[left] == ""
    assert touching_pairs(project.mechanism) == (
        ("base", "loose"),
        ("left", "loose"),
        ("right", "loose"),
    )
    said = ce.set_pair(project, *left, True)
    assert touches(said.mechanism, *left) and left not in map(frozenset, kept_apart(said.mechanism))
    assert ce.set_pair(said, *left, False).mechanism.contacts.pairs == ()


def test_a_body_takes_what_was_said_of_it_along():
    project = ce.set_pair(ce.enable(pair(), True), "a", "c", False)
    assert len(project.mechanism.contacts.pairs) == 1
    assert elements.remove(project, "c").mechanism.contacts.pairs == ()
    assert (
        elements.remove(project, "b").mechanism.contacts.pairs == project.mechanism.contacts.pairs
    )


def test_a_preset_clears_typed_numbers():
    project = ce.put_floor(pair(), 0.0)
    typed = elements.set_quantity(project, fields.CONTACTS, ("floor", "surface", "friction"), "0.7")
    typed = elements.set_quantity(typed, "c", ("surface", "restitution"), "0.9")
    assert (
        typed.mechanism.contacts.floor.surface.friction.value == 0.7
        and typed.mechanism.bodies["c"].surface.number("restitution") == 0.9
    )
    ice = ce.set_surface_type(ce.set_surface_type(typed, fields.CONTACTS, "ice"), "c", "rubber")
    assert (
        ice.mechanism.contacts.floor.surface.number("friction") == 0.03
        and ice.mechanism.bodies["c"].surface.number("restitution") == 0.75
    )
    with pytest.raises(KeyError):
        ce.set_surface_type(typed, "c", "glue")


def test_numbers_of_a_surface_are_fields_while_contacts_are_on():
    project = pair()
    paths = lambda p: [f.path for f in fields.fields(p.mechanism.bodies["c"], "c", p.mechanism)]
    assert ("surface", "friction") not in paths(project) and ("surface", "friction") in paths(
        ce.enable(project, True)
    )
    with pytest.raises(elements.ExpressionError, match="Friction must not be negative"):
        elements.set_quantity(ce.enable(project, True), "c", ("surface", "friction"), "-1")
