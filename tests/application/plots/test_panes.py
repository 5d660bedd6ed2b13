"""Contents of the plot panes, from the samples."""

import msgspec
import numpy as np
import pytest

from mechstudio.application.plots.panes import (
    DASHES,
    FLOOR,
    default_plots,
    panes,
    shown_numbers,
    shown_plots,
)
from mechstudio.application.plots.series import recorded
from mechstudio.application.resources import sample_folder
from mechstudio.application.runs.recording import Recording
from mechstudio.curves.picture import DASHES as FILE_DASHES
from mechstudio.files.project_file import load
from mechstudio.model.edits import contacts
from mechstudio.model.edits.links import FRONT, add_link
from mechstudio.model.project import Plot
from mechstudio.view.widgets.pens import PATTERNS


@pytest.fixture
def four_bar():
    return load(sample_folder() / "four_bar.mech").project


def test_without_plots_there_are_three(four_bar):
    project = msgspec.structs.replace(four_bar, plots=())
    shown = panes(project)
    assert [p.id for p in shown] == ["coordinate", "energy", "constraint"]
    assert shown[0].curves[0].key == "joint/A/0" and shown[0].curves[0].word == ""
    assert [c.word for c in shown[1].curves] == [
        "kinetic",
        "potential",
        "total",
        "balance",
    ] and shown[1].curves[-1].hidden
    assert shown[2].log and len(default_plots(project.mechanism)) == 3


def test_without_joints_the_first_body_s_height_and_the_error_of_contacts_are_shown():
    project = msgspec.structs.replace(
        load(sample_folder() / "bouncing_ball.mech").project, plots=()
    )
    assert [p.channels for p in default_plots(project.mechanism)][::2] == [
        ("body/lively/z",),
        ("contact/residual", "contact/overlap"),
    ]
    assert [p.units[0] for p in panes(project)] == ["mm", "J", "m/s, m"] and panes(project)[2].log
    without = contacts.enable(project, False)
    assert [p.id for p in panes(without)] == ["coordinate", "energy", "constraint"]
    # a joint has errors of its own
    assert (
        default_plots(load(sample_folder() / "gripper.mech").project.mechanism)[2].id
        == "constraint"
    )


def test_a_joint_has_the_colour_of_the_body_it_moves(four_bar):
    m = four_bar.mechanism
    shown = panes(
        msgspec.structs.replace(four_bar, plots=(Plot("p", "Two", ("joint/A/0", "joint/D/0")),))
    )[0]
    assert [c.color for c in shown.curves] == [m.bodies["crank"].color, m.bodies["rocker"].color]


def test_curves_of_one_body_differ_in_colour_and_dash():
    project = load(sample_folder() / "heavy_top.mech").project
    joint = next(iter(project.mechanism.joints))
    shown = panes(
        msgspec.structs.replace(
            project, plots=(Plot("p", "All", tuple(f"joint/{joint}/{k}" for k in range(3))),)
        )
    )[0]
    assert len({c.color for c in shown.curves}) == len({c.dash for c in shown.curves}) == 3


def test_a_second_unit_has_the_right_axis_and_a_third_its_own_pane(four_bar):
    keys = ("joint/A/0", "body/coupler/x", "energy/kinetic", "energy/potential", "body/coupler/vx")
    plots = (Plot("p", "Mixed", keys), Plot("q", "Alone", ("joint/B/0",)))
    project = msgspec.structs.replace(four_bar, plots=plots)
    first, second, third = panes(project)
    assert [c.second for c in first.curves] == [False, True] and first.units == ("deg", "mm")
    assert [c.second for c in second.curves] == [False, False, True]
    assert second.units == ("J", "mm/s") and third.id == "q" and not third.two_axes
    # nothing is left out, and what is shown is a project that shows the same
    assert [c.key for p in (first, second) for c in p.curves] == list(keys)
    again = msgspec.structs.replace(project, plots=shown_plots(project))
    assert panes(again) == panes(project)


def test_powers_of_ten_of_what_has_a_sign_stand_in_a_pane_of_their_own(four_bar):
    keys = ("measured/reactions/joint/A/Fx", "energy/kinetic", "energy/potential", "constraint/gap")
    shown = panes(msgspec.structs.replace(four_bar, plots=(Plot("p", "Mixed", keys, log=True),)))
    assert [(p.log, [c.key for c in p.curves]) for p in shown] == [
        (True, [keys[1], keys[3]]),
        (False, [keys[0], keys[2]]),
    ]


def test_a_run_of_another_drawing_has_its_own_columns(four_bar):
    """The column of a curve in the drawing of now is another number in the samples of a run before
    it, or none.
    """
    old = Recording(four_bar)
    rows = np.zeros((2, old.layout.width))
    rows[:, old.layout.joint("D").start] = 0.25
    old.append(rows)
    project, _ = add_link(four_bar, FRONT, (1.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    body = list(project.mechanism.bodies)[-1]
    new = msgspec.structs.replace(
        project, plots=(Plot("p", "Both", ("joint/D/0", f"body/{body}/x")),)
    )
    angle, place = panes(new)[0].curves
    assert shown_numbers(angle, recorded(old, angle.key).values, False) == pytest.approx(
        np.degrees([0.25, 0.25])
    )
    assert recorded(old, place.key) is None


def test_a_run_that_goes_on_is_read_on(four_bar):
    run = Recording(four_bar)
    rows = np.arange(6.0)[:, None] * np.ones(run.layout.width)
    run.append(rows[:2])
    assert list(recorded(run, "energy/total").values) == [0.0, 2.0]
    run.append(rows[2:])
    assert list(recorded(run, "energy/total").values) == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    assert (
        recorded(run, "nothing") is None and recorded(run, "measured/reactions/joint/A/Fx") is None
    )


def test_a_curve_read_elsewhere_says_where(four_bar):
    """Reactions of one joint in other axes and at another point have the same label: the legend
    tells them apart, and only then.
    """
    keys = tuple(f"measured/reactions/{said}/A/Fx" for said in ("joint", "world", "world@B"))
    words = lambda *keys: [
        c.word
        for c in panes(msgspec.structs.replace(four_bar, plots=(Plot("p", "Forces", keys),)))[
            0
        ].curves
    ]
    assert words(*keys) == ["A Fx (joint axes)", "A Fx (world axes)", "A Fx (world axes, at B)"]
    assert words(keys[0], "measured/reactions/joint/B/Fx") == ["A Fx", "B Fx"]
    seen = ("measured/relative/crank/coupler/v_rel x", "measured/relative/ground/coupler/v_rel x")
    assert words(*seen) == [
        "coupler v_rel x (seen from crank)",
        f"coupler v_rel x (seen from {four_bar.mechanism.ground.name})",
    ]
    assert words("measured/momenta/-/-/p'x", "measured/momenta/-@coupler/-/p'x") == [
        "p'x",
        "p'x (at coupler)",
    ]


def test_channels_that_are_gone_are_left_out(four_bar):
    shown = panes(
        msgspec.structs.replace(
            four_bar,
            plots=(
                Plot("p", "Gone", ("joint/nowhere/0",)),
                Plot("q", "Here", ("joint/A/0", "joint/nowhere/0")),
            ),
        )
    )
    assert [p.id for p in shown] == ["q"] and len(shown[0].curves) == 1


def test_numbers_are_in_the_unit_of_the_pane(four_bar):
    run = Recording(four_bar)
    rows = np.zeros((2, run.layout.width))
    rows[:, run.layout.joint("A").start] = np.pi
    rows[:, run.layout.energy.start : run.layout.energy.start + 2] = (1.0, 2.0)
    run.append(rows)
    shown = {
        c.key: (p, c) for p in panes(msgspec.structs.replace(four_bar, plots=())) for c in p.curves
    }

    def numbers(key):
        pane, curve = shown[key]
        return shown_numbers(curve, recorded(run, key).values, pane.log)

    assert numbers("joint/A/0") == pytest.approx([180.0, 180.0])
    assert numbers("energy/total") == pytest.approx([3.0, 3.0])
    assert numbers("constraint/position") == pytest.approx(np.log10([FLOOR] * 2))


def test_curves_up_to_the_number_of_colours_differ_in_dashes():
    project = load(sample_folder() / "four_bar.mech").project
    keys = tuple(f"body/{body}/{axis}" for body in ("crank", "coupler", "rocker") for axis in "xyz")
    plot = Plot("many", "Many", keys[:8])
    (pane,) = panes(msgspec.structs.replace(project, plots=(plot,)))
    assert len({c.dash for c in pane.curves}) == len(pane.curves) == 8
    assert len({c.color for c in pane.curves}) == 8


def test_every_dash_is_another_line_on_the_screen_and_in_files():
    assert len(DASHES) == len(set(PATTERNS)) == len({tuple(p) for p in PATTERNS.values()})
    assert len(FILE_DASHES) == len(set(FILE_DASHES)) == len(DASHES)
