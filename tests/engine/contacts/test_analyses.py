"""Analyses of a run with contacts know the contacts' forces, or say that they do not; each against
statics or Newton's law by hand.
"""

import msgspec
import numpy as np
import pytest

from mechstudio.engine.analyses.registry import analyse
from mechstudio.engine.errors import EngineError
from mechstudio.engine.structure.conservation import conserved
from mechstudio.model.contact import ContactPair
from mechstudio.model.mechanism import GROUND, Frame, Joint, Limit, Placement
from mechstudio.model.project import Project, Settings
from mechstudio.model.quantity import vector
from tests.engine.contacts.cases import G, Q, ball, box, box_shape, mechanism, skin

ALONG_Y = (0.0, 0.0, -np.pi / 2)  # z of the joint along y of W


def beam() -> Project:
    """A beam of 3 kg and 1 m on a pin at its left end and a block of ground near its right one, 0.9
    m from the pin.
    """
    joint = Joint(
        "pin",
        "pin",
        "revolute",
        Frame(GROUND, "", Placement(vector(0.0, 0.0, 0.55), vector(*ALONG_Y))),
        Frame("beam", "", Placement(vector(-0.5, 0.0, 0.0), vector(*ALONG_Y))),
    )
    # without friction: what rubs below the pin could press against it without end
    bodies = [box("beam", (1.0, 0.1, 0.1), 3.0, (0.5, 0.0, 0.55), surface=skin(0.0))]
    drawn = mechanism(
        bodies,
        ground=[box_shape(0.02, 0.5, 0.5, (0.9, 0.0, 0.25))],
        joints={"pin": joint},
        touching=[("beam", GROUND)],
    )
    return Project(drawn, settings=Settings(duration=Q(0.5), sample_step=Q(0.05)))


def column(table, name):
    return table.rows[:, table.columns.index(name)]


def test_reactions_of_a_beam_on_a_pin_and_a_block():
    """Statics: moments about the pin give N at the block, the rest of the weight is the pin's.  The
    block touches between 0.89 m and 0.91 m.
    """
    table = analyse(beam(), "reactions", axes="world")
    for row in (0, -1):
        up = column(table, "pin Fz")[row]
        assert 3.0 * G * (1 - 0.5 / 0.89) - 1e-3 < up < 3.0 * G * (1 - 0.5 / 0.91) + 1e-3, row
    assert table.residual < 1e-9
    assert np.abs(column(table, "pin Fx")).max() < 1e-3


@pytest.mark.parametrize("what", ["free_bodies", "momenta", "torsors", "power", "loads"])
def test_balances_close_with_contacts(what):
    """Newton and Euler: what acts on the bodies, contacts included, is what their inertia needs."""
    table = analyse(beam(), what, **({"time": 0.3} if what in ("torsors", "power") else {}))
    assert table.residual < 1e-9
    if what == "free_bodies":
        assert column(table, "beam contacts Fz")[-1] == pytest.approx(3.0 * G * 0.5 / 0.9, rel=0.02)


def test_friction_and_rolling_resistance_count_in_accelerations():
    """A block that slides: a = -mu g.  A ball that rolls against a resistance rho: a = -rho g / r /
    (1 + 2/5).
    """
    drawn = mechanism(
        [
            box("block", (0.2, 0.2, 0.1), 2.0, (0.0, 0.0, 0.05), v=(2.0, 0.0, 0.0)),
            ball(
                "ball",
                0.1,
                1.0,
                (0.0, 1.0, 0.1),
                v=(1.0, 0.0, 0.0),
                w=(0.0, 10.0, 0.0),
                surface=skin(0.5, rolling=0.01),
            ),
        ],
        floor=skin(0.5, rolling=0.01),
    )
    table = analyse(
        Project(drawn, settings=Settings(duration=Q(0.2), sample_step=Q(0.05))), "kinematics"
    )
    assert column(table, "block ax") == pytest.approx(np.full(5, -0.5 * G), rel=1e-3)
    assert column(table, "ball ax")[1:] == pytest.approx(
        np.full(4, -0.01 * G / 0.1 / 1.4), rel=2e-2
    )


def test_a_stop_that_is_leaned_against_acts():
    """A weight that lies on the stop of its slide: the stop carries it, the free body is at
    rest.
    """
    slide = Joint(
        "slide",
        "slide",
        "prismatic",
        Frame(GROUND),
        Frame("weight"),
        limits=(Limit(0, Q(-0.01), None, Q(0.0)),),
    )
    drawn = mechanism(
        [box("weight", (0.1, 0.1, 0.1), 1.5, (0.0, 0.0, 0.0))], joints={"slide": slide}
    )
    table = analyse(
        Project(drawn, settings=Settings(duration=Q(0.5), sample_step=Q(0.1))), "free_bodies"
    )
    assert (
        column(table, "weight stop slide Fz")[-1] == pytest.approx(1.5 * G, rel=1e-6)
        and table.residual < 1e-9
    )


@pytest.mark.parametrize("what", ["linearise", "matrices", "equilibria", "drift"])
def test_analyses_without_contacts_refuse_a_drawing_with_contacts(what):
    with pytest.raises(EngineError, match="know nothing of contacts"):
        analyse(beam(), what)


def test_energy_is_listed_by_cause():
    table = analyse(beam(), "energy")
    assert table.columns[3:] == [
        "drives",
        "motors, forces, dampers",
        "friction",
        "impacts",
        "balance",
    ]


def test_a_floor_conserves_nothing():
    """Two bodies in free space keep their momentum although they touch; over a floor they do not
    have to.
    """
    bodies = [ball("a", 0.1, 1.0, (0.0, 0.0, 1.0)), ball("b", 0.1, 1.0, (0.5, 0.0, 1.0))]
    free = mechanism(bodies, gravity=vector(0.0, 0.0, 0.0))
    assert len(conserved(free)) > 0
    assert conserved(mechanism(bodies, gravity=vector(0.0, 0.0, 0.0), floor=skin())) == ()
    apart = msgspec.structs.replace(mechanism(bodies, gravity=vector(0.0, 0.0, 0.0), floor=skin()))
    apart = msgspec.structs.replace(
        apart,
        contacts=msgspec.structs.replace(
            apart.contacts, pairs=(ContactPair("a", GROUND), ContactPair("b", GROUND))
        ),
    )
    assert len(conserved(apart)) > 0
