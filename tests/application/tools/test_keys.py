"""Keys that a tool lists: each is taken, comes before the window's shortcuts, and Esc leaves."""

import pytest

from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.application.tools.bench import TOOLS
from mechstudio.application.tools.tool import Key, Pointer, Tool

OPTIONS = {
    "pick": {"what": "gear"},
    "two_points": {"type": "spring"},
    "point_force": {"type": "force"},
    "solid": {"type": "box"},
    "scale_picture": {"id": "none"},
}
DRAWN = sorted(set(TOOLS) - {"select"})


def bench_with(name, clicks):
    """A studio with two links in it and a active tool that was clicked so many times."""
    studio = Studio(Preferences(kept=False))
    studio.tools.take("link")
    for x, z in ((0.0, 0.0), (0.2, 0.0), (0.2, 0.3)):
        studio.tools.tool.press(pointer(x, z))
    studio.tools.take(name, **OPTIONS.get(name, {}))
    for x in (0.1, 0.5)[:clicks]:
        studio.tools.tool.press(
            pointer(x, 0.0, next(iter(studio.document.project.mechanism.bodies)))
        )
    studio.tools.tool.move(pointer(0.35, 0.1))
    return studio.tools


def pointer(x, z, body=""):
    return Pointer((x, 0.0, z), 1e-3, body, body, ctrl=True)


def listed(clicks):
    for name in DRAWN:
        try:
            bench = bench_with(name, clicks)
        except (KeyError, TypeError):
            continue
        if bench.tool.name == name:
            yield from ((name, clicks, key) for key in bench.tool.keys() if key.key)


@pytest.mark.parametrize(
    ("name", "clicks", "key"),
    [*listed(0), *listed(1)],
    ids=lambda v: v.shown if isinstance(v, Key) else str(v),
)
def test_every_listed_key_is_taken(name, clicks, key):
    tool = bench_with(name, clicks).tool
    assert tool.wants(key.key), f"{key.shown} would go to a shortcut of the window"
    assert tool.key(key.key), f"{key.shown}: {key.words}"


@pytest.mark.parametrize("name", [n for n in DRAWN if n != "scale_picture"])
def test_every_tool_lists_how_to_leave_and_has_a_title(name):
    tool = bench_with(name, 0).tool
    assert any(key.key == "escape" for key in tool.keys()) and tool.title and "_" not in tool.title
    assert len({key.shown for key in tool.keys()}) == len(tool.keys())


def test_a_key_that_is_listed_and_not_taken_is_found():
    class Liar(Tool):
        def keys(self):
            return [Key("Z", "nothing", "z")]

    tool = Liar(Studio(Preferences(kept=False)).tools.context)
    assert not any(tool.key(key.key) for key in tool.keys())
