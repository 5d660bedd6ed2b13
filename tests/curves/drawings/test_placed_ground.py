"""Curves of a drawing whose ground stands elsewhere are those of the same drawing at the origin."""

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.geometry.rotation import conjugate, minus, multiply, rotate, to_angles
from mechstudio.model.mechanism import GROUND, Placement
from mechstudio.model.quantity import vector

replace = msgspec.structs.replace
PLACE = Placement(vector(0.3, 0.2, 0.1), vector(0.5, 0.0, 0.0))


def swinging():
    m = ms.Builder("swing")
    arm = m.link("arm", (0, 0, 0), (0.3, 0, 0))
    m.pin("A", m.ground, arm, at=(0, 0, 0))
    top = (0.1, 0.05, 0.4)
    m.force("spring", "S", a=m.ground, b=arm, at=(top, arm.end), stiffness=100, free_length=0.1)
    m.gauge("G", ms.point_on(m.ground, top), ms.point_on(arm, arm.end))
    return m.project()


def moved(frame):
    """A frame of ground given in the axes of the ground that was put elsewhere."""
    if frame is None or frame.body != GROUND:
        return frame
    p, q = PLACE.pose
    place, turn = frame.placement.pose
    placement = Placement(
        vector(*rotate(conjugate(q), minus(place, p))),
        vector(*to_angles(multiply(conjugate(q), turn))),
    )
    return replace(frame, placement=placement)


def with_placed_ground(project):
    m = project.mechanism
    elements = {
        table: {
            id: replace(e, frame_a=moved(e.frame_a), frame_b=moved(e.frame_b))
            for id, e in getattr(m, table).items()
        }
        for table in ("joints", "forces")
    }
    gauges = {
        id: replace(g, ends=tuple(replace(e, frame=moved(e.frame)) for e in g.ends))
        for id, g in project.gauges.items()
    }
    placed = replace(m, ground=replace(m.ground, placement=PLACE), **elements)
    return replace(project, mechanism=placed, gauges=gauges)


@pytest.mark.parametrize("name", ["Length of S", "Force of S", "Power of S", "G"])
def test_a_force_and_a_gauge_from_a_placed_ground(name):
    runs = [ms.simulate(p, duration=1) for p in (swinging(), with_placed_ground(swinging()))]
    assert runs[1].poses == pytest.approx(runs[0].poses, abs=1e-8)
    (here,), (there,) = (run.courses(name) for run in runs)
    assert there.values == pytest.approx(here.values, abs=1e-6)
    assert np.ptp(here.values) > 1e-3
