"""Parts of a scene that are kept from one drawing to the next: what is drawn after any edit is what
would be drawn from nothing.
"""

from dataclasses import fields as members

import msgspec
import numpy as np
import pytest

from mechstudio.application.resources import sample_folder
from mechstudio.application.scene import build_scene
from mechstudio.application.scene.build import Builder
from mechstudio.application.scene.fragments import LASTS, PORTIONS
from mechstudio.files.project_file import load
from mechstudio.model.edits import elements
from mechstudio.model.mechanism import GROUND, Body, Frame, NamedPoint, Placement
from mechstudio.model.quantity import Quantity, vector
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
    return [
        m.name
        for m in members(fresh)
        if not same(flat(getattr(known, m.name)), flat(getattr(fresh, m.name)))
    ]


def same(a, b):
    return len(a) == len(b) and all(
        np.array_equal(x, y, equal_nan=True)
        if isinstance(x, np.ndarray) and x.dtype.kind == "f"
        else np.array_equal(x, y)
        for x, y in zip(a, b)
    )


def on(section, id, **changes):
    """An edit that replaces fields of an element as they are, past all rules."""

    def go(project):
        m = project.mechanism
        found = msgspec.structs.replace(getattr(m, section)[id], **changes)
        return msgspec.structs.replace(
            project,
            mechanism=msgspec.structs.replace(m, **{section: {**getattr(m, section), id: found}}),
        )

    return go


def mechanism(**changes):
    return lambda project: msgspec.structs.replace(
        project,
        mechanism=msgspec.structs.replace(
            project.mechanism, **{k: v(project.mechanism) for k, v in changes.items()}
        ),
    )


def gallery():
    """Joints of every type, one of them at a named point, and a body without shapes on a joint that
    slides.
    """
    project = scenes.joint_gallery()
    m = project.mechanism
    point = NamedPoint("eye", vector(0.1, 0, 0))
    bare = Body(
        "bare", "bare", (), Placement(vector(1.0, 0, 2.0)), center_of_mass=vector(0.0, 0, 0.02)
    )
    body = msgspec.structs.replace(m.bodies["body_cylindrical"], points=(point,))
    cylindrical = msgspec.structs.replace(
        m.joints["cylindrical"], frame_b=Frame("body_cylindrical", "eye")
    )
    pin = msgspec.structs.replace(
        m.joints["revolute"],
        id="pin",
        frame_a=scenes.frame("body_fixed"),
        frame_b=scenes.frame("body_planar"),
    )
    slide = msgspec.structs.replace(
        m.joints["prismatic"], id="slide", frame_a=Frame("body_fixed"), frame_b=Frame("bare")
    )
    return msgspec.structs.replace(
        project,
        mechanism=msgspec.structs.replace(
            m,
            bodies={**m.bodies, "body_cylindrical": body, "bare": bare},
            joints={**m.joints, "cylindrical": cylindrical, "pin": pin, "slide": slide},
        ),
    )


EDITS = {
    "longer": lambda p: elements.set_quantity(
        p, "body_revolute", ("shapes", 0, "dimensions", "width"), "60 mm"
    ),
    "color": on("bodies", "body_revolute", color=5),
    "hidden": on("bodies", "body_revolute", visible=False),
    "center": on("bodies", "bare", center_of_mass=vector(0.05, 0, 0)),
    "thicker": lambda p: elements.set_quantity(
        p, "body_fixed", ("shapes", 0, "dimensions", "thickness"), "40 mm"
    ),
    "upside down": on(
        "bodies", "body_fixed", placement=Placement(vector(0.1, 0, 0.2), vector(0, 2.9, 0))
    ),
    "hangs": on("bodies", "body_revolute", placement=Placement(vector(0, 0, 0), vector(0, 1.6, 0))),
    "point": on("bodies", "body_cylindrical", points=(NamedPoint("eye", vector(0.0, 0, 0.05)),)),
    "joint name": on("joints", "revolute", name="hinge"),
    "joint hidden": on("joints", "revolute", visible=False),
    "joint moved": on("joints", "revolute", frame_a=scenes.frame("ground", (0.05, 0.1, 0))),
    "joint turned": on(
        "joints", "prismatic", frame_a=scenes.frame("ground", (0, 0, 0), vector(0, 2.6, 0))
    ),
    "gravity": mechanism(gravity=lambda m: vector(9.81, 0, 0)),
    "ground": mechanism(
        ground=lambda m: msgspec.structs.replace(
            m.ground, shapes=(scenes.shape("box", length=0.1, depth=0.1, height=0.1),)
        )
    ),
    "far": mechanism(
        bodies=lambda m: {
            **m.bodies,
            "far": Body("far", "far", placement=Placement(vector(30, 0, 0))),
        }
    ),
    "crowd": mechanism(
        bodies=lambda m: {
            **m.bodies,
            **{
                f"b{k}": Body(f"b{k}", "b", (scenes.shape("sphere", radius=0.01),))
                for k in range(80)
            },
        }
    ),
    "first deleted": lambda p: elements.remove(p, next(iter(p.mechanism.bodies))),
    "order": mechanism(
        bodies=lambda m: dict(reversed(m.bodies.items())),
        joints=lambda m: dict(reversed(m.joints.items())),
    ),
    "pitch": on("joints", "screw", parameters={"pitch": Quantity(-0.02)}),
}


@pytest.fixture(autouse=True)
def nothing_kept():
    PORTIONS.forget()


@pytest.mark.parametrize("name", EDITS)
@pytest.mark.thinned(3)
def test_cached_fragments_follow_every_edit(name):
    project = gallery()
    build_scene(project)
    after = EDITS[name](project)
    assert after is not project
    assert not differences(after)
    build_scene(after)
    assert not differences(project)  # and back


@pytest.mark.thinned(7)
# planted faults: a key that leaves one of its entries out is caught by the edit named here; the
# entries that are not here follow from others
@pytest.mark.parametrize(
    ("kind", "place", "caught"),
    [
        ("body", 1, "longer"),
        ("body", 2, "color"),
        ("body", 3, "hidden"),
        ("body", 4, "center"),
        ("body", 5, "crowd"),
        ("joint", 3, "point"),
        ("joint", 4, "far"),
        ("joint", 6, "gravity"),
        ("joint", 7, "joint name"),
        ("joint", 8, "thicker"),
        ("joint", 9, "longer"),
        ("joint", 10, "upside down"),
        ("joint", 11, "hangs"),
    ],
)
def test_a_key_without_one_of_its_entries_is_caught(kind, place, caught, monkeypatch):
    keep = Builder.keep
    project = gallery()

    def careless(self, id, key, held, bodies, make):
        mine = "body" if key[0] in self.index else "joint"
        return keep(
            self,
            id,
            tuple(k for n, k in enumerate(key) if mine != kind or n != place),
            held,
            bodies,
            make,
        )

    monkeypatch.setattr(Builder, "keep", careless)
    build_scene(project)
    assert differences(EDITS[caught](project))


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_are_drawn_as_from_nothing(seed):
    project = gallery() if seed % 2 else load(SAMPLES[5 * seed % len(SAMPLES)]).project
    editor = Editor(project, seed, checking=False)
    document = editor.document
    for _ in range(10):
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
    transformed = EDITS["color"](project)
    build_scene(transformed)
    added = [p for p in PORTIONS._known.values() if id(p) not in first]
    # the body, and its joint, which holds the body's portion
    assert len(added) == 2
    for _ in range(LASTS):
        build_scene(transformed)
    assert len(PORTIONS._known) == len(first)
    assert len(project.mechanism.bodies) + len(project.mechanism.joints) + 1 == len(first)
    assert GROUND in {key[0] for key in PORTIONS._known}
