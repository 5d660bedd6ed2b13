"""Equations too long to read are refused in words within two seconds; their recursive form, proofs
at a random point and numbers are there none the less.
"""

import math
import time

import msgspec
import numpy as np
import pytest

from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run
from mechstudio.engine.system.system import compile_system
from mechstudio.files.project_file import load
from mechstudio.model.equations.lecture import CHAPTER_TITLES, DIFFERENT, METHODS, RECURSIVE
from mechstudio.model.mechanism import Force, Law, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.symbolic import TooLarge, derive
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.exports.simulation.motion import motion_of
from mechstudio.symbolic.kinematics.loop_rows import UnwrittenRow
from mechstudio.symbolic.ring.polynomials import Ring
from tests.mechanisms import Builder
from tests.symbolic.modelica_run import Model
from tests.symbolic.samples import SAMPLES, TOO_LARGE

# s of computing: four times what is allowed, since neighbours make computing itself slower
LIMIT = 8.0


def rotated(axis, angle):
    size = math.sqrt(sum(x * x for x in axis))
    return (math.cos(angle / 2), *(math.sin(angle / 2) * x / size for x in axis))


def chain(type, count, closing=""):
    """Bodies on joints whose frames stand skew on both sides, so that no turns join; closed to
    ground by another joint, if requested.
    """
    b, parent = Builder(), "ground"
    for k in range(count):
        at = (0.3 * k, 0.1 * k, 0.0)
        id = b.body(
            f"b{k}",
            at,
            rotated((1, 2, 3), 0.7 + 0.3 * k),
            1.0 + k,
            (0.01, 0.02, 0.025, 0.001, 0.002, 0.003),
        )
        b.bodies[id] = msgspec.structs.replace(b.bodies[id], center_of_mass=vector(0.1, 0.05, 0.02))
        b.joint(
            f"j{k}",
            parent,
            id,
            at,
            type=type,
            quaternion_a=rotated((2, 1, -1), 0.5 + 0.2 * k),
            quaternion_b=rotated((1, -1, 2), 0.9 - 0.2 * k),
        )
        parent = id
    if closing:
        b.joint(
            "end",
            parent,
            "ground",
            (0.3 * count, 0.1 * count, 0.1),
            type=closing,
            quaternion_a=rotated((2, 1, -1), 0.5),
            quaternion_b=rotated((1, -1, 2), 0.9),
        )
    return Project(Mechanism(b.bodies, b.joints, gravity=vector(0, 0, -9.81)))


def within(work):
    start = time.process_time()
    found = work()
    took = time.process_time() - start
    assert took < LIMIT, took
    return found


@pytest.mark.parametrize(("type", "count"), [("spherical", 2), ("spherical", 3), ("universal", 5)])
def test_long_chains_are_refused_in_words_and_shown_by_intermediates(type, count):
    d = within(lambda: derive(chain(type, count), coordinates="auto"))
    assert not d.complete and (
        "nobody reads" in d.notes[0] or "longer than anybody reads" in d.notes[0]
    )
    proofs = within(lambda: d.proofs)
    assert len(proofs) > 8 and not [p.key for p in proofs if p.how == DIFFERENT]
    for key in CHAPTER_TITLES:
        chapter = within(lambda: d.chapter(key))
        assert chapter.steps or chapter.refusal
        if key in METHODS:
            assert "reads" in (chapter.refusal or chapter.steps[-1].sentences[0]) and not any(
                s.blocks for s in chapter.steps if s.key == "result"
            )
    assert d.chapter(RECURSIVE).steps
    numbers = within(lambda: d.live().drawn())
    assert {u.position.name for u in d.terms().coordinates} <= numbers.values.keys()


@pytest.mark.parametrize(
    ("type", "count", "closing"), [("universal", 8, "fixed"), ("spherical", 6, "fixed")]
)
def test_rows_of_long_loops_are_made_of_intermediates(type, count, closing):
    d = within(lambda: derive(chain(type, count, closing), coordinates="auto"))
    assert not d.complete and all(isinstance(row, UnwrittenRow) for row in d.rows)
    assert not [p.key for p in within(lambda: d.proofs) if p.how == DIFFERENT]
    for key in CHAPTER_TITLES:
        chapter = within(lambda key=key: d.chapter(key))
        said = ("anybody reads", "too long", "do not close near the drawing")
        assert chapter.steps or any(x in chapter.refusal for x in said)
    assert d.chapter(RECURSIVE).steps
    assert d.readable.structure == "closed" and d.readable.block("C_q").term_count < 500
    with pytest.raises(DerivationError, match=r"do not close near the drawing"):
        d.live().drawn()


def sprung(type, count, closing):
    """Springs on all angles of all joints, those of the closing one among them."""
    mechanism = chain(type, count, closing).mechanism
    springs = {}
    for number, joint in enumerate(mechanism.joints.values()):
        for k in range(JOINT_TYPES[joint.type].dof):
            numbers = {
                "stiffness": Quantity(2.0),
                "free_angle": Quantity(0.1 * k - 0.05 * number),
            }
            id = f"{joint.id} {k}"
            springs[id] = Force(id, id, "torsion_spring", numbers, joint=joint.id, coordinate=k)
    return Project(msgspec.structs.replace(mechanism, forces=springs))


def with_law(type, count, closing, read):
    """A spring on the first joint whose stiffness reads an angle of another one."""
    mechanism = chain(type, count, closing).mechanism
    law = Law("expression", text=f"2 N*m/rad*(1 + cos({read}))")
    numbers = {"stiffness": Quantity(2.0), "free_angle": Quantity(0.1)}
    spring = Force(
        "s", "s", "torsion_spring", numbers, joint="j0", coordinate=0, laws={"stiffness": law}
    )
    return Project(msgspec.structs.replace(mechanism, forces={"s": spring}))


def test_laws_that_read_loops_that_nobody_writes_act_or_are_held_in_words():
    """The angle of a universal joint is measured by a row; a rod's has none, and the drawing is
    derived all the same.
    """
    d = derive(with_law("universal", 5, "universal", "q_j3_first_angle"), coordinates="auto")
    assert d.plan.tree.closing == ("j3",) and d.code.blocks
    assert [c.meaning for c in d.plan.coordinates if not c.body] == ["first angle of joint j3"]
    motion = motion_of(d)
    assert motion.laws.laws and not motion.laws.held
    d = derive(with_law("spherical", 4, "distance", "q_end_azimuth"), coordinates="auto")
    assert d.code.blocks
    assert not motion_of(d).laws.laws and "hold these numbers" in motion_of(d).remark


LOOPS = {"universal": ("universal", 5, "universal"), "balls": ("spherical", 3, "spherical"),
         "eight": ("universal", 8, "universal")}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(x, marks=[pytest.mark.slow] if x == "eight" else []) for x in LOOPS]
)
def test_angles_of_loops_that_nobody_writes_are_measured_by_rows(name):
    """Springs act along coordinates without mass."""
    d = within(lambda: derive(sprung(*LOOPS[name]), coordinates="auto"))
    measured = [c for c in d.plan.coordinates if not c.body]
    assert not d.complete and len(measured) == (3 if name == "balls" else 2)
    assert "Coordinates without mass, each tied by a row" in " ".join(d.notes)
    assert not [p.key for p in within(lambda: d.proofs) if p.how == DIFFERENT]
    for key in CHAPTER_TITLES:
        chapter = within(lambda key=key: d.chapter(key))
        assert chapter.steps or "anybody reads" in chapter.refusal or "too long" in chapter.refusal
    f, motion = d.function(), motion_of(d)
    q, v = np.array(motion.q), np.array(motion.v)
    *_, C, C_q, _ = f(q, v)
    assert np.abs(C).max() < 1e-9 and np.linalg.matrix_rank(C_q) == len(motion.kept)
    expected = motion.course(0.2, 4)
    model = Model(d.export("modelica"))
    found = model.run(0.2, 4)
    places = model.states[: 2 * len(q) : 2]
    assert np.ptp(expected, axis=0).max() > 1e-3
    assert np.abs(np.array([found[x] for x in places]).T - expected).max() < 1e-7


@pytest.mark.parametrize("name", ["universal", "balls"])
def test_loops_that_nobody_writes_have_numbers(name):
    """Accelerations at the start and the states of samples are those of the run."""
    d = derive(sprung(*LOOPS[name]), coordinates="joint")
    live, motion = d.live(), motion_of(d)
    assert "longer than anybody reads" in live.drawn().refusal  # of independent coordinates
    q, v, h = np.array(motion.q), np.array(motion.v), 2e-3
    numbers = live.at(q, v)
    found = np.array([numbers.values[x.name] for x in d.names.a])
    first, second, third = motion.course(2 * h, 2)
    # from rest the motion is even in the time, here to its sixth power
    bend = (16 * (second - first) - (third - first)) / (6 * h**2)
    assert np.abs(found - bend).max() < 1e-3 * np.abs(bend).max() and numbers.rank == 6
    system = compile_system(d.plan.mechanism)
    rows = np.concatenate(
        [
            np.array(b)
            for b in run(system, RunOptions(duration=0.1, sample_step=0.05, tolerance=1e-10))
        ]
    )
    expected = motion.course(0.1, 2)
    ahead = motion.course(0.1 + 1e-4, 1001)
    for k, row in enumerate(rows):
        place, rate = live.state(row, system.layout)
        assert np.abs(place - expected[k]).max() < 1e-7
        assert np.abs(d.function()(place, rate)[4] @ rate).max() < 1e-7
    speed = (ahead[-1] - ahead[-3]) / (2 * (0.1 + 1e-4) / 1001)
    assert np.abs(rate - speed).max() < 1e-3 * max(1.0, np.abs(speed).max())


def test_a_measured_angle_goes_round():
    """Its row holds it on its turn: sine and cosine alone would not."""
    d = derive(sprung(*LOOPS["universal"]), coordinates="auto")
    f, motion = d.function(), motion_of(d)
    k = next(k for k, c in enumerate(d.plan.coordinates) if not c.body)
    q, v = np.array(motion.q), np.zeros(len(motion.q))
    row = next(i for i, r in enumerate(d.rows) if r.label.startswith("measured"))
    before = f(q, v)
    q[k] += 6 * np.pi
    after, forces = f(q, v), d.forces_function()
    assert abs(after[3][row] - before[3][row]) < 1e-12 and abs(before[4][row, k]) > 0.5
    spring = [np.abs((x[2] - forces(q, v))[k]) for x in (before, after)]
    assert spring[1] > spring[0] + 30.0  # it is wound up by three turns


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_sample_that_is_too_large_says_so(name):
    project = load(SAMPLES[0].with_name(f"{name}.mech")).project
    d = within(lambda: derive(project, coordinates="auto"))
    assert not d.complete and "nobody reads" in d.notes[0]
    assert not [p.key for p in within(lambda: d.proofs) if p.how == DIFFERENT]
    for key in CHAPTER_TITLES:
        chapter = within(lambda key=key: d.chapter(key))
        assert chapter.steps or "nobody reads" in chapter.refusal or "too long" in chapter.refusal
    assert d.chapter(RECURSIVE).steps


def test_the_bounds_hold_in_a_piece_of_work_alone():
    """Work done before does not count, a piece within another has its own, and without one there
    are none.
    """
    ring = Ring([((0, 1),)], 0, 2, 2, [])
    long = (ring.q[0] + ring.v[0] + ring.p[0] + ring.s[0]) ** 12
    pieces = 60 * 5_000 // len(long)
    for _ in range(2 * pieces):
        ring.reduce(long)
    with pytest.raises(TooLarge), ring.bounded():
        for k in range(2 * pieces):
            with ring.bounded():
                ring.reduce(long)
            if k > pieces // 2:
                ring.reduce(long)
    with ring.bounded():
        ring.reduce(long)
