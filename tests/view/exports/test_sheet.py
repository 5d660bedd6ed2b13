"""The export sheet in the real window: opened by its key, every page, a film from the click on Save
to the file, stopped, closed and outdated in the middle.
"""

import time
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.films.film import RUN, STRETCH, TURN, Film
from mechstudio.application.plots.layout import split
from mechstudio.files import project_file
from mechstudio.model.edits import elements
from mechstudio.model.equations.report import listed_chapters
from mechstudio.view.actions import file
from mechstudio.view.exports import movie
from mechstudio.view.exports.movie_preview import Screen
from mechstudio.view.exports.rows import KINDS
from mechstudio.view.scene.rendering.renderer import Renderer

Qt = QtCore.Qt


@pytest.fixture
def window(solved_four_bar):
    return solved_four_bar


@pytest.fixture
def place(tmp_path):
    """An empty folder for what is written."""
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


@pytest.fixture
def sheet(window, qtbot, place):
    """The sheet over a window whose drawing has run."""
    studio = window.studio
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.finished)
    window.film, window.export_kind = Film(width=160, height=90, fps=10), "movie"
    QTest.keyClick(
        window,
        Qt.Key.Key_E,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert window.exports is not None
    window.exports._folder = place
    yield window.exports
    if window.exports is not None:
        window.exports.leave()
    studio.notifications.leave(())
    window.film = None


def click(button):
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def ready(sheet, qtbot):
    qtbot.waitUntil(lambda: not sheet.page.state.problem)


def repainted(window):
    """An edit of the drawing."""
    document = window.studio.document
    color = (document.project.mechanism.bodies["coupler"].color + 1) % 5
    document.commit("Colour", elements.set_attribute(document.project, "coupler", color=color))


def messages(window) -> list[str]:
    return [m.text for m in window.studio.notifications.messages]


def test_a_film_goes_from_a_click_to_a_file_that_can_be_opened(window, qtbot, sheet, place):
    ready(sheet, qtbot)
    qtbot.waitUntil(lambda: sheet.page.player.picture._image is not None)
    assert sheet.saver.text() == "Save movie" and sheet.leaver.text() == "Close"
    path = sheet.path
    click(sheet.saver)
    assert sheet.leaver.text() == "Stop" and not sheet.saver.isEnabled()
    assert sheet.leaver.hasFocus(), "the keys stay with the buttons"
    qtbot.waitUntil(path.exists)
    qtbot.waitUntil(lambda: sheet.leaver.text() == "Close")
    image = Image.open(path)
    assert image.size == (160, 90) and image.n_frames == len(sheet.page.plan().times)
    assert sheet.opener.isVisible() and sheet.shower.isVisible()
    (message,) = [m for m in window.studio.notifications.messages if m.key == "export"]
    assert [word for word, _ in message.buttons] == ["Open", "Show in folder"]
    # what was saved is that of the drawing as it was
    repainted(window)
    qtbot.waitUntil(lambda: not sheet.opener.isVisible())


@pytest.mark.parametrize("format", ["gif", "mp4"])
@pytest.mark.thinned(2)
def test_a_turn_of_the_window_draws_one_picture_of_a_film_at_most(
    window, qtbot, sheet, monkeypatch, format
):
    """From the click on Save to the file, those of a GIF's palette among them.  No turn computes
    for 100 ms beside its picture, whatever the load of the machine; how long a picture takes is
    the graphics card's matter, or of the software that stands in for one.
    """
    sheet.page.choose(format=format, width=960, height=540, plots=True, equation=True)
    if format == "mp4":
        pytest.importorskip("imageio_ffmpeg")
    ready(sheet, qtbot)
    qtbot.waitUntil(lambda: sheet.page.player.picture._image is not None)
    qtbot.wait(300)
    drawn, drawing, turns = [0], [0.0], []
    picture = Renderer.picture

    def counted(*arguments):
        drawn[0] += 1
        begun = time.process_time()
        found = picture(*arguments)
        drawing[0] += time.process_time() - begun
        return found

    def turn():
        turns.append((drawn[0], time.process_time() - drawing[0]))

    monkeypatch.setattr(Renderer, "picture", counted)
    clock = QtCore.QTimer(interval=1, timerType=Qt.TimerType.PreciseTimer)
    clock.timeout.connect(turn)
    clock.start()
    qtbot.waitUntil(lambda: len(turns) > 3)
    turns[:-1] = []
    path = sheet.path
    click(sheet.saver)
    qtbot.waitUntil(path.exists, timeout=60_000)
    qtbot.waitUntil(lambda: sheet.leaver.text() == "Close")
    clock.stop()
    pictures, seconds = np.diff(np.array(turns), axis=0).T
    frames = len(sheet.page.plan().times)
    # one to warm the stage, and for the palette of a GIF
    assert drawn[0] >= frames + (7 if format == "gif" else 1)
    assert pictures.max() == 1
    print(f"{format}: at most {1e3 * seconds.max():.0f} ms of computing beside a picture")
    assert seconds.max() < 0.1


@pytest.mark.parametrize("how", ["button", "escape", "drawing", "sheet"])
@pytest.mark.thinned(4)
def test_a_film_that_is_given_up_leaves_nothing(window, qtbot, sheet, place, how):
    sheet.page.choose(range=RUN, fps=50.0)
    ready(sheet, qtbot)
    click(sheet.saver)
    page = sheet.page
    qtbot.waitUntil(lambda: page._making is not None and page._making.drawn > 3)
    if how == "button":
        click(sheet.leaver)
    elif how == "escape":
        QTest.keyClick(sheet, Qt.Key.Key_Escape)
    elif how == "drawing":
        repainted(window)
    else:
        sheet.leave()
    assert page._making is None and not list(place.iterdir())
    assert (window.exports is None) == (how == "sheet")
    assert ("no film was written" in " ".join(messages(window))) == (how == "drawing")
    if how in ("button", "escape"):
        assert sheet.saver.isEnabled()
        QTest.keyClick(sheet, Qt.Key.Key_Escape)
        assert window.exports is None


def test_a_run_without_a_turn_is_shown_whole(window, qtbot, sheet, monkeypatch):
    monkeypatch.setattr(movie, "find_cycle", lambda recording: None)
    page = sheet.page
    qtbot.waitUntil(lambda: page._looking is None)
    page._looked = page._cycle = None
    page.refresh()
    ready(sheet, qtbot)
    assert page.film.range == RUN and page.range.button(RUN).isChecked()
    assert sheet.saver.isEnabled()
    click(page.range.button(TURN))
    assert "do not come back" in page.range_note.text(), "the note says why not"
    assert page.film.range == TURN


def test_times_that_show_nothing_are_refused_in_words(window, qtbot, sheet):
    sheet.page.choose(range=STRETCH, first=2.0, last=3.0)
    ready(sheet, qtbot)
    sheet.page.choose(last=99.0)
    assert "not from 2 s to 99 s" in sheet.page.range_note.text()
    assert not sheet.saver.isEnabled()
    sheet.page.last.edit.setText("no")
    sheet.page.last.edit.editingFinished.emit()
    assert sheet.page.last.property("wrong") and sheet.page.film.last == 99.0


def test_a_missing_folder_is_reported_and_the_sheet_stays(window, qtbot, sheet, place):
    ready(sheet, qtbot)
    sheet._folder = place / "none"
    click(sheet.saver)
    assert "does not exist" in " ".join(messages(window))
    assert sheet.page.state.progress is None and sheet.saver.isEnabled()


def test_every_page_opens_and_names_its_file(window, qtbot, sheet):
    endings = {}
    for key in KINDS:
        click(sheet.rows[key])
        assert sheet.key == key
        endings[key] = sheet.path.suffix
        assert sheet.saver.text().startswith("Save")
    assert endings["data"] == ".csv" and endings["report"] == ".pdf"
    assert endings["equations"] == ".tex" and endings["movie"] == ".gif"


def test_data_are_written_and_the_sheet_says_so(window, qtbot, sheet, place):
    click(sheet.rows["data"])
    click(sheet.saver)
    qtbot.waitUntil(lambda: sheet.opener.isVisible())
    assert Path(sheet.path).read_text("utf-8").startswith("time [s],")
    page = sheet.page
    assert page.table.horizontalHeaderItem(0).text() == "time [s]"
    click(page.format.button(".png"))
    assert sheet.path.suffix == ".png" and page.screen._image is not None
    click(sheet.saver)
    qtbot.waitUntil(lambda: sheet.path.exists() and sheet.opener.isVisible())
    saved, seen = Image.open(sheet.path).size, page.screen._image.size()
    assert saved[0] / saved[1] == pytest.approx(seen.width() / seen.height(), rel=1e-3)


def test_a_picture_is_what_the_preview_shows_at_its_size(window, qtbot, sheet, place):
    click(sheet.rows["picture"])
    page = sheet.page
    qtbot.waitUntil(lambda: page.screen._image is not None)
    page.wide.edit.setText("400")
    page.wide.edit.editingFinished.emit()
    page.tall.edit.setText("300")
    page.tall.edit.editingFinished.emit()
    click(page.ticks["transparent"])
    click(sheet.saver)
    qtbot.waitUntil(lambda: sheet.opener.isVisible())
    image = Image.open(sheet.path)
    assert image.size == (400, 300) and image.convert("RGBA").getpixel((2, 2))[3] == 0
    assert image.convert("RGBA").getextrema()[3] == (0, 255)
    click(page.copy)
    assert QtGui.QGuiApplication.clipboard().image().size() == QtCore.QSize(400, 300)


@pytest.mark.parametrize(
    ("kind", "ending"), [("diagram", ".svg"), ("diagram", ".pdf"), ("sheet", ".pdf")]
)
@pytest.mark.thinned(3)
def test_drawings_are_written_in_their_formats(window, qtbot, sheet, kind, ending):
    click(sheet.rows["picture"])
    page = sheet.page
    click(page.what.button(kind))
    click(page.format.button(ending))
    assert sheet.path.suffix == ending
    click(sheet.saver)
    qtbot.waitUntil(lambda: sheet.opener.isVisible())
    heads = {".svg": b"<svg", ".pdf": b"%PDF"}
    assert sheet.path.read_bytes().startswith(heads[ending])


def test_a_model_goes_to_another_program(window, qtbot, sheet):
    click(sheet.rows["model"])
    # what cannot go along is reported before anything is written
    qtbot.waitUntil(lambda: "soft equality constraint" in sheet.page.notes.text())
    sheet.page._choose("gltf")
    qtbot.waitUntil(lambda: "Joints, springs and forces" in sheet.page.notes.text())
    assert not sheet.path.exists()
    sheet.page._choose("mjcf")
    click(sheet.saver)
    qtbot.waitUntil(lambda: sheet.opener.isVisible())
    assert b"<mujoco" in sheet.path.read_bytes()


def test_an_fmu_stands_among_the_models_and_contacts_are_said_before(window, qtbot, sheet):
    click(sheet.rows["model"])
    page, document = sheet.page, window.studio.document
    offered = page.choice.keys()
    assert {"fmu", "modelica"} < set(offered) and offered[0] == "mjcf"
    page._choose("modelica")
    qtbot.waitUntil(lambda: "parameters and the start of the drawing" in page.notes.text())
    assert sheet.saver.isEnabled() and sheet.path.suffix == ".mo"
    assert page.cannot.text().startswith("This format cannot hold: Contacts, stops")
    click(sheet.saver)
    qtbot.waitUntil(lambda: sheet.path.exists() and sheet.opener.isVisible(), timeout=60000)
    assert sheet.path.read_text("utf-8").startswith("model ")
    mechanism = document.project.mechanism
    touching = msgspec.structs.replace(mechanism.contacts, enabled=True)
    document.commit(
        "Contacts",
        msgspec.structs.replace(
            document.project, mechanism=msgspec.structs.replace(mechanism, contacts=touching)
        ),
    )
    page._choose("fmu")
    qtbot.waitUntil(lambda: "notebooks cannot hold contacts. Turn them off" in page.notes.text())
    assert not sheet.saver.isEnabled() and sheet.path.suffix == ".fmu"
    # a notebook is an export of equations under the same rule
    click(sheet.rows["equations"])
    page = sheet.page
    assert not {"fmu", "modelica"} & set(page.choice.keys())
    assert sheet.saver.isEnabled() and not page.cannot.isVisible()
    page._choose("notebook")
    assert not sheet.saver.isEnabled() and "cannot hold contacts" in page.cannot.text()
    document.undo()
    assert sheet.saver.isEnabled() and not page.cannot.isVisible()


def test_the_report_shows_its_pages_and_follows_what_is_ticked(window, qtbot, sheet):
    click(sheet.rows["report"])
    page = sheet.page
    qtbot.waitUntil(lambda: len(page._sheets) > 0)
    assert page.where.text().startswith("Page 1 of")
    before = page._sheets
    for k in range(page.list.count()):
        page.list.item(k).setCheckState(Qt.CheckState.Unchecked)
    assert not sheet.saver.isEnabled() and page.state.problem == "Tick a chapter."
    page.list.item(0).setCheckState(Qt.CheckState.Checked)
    qtbot.waitUntil(lambda: page._sheets is not before and len(page._sheets) == 1)
    click(sheet.saver)
    qtbot.waitUntil(lambda: sheet.opener.isVisible())
    assert sheet.path.read_bytes().startswith(b"%PDF")
    # in HTML the mechanism moves
    click(page.segment.button("report-html"))
    click(sheet.saver)
    assert page.state.progress is not None
    qtbot.waitUntil(lambda: sheet.path.exists() and sheet.opener.isVisible(), timeout=60000)
    text = sheet.path.read_text("utf-8")
    assert '<figure class="moving">' in text and "One cycle of 0.6536 s" in text


def test_chapters_are_kept_in_the_project_undone_and_reopened(window, qtbot, sheet, place):
    click(sheet.rows["report"])
    page, document = sheet.page, window.studio.document
    runs = window.studio.runs
    usual = page._listed()
    page.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert document.undo_label == "Chapters of the report"
    page.list.insertItem(2, page.list.takeItem(0))  # as a drag moves it
    page._chosen()
    requested = page._listed()
    click(page.papers.button("us-letter"))
    assert requested != usual and document.project.report.paper == "us-letter"
    assert not runs.recording.stale  # what is reported of a run leaves it as it is
    project_file.save(place / "kept.mech", document.project, None)
    assert listed_chapters(project_file.load(place / "kept.mech").project) == requested
    for _ in range(3):
        document.go_to(document.history[1] - 1)
    assert page._listed() == usual and page.papers.button("a4").isChecked()
    document.redo()
    assert not page._listed()[0][1]
    document.go_to(document.history[1] - 1)


@pytest.mark.slow
def test_list_of_exports_is_a_menu_at_twice_the_text_size_and_nothing_is_cut(window, qtbot, sheet):
    assert sheet._left.isVisible() and not sheet.kinds.isVisible()
    size = window.size()
    window.resize(1280, 800)
    window.theme.set_scale(2.0)
    try:
        qtbot.waitUntil(lambda: sheet.kinds.isVisible() and not sheet._left.isVisible())
        for key in KINDS:
            sheet.kinds.choose(key)
            assert sheet.key == key
            qtbot.wait(50)
            for button in (sheet.saver, sheet.leaver, sheet.change):
                right = button.mapTo(window, button.rect().bottomRight())
                assert window.rect().contains(right), (key, button.text())
    finally:
        window.theme.set_scale(1.0)
        window.resize(size)
    qtbot.waitUntil(lambda: sheet._left.isVisible())


def test_without_a_run_the_sheet_offers_to_run(window, qtbot, place):
    window.export_kind, window.film = "movie", Film(width=160, height=90, fps=10)
    window.actions_.trigger(file.export)
    sheet = window.exports
    sheet._folder = place
    assert "run the drawing first" in sheet.page.state.problem and not sheet.saver.isEnabled()
    qtbot.waitUntil(lambda: "run the drawing first" in sheet.page.player.picture._words)
    click(sheet.page.run_button)
    ready(sheet, qtbot)
    assert not sheet.page.run_button.isVisible() and sheet.saver.isEnabled()
    sheet.leave()
    window.film = None


def test_the_sheet_opens_in_the_moment_of_an_edit_of_the_panes(window):
    document, window.export_kind = window.studio.document, "movie"
    project, id = split(document.project, "", "right")
    document.commit("New pane", project)
    window.actions_.trigger(file.export)
    assert window.exports.isVisible()
    assert id in [pane.id for pane, _ in window.docks.plots_panel.all_shown()]
    window.exports.leave()


def test_without_a_drawing_there_is_nothing_to_export(empty):
    assert empty.actions_.by_id["export"].isEnabled() is False
    assert not empty.findChildren(QtWidgets.QWidget, "kind")
    assert file.export.keys == ("Ctrl+Shift+E",)


def test_the_keys_begin_at_the_kind_that_is_shown(sheet):
    assert QtWidgets.QApplication.focusWidget() is sheet.rows[sheet.key]


def test_the_ring_of_the_keys_follows_a_click(sheet):
    click(sheet.rows["data"])
    assert sheet.key == "data" and sheet.rows["data"].hasFocus()


def test_letters_of_an_equation_are_not_enlarged(theme, qtbot):
    screen = Screen(theme)
    qtbot.addWidget(screen)
    screen.enlarges = False
    screen.resize(640, 360)
    image = QtGui.QImage(40, 20, QtGui.QImage.Format.Format_RGB32)
    image.fill("red")
    screen.show_image(image)
    shown = screen.grab().toImage()
    red = QtGui.QColor("red")
    drawn = [
        (x, y)
        for x in range(shown.width())
        for y in range(shown.height())
        if shown.pixelColor(x, y) == red
    ]
    assert len(drawn) == 40 * 20 * shown.devicePixelRatio() ** 2


@pytest.mark.parametrize("key", ["movie", "picture", "data", "report", "equations", "model"])
def test_the_dialog_of_the_file_offers_every_format_and_the_page_follows(sheet, tmp_path, key):
    sheet.choose(key)
    if key == "picture":
        sheet.page._choose_kind("diagram")  # the view itself is a PNG only
    first = sheet.page.suffix
    click(sheet.change)
    dialog = sheet.dialog
    filters, kinds = dialog.nameFilters(), sheet.page.kinds
    assert filters == list(kinds) and len(kinds) > 1 and kinds[filters[0]] == first
    dialog.reject()
    for filter, suffix in list(kinds.items())[::-1]:
        click(sheet.change)
        sheet.dialog.fileSelected.emit(str(tmp_path / f"other{suffix}"))
        sheet.dialog.reject()
        assert sheet.page.suffix == suffix, filter
        assert sheet.path == tmp_path / f"other{suffix}" and sheet.name.text() == sheet.path.name
    # a name without a known ending keeps the present one
    click(sheet.change)
    sheet.dialog.fileSelected.emit(str(tmp_path / "plain"))
    sheet.dialog.reject()
    assert sheet.path == tmp_path / f"plain{first}"
