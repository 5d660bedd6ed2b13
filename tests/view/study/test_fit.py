"""Fit of measured data in the study page: columns, bounds, Cancel, the answer, Apply."""

import time

import numpy as np
import pytest
from PySide6 import QtCore
from PySide6.QtTest import QTest

import mechstudio as ms
from mechstudio.application.studies import report_chapter
from mechstudio.curves.tables import text
from mechstudio.studies.optimisation import result_table
from mechstudio.view.dialogs.measured_data import DataSheet
from mechstudio.view.dialogs.sheet import Sheet
from tests.studies.optimisation.test_fit import pendulum, recording
from tests.view.files import named
from tests.view.hands import click, type_into
from tests.view.study_hand import choose, open_study

Qt = QtCore.Qt
C, F = 0.02, 0.05  # of the pendulum that was recorded [SI]


@pytest.fixture
def page(make_window, qtbot, tmp_path):
    """A drawn pendulum whose frictions are wrong, and its recording beside it."""
    project = tmp_path / "pendulum.mech"
    ms.save(pendulum(0.15, 0.4), project)
    (tmp_path / "recording.csv").write_text(text(recording(name="phi")), encoding="utf-8")
    window = make_window(project, size=(1600, 900))
    page = open_study(window, qtbot)
    for name, low, high in (("c", "0 N·m·s/rad", "0.2 N·m·s/rad"), ("f", "0 N·m", "0.5 N·m")):
        choose(page.setup.plus_vary.menu(), name)
        for place, typed in enumerate((low, high)):
            qtbot.wait(5)
            type_into(page.setup.varied[name][place], typed)
        qtbot.wait(5)
    click(page.setup.way.button("fit"))
    qtbot.wait(10)
    return page


def take(page, qtbot, path):
    """Choose the file by the dialog, and say that its column is the angle."""
    window = page._window
    click(page.setup.data.choose)
    named(window, qtbot, path)
    qtbot.waitUntil(lambda: bool(window.findChildren(DataSheet)))
    sheet = page.setup.data.sheet
    qtbot.waitUntil(lambda: bool(sheet.columns), timeout=10_000)
    assert not sheet.lay.isEnabled() and "not compared" in sheet.notes[1].text()
    sheet.choices[1].choose("joint/A/0")
    click(sheet.lay)
    qtbot.waitUntil(lambda: not window.findChildren(Sheet))
    qtbot.wait(20)


def start(page, qtbot):
    click(page.progress.run)
    found = page._studio.studies.of(page.shown.id)
    assert found.is_working
    return found


def test_the_friction_of_a_recorded_pendulum_is_found_applied_and_undone(page, qtbot, tmp_path):
    studio = page._studio
    assert page.setup.count.text() == "Choose measured data."
    take(page, qtbot, tmp_path / "recording.csv")
    setup = page.shown.setup
    assert (setup.data, setup.clock) == ("recording.csv", "t [s]")
    assert [(c.column, c.channel) for c in setup.columns] == [("phi [deg]", "joint/A/0")]
    assert page.setup.wrong.text() == "" and page.setup.count.text() == "At most 2,000 runs"
    run = start(page, qtbot)
    qtbot.waitUntil(lambda: not run.is_working, timeout=120_000)
    assert run.state == "done", run.sentence
    c, f = run.fit.estimates
    for estimate, truth in ((c, C), (f, F)):
        assert abs(estimate.value - truth) < 3.0 * estimate.deviation
        assert 0.0 < estimate.deviation < 0.1 * truth
    # what the terminal says of the answer is what the page says
    found = ms.fit(
        studio.document.project,
        tmp_path / "recording.csv",
        {"c": "0..0.2 N·m·s/rad", "f": "0..0.5 N·m"},
        names={"phi": "A angle"},
        workers=1,
    )
    assert run.fit.estimates == found.estimates and run.fit.notes == found.notes
    sentences = "\n".join(page.fit_result.sentences)
    assert "95 % confidence" in sentences and "The data determines all 2 parameters." in sentences
    assert (
        f"{len(recording()[0].values)} points" in sentences
        and "Correlation of c and f −" in sentences
    )
    assert all(note in sentences for note in found.notes)
    (quantity,) = run.fit.quantities
    at = np.interp(quantity.data.times, quantity.run.times, quantity.run.values)
    assert at - quantity.data.values == pytest.approx(quantity.residuals, abs=1e-5)
    assert np.degrees(np.sqrt(np.mean(quantity.residuals**2))) == pytest.approx(0.2, rel=0.15)
    # the answer goes into a file, which is what the terminal writes
    click(page.fit_result.save)
    named(page._window, qtbot, tmp_path / "answer.csv")
    qtbot.waitUntil((tmp_path / "answer.csv").exists)
    qtbot.wait(20)
    units = studio.preferences.units
    expected = result_table.content(found, ".csv", units, "recording.csv")
    assert (tmp_path / "answer.csv").read_bytes() == expected
    (_, sentences), panels = report_chapter.rows(studio), report_chapter.pictures(studio)
    assert sentences[1] == f"{run.fit.runs:,}" and sentences[2].startswith(f"c = {c.value:.4g} ± ")
    assert sentences[3].startswith("A angle: ") and sentences[3].endswith("deg off (rms)")
    assert [line.name for line in panels[0].lines] == ["measured", "fitted"]
    before = studio.document.project
    click(page.fit_result.apply)
    now = studio.document.project.parameters
    assert (now["c"].value.value, now["f"].value.value) == pytest.approx((c.value, f.value))
    # the answer is that of the applied drawing too
    assert not studio.studies.is_outdated(page.shown.id) and page.progress.run.isHidden()
    studio.document.undo()
    assert studio.document.project is before
    # chosen points have not been run by it
    click(page.setup.way.button("points"))
    qtbot.wait(10)
    assert page.progress.count.text() == "Nothing was run yet" and page.setup.wrong.isHidden()
    click(page.setup.way.button("fit"))
    qtbot.wait(10)
    assert page.progress.count.text() == "Fitted"
    # what was chosen stands in the file; one that has gone is reported
    QTest.keyClick(page, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert not studio.document.is_modified
    kept = ms.load(tmp_path / "pendulum.mech").studies[0]
    assert kept == page.shown.setup
    (tmp_path / "recording.csv").unlink()
    page.setup.refresh(True)
    page.start()
    assert any("is not there any more" in m.text for m in studio.notifications.messages)
    assert not run.is_working


@pytest.mark.slow
def test_cancel_of_a_fit_is_at_once(page, qtbot, tmp_path):
    take(page, qtbot, tmp_path / "recording.csv")
    run = start(page, qtbot)
    qtbot.waitUntil(lambda: run.tried > 5, timeout=60_000)
    assert page.progress.pause.isHidden() and page.progress.cancel.isVisible()
    begun = time.monotonic()
    click(page.progress.cancel)
    assert time.monotonic() - begun < 1.0 and not run.is_working and run.fit is None
    assert "stopped" in page.progress.note.toolTip() + page.progress.note.text()
    assert page.progress.run.text() == "Fit" and page.progress.run.isVisible()
    QTest.qWait(20)


@pytest.mark.slow
def test_a_column_that_is_gone_is_reported(page, qtbot, tmp_path):
    path = tmp_path / "recording.csv"
    take(page, qtbot, path)
    path.write_text(path.read_text("utf-8").replace("phi", "psi"), encoding="utf-8")
    run = start(page, qtbot)
    qtbot.waitUntil(lambda: not run.is_working, timeout=60_000)
    assert run.state == "failed" and run.sentence == "The table has no column phi [deg]."


def test_a_quantity_is_compared_with_one_column(page, qtbot, tmp_path):
    """Two columns of one quantity would count it twice."""
    columns = recording(name="phi")
    path = tmp_path / "twice.csv"
    path.write_text(text([*columns, columns[1]._replace(name="psi")]), encoding="utf-8")
    page.setup.data._open(path, False)
    sheet = page.setup.data.sheet
    qtbot.waitUntil(lambda: len(sheet.choices) == 3)
    for k in (1, 2):
        sheet.choices[k].choose("joint/A/0")
    assert "Another column is that quantity already." in sheet.notes[2].text()
    click(sheet.lay)
    qtbot.wait(10)
    assert [c.column for c in page.shown.setup.columns] == ["phi [deg]"]


@pytest.mark.slow
def test_the_keys_stay_with_the_field_that_was_typed_into(page, qtbot, tmp_path):
    """The column is made again at every change, its fields with it."""
    take(page, qtbot, tmp_path / "recording.csv")
    first = page.setup.varied["c"][0]
    type_into(first, "0.001 N·m·s/rad")
    qtbot.wait(20)
    now = page.setup.varied["c"][0]
    assert now is not first and now.edit.hasFocus() and now.edit.text() == "0.001 N·m·s/rad"
