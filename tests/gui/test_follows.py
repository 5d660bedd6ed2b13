"""What follows a change by difference or in a turn of its own says the same as what is made from nothing, and no hand gets at what is gone."""

import pytest
from PySide6 import QtCore
from PySide6.QtTest import QTest

from mechstudio.model import edit
from mechstudio.view.panels.form import Fold, Reading, Text
from mechstudio.view.panels.inspector import Inspector
from mechstudio.view.panels.model_tree import ModelTree
from mechstudio.view.turns import turns
from tests.edits import Editor

Qt = QtCore.Qt


def rows(tree):
    """All that a tree says of its rows."""
    def one(item):
        return (*((item.text(c), item.toolTip(c), item.icon(c).isNull()) for c in range(3)), item.isSelected(), item.isExpanded(), item.font(0).underline(), item.foreground(0).color().name(),
                item.data(0, Qt.ItemDataRole.UserRole), int(item.flags().value), [one(item.child(k)) for k in range(item.childCount())])
    return [one(tree.topLevelItem(k)) for k in range(tree.topLevelItemCount())]


def words(inspector):
    """What stands in the fields of a page, and its folds."""
    return [(n.id, n.field.path, n.edit.text()) for n in inspector.numbers], [f.title for f in inspector.findChildren(Fold)], \
        [r.text() for r in inspector.findChildren(Reading)], [t.edit.text() for t in inspector.findChildren(Text)]


@pytest.mark.parametrize("seed", range(3))
def test_tree_and_inspector_follow_random_edits_as_if_made_anew(window, theme, seed):
    studio, docks = window.studio, window.docks
    editor = Editor(studio.document.project, seed, checking=False)
    for step in range(14):
        editor.act()
        project = editor.project
        studio.document.commit(f"step {step}", project)
        ids = [*project.mechanism.bodies, *project.mechanism.joints, *project.mechanism.forces]
        studio.selection.select(*editor.random.sample(ids, min(len(ids), editor.random.choice((0, 1, 1, 2)))))
        tree, inspector = ModelTree(theme, studio), Inspector(theme, studio)
        inspector.opened = set(docks.inspector.opened)
        inspector._signature = None
        inspector.refresh()
        try:
            shown = [row for _, group in docks.tree._shown for row in group]
            assert len(docks.tree._rows) == len(shown) + sum(len(r.members) for r in shown)
            assert rows_without_folds(rows(docks.tree)) == rows_without_folds(rows(tree)), editor.log
            assert words(docks.inspector) == words(inspector), editor.log
        finally:
            for panel in (tree, inspector):
                turns().drop(panel)
                forget(studio, theme, panel)
    assert len(set(editor.log)) > 6


def rows_without_folds(found):
    """Which headings are folded belongs to the tree's own past."""
    return [(*row[:4], *row[5:-1], rows_without_folds(row[-1])) for row in found]


def forget(studio, theme, panel):
    """A panel that was made to be compared with hears of nothing any more."""
    for holder in (studio, studio.document, studio.selection, studio.playback, studio.preferences, studio.bench, studio.measured, studio.kept_runs):
        for signal in vars(holder).values():
            for listener in [f for f in getattr(signal, "_listeners", ()) if belongs(f, panel)]:
                signal.disconnect(listener)
    panel.deleteLater()


def belongs(listener, panel):
    return getattr(listener, "__self__", None) is panel or any(getattr(cell, "cell_contents", None) is panel for cell in getattr(listener, "__closure__", None) or ())


def test_the_tree_keeps_the_rows_that_an_edit_leaves(window):
    studio, tree = window.studio, window.docks.tree
    kept = {id: item for id, item in tree._items.items() if id != "crank"}
    studio.document.commit("Rename", edit.set_attribute(studio.document.project, "crank", name="handle"))
    assert tree._items["crank"].text(0) == "handle"
    assert all(tree._items[id] is item for id, item in kept.items() if id in studio.document.project.mechanism.bodies)


def test_nothing_is_typed_into_a_field_of_what_is_gone(window, qtbot):
    studio, inspector = window.studio, window.docks.inspector
    studio.selection.select("crank")
    field = inspector.number(("shapes", 0, "dimensions", "width"))
    field.edit.setFocus()
    QTest.keyClicks(field.edit, "77")
    before = len(studio.document.history[0])
    studio.document.commit("Delete crank", edit.remove(studio.document.project, "crank"))
    # the page is still to come: the old one takes no keys
    assert turns().waits(inspector) and not field.isVisible()
    QTest.keyClicks(window.viewport.window().focusWidget() or window, "5")
    QTest.keyClick(window.viewport.window().focusWidget() or window, Qt.Key.Key_Return)
    assert len(studio.document.history[0]) == before + 1
    qtbot.waitUntil(lambda: not turns().waits(inspector))
    assert not [n for n in inspector.numbers if n.id == "crank"]


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
    qtbot.waitUntil(lambda: not view._stale)
    studio.document.commit("Paint", edit.set_attribute(studio.document.project, "crank", color=6))
    assert view._built is None and not view.updatesEnabled()
    hit = view._scene                                            # whoever asks meanwhile gets the new one
    assert hit.rows.color[view._scene.bodies.index("crank")] == 6
    qtbot.waitUntil(view.updatesEnabled)
    qtbot.waitUntil(lambda: not view._stale)
    assert view._renderer._scene is view._scene
