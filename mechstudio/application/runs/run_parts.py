"""Runs that were changed while they went on: what acts at once, and where each part begins."""

import msgspec
import numpy as np

from mechstudio.application.motion_comparison import same_drawing
from mechstudio.application.runs.recording import Recording, RunPart
from mechstudio.model.edits.poses.continuation import continued
from mechstudio.model.mechanism import POSITION, Law, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.translation import comma, localised, tr

replace = msgspec.structs.replace
NEAREST = 1e-9  # of a sample step, within which a change is at a sample
FOLLOWS = 0.5  # s between two changes of a number that are reported as one
LEAST_LEFT = 1e-3  # of a sample step that a run must have left for a change to act in it


def acts_at_once(old: Project, new: Project) -> bool:
    """True if two drawings differ in loads alone: in numbers and laws of forces and motors, and in
    gravity.  Such a change needs no other start, so that it can act at any instant of a run.

    A motor that prescribes a position is not among them: it counts from the start.
    """
    a, b = old.mechanism, new.mechanism
    return (
        old.settings == new.settings
        and _frame_of(a) == _frame_of(b)
        and _places_of(a) == _places_of(b)
        and same_drawing(_with_loads(old, b), new)
    )


def _frame_of(m: Mechanism) -> tuple:
    """Everything of forces and drives but their numbers and laws."""
    return (
        [
            replace(f, parameters={}, laws={}, name="", visible=True, note="")
            for f in m.forces.values()
        ],
        [
            replace(d, law=Law("constant"), name="", visible=True, note="")
            for d in m.drives.values()
        ],
    )


def _places_of(m: Mechanism) -> list[Law]:
    """Laws of the motors that prescribe positions."""
    return [d.law for d in m.drives.values() if d.quantity == POSITION]


def _with_loads(project: Project, m: Mechanism) -> Project:
    """With forces, drives and gravity of another mechanism."""
    loaded = replace(project.mechanism, forces=m.forces, drives=m.drives, gravity=m.gravity)
    return replace(project, mechanism=loaded)


def changed_at(
    recording: Recording,
    project: Project,
    time: float,
    words: str,
    drawing: Project | None = None,
) -> Recording | None:
    """A recording that is the given one up to the last sample at or before a time [s], and has room
    for the run that goes on from there with the loads of another drawing.

    project: the drawing as it is now, which must act at once (`acts_at_once`).  words: of the
    change.  drawing: as it is now, where the project has loads besides, such as a hand that pulls.
    None at the very beginning and at the end, where nothing is left to be changed.
    """
    step = project.settings.sample_step.value
    k = recording.index(time + NEAREST * step)
    begin = float(recording.time[k])
    left = recording.parts[0].begin + project.settings.duration.value - begin
    if k == 0 or left <= LEAST_LEFT * step:
        return None
    earlier = [part for part in recording.parts if part.begin < begin - NEAREST * step]
    again = next((p for p in recording.parts[1:] if abs(p.begin - begin) <= NEAREST * step), None)
    # an instant that was changed before has two sides: what counts is how it was come to
    start = (
        again.drawing
        if again is not None
        else continued(earlier[-1].drawing, recording.layout, recording.rows[k])
    )
    settings = replace(project.settings, duration=Quantity(left))
    start = replace(
        _with_loads(start, project.mechanism), parameters=project.parameters, settings=settings
    )
    came_to = again.came_to if again is not None else np.array(recording.rows[k]).tobytes()
    part = RunPart(begin, start, words, came_to, _warning(recording, begin))
    return recording.up_to(k, drawing or project, (*earlier, part))


def _warning(recording: Recording, begin: float) -> str:
    """Sentences on how well the contacts of a run were solved before a change."""
    if not recording.project.mechanism.contacts.enabled:
        return ""
    if recording.statistics is None:
        return tr("How well contacts were solved before {begin:.4g} s is not known.", begin=begin)
    said = recording.unsolved
    return said and tr("Of the run before {begin:.4g} s: {said}", begin=begin, said=said)


def parts_words(parts: tuple[RunPart, ...]) -> str:
    """The changes of a run in words; of those that follow each other at every moment, as when a
    slider is dragged, the last.
    """
    out: list[str] = []
    group: list[RunPart] = []
    for part in (*parts[1:], None):
        if group and (part is None or not _follows(part, group[-1])):
            first, last = group[0], group[-1]
            out.append(
                tr("{change} at {time}", change=last.words, time=localised(f"{last.begin:.4g} s"))
                if first is last
                else tr(
                    "{change} from {first} to {last}",
                    change=last.words,
                    first=localised(f"{first.begin:.4g}"),
                    last=localised(f"{last.begin:.4g} s"),
                )
            )
            group = []
        if part is not None:
            group.append(part)
    return comma().join(out)


def _follows(part: RunPart, before: RunPart) -> bool:
    """True if a change is the next one of a number that is dragged."""
    return _name(part) == _name(before) and part.begin - before.begin < FOLLOWS


def _name(part: RunPart) -> str:
    """Name of the changed quantity, such as k of "k = 200 N/m"."""
    return part.words.partition(" = ")[0]
