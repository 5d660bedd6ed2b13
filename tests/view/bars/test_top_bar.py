"""Top bar: what its parts get of a narrow window."""

import pytest
from PySide6.QtCore import QPoint

from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.model.project import Project
from mechstudio.view.bars.top_bar import NAME_WIDTHS, SEARCH_WIDTHS, TopBar

# of a width of the search, of visible menus and a whole name: what is lost first, next and last
GOODS = (lambda now: now[2], lambda now: now[0] == SEARCH_WIDTHS[0], lambda now: now[1])


@pytest.fixture
def bar(theme, qapp, qtbot):
    studio = Studio(Preferences())
    studio.files.show(Project(), "/tmp/double_wishbone.mech", None)
    made = TopBar(theme, studio, *[lambda *_: None] * 3)
    for word in ("File", "Edit", "Insert", "Simulate", "View", "Tools", "Help"):
        made.menu.addMenu(word)
    qtbot.addWidget(made)
    made.show()
    return made


def test_the_name_of_the_file_is_whole_wherever_there_is_room(bar, qapp):
    whole = bar.file.sizeHint().width()
    assert NAME_WIDTHS[1] < whole < NAME_WIDTHS[0], "longer than its least room"
    for width in (1920, 1280, 1177):
        bar.resize(width, 44)
        qapp.processEvents()
        assert bar.file.width() >= whole, width
        assert bar.search.width() == SEARCH_WIDTHS[0]
        right = bar.workspace.mapTo(bar, QPoint(bar.workspace.width(), 0)).x()
        assert right < bar.search.mapTo(bar, QPoint(0, 0)).x(), width
    # less of the name comes before less of the search, and both before the menus
    seen = []
    for width in range(1170, 600, -10):
        bar.resize(width, 44)
        qapp.processEvents()
        seen.append((bar.search.width(), bar.menu.isVisible(), bar.file.width() >= whole))
    firsts = [next(k for k, now in enumerate(seen) if not good(now)) for good in GOODS]
    assert firsts == sorted(firsts) and len({*firsts}) == 3
