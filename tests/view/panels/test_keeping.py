"""A redundancy is kept with a reason, shown as kept, and taken back; the file holds it."""

from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.actions import edit
from mechstudio.application.motion_comparison import same_motion
from mechstudio.engine.structure.mobility import analyse
from mechstudio.files.project_file import decode, encode
from mechstudio.model.edits import elements
from mechstudio.model.joints.planarity import is_planar
from tests import scenes
from tests.view.conftest import settle

LEFT = QtCore.Qt.MouseButton.LeftButton


def show_analysis(window):
    """Show the analysis that the worker would report of the drawing as it is."""
    studio = window.studio
    studio.tick(0.0)
    studio.questions.session.analysis = analyse(studio.document.project)
    studio.questions.session.analysed.emit()
    settle(QtWidgets.QApplication.instance())


def buttons(window):
    return [
        b
        for b in window.docks.doctor.findChildren(QtWidgets.QPushButton)
        if b.accessibleName().startswith("Keep")
    ]


def test_keep_and_take_back(window):
    studio, doctor = window.studio, window.docks.doctor
    before = encode(studio.document.project)
    said = []
    doctor.counted.connect(said.append)
    show_analysis(window)
    (button,) = buttons(window)
    assert button.accessibleName() == "Keep C: planar idealisation"
    QTest.mouseClick(button, LEFT)
    joint = next(j for j in studio.document.project.mechanism.joints.values() if j.name == "C")
    assert (
        joint.kept == "planar idealisation"
        and studio.document.undo_label == "Keep C: planar idealisation"
    )
    show_analysis(window)
    assert buttons(window) == []
    assert said[-1] == "1 kept" and b'"kept": "planar idealisation"' in encode(
        studio.document.project
    )
    assert (
        decode(encode(studio.document.project)).project.mechanism.joints[joint.id].kept
        == joint.kept
    )
    edit_ = doctor.findChild(QtWidgets.QLineEdit)
    edit_.setFocus()
    edit_.selectAll()
    QTest.keyClicks(edit_, "the pins have play")
    QTest.keyClick(edit_, QtCore.Qt.Key.Key_Return)
    assert studio.document.project.mechanism.joints[joint.id].kept == "the pins have play"
    show_analysis(window)
    back = doctor.findChild(QtWidgets.QToolButton, "stop_keeping")
    QTest.mouseClick(back, LEFT)
    show_analysis(window)
    assert (
        studio.document.project.mechanism.joints[joint.id].kept == "" and len(buttons(window)) == 1
    )
    for _ in range(3):
        edit.undo(studio)
    assert encode(studio.document.project) == before


def test_keeping_moves_nothing_and_needs_no_new_run(window):
    studio = window.studio
    old = studio.document.project
    assert same_motion(
        old, elements.set_attribute(old, next(iter(old.mechanism.joints)), kept="so")
    )


def test_planarity_of_four_bars_is_detected():
    planar, spatial = scenes.four_bar().mechanism, scenes.spatial_four_bar().mechanism
    assert (
        is_planar(planar, planar.joints.values())
        and not is_planar(spatial, spatial.joints.values())
        and not is_planar(planar, ())
    )
