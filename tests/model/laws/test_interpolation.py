"""Tables by every kind: against SciPy, against their own points, and how far they swing beyond
these; the kind in files and in edits.
"""

import itertools
import json

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator

from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import decode, encode, load
from mechstudio.model.edits import laws as law_edits
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.laws import evaluation, texts
from mechstudio.model.laws.interpolation import MONOTONE, SPLINE, STEPS, STRAIGHT, TABLE_KINDS
from mechstudio.model.mechanism import (
    ACCELERATION,
    GROUND,
    POSITION,
    VELOCITY,
    Body,
    CoordinateOf,
    Coupling,
    Drive,
    Force,
    Frame,
    Joint,
    Law,
    Mechanism,
)
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity

PLATEAU = [(0.0, 0.0), (1.0, 0.0), (1.1, 10.0), (2.0, 10.0), (2.1, 0.0), (3.0, 0.0)]
PEAK = [(0.0, 0.0), (2.4995, 0.0), (2.5, 1000.0), (2.5005, 0.0), (5.0, 0.0)]


def table(points, kind=""):
    return Law(
        "table",
        {},
        tuple((Quantity(float(a)), Quantity(float(b))) for a, b in points),
        between=kind,
    )


def values(law, s):
    return np.array(evaluation.jets(law, s))


@pytest.mark.parametrize(
    "points",
    [
        PLATEAU,
        PEAK,
        [(0, 1), (1, 3), (1.5, 2), (3, 0), (3.1, 0.4)],
        [(0, 2), (1, 5)],
        [(0, 1), (1, 2), (5, 2.5)],
        [(0, 0), (1, 1), (2, -3)],
    ],
)
def test_monotone_is_pchip(points):
    # scipy.interpolate.PchipInterpolator, value, slope and curvature within the table
    pchip = PchipInterpolator(*zip(*points))
    s = np.linspace(points[0][0], points[-1][0], 401)[1:-1] + 1.7e-6
    requested = np.stack([pchip(s, k) for k in range(3)], axis=1)
    assert values(table(points, MONOTONE), s) == pytest.approx(
        requested, rel=1e-9, abs=1e-9 * np.abs(requested).max()
    )


@pytest.mark.parametrize(
    "points",
    [
        PLATEAU,
        PEAK,
        *[
            list(zip(np.cumsum(g.uniform(0.001, 1.0, 30)), g.normal(size=30)))
            for g in map(np.random.default_rng, range(20))
        ],
    ],
)
@pytest.mark.parametrize("kind", [MONOTONE, STRAIGHT, STEPS])
def test_only_a_spline_leaves_its_points(points, kind):
    law = table(points, kind)
    assert evaluation.overshoots(law) == ()
    for (a, f), (b, g) in itertools.pairwise(points):
        seen = values(law, np.linspace(a, b, 50, endpoint=False))[:, 0]
        assert min(f, g) - 1e-9 <= seen.min() and seen.max() <= max(f, g) + 1e-9


def test_every_kind_runs_through_its_points_and_is_level_outside():
    for kind in TABLE_KINDS:
        law = table(PLATEAU, kind)
        assert values(law, [s for s, _ in PLATEAU])[:, 0] == pytest.approx(
            [f for _, f in PLATEAU], abs=1e-12
        )
        assert values(law, [-9.0, 9.0])[:, :2].tolist() == [[0.0, 0.0], [0.0, 0.0]]
        assert evaluation.breakpoints(law) == tuple(s for s, _ in PLATEAU)


def test_straight_pieces_and_steps():
    s = np.array([0.3, 1.05, 1.5, 2.05])
    assert values(table(PLATEAU, STRAIGHT), s)[:, 0] == pytest.approx(
        np.interp(s, *zip(*PLATEAU)), abs=1e-12
    )
    assert values(table(PLATEAU, STEPS), [0.99, 1.0, 1.0999, 1.1, 2.0999, 2.1]).tolist() == [
        [f, 0.0, 0.0] for f in (0.0, 0.0, 0.0, 10.0, 10.0, 0.0)
    ]


@pytest.mark.parametrize(("points", "low", "high"), [(PLATEAU, -13.5, 32.3), (PEAK, None, None)])
def test_the_spline_reports_how_far_it_swings(points, low, high):
    # SciPy's clamped spline on a fine grid: its largest distance beyond the two points on either
    # side
    spline = CubicSpline(*zip(*points), bc_type=((1, 0.0), (1, 0.0)))
    worst = 0.0
    for (a, f), (b, g) in itertools.pairwise(points):
        seen = spline(np.linspace(a, b, 20001))
        worst = max(worst, seen.max() - max(f, g), min(f, g) - seen.min())
    found, share = evaluation.worst_overshoot(table(points))
    assert found.size == pytest.approx(worst, rel=1e-6)
    assert share == pytest.approx(worst / max(f for _, f in points), rel=1e-6)
    if low is not None:
        s = np.linspace(0.0, 3.0, 30001)
        assert spline(s).min() == pytest.approx(low, abs=0.05) and spline(s).max() == pytest.approx(
            high, abs=0.05
        )
    for stretch in evaluation.overshoots(table(points)):
        inside = values(table(points), np.linspace(stretch.begin, stretch.end, 101)[1:-1])[:, 0]
        k = next(
            k for k in range(len(points) - 1) if points[k][0] <= stretch.peak <= points[k + 1][0]
        )
        low_, high_ = sorted((points[k][1], points[k + 1][1]))
        assert ((inside > high_) | (inside < low_)).all()


# what a table prescribes decides which kind a new one has


def project():
    joint = lambda id, type: Joint(id, id, type, Frame(GROUND), Frame("b"))
    force = Force("F", "push", "motor_force", {"force": Quantity(1.0)}, joint="S")
    servo = Force("V", "servo", "servo_force", {"stiffness": Quantity(1.0)}, joint="S")
    drives = {
        id: Drive(id, id, "S", 0, quantity)
        for id, quantity in (("P", POSITION), ("U", VELOCITY), ("A", ACCELERATION))
    }
    m = Mechanism(
        {"b": Body("b", "b")},
        {"S": joint("S", "prismatic"), "R": joint("R", "revolute")},
        {"F": force, "V": servo},
        drives=drives,
        couplings={
            "K": Coupling("K", "cam", "cam", (CoordinateOf("R"), CoordinateOf("S")), law=Law("cam"))
        },
    )
    return Project(m)


@pytest.mark.parametrize(
    ("id", "path", "kind"),
    [
        ("P", ("law",), SPLINE),
        ("U", ("law",), MONOTONE),
        ("A", ("law",), MONOTONE),
        ("K", ("law",), SPLINE),
        ("F", ("laws", "force"), MONOTONE),
        ("V", ("laws", "target"), SPLINE),
    ],
)
def test_new_tables(id, path, kind):
    p = project()
    if path[0] == "laws":
        p = law_edits.follow(p, id, path[1])
    p = law_edits.set_type(p, id, path, "table", "number", 2.0)
    assert law_edits.law_at(p, id, path).between == kind
    for other in (MONOTONE, SPLINE, STRAIGHT):
        assert (
            law_edits.law_at(law_edits.set_between(p, id, path, other), id, path).between == other
        )
    if kind == SPLINE:
        with pytest.raises(ExpressionError, match="A place cannot jump"):
            law_edits.set_between(p, id, path, STEPS)
    else:
        assert (
            law_edits.law_at(law_edits.set_between(p, id, path, STEPS), id, path).between == STEPS
        )
    # another type has none
    assert (
        law_edits.law_at(law_edits.set_type(p, id, path, "ramp", "number", 2.0), id, path).between
        == ""
    )


def test_the_kind_is_written_in_the_file():
    for kind in TABLE_KINDS:
        p = law_edits.follow(project(), "F", "force")
        p = law_edits.put_law(p, "F", ("laws", "force"), table(PLATEAU, kind))
        text = encode(p)
        assert (
            next(f for f in json.loads(text)["forces"] if f["id"] == "F")["laws"]["force"][
                "between"
            ]
            == kind
        )
        back = decode(text)
        assert texts.laws_of(back.project.mechanism.forces["F"])["force"].between == kind
        assert not any("swings" in f.message for f in back.findings)


OLD = """{"mechstudio": 1, "bodies": [{"id": "b", "mass": 1}],
"joints": [{"id": "S", "type": "prismatic", "frame_a": {"body": "ground"},
  "frame_b": {"body": "b"}}],
"forces": [{"id": "F", "type": "motor_force", "joint": "S", "force": 0,
  "laws": {"force": {"type": "table", "points": %s}}}]}"""


@pytest.mark.parametrize(
    ("points", "tells"),
    [
        (PLATEAU, True),
        ([(0, 0), (1, 1), (2, 0)], False),
        ([(0, 0), (1, 1), (2, 1.05), (3, 0)], True),
    ],
)
def test_a_file_without_a_kind_opens_as_the_spline_it_was(points, tells):
    text = OLD % json.dumps(points)
    loaded = decode(text.encode())
    law = loaded.project.mechanism.forces["F"].laws["force"]
    spline = CubicSpline(*zip(*points), bc_type=((1, 0.0), (1, 0.0)))
    s = np.linspace(points[0][0], points[-1][0], 101)[1:-1]
    assert values(law, s)[:, 0] == pytest.approx(spline(s), abs=1e-9)
    reported = [f for f in loaded.findings if "swings" in f.message]
    assert bool(reported) == tells
    if tells:
        assert (
            reported[0].element == "F"
            and "spline that it was" in reported[0].message
            and "monotone" in reported[0].cure
        )
    # to save it says no more than it did; to choose the spline says it, and nothing is reported
    # again
    assert "between" not in encode(loaded.project).decode()
    chosen = law_edits.set_between(loaded.project, "F", ("laws", "force"), SPLINE)
    assert not any("swings" in f.message for f in decode(encode(chosen)).findings)


def test_an_element_without_the_requested_law_has_none():
    """An id may be that of another kind of element in the next drawing: a drive's law is not a
    force's.
    """
    project = load(sample_folder() / "walking_linkage.mech").project
    assert law_edits.law_at(project, "motor", ("law",)).type == "constant"
    for id, path in (
        ("motor", ("laws", "force")),
        ("shaft", ("law",)),
        ("chassis", ("laws", "force")),
    ):
        with pytest.raises(KeyError):
            law_edits.law_at(project, id, path)
