"""The window in a language made up for the test, which has no Latin letters: no English word is
left, not even inside a sentence.
"""

import re
import shutil
from collections.abc import Iterator
from types import SimpleNamespace

import msgspec
import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from shiboken6 import isValid

from mechstudio import translation
from mechstudio.application.actions.registry import by_id
from mechstudio.application.help.pages import Topic
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.main import Program, make_window
from mechstudio.translation import FOLDER, LANGUAGES
from mechstudio.view.actions.help import action_entry
from mechstudio.view.dialogs.palette import score
from tests.house.test_translation import english, latin, masked, masked_text  # noqa: F401
from tests.view.conftest import settle
from tests.view.standin import NOTE

Qt = QtCore.Qt
# letters of keys, formats, units and the buttons that Qt makes are no words of ours
KEYS = "Ctrl Shift Alt Num Del Esc Ins Space Left Right Home End Return Tab PgUp PgDown"
PLAIN = {*KEYS.split(), "CSV", "PNG", "SVG", "Float", "Close", "rad", "deg", "inch", "lbf"}
# what the drawing itself calls its parts, and the name of the program
DRAWN = {"Four", "four", "bar", "four_bar", "mech", "mechstudio", "omega"}

# names of languages, pyqtgraph's, and the sentences of the stand-in for the solver, which no engine
FOREIGN = {"Export...", "Export", NOTE.message, NOTE.cure, *LANGUAGES.values()}


def texts_of(top: QtWidgets.QWidget) -> Iterator[tuple[str, str]]:
    """Every text of a widget and what is in it, with the kind of widget that has it."""
    for w in [top, *top.findChildren(QtWidgets.QWidget)]:
        kind = type(w).__name__
        if isinstance(w, QtWidgets.QLabel | QtWidgets.QAbstractButton):
            yield f"{kind}.text", w.text()
        if isinstance(w, QtWidgets.QLineEdit):
            yield f"{kind}.placeholder", w.placeholderText()
        if isinstance(w, QtWidgets.QTreeWidget):
            for k in range(w.columnCount()):
                yield f"{kind}.head", w.headerItem().text(k)
        yield f"{kind}.tip", w.toolTip()
        yield f"{kind}.name", w.accessibleName()
    for a in top.findChildren(QtGui.QAction):
        yield "action.text", a.text()
        yield "action.tip", a.toolTip()


def own_words(project) -> set[str]:
    """Words of names and texts that a drawing brings along."""
    m = project.mechanism
    said = [project.lesson.title, project.lesson.text, *project.lesson.questions, project.note]
    for table in (m.bodies, m.joints, m.forces, m.drives, m.couplings):
        said += [e.name for e in table.values()]
    said += [m.ground.name, *project.parameters]
    said += [p.note for p in project.parameters.values()]
    said += [p.title for p in project.plots]
    return {word for text in said for word in re.findall(r"[^\W\d_]{3,}", text)}


@pytest.fixture
def foreign(masked, english, monkeypatch, make_window, four_bar, qapp):
    monkeypatch.setenv(FOLDER, str(masked))
    translation.use("xx")
    window = make_window(four_bar)
    settle(qapp)
    return window


def english_left(window) -> list[tuple[str, str]]:
    """Texts of the window with English words, with where they stand."""
    known = PLAIN | DRAWN | own_words(window.studio.document.project)
    out = []
    for where, text in texts_of(window):
        # what is cut to its room stands whole in its tip; pyqtgraph's menus are never opened
        if where == "_Words.text" or text in FOREIGN:
            continue
        plain = re.sub(r"<[^>]*>|&", "", text)
        if set(latin(plain)) - known:
            out.append((where, text))
    return list(dict.fromkeys(out))


def test_the_window_shows_no_unmarked_word(foreign, qapp):
    """Workspaces, the inspector and sheets, and a planted word that must be found."""
    found = {}

    def look(place):
        settle(qapp)
        if left := english_left(foreign):
            found[place] = left

    for workspace in ("build", "analyse", "explain"):
        foreign.set_workspace(workspace)
        look(workspace)
    for selected in ("crank", "A", ""):
        foreign.studio.selection.select(*([selected] if selected else []))
        look(f"selected {selected}")
    for action in ("preferences", "shortcuts", "palette", "about"):
        foreign.actions_.trigger(action)
        look(action)
        foreign.sheet.close_sheet()
    assert found == {}
    foreign.docks.tree.setToolTip("planted words")
    assert english_left(foreign) == [("ModelTree.tip", "planted words")]


# numbers

POINT = re.compile(r"\d\.\d")


@pytest.fixture
def painted(monkeypatch) -> list[str]:
    """Texts that are painted rather than put into a label."""
    texts: list[str] = []
    draw = QtGui.QPainter.drawText

    def noted(painter, *arguments):
        texts.extend(a for a in arguments if isinstance(a, str))
        return draw(painter, *arguments)

    monkeypatch.setattr(QtGui.QPainter, "drawText", noted)
    return texts


@pytest.fixture
def french(english, make_window, four_bar, painted, qapp, qtbot):
    translation.use("fr")
    window = make_window(four_bar)
    window.studio.runs.simulate()
    qtbot.waitUntil(lambda: window.studio.runs.recording.finished)
    settle(qapp)
    return window


def test_numbers_of_the_french_window_have_a_comma(french, painted, qapp):
    shown = list[str]()
    m = french.studio.document.project.mechanism
    for workspace in ("build", "analyse", "explain"):
        french.set_workspace(workspace)
        for id in ("", *m.bodies, *m.joints, *m.drives, *m.forces):
            french.studio.selection.select(*([id] if id else []))
            settle(qapp)
            shown += [text for _, text in texts_of(french)]
            shown += [field.text() for field in french.findChildren(QtWidgets.QLineEdit)]
    numbers = [text for text in (*shown, *painted) if re.search(r"\d,\d", text)]
    assert len(set(numbers)) > 20, "nothing was looked at"
    # versions and names of files are no numbers
    wrong = {t for t in (*shown, *painted) if POINT.search(t) and not re.search(r"\d\.\d+\.\d", t)}
    assert wrong == set()


# another language in the running window


def with_note(project, note: str):
    return msgspec.structs.replace(project, note=note)


def whole(window) -> set[str]:
    """All texts of a window."""
    return {text for _, text in texts_of(window) if text}


@pytest.fixture
def program(masked, english, monkeypatch, qapp, theme, qtbot, four_bar):
    """The program with a drawing that was edited and run, where French has no Latin letters."""
    shutil.copytree(masked / "xx", masked / "fr", dirs_exist_ok=True)
    monkeypatch.setenv(FOLDER, str(masked))
    translation.use("en")
    studio = Studio(Preferences())
    assert studio.files.open(four_bar)
    running = Program(qapp, make_window(qapp, studio, theme))
    with qtbot.waitSignal(running.window.ready, timeout=20_000):
        running.window.show()
    yield running
    running.window.leave()
    running.window.deleteLater()
    settle(qapp)


def another_window(program, before, qtbot):
    """Wait until the window of the other language stands and its panels are filled."""
    # checked as a state: the signal may have come before the wait for it
    qtbot.waitUntil(lambda: program.window is not before and program.window.has_begun)


def test_another_language_is_shown_without_a_restart(program, qapp, qtbot):
    """History, run, time, selection and unsaved changes stay; all words are others, there and
    back.
    """
    before = program.window
    studio = before.studio
    studio.document.commit("omega", with_note(studio.document.project, "held"))
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.finished)
    studio.runs.playback.seek(1.5)
    studio.selection.select("A")
    poses = studio.runs.poses.copy()
    before.set_workspace("analyse")
    before.docks.show_lesson(True)
    before.docks.hide("doctor")
    before.actions_.trigger("preferences")
    segment = before.sheet.language
    qtbot.mouseClick(segment.button("fr"), Qt.MouseButton.LeftButton)
    another_window(program, before, qtbot)
    after = program.window
    settle(qapp)
    assert not isValid(before)
    now = after.studio
    assert (translation.language(), after.workspace) == ("fr", "analyse")
    assert now.document.history == (["Open", "omega"], 1) and now.document.is_modified
    assert now.document.project is studio.document.project
    assert now.document.path == studio.document.path
    assert now.runs.recording is studio.runs.recording and now.runs.playback.time == 1.5
    assert (now.runs.poses == poses).all()
    assert list(now.selection.selected) == ["A"]
    assert after.docks.shows_lesson and after.docks.by_key["lesson"].isVisible()
    assert not after.docks.by_key["doctor"].isVisible() and after.docks.hidden == {"doctor"}
    assert [run.remark for run in now.runs.kept.runs] == [masked_text(now.runs.kept.runs[0].note)]
    assert after.sheet.isVisible() and after.sheet.language.button("fr").isChecked()
    after.sheet.close_sheet()
    settle(qapp)
    assert {text for _, text in english_left(after)} <= {"Détacher", "Fermer"}  # Qt's own
    now.document.undo()
    assert now.document.history[1] == 0 and not now.document.is_modified
    now.preferences.set(language="en")
    another_window(program, after, qtbot)
    settle(qapp)
    assert not any("я" in text for text in whole(program.window))
    assert program.window.studio.document.history == (["Open", "omega"], 0)


@pytest.mark.slow
def test_a_class_goes_on_at_its_step(program, qapp, qtbot):
    """In front of a class, at the second step, another language is chosen."""
    before = program.window
    before.actions_.trigger("present")
    before.studio.lecture.go(1)
    id = before.studio.lecture.step.id
    before.studio.preferences.set(language="fr")
    another_window(program, before, qtbot)
    settle(qapp)
    assert program.window.presents and program.window.studio.lecture.step.id == id
    program.window.actions_.trigger("present")
    program.window.studio.preferences.set(language="en")
    qtbot.waitUntil(lambda: program.window.studio.preferences.stored.language == "en")
    settle(qapp)


@pytest.mark.slow
def test_a_dialog_of_files_does_not_lock_the_new_window(program, qapp, qtbot):
    before = program.window
    before.actions_.trigger("save_as")
    qtbot.waitUntil(lambda: any(d.isVisible() for d in before.findChildren(QtWidgets.QDialog)))
    before.studio.preferences.set(language="fr")
    another_window(program, before, qtbot)
    assert qapp.activeModalWidget() is None and program.window.isEnabled()


@pytest.mark.slow
def test_an_export_under_way_is_finished_before_the_switch(program, monkeypatch, qapp, qtbot):
    before = program.window
    exports = type(before.studio.questions.exports)
    working = [True]
    monkeypatch.setattr(exports, "is_working", property(lambda self: working[0]))
    before.studio.preferences.set(language="fr")
    settle(qapp)
    assert program.window is before and translation.language() == "en"
    assert "export is under way" in before.studio.notifications.messages[-1].text
    working[0] = False
    another_window(program, before, qtbot)
    assert translation.language() == "fr"


@pytest.mark.slow
def test_an_open_manual_is_read_on_in_the_other_language(program, monkeypatch, qapp, qtbot):
    monkeypatch.delenv(FOLDER)
    before = program.window
    before.actions_.trigger("manual")
    before.sheet.open_topic(Topic("contacts", "limits"))
    for code, heading, title in (
        ("fr", "Limites", "Accessibilité"),
        ("zh_CN", "限制", "无障碍"),
        ("en", "Limits", "Accessibility"),
    ):
        before = program.window
        before.studio.preferences.set(language=code)
        qtbot.waitUntil(
            lambda: program.window is not before and program.window.sheet is not None,
            timeout=20_000,
        )
        settle(qapp)
        sheet = program.window.sheet
        assert sheet.isVisible() and sheet.topic == Topic("contacts", "limits")
        assert heading in sheet.page.toPlainText().splitlines()
        assert sheet.page.heading == "limits" or sheet.page.verticalScrollBar().value() > 0
        assert title in [sheet.list.item(k).text() for k in range(sheet.list.count())]


def test_a_language_that_is_missing_is_reported(program, monkeypatch, qapp, tmp_path):
    before = program.window
    monkeypatch.setenv(FOLDER, str(tmp_path))
    before.studio.preferences.set(language="zh_CN")
    settle(qapp)
    assert program.window is before and translation.language() == "en"
    assert [m.text for m in before.studio.notifications.messages if m.key == "language"] == [
        "The words in 简体中文 are missing from this installation. Install mechstudio again to "
        "have them."
    ]


def test_actions_are_found_by_the_words_of_the_language(english):
    translation.use("fr")
    window = SimpleNamespace(studio=Studio(Preferences(kept=False)))
    entry = action_entry(window, by_id("draw_link"))
    assert score("bielle", entry) and score("rod", entry)
    window.studio.close()
