"""Widgets that paint themselves, stroke by stroke, in each of their states: pictures of studies,
of laws, of forces and of answers.
"""

import dataclasses
import sys
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest
from PySide6 import QtGui
from PySide6.QtCore import QPointF, QRectF

import mechstudio as ms
from mechstudio.application.signal import Signal
from mechstudio.application.studies.shown_study import StudyShown
from mechstudio.application.synthesis.answers import result_of
from mechstudio.application.synthesis.question import LinkageQuestion
from mechstudio.curves.course import Course
from mechstudio.folders import sample_folder
from mechstudio.model.free_bodies import LOAD
from mechstudio.model.laws.interpolation import Overshoot
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.sizing.answer import Figure, Line, Sized, SizedPicture, SizedTable
from mechstudio.model.studies.setup import LEAST, MeasuredQuantity, StudySetup, VariedParameter
from mechstudio.protocol.synthesis_messages import FUNCTION, PATH
from mechstudio.studies import measures
from mechstudio.studies.table import StudyTable
from mechstudio.synthesis.linkages import LINKAGES, Linkage
from mechstudio.synthesis.refinement import Candidate
from mechstudio.view.free_body.polygon import Polygon
from mechstudio.view.inspector.laws.law_preview import LawPreview, Shown
from mechstudio.view.sizing.picture import PictureView
from mechstudio.view.sizing.results import Results, ResultTable
from mechstudio.view.study.views import VIEWS
from mechstudio.view.synthesis.pairs import paint_pairs
from mechstudio.view.synthesis.picture import extent, fitted, paint_curve, paint_linkage
from tests.view.access.outline import outline
from tests.view.recorder import painted, recording
from tests.view.scene.test_overlays import FLAT, NEAR, FixedPictures, free_body_cut

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="words have other rooms there")
FOUR_BAR = ms.load(sample_folder() / "four_bar.mech")
WIDE, HIGH = 460, 300
replace = msgspec.structs.replace


def setup_of(vary, texts, **more):
    kept = tuple(measures.stored(text, FOUR_BAR, LEAST) for text in texts)
    varied = tuple(VariedParameter(*text.split("=", 1)) for text in vary)
    return StudySetup("s", "S", varied, kept, **more)


class Courses:
    """Courses of all rows but the first, each a wave of its own."""

    def __init__(self, table):
        self.changed, self.expected, self._table = Signal(), [], table

    def of(self, digest, row):
        if row == 0:
            return {}
        times = np.linspace(0.0, 2.0, 5)
        waves = np.sin(times + row) + self._table.varied[row, 0]
        return {m.quantity: Course(times, waves) for m in self._table.measures}

    def want(self, digest, setup, table, rows):
        self.expected.append(rows)


def shown_of(setup, varied, measured, failed=(), missing=(), indices=None):
    """A study with given numbers, as the page shows it."""
    project = replace(FOUR_BAR, studies=(setup,))
    of_setup = tuple(measures.read_stored(m, project) for m in setup.measures)
    names = {v.parameter: project.parameters[v.parameter].dimension for v in setup.vary}
    table = StudyTable(names, of_setup, np.array(varied, float), ())
    table.measured[:] = measured
    table.systems[:] = 0
    table.measured[list(failed)] = np.nan
    table.reasons = {k: "It cannot be closed." for k in failed}
    table.systems[list(missing)] = -1
    table.measured[list(missing)] = np.nan
    table.indices = indices
    run = SimpleNamespace(
        id="s", digest="d", table=table, version=1, is_working=False, done=len(table)
    )
    runs = SimpleNamespace(
        changed=Signal(),
        of=lambda id: run,
        is_outdated=lambda id: False,
        courses=Courses(table),
        poses=SimpleNamespace(changed=Signal()),
    )
    preferences = SimpleNamespace(changed=Signal(), units="mm-N-deg")
    document = SimpleNamespace(project=project, changed=Signal())
    shown = StudyShown(document, runs, preferences)
    shown.choose_study("s")
    return shown


def on_a_grid():
    """Two parameters on a grid, a limit, a failed run and one that is missing."""
    setup = setup_of(("L2=310..350 mm:4", "L3=250..270 mm:3"), ("max D angle >= 60 deg",))
    a, b = np.meshgrid(np.linspace(0.31, 0.35, 4), np.linspace(0.25, 0.27, 3), indexing="ij")
    varied = np.stack([a.ravel(), b.ravel()], axis=1)
    values = np.sin(9.0 * (a + 2.0 * b)).ravel()[:, None]
    return shown_of(setup, varied, 1.0 + values, (5,), (10,))


def along_a_line():
    """One parameter on a grid."""
    setup = setup_of(("L2=310..350 mm:9",), ("max D angle", "min D angle <= 30 deg"))
    x = np.linspace(0.31, 0.35, 9)
    return shown_of(setup, x[:, None], np.stack([np.cos(90 * x), 0.5 + 3 * x], 1), (3,))


def at_random():
    """Three parameters drawn, with two measures that go along with some of them."""
    setup = setup_of(
        ("L2=310..350 mm", "L3=250..270 mm", "L4=330..350 mm"),
        ("max D angle", "min D angle"),
        samples=12,
    )
    varied = np.array([0.33, 0.26, 0.34]) + 0.01 * np.random.default_rng(2).uniform(-1, 1, (12, 3))
    first = 3.0 * varied[:, 0] + varied[:, 1]
    return shown_of(setup, varied, np.stack([first, np.cos(300 * varied[:, 2])], 1), (7,), (8,))


def of_a_search():
    """Two goals that pull apart, and a limit."""
    setup = setup_of(("L2=310..350 mm",), ("max D angle", "min D angle"), method="pareto")
    goals = (replace(setup.measures[0], goal="least"), replace(setup.measures[1], goal="greatest"))
    third = MeasuredQuantity("range", "joint/D/0", sign="<=", limit="40 deg")
    setup = replace(setup, measures=(*goals, third))
    x = 0.33 + 0.02 * np.sin(np.arange(24.0))
    y = 50 * (x - 0.33)
    measured = np.stack([1 + y, 1 + y - 2 * y**2 + 0.1 * np.cos(np.arange(24)), 0.6 + 0.3 * y], 1)
    return shown_of(setup, x[:, None], measured, (4,))


STUDIES = (on_a_grid, along_a_line, at_random, of_a_search)


def states(shown, view):
    """Ways to look at a study: nothing chosen; a row chosen and another pointed at; few rows."""
    yield "plain"
    shown.choose(2)
    shown.hover(6)
    if len(shown.measures) > 1:
        shown.show_measure(shown.measures[-1])
    yield "chosen"
    values = shown.columns[0].values
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    shown.keep_range(0, (low + 0.2 * (high - low), low + 0.8 * (high - low)))
    yield "few"


@pytest.mark.parametrize("make", STUDIES, ids=lambda make: make.__name__)
def test_pictures_of_a_study_are_painted_as_approved(qapp, theme, approved, monkeypatch, make):
    lines: list[str] = []
    for view in VIEWS[:-1]:
        shown = make()
        if not view.fits(shown):
            continue
        widget = view.make(theme, shown)
        widget.resize(WIDE, HIGH)
        for state in states(shown, widget):
            lines += [f"# {view.key} {state}", *painted(widget, monkeypatch)]
            rows = []
            for y in range(20, HIGH, 40):
                found = [widget.row_at(QPointF(x, y)) for x in range(10, WIDE, 25)]
                rows.append(" ".join("-" if f is None else str(f) for f in found))
            lines += rows
        widget.deleteLater()
        shown.disconnect()
    approved.holds(f"study_{make.__name__}.txt", "\n".join(lines) + "\n")


NAN = float("nan")
ANSWER = Sized(
    "flywheel",
    "A flywheel of 2 kg·m² does it.",
    (
        Figure("J", "Inertia", 2.0, "inertia", 1.0),
        Figure("n", "Turns", 3.0, "number", NAN),
        Figure("w", "Speed", 10.0, "angular_velocity", 12.0),
    ),
    (
        SizedTable(
            "Motors",
            "motor",
            ("Torque", "Rated speed"),
            ("torque", "angular_velocity"),
            ("small", "large one"),
            ((1.0, 100.0), (2.5, NAN)),
            ((0,), ()),
            ("too weak", ""),
        ),
        SizedTable("Plain", "row", ("Count",), ("number",), ("one",), ((7.0,),)),
    ),
    (
        SizedPicture(
            "Torque over the turn",
            "angle",
            "angle",
            "torque",
            "torque",
            (
                Line("before", "before", (0.0, 1.0, 2.0, 3.0), (1.0, -2.0, 0.5, 3.0)),
                Line("after", "after", (0.0, 3.0), (0.5, 0.6)),
                Line("limit", "limit", (0.0, 3.0), (2.0, 2.0)),
                Line("for ever", "lasting", (0.0, 3.0), (-1.0, -1.0)),
                Line("none", "after", (), ()),
            ),
        ),
        SizedPicture(
            "Force on the frame",
            "x",
            "force",
            "y",
            "number",
            (
                Line("before", "before", (0.0, 4.0, 4.0, 0.0), (1.0, 1.0, 9.0, 9.0)),
                Line("after", "after", (1.0, 1.0), (2.0, 2.0)),
            ),
            True,
        ),
        SizedPicture("Flat", "t", "time", "s", "length", (Line("", "after", (1.0,), (1.0,)),)),
    ),
    ("It was run again.",),
)


def test_answers_of_helpers_are_shown_as_approved(qapp, qtbot, theme, approved, monkeypatch):
    lines: list[str] = []
    for answer in (ANSWER, Sized("none", "There is nothing to do.")):
        results = Results(theme, answer, "mm-N-deg")
        results.resize(700, 600)
        results.show()
        qtbot.waitExposed(results)
        lines += [f"# {answer.what}", *outline(results)]
        for table in results.findChildren(ResultTable):
            lines += [f"{name} {role(table)}" for name, role in TABLE_FACTS.items()]
        results.hide()
        for picture in results.findChildren(PictureView):
            for wide in (190, 420):
                picture.resize(wide, 210)
                lines += [f"## {picture.accessibleName()} {wide}", *painted(picture, monkeypatch)]
        results.deleteLater()
    approved.holds("answers_of_helpers.txt", "\n".join(lines) + "\n")


TABLE_FACTS = {
    "colours": lambda table: [
        (item := table.item(r, c)) and item.foreground().color().name()
        for r in range(table.rowCount())
        for c in range(table.columnCount())
    ],
    "heads": lambda table: [
        table.horizontalHeaderItem(c).text() for c in range(table.columnCount())
    ],
    "sides": lambda table: [table.verticalHeaderItem(r).text() for r in range(table.rowCount())],
    "ways": lambda table: (table.showGrid(), table.wordWrap(), table.editTriggers().value),
}


def test_forces_of_a_free_body_are_laid_tip_to_tail(qapp, theme, approved, monkeypatch):
    cut, bodies = free_body_cut()
    turned = replace(NEAR, azimuth=10.0)
    polygon, lines = Polygon(theme), list[str]()
    polygon._pictures = FixedPictures()
    reported: list[object] = []
    polygon.hovered.connect(reported.append)
    lit = lambda slot: slot.kind == LOAD
    for name, shown, camera, size in (
        ("none", None, NEAR, (230, 180)),
        ("one", dataclasses.replace(cut, actions=cut.actions[:1]), FLAT, (230, 180)),
        ("all", cut, NEAR, (230, 180)),
        ("open", dataclasses.replace(cut, force_gap=np.array([3.0, 0, 1.0])), turned, (460, 300)),
        ("flat", dataclasses.replace(cut, normal=np.array([0.0, 1.0, 0.0])), turned, (460, 120)),
    ):
        polygon.show_cut(shown, Mechanism(bodies), camera, "mm-N-deg", lit)
        polygon.resize(*size)
        lines += [f"# {name} {polygon.flat}", *painted(polygon, monkeypatch)]
        lines += [
            " ".join(
                slot.id if (slot := polygon._at(QPointF(x, y))) else "-"
                for x in range(5, size[0], 25)
            )
            for y in range(5, size[1], 25)
        ]
    polygon.deleteLater()
    approved.holds("free_body_polygon.txt", "\n".join(lines) + "\n")


def test_laws_are_previewed_as_approved(qapp, theme, approved, monkeypatch):
    over = np.linspace(0.0, 2.0, 9)
    rising = ("angle", "angle", 3.0 * over - 1.0)
    flat = ("speed", "angular_velocity", np.full(9, 2.0))
    broken = ("value", "", np.where(over > 1.0, np.nan, over**2))
    none = ("none", "length", np.full(9, np.nan))
    beyond = (Overshoot(0.0, 1.0, 0.5, 0.25), Overshoot(1.0, 2.0, 1.5, 0.75))
    shown = [
        None,
        Shown(over, "time", (rising, flat, broken)),
        Shown(over, "angle", (none, rising), 1, beyond),
        Shown(np.zeros(1), "", (("one", "length", np.ones(1)),)),
    ]
    lines: list[str] = []
    for law in shown:
        preview = LawPreview(theme, lambda law=law: law, lambda: "mm-N-deg")
        preview.resize(240, preview.height())
        lines += [f"# {preview.height()} {preview.accessibleDescription()}"]
        lines += painted(preview, monkeypatch)
        preview.deleteLater()
    approved.holds("law_previews.txt", "\n".join(lines) + "\n")


def test_linkages_and_pairs_are_painted_as_approved(qapp, theme, approved, monkeypatch):
    rows = ((0.0, 0.1), (0.5, 0.3), (1.0, None), (1.5, 0.9))
    question = LinkageQuestion(FUNCTION, rows={FUNCTION: rows})
    lines: list[str] = []
    for kind, numbers in (
        ("four_bar", (0.0, 0.0, 0.34, 0.0, 0.13, 0.33, 0.26, 0.15, 0.1)),
        ("slider_crank", (0.0, 0.0, 0.1, 0.3, 0.05, 0.3, 0.1, 0.05)),
    ):
        n = len(LINKAGES[kind].parameters)
        linkage = Linkage(
            kind, np.array((*numbers, 0.1)[:n]), np.array([1.0]), np.array([0.2, 0.5, 0.9])
        )
        answer = result_of(Candidate(linkage, 0.1, 0.5, True, 0.2), PATH)
        output = (np.array([0.0, 0.5, 1.5]), np.array([0.0, 0.25, 0.75]))
        ground = QtGui.QPixmap(400, 300)
        with recording(monkeypatch) as calls:
            painter = QtGui.QPainter(ground)
            plane = fitted(extent(answer), QRectF(20, 20, 360, 260))
            paint_linkage(painter, theme, plane, answer, 3, 6.0)
            paint_curve(painter, plane, answer.curve, theme.color("accent"), 2.0, True)
            for pair in (None, answer._replace(output=output)):
                paint_pairs(painter, theme, QRectF(10, 20, 380, 260), question, pair)
            painter.end()
        lines += [f"# {kind}", *calls]
    approved.holds("linkages.txt", "\n".join(lines) + "\n")
