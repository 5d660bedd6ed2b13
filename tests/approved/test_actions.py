"""Every action without a window, done to a drawing with one thing after the other selected: its
words, what it changes, and the reason where it cannot be done; and every tool, clicked along a way.
"""

from itertools import pairwise
from pathlib import Path

import pytest

import mechstudio as ms
from mechstudio.application.actions import registry
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.application.tools.tool import Pointer
from mechstudio.cli.actions import done
from mechstudio.files import project_file
from mechstudio.files.format.json_text import dump
from mechstudio.files.format.schema import write_element
from mechstudio.files.format.sections import MECHANISM
from mechstudio.model.project import Project
from tests.approved.figures import EXACT
from tests.representatives import representatives

SAMPLES = Path(__file__).parents[2] / "samples"
# what is selected, by the drawing
SELECTED = {
    "four_bar": ((), ("crank",), ("crank", "coupler"), ("B",), ("A", "B"), ("crank", "B")),
    "wedge": ((), ("push",)),
    "cam_profile": (("lift",), ("spring",)),
    "box_on_incline": (("box",),),
}
MOST = 12  # lines of what an action changes


@pytest.mark.parametrize("name", SELECTED)
def test_actions_do_as_approved(name, approved):
    loaded, lines = project_file.load(SAMPLES / f"{name}.mech"), list[str]()
    actions = [action.id for action in registry.actions() if not action.window]
    for selected in SELECTED[name]:
        lines.append(f"# {' and '.join(selected) or 'nothing'} selected")
        for action in actions:
            try:
                outcome = done(loaded, action, list(selected))
            except ValueError as reason:
                lines.append(f"{action}: – {reason}")
                continue
            changes = ms.differences(loaded.project, outcome.project)
            words = (outcome.label or "–", ", ".join(outcome.selected), *outcome.remarks)
            lines.append(f"{action}: {' | '.join(filter(None, words))}")
            lines += [f"    {line}" for line in changes[:MOST]]
    approved.holds(f"actions_{name}.txt", "\n".join(lines) + "\n")


def test_drawings_differ_as_approved(approved):
    projects = {name: ms.load(SAMPLES / f"{name}.mech") for name in sorted(representatives())}
    lines: list[str] = []
    for before, after in pairwise(projects):
        lines.append(f"# {before} to {after}")
        lines += ms.differences(projects[before], projects[after])[: 2 * MOST]
    approved.holds("differences.txt", "\n".join(lines) + "\n")


# where the pointer goes, in W [m], and what is under it: a body, a joint, a body, ground, nothing
WAY = (
    ((0.0, 0.0, 0.19), "crank", "crank"),
    ((0.115, 0.0, 0.43), "C", "coupler"),
    ((0.34, 0.0, 0.25), "rocker", "rocker"),
    ((0.5, 0.0, 0.0), "ground", ""),
    ((0.62, 0.0, 0.31), "", ""),
)
PIXEL = 1e-3  # [m]


def way_of(studio: Studio) -> list[str]:
    """Lines of a active tool whose pointer goes its way with a click at each place: what it says,
    shows and changes.
    """
    bench, lines, drawn_on = studio.tools, list[str](), studio.document.project
    for point, element, body in WAY:
        before, pointer = studio.document.project, Pointer(point, PIXEL, element, body)
        bench.tool.move(pointer)
        preview = bench.tool.preview
        shown = (bench.hint, preview.word, preview.label, *preview.choices)
        drawn = [*preview.segments, *preview.rubber, *preview.lines, *preview.areas]
        places = [sum(values) for values in zip(*(p for line in drawn for p in line))]
        bench.tool.press(pointer)
        bench.tool.release(pointer)
        said = " | ".join(filter(None, (*shown, bench.message)))
        lines.append(f"  {said} {len(drawn)} {EXACT.together(places)}")
        lines += [f"    {line}" for line in ms.differences(before, studio.document.project)[:MOST]]
        if not bench.is_drawing:
            break
    before = studio.document.project
    bench.tool.key("enter")
    lines += [f"    {line}" for line in ms.differences(before, studio.document.project)[:MOST]]
    return lines + [f"  {line}" for line in new_elements(drawn_on, studio.document.project)]


def new_elements(before: Project, after: Project) -> list[str]:
    """Elements of a mechanism that were not there, as a file has them."""
    return [
        dump(write_element(schema, element))
        for section, schema in MECHANISM.items()
        for id, element in getattr(after.mechanism, section).items()
        if id not in getattr(before.mechanism, section)
    ]


def test_tools_draw_as_approved(approved):
    loaded, lines = project_file.load(SAMPLES / "four_bar.mech"), list[str]()
    for action in registry.actions():
        if action.window:
            continue
        studio = Studio(Preferences(kept=False))
        try:
            studio.files.show(loaded.project, None, loaded.camera)
            if not action.unless(studio):
                action(studio)
                if studio.tools.is_drawing:
                    lines += [f"# {action.id}", *way_of(studio)]
        finally:
            studio.close()
    approved.holds("tools.txt", "\n".join(lines) + "\n")
