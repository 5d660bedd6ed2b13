"""Layout of panes: rows, columns and tabs, and its edits."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mechstudio as ms
from mechstudio.application.plots.layout import (
    arranged,
    closed,
    inserted,
    layout,
    moved,
    plots_in,
    resized,
    shares,
    split,
    with_shares,
)
from mechstudio.application.plots.panes import shown_plots
from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load
from mechstudio.model.project import Plot, PlotLayout

IDS = ("a", "b", "c", "d", "e")
SIDES = ("left", "right", "above", "below", "tab")


def plain(part):
    """A layout in short: a row is (…), a column [ … ], tabs { … }."""
    if isinstance(part, str):
        return part
    ends = {"row": "()", "column": "[]", "tabs": "{}"}[part.direction]
    return ends[0] + " ".join(map(plain, part.parts)) + ends[1]


def test_without_a_layout_plots_stand_in_a_row_alike():
    root = arranged(None, IDS[:3])
    assert plain(root) == "(a b c)" and root.shares == pytest.approx((1 / 3,) * 3)


@pytest.mark.parametrize(
    ("side", "requested"),
    [
        ("right", "(a d b c)"),
        ("left", "(d a b c)"),
        ("below", "([a d] b c)"),
        ("above", "([d a] b c)"),
        ("tab", "({a d} b c)"),
    ],
)
def test_a_pane_shares_the_room_of_the_one_it_is_put_to(side, requested):
    root = inserted(arranged(None, IDS[:3]), "d", "a", side)
    assert plain(root) == requested
    assert sum(root.shares) == pytest.approx(1.0) and root.shares[-1] == pytest.approx(1 / 3)


def test_tabs_are_split_as_a_whole():
    root = inserted(arranged(None, IDS[:2]), "c", "a", "tab")
    assert plain(inserted(root, "d", "c", "below")) == "([{a c} d] b)"
    assert plain(inserted(root, "d", "c", "tab")) == "({a c d} b)"


def test_remaining_pane_of_a_group_takes_its_place():
    root = inserted(arranged(None, IDS[:3]), "d", "a", "below")
    assert plain(arranged(root, ("a", "b", "c"))) == "(a b c)"
    assert plain(arranged(root, ("a", "d"))) == "[a d]"
    assert plain(arranged(root, ("d",))) == "(d)" and plain(arranged(root, ())) == "()"
    # and plots that it does not name stand at its end
    assert plain(arranged(PlotLayout("column", ("c", "a")), IDS[:4])) == "([c a] b d)"


def test_shares_that_are_none_are_equal():
    for odd in ((1.0,), (1.0, -1.0), (0.0, 1.0), (float("nan"), 1.0), (float("inf"), 1.0)):
        assert shares(PlotLayout("row", ("a", "b"), odd)) == (0.5, 0.5), odd
    assert shares(PlotLayout("row", ("a", "b"), (1.0, 3.0))) == (0.25, 0.75)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(IDS), st.sampled_from(SIDES))))
def test_however_panes_are_moved_each_stands_once(moves):
    root = arranged(None, IDS)
    for id, target, side in moves:
        root = inserted(root, id, target, side)
        assert sorted(plots_in(root)) == list(IDS)
        assert plain(arranged(root, IDS)) == plain(root), "moving leaves nothing to tidy"
    groups = [root]
    while groups:
        group = groups.pop()
        assert sum(group.shares) == pytest.approx(1.0)
        inner = [p for p in group.parts if isinstance(p, PlotLayout)]
        assert all(p.direction != group.direction and len(p.parts) > 1 for p in inner)
        groups += inner


def test_edits_of_the_project_are_kept_in_its_file(tmp_path):
    project = load(sample_folder() / "four_bar.mech").project
    first, second, third = (p.id for p in shown_plots(project))
    project, new = split(project, first, "below")
    project = with_shares(project, (0,), (3.0, 1.0))
    project = moved(project, third, second, "tab")
    assert plain(layout(project)) == f"([{first} {new}] {{{second} {third}}})"
    ms.save(project, tmp_path / "x.mech")
    again = ms.load(tmp_path / "x.mech")
    assert again == project and layout(again).parts[0].shares == (0.75, 0.25)
    assert '"plot_layout": {"direction": "row"' in (tmp_path / "x.mech").read_text("utf-8")
    for id in (new, second, first, third):
        again = closed(again, id)
    assert [p.channels for p in shown_plots(again)] == [()], "one empty pane is left"


def test_an_unknown_part_of_a_layout_is_written_back(tmp_path):
    text = (sample_folder() / "four_bar.mech").read_text("utf-8")
    odd = (
        '"plot_layout": {"direction": "row", "parts": ["plot_2", {"direction": "column", '
        '"parts": ["plot_1", "gone"], "floats": true}], "glow": 2}'
    )
    path = tmp_path / "x.mech"
    path.write_text(text.rstrip().removesuffix("}").rstrip() + ",\n" + odd + "\n}\n", "utf-8")
    loaded = load(path)
    assert "floats" in loaded.findings[0].message and "glow" in loaded.findings[0].message
    assert plain(layout(loaded.project)) == "(plot_2 plot_1 plot_3)"
    ms.save(loaded.project, path)
    assert '"floats": true' in path.read_text("utf-8") and '"gone"' in path.read_text("utf-8")


@pytest.mark.parametrize(
    "odd",
    [
        "5",
        '{"direction": "diagonal", "parts": []}',
        '{"parts": ["a"]}',
        '{"direction": "row", "parts": [7]}',
        '{"direction": "row", "parts": ' * 40 + "[]" + "}" * 40,
        '{"direction": "row", "parts": [' * 10 + "1" + "]}" * 10,
    ],
)
def test_a_layout_that_cannot_be_read_is_kept_and_said(tmp_path, odd):
    text = (sample_folder() / "four_bar.mech").read_text("utf-8")
    path = tmp_path / "x.mech"
    path.write_text(
        text.rstrip().removesuffix("}").rstrip() + f',\n"plot_layout": {odd}\n}}\n', "utf-8"
    )
    loaded = load(path)
    assert loaded.project.plot_layout is None and len(shown_plots(loaded.project)) == 3
    assert loaded.findings[0].message.startswith("The layout of the plots cannot be used: ")
    ms.save(loaded.project, path)
    assert odd in path.read_text("utf-8")


def test_resizing_never_makes_a_pane_vanish():
    root = resized(PlotLayout("row", ("a", "b")), (), (0.0, 1.0))
    assert min(root.shares) > 0.01
    project = msgspec.structs.replace(
        load(sample_folder() / "four_bar.mech").project, plots=(Plot("p", "", ()),)
    )
    assert list(plots_in(layout(project))) == ["p"]
