"""Lines of figures on the graphics device; those fixed to a body go along with it by its row."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mechstudio.application.marks.figures.figure import Line
from mechstudio.tokens import body_color, rgb, theme
from mechstudio.view.scene.marks.ribbons import Ribbons
from mechstudio.view.scene.rendering import shaders
from mechstudio.view.scene.rendering.gl import Device
from mechstudio.view.scene.rendering.vertices import row_places

DASH = 9.0  # px of a dash and its gap

_END = np.dtype(
    [
        ("a_before", "f4", 3),
        ("a_point", "f4", 3),
        ("a_after", "f4", 3),
        ("a_style", "f4", 4),
        ("a_tone", "f4", 4),
        ("a_row", "f4", 2),
        ("a_hidden", "f4"),
    ]
)
# a_style: side, width, way along the line [m], whether it is dashed
VERTEX = (
    shaders.LOOKUP
    + """
attribute vec3 a_before; attribute vec3 a_point; attribute vec3 a_after; attribute vec4 a_style;
attribute vec4 a_tone; attribute float a_hidden;
uniform mat4 u_matrix; uniform vec2 u_pixel; uniform float u_scale; uniform float u_push;
uniform float u_behind; uniform float u_dash;
varying vec4 v_color; varying vec2 v_side; varying vec2 v_dash; varying vec3 v_point;
vec4 placed(vec3 p, vec4 q, vec3 at) { return u_matrix * vec4(turned(q, p) + at, 1.0); }
void main() {
    vec4 q = texel(0.0); vec3 at = texel(1.0).xyz;
    vec4 p = placed(a_point, q, at), b = placed(a_before, q, at), c = placed(a_after, q, at);
    vec2 s = p.xy / p.w, into = (s - b.xy / b.w) / u_pixel, onward = (c.xy / c.w - s) / u_pixel;
    if (dot(into, into) < 1e-8) into = onward;
    if (dot(onward, onward) < 1e-8) onward = into;
    into = normalize(into + 1e-9); onward = normalize(onward + 1e-9);
    vec2 tangent = normalize(into + onward + 1e-6), across = vec2(-tangent.y, tangent.x);
    float half_width = 0.5 * a_style.y * u_scale + 0.7;
    p.xy += across * a_style.x * half_width / max(dot(across, vec2(-into.y, into.x)), 0.55)
        * u_pixel * p.w;
    p.z -= u_push * p.w;
    v_color = vec4(a_tone.rgb, a_tone.a * mix(1.0, a_hidden, u_behind));
    v_side = vec2(a_style.x * half_width, half_width);
    v_dash = vec2(a_style.z / u_dash, a_style.w);
    v_point = turned(q, a_point) + at;
    gl_Position = p;
}"""
)
FRAGMENT = (
    shaders.CUT
    + """
varying vec4 v_color; varying vec2 v_side; varying vec2 v_dash; varying vec3 v_point;
void main() {
    cut(v_point);
    if (v_dash.y > 0.5 && fract(v_dash.x) > 0.6) discard;
    gl_FragColor = vec4(v_color.rgb, v_color.a * clamp(v_side.y - abs(v_side.x), 0.0, 1.0));
}"""
)


class FigureLines:
    """Lines of one scene on a device."""

    def __init__(self, device: Device) -> None:
        self._ribbons = Ribbons(device, VERTEX, FRAGMENT, {"u_behind": 1.0}, {"u_behind": 0.0})
        self.destroy = self._ribbons.destroy

    def load(
        self, lines: Sequence[Line], bodies: Sequence[str], table_lines: int, theme_name: str
    ) -> None:
        """Put lines on the device.  bodies: ids in the order of their rows.  table_lines: of the
        texture of rows.
        """
        index = {id: k for k, id in enumerate(bodies)}
        known = [x for x in lines if x.body in index and len(x.points) > 1]
        self._ribbons.load([_vertices(x, index[x.body], table_lines, theme_name) for x in known])

    def draw(self, common: dict[str, Any], scale: float, pixel: float) -> None:
        """Draw over solids, faint behind them.  pixel: its size in W [m]."""
        self._ribbons.draw(common | {"u_scale": float(scale), "u_dash": DASH * scale * pixel})


def _vertices(line: Line, row: int, table_lines: int, theme_name: str) -> np.ndarray:
    """Four vertices of each piece: both sides of its ends."""
    p = np.asarray(line.points, float)
    closed = len(p) > 3 and np.allclose(p[0], p[-1], rtol=0, atol=1e-9 * np.ptp(p))
    before, after = (
        np.vstack([p[-2 if closed else 0], p[:-1]]),
        np.vstack([p[1:], p[1 if closed else -1]]),
    )
    v = np.zeros((len(p) - 1, 2, 2), _END)
    for end, part in enumerate((slice(None, -1), slice(1, None))):
        v["a_before"][:, end] = before[part][:, None]
        v["a_point"][:, end] = p[part][:, None]
        v["a_after"][:, end] = after[part][:, None]
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(p, axis=0), axis=1))])
    v["a_style"][..., 0] = (-1.0, 1.0)
    v["a_style"][..., 1] = line.width
    v["a_style"][..., 2] = np.column_stack([way[:-1], way[1:]])[:, :, None]
    v["a_style"][..., 3] = float(line.dashed)
    color = theme(theme_name)[line.role] if line.role else body_color(theme_name, line.color)
    v["a_tone"], v["a_hidden"] = (*rgb(color), line.strength), line.hidden
    v["a_row"] = row_places(np.array([row]), table_lines)[0]
    return v.reshape(-1)
