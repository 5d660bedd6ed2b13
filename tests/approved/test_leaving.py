"""Samples with every type of element as files of other programs, and every type of law in every
format of code: what is said, and of each text its length, a checksum and a sum of its numbers.
"""

import math
import re
import warnings
import zlib
from pathlib import Path

import pytest

import mechstudio as ms
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.exports import EXPORTS
from mechstudio.model.types.forces import BODY, FORCE_TYPES, JOINT
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.version import VERSION
from tests.approval import NUMBER
from tests.approved.figures import USUAL
from tests.representatives import representatives

SAMPLES = Path(__file__).parents[2] / "samples"


def settled(notes):
    """Sentences with six decimals: bodies are assembled to no more where several ways are near."""
    return [re.sub(r"\d+\.\d{7,}", lambda found: f"{float(found[0]):.6f}", n) for n in notes]


def digest(text):
    """Facts of a text: its letters to the last one, its numbers to a sixth digit of a sum in which
    each counts, great or small.
    """
    text = text.replace(VERSION, "VERSION")
    words = zlib.crc32(NUMBER.sub("#", text).encode())
    total = USUAL.together([sum(math.log1p(abs(float(x))) for x in NUMBER.findall(text))])
    return f"{len(text.splitlines())} lines, {words:x}, {total}"


@pytest.mark.parametrize("suffix", [".xml", ".urdf", ".py"])
def test_samples_leave_as_approved(suffix, tmp_path, approved):
    lines: list[str] = []
    for name in sorted(representatives()):
        out = tmp_path / f"out{suffix}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            project = ms.load(SAMPLES / f"{name}.mech")
            notes = ms.convert(project, out)
        lines += [f"# {name}", *settled(notes), digest(out.read_text("utf-8"))]
    approved.holds(f"leaving{suffix}.txt", "\n".join(lines) + "\n")


def of_each_type():
    """A small drawing for each type of joint, force and coupling, and of bodies with odd masses."""
    for type, kind in JOINT_TYPES.items():
        m = ms.Builder(type)
        turned = m.ground.frame(at=(0.1, 0.2, 0.3), angles=("20 deg", "-10 deg", "30 deg"))
        curve = {"curve": ((0, 0, 0), (1, 0, 0.3), (2, 0.1, 0))} if kind.curve else {}
        body = m.body("b", (0.1, 0.2, 0.3)).box(0.1, 0.2, 0.3)
        numbers = {p.name: 0.2 for p in kind.parameters}
        first = m.joint(type, "J", turned, body.frame(), **curve, **numbers)
        if kind.dof == 1:
            m.edit.stops(first)
        yield type, m
    for type, kind in FORCE_TYPES.items():
        for said, law in (("constant", 2), ("sine", ms.sine(1, 2, offset=3))):
            m, a, b, pin, slide = _pair(type)
            numbers = {p.name: law for p in kind.parameters if not p.rate_of}
            if kind.attachment == JOINT:
                joint = pin if kind.joint_dimension == "angle" else slide
                m.force(type, "F", joint=joint, **numbers)
            elif kind.attachment == BODY:
                m.force(type, "F", body=b, at=(0.1, 0, 1), vector=(law, 0, 1), axes="body")
            else:
                m.force(type, "F", a=a, b=b, at=((0.1, 0, 0), (0.2, 0.3, 1)), **numbers)
            yield f"{type} {said}", m
    for type, kind in COUPLING_TYPES.items():
        m, _, b, pin, slide = _pair(type)
        other = m.pin("other", b, m.link("c", (0, 1, 0), (0.3, 1, 0)), at=(0, 1, 0))
        angles = iter((pin, other, m.pin("more", b, m.body("d", (1, 1, 0)), at=(1, 1, 0))))
        block = m.body("e", (0, 2, 0)).sphere(0.1)
        lift = m.joint("prismatic", "lift", m.ground, block, at=(0, 2, 0), axis=(0, 0, 1))
        slides = iter((slide, lift))
        ends = [next(angles if "angle" in e.dimensions else slides) for e in kind.ends]
        law = (
            {"law": ms.rise_and_return(0.02) if type == "cam" else ms.geneva()} if kind.law else {}
        )
        m.coupling(type, "C", *ends, **law, **{p.name: 2 for p in kind.parameters})
        yield type, m
    for name, numbers in {
        "without mass": {"mass": 0},
        "a point": {"mass": 1, "inertia": (0, 0, 0)},
        "a needle": {"mass": 1, "inertia": (1, 1, 1e-15)},
        "impossible": {"mass": 1, "inertia": (1, 1, 3)},
        "negative": {"mass": 1, "inertia": (1, 1, 1, 2, 0, 0)},
        "oblique": {"mass": 1, "inertia": (1, 1.5, 2, 0.1, 0.2, 0.3), "center_of_mass": (1, 2, 3)},
    }.items():
        m = ms.Builder(name)
        m.pin("P", m.ground, m.body("b", (0, 0, 0), **numbers), at=(0, 0, 0))
        yield name, m
    m = ms.Builder("flat")
    m.pin("P", m.ground, m.body("b", (0, 0, 0)).box(0.1, 0.1, 0).sphere(0.1), at=(0, 0, 0))
    yield "flat", m


def _pair(title):
    m = ms.Builder(title)
    a = m.link("a", (0, 0, 0), (0.3, 0, 0))
    b = m.body("b", (0, 0, 1)).sphere(0.1)
    pin = m.pin("pin", m.ground, a, at=(0, 0, 0))
    return m, a, b, pin, m.joint("prismatic", "slide", m.ground, b, at=(0, 0, 1), axis=(1, 0, 0))


@pytest.mark.parametrize("suffix", [".xml", ".urdf"])
def test_each_type_leaves_as_approved(suffix, tmp_path, approved):
    lines, out = list[str](), tmp_path / f"out{suffix}"
    for name, m in of_each_type():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            notes = ms.convert(m.project(), out)
        lines += [f"# {name}", *settled(notes), digest(out.read_text("utf-8"))]
    approved.holds(f"types_leaving{suffix}.txt", "\n".join(lines) + "\n")


def with_laws():
    """A cart and a pendulum on it, driven and pulled by laws of every type."""
    m = ms.Builder("laws")
    m.parameter("L", "0.3 m")
    cart = m.body("cart", (0, 0, 0)).box(0.2, 0.1, 0.1)
    rod = m.link("rod", (0, 0, 0), ("L", 0, 0))
    wheel = m.body("wheel", (0, 0, 1)).disc(0.2, 0.05)
    tappet = m.body("tappet", (1, 0, 1)).box(0.1, 0.1, 0.1)
    rail = m.joint("prismatic", "rail", m.ground, cart, at=(0, 0, 0), axis=(1, 0, 0))
    pin = m.pin("pin", cart, rod, at=(0, 0, 0))
    shaft = m.pin("shaft", m.ground, wheel, at=(0, 0, 1))
    guide = m.joint("prismatic", "guide", m.ground, tappet, at=(1, 0, 1), axis=(0, 0, 1))
    yield "sine", lambda: m.drive("d1", shaft, speed=ms.sine("2 rad/s", "3 Hz", phase="20 deg"))
    yield "cam", lambda: m.cam("c1", shaft, guide, law=ms.rise_and_return("20 mm"))
    pull = lambda name, law: m.force("motor_force", name, joint=rail, force=law)
    turn = lambda name, law: m.force("motor_torque", name, joint=pin, torque=law)
    yield "ramp", lambda: pull("f1", ms.ramp("1 N", "3 N", duration="2 s", begin="1 s"))
    yield "rest to rest", lambda: pull("f2", ms.rest_to_rest("5 N", duration="1 s"))
    rows = ((0, 0), ("1 s", "2 N"), ("2 s", "-1 N"), ("4 s", "0 N"))
    for between in ("spline", "monotone", "straight", "steps"):
        yield between, lambda b=between: pull(f"f {b}", ms.table(*rows, between=b))
    yield "text", lambda: pull("f3", "3 N*sin(2 rad/s*t) + abs(-2 N) + max(1 N, 2 N/s*t)")
    yield "state", lambda: turn("t1", "2 N·m*cos(x) - 0.1 N·m·s/rad*v + 1 N·m*exp(-t/1 s)")
    servo = {"stiffness": 5, "damping": 1, "target": ms.sine(1, 2)}
    yield "servo", lambda: m.force("servo_torque", "t2", joint=pin, **servo)
    ends = ((0, 0, 1), (0.3, 0, 0))
    spring = {"stiffness": "90 N/m + 5 N/m*sin(1 rad/s*t)", "free_length": "L"}
    yield "spring", lambda: m.force("spring", "s", a=m.ground, b=rod, at=ends, **spring)
    vector = ("1 N*x/1 m", 0, "2 N*vz/1 m*1 s")
    yield "vector", lambda: m.force("force", "v", body=rod, at=(0.3, 0, 0), vector=vector)
    yield "all", lambda: m.project()


def test_laws_leave_as_approved(approved):
    made, lines = None, list[str]()
    for name, add in with_laws():
        try:
            made = add()
        except ValueError as error:
            lines.append(f"{name}: {error}")
    derivation = ms.derive(made)
    for row in EXPORTS:
        if not row.text:
            continue
        try:
            lines.append(f"{row.id}: {digest(derivation.export(row.id))}")
        except ms.DerivationError as error:
            lines.append(f"{row.id}: {error}")
    approved.holds("leaving_laws.txt", "\n".join(lines) + "\n")
