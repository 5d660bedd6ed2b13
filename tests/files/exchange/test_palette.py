"""Bodies have in files of other programs the colours that the window shows, and come back in
them.
"""

import pytest

from mechstudio.files.exchange.palette import color_of, nearest
from mechstudio.model.mechanism import Body, Shape
from mechstudio.tokens import rgb, theme

LIGHT = theme("light")


def test_colours_are_those_of_the_light_theme():
    plain, steel, cast = (Shape("box", {}, material=m) for m in ("paint", "steel", "cast"))
    for k, color in enumerate((*LIGHT["series"], LIGHT["series"][0])):
        assert color_of(Body("a", "a", color=k), plain) == rgb(color)
    body = Body("a", "a", color=2)
    assert color_of(body, steel) == rgb(LIGHT["steel"])
    assert color_of(body, cast) == rgb(LIGHT["cast"])
    assert color_of(Body("a", "a", color=-1), plain) == rgb(LIGHT["cast"])


@pytest.mark.parametrize("k", range(8))
def test_a_colour_comes_back(k):
    assert nearest(rgb(LIGHT["series"][k])) == k


def test_an_unknown_colour_becomes_the_nearest_hue():
    assert nearest((1.0, 0.45, 0.05)) == 1  # orange
    assert nearest((0.5, 0.5, 0.5)) == 7  # grey
