"""Everything that is painted over the scene, stroke by stroke: selected things with their axes,
handles and stops, and what tools show before the click; names aside, whose room fonts decide.
"""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPointF

from mechstudio.application.tools.tool import Pointer
from mechstudio.files import project_file
from mechstudio.folders import sample_folder
from mechstudio.model.project import Camera
from tests.view.access.walk import turn
from tests.view.scene.strokes import Strokes

SIZE = (800.0, 600.0)
CAMERA = Camera((0.17, 0.0, 0.25), -70.0, 25.0, 1.2)
# what is selected, by the drawing; one body, since several are painted in any order
SELECTED = {
    "four_bar": ((), ("crank",), ("coupler",), ("B",), ("crank", "B")),
    "double_wishbone": ((), ("spring",)),
    "trebuchet": (("arm",),),
    "wedge": (("wedge",), ("push",)),
}
TOOLS = ("draw_link", "draw_arm", "body_box", "body_sphere", "spring", "place_joint", "force")
PLACES = ((0.0, 0.0, 0.19), (0.1, 0.0, 0.4), (0.3, 0.0, 0.3))


def painted(window) -> list[str]:
    """Strokes over the scene as it is seen from CAMERA."""
    strokes = Strokes()
    window.viewport.painter._furniture.paint(strokes, 1.0)
    return strokes.lines


@pytest.fixture
def still(window, monkeypatch):
    """The window with CAMERA over a picture of SIZE."""
    framing = SimpleNamespace(current=CAMERA, size=SIZE)
    monkeypatch.setattr(window.viewport.painter._furniture, "_framing", framing)
    # it stays where another test left it
    monkeypatch.setattr(window.viewport.navigator, "cursor", QPointF(300.0, 200.0))
    window.studio.preferences.set(axes=True, theme="light")
    window.set_workspace("build")
    return window


@pytest.mark.parametrize("name", SELECTED)
def test_strokes_over_a_drawing_are_as_approved(still, name, tmp_path, approved, qtbot):
    project = project_file.load(sample_folder() / f"{name}.mech").project
    still.studio.files.show(project, str(tmp_path / f"{name}.mech"), None)
    qtbot.waitUntil(lambda: still.studio.questions.analysis is not None)
    turn()
    lines: list[str] = []
    for selected in SELECTED[name]:
        still.studio.selection.select(*selected)
        turn()
        still.viewport.shown.set_poses(None)  # as drawn, whatever a run has shown
        lines += [f"# {' and '.join(selected) or 'nothing'} selected", *painted(still)]
    approved.holds(f"strokes_{name}.txt", "\n".join(lines) + "\n")


def test_strokes_of_tools_are_as_approved(still, approved):
    lines: list[str] = []
    studio = still.studio
    for tool in TOOLS:
        studio.selection.select()
        still.actions_.by_id[tool].trigger()
        for place in PLACES:
            pointer = Pointer(place, 1e-3)
            studio.tools.tool.move(pointer)
            turn()
            lines += [f"# {tool} at {place}", *painted(still)]
            studio.tools.tool.press(pointer)
            studio.tools.tool.release(pointer)
        studio.tools.tool.cancel()
        studio.tools.take("select")
    approved.holds("strokes_of_tools.txt", "\n".join(lines) + "\n")
