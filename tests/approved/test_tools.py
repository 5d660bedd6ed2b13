"""Every tool with the pointer led over a drawing: what it snaps to and shows before a click and
after one, with keys held and numbers typed, seen from the front and in space.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import mechstudio as ms
from mechstudio.application.actions import registry
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.files import project_file
from mechstudio.files.project_file import Loaded
from tests.application.tools.eyes import Seen
from tests.approved.figures import USUAL

SAMPLES = Path(__file__).parents[2] / "samples"
MOST_LINES = 8
# where the pointer goes, in W [m], what is under it, and what is held: on pins, beside them, at the
# middle of links, in line with others, over ground and over nothing
COURSE = (
    ((0.001, 0.0, 0.192), "A", "crank", {}),
    ((-0.030, 0.0, 0.244), "crank", "crank", {}),
    ((-0.062, 0.0, 0.300), "B", "coupler", {"shift": True}),
    ((0.010, 0.0, 0.320), "coupler", "coupler", {}),
    ((0.087, 0.0, 0.366), "coupler", "coupler", {"ctrl": True}),
    ((0.240, 0.0, 0.431), "C", "rocker", {}),
    ((0.290, 0.0, 0.310), "rocker", "rocker", {"alt": True}),
    ((0.339, 0.0, 0.191), "D", "rocker", {}),
    ((0.170, 0.0, 0.191), "", "", {}),
    ((0.170, 0.0, 0.003), "ground", "", {"shift": True}),
    ((0.452, 0.0, 0.304), "", "", {}),
    ((-0.171, 0.0, 0.188), "", "", {"ctrl": True}),
)
KEYS = ("shift", "space", "tab", "8", "0", "tab", "4", "5", "backspace", "down", "up", "enter")
# the eye, and how far behind the front plane it is pointed at [m]
EYES = {"front": (Seen(), 0.0), "space": (Seen(-60.0, 25.0), 0.012)}


def shown(studio: Studio) -> str:
    """Words and places of the active tool before the click."""
    bench = studio.tools
    preview = bench.tool.preview
    drawn = [*preview.segments, *preview.rubber, *preview.lines, *preview.areas]
    points = [p for line in drawn for p in line] + ([preview.marker] if preview.marker else [])
    places = [sum(values) for values in zip(*points, strict=True)]
    words = (preview.word, preview.label, *preview.choices, bench.message)
    chosen = preview.chosen if preview.choices else ""
    return f"{' | '.join(filter(None, words))} {preview.shape} {chosen} {USUAL.together(places)}"


def led(studio: Studio, eye: Seen, depth: float) -> Iterator[str]:
    """Lines of the pointer led along its course; a click where it began and at a third of it."""
    bench = studio.tools
    for number, (point, element, body, held) in enumerate(COURSE):
        pointer = eye.over((point[0], depth, point[2]), element=element, body=body, **held)
        before = studio.document.project
        bench.tool.move(pointer)
        yield f"  {number} {shown(studio)}"
        if number in (0, 4):
            bench.tool.press(pointer)
            bench.tool.release(pointer)
            tool = bench.tool
            keys = ", ".join(str(key.shown) for key in tool.keys())
            yield f"  clicked: {tool.title} | {bench.hint} | {keys} {len(tool.handles(eye))}"
        yield from (
            f"    {x}" for x in ms.differences(before, studio.document.project)[:MOST_LINES]
        )
        if not bench.is_drawing:
            return
    for key in KEYS:
        before = studio.document.project
        taken = bench.tool.key(key)
        yield f"  {key} {taken} {shown(studio)}"
        yield from (
            f"    {x}" for x in ms.differences(before, studio.document.project)[:MOST_LINES]
        )
        if not bench.is_drawing:
            return


def tools(loaded: Loaded, eye: Seen, depth: float) -> Iterator[str]:
    for action in registry.actions():
        if action.window:
            continue
        studio = Studio(Preferences(kept=False))
        try:
            studio.files.show(loaded.project, None, loaded.camera)
            if not action.unless(studio):
                action(studio)
                if studio.tools.is_drawing:
                    yield f"# {action.id}"
                    yield from led(studio, eye, depth)
        finally:
            studio.close()


@pytest.mark.parametrize("eye", EYES)
def test_tools_show_as_approved(eye, approved):
    lines = list(tools(project_file.load(SAMPLES / "four_bar.mech"), *EYES[eye]))
    approved.holds(f"tools_{eye}.txt", "\n".join(lines) + "\n")
