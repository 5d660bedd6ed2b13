"""Every handle of every element of some drawings, taken hold of: what it shows, what it changes by
a way of the pointer, with a key held, with a number typed, and after Esc.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import mechstudio as ms
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.application.tools.tool import Handle
from mechstudio.files import project_file
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from tests.application.tools.eyes import Seen
from tests.approved.figures import USUAL

SAMPLES = Path(__file__).parents[2] / "samples"
# drawings that show every kind of grip, and how many of their elements are taken
DRAWINGS = ("four_bar", "cam_profile", "wedge", "double_wishbone", "slider_crank")
MOST_ELEMENTS, MOST_HANDLES, MOST_LINES = 14, 9, 6
EYES = (Seen(-90.0, 0.0), Seen(-60.0, 25.0))
# ways of the pointer [px] with what is held and typed meanwhile
WAYS = (
    ((36.0, -22.0), {}, ""),
    ((-41.0, 12.0), {"shift": True}, ""),
    ((15.0, 33.0), {"ctrl": True}, ""),
    ((36.0, -22.0), {}, "3"),
    ((5.0, 2.0), {"alt": True}, ""),
)


def place_of(eye: Seen, handle: Handle) -> tuple[float, float]:
    """The pixel at which a handle is taken: the middle of an arc, else that of its points."""
    flat = [eye.pixel_of(p) for p in handle.points]
    if handle.kind in ("arc", "arrow"):
        return flat[len(flat) // 2]
    x, y = (sum(values) / len(flat) for values in zip(*flat, strict=True))
    return x, y


def elements(project: Project) -> list[str]:
    m = project.mechanism
    ids = [*m.bodies, *m.joints, *m.forces, *m.drives, *m.couplings]
    return [*dict.fromkeys(ids[:: max(1, len(ids) // MOST_ELEMENTS)]), GROUND]


def shown(studio: Studio) -> str:
    """Words of the active tool."""
    tool = studio.tools.tool
    preview = tool.preview
    words = (preview.word, preview.label, *preview.choices, tool.context.message)
    drawn = [*preview.segments, *preview.rubber, *preview.lines, *preview.areas]
    places = [sum(values) for values in zip(*(p for line in drawn for p in line), strict=True)]
    return f"{' | '.join(filter(None, words))} {len(drawn)} {USUAL.together(places)}"


def drags(studio: Studio, eye: Seen, id: str) -> Iterator[str]:
    """Lines of all drags with one element selected."""
    document, bench = studio.document, studio.tools
    studio.selection.select(id)
    handles = bench.tool.handles(eye)
    for handle in handles:
        places = [sum(values) for values in zip(*handle.points, strict=True)]
        yield (
            f"{handle.kind} {handle.role} {handle.word} {len(handle.points)} "
            f"{USUAL.together(places)} {handle.fade:.2f}"
        )
    for number, handle in enumerate(handles[:MOST_HANDLES]):
        (dx, dy), held, typed = WAYS[number % len(WAYS)]
        x, y = place_of(eye, handle)
        before, at = document.project, eye.pointer(x, y)
        bench.tool.move(at)
        hot = [h.word for h in bench.tool.handles(eye) if h.hot]
        if not bench.tool.takes(at):
            yield f"  {number} not taken, {hot}"
            continue
        bench.tool.press(at)
        for share in (0.5, 1.0):
            bench.tool.move(eye.pointer(x + share * dx, y + share * dy, **held))
        marked = [h.word or h.kind for h in bench.tool.handles(eye) if h.hot]
        words = f"{shown(studio)} {len(bench.tool.handles(eye))} {', '.join(marked)}"
        if typed:
            bench.tool.key(typed)
            words += f" typed {shown(studio)}"
            bench.tool.key("enter")
        elif number == len(WAYS):
            bench.tool.key("escape")
        bench.tool.release(eye.pointer(x + dx, y + dy, **held))
        yield f"  {number} {hot} {words}"
        yield from (f"    {l}" for l in ms.differences(before, document.project)[:MOST_LINES])
        if document.project is not before:
            document.undo()
        bench.tool.cancel()
        studio.selection.select(id)


@pytest.mark.parametrize("name", DRAWINGS)
def test_drags_do_as_approved(name, approved):
    loaded, lines = project_file.load(SAMPLES / f"{name}.mech"), list[str]()
    studio = Studio(Preferences(kept=False))
    try:
        studio.files.show(loaded.project, None, loaded.camera)
        for number, id in enumerate(elements(loaded.project)):
            lines += [f"# {id}", *drags(studio, EYES[number % len(EYES)], id)]
    finally:
        studio.close()
    approved.holds(f"drags_{name}.txt", "\n".join(lines) + "\n")
