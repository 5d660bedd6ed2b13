"""Pictures of plots: their content, its places, and every format; axes and their ticks."""

import re
import struct
import zlib
from xml.etree import ElementTree

import numpy as np
import pytest

from mechstudio.curves.axes import axis, decades, extent, pair
from mechstudio.curves.composition import Shown, panels
from mechstudio.curves.composition import content as picture_content
from mechstudio.curves.course import Course
from mechstudio.curves.picture import Line, Look, Panel, colors, png, svg

T = np.linspace(0.0, 5.0, 301)
SVG = "{http://www.w3.org/2000/svg}"


def shown(name="Torque of drive 1", dimension="torque", f=np.sin, run=""):
    return Shown(name, dimension, Course(T, f(T)), run)


def texts(picture):
    return [t.text for t in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def paths(picture):
    """The curves of a picture: arrays (n, 2) of their points in it."""
    clipped = [g for g in ElementTree.fromstring(picture).iter(f"{SVG}g") if g.get("clip-path")]
    return [
        np.array(
            [
                [float(n) for n in p.split(",")]
                for p in re.findall(r"[-\d.]+,[-\d.]+", path.get("d"))
            ]
        )
        for g in clipped
        for path in g.iter(f"{SVG}path")
    ]


def pixels(data):
    """(height, width, channels) of an 8-bit PNG without interlacing."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, head = 8, b"", ()
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, channels = head[0], head[1], {2: 3, 6: 4}[head[3]]
    raw = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * channels)
    out = np.zeros((height, width, channels), int)
    for y in range(height):
        kind, row = raw[y, 0], raw[y, 1:].reshape(width, channels).astype(int)
        up = out[y - 1] if y else np.zeros((width, channels), int)
        if kind == 0:
            out[y] = row
        elif kind == 2:
            out[y] = (row + up) % 256
        else:
            left, corner = np.zeros(channels, int), np.zeros(channels, int)
            for x in range(width):
                if kind == 1:
                    guess = left
                elif kind == 3:
                    guess = (left + up[x]) // 2
                else:
                    p = left + up[x] - corner
                    a, b, c = abs(p - left), abs(p - up[x]), abs(p - corner)
                    guess = np.where((a <= b) & (a <= c), left, np.where(b <= c, up[x], corner))
                left = out[y, x] = (row[x] + guess) % 256
                corner = up[x]
    return out


def test_curves_stand_where_their_axes_say():
    picture = svg(panels([shown()]), Look(800, 400))
    words = texts(picture)
    assert words[0] == "Torque of drive 1" and "N·m" in words and "5 s" in words and "−1.0" in words
    root = ElementTree.fromstring(picture)
    at = {t.text: (float(t.get("x")), float(t.get("y"))) for t in root.iter(f"{SVG}text")}
    (curve,) = paths(picture)
    # from the labels of two ticks to the scale of the curve
    em = 12.0
    zero, one = at["0.0"][1] - 0.36 * em, at["1.0"][1] - 0.36 * em
    y_of = lambda v: zero + v * (one - zero)
    assert curve[:, 0].min() < curve[:, 0].max() < 800
    x = curve[0, 0] + T / 5.0 * (curve[-1, 0] - curve[0, 0])
    assert np.abs(np.interp(x, curve[:, 0], curve[:, 1]) - y_of(np.sin(T))).max() < 0.6


def test_second_unit_takes_the_right_axis_and_a_third_another_panel():
    three = [
        shown(),
        shown("Force in A", "force", lambda t: 40 * np.sin(t)),
        shown("A angle", "angle"),
    ]
    made = panels(three)
    assert [(p.unit, p.second_unit) for p in made] == [("N·m", "N"), ("deg", "")]
    assert [n.second for n in made[0].lines] == [False, True]
    words = texts(svg(made, Look(900, 700)))
    assert "Force in A (right)" in words and "N" in words and "A angle" in words
    assert len(panels(three, log=True)) == 3, "an axis of powers of ten is one axis"


def test_several_runs_have_a_panel_per_quantity_and_a_hue_and_dash_each():
    runs = ("Run 1", "L1 = 100 mm", "L1 = 120 mm")
    made = panels([shown(q, d, run=r) for r in runs for q, d in (("T", "torque"), ("F", "force"))])
    assert [(p.title, p.unit) for p in made] == [("T", "N·m"), ("F", "N")]
    for panel in made:
        assert [n.name for n in panel.lines] == list(runs)
        assert [(n.color, n.dash) for n in panel.lines] == [(0, 0), (1, 1), (2, 2)]
    picture = svg(made, Look())
    assert [texts(picture).count(r) for r in runs] == [2, 2, 2]
    assert picture.count('stroke-dasharray="5 3"') == 4, "in the legend and in the plot"


@pytest.mark.thinned(2)
@pytest.mark.parametrize("theme", ["light", "dark", "paper"])
def test_png_has_the_size_and_the_colours_of_the_theme(theme):
    picture = svg(panels([shown()]), Look(240, 160, theme))
    image = pixels(png(picture))
    assert image.shape[:2] == (160, 240)
    ground = [int(colors(theme)["plot"][k : k + 2], 16) for k in (1, 3, 5)]
    for corner in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
        assert list(image[corner][:3]) == ground
    hue = np.array([int(colors(theme)["series"][0][k : k + 2], 16) for k in (1, 3, 5)])
    assert (np.abs(image[..., :3] - hue).max(axis=-1) < 12).sum() > 100
    assert pixels(png(picture, 192.0)).shape[:2] == (320, 480)


def test_every_format_by_its_ending():
    made = panels([shown()])
    look = Look.millimetres(80, 50)
    assert picture_content(made, look, ".SVG").decode().startswith("<svg ")
    document = picture_content(made, look, ".pdf")
    assert document.startswith(b"%PDF")
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", document)
    assert [float(n) for n in box.groups()] == pytest.approx(
        [80 / 25.4 * 72, 50 / 25.4 * 72], rel=1e-3
    )
    printed = pixels(picture_content(made, look, ".png", 300.0))
    assert printed.shape[:2] == pytest.approx((50 / 25.4 * 300, 80 / 25.4 * 300), abs=1)
    with pytest.raises(ValueError, match=r"There is no picture with the ending \.bmp"):
        picture_content(made, look, ".bmp")


def test_names_cannot_break_a_picture():
    odd = "<b>&\"'x</b>\x00\u202e"
    picture = svg(panels([shown(odd), shown("Ω 力 ü", f=np.cos)], title=odd), Look())
    assert "<b>&\"'x</b>" in texts(picture) and "Ω 力 ü" in texts(picture)
    assert png(picture).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "f",
    [
        lambda t: np.full_like(t, np.nan),
        lambda t: np.zeros_like(t),
        lambda t: np.full_like(t, 1e-300),
        lambda t: 1e300 * np.sin(t),
        lambda t: 1e9 + 1e-7 * np.sin(t),
        lambda t: np.where(t > 2, np.inf, t),
        lambda t: np.where((t > 1) & (t < 3), np.nan, t),
    ],
)
def test_odd_values_are_drawn_without_a_fault(f):
    for log in (False, True):
        picture = svg(panels([shown(f=f)], log=log), Look())
        assert "nan" not in picture.lower() and "inf," not in picture
        assert all((np.abs(p) < 2e5).all() for p in paths(picture))
        assert png(picture).startswith(b"\x89PNG")
    assert svg([Panel("", ())]) and svg([])
    single = Panel("One", (Line("p", np.array([1.0]), np.array([2.0]), points=True),))
    assert "<circle" in svg([single])


def test_a_gap_stays_open():
    (curve,) = [
        p.get("d")
        for p in ElementTree.fromstring(
            svg(panels([shown(f=lambda t: np.where((t > 1) & (t < 3), np.nan, t))]))
        ).iter(f"{SVG}path")
        if p.get("stroke-linejoin") and p.get("d").count(",") > 10
    ]
    assert curve.count("M") == 2


def test_a_zero_does_not_stretch_an_axis_of_powers_of_ten():
    dip = shown(f=lambda t: np.where(t == t[50], 0.0, 1e-9 * (2 + np.sin(t))))
    words = texts(svg(panels([dip], log=True)))
    assert [w for w in words if w.startswith("10")] == ["10⁻⁹", "10⁻⁸"]


def test_instants_of_panels_stand_below_each_other():
    wide = shown("Force in A", "force", lambda t: 9e4 + 1e4 * np.sin(t))
    picture = svg(panels([shown(), wide, shown("A angle", "angle")]), Look(900, 700))
    torque, force, angle = paths(picture)
    assert torque[0, 0] == force[0, 0] == angle[0, 0]
    assert torque[-1, 0] == force[-1, 0] == angle[-1, 0]


def test_axes_have_round_ticks():
    a = axis(-0.27, 3.31, 5)
    assert a.ticks == (-1, 0, 1, 2, 3, 4) and a.labels == ("−1", "0", "1", "2", "3", "4")
    assert (a.low, a.high) == (-1, 4)
    assert axis(0.0, 0.3, 3).labels == ("0.0", "0.1", "0.2", "0.3")
    tight = axis(0.83, 3.2, 4, tight=True)
    assert (tight.low, tight.high) == (0.83, 3.2) and tight.ticks == (1, 2, 3)
    small = axis(0.0, 2.5e-7, 5)
    assert small.factor_text == "×10⁻⁹" and small.labels[-1] == "250"
    assert decades(-12.3, -9.2).labels == ("10⁻¹³", "10⁻¹²", "10⁻¹¹", "10⁻¹⁰", "10⁻⁹")
    assert extent([np.array([np.nan]), np.zeros(0)]) == (0.0, 1.0) and extent([np.ones(3)]) == (
        0.5,
        1.5,
    )


@pytest.mark.parametrize("seed", range(40))
def test_two_axes_share_zero_and_grid_and_hold_all_values(seed):
    rng = np.random.default_rng(seed)
    spans = []
    for _ in range(2):
        low, high = np.sort(rng.normal(size=2) * 10.0 ** rng.integers(-4, 5))
        spans.append((low, high))
    left, right = pair(*spans)
    share = lambda a: -a.low / (a.high - a.low)
    assert share(left) == pytest.approx(share(right))
    places = lambda a: [(t - a.low) / (a.high - a.low) for t in a.ticks]
    assert places(left) == pytest.approx(places(right))
    for a, (low, high) in zip((left, right), spans):
        assert a.low <= low and high <= a.high and 0.0 in a.ticks
        # at most so much is empty
        assert max(high, 0) - min(low, 0) > 0.2 * (a.high - a.low)


def test_values_far_from_zero_have_an_axis_of_their_own():
    left, right = pair((1000.0, 1001.0), (-1.0, 1.0))
    assert left.low >= 999 and left.high <= 1002 and right.ticks[0] == -1
