"""Presets of the mouse in the view: what a drag and the wheel do, as in programs that people come
from.  A new preset is one row.
"""

from collections.abc import Mapping

import msgspec

from mechstudio.translation import Words, comma, tr

ORBIT, PAN, ZOOM, BOX, NOTHING = "orbit", "pan", "zoom", "box", ""
ACTS: dict[str, Words] = {
    ORBIT: "turns the view",
    PAN: "moves the view",
    ZOOM: "zooms",
    BOX: "selects in a box",
}
BUTTONS: dict[str, Words] = {
    "left": "Drag empty room",
    "middle": "Middle drag",
    "right": "Right drag",
    "wheel": "Wheel",
}
KEYS: dict[str, Words] = {"shift": "Shift", "ctrl": "Ctrl", "alt": "Alt"}


class MousePreset(msgspec.Struct, frozen=True):
    """One way of moving the view.

    label: name of the program.  drags: what a drag does, by "middle" or "shift+middle"; where a key
    is held and has no entry of its own, the button alone counts.  away: 1 where the wheel turned
    away from the user comes closer, -1 where it goes farther.  scroll: what the wheel does
    instead of zooming, by the key that is held ("" for none), as on a trackpad.
    """

    label: Words
    drags: Mapping[str, str]
    away: int = 1
    scroll: Mapping[str, str] = {}

    def drag(self, button: str, keys: frozenset[str] = frozenset()) -> str:
        """The act of a drag with a button, with keys held; "" for none."""
        held = "+".join(key for key in KEYS if key in keys)
        return self.drags.get(f"{held}+{button}" if held else button) or self.drags.get(button, "")

    def wheel_use(self, keys: frozenset[str] = frozenset()) -> str:
        """The act of the wheel with keys held."""
        held = [self.scroll[key] for key in KEYS if key in keys and key in self.scroll]
        return held[0] if held else self.scroll.get("", ZOOM)

    def uses(self) -> list[tuple[str, str]]:
        """Drags and the wheel in words, grouped by their effect."""
        by_act: dict[str, list[str]] = {}
        for key, act in (*self.drags.items(), *self._wheel()):
            by_act.setdefault(act, []).append(_spoken(key))
        return [
            (comma().join([first, *(w[:1].lower() + w[1:] for w in more)]), tr(ACTS[act]))
            for act, (first, *more) in by_act.items()
        ]

    def _wheel(self) -> list[tuple[str, str]]:
        acts = {"": ZOOM, **self.scroll}
        return [(f"{key}+wheel" if key else "wheel", act) for key, act in acts.items()]


def _spoken(key: str) -> str:
    """A button with its keys in words: "Ctrl+middle drag"."""
    *keys, button = key.split("+")
    words = tr(BUTTONS[button])
    if not keys:
        return words
    return "+".join([*(tr(KEYS[k]) for k in keys), words[:1].lower() + words[1:]])


OURS, AS_PRESET, REVERSED = "mechstudio", "preset", "reversed"
MOUSE_PRESETS: dict[str, MousePreset] = {
    OURS: MousePreset(
        "mechstudio",
        {
            "left": ORBIT,
            "shift+left": PAN,
            "middle": ORBIT,
            "shift+middle": PAN,
            "right": ORBIT,
            "shift+right": PAN,
        },
    ),
    "solidworks": MousePreset(
        "SolidWorks",
        {"left": BOX, "middle": ORBIT, "ctrl+middle": PAN, "shift+middle": ZOOM},
        away=-1,
    ),
    "fusion": MousePreset(
        "Fusion",
        {"left": BOX, "middle": PAN, "shift+middle": ORBIT, "ctrl+middle": ZOOM},
    ),
    "onshape": MousePreset(
        "Onshape",
        {"left": BOX, "right": ORBIT, "ctrl+right": PAN, "middle": PAN},
    ),
    "blender": MousePreset(
        "Blender",
        {"left": BOX, "middle": ORBIT, "shift+middle": PAN, "ctrl+middle": ZOOM},
    ),
    "inventor": MousePreset(
        "Inventor",
        {"left": BOX, "middle": PAN, "shift+middle": ORBIT},
        away=-1,
    ),
    "trackpad": MousePreset(
        "Trackpad",
        {"left": ORBIT, "shift+left": PAN, "right": ORBIT, "shift+right": PAN},
        scroll={"": ORBIT, "shift": PAN, "ctrl": ZOOM},
    ),
}


def preset(key: str) -> MousePreset:
    """The preset of a preference; ours where none was chosen."""
    return MOUSE_PRESETS.get(key, MOUSE_PRESETS[OURS])
