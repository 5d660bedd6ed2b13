"""Errors of shapes whose lengths leave nothing of them."""

import pytest

import mechstudio as ms


def pipe(inner):
    m = ms.Builder("Pipe")
    m.body("pipe", (0, 0, 0)).tube("50 mm", inner, "100 mm")
    return ms.check(m.project()).findings


@pytest.mark.parametrize("inner", ["50 mm", "60 mm"])
def test_a_bore_as_wide_as_the_tube_is_an_error(inner):
    found = [f for f in pipe(inner) if f.severity == "error"]
    assert found[0].element == "pipe"
    assert "inner radius is not less than the radius" in found[0].message
    assert found[0].cure == "Type a smaller inner radius."


def test_a_thin_wall_is_none():
    assert not [f for f in pipe("49.9 mm") if f.severity == "error"]
