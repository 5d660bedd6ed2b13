"""Text and marks with a meaning stand out from their ground, in both themes (WCAG 2.1: text 4.5,
marks 3.0).
"""

import pytest

from mechstudio.tokens import contrast, readable, theme

TEXT, MARK = 4.5, 3.0


def pairs(name):
    """(name, ratio, demanded) of every pair of colours that the window sets."""
    t, out = theme(name), []
    for ground in ("canvas", "panel", "raised", "field", "hover", "accent_soft"):
        out += [
            (f"{text} on {ground}", contrast(t[text], t[ground]), TEXT)
            for text in ("text", "text2", "text3")
            if ground != "accent_soft" or text != "text3"
        ]
    for color in ("ok", "warn", "error"):
        out += [
            (f"{color} on {g}", contrast(t[color], t[g]), TEXT)
            for g in ("panel", "raised", f"{color}_soft")
        ]
    for color, ground in (
        ("text", "press"),
        ("on_accent", "accent"),
        ("accent_text", "panel"),
        ("accent_text", "accent_soft"),
        ("plot_axis", "plot"),
    ):
        out.append((f"{color} on {ground}", contrast(t[color], t[ground]), TEXT))
    out += [
        (f"series {i} on plot", contrast(c, t["plot"]), MARK) for i, c in enumerate(t["series"])
    ]
    out += [
        (f"series {i} as text", contrast(readable(c, t["panel"], t["text"]), t["panel"]), TEXT)
        for i, c in enumerate(t["series"])
    ]
    for mark in ("axis_x", "axis_y", "axis_z", "vector", "velocity", "acceleration", "accent"):
        out += [
            (f"{mark} on {g}", contrast(t[mark], t[g]), MARK) for g in ("view_top", "view_bottom")
        ]
    return out


@pytest.mark.parametrize("name", ["light", "dark"])
def test_colours_keep_their_contrast(name):
    assert not [
        f"{what}: {ratio:.2f} of {demanded}"
        for what, ratio, demanded in pairs(name)
        if ratio < demanded
    ]


def test_black_on_white_is_as_far_apart_as_colours_can_be():
    assert (
        contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
        and contrast("#808080", "#808080") == 1.0
    )
