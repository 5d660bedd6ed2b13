"""Views that follow a change by difference, or in a turn of their own, say the same as those made
from nothing, and no hand gets at what is gone.
"""

import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.resources import sample_folder
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.quantity import Quantity
from mechstudio.view.idle_tasks import turns
from mechstudio.view.inspector.inspector import Inspector
from mechstudio.view.inspector.pages import KEPT, kind_of
from mechstudio.view.panels.model_tree import ModelTree
from mechstudio.view.widgets.form import Reading, Section, Text
from mechstudio.view.widgets.widgets import Elided
from tests.edits import Editor

Qt = QtCore.Qt


def rows(tree):
    """All that a tree says of its rows."""

    def one(item):
        return (
            *((item.text(c), item.toolTip(c), item.icon(c).isNull()) for c in range(3)),
            item.isSelected(),
            item.isExpanded(),
            item.font(0).underline(),
            item.foreground(0).color().name(),
            item.data(0, Qt.ItemDataRole.UserRole),
            int(item.flags().value),
            [one(item.child(k)) for k in range(item.childCount())],
        )

    return [one(tree.topLevelItem(k)) for k in range(tree.topLevelItemCount())]


def words(inspector):
    """Texts in the fields of a page, and its folds."""
    return (
        [(n.id, n.field.path, n.edit.text()) for n in inspector.numbers],
        [f.title for f in inspector.parts(Section)],
        [r.text() for r in inspector.parts(Reading)],
        [t.edit.text() for t in inspector.parts(Text)],
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.thinned(2)
def test_tree_and_inspector_follow_random_edits_as_if_made_again(window, theme, seed):
    studio, docks = window.studio, window.docks
    editor = Editor(studio.document.project, seed, checking=False)
    for step in range(14):
        editor.act()
        project = editor.project
        studio.document.commit(f"step {step}", project)
        ids = [*project.mechanism.bodies, *project.mechanism.joints, *project.mechanism.forces]
        studio.selection.select(
            *editor.random.sample(ids, min(len(ids), editor.random.choice((0, 1, 1, 2))))
        )
        tree, inspector = ModelTree(theme, studio), Inspector(theme, studio)
        inspector.opened = set(docks.inspector.opened)
        inspector._signature = None
        inspector.refresh()
        try:
            shown = [row for _, group in docks.tree._shown for row in group]
            assert len(docks.tree._rows) == len(shown) + sum(len(r.members) for r in shown)
            assert rows_without_sections(rows(docks.tree)) == rows_without_sections(rows(tree)), (
                editor.log
            )
            assert words(docks.inspector) == words(inspector), editor.log
        finally:
            for panel in (tree, inspector):
                turns().drop(panel)
                forget(studio, theme, panel)
    assert len(set(editor.log)) > 6


def said(inspector):
    """All that stands on a page, whatever its order."""
    out = []
    for part in inspector.parts(QtWidgets.QWidget):
        known = (
            part.text()
            if hasattr(part, "text") and callable(part.text)
            else part.toPlainText()
            if isinstance(part, QtWidgets.QPlainTextEdit)
            else ""
        )
        if not isinstance(part.parent(), Elided):  # what of it is seen depends on the room there is
            out.append(
                (
                    type(part).__name__,
                    known,
                    part.accessibleName(),
                    isinstance(part, Elided) or part.isVisibleTo(inspector.leaf.widget),
                    getattr(part, "is_dirty", False),
                )
            )
    return sorted(out)


SECTIONS = {
    "Shapes",
    "Material",
    "Mass and inertia",
    "Principal axes",
    "Place",
    "Other coordinates",
    "Torsors",
    "Note",
    "Limits",
    "Reactions",
    "Motion at the start",
}


@pytest.fixture
def beside(window, theme, qapp):
    """A function that makes an inspector beside the window's own and returns what it says."""
    studio = window.studio

    def make():
        other = Inspector(theme, studio)
        other.opened, other.forms, other._signature = (
            set(window.docks.inspector.opened),
            window.docks.inspector.forms,
            None,
        )
        other._leaves.forget()
        other.refresh()
        try:
            return said(other)
        finally:
            turns().drop(other)
            forget(studio, theme, other)
            # or it would follow the theme with all the others
            qapp.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)

    inspector, before = window.docks.inspector, set(window.docks.inspector.opened)
    inspector.opened |= SECTIONS
    inspector._leaves.forget()
    yield make
    inspector.opened = before
    inspector._leaves.forget()
    studio.selection.select()


@pytest.mark.slow
def test_a_page_that_is_kept_says_of_each_element_what_a_new_one_says(window, beside, unstyled):
    studio, inspector = window.studio, window.docks.inspector
    m = studio.document.project.mechanism
    bodies, joints = (
        list(m.bodies)[:3],
        [id for id, joint in m.joints.items() if not joint.limits and joint.curve is None][:2],
    )
    leaves = {}
    for round in range(2):
        for id in (*bodies, *joints, "") if not round else (*bodies[:1], *joints):
            studio.selection.select(*[id] if id else [])
            assert said(inspector) == beside(), (round, id)
            leaves.setdefault(inspector.leaf.widget, set()).add(id)
        # what is not shown meanwhile follows all the same
        for id in (*bodies, *joints):
            studio.document.commit(
                "Name",
                elements.set_attribute(
                    studio.document.project, id, name=f"{id} {round}", note=f"of {id}"
                ),
            )
        studio.document.commit(
            "Weight",
            elements.set_attribute(
                studio.document.project, bodies[0], mass=Quantity(2.0 + round), color=5
            ),
        )
    assert max(len(ids) for ids in leaves.values()) > 1, "no page was used twice"
    studio.document.undo()
    assert said(inspector) == beside()
    # another form of the pose, units, theme: on pages that are put away too
    studio.selection.select()
    inspector.refresh()
    inspector.forms["position"] = "spherical"
    studio.preferences.set(units="m-N-rad")
    try:
        for theme in ("light", "dark"):
            window.theme.set_choice(theme)
            for id in (bodies[0], joints[0]):
                studio.selection.select(id)
                assert said(inspector) == beside(), (theme, id)
    finally:
        inspector.forms["position"] = "cylindrical"
        studio.preferences.set(units="mm-N-deg")
        window.theme.set_choice("light")


@pytest.mark.slow
def test_typed_text_on_a_reused_page_goes_to_its_own_element(window, beside):
    studio, inspector = window.studio, window.docks.inspector
    studio.selection.select("crank")
    field, path = inspector.number(("shapes", 0, "density")), ("shapes", 0, "density")
    density = lambda id: fields.read(fields.find(studio.document.project, id), path).value
    same = next(
        id
        for id in studio.document.project.mechanism.bodies
        if id != "crank" and alike(studio, id, "crank")
    )
    before = density(same)
    field.edit.setFocus()
    field.edit.selectAll()
    QTest.keyClicks(field.edit, "1234")
    studio.selection.select(same)
    assert inspector.number(path) is field, "the page was rebuilt"
    assert (
        density("crank") == 1234.0
        and density(same) == before
        and field.id == same
        and not field.is_dirty
    )
    assert said(inspector) == beside()
    # typed for what is gone: forgotten, also after it is back
    field.edit.setFocus()
    QTest.keyClicks(field.edit, "77")
    studio.document.commit("Delete", elements.remove(studio.document.project, same))
    studio.selection.select("crank")
    assert density("crank") == 1234.0 and not inspector.number(path).is_dirty
    assert said(inspector) == beside()
    studio.document.undo()
    studio.selection.select(same)
    assert density(same) == before and said(inspector) == beside()


def alike(studio, *ids):
    """True if bodies have the same lines."""
    m = studio.document.project.mechanism
    return (
        len({kind_of(id, m.bodies[id], fields.fields(m.bodies[id], id, m), ()) for id in ids}) == 1
    )


def test_only_a_few_pages_are_kept_and_none_of_another_look(window, qapp):
    inspector, box = window.docks.inspector, window.docks.inspector.layout()
    for kind in range(9):
        inspector._leaves.turn(("kind", kind), "")
    qapp.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)
    assert (
        box.count()
        == KEPT + 1
        == len([w for w in inspector.children() if isinstance(w, QtWidgets.QWidget)])
    )
    window.theme.leaving.emit()
    assert box.count() == 1
    window.theme.changed.emit()
    inspector.catch_up()
    qapp.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)
    assert box.count() == 1 and inspector.numbers


def test_the_page_that_was_put_away_first_is_turned_to_before_it_goes(window):
    """Five kinds of pages seen one after the other, then the first of them again: it is among those
    that are kept, and the one to be dropped next.
    """
    leaves = window.docks.inspector._leaves
    leaves.forget()
    for kind in range(KEPT + 1):
        leaves.turn(("kind", kind), "")
        leaves.shown.numbers = [kind]
    for kind in (0, 1, 2, 1):
        assert leaves.has(("kind", kind))
        leaves.turn(("kind", kind), "")
        assert leaves.shown.numbers == [kind], "a page without lines is shown"
    leaves.shown.numbers = []
    leaves.forget()
    window.theme.changed.emit()
    window.docks.inspector.catch_up()


def rows_without_sections(found):
    """Rows of a tree without their folds, which belong to the tree's own past."""
    return [(*row[:4], *row[5:-1], rows_without_sections(row[-1])) for row in found]


def forget(studio, theme, panel):
    """A panel that was made to be compared with hears of nothing any more."""
    parts = [*vars(studio).values()]
    inner = [each for part in parts for each in getattr(part, "__dict__", {}).values()]
    for holder in (*parts, *inner):
        for signal in getattr(holder, "__dict__", {}).values():
            for listener in [f for f in getattr(signal, "_listeners", ()) if belongs(f, panel)]:
                signal.disconnect(listener)
    panel.deleteLater()


def belongs(listener, panel):
    return getattr(listener, "__self__", None) is panel or any(
        getattr(cell, "cell_contents", None) is panel
        for cell in getattr(listener, "__closure__", None) or ()
    )


def test_the_tree_keeps_the_rows_that_an_edit_leaves(window):
    studio, tree = window.studio, window.docks.tree
    kept = {id: item for id, item in tree._items.items() if id != "crank"}
    studio.document.commit(
        "Rename", elements.set_attribute(studio.document.project, "crank", name="handle")
    )
    assert tree._items["crank"].text(0) == "handle"
    assert all(
        tree._items[id] is item
        for id, item in kept.items()
        if id in studio.document.project.mechanism.bodies
    )


def test_nothing_is_typed_into_a_field_of_what_is_gone(window, qtbot):
    studio, inspector = window.studio, window.docks.inspector
    studio.selection.select("crank")
    field = inspector.number(("shapes", 0, "dimensions", "width"))
    field.edit.setFocus()
    QTest.keyClicks(field.edit, "77")
    before = len(studio.document.history[0])
    studio.document.commit("Delete crank", elements.remove(studio.document.project, "crank"))
    # the page is still to come: the old one takes no keys
    assert turns().waits(inspector) and not field.isVisible()
    QTest.keyClicks(window.viewport.window().focusWidget() or window, "5")
    QTest.keyClick(window.viewport.window().focusWidget() or window, Qt.Key.Key_Return)
    assert len(studio.document.history[0]) == before + 1
    qtbot.waitUntil(lambda: not turns().waits(inspector))
    assert not [n for n in inspector.numbers if n.id == "crank"]


@pytest.mark.slow
def test_the_title_and_the_fields_below_it_are_of_one_element(window, qtbot):
    """Selected one after the other, with a page still to come each time: no title stands above the
    fields of another element.
    """
    studio, inspector, said = window.studio, window.docks.inspector, []

    def note(title, kind, color):
        leaf = inspector.leaf
        name = fields.find(studio.document.project, leaf.id).name if leaf.id else ""
        said.append(leaf.widget.isHidden() or not leaf.id or title == name)

    studio.selection.select("crank")
    inspector.catch_up()
    inspector.title_changed.connect(note)
    for id in ("A", "coupler", "crank"):
        studio.selection.select(id)
        assert turns().waits(inspector)
        qtbot.waitUntil(lambda: not turns().waits(inspector))
    studio.document.commit(
        "Rename", elements.set_attribute(studio.document.project, "crank", name="handle")
    )
    studio.selection.select("A")
    qtbot.waitUntil(lambda: not turns().waits(inspector))
    inspector.title_changed.disconnect(note)
    studio.document.undo()
    assert all(said) and len(said) > 3


def test_waiting_work_is_done_once_one_piece_a_turn_and_not_for_the_dead(qapp, qtbot):
    done, owners = [], [QtCore.QObject() for _ in range(3)]
    for k, owner in enumerate(owners):
        turns().soon(owner, lambda k=k: done.append(k))
    turns().soon(owners[0], lambda: done.append("again"))
    import shiboken6

    shiboken6.delete(owners[1])
    turns().drop(owners[2])
    assert done == []
    qtbot.waitUntil(lambda: bool(done))
    assert done == ["again"] and not turns().waits(owners[0])


def test_the_picture_of_an_edit_is_made_in_its_own_turn_and_is_never_an_old_one(window, qtbot):
    studio, view = window.studio, window.viewport
    qtbot.waitUntil(lambda: not view.painter.stale)
    studio.document.commit(
        "Paint", elements.set_attribute(studio.document.project, "crank", color=6)
    )
    assert not view.shown.is_built and not view.updatesEnabled()
    hit = view.shown.scene  # a caller meanwhile gets the new one
    assert hit.rows.color[view.shown.scene.bodies.index("crank")] == 6
    qtbot.waitUntil(view.updatesEnabled)
    qtbot.waitUntil(lambda: not view.painter.stale)
    assert view.painter.renderer._scene is view.shown.scene


class Painted(QtCore.QObject):
    """Notes what is painted while the scene or the inspector is of an earlier document."""

    def __init__(self, window):
        super().__init__()
        self.window, self.count, self.late = window, 0, []
        self.watched = (
            window.viewport,
            window.docks.tree.viewport(),
            window.docks.inspector,
            window.top,
        )

    def eventFilter(self, watched, event):
        if event.type() == QtCore.QEvent.Type.Paint:
            self.count += 1
            if turns().waits(self.window.viewport.painter) or turns().waits(
                self.window.docks.inspector
            ):
                self.late.append(type(watched).__name__)
        return False


@pytest.mark.slow
def test_one_frame_shows_one_document(window, qtbot):
    """Opened, a document is in tree, scene and lesson before any of them is painted."""
    qtbot.waitUntil(lambda: not window.viewport.painter.stale)
    painted = Painted(window)
    for widget in painted.watched:
        widget.installEventFilter(painted)
    assert window.studio.files.open(sample_folder() / "walking_linkage.mech")
    qtbot.waitUntil(
        lambda: (
            not window.viewport.painter.stale
            and painted.count > 0
            and not turns().waits(window.docks.inspector)
        )
    )
    for widget in painted.watched:
        widget.removeEventFilter(painted)
    assert painted.late == []
    assert (
        window.viewport.painter.renderer._scene.bodies == window.viewport.shown.scene.bodies
        and "front_left_foot" in window.viewport.shown.scene.bodies
    )
