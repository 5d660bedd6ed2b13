"""Curves over the time as SVG: no frame, a quiet grid, the legend in words, a dash where colours
repeat.
"""

import math
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from mechstudio.model.units import format_number
from mechstudio.symbolic.exports.pages.style import FONTS, HAIR, INK, NOTE, SERIES, svg_text
from mechstudio.symbolic.printers.printable import line

MOST_POINTS = 500  # of a curve; more are invisible in print
MOST_CURVES = 6
_DASHES = ("", "6 2.5", "2 2")
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


class Chart(NamedTuple):
    """title, unit: above the picture.   curves: (label, values), each as long as times [s]."""

    title: str
    unit: str
    times: np.ndarray
    curves: tuple[tuple[str, np.ndarray], ...]


def ticks(low: float, high: float, count: int = 4) -> list[float]:
    """Round numbers between two, about `count` of them."""
    if not high > low:
        return [low]
    raw = (high - low) / count
    base = 10.0 ** math.floor(math.log10(raw))
    step = next(s * base for s in _STEPS if s * base >= raw * 0.999)
    return [
        k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]


def svg(chart: Chart, width: float, height: float) -> str:
    """A chart as a picture of its own."""
    left, right, top, bottom = 34.0, 8.0, 34.0, 20.0
    every = max(1, len(chart.times) // MOST_POINTS)
    t = chart.times[::every]
    curves = [(label, y[::every]) for label, y in chart.curves[:MOST_CURVES]]
    finite = np.concatenate([y[np.isfinite(y)] for _, y in curves]) if curves else np.zeros(0)
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    spread = max(high - low, 1e-9 * max(abs(high), abs(low)), 1e-12)
    if high - low < spread:
        low, high = low - 0.5 * max(abs(low), 1.0), high + 0.5 * max(abs(high), 1.0)
    else:
        low, high = low - 0.06 * spread, high + 0.06 * spread
    begin, end = (float(t[0]), float(t[-1])) if len(t) > 1 else (0.0, 1.0)
    x = lambda s: left + (width - left - right) * (s - begin) / (end - begin)
    y_of = lambda v: top + (height - top - bottom) * (high - v) / (high - low)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}">'
    ]
    out.append(
        f'<text x="0" y="10" font-size="9" font-weight="600" fill="{INK}" '
        f'{FONTS}>{_escaped(chart.title)}<tspan font-weight="400" fill="{NOTE}" '
        f'dx="6">{_escaped(chart.unit)}</tspan></text>'
    )
    for v in ticks(low, high):
        out.append(
            f'<path d="M{left},{y_of(v):.2f} H{width - right}" stroke="{HAIR}" stroke-width="0.8"/>'
        )
        out.append(
            svg_text(_number(v, high - low), left - 4, y_of(v) + 2.6, 7.5, NOTE, "end", halo=False)
        )
    instants = ticks(begin, end, 5)
    for s in instants:
        number = _number(s, end - begin)
        out.append(
            svg_text(
                f"{number} s" if s == instants[-1] else number,
                x(s),
                height - bottom + 11,
                7.5,
                NOTE,
                halo=False,
            )
        )
    place = 0.0
    for k, (label, y) in enumerate(curves):
        color, dash = SERIES[k % len(SERIES)], _DASHES[k % len(_DASHES)]
        stroke = f'stroke="{color}" stroke-width="1.5" fill="none" stroke-linejoin="round"' + (
            f' stroke-dasharray="{dash}"' if dash else ""
        )
        path = " ".join(
            f"{x(float(s)):.2f},{y_of(float(v)):.2f}" for s, v in zip(t, y) if math.isfinite(v)
        )
        out.append(f'<polyline points="{path}" {stroke}/>')
        name = label if len(label) <= 22 else label[:21] + "…"
        if place + 20 + 4.2 * len(name) < width:
            out.append(f'<path d="M{place:.2f},20.5 h12" {stroke}/>')
            out.append(svg_text(name, place + 16, 23, 7.5, NOTE, "start", halo=False))
            place += 26 + 4.1 * len(name)
    return "\n".join([*out, "</svg>"]) + "\n"


def _escaped(text: str) -> str:
    return escape(line(text))


def _number(value: float, span: float) -> str:
    return format_number(0.0 if abs(value) < 1e-9 * span else value, 4)
