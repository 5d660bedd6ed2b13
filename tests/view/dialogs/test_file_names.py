"""Names of files that are typed where something is saved: the ending tells the format, and no file
has an ending that belongs to another format.
"""

import pytest
from PySide6 import QtCore, QtWidgets

from mechstudio.view.dialogs.files.chooser import ask_target
from tests.view.conftest import settle

KINDS = {"LaTeX (*.tex)": ".tex", "Python (*.py)": ".py", "MuJoCo (*.xml *.mjcf)": ".xml"}


@pytest.fixture(autouse=True)
def by_qt():
    """Dialogs of Qt: those of the system are out of reach."""
    QtCore.QCoreApplication.setAttribute(
        QtCore.Qt.ApplicationAttribute.AA_DontUseNativeDialogs, True
    )
    yield
    QtCore.QCoreApplication.setAttribute(
        QtCore.Qt.ApplicationAttribute.AA_DontUseNativeDialogs, False
    )


@pytest.fixture
def owner(qtbot):
    """A window that outlives its dialogs."""
    made = QtWidgets.QWidget()
    qtbot.addWidget(made)
    yield made
    for dialog in made.findChildren(QtWidgets.QFileDialog):
        dialog.reject()
    settle(QtWidgets.QApplication.instance())


def typed(dialog, path):
    """Type a name into a dialog and accept it."""
    dialog.findChild(QtWidgets.QLineEdit, "fileNameEdit").setText(str(path))
    dialog.accept()


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("a", "a.tex"),
        ("a.tex", "a.tex"),
        ("a.PY", "a.PY"),
        ("a.mjcf", "a.mjcf"),
        ("a.docx", "a.docx.tex"),
        ("crank.v2", "crank.v2.tex"),
    ],
)
def test_a_name_without_a_known_ending_gets_one(owner, tmp_path, name, taken):
    chosen = []
    dialog = ask_target(owner, f"{tmp_path}", "Save", KINDS, "first.tex", chosen.append)
    typed(dialog, tmp_path / name)
    assert chosen == [tmp_path / taken]


def test_a_file_that_would_be_lost_is_named_whole(owner, tmp_path):
    """The dialog has warned about "a.docx" alone, where "a.docx.tex" would be written over."""
    (tmp_path / "a.docx.tex").write_text("mine")
    chosen = []
    dialog = ask_target(owner, f"{tmp_path}", "Save", KINDS, "first.tex", chosen.append)
    typed(dialog, tmp_path / "a.docx")
    assert chosen == []
    again = next(d for d in owner.findChildren(QtWidgets.QFileDialog) if d.isVisible())
    assert again.selectedFiles() == [f"{tmp_path / 'a.docx.tex'}"]


def test_the_ending_decides_the_format_of_equations(window, tmp_path, monkeypatch):
    exports, made = window.studio.questions.exports, []
    monkeypatch.setattr(exports, "request", lambda id, method, units, path: made.append((id, path)))
    for filter, name in (
        ("LaTeX (*.tex)", "crank.py"),
        ("Python function (*.py)", "crank.py"),
        ("LaTeX (*.tex)", "crank.rtf"),
    ):
        window.actions_.trigger("export_equations")
        dialog = next(
            d for d in window.findChildren(QtWidgets.QFileDialog, "export") if d.isVisible()
        )
        dialog.selectNameFilter(filter)
        dialog.filterSelected.emit(filter)
        typed(dialog, tmp_path / name)
    assert made == [
        ("sympy", tmp_path / "crank.py"),
        ("python", tmp_path / "crank.py"),
        ("latex", tmp_path / "crank.rtf.tex"),
    ]
