"""Outlines of bodies at other poses, on the graphics device: of all edges those are drawn that lie
between a face turned to the viewer and one turned away.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mechstudio.application.marks.figures.figure import Outline
from mechstudio.application.scene.instances import rotate
from mechstudio.tokens import body_color, rgb
from mechstudio.view.scene.marks.ribbons import Ribbons
from mechstudio.view.scene.rendering import shaders
from mechstudio.view.scene.rendering.gl import Device

WIDTH = 1.2  # [px]
HIDDEN = 0.35  # share of its strength behind bodies

_EDGE = np.dtype(
    [
        ("a_point", "f4", 3),
        ("a_other", "f4", 3),
        ("a_first", "f4", 3),
        ("a_second", "f4", 3),
        ("a_side", "f4"),
        ("a_tone", "f4", 4),
    ]
)
VERTEX = """
attribute vec3 a_point; attribute vec3 a_other; attribute vec3 a_first; attribute vec3 a_second;
attribute float a_side; attribute vec4 a_tone;
uniform mat4 u_matrix; uniform vec2 u_pixel; uniform float u_width; uniform float u_push;
uniform float u_alpha; uniform vec3 u_eye; uniform vec3 u_back; uniform float u_perspective;
varying vec4 v_color; varying vec2 v_side; varying vec3 v_point;
void main() {
    v_point = a_point;
    vec3 view = u_perspective > 0.5 ? u_eye - 0.5 * (a_point + a_other) : u_back;
    vec4 p = u_matrix * vec4(a_point, 1.0), o = u_matrix * vec4(a_other, 1.0);
    vec2 d = (o.xy / o.w - p.xy / p.w) / u_pixel;
    vec2 across = length(d) > 1e-4 ? normalize(vec2(-d.y, d.x)) : vec2(0.0);
    float half_width = 0.5 * u_width + 0.7;
    p.xy += across * a_side * half_width * u_pixel * p.w;
    p.z -= u_push * p.w;
    v_color = vec4(a_tone.rgb, a_tone.a * u_alpha);
    v_side = vec2(a_side * half_width, half_width);
    bool drawn = dot(a_first, view) * dot(a_second, view) <= 0.0;
    gl_Position = drawn ? p : vec4(2.0, 2.0, 2.0, 1.0);
}"""
FRAGMENT = (
    shaders.CUT
    + """
varying vec4 v_color; varying vec2 v_side; varying vec3 v_point;
void main() {
    cut(v_point);
    gl_FragColor = vec4(v_color.rgb, v_color.a * clamp(v_side.y - abs(v_side.x), 0.0, 1.0));
}"""
)


class Outlines:
    """Outlines of one scene on a device."""

    def __init__(self, device: Device) -> None:
        self._ribbons = Ribbons(device, VERTEX, FRAGMENT, {"u_alpha": HIDDEN}, {"u_alpha": 1.0})
        self.destroy = self._ribbons.destroy

    def load(self, outlines: Sequence[Outline], theme_name: str) -> None:
        """Put outlines on the device, in the colours of a theme."""
        shown = [each for each in outlines if len(each.edges.a)]
        self._ribbons.load([_vertices(each, theme_name) for each in shown])

    def draw(self, common: dict[str, Any], eye: dict[str, Any], scale: float) -> None:
        """Draw over solids, faint behind them.  eye: uniforms of the viewer's place."""
        self._ribbons.draw(common | eye | {"u_width": WIDTH * scale})


def _vertices(outline: Outline, theme_name: str) -> np.ndarray:
    """Four vertices of each edge: both sides of its ends."""
    e, pose = outline.edges, outline.pose
    q = np.asarray(pose[3:7], float)[None]
    a, b = (rotate(q, x) + pose[:3] for x in (e.a, e.b))
    v = np.zeros((len(a), 2, 2), _EDGE)
    # seen from the other end the sides change places
    for end, (at, other, sign) in enumerate(((a, b, 1.0), (b, a, -1.0))):
        v["a_point"][:, end], v["a_other"][:, end] = at[:, None], other[:, None]
        v["a_side"][:, end] = (-sign, sign)
    v["a_first"], v["a_second"] = (rotate(q, x)[:, None, None] for x in (e.first, e.second))
    v["a_tone"] = (*rgb(body_color(theme_name, outline.color)), outline.strength)
    return v.reshape(-1)
