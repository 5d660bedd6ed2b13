"""Conditions that end a run follow the edits of their elements."""

import mechstudio as ms
from mechstudio.model.edits import elements
from mechstudio.model.end_conditions import read
from mechstudio.model.fields import SETTINGS
from mechstudio.model.project import EndCondition
from mechstudio.model.quantity import Quantity


def project():
    m = ms.Builder("pendulum")
    rod = m.link("rod", (0, 0, 0), length="1 m", angle="0 deg")
    m.pin("A", m.ground, rod, at=rod.start)
    p = m.project()
    return elements.set_attribute(
        p,
        SETTINGS,
        until=(
            EndCondition("joint/A/0", Quantity(1.0, "1 rad")),
            EndCondition("energy/kinetic", Quantity(2.0)),
        ),
    )


def test_end_conditions_go_with_their_element():
    p = project()
    assert [c.channel for c in elements.remove(p, "A").settings.until] == ["energy/kinetic"]
    assert [c.channel for c in elements.set_attribute(p, "A", type="prismatic").settings.until] == [
        "energy/kinetic"
    ], "1 rad is no way along a slider"
    assert elements.set_attribute(p, "A", name="hinge").settings.until == p.settings.until


def test_values_are_formulas_and_live_in_files(tmp_path):
    p = elements.set_quantity(project(), SETTINGS, ("until", 0, "value"), "30 deg")
    ms.save(p, tmp_path / "p.mech")
    assert ms.load(tmp_path / "p.mech").settings.until == p.settings.until
    found = read("a angle < 30 deg", p)
    assert (found.channel, found.direction, found.value.text) == ("joint/A/0", "falling", "30 deg")
