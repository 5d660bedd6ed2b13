"""Methods of the builder say what the rows of the types say: names, order and units of the numbers;
nothing else is built.
"""

import inspect
import typing

import pytest

import mechstudio as ms
from mechstudio.builder.builder import Builder
from mechstudio.builder.couplings import End
from mechstudio.builder.geometry import Number
from mechstudio.builder.handles import BodyHandle, JointHandle
from mechstudio.model.formulas import expression
from mechstudio.model.mechanism import Coupling, Force, Joint, Shape
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import BODY, FORCE_TYPES, JOINT
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.model.units import unit

NONE = inspect.Parameter.empty
# what methods need beside numbers, by name
DRAWN = {
    "at": ((0.1, 0, 0), (0.2, 0, 0)),
    "axis": (0, -1, 0),
    "first": (1, 0, 0),
    "second": (0, 1, 0),
    "normal": (0, 0, 1),
    "along": (1, 0, 0),
    "center": (0.2, 0, 0.1),
    "curve": ((0, 0, 0), (0.1, 0, 0), (0.2, 0, 0.1)),
}
OUTLINE = ((0, 0), (0.1, 0), (0, 0.1))


def arguments(method):
    """(annotation, default) of the arguments after self, those of an unpacked dictionary among
    them.
    """
    hints = typing.get_type_hints(method, localns={"Builder": Builder})
    out = {}
    for name, p in list(inspect.signature(method).parameters.items())[1:]:
        if p.kind is not inspect.Parameter.VAR_KEYWORD:
            out[name] = (hints[name], p.default)
            continue
        if hints[name] is typing.Any:
            continue
        (unpacked,) = typing.get_args(hints[name])
        for key, hint in typing.get_type_hints(unpacked).items():
            out[key] = (hint, NONE if key in unpacked.__required_keys__ else "left out")
    return out


def methods(owner, returned, but):
    """Public methods by name that return something, but for the general ones."""
    return {
        name: method
        for name, method in inspect.getmembers(owner, inspect.isfunction)
        if name[0] != "_"
        and name not in but
        and method.__annotations__.get("return") in (returned, returned.__name__)
    }


def numbers(method):
    """Arguments that are one number, in order: name to default."""
    return {
        name: default
        for name, (hint, default) in arguments(method).items()
        # those of a curve are no lengths of a row
        if hint in (Number, Number | None) and name not in ("fillet", "roller")
    }


def typed(parameters):
    """A text for each parameter, in the unit of its dimension."""
    return {
        p.name: f"{0.03 + 0.01 * k} {unit(p.dimension).symbol}" for k, p in enumerate(parameters)
    }


def read(kind, name, texts):
    """The number that a text is, in the dimension of its row."""
    (dimension,) = (p.dimension for p in kind.parameters if p.name == name)
    return expression.quantity(texts[name], dimension, {})


def differences(method, parameters):
    """Differences between the numbers of a method and those of a row."""
    found, row = numbers(method), {p.name: p for p in parameters}
    out = []
    if list(found) != list(row):
        out.append(f"takes {list(found)}, the row has {list(row)}")
    for name in found.keys() & row.keys():
        if found[name] not in (NONE, None):
            out.append(f"has a default of its own for {name}")
    return out


# joints

JOINTS = methods(Builder, JointHandle, {"joint"})


def bodies():
    m = ms.Builder()
    return m, m.body("a", (0.1, 0, 0)), m.body("b", (0.2, 0, 0.1))


def drawn(method):
    """Arguments that a method of a joint needs beside its numbers."""
    required = {n for n, (_, default) in arguments(method).items() if default is NONE}
    given = {n: DRAWN[n] for n in required & DRAWN.keys()}
    if "center" in given or "curve" in given:
        given["at"] = (0.2, 0, 0)
    return given


def joint_of(method, **given):
    m, a, b = bodies()
    return method(m, "J", a, b, **{**drawn(method), **given}).joint


def type_of_joint(method):
    return joint_of(method, **dict.fromkeys(numbers(method), 0.05)).type


def joint_faults(method):
    """Differences between a method of a joint and the row of the joint that it builds."""
    kind = JOINT_TYPES[type_of_joint(method)]
    out = differences(method, kind.parameters)
    if out:
        return out
    texts = typed(kind.parameters)
    joint = joint_of(method, **texts)
    bare = Joint(
        joint.id,
        "J",
        joint.type,
        joint.frame_a,
        joint.frame_b,
        parameters=joint.parameters,
        curve=joint.curve,
    )
    if joint != bare:
        out.append("adds to what its row says")
    out += [f"mistakes {k}" for k, q in joint.parameters.items() if q != read(kind, k, texts)]
    general, given = arguments(Builder.joint), arguments(method)
    for name in ("rate", "value", "limits", "form", "closed"):
        if name in given and given[name][0] != general[name][0]:
            out.append(f"takes another {name} than joint()")
    return out


def test_every_joint_has_a_method():
    assert sorted(map(type_of_joint, JOINTS.values())) == sorted(JOINT_TYPES)


@pytest.mark.parametrize("name", JOINTS)
def test_methods_of_joints_are_those_of_their_rows(name):
    assert joint_faults(JOINTS[name]) == []


def test_a_joint_that_differs_from_its_row_is_found():
    def renamed(self, name: str, a: BodyHandle, b: BodyHandle, *, at, axis, lead: Number):
        return self.joint("screw", name, a, b, at=at, axis=axis, pitch=lead)

    def eager(self, name: str, a: BodyHandle, b: BodyHandle, *, at, axis, pitch: Number = 0.01):
        return self.joint("screw", name, a, b, at=at, axis=axis, pitch=pitch)

    def moving(self, name: str, a: BodyHandle, b: BodyHandle, *, at, axis):
        return self.joint("revolute", name, a, b, at=at, axis=axis, rate=3)

    def doubled(self, name: str, a: BodyHandle, b: BodyHandle, *, at, axis, pitch: Number):
        return self.joint("screw", name, a, b, at=at, axis=axis, pitch=f"2*{pitch}")

    for planted in (renamed, eager, moving, doubled):
        for name in ("at", "axis"):
            planted.__annotations__[name] = object
    assert joint_faults(renamed) == ["takes ['lead'], the row has ['pitch']"]
    assert joint_faults(eager) == ["has a default of its own for pitch"]
    assert joint_faults(moving) == ["adds to what its row says"]
    assert joint_faults(doubled) == ["mistakes pitch"]


# couplings

COUPLINGS = {
    name: method
    for name, method in methods(Builder, str, {"coupling", "drive", "force"}).items()
    if any(hint == End for hint, _ in arguments(method).values())
}


def coupling_of(method, given, slides=()):
    """The coupling that a method makes between pins, and sliders where it slides."""
    m, a, b = bodies()
    ends = [n for n, (hint, _) in arguments(method).items() if hint == End]
    joints = {
        n: m.slider(n, a, b, at=(0, 0, 0), axis=(1, 0, 0))
        if n in slides
        else m.pin(n, a, b, at=a.world())
        for n in ends
    }
    if "law" in arguments(method):
        lift = {"lift": "10 mm" if slides else "10 deg"} if method is Builder.cam else {}
        usual = COUPLING_TYPES[method.__name__].laws[0]
        given = {**given, "law": ms.law(usual, **lift)}
    id = method(m, "C", **joints, **given)
    return ends, joints, m.mechanism.couplings[id]


def coupling_faults(method, **flags):
    """Type of the coupling that a method makes, and its differences from the row."""
    sliding = {
        e.name for kind in COUPLING_TYPES.values() for e in kind.ends if e.dimensions[0] == "length"
    }
    plain = dict.fromkeys(numbers(method), 2.0)
    ends, joints, coupling = coupling_of(method, {**plain, **flags}, sliding)
    kind = COUPLING_TYPES[coupling.type]
    out = differences(method, kind.parameters)
    if ends != [e.name for e in kind.ends]:
        out.append(f"ties {ends}")
    if [e.joint for e in coupling.ends] != [joints[e.name].id for e in kind.ends]:
        out.append("ties its ends in another order")
    if kind.law != ("law" in arguments(method)):
        out.append("has no law" if kind.law else "has a law")
    texts = typed(kind.parameters)
    _, _, coupling = coupling_of(method, {**texts, **flags}, sliding)
    out += [f"mistakes {k}" for k, q in coupling.parameters.items() if q != read(kind, k, texts)]
    bare = Coupling(
        coupling.id, "C", coupling.type, coupling.ends, coupling.parameters, coupling.law
    )
    return coupling.type, out + ([] if coupling == bare else ["adds to what its row says"])


def test_methods_of_couplings_are_those_of_their_rows():
    found = [coupling_faults(method) for method in COUPLINGS.values()]
    found.append(coupling_faults(Builder.belt, crossed=True))
    assert [faults for _, faults in found if faults] == []
    assert sorted(type for type, _ in found) == sorted(COUPLING_TYPES)


def test_a_coupling_that_differs_from_its_row_is_found():
    def swapped(self, name: str, rack: End, pinion: End, radius: Number):
        return self.coupling("rack_and_pinion", name, pinion, rack, radius=radius)

    assert coupling_faults(swapped)[1] == ["ties ['rack', 'pinion']"]


# forces: one method for all

POINTS = ((0, 0, 0), (0.3, 0, 0))


def force_of(type, given):
    """A force of a type built with some of its numbers, by the general method."""
    m, a, b = bodies()
    kind = FORCE_TYPES[type]
    if kind.attachment == JOINT:
        make = m.pin if kind.joint_dimension == "angle" else m.slider
        place = {"joint": make("J", a, b, at=a.world(), axis=(1, 0, 0))}
    elif kind.attachment == BODY:
        place, given = {"body": a}, {"vector": tuple(given.values())}
    else:
        place = {"a": a, "b": b, "at": POINTS}
    id = m.force(type, "F", **place, **given)
    return m.mechanism.forces[id]


@pytest.mark.parametrize("type", FORCE_TYPES)
def test_numbers_of_forces_are_those_of_their_rows(type):
    kind = FORCE_TYPES[type]
    known = [p for p in kind.parameters if not p.rate_of]
    texts = typed(known)
    force = force_of(type, texts)
    assert force.parameters == {k: read(kind, k, texts) for k in texts}
    needed = {p.name: texts[p.name] for p in known if p.default is None}
    bare = force_of(type, needed)
    assert bare.parameters.keys() == needed.keys() and bare.laws == {}
    assert bare == Force(
        bare.id,
        "F",
        type,
        bare.parameters,
        bare.frame_a,
        bare.frame_b,
        bare.joint,
        bare.coordinate,
    )
    if kind.attachment != BODY:
        for name in needed:
            with pytest.raises(ValueError, match=f"needs {name}="):
                force_of(type, {k: v for k, v in needed.items() if k != name})
        with pytest.raises(ValueError, match="does not take magic"):
            force_of(type, {**needed, "magic": 1})


# shapes

SHAPES = methods(BodyHandle, BodyHandle, {"add", "point", "velocity", "mesh", "pin"})


def shape_faults(method):
    """Type of the shape that a method adds, and its differences from the row."""
    lengths = [n for n in numbers(method) if n != "density"]
    given = {"outline": OUTLINE} if "outline" in arguments(method) else {}
    texts = {n: f"{3 + k} mm" for k, n in enumerate(lengths)}
    (shape,) = method(ms.Builder().body("a"), **texts, **given).body.shapes
    kind = SHAPE_TYPES[shape.type]
    out = []
    if lengths != [d.name for d in kind.dimensions]:
        out.append(f"takes {lengths}")
    if {k: q.text for k, q in shape.dimensions.items()} != texts:
        out.append("mistakes its lengths")
    if kind.outline != bool(given):
        out.append("mistakes its outline")
    bare = Shape(shape.type, shape.dimensions, shape.outline, density=shape.density)
    return shape.type, out + ([] if shape == bare else ["adds to what its row says"])


def test_methods_of_shapes_are_those_of_their_rows():
    found = [shape_faults(method) for method in SHAPES.values()]
    assert [faults for _, faults in found if faults] == []
    drawn = [type for type, kind in SHAPE_TYPES.items() if not kind.mesh]
    assert sorted(type for type, _ in found) == sorted(drawn)


def test_a_shape_that_differs_from_its_row_is_found():
    def swapped(self, height: Number, radius: Number):
        return self.add("cylinder", {"radius": height, "height": radius})

    assert shape_faults(swapped)[1] == ["takes ['height', 'radius']", "mistakes its lengths"]
