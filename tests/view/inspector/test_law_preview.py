"""The small picture of a law: its samples, the motion of a drive, and what its points exceed."""

import numpy as np
import pytest

from mechstudio.model.laws.interpolation import STRAIGHT, Overshoot
from mechstudio.model.mechanism import Law
from mechstudio.model.quantity import Quantity
from mechstudio.view.inspector.laws.law_preview import (
    STEPS,
    LawPreview,
    Shown,
    integrated,
    motion_curves,
    places,
    sampled,
)

TIMES = np.linspace(0.0, 2.0, 2001)


@pytest.mark.parametrize(
    ("quantity", "rate"), [("position", 0), ("velocity", 1), ("acceleration", 2)]
)
def test_the_motion_of_a_drive_is_that_of_its_law(quantity, rate):
    """A way of t^3 + 2, prescribed by itself, by its speed and by its acceleration."""
    t, zero = TIMES, np.zeros_like(TIMES)
    derivatives = [t**3 + 2.0, 3.0 * t**2, 6.0 * t, np.full_like(t, 6.0), zero]
    jets = np.array(derivatives[rate : rate + 3]).T
    curves = motion_curves(jets, t, quantity, "angle")
    assert [(word, dimension) for word, dimension, _ in curves] == [
        ("angle", "angle"),
        ("speed", "angular_velocity"),
        ("acceleration", "angular_acceleration"),
    ]
    for (_, _, found), exact in zip(curves, (t**3, 3.0 * t**2, 6.0 * t)):
        assert found == pytest.approx(exact, abs=2e-6)
    dimensions = [d for _, d, _ in motion_curves(jets, t, quantity, "length")]
    assert dimensions == ["length", "velocity", "acceleration"]
    assert motion_curves(jets, t, quantity, "length")[0][0] == "length"
    assert integrated(np.array([1.0, 3.0, 3.0]), np.array([0.0, 1.0, 1.5])).tolist() == [0, 2, 3.5]


def test_samples_of_a_law_hold_its_corners_and_short_pieces():
    """Between two points a millisecond apart there are samples, and one just before each corner."""
    points = tuple(
        (Quantity(t), Quantity(y)) for t, y in ((0.0, 0.0), (0.5, 1.0), (0.501, 0.0), (4.0, 0.0))
    )
    table = Law("table", points=points, between=STRAIGHT)
    found = places(table, 2.0)
    assert (np.diff(found) > 0).all() and (found[0], found[-1]) == (0.0, 2.0)
    assert {0.5, 0.501, float(np.nextafter(0.5, 0.0))} <= set(found.tolist())
    assert set(np.linspace(0.0, 2.0, STEPS).tolist()) <= set(found.tolist())
    assert ((found > 0.5) & (found < 0.501)).sum() >= 10
    values = sampled(table, found, {})
    assert values[:, 0].max() == 1.0 and values.shape == (len(found), 3)
    assert sampled(Law("expression", text="2*("), found, {}) is None


def test_the_picture_is_as_high_as_its_curves_and_says_what_exceeds_the_points(theme, qapp):
    curves = tuple((word, "angle", np.sin(TIMES)) for word in ("a", "b"))
    beyond = tuple(Overshoot(0.1, 0.4, peak, size) for peak, size in ((0.2, 0.01), (0.3, 0.02)))
    shown = [
        None,
        Shown(TIMES, "time", curves[:1]),
        Shown(TIMES, "time", curves),
        Shown(TIMES, "time", curves, 1, beyond),
    ]
    preview = LawPreview(theme, lambda: shown[0], lambda: "mm-N-deg")
    for high in (56 + 18 + 2, 56 + 18 + 2, 2 * 56 + 18 + 2, 2 * 56 + 2 * 18 + 2):
        preview.refresh()
        assert preview.height() == high
        assert not preview.grab().isNull()
        assert preview.warning == ("" if len(shown) > 1 else preview.accessibleDescription())
        if len(shown) > 1:
            shown.pop(0)
    assert shown[0].worst == beyond[1] and preview.warning == "1.15 deg beyond its points at 0.3 s"
    preview.deleteLater()
