"""Choice of plots: quantities on offer, and the edits that choose."""

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.resources import sample_folder
from mechstudio.application.runs.plot_choice import (
    PlotRefused,
    instead,
    offers,
    pane_with_room,
    shown_plots,
    with_curves,
    with_log,
)
from mechstudio.application.runs.plots import panes
from mechstudio.application.runs.recording import Recording
from mechstudio.application.runs.reference_runs import KeptRuns, difference, method_words
from mechstudio.engine.analyses.registry import analyse_as
from mechstudio.files.project_file import load
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.results.measured_channels import (
    is_measured,
    known,
    measured_channels,
    questions,
)

NAMES = [path.stem for path in sorted(sample_folder().glob("*.mech"))]


def sample(name):
    return load(sample_folder() / f"{name}.mech").project


@pytest.mark.parametrize("name", NAMES)
def test_every_offer_can_be_shown(name):
    project = sample(name)
    everything = offers(project)
    assert len({o.key for o in everything}) == len(everything) and {
        "Energy",
        "Constraint error",
        "Accelerations",
    } <= {o.group for o in everything}
    assert ("Reactions" in {o.group for o in everything}) is bool(project.mechanism.joints)
    assert ("Contacts" in {o.group for o in everything}) is project.mechanism.contacts.enabled
    for offer in everything:
        for pane in panes(instead(project, 0, [offer.key]))[:1]:
            assert (
                [c.key for c in pane.curves] == [offer.key]
                and pane.title
                and 0 <= pane.curves[0].color < 8
            )


@pytest.mark.parametrize("name", ["four_bar", "gear_train", "screw_jack"])
def test_labels_are_columns_of_the_analyses(name):
    """Else a curve would never be found: the engine names its columns, the model names the
    channels.
    """
    project = sample(name)
    body = next(iter(project.mechanism.bodies))
    joint = next(iter(project.mechanism.joints))
    # what is told of places and of a given motion too
    motion = (
        f"{joint}=5 deg*sin(2 rad/s*t)"
        if project.mechanism.joints[joint].type == "revolute"
        else "-"
    )
    channels = measured_channels(
        project.mechanism,
        ("joint", "world", "body", f"world@{joint}"),
        ("ground",),
        True,
        ("-", f"-@{body}"),
        ("-", motion),
    )
    assert any(c.element == body for c in channels.values())
    assert set(known(project.mechanism, channels)) == set(channels)
    for question, keys in questions(project.mechanism, channels, 0.02, 0.01).items():
        table = analyse_as(project, question.what, question.options)
        for key in keys:
            channel = channels[key]
            assert channel.label in table.columns, key
            assert table.dimensions[table.columns.index(channel.label)] == channel.dimension, key


def test_a_question_is_asked_once_for_all_elements():
    m = sample("four_bar").mechanism
    keys = [k for k in measured_channels(m) if "/reactions/" in k or "/kinematics/" in k]
    asked = questions(m, keys, 1.0, 0.1)
    assert [q.what for q in asked] == ["reactions", "kinematics"] and next(
        iter(asked)
    ).options.joints == ()
    assert sum(len(v) for v in asked.values()) == len(keys)
    assert (
        known(
            m,
            [
                "measured/reactions/joint/nowhere/Fx",
                "measured/x",
                "joint/A/0",
                "measured/reactions/joint@nowhere/A/Fx",
                "measured/inverse/nowhere=t/nowhere/motion effort",
            ],
        )
        == {}
    )


def test_curves_are_put_in_and_taken_out():
    project = msgspec.structs.replace(sample("four_bar"), plots=())
    one = with_curves(project, 0, ["joint/B/0"], True)
    assert (
        shown_plots(one)[0].channels == ("joint/A/0", "joint/B/0")
        and shown_plots(one)[0].title == "Joints"
        and len(one.plots) == 3
    )
    # a second dimension has its own axis; a third has none, and nothing that was chosen goes for it
    two = with_curves(one, 0, ["energy/kinetic"], True)
    force = ["measured/reactions/joint/A/Fx"]
    with pytest.raises(
        PlotRefused,
        match=(
            r"The plot Joints, Energy has two axes, and these curves would need 3: angle, "
            "energy and force."
        ),
    ):
        with_curves(two, 0, force, True)
    with pytest.raises(PlotRefused, match="would need 3: length, velocity and force"):
        with_curves(two, 2, force, True)
    with pytest.raises(PlotRefused, match="One plot has two axes"):
        instead(two, 0, ["joint/A/0", "energy/kinetic", *force])
    with pytest.raises(PlotRefused, match="8 curves at most, and these would be 10"):
        with_curves(
            two, 1, [f"measured/reactions/joint/{j}/F{c}" for j in "ABC" for c in "xy"], True
        )
    assert pane_with_room(two, force) == 1
    three = with_curves(one, 0, force, True)
    back = with_curves(three, 0, ["joint/A/0", "joint/B/0"], False)
    assert (
        shown_plots(back)[0].channels == ("measured/reactions/joint/A/Fx",)
        and shown_plots(back)[0].title == "A Fx"
    )
    assert with_curves(back, 0, ["measured/reactions/joint/A/Fx"], False) is back, (
        "a pane is never empty"
    )
    assert shown_plots(with_log(back, 1, True))[1].log
    assert all(is_measured(k) for k in shown_plots(back)[0].channels)


def test_a_chosen_reaction_lives_in_the_file(tmp_path):
    project = instead(sample("four_bar"), 2, ["measured/reactions/world/B/My"])
    ms.save(project, tmp_path / "x.mech")
    again = ms.load(tmp_path / "x.mech")
    assert (
        again.plots == project.plots
        and panes(again)[2].curves[0].key == "measured/reactions/world/B/My"
    )


def run_of(project, rows):
    recording = Recording(project)
    full = np.zeros((len(rows), recording.layout.width))
    full[:, 0] = np.arange(len(rows))
    full[:, recording.layout.energy.start + 3] = rows
    recording.append(full)
    recording.finish(True)
    return recording


def test_kept_runs_tell_in_what_they_differ():
    project = sample("four_bar")
    other = elements.set_attribute(
        project, fields.SETTINGS, integrator="rk4", formulation="absolute", drift="baumgarte"
    )
    assert (
        method_words(project.settings).startswith("DOP853 ")
        and method_words(other.settings) == "RK4 1 ms, absolute coordinates, Baumgarte"
    )
    kept, told = KeptRuns(), []
    kept.changed.connect(lambda: told.append(len(kept.runs)))
    first = run_of(project, [1.0, 2.0, 3.0])
    kept.keep(first)
    kept.keep(first)
    kept.keep(run_of(other, [4.0, 5.0]))
    assert told == [1, 2]
    assert (
        difference(kept.runs[0], project) == "kept"
        and difference(kept.runs[1], project) == "RK4 1 ms, absolute coordinates, Baumgarte"
    )
    assert difference(kept.runs[0], other).startswith("DOP853 ")
    longer = elements.set_quantity(project, "L1", ("value",), "140 mm")
    assert (
        "140" not in difference(kept.runs[0], longer) and difference(kept.runs[0], longer) != "kept"
    )
    balance = next(
        c
        for c in panes(msgspec.structs.replace(project, plots=()))[1].curves
        if c.key == "energy/balance"
    )
    time, values = kept.runs[0].shown(balance, False)
    assert list(time) == [0.0, 1.0, 2.0] and list(values * balance.factor) == pytest.approx(
        [1.0, 2.0, 3.0]
    )
    for _ in range(3):
        kept.keep(run_of(project, [0.0]))
    assert len(kept.runs) == 3, "the oldest goes"
    kept.forget()
    assert kept.runs == ()
