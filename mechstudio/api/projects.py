"""Projects opened, saved, checked, assembled and moved along their joints."""

import os
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from mechstudio.curves.gauges.reading import drawn_poses, reading
from mechstudio.engine import overlaps
from mechstudio.engine.errors import EngineError
from mechstudio.files import comparison, project_file
from mechstudio.files import versions as kept_versions
from mechstudio.files.exchange import formats
from mechstudio.files.project_file import Loaded, ProjectFileError
from mechstudio.files.versions import Version
from mechstudio.model.edits import elements
from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.edits.gauges import gauges
from mechstudio.model.edits.lost_formulas import CLOSED_ELSEWHERE, formulas_lost, texts_lost
from mechstudio.model.edits.lost_formulas import reported as loss_reported
from mechstudio.model.element_fields.laws import dimension_of
from mechstudio.model.formulas import expression
from mechstudio.model.laws.coupling_offsets import driven_end, value_for_offset
from mechstudio.model.naming import find_id
from mechstudio.model.project import Camera, Project
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.results.assembly import AssemblyResult, reported
from mechstudio.model.results.branches import Branches
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.engine.manifold.joint_placement import Placed


class NotReached(ValueError):
    """A joint that cannot be set to the target value; the message says where it stops and why.

    project: moved as far as it goes.   value: of the coordinate there [rad or m].
    """

    def __init__(self, reason: str, project: Project, value: float) -> None:
        super().__init__(reason)
        self.project, self.value = project, value


class NotClosed(ValueError):
    """A drawing that cannot be closed; the message names the two joints that stay apart, and by how
    much.

    project: the best try.   closing: model.results.assembly.AssemblyResult, with the gaps.
    """

    def __init__(self, reason: str, project: Project, closing: AssemblyResult) -> None:
        super().__init__(reason)
        self.project, self.closing = project, closing


def load(path: str | os.PathLike[str], version: int = 0) -> Project:
    """The project in a file, of mechstudio or of another program by its ending (.xml, .urdf).  What
    could not be read as it stands, or did not come along, becomes a Python warning.

    version: 0 for the file as it is, k for the k-th of `versions`, which the window kept.

    Raises ProjectFileError, with one sentence, if the file is none or cannot be read; ExchangeError
    for a file of another program.

        >>> project = ms.load("four_bar.mech")
        >>> [body.name for body in project.mechanism.bodies.values()]
        ['crank', 'coupler', 'rocker']
    """
    if version:
        return _load_version(path, version)
    if Path(path).suffix.lower() in formats.foreign_suffixes():
        project, notes = formats.read(Path(path))
        for note in notes:
            warnings.warn(note, stacklevel=2)
        return project
    return _warned(project_file.load(path))


def _warned(loaded: Loaded) -> Project:
    for finding in loaded.findings:
        if finding.severity != "info":
            warnings.warn(f"{finding.message} {finding.cure}".strip(), stacklevel=3)
    return loaded.project


def versions(path: str | os.PathLike[str]) -> list[Version]:
    """Saves of a project file that the window kept, newest first: place of the copy, time in UTC,
    picture.  `load` reads them by their number, counted from 1.

        >>> ms.versions("four_bar.mech")
        []
    """
    return kept_versions.versions(path)


def _load_version(path: str | os.PathLike[str], version: int) -> Project:
    known = versions(path)
    if not 1 <= version <= len(known):
        raise ProjectFileError(
            tr(
                "{path} has no version {version}; there are {count}.",
                path=os.fspath(path),
                version=version,
                count=len(known),
            )
        )
    try:
        return _warned(kept_versions.load_version(known[version - 1], path))
    except OSError as error:
        raise ProjectFileError(
            tr("The version of {path} cannot be read: {cause}.", path=path, cause=error.strerror)
        ) from None


def gauge_parameter(project: Project, gauge: str) -> Project:
    """The project with a parameter called as a gauge, which drives the number of the drawing that
    the gauge shows; of one that follows the motion the parameter keeps the value as drawn.

    gauge: name or id.  Raises KeyError for an unknown one, ValueError where a parameter cannot be
    called so, and for a gauge that reads nothing.

        >>> m = ms.Builder("Bar")
        >>> bar = m.link("bar", (0, 0, 0), length="200 mm", angle=0)
        >>> a, b = m.pin("A", m.ground, bar, at=bar.start), m.fix("B", m.ground, bar, at=bar.end)
        >>> id = m.gauge("L", a, b)
        >>> ms.gauge_parameter(m.project(), "L").parameters["L"].value.value
        0.2
    """
    id = find_id({id: g.name for id, g in project.gauges.items()}, gauge, "gauge")
    found = reading(project.mechanism, project.gauges[id], drawn_poses(project.mechanism))
    if found is None:
        raise ValueError(
            tr("{gauge} reads nothing: its body has no solid to measure.", gauge=gauge)
        )
    return gauges.with_parameter(project, id, float(found.values[0]))


def save(project: Project, path: str | os.PathLike[str], camera: Camera | None = None) -> None:
    """Write a project durably; without a camera the point of view of the file that is replaced
    stays.

    Raises ProjectFileError with one sentence; the file is then as it was.

        >>> ms.save(ms.load("four_bar.mech"), "copy.mech")
    """
    if camera is None and os.path.exists(path):
        try:
            camera = project_file.load(path).camera
        except ProjectFileError:
            camera = None  # what is replaced was no project: there is no point of view to keep
    project_file.save(path, project, camera)


def differences(before: Project, after: Project) -> list[str]:
    """Sentences on what differs between two projects, in the order of the drawing; none where they
    are the same.  Numbers that follow from a parameter that differs are not reported again.

        >>> before = ms.load("double_pendulum.mech")
        >>> m = ms.Builder.of(before)
        >>> m.change(next(iter(m.bodies.values())), name="thigh")
        >>> ms.differences(before, m.project())
        ['Body upper: Name upper → thigh.']
    """
    return [each.sentence for each in comparison.differences(before, after)]


def check(project: Project) -> Analysis:
    """Structure, mobility, assembled pose and findings of a project (THEORY 4), without running
    it.

        >>> s = ms.check(ms.load("four_bar.mech")).structure
        >>> s.mobility, s.hyperstaticity, s.loops
        (1, 3, 1)
    """
    return overlaps.check(project)


def assemble(project: Project, keep: Iterable[str] = ()) -> Project:
    """The project with its bodies moved by the least until every joint holds.  keep: names or ids
    of bodies that stay where they are.

    A drawing that is closed comes back as it is.  Formulas and typed numbers stay where the joints
    close with them; of others a Python warning says that they became plain numbers.  Raises
    NotClosed where no pose closes it, EngineError for a drawing that cannot be read, KeyError for
    an unknown body.

        >>> project = ms.assemble(ms.load("four_bar.mech"), keep=["crank"])
        >>> [f.severity for f in ms.check(project).findings]
        ['info']
    """
    from mechstudio.engine.manifold.diagnosis import close_drawing

    names = {id: b.name for id, b in project.mechanism.bodies.items()}
    closing = close_drawing(
        project.mechanism, frozenset(find_id(names, name, "body") for name in keep)
    )
    if closing.finding is not None:
        raise EngineError(closing.finding)
    placed = elements.assembled(project, closing)
    if not closing.closed:
        raise NotClosed(reported(closing, project.mechanism), placed, closing)
    if lost := list(texts_lost(project, placed)):
        warnings.warn(loss_reported(lost, tr(CLOSED_ELSEWHERE)), stacklevel=2)
    return placed


def at(project: Project, joint: str, value: float | str, coordinate: int | str = 0) -> Project:
    """The project with its bodies placed where a joint's coordinate has a value: loops closed,
    couplings followed, other freedoms moved least.

    joint: name or id.  value: [rad or m], or a text such as "60 deg" or a formula of parameters.
    coordinate: its place among the joint's, or its name ("slide").  Angles count their turns: a
    value beyond half a turn is kept on the joint.
    A formula of a body's placement that became a number is reported by a Python warning.
    Raises NotReached at a dead point or a stop, EngineError for a drawing that cannot be closed,
    KeyError for an unknown joint or coordinate, ValueError for a text that is no value.

        >>> drawn = ms.load("four_bar.mech")
        >>> turned = ms.at(drawn, "A", "90 deg")
        >>> ms.differences(drawn, turned) == []
        False
    """
    from mechstudio.engine.manifold.joint_placement import set_coordinate

    joints = project.mechanism.joints
    id = find_id({id: j.name for id, j in joints.items()}, joint, "joint")
    known = JOINT_TYPES[joints[id].type].coordinates
    names = [c.name for c in known]
    place = names.index(coordinate) if coordinate in names else coordinate
    if not isinstance(place, int) or not 0 <= place < len(known):
        raise KeyError(
            tr(
                "Joint {joint} has no coordinate {coordinate}; it has {names}.",
                joint=joint,
                coordinate=coordinate,
                names=comma().join(names) or tr("none"),
            )
        )
    requested = (
        expression.evaluate(value, known[place].dimension, parameter_values(project))
        if isinstance(value, str)
        else float(value)
    )
    found = set_coordinate(project.mechanism, id, place, requested)
    return _placed(project, found, tr("since {joint} was set", joint=joints[id].name))


def with_offset(project: Project, coupling: str, offset: float | str) -> Project:
    """The project with the last coordinate of a coupling moved until the drawn pose gives the
    coupling this offset: second - first / ratio of a gear pair, slide - radius angle of a rack,
    follower - f(angle) of a cam.  Its other coordinates stay.

    coupling: name or id.  offset: [rad or m], or a text such as "30 deg" or a formula of
    parameters.  Warns and raises as `at`.

        >>> train = ms.load("gear_train.mech")
        >>> first = next(iter(train.mechanism.couplings.values()))
        >>> turned = ms.with_offset(train, first.name, "2 deg")
    """
    from mechstudio.engine.manifold.joint_placement import set_coordinate

    m = project.mechanism
    id = find_id({id: c.name for id, c in m.couplings.items()}, coupling, "coupling")
    end = driven_end(m.couplings[id])
    dimension = dimension_of(m, end.joint, end.coordinate)
    requested = (
        expression.evaluate(offset, dimension, parameter_values(project))
        if isinstance(offset, str)
        else float(offset)
    )
    value = value_for_offset(m, m.couplings[id], requested)
    found = set_coordinate(m, end.joint, end.coordinate, value, id)
    return _placed(project, found, tr("since {joint} was set", joint=m.couplings[id].name))


def _placed(project: Project, found: "Placed", cause: str) -> Project:
    """The project moved as found, with a warning of the formulas that this cost."""
    placed = elements.place(project, found.poses, found.values)
    if lost := list(formulas_lost(project, placed)):
        warnings.warn(loss_reported(lost, cause), stacklevel=3)
    if found.reason:
        raise NotReached(found.reason, placed, found.value)
    return placed


def branches(
    project: Project,
    joint: str = "",
    coordinate: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Branches:
    """Motion of a mechanism with one freedom by one joint: range, dead points, assembly branches,
    Grashof's class.

    joint: name or id; "" for the driven one, or else the one that stands for the motion.
    coordinate: index among the joint's coordinates.
    progress(fraction): called during the search, which takes a second or so.  Of other mechanisms
    the result's `problem` says why there is nothing.  Raises KeyError for a joint that is not
    there.

        >>> found = ms.branches(ms.load("four_bar.mech"))
        >>> len(found.branches)
        2
    """
    from mechstudio.engine.structure.branches import search

    id = (
        find_id({id: j.name for id, j in project.mechanism.joints.items()}, joint, "joint")
        if joint
        else ""
    )
    result: Branches | None = None
    for share, found in search(project, id, coordinate):
        result = found
        if progress is not None:
            progress(share)
    assert result is not None, "the last part of the search brings the result"
    return result
