"""Named points in the model tree, under their bodies."""

from msgspec.structs import replace

from mechstudio.model.edits import elements
from mechstudio.model.mechanism import NamedPoint
from mechstudio.model.quantity import vector
from tests.view.hands import click


def test_named_points_stand_under_their_body(window, qtbot):
    """A point's line chooses its body, is folded with it, and carries its speed to a pane."""
    studio, tree = window.studio, window.docks.tree
    coupler = tree._items["coupler"]
    lines = lambda: [
        tree._items["coupler"].child(k) for k in range(tree._items["coupler"].childCount())
    ]
    names = [p.name for p in studio.document.project.mechanism.bodies["coupler"].points]
    assert names and [line.text(0) for line in lines()] == names and coupler.isExpanded()
    click(tree.viewport(), tree.visualItemRect(lines()[0]).center())
    assert studio.selection.selected == ("coupler",)
    assert studio.selection.point == names[0] and lines()[0].isSelected()
    studio.selection.select("crank")
    assert not lines()[0].isSelected(), "its line is no longer what is selected"
    click(tree.viewport(), tree.visualItemRect(lines()[0]).center())
    click(tree.viewport(), tree.visualItemRect(coupler).center())
    assert studio.selection.selected == ("coupler",) and not studio.selection.point
    coupler.setExpanded(False)
    project = studio.document.project
    body = project.mechanism.bodies["coupler"]
    more = replace(body, points=(*body.points, NamedPoint("Q", vector(0.05, 0.0, 0.02))))
    studio.document.commit("Name Q", elements.put_element(project, "coupler", more))
    assert [line.text(0) for line in lines()] == [*names, "Q"]
    assert not tree._items["coupler"].isExpanded(), "what was folded stays folded"
    window.actions_.trigger("undo")
    assert [line.text(0) for line in lines()] == names
