"""The place and the length that the first drawing suggests, in views that are reckoned by hand, and
the words at its end.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from mechstudio.model.geometry.work_plane import FRONT
from mechstudio.model.project import Camera
from mechstudio.view.scene import camera as lens
from mechstudio.view.start.first_card import DONE, LATER, NOW, FirstCard
from mechstudio.view.start.first_drawing import ABOVE, RIGHT, ROUND, FirstDrawing

WIDE, TALL, PIXEL = 1000.0, 800.0, 0.001


def suggested(x, y, pixel=PIXEL):
    """The suggestion where the origin is at a place of the picture; elsewhere on the plane the
    picture is that of a camera whose target is off the origin.
    """
    target = ((WIDE / 2 - x) * pixel, 0.0, (y - TALL / 2) * pixel)
    half = 0.5 * TALL * pixel
    camera = Camera(target, -90.0, 0.0, 1.0, False)
    scale = lens.project(camera, (WIDE, TALL), np.array([target, np.add(target, (half, 0, 0))]))
    distance = abs(scale[1, 0] - scale[0, 0]) / (TALL / 2)
    camera = lens.replaced(camera, distance=distance)
    framing = SimpleNamespace(
        current=camera,
        size=(WIDE, TALL),
        pixel=pixel,
        world_to_pixel=lambda points: lens.project(camera, (WIDE, TALL), points)[:, :2],
    )
    at = framing.world_to_pixel(np.zeros((1, 3)))[0]
    assert at == pytest.approx((x, y), abs=1e-6)
    window = SimpleNamespace(
        viewport=SimpleNamespace(framing=framing, grid=0.05),
        studio=SimpleNamespace(tools=SimpleNamespace(context=SimpleNamespace(plane=FRONT))),
    )
    return FirstDrawing._suggestion(SimpleNamespace(_window=window))


def largest(most):
    """The largest round length below one."""
    return max(n * p for p in (1e-3, 1e-2, 1e-1, 1.0) for n in ROUND if n * p <= most * (1 + 1e-9))


@pytest.mark.parametrize(
    ("x", "y"), [(151.0, 400.0), (300.0, 500.0), (599.0, 321.0), (300.0, 679.0)]
)
def test_the_origin_is_taken_where_there_is_room(x, y):
    """Of the width from 15 to 60 %, of the height from 40 to 85 %."""
    origin, size = suggested(x, y)
    assert origin == (0.0, 0.0, 0.0)
    room = min((940.0 - x) / RIGHT, (y - 80.0) / ABOVE)
    assert size == pytest.approx(largest(room * PIXEL))


@pytest.mark.parametrize(
    ("x", "y"), [(149.0, 500.0), (601.0, 500.0), (300.0, 319.0), (300.0, 681.0)]
)
def test_elsewhere_a_place_of_the_grid_is_suggested(x, y):
    """At 35 % of the width and 62 % of the height, to the next line of a grid of 50 mm."""
    origin, size = suggested(x, y)
    assert origin != (0.0, 0.0, 0.0) and origin[1] == 0.0
    assert [c / 0.05 for c in origin] == pytest.approx([round(c / 0.05) for c in origin])
    at = x + origin[0] / PIXEL, y - origin[2] / PIXEL
    assert abs(at[0] - 350.0) <= 25.0 and abs(at[1] - 496.0) <= 25.0
    room = min((940.0 - at[0]) / RIGHT, (at[1] - 80.0) / ABOVE)
    assert size == pytest.approx(largest(room * PIXEL))


def test_tasks_are_done_next_or_later(qapp, theme, qtbot):
    card, reported = FirstCard(theme), []
    qtbot.addWidget(card)
    card.counted.connect(reported.append)
    count = len(card.tasks)
    states = lambda: [line.numeral.state for line in card.tasks]
    for k in range(count):
        done = (True,) * k + (False,) * (count - k)
        card.show_tasks(done, "A", "")
        assert states() == [DONE] * k + [NOW] + [LATER] * (count - k - 1)
        assert reported[-1] == f"{k + 1} of {count}" and card.skip.text() == "Skip"
        assert [not line.note.isHidden() for line in card.tasks] == [s == NOW for s in states()]
        assert card.more.isHidden() and not card._back.isHidden()
        names = [line.accessibleName().rpartition(": ")[2] for line in card.tasks]
        assert names[:k] == ["done"] * k and names[k] == "next"
    news = len(reported)
    card.show_tasks(done, "A", "")
    assert len(reported) == news, "nothing new"
    # one that was undone is next again, what came later stays done
    card.show_tasks((False, True) + (False,) * (count - 2), "A", "")
    assert states()[:3] == [NOW, DONE, LATER]
    card.show_tasks((True,) * count, "A", "1.2 J")
    assert states() == [DONE] * count and reported[-1] == "done" and card.skip.text() == "Close"
    assert card.words.text() == "1.2 J" and not card.more.isHidden() and card._back.isHidden()


def test_a_low_card_shows_the_next_task_alone(qapp, theme, qtbot):
    """First without the sentence, then without the other tasks."""
    card = FirstCard(theme)
    qtbot.addWidget(card)
    count = len(card.tasks)
    card.show_tasks((True,) + (False,) * (count - 1), "A", "")
    shown = lambda: (not card.words.isHidden(), [not line.isHidden() for line in card.tasks])
    alone = [k == 1 for k in range(count)]
    high = card.fit(300, 10_000)
    assert shown() == (True, [True] * count) and card.fit(300, high) == high
    middle = card.fit(300, high - 1)
    assert shown() == (False, [True] * count) and middle < high
    assert card.fit(300, middle) == middle
    low = card.fit(300, middle - 1)
    assert shown() == (False, alone) and low < middle and card.fit(300, 0) == low
    # at the end the sentence is the answer
    card.show_tasks((True,) * count, "A", "1.2 J")
    card.fit(300, 0)
    assert shown()[0]
