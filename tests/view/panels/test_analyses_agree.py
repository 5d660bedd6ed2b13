"""Every analysis by its three ways: mechstudio analyse --json, ms.analyse and the panel's table
hold the same figures.
"""

import json

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.cli import main
from mechstudio.model.types.analyses import ANALYSES
from mechstudio.model.units import format_number, unit
from tests.view.plots.test_columns_to_plots import found
from tests.view.plots.test_plot_choice import short  # noqa: F401

MACHINE = ("processor time",)  # columns that are another at each time
MOTION = ("A", "20 deg*sin(3 rad/s*t)")
# options of each, in Python, in the terminal, and by a selection or a field in the window;
# all of them read at 50 ms where they read an instant
REPORTED = {
    "reactions": ({"joints": ["B"]}, ["--joints", "B"], "B"),
    "kinematics": ({"frames": ["rocker"]}, ["--frame", "rocker"], "rocker"),
    "relative": (
        {"frames": ["coupler"], "seen_from": "crank"},
        ["--frame", "coupler", "--from", "crank"],
        "coupler",
    ),
    "torsors": (
        {"bodies": ["coupler"], "axes": "world"},
        ["--bodies", "coupler", "--axes", "world"],
        "coupler",
    ),
    "inverse": ({"motion": dict([MOTION])}, ["--motion", "=".join(MOTION)], ""),
}


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    "what", [pytest.param(a, marks=pytest.mark.slow) if a == "equilibria" else a for a in ANALYSES]
)
@pytest.mark.thinned(5)
def test_three_ways_one_table(what, short, qtbot, tmp_path, capsys):
    studio = short.studio
    python, terminal, selected = REPORTED.get(what, ({}, [], ""))
    studio.selection.select(*([selected] if selected else []))
    studio.runs.playback.seek(0.05)
    if ANALYSES[what].at_cursor:
        python, terminal = (
            {**python, "time": studio.runs.playback.time},
            [*terminal, "--time", repr(studio.runs.playback.time)],
        )
    panel = short.docks.analyses
    panel.seen_from = python.get("seen_from", "ground")
    panel = found(short, qtbot, what, motion=" = ".join(MOTION) if what == "inverse" else "")
    project, window = studio.document.project, studio.questions.analyses.result
    panel.motion.setText("")
    studio.selection.select()
    table = ms.analyse(project, what, **python)
    ms.save(project, tmp_path / "a.mech")
    assert (
        main.main(["analyse", str(tmp_path / "a.mech"), "--what", what, *terminal, "--json"]) == 0
    )
    said = json.loads(capsys.readouterr().out)
    assert (
        (said["what"], said["columns"])
        == (what, list(window.columns))
        == (table.what, table.columns)
    )
    rows = np.frombuffer(window.rows).reshape(table.rows.shape).copy()
    for of in (rows, table.rows, from_rows := np.array(said["rows"], object)):
        of[:, [c for c, name in enumerate(table.columns) if name in MACHINE]] = 0.0
    said["rows"] = from_rows.tolist()
    from_terminal = np.array(
        [[np.nan if x is None else x for x in row] for row in said["rows"]], float
    ).reshape(table.rows.shape)
    # the file holds shortest decimals of every number, so that nothing is lost on the way
    np.testing.assert_array_equal(rows, table.rows)
    np.testing.assert_array_equal(
        from_terminal, np.where(np.isfinite(table.rows), table.rows, np.nan)
    )
    assert said["residual"] == window.residual == table.residual
    assert (
        said.get("labels")
        == (None if window.labels is None else list(window.labels))
        == table.labels
    )
    assert tuple(said.get("notes", ())) == window.notes == table.notes
    # what the table shows is that in the user's units
    for r, c in ((0, 0), (len(rows) - 1, rows.shape[1] - 1), (len(rows) // 2, rows.shape[1] // 2)):
        if table.columns[c] in MACHINE:
            continue
        largest = max(
            np.nanmax(np.abs(rows[:, k]), initial=0.0)
            for k in range(rows.shape[1])
            if table.dimensions[k] == table.dimensions[c]
        )
        counts = ANALYSES[what].minute or not abs(rows[r, c]) < 1e-13 * largest
        x = rows[r, c] if counts else 0.0
        expected = (
            format_number(x / unit(table.dimensions[c], studio.preferences.units).factor, 5)
            if np.isfinite(x)
            else "–"
        )
        assert panel.table.item(r, c).text() == expected
