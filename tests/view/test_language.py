"""The window in a language made up for the test: no English word is left outside its brackets."""

import re
from collections.abc import Iterator

import pytest
from PySide6 import QtGui, QtWidgets

from mechstudio import translation
from mechstudio.translation import FOLDER
from tests.test_translation import brackets, english, unbracketed  # noqa: F401
from tests.view.conftest import settle
from tests.view.standin import NOTE

# letters of keys, formats, units and the buttons that Qt makes are no words of ours
KEYS = "Ctrl Shift Alt Num Del Esc Ins Space Left Right Home End Return Tab PgUp PgDown"
PLAIN = {*KEYS.split(), "CSV", "PNG", "SVG", "Float", "Close", "rad", "deg", "inch", "lbf"}
# what the drawing itself calls its parts, and the name of the program
DRAWN = {"Four", "four", "bar", "four_bar", "mech", "mechstudio", "omega"}

# pyqtgraph's, and the sentences of the stand-in for the solver, which no engine wrote
FOREIGN = {"Export...", "Export", NOTE.message, NOTE.cure}


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
def foreign(brackets, english, monkeypatch, make_window, four_bar, qapp):
    monkeypatch.setenv(FOLDER, str(brackets))
    translation.use("xx")
    window = make_window(four_bar)
    settle(qapp)
    return window


def english_left(window) -> list[tuple[str, str]]:
    """Texts of the window with words outside all brackets, with where they stand."""
    known = PLAIN | DRAWN | own_words(window.studio.document.project)
    out = []
    for where, text in texts_of(window):
        # what is cut to its room stands whole in its tip; pyqtgraph's menus are never opened
        if where == "_Words.text" or text in FOREIGN:
            continue
        plain = re.sub(r"<[^>]*>|&", "", text)
        if set(unbracketed(plain)) - known:
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
