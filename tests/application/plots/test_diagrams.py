"""Drawings of diagram panes: units, stretch, kept runs, and reasons where one cannot be."""

import time

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.plots.accounts import account_traces
from mechstudio.application.plots.choice import (
    PlotRefused,
    as_diagram,
    usual_diagram,
    with_curves,
    with_diagram,
    with_log,
)
from mechstudio.application.plots.diagrams import drawing, point_at
from mechstudio.application.plots.export import diagram_table
from mechstudio.application.plots.panes import panes, shown_plots
from mechstudio.application.plots.traces import ShownRun, traces
from mechstudio.application.resources import sample_folder
from mechstudio.model.project import Diagram, Plot

replace = msgspec.structs.replace
A, D = "joint/A/0", "joint/D/0"


class Recorded:
    """Samples of a run as a recording has them."""

    def __init__(self, result):
        self.project, self.layout, self.rows = result.project, result.layout, result.rows
        self.count, self.time, self.loads = len(result.rows), result.time, ()


@pytest.fixture(scope="module")
def run():
    project = ms.load(sample_folder() / "four_bar.mech")
    return Recorded(ms.simulate(project, duration=2.0, sample_step=0.01))


def shown(run, kind, key=D, units="mm-N-deg", stretch=(0.0, 2.0), kept=(), **changes):
    """Pane and drawing of a diagram of a curve."""
    diagram, keys = usual_diagram(run.project, kind, key)
    change, id = with_diagram(run.project, replace(diagram, **changes), keys)
    pane = next(p for p in panes(change.project, units) if p.id == id)
    found = traces(pane, run, {}, tuple(kept), frozenset())
    runs = {"": (run, {}), **{k.key: (k.samples, {}) for k in kept}}
    return pane, drawing(pane, found, runs, stretch, units)


def test_axes_are_in_the_units_of_the_system_and_the_stretch_alone_counts(run):
    (_, degrees), (pane, radians) = (shown(run, "phase", units=u) for u in ("mm-N-deg", "m-N-rad"))
    assert pane.units == ("rad/s", "")
    assert degrees.curves[0].x == pytest.approx(np.degrees(radians.curves[0].x))
    assert degrees.curves[0].y == pytest.approx(np.degrees(radians.curves[0].y))
    _, part = shown(run, "phase", stretch=(0.5, 1.0))
    inside = (run.time >= 0.5) & (run.time <= 1.0)
    assert part.curves[0].instants == pytest.approx(run.time[inside])
    # the dot of the present instant lies on the curve, and is nowhere outside of it
    c = part.curves[0]
    assert point_at(c, float(c.instants[7])) == pytest.approx((c.x[7], c.y[7]))
    assert point_at(c, 0.4) is None and point_at(c, 1.1) is None


def test_a_kept_run_stands_in_the_same_diagram(run):
    other = Recorded(
        ms.simulate(ms.load(sample_folder() / "four_bar.mech"), duration=1.0, sample_step=0.01)
    )
    kept = ShownRun("kept/1", "before", "", 3, 1, other)
    _, made = shown(run, "over", kept=[kept])
    first, second = made.curves
    assert (second.trace.run, second.trace.color, second.trace.dash) == ("kept/1", 3, 1)
    known = np.isfinite(second.x)
    assert known.sum() < np.isfinite(first.x).sum()
    assert second.y[:50] == pytest.approx(first.y[:50], abs=1e-6, nan_ok=True)


def test_undrawable_diagrams_give_the_reason(run):
    _, made = shown(run, "spectrum", stretch=(0.0, 0.05))
    assert not made.curves and "eight samples" in made.refusal
    _, made = shown(run, "over", across="joint/gone/0")
    assert not made.curves and "no longer there" in made.refusal
    _, made = shown(run, "section", level=1e3, gate="derivative/joint/D/0", direction="rising")
    assert made.note == "0 crossings, read by cubics." and not len(made.curves[0].x)


def test_a_diagram_has_one_axis_and_powers_of_ten_where_they_mean_something(run):
    change, id = with_diagram(run.project, Diagram("phase"), (A,))
    one = with_curves(change.project, id, [D], True)
    assert next(p for p in shown_plots(one.project) if p.id == id).channels == (A, D)
    body = next(iter(run.project.mechanism.bodies))
    two = with_curves(one.project, id, [f"body/{body}/x"], True)
    assert "has another unit" in two.sentence
    last = shown_plots(two.project)[-1]
    assert last.channels == (f"body/{body}/x",) and last.diagram == Diagram("phase")
    with pytest.raises(PlotRefused, match="over the time and for spectra"):
        with_log(change.project, id, True)
    spectrum = as_diagram(change.project, id, Diagram("spectrum")).project
    log = with_log(spectrum, id, True).project
    assert next(p for p in panes(log) if p.id == id).log
    # a spectrum that becomes a phase plot has no powers of ten any more
    phase = as_diagram(log, id, Diagram("phase")).project
    assert not next(p for p in panes(phase) if p.id == id).log


def test_the_curve_along_the_horizontal_axis_is_not_drawn_over_itself(run):
    over = lambda key: Diagram("over", across=key)
    change, id = with_diagram(run.project, over(A), (A, D))
    drawn = lambda project: next(p.channels for p in shown_plots(project) if p.id == id)
    assert drawn(change.project) == (D,)
    # the other one along the axis: the two change places
    swapped = as_diagram(change.project, id, over(D))
    assert drawn(swapped.project) == (A,)
    assert drawn(as_diagram(swapped.project, id, over("joint/B/0")).project) == (A,)


def test_a_file_cannot_ask_for_powers_of_ten_or_an_account_of_nothing(run):
    plot = Plot("p", "P", (A,), diagram=Diagram("phase"))
    usual, powers = (
        panes(replace(run.project, plots=(replace(plot, log=log),)))[0] for log in (False, True)
    )
    assert powers == usual
    empty = replace(plot, channels=(), diagram=Diagram("account"))
    (pane,) = panes(replace(run.project, plots=(empty,)))
    assert pane.is_account and account_traces(pane, run, {}, frozenset()) == []


class Long(Recorded):
    """A very long run: every column a wave of its own."""

    def __init__(self, result, count=200_000):
        super().__init__(result)
        self.rows = np.zeros((count, result.rows.shape[1]))
        self.rows[:, 0] = np.linspace(0.0, 200.0, count)
        for c in range(1, self.rows.shape[1]):
            self.rows[:, c] = np.sin(self.rows[:, 0] * (1 + 0.01 * c))
        self.time, self.count = np.ascontiguousarray(self.rows[:, 0]), count


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["phase", "over", "spectrum", "section"])
@pytest.mark.thinned(4)
def test_diagrams_of_very_many_samples_are_found_beside_the_window(run, kind):
    long = Long(run)
    diagram, keys = usual_diagram(run.project, kind, D)
    change, id = with_diagram(run.project, diagram, keys)
    pane = next(p for p in panes(change.project, "mm-N-deg") if p.id == id)
    found = traces(pane, long, {}, (), frozenset())
    runs, stretch = {"": (long, {})}, (0.0, 200.0)
    first = drawing(pane, found, runs, stretch, wait=False)
    assert first.pending and not first.curves and first.refusal.startswith("Being computed")
    deadline = time.monotonic() + 30.0
    made = first
    while made.pending:
        assert time.monotonic() < deadline
        time.sleep(0.01)
        made = drawing(pane, found, runs, stretch, wait=False)
    again = drawing(pane, found, {"": (Long(run), {})}, stretch)
    np.testing.assert_array_equal(made.curves[0].x, again.curves[0].x)
    np.testing.assert_array_equal(made.curves[0].y, again.curves[0].y)
    np.testing.assert_array_equal(made.curves[0].path, again.curves[0].path)
    # while a run grows, what is known of it stays in sight
    long.rows = np.concatenate((long.rows, long.rows[-1:] + 0.001))
    long.time, long.count = np.ascontiguousarray(long.rows[:, 0]), len(long.rows)
    found = traces(pane, long, {}, (), frozenset())
    grown = drawing(pane, found, runs, stretch, wait=False)
    assert grown.curves


def test_the_table_of_a_diagram_has_its_axes_once_and_names_its_runs(run):
    """One curve has no name but its own; curves of two runs carry those of the runs."""
    pane, made = shown(run, "phase")
    table = diagram_table(pane, made)
    assert [(c.name, c.unit) for c in table] == [
        ("time", "s"),
        ("D angle", "deg"),
        ("Rate of D angle", "deg/s"),
    ]
    assert table[1].values == pytest.approx(made.curves[0].x)
    assert table[2].values == pytest.approx(made.curves[0].y)
    pane, made = shown(run, "spectrum")
    table = diagram_table(pane, made)
    assert [c.name for c in table] == ["Frequency", "D angle"]
    # an axis may show powers of ten, the table has the numbers themselves
    logged = diagram_table(replace(pane, log=True), made)
    assert np.log10(logged[1].values) == pytest.approx(made.curves[0].y)
    short = Recorded(
        ms.simulate(ms.load(sample_folder() / "four_bar.mech"), duration=1.0, sample_step=0.01)
    )
    pane, made = shown(run, "over", kept=[ShownRun("kept/1", "before", "", 3, 1, short)])
    table = diagram_table(pane, made)
    assert [c.name for c in table][2::3] == ["D angle", "D angle (before)"]
    assert [c.name for c in table][3] == "time: D angle (before)"
    assert len({len(c.values) for c in table}) == 1 and np.isnan(table[-1].values[-1])
