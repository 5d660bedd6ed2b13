"""Parts of a scene that are kept from one drawing to the next: what is drawn after any edit is what would be drawn from nothing."""

from dataclasses import fields as members

import msgspec
import numpy as np
import pytest

from mechstudio.application.document import Document
from mechstudio.application.resources import sample_folder
from mechstudio.application.scene import build_scene
from mechstudio.application.scene.build import Builder
from mechstudio.application.scene.portions import LASTS, PORTIONS
from mechstudio.model import edit
from mechstudio.model.mechanism import GROUND, Body, Frame, NamedPoint, Placement
from mechstudio.model.quantity import Quantity, vector
from mechstudio.project.file import load
from tests import scenes
from tests.edits import Editor

SAMPLES = sorted(sample_folder().glob("*.mech"))


def flat(value):
    """Numbers and words of a part of a scene, one after the other."""
    if isinstance(value, tuple):
        return [x for each in value for x in flat(each)]
    return [value]


def differences(project):
    """Fields of the scene that are not what they are when nothing is kept."""
    known = build_scene(project)
    PORTIONS.forget()
    fresh = build_scene(project)
    return [m.name for m in members(fresh) if not same(flat(getattr(known, m.name)), flat(getattr(fresh, m.name)))]


def same(a, b):
    return len(a) == len(b) and all(np.array_equal(x, y, equal_nan=True) if isinstance(x, np.ndarray) and x.dtype.kind == "f" else np.array_equal(x, y) for x, y in zip(a, b))


def on(section, id, **changes):
    """An edit that replaces fields of an element as they are, past all rules."""
    def go(project):
        m = project.mechanism
        found = msgspec.structs.replace(getattr(m, section)[id], **changes)
        return msgspec.structs.replace(project, mechanism=msgspec.structs.replace(m, **{section: {**getattr(m, section), id: found}}))
    return go


def mechanism(**changes):
    return lambda project: msgspec.structs.replace(project, mechanism=msgspec.structs.replace(project.mechanism, **{k: v(project.mechanism) for k, v in changes.items()}))


def gallery():
    """Joints of every type, one of them at a named point, and a body without shapes on a joint that slides."""
    project = scenes.joint_gallery()
    m = project.mechanism
    point = NamedPoint("eye", vector(0.1, 0, 0))
    bare = Body("bare", "bare", (), Placement(vector(1.0, 0, 2.0)), center_of_mass=vector(0.0, 0, 0.02))
    body = msgspec.structs.replace(m.bodies["body_spherical"], points=(point,))
    spherical = msgspec.structs.replace(m.joints["spherical"], frame_b=Frame("body_spherical", "eye"))
    slide = msgspec.structs.replace(m.joints["prismatic"], id="slide", frame_a=Frame("body_fixed"), frame_b=Frame("bare"))
    return msgspec.structs.replace(project, mechanism=msgspec.structs.replace(
        m, bodies={**m.bodies, "body_spherical": body, "bare": bare}, joints={**m.joints, "spherical": spherical, "slide": slide}))


EDITS = {
    "longer": lambda p: edit.set_quantity(p, "body_revolute", ("shapes", 0, "dimensions", "width"), "60 mm"),
    "color": on("bodies", "body_revolute", color=5),
    "hidden": on("bodies", "body_revolute", visible=False),
    "center": on("bodies", "bare", center_of_mass=vector(0.05, 0, 0)),
    "moved": on("bodies", "body_cylindrical", placement=Placement(vector(0.1, 0, 0.2), vector(0, 2.9, 0))),
    "hangs": on("bodies", "body_revolute", placement=Placement(vector(0, 0, 0), vector(0, -1.6, 0))),
    "point": on("bodies", "body_spherical", points=(NamedPoint("eye", vector(0.0, 0, 0.05)),)),
    "joint name": on("joints", "revolute", name="hinge"),
    "joint hidden": on("joints", "revolute", visible=False),
    "joint moved": on("joints", "revolute", frame_a=scenes.frame("ground", (0.05, 0.1, 0))),
    "joint turned": on("joints", "prismatic", frame_a=scenes.frame("ground", (0, 0, 0), vector(0, 2.6, 0))),
    "gravity": mechanism(gravity=lambda m: vector(9.81, 0, 0)),
    "ground": mechanism(ground=lambda m: msgspec.structs.replace(m.ground, shapes=(scenes.shape("box", length=.1, depth=.1, height=.1),))),
    "far": mechanism(bodies=lambda m: {**m.bodies, "far": Body("far", "far", placement=Placement(vector(30, 0, 0)))}),
    "crowd": mechanism(bodies=lambda m: {**m.bodies, **{f"b{k}": Body(f"b{k}", "b", (scenes.shape("sphere", radius=.01),)) for k in range(80)}}),
    "first deleted": lambda p: edit.remove(p, next(iter(p.mechanism.bodies))),
    "order": mechanism(bodies=lambda m: dict(reversed(m.bodies.items())), joints=lambda m: dict(reversed(m.joints.items()))),
    "pitch": on("joints", "screw", parameters={"pitch": Quantity(-0.02)}),
}


@pytest.fixture(autouse=True)
def nothing_kept():
    PORTIONS.forget()


@pytest.mark.parametrize("name", EDITS)
def test_what_is_kept_follows_every_edit(name):
    project = gallery()
    build_scene(project)
    after = EDITS[name](project)
    assert after is not project
    assert not differences(after)
    build_scene(after)
    assert not differences(project)                            # and back


# a planted fault: a key that leaves one of its entries out is caught by one of the edits.  Not tried are those that another entry implies.
@pytest.mark.parametrize(("kind", "place"), [("body", k) for k in (1, 2, 3, 4, 5)] + [("joint", k) for k in (3, 4, 5, 6, 7, 8, 10, 11)])
def test_every_entry_of_a_key_is_needed(kind, place, monkeypatch):
    keep = Builder.keep
    project = gallery()

    def careless(self, id, key, held, bodies, make):
        mine = "body" if key[0] in self.index else "joint"
        return keep(self, id, tuple(k for n, k in enumerate(key) if mine != kind or n != place), held, bodies, make)
    monkeypatch.setattr(Builder, "keep", careless)
    kept = [project]                                           # ids of what is gone must not come again
    caught = []
    for name, go in EDITS.items():
        PORTIONS.forget()
        build_scene(project)
        kept.append(go(project))
        caught += [name] if differences(kept[-1]) else []
    assert caught


@pytest.mark.parametrize("seed", range(6))
def test_random_edits_are_drawn_as_from_nothing(seed):
    project = gallery() if seed % 2 else load(SAMPLES[5 * seed % len(SAMPLES)]).project
    document = Document(project)
    editor = Editor(document, seed, checking=False)
    for _ in range(12):
        before = document.project
        editor.act()
        if document.project is not before:
            assert not differences(document.project), editor.log
            build_scene(before)
    assert len(set(editor.log)) > 5


def test_an_unchanged_part_is_the_same_object_and_a_long_unused_one_is_forgotten():
    project = gallery()
    build_scene(project)
    first = set(map(id, PORTIONS._known.values()))
    moved = EDITS["color"](project)
    build_scene(moved)
    added = [p for p in PORTIONS._known.values() if id(p) not in first]
    # the body, and its joint, which holds the body's portion
    assert len(added) == 2
    for _ in range(LASTS):
        build_scene(moved)
    assert len(PORTIONS._known) == len(first)
    assert len(project.mechanism.bodies) + len(project.mechanism.joints) + 1 == len(first)
    assert GROUND in {key[0] for key in PORTIONS._known}
