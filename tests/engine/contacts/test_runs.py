"""Contacts by the engine's public way: blocks of samples, channels, contact points of every sample,
conditions, refusals, and smooth runs that know nothing of them.
"""

import subprocess
import sys

import msgspec
import numpy as np
import pytest

from mechstudio.engine.errors import RunStopped
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run, system_for
from mechstudio.files.format.codec import decode, encode
from mechstudio.model.contact import (
    CONTACT_METHODS,
    FORCE,
    FRICTION,
    GAP,
    NUMBERS_WIDTH,
    ContactPair,
    Contacts,
    ContactSettings,
)
from mechstudio.model.joints.touching import (
    MOST_PAIRS,
    recorded_pairs,
    too_many_pairs,
    touching_pairs,
)
from mechstudio.model.mechanism import (
    GROUND,
    Force,
    Frame,
    Joint,
    Law,
    Mechanism,
    Placement,
)
from mechstudio.model.project import EndCondition, Project, Settings
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.results.channels import channels
from mechstudio.model.results.sample import sample_layout
from tests.engine.contacts.cases import G, ball, box, mechanism, skin

Q = Quantity
OPTIONS = RunOptions(duration=0.5, sample_step=0.01)


def scene() -> Mechanism:
    """A box that slides on the floor and a ball that falls on it."""
    return mechanism(
        [
            box(
                "slab",
                (0.4, 0.4, 0.1),
                2.0,
                (0.0, 0.0, 0.05),
                v=(0.5, 0.0, 0.0),
                surface=skin(0.5, 0.4),
            ),
            ball("ball", 0.1, 1.0, (0.0, 0.0, 0.5), surface=skin(0.5, 0.4)),
        ],
        floor=skin(),
    )


def samples(drawn: Mechanism, options: RunOptions = OPTIONS, **more):
    system = system_for(drawn, options)
    return system, np.concatenate(list(run(system, options, **more)))


def test_a_run_gives_samples_and_contacts():
    drawn, contact_samples = scene(), []
    system, rows = samples(drawn, contact_samples=contact_samples)
    known = channels(drawn, system.layout)
    read = lambda key: rows[:, list(known[key].columns)].sum(axis=1)
    assert rows.shape == (51, system.layout.width) and len(contact_samples) == 51
    assert rows[:, 0] == pytest.approx(0.01 * np.arange(51))
    assert read("contact/slab/ground")[5] == pytest.approx(2.0 * G, rel=1e-3)
    assert (
        read("contact/count").max() >= 5
        and read("contact/overlap").max() < 1e-5
        and read("contact/residual").max() < 1e-6
    )
    assert read("contact/friction")[-1] < -0.1 and read("contact/impact")[-1] < -0.1
    assert np.abs(read("energy/balance")).max() < 0.02 * read("energy/total")[0]
    last = contact_samples[-1]
    numbers = np.frombuffer(last.numbers).reshape(-1, NUMBERS_WIDTH)
    bodies = np.frombuffer(last.bodies, np.int32).reshape(-1, 2)
    assert len(bodies) == len(numbers) == read("contact/count")[-1]
    floor = (bodies == -1).any(axis=1)
    assert (
        abs(numbers[floor, FORCE + 2].sum()) > 1.9 * G
        and np.abs(numbers[:, GAP]).max() < 0.1
        and (numbers[:, FRICTION] == 0.5).all()
    )
    assert (
        system.statistics is not None
        and system.statistics.impacts >= 1
        and system.statistics.impact_loss > 0.1
    )


@pytest.mark.parametrize(
    ("duration", "step"), [(0.1023, 0.01), (0.1020007, 0.01), (0.1, 5.0), (0.0003, 0.01)]
)
def test_a_run_with_contacts_has_a_sample_at_its_end(duration, step):
    """A box with friction goes v T - μ g T^2 / 2, a ball above it falls g T^2 / 2, and the floor
    bears the weight.  A last step of another length acts by its own length.
    """
    slab = box(
        "slab",
        (0.4, 0.4, 0.1),
        2.0,
        (0.0, 0.0, 0.05),
        v=(0.5, 0.0, 0.0),
        surface=skin(0.05, 0.0),
    )
    drawn = mechanism([slab, ball("ball", 0.1, 1.0, (0.0, 3.0, 1.0))], floor=skin(0.05, 0.0))
    contact_samples = []
    system, rows = samples(drawn, RunOptions(duration, step), contact_samples=contact_samples)
    known = channels(drawn, system.layout)
    last = lambda key: rows[-1, list(known[key].columns)].sum()
    assert rows[-1, 0] == duration == contact_samples[-1].time
    assert system.statistics.duration == duration
    assert len(rows) == len(contact_samples) == system.statistics.samples
    travel = 0.5 * duration - 0.025 * G * duration**2
    assert last("body/slab/x") == pytest.approx(travel, abs=1e-8)
    assert last("body/ball/z") == pytest.approx(1.0 - 0.5 * G * duration**2, abs=1e-12)
    assert last("contact/slab/ground") == pytest.approx(2.0 * G, rel=2e-3)


@pytest.mark.parametrize(("duration", "acted"), [(0.1023, 1.0), (0.10215, 0.5), (0.102, 0.0)])
def test_a_short_force_acts_up_to_the_end_of_a_run_alone(duration, acted):
    """A triangle of 10 N and 0.1 ms from 0.1021 s on, of which the run may end before or halfway:
    the impulse is that up to the end, though laws act by their mean over a step.
    """
    points = ((0.0, 0.0), (0.1021, 0.0), (0.10215, 10.0), (0.1022, 0.0), (1.0, 0.0))
    law = Law("table", points=tuple((Q(t), Q(f)) for t, f in points), between="straight")
    none = {"x": Q(0.0), "y": Q(0.0), "z": Q(0.0)}
    push = Force("push", "push", "force", none, frame_b=Frame("ball"), laws={"x": law})
    drawn = mechanism(
        [ball("ball", 0.1, 1.0, (0.0, 0.0, 3.0))], floor=skin(), forces={"push": push}
    )
    system, rows = samples(drawn, RunOptions(duration, 0.01))
    known = channels(drawn, system.layout)
    speed = rows[-1, list(known["body/ball/vx"].columns)].sum()
    assert speed == pytest.approx(5e-4 * acted, abs=1e-9)


def test_runs_are_the_same_twice():
    """Warm starts and rooms that grow leave no trace between runs."""
    assert np.array_equal(samples(scene())[1], samples(scene())[1])


def test_a_condition_ends_the_run():
    options = msgspec.structs.replace(
        OPTIONS, until=(EndCondition("body/ball/z", Q(0.3), "falling"),)
    )
    system, rows = samples(scene(), options)
    assert system.statistics.ended_by == 0 and rows[-1, 0] < 0.3


@pytest.mark.parametrize(
    ("method", "cure"),
    [
        ("apgd", "Allow more than 1 iterations, or take a shorter contact step"),
        (
            "jacobi",
            "Take Accelerated projected gradient as their method, or allow more than 1 iterations",
        ),
        (
            "gauss_seidel",
            "Take Accelerated projected gradient as their method, or allow more than 1 iterations",
        ),
    ],
)
def test_the_end_of_a_run_reports_unsolved_contacts(method, cure):
    """A negative damper feeds a box and itself.  On the floor, which one iteration does not solve,
    it is pressed in however short the step, or diverges; the reason mentions the contacts.

    In the air there is nothing to tell.
    """
    feed = Force(
        "c",
        "c",
        "damper",
        {"damping": Q(-2000.0)},
        Frame(GROUND, "", Placement(vector(-1.0, 0.0, 0.3))),
        Frame("slab"),
    )
    for high, on_the_floor in ((0.05, True), (50.0, False)):
        drawn = mechanism(
            [
                box(
                    "slab",
                    (0.4, 0.4, 0.1),
                    2.0,
                    (0.0, 0.0, high),
                    v=(0.5, 0.0, 0.0),
                    surface=skin(),
                )
            ],
            floor=skin(),
            forces={"c": feed},
        )
        contacts = ContactSettings(method=method, most=1)
        system = system_for(drawn, OPTIONS)
        with pytest.raises(
            RunStopped,
            match="grown beyond all bounds|slab and floor sink into each other"
            if on_the_floor
            else "grown beyond all bounds",
        ) as stopped:
            list(run(system, msgspec.structs.replace(OPTIONS, duration=5.0, contacts=contacts)))
        reported, reason = system.statistics, stopped.value.reason
        assert (reported.unsolved > 0) == on_the_floor
        if on_the_floor:
            words = (
                f"{CONTACT_METHODS[method].label} did not come to their tolerance, 1e-06 "
                f"m/s, in {reported.unsolved} of {reported.steps} steps. {cure}."
            )
            assert reason.endswith(words)
        else:
            assert "tolerance" not in reason


def test_pairs():
    """Bodies that share a joint do not touch unless it is said; a word for or against counts."""
    hinge = Joint(
        "h", "h", "revolute", Frame("slab"), Frame("ball", "", Placement(vector(0.0, 0.0, -0.45)))
    )
    drawn = msgspec.structs.replace(scene(), joints={"h": hinge})
    assert ("slab", "ball") not in touching_pairs(drawn) and ("slab", GROUND) in touching_pairs(
        drawn
    )
    said = msgspec.structs.replace(
        drawn,
        contacts=msgspec.structs.replace(
            drawn.contacts,
            pairs=(ContactPair("ball", "slab", True), ContactPair(GROUND, "slab", False)),
        ),
    )
    assert (
        set(touching_pairs(said))
        == {("slab", "ball"), ("ball", GROUND)}
        == set(recorded_pairs(said))
    )
    assert sample_layout(said).pairs == recorded_pairs(said) and not too_many_pairs(said)
    ball = drawn.bodies["ball"]
    crowd = msgspec.structs.replace(
        drawn,
        bodies={f"b{n}": msgspec.structs.replace(ball, id=f"b{n}") for n in range(12)},
        joints={},
    )
    assert (
        len(touching_pairs(crowd)) > MOST_PAIRS
        and too_many_pairs(crowd)
        and recorded_pairs(crowd) == ()
    )
    assert sample_layout(msgspec.structs.replace(drawn, contacts=Contacts())).contact == slice(
        sample_layout(drawn).momentum.stop, sample_layout(drawn).momentum.stop
    )


def test_contacts_stand_in_the_file():
    """Written, read back the same; a file without them has none; a step of no sense is refused
    where it stands.
    """
    project = Project(
        scene(),
        settings=Settings(
            contacts=ContactSettings(step=Q(2e-3, "2 ms"), impacts="sequential", sleep=Q(0.5))
        ),
    )
    project = msgspec.structs.replace(
        project,
        mechanism=msgspec.structs.replace(
            project.mechanism,
            contacts=msgspec.structs.replace(
                project.mechanism.contacts, pairs=(ContactPair("ball", "slab"),)
            ),
        ),
    )
    data = encode(project)
    data = data if isinstance(data, bytes) else data.encode()
    loaded = decode(data)
    assert loaded.findings == () and loaded.project == project
    old = decode(
        b'{"mechstudio": 1,\n"bodies": [\n {"id": "A", "shapes": [{"type": "sphere", "radius": '
        b"0.1}]}\n]\n}\n"
    )
    assert old.project.mechanism.contacts == Contacts() and old.findings == ()
    with pytest.raises(ValueError, match="step with contacts"):
        RunOptions(contacts=ContactSettings(step=Q(0.0))).check()


def test_smooth_runs_import_no_contacts():
    """A mechanism without contacts neither imports nor compiles these kernels."""
    text = (
        "import sys, mechstudio.engine.integration.smooth_run, mechstudio.engine.system.system, "
        "mechstudio.worker.solver_process\n"
        "assert not [m for m in sys.modules if m.startswith('mechstudio.engine.contacts')]"
    )
    subprocess.run([sys.executable, "-c", text], check=True, timeout=120)
