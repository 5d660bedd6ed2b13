"""Icons of joint types that have no file of their own: the glyph, seen from aslant above its
axis.
"""

import numpy as np

from mechstudio.application.resources import resource
from mechstudio.application.scene.joints.joint_glyphs import glyph
from mechstudio.model.types.joints import JOINT_TYPES

SIZE, MARGIN, STEPS = 24.0, 2.5, 12
_HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" '
    'fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" '
    'stroke-linejoin="round">'
)
# the picture's right and up in the glyph's axes
_RIGHT = np.array((0.94, 0.0, -0.34))
_UP = np.array((-0.17, 0.87, -0.47))


def icon_text(name: str) -> str:
    """The SVG text of an icon: its file, or for a joint type without one a picture drawn from the
    motions of its row.
    """
    type = name.removeprefix("joint_")
    if name.startswith("joint_") and type in JOINT_TYPES:
        try:
            return resource("icons", f"{name}.svg").read_text(encoding="utf-8")
        except FileNotFoundError:
            return drawn_icon(type)
    return resource("icons", f"{name}.svg").read_text(encoding="utf-8")


def drawn_icon(type: str) -> str:
    """A picture of a joint type's glyph as SVG."""
    picture = glyph(type, STEPS)
    lines = [np.column_stack((line.points @ _RIGHT, -line.points @ _UP)) for line in picture.lines]
    every = np.vstack(lines)
    low, high = every.min(axis=0), every.max(axis=0)
    scale = (SIZE - 2 * MARGIN) / max(float((high - low).max()), 1e-9)
    middle = (low + high) / 2
    paths = []
    for line in lines:
        at = (line - middle) * scale + SIZE / 2
        paths.append("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in at))
    return f'{_HEAD}<path d="{"".join(paths)}"/></svg>'
