"""A drawing packed by its dialog and opened again in another folder, in the real window."""

import shutil

import pytest
from PySide6 import QtWidgets


def said(studio):
    return " ".join(m.text for m in studio.notifications.messages)


@pytest.mark.slow
def test_a_pack_is_made_and_opened_with_its_runs(solved_four_bar, qtbot, tmp_path):
    window = solved_four_bar
    studio = window.studio
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.playback.complete and len(studio.runs.kept.runs) > 0)
    studio.runs.playback.pause()
    assert studio.files.save(studio.document.path)
    folder = tmp_path / "four_bar.runs"
    qtbot.waitUntil(lambda: any(folder.glob("*.json")))
    drawn = studio.document.project
    window.actions_.trigger("export_pack")
    dialog = window.findChild(QtWidgets.QFileDialog, "export_zip")
    assert dialog.selectedFiles()[0].endswith("four_bar.zip")
    target = tmp_path / "mail" / "four_bar.zip"
    target.parent.mkdir()
    dialog.fileSelected.emit(str(target))
    dialog.close()
    qtbot.waitUntil(lambda: "four_bar.zip is saved" in said(studio))
    shutil.rmtree(folder)
    studio.files.opening.start(target)
    qtbot.waitUntil(lambda: studio.document.path == str(tmp_path / "mail/four_bar/four_bar.mech"))
    assert studio.document.project == drawn
    assert "is laid out in the folder four_bar" in said(studio)
    qtbot.waitUntil(lambda: len(studio.runs.kept.runs) == 1)


def test_a_pack_that_is_none_leaves_all_as_it_is(window, qtbot, tmp_path):
    studio = window.studio
    before = studio.document.project
    (tmp_path / "a.zip").write_bytes(b"PK no")
    assert not studio.files.open(tmp_path / "a.zip")
    assert studio.document.project is before and "a.zip is no pack, or damaged" in said(studio)
    assert {"a.zip", "four_bar.mech"} >= {p.name for p in tmp_path.glob("*.*")}
