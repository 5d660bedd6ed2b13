"""Numbers and pictures of a fit, of answers worked out by hand."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtTest import QTest

from mechstudio.application.signal import Signal
from mechstudio.application.studies.fits import FitResult, FittedQuantity
from mechstudio.curves.course import Course
from mechstudio.model.studies.fitting import Estimate, Scatter
from mechstudio.view.study.fitting.curves import FitView
from mechstudio.view.study.fitting.result import FitResultPanel
from mechstudio.view.study.pictures.axes import MOST_DOTS
from tests.view.recorder import own_painted, painted

NAN = float("nan")
TIMES = np.array([1.0, 2.0, 4.0, 5.0])
ANGLE = FittedQuantity(
    "A angle",
    "angle",
    Course(TIMES, np.radians([10.0, 20.0, 40.0, 30.0])),
    np.radians([1.0, -2.0, 0.5, 0.0]),
    Course(np.linspace(0.0, 6.0, 7), np.radians([0.0, 11, 18, 30, 40.5, 30, 80])),
)
COUNT = FittedQuantity(
    "turns", "number", Course(TIMES, TIMES), 0.1 * TIMES, Course(TIMES, 1.1 * TIMES)
)
ESTIMATES = (
    Estimate("c", "length", 0.123456789, 0.01, 0.103856, 0.1430567),
    Estimate("f", "force", 2.0, NAN, NAN, NAN),
    Estimate("m", "mass", 1.0, 0.1, 0.8, 1.2),
)


def answer(estimates=ESTIMATES, points=(4, 1), runs=1234):
    correlations = np.array([[1.0, NAN, -0.98765], [NAN, 1.0, 0.5], [-0.98765, 0.5, 1.0]])
    scatters = (
        Scatter("A angle", "angle", np.radians(1.23456), points[0]),
        Scatter("turns", "number", 0.25, points[1]),
    )
    notes = ("Two points are left out.",)
    return FitResult(estimates, correlations, scatters, 2, notes, runs, (ANGLE, COUNT))


def study_without():
    """A study without an answer."""
    names = ("rows_changed", "kept_changed", "chosen_changed", "hovered_changed")
    signals = {name: Signal() for name in names}
    return SimpleNamespace(run=None, units="mm-N-deg", hover=lambda row: None, **signals)


@pytest.fixture
def shown():
    return study_without()


def give(shown, result):
    shown.run = SimpleNamespace(fit=result)
    shown.rows_changed.emit()


def test_an_answer_is_shown_in_its_digits(qapp, theme, shown):
    done = []
    panel = FitResultPanel(theme, shown, lambda: done.append("apply"), lambda: done.append("save"))
    parts = (panel.number, panel.apply, panel.save, panel.undo)
    for empty in (None, SimpleNamespace(fit=None)):
        shown.run = empty
        shown.rows_changed.emit()
        assert panel.title.text() == "Fit" and len(panel.sentences) == 1
        assert "then fit" in panel.sentences[0] and all(part.isHidden() for part in parts)
    give(shown, answer())
    assert panel.title.text() == "Answer of the fit" and panel.number.text() == "1,234 runs"
    assert not any(part.isHidden() for part in parts)
    assert panel.sentences == [
        "c 123.457 mm",
        "between 103.9 mm and 143.1 mm with 95 % confidence",
        "f 2 N",
        "not determined by the data",
        "m 1 kg",
        "between 0.8 kg and 1.2 kg with 95 % confidence",
        "A angle 1.235 deg",
        "root mean square of the residuals of 4 points",
        "turns 0.25",
        "root mean square of the residual of one point",
        "Correlation of c and f –",
        "Correlation of c and m −0.988",
        "Correlation of f and m +0.500",
        "The data determines 2 combinations of the 3 parameters.",
        "Two points are left out.",
    ]
    # the last answer takes the place of the one before, in the units of now
    shown.units = "m-N-rad"
    give(shown, answer(ESTIMATES[:1], runs=1))
    assert panel.number.text() == "One run" and len(panel.sentences) == 8
    assert panel.sentences[0] == "c 0.123457 m" and panel.sentences[2] == "A angle 0.02155 rad"
    assert panel._lines.count() == 7 and panel._worth.count() == 2
    for button in (panel.apply, panel.save):
        button.click()
    assert done == ["apply", "save"]
    panel.deleteLater()


@pytest.fixture
def view(qapp, theme, shown, qtbot):
    made = FitView(theme, shown)
    made.resize(500, 500)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.hide()
    made.deleteLater()


def test_the_quantity_that_is_shown_is_chosen_in_the_head(view, shown):
    pictures = (view.curves, view.residuals)
    assert view.empty.isVisible() and view.keys.isHidden() and view.quantity.isHidden()
    assert all(p.isHidden() and p.is_empty for p in pictures)
    give(shown, answer())
    assert view.empty.isHidden() and view.keys.isVisible() and view.quantity.isVisible()
    assert [p.quantity.name for p in pictures] == ["A angle", "A angle"]
    assert view.title.text() == "Measured and fitted"
    view.quantity.choose("1")
    assert [p.quantity.name for p in pictures] == ["turns", "turns"]
    # an answer with fewer
    give(shown, answer()._replace(quantities=(ANGLE,)))
    assert [p.quantity.name for p in pictures] == ["A angle", "A angle"]
    assert view.quantity.isHidden() and all(p.isVisible() for p in pictures)


def test_points_are_where_they_were_measured(view, shown, monkeypatch):
    """In the unit of the axis; of the run only what lies within the measured times."""
    give(shown, answer())
    room = view.curves.room()
    strokes = painted(view.curves, monkeypatch)
    # the axis goes from 0 to 5 s with 2 % more at each end, and from the run's 0° to 40.5° and 6 %
    # more; what the run does later, up to 80°, belongs to the range too
    across = lambda t: room.left() + room.width() * (t + 0.1) / 5.2
    up = lambda deg: room.bottom() - room.height() * (deg + 4.8) / 89.6
    dots = " ".join(
        f"({across(t):.1f} {up(deg):.1f})"
        for t, deg in zip((1, 2, 4, 5), (10, 20, 40, 30), strict=True)
    )
    assert f"drawPoints {dots}" in strokes
    line = " ".join(
        f"({across(t):.1f} {up(deg):.1f})" for t, deg in enumerate((0, 11, 18, 30, 40.5, 30))
    )
    assert f"drawPolyline {line}" in strokes
    # residuals, about a line at nothing
    strokes, room = painted(view.residuals, monkeypatch), view.residuals.room()
    up = lambda deg: room.bottom() - room.height() * (deg + 2.18) / 3.36
    ends = f"({room.left():.1f} {up(0):.1f}) ({room.right():.1f} {up(0):.1f})"
    assert any(s.startswith("drawLine") and s.endswith(ends) for s in strokes), ends
    dots = " ".join(
        f"({across(t):.1f} {up(deg):.1f})"
        for t, deg in zip((1, 2, 4, 5), (1, -2, 0.5, 0), strict=True)
    )
    assert f"drawPoints {dots}" in strokes
    assert QRectF(view.curves.rect()).contains(QPointF(across(5.1), up(0)))


def test_of_many_points_a_part_is_drawn(view, shown, monkeypatch):
    """Every second of up to twice as many as are drawn, every third of more."""
    for count, drawn in ((MOST_DOTS, MOST_DOTS), (MOST_DOTS + 1, 2501), (2 * MOST_DOTS + 1, 3334)):
        times = np.linspace(0.0, 1.0, count)
        many = ANGLE._replace(data=Course(times, times), residuals=times)
        give(shown, answer()._replace(quantities=(many,)))
        for picture in (view.curves, view.residuals):
            dots = [s for s in painted(picture, monkeypatch) if s.startswith("drawPoints")]
            assert len(dots) == 1 and dots[0].startswith(f"drawPoints {drawn} places"), dots


@pytest.mark.skipif(sys.platform != "linux", reason="words have other rooms there")
def test_pictures_of_a_fit_are_painted_as_approved(view, shown, monkeypatch, approved):
    lines = []
    for key in ("0", "1"):
        give(shown, answer())
        view.quantity.choose(key)
        QTest.qWait(0)
        for widget in own_painted(view):
            name = f"{type(widget).__name__} {widget.accessibleName()}".strip()
            lines += [f"# {name} of {key}", *painted(widget, monkeypatch)]
    approved.holds("strokes_of_a_fit.txt", "\n".join(lines) + "\n")
