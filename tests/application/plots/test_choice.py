"""Choice of plots: quantities on offer, and the edits that choose."""

import msgspec
import pytest

import mechstudio as ms
from mechstudio.application.plots.choice import (
    PlotRefused,
    instead,
    pane_with_room,
    with_curves,
    with_log,
)
from mechstudio.application.plots.layout import layout, plots_in
from mechstudio.application.plots.panes import panes, shown_plots
from mechstudio.application.resources import sample_folder
from mechstudio.curves.quantities import quantities
from mechstudio.engine.analyses.registry import analyse_as
from mechstudio.files.project_file import load
from mechstudio.model.results.analysed_channels import (
    analysed_channels,
    known,
    questions,
)

NAMES = [path.stem for path in sorted(sample_folder().glob("*.mech"))]


def sample(name):
    return load(sample_folder() / f"{name}.mech").project


@pytest.mark.thinned(5)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.thinned(9)
def test_every_offer_can_be_shown(name):
    project = sample(name)
    everything = quantities(project).values()
    assert {"Energy", "Constraint error"} <= {o.group for o in everything}
    assert ("Forces in joints" in {o.group for o in everything}) is bool(project.mechanism.joints)
    assert ("Contacts" in {o.group for o in everything}) is project.mechanism.contacts.enabled
    first = shown_plots(project)[0].id
    for offer in everything:
        for pane in panes(instead(project, first, [offer.key]).project)[:1]:
            assert (
                [c.key for c in pane.curves] == [offer.key]
                and pane.title
                and 0 <= pane.curves[0].color < 8
            )


@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", ["four_bar", "gear_train", "screw_jack"])
def test_labels_are_columns_of_the_analyses(name):
    """Else a curve would never be found: the engine names its columns, the model names the
    channels.
    """
    project = sample(name)
    body = next(iter(project.mechanism.bodies))
    joint = next(iter(project.mechanism.joints))
    # what is reported of places and of a given motion too
    motion = (
        f"{joint}=5 deg*sin(2 rad/s*t)"
        if project.mechanism.joints[joint].type == "revolute"
        else "-"
    )
    channels = analysed_channels(
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


def test_a_question_is_sent_once_for_all_elements():
    m = sample("four_bar").mechanism
    keys = [k for k in analysed_channels(m) if "/reactions/" in k or "/kinematics/" in k]
    requested = questions(m, keys, 1.0, 0.1)
    assert [q.what for q in requested] == ["reactions", "kinematics"] and next(
        iter(requested)
    ).options.joints == ()
    assert sum(len(v) for v in requested.values()) == len(keys)
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


FORCE = "measured/reactions/joint/A/Fx"


def test_curves_are_put_in_and_taken_out():
    project = msgspec.structs.replace(sample("four_bar"), plots=())
    one = with_curves(project, "coordinate", ["joint/B/0"], True).project
    assert (
        shown_plots(one)[0].channels == ("joint/A/0", "joint/B/0")
        and shown_plots(one)[0].title == "Joints"
        and len(one.plots) == 3
    )
    three = with_curves(one, "coordinate", [FORCE], True).project
    back = with_curves(three, "coordinate", ["joint/A/0", "joint/B/0"], False).project
    assert (
        shown_plots(back)[0].channels == (FORCE,)
        and shown_plots(back)[0].title == "Force in A: x, joint axes"
    )
    # the last one leaves an empty pane, which stays where it is
    empty = with_curves(back, "coordinate", [FORCE], False).project
    assert [p.id for p in panes(empty)] == ["coordinate", "energy", "constraint"]
    assert panes(empty)[0].curves == () and panes(empty)[0].title == ""
    many = [f"body/{b}/{part}{c}" for b in ("crank", "coupler") for part in "vw" for c in "xyz"]
    many += [f"measured/kinematics/-/{b}/a{c}" for b in ("crank", "coupler") for c in "xyz"]
    many += [
        f"measured/reactions/{a}/{j}/F{c}"
        for a in ("joint", "world")
        for j in "ABCD"
        for c in "xyz"
    ]
    with pytest.raises(PlotRefused, match="32 curves at most, and these would be 42"):
        instead(project, "energy", many)


def test_a_third_unit_opens_a_pane_at_the_right_and_is_reported():
    project = msgspec.structs.replace(sample("four_bar"), plots=())
    two, none = with_curves(project, "coordinate", ["energy/kinetic"], True)
    assert none == "" and len(panes(two)) == 3
    three, sentence = with_curves(two, "coordinate", [FORCE], True)
    assert sentence == "Force in A: x, joint axes would need a third axis; shown in its own pane."
    assert [list(p.channels) for p in three.plots] == [
        ["joint/A/0", "energy/kinetic"],
        list(shown_plots(project)[1].channels),
        list(shown_plots(project)[2].channels),
        [FORCE],
    ]
    assert list(plots_in(layout(three))) == [
        "coordinate",
        three.plots[3].id,
        "energy",
        "constraint",
    ]
    # what has room is looked for first
    assert pane_with_room(two, [FORCE]) == "energy"
    assert pane_with_room(project, [FORCE]) == "coordinate"


def test_powers_of_ten_send_signed_curves_to_a_pane_of_their_own():
    project = msgspec.structs.replace(sample("four_bar"), plots=())
    log, sentence = with_log(project, "energy", True)
    assert sentence == (
        "Potential energy, Total energy and Energy balance error are signed; shown in their own "
        "pane."
    )
    shown = {p.id: p for p in panes(log)}
    assert shown["energy"].log and [c.key for c in shown["energy"].curves] == ["energy/kinetic"]
    assert with_log(log, "energy", False).project.plots[1].log is False
    with pytest.raises(PlotRefused, match="never negative, and A angle is signed"):
        with_log(sample("four_bar"), shown_plots(sample("four_bar"))[0].id, True)
    # and so does a signed curve that comes later
    later, sentence = with_curves(log, "energy", ["energy/work"], True)
    assert "signed; shown in its own pane" in sentence and len(later.plots) == len(log.plots) + 1


def test_a_chosen_reaction_lives_in_the_file(tmp_path):
    project = sample("four_bar")
    project = instead(project, project.plots[2].id, ["measured/reactions/world/B/My"]).project
    ms.save(project, tmp_path / "x.mech")
    again = ms.load(tmp_path / "x.mech")
    assert (
        again.plots == project.plots
        and panes(again)[2].curves[0].key == "measured/reactions/world/B/My"
    )
