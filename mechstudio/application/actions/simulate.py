"""Actions of the Simulate menu: play, step, assemble, run."""

from mechstudio.application.actions import conditions
from mechstudio.application.actions.registry import action
from mechstudio.application.runs.playback import REPEATS
from mechstudio.application.runs.recording import Recording
from mechstudio.application.studio import Studio
from mechstudio.model.edits.poses.continuation import continued
from mechstudio.model.project import Project
from mechstudio.model.results.analysis_results import RowPose
from mechstudio.model.results.branches import Branch, DeadPoint
from mechstudio.translation import localised, tr

PLAYBACK = "Simulate/Playback"  # the submenu of how a run is played

# time


@action(
    "Play or pause",
    "Simulate",
    "Space",
    icon="play",
    words="run start simulate stop",
    unless=conditions.needs_bodies,
)
def play(studio: Studio) -> None:
    """Play or pause; simulate first where there is no recording of this drawing."""
    studio.runs.play()


@action(
    "Step forward",
    "Simulate",
    "Right",
    icon="step",
    words="next sample",
    unless=conditions.needs_recording,
)
def step_forward(studio: Studio) -> None:
    """Go to the next sample."""
    studio.runs.playback.step(1)


@action(
    "Step back",
    "Simulate",
    "Left",
    icon="step_back",
    words="previous sample",
    unless=conditions.needs_recording,
)
def step_back(studio: Studio) -> None:
    """Go to the previous sample."""
    studio.runs.playback.step(-1)


@action(
    "Next step of the solver",
    PLAYBACK,
    "Shift+Right",
    words="integrator adaptive step size forward",
    unless=conditions.needs_finished_run,
)
def solver_step_forward(studio: Studio) -> None:
    """Go to the end of the solver's next step, between or beyond samples."""
    studio.questions.steps.step(1)


@action(
    "Previous step of the solver",
    PLAYBACK,
    "Shift+Left",
    words="integrator adaptive step size back",
    unless=conditions.needs_finished_run,
)
def solver_step_back(studio: Studio) -> None:
    """Go to the end of the solver's step before."""
    studio.questions.steps.step(-1)


@action(
    "Back to design",
    "Simulate",
    "Home",
    icon="to_start",
    words="reset start begin time zero",
    section=True,
    unless=conditions.needs_recording,
)
def to_design(studio: Studio) -> None:
    """Go back to the drawing."""
    studio.runs.playback.to_design()


@action("To the end", "Simulate", "End", words="last sample", unless=conditions.needs_recording)
def to_end(studio: Studio) -> None:
    """Go to the last sample."""
    studio.runs.playback.to_end()


def _toggle(studio: Studio, repeat: str) -> None:
    playback = studio.runs.playback
    playback.set_repeat("once" if playback.repeat == repeat else repeat)


@action(
    REPEATS["loop"].label,
    PLAYBACK,
    icon=REPEATS["loop"].icon,
    section=True,
    words="repeat again cycle",
    checked=lambda studio: studio.runs.playback.repeat == "loop",
)
def loop(studio: Studio) -> None:
    """Begin again at the end, or stop there."""
    _toggle(studio, "loop")


@action(
    REPEATS["ping_pong"].label,
    PLAYBACK,
    icon=REPEATS["ping_pong"].icon,
    words="ping-pong repeat back forth bounce reverse",
    checked=lambda studio: studio.runs.playback.repeat == "ping_pong",
)
def to_and_fro(studio: Studio) -> None:
    """Play forwards and backwards in turn, or stop at the end."""
    _toggle(studio, "ping_pong")


@action(
    "Play from here on",
    PLAYBACK,
    "[",
    section=True,
    words="range section begin in point loop part",
    unless=conditions.needs_recording,
)
def section_from_here(studio: Studio) -> None:
    """Begin the part that is played at the time cursor."""
    playback = studio.runs.playback
    last = playback.end if playback.section is None else playback.section[1]
    playback.set_section(playback.time, last if last > playback.time else playback.end)


@action(
    "Play up to here",
    PLAYBACK,
    "]",
    words="range section end out point loop part",
    unless=conditions.needs_recording,
)
def section_to_here(studio: Studio) -> None:
    """End the part that is played at the time cursor."""
    playback = studio.runs.playback
    first = playback.begin if playback.section is None else playback.section[0]
    playback.set_section(first if first < playback.time else playback.begin, playback.time)


@action(
    "Play the whole run",
    PLAYBACK,
    words="range section clear all",
    unless=conditions.needs_section,
)
def whole_run(studio: Studio) -> None:
    """Play all of the run, not a part of it."""
    studio.runs.playback.whole()


def _put_cursor(studio: Studio, name: str) -> None:
    studio.plots.set_cursor(name, studio.runs.playback.time)


@action(
    "Cursor A here",
    PLAYBACK,
    section=True,
    words="plot measure between interval first begin",
    unless=conditions.needs_recording,
)
def cursor_a_here(studio: Studio) -> None:
    """Put cursor A of the plots to the time cursor."""
    _put_cursor(studio, "a")


@action(
    "Cursor B here",
    PLAYBACK,
    words="plot measure between interval second end",
    unless=conditions.needs_recording,
)
def cursor_b_here(studio: Studio) -> None:
    """Put cursor B of the plots to the time cursor."""
    _put_cursor(studio, "b")


# assembly


@action(
    "Assemble",
    "Simulate",
    icon="assemble",
    words="close loops put together rough sketch gap open joints",
    section=True,
    unless=conditions.needs_joints,
)
def assemble(studio: Studio) -> None:
    """Close the drawing with the least movement."""
    studio.questions.assembly.assemble()


@action(
    "Assemble, keep selected in place",
    "Simulate",
    icon="assemble",
    words="close loops fixed hold",
    unless=conditions.needs_body,
)
def assemble_kept(studio: Studio) -> None:
    """Close the drawing with the selected bodies in place."""
    studio.questions.assembly.assemble_kept()


@action(
    "Accept the assembled pose",
    "Simulate",
    "Return",
    "Enter",
    words="take adopt",
    unless=conditions.needs_proposal,
)
def accept_assembly(studio: Studio) -> None:
    """Make the proposed pose the drawing."""
    studio.questions.assembly.accept()


# speed


@action("Slower", PLAYBACK, ",", words="speed half", section=True)
def slower(studio: Studio) -> None:
    """Halve the speed of playing."""
    studio.runs.playback.faster(-1)


@action("Faster", PLAYBACK, ".", words="speed double")
def faster(studio: Studio) -> None:
    """Double the speed of playing."""
    studio.runs.playback.faster(1)


@action("Real time", PLAYBACK, words="speed 1 normal")
def real_time(studio: Studio) -> None:
    """Play as fast as it happens."""
    studio.runs.playback.set_speed(1.0)


# runs


@action(
    "Simulate again",
    "Simulate",
    "Ctrl+R",
    icon="run",
    words="run restart solver",
    section=True,
    unless=conditions.needs_bodies,
)
def simulate(studio: Studio) -> None:
    """Run the drawing from its design and play the run."""
    studio.runs.simulate()
    studio.runs.playback.play()


@action(
    "Continue from here",
    "Simulate",
    "Ctrl+Shift+R",
    words="restart resume branch off present instant initial state velocities snapshot",
    unless=conditions.needs_finished_run,
)
def continue_from_here(studio: Studio) -> None:
    """Make the instant at the time cursor the start of the drawing, with its velocities, and run
    on from there; one step to undo.
    """
    here = drawing_here(studio)
    if here is not None:
        project, instant = here
        studio.display.restart(tr("Continue {instant}", instant=instant), project)
        studio.runs.simulate()
        studio.runs.playback.play()


def drawing_here(studio: Studio) -> tuple[Project, str] | None:
    """The drawing that starts at the recorded sample nearest to the time cursor, and that instant
    in words; None without a run that is over.
    """
    runs = studio.runs
    recording, present = runs.recording, runs.present
    if recording is None or not recording.count or runs.is_running:
        return None
    # a recorded sample, since what lies between two is only drawn
    row = recording.rows[round_to_sample(recording, runs.playback.time)]
    words = tr(
        "{run} from {time}",
        run=present.title if present is not None else tr("the run"),
        time=localised(f"{row[0]:.4g} s"),
    )
    return continued(studio.document.project, recording.layout, row), words


def round_to_sample(recording: Recording, time: float) -> int:
    """Number of the recorded sample nearest to a time [s]."""
    k = recording.index(time)
    following = min(k + 1, recording.count - 1)
    times = recording.time
    return following if abs(times[following] - time) < abs(times[k] - time) else k


@action(
    "Stop the simulation", "Simulate", "Ctrl+.", words="cancel solver", unless=conditions.needs_run
)
def stop(studio: Studio) -> None:
    """End the run under way."""
    studio.runs.stop()


@action(
    "Keep this run to compare",
    "Simulate",
    "Ctrl+Return",
    "Ctrl+Enter",
    words="pin tick curve earlier run method formulation integrator overlay",
    section=True,
    unless=conditions.needs_present_run,
    checked=lambda studio: studio.runs.present is not None and studio.runs.present.pinned,
)
def keep_run(studio: Studio) -> None:
    """Pin this run, and show its curves beside those of later ones; or unpin it."""
    run = studio.runs.present
    if run is not None:
        requested = not run.pinned
        studio.runs.kept.set_pinned(run, requested)
        studio.runs.kept.set_ticked(run, requested)


@action(
    "Forget the earlier runs",
    "Simulate",
    words="delete kept ghost curve earlier run compare overlay",
    unless=conditions.needs_earlier_runs,
)
def forget_runs(studio: Studio) -> None:
    """Forget all runs but the present one and those that are pinned."""
    present = studio.runs.present
    studio.runs.kept.forget(lambda run: run is not present and not run.pinned)


# branches


def put_together(studio: Studio, way: Branch | DeadPoint | RowPose, words: str) -> None:
    """Place the bodies as in a branch, at a dead point or at rest, as was found; one step to
    undo.  words: what the step is called.
    """
    mechanism = studio.document.project.mechanism
    if len(way.poses) != len(mechanism.bodies) or len(way.coordinates) != len(mechanism.joints):
        return
    # only a joint that has typed values keeps such
    typed = {
        id: row
        for (id, joint), row in zip(mechanism.joints.items(), way.coordinates, strict=True)
        if joint.values
    }
    studio.display.place(words, dict(zip(mechanism.bodies, way.poses, strict=True)), typed)
