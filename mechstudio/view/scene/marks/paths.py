"""Paths on the graphics device: ribbons in W that end at the time cursor, faint where bodies hide
them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mechstudio.application.marks.marks import Path
from mechstudio.tokens import body_color, rgb, theme
from mechstudio.view.scene.marks.ribbons import Ribbons
from mechstudio.view.scene.rendering.gl import Device

WIDTH, THIN = 2.6, 1.7  # of a trail, and of a curve of a whole turn [px]
HIDDEN = 0.30  # strength behind bodies
PALE = 0.28  # share of its colour that the slow or the early end of a shaded path keeps
DOTS = 7.0  # px from one dot of a dotted path to the next
OLD = 0.30  # strength of the oldest piece of a trail

_PIECE = np.dtype(
    [
        ("a_before", "f4", 3),
        ("a_point", "f4", 3),
        ("a_after", "f4", 3),
        ("a_style", "f4", 4),
        ("a_when", "f4", 2),
        ("a_tone", "f4", 3),
    ]
)

# a_style: side, width, way along the path [m], whether it is dotted.  a_when: time, and how long it
# is seen after that (0: for ever; less: at any time).
VERTEX = """
attribute vec3 a_before; attribute vec3 a_point; attribute vec3 a_after;
attribute vec4 a_style; attribute vec2 a_when; attribute vec3 a_tone;
uniform mat4 u_matrix; uniform vec2 u_pixel; uniform float u_scale; uniform float u_push;
uniform float u_alpha; uniform float u_now; uniform float u_dots;
varying vec4 v_color; varying vec2 v_side; varying vec2 v_when; varying vec2 v_dots;
void main() {
    vec4 p = u_matrix * vec4(a_point, 1.0);
    vec4 b = u_matrix * vec4(a_before, 1.0), c = u_matrix * vec4(a_after, 1.0);
    vec2 s = p.xy / p.w, into = (s - b.xy / b.w) / u_pixel, onward = (c.xy / c.w - s) / u_pixel;
    if (dot(into, into) < 1e-8) into = onward;
    if (dot(onward, onward) < 1e-8) onward = into;
    into = normalize(into + 1e-9); onward = normalize(onward + 1e-9);
    vec2 tangent = normalize(into + onward + 1e-6), across = vec2(-tangent.y, tangent.x);
    float half_width = 0.5 * a_style.y * u_scale + 0.7;
    p.xy += across * a_style.x * half_width / max(dot(across, vec2(-into.y, into.x)), 0.55)
        * u_pixel * p.w;
    p.z -= u_push * p.w;
    v_color = vec4(a_tone, u_alpha);
    v_side = vec2(a_style.x * half_width, half_width);
    v_when = vec2(a_when.x - u_now, a_when.y);
    v_dots = vec2(a_style.z / u_dots, a_style.w);
    gl_Position = p;
}"""
FRAGMENT = """uniform float u_old; uniform float u_span;
varying vec4 v_color; varying vec2 v_side; varying vec2 v_when; varying vec2 v_dots;
void main() {
    float age = -v_when.x, strength = 1.0;
    if (v_when.y >= 0.0) {
        if (age < 0.0 || (v_when.y > 0.0 && age > v_when.y)) discard;
        float span = v_when.y > 0.0 ? v_when.y : u_span;
        strength = mix(1.0, u_old, clamp(age / max(span, 1e-9), 0.0, 1.0));
    }
    if (v_dots.y > 0.5 && fract(v_dots.x) > 0.5) discard;
    gl_FragColor = vec4(v_color.rgb, v_color.a * strength
        * clamp(v_side.y - abs(v_side.x), 0.0, 1.0));
}"""


class Paths:
    """Paths of one scene on a device."""

    def __init__(self, device: Device) -> None:
        self._ribbons = Ribbons(device, VERTEX, FRAGMENT, {"u_alpha": HIDDEN}, {"u_alpha": 1.0})
        self.destroy = self._ribbons.destroy

    def load(self, paths: Sequence[Path], theme_name: str) -> None:
        """Put paths on the device, in the colours of a theme."""
        self._ribbons.load([_vertices(path, theme_name) for path in paths if len(path.strokes)])

    def draw(self, common: dict[str, Any], scale: float, now: float, pixel: float) -> None:
        """Draw over solids and marks.  now: time cursor [s].  pixel: its size in W [m]."""
        self._ribbons.draw(
            common
            | {
                "u_scale": float(scale),
                "u_now": float(now),
                "u_span": float(max(now, 1e-6)),
                "u_old": OLD,
                "u_dots": float(DOTS * scale * pixel),
            }
        )


def _vertices(path: Path, theme_name: str) -> np.ndarray:
    """Four vertices of each piece: both sides of its ends."""
    s = path.strokes
    v = np.zeros((len(s), 2, 2), _PIECE)
    for end, (before, at, after) in enumerate(((s.before, s.a, s.b), (s.a, s.b, s.after))):
        v["a_before"][:, end], v["a_point"][:, end], v["a_after"][:, end] = (
            before[:, None],
            at[:, None],
            after[:, None],
        )
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(s.b - s.a, axis=1))])
    v["a_style"][..., 0] = (-1.0, 1.0)
    v["a_style"][..., 1] = THIN if path.whole else WIDTH
    v["a_style"][:, :, :, 2] = np.column_stack([way[:-1], way[1:]])[:, :, None]
    v["a_style"][..., 3] = float(path.dotted)
    v["a_when"][..., 0] = 0.0 if path.whole else s.times[:, :, None]
    v["a_when"][..., 1] = -1.0 if path.whole else path.last
    full = np.array(rgb(body_color(theme_name, path.color)))
    if path.shaded:
        pale = np.array(rgb(theme(theme_name)["view_bottom"]))
        share = (PALE + (1.0 - PALE) * s.shares)[:, :, None, None]
        v["a_tone"] = pale + share * (full - pale)
    else:
        v["a_tone"] = full
    return v.reshape(-1)
