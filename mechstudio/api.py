"""Functions for Python scripts: open and save projects, check them, simulate them.  No window, no
Qt; all numbers in SI.

import mechstudio as ms

project = ms.load("samples/four_bar.mech")
print(ms.check(project).structure.mobility)
result = ms.simulate(project, duration=2.0)
print(result.position("coupler", "P")[-1], result.statistics["energy_error"])
"""

import hashlib
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from mechstudio.curves.course import Course
from mechstudio.curves.evaluation import Run, asked, course
from mechstudio.curves.quantities import QuantityNotFound, find, quantities
from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.engine.structure import mobility
from mechstudio.engine.structure.conservation import conserved
from mechstudio.files import project_file
from mechstudio.files.project_file import ProjectFileError
from mechstudio.model.edits import elements
from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.edits.lost_formulas import CLOSED_ELSEWHERE, formulas_lost, texts_lost
from mechstudio.model.edits.lost_formulas import reported as loss_reported
from mechstudio.model.findings import listed
from mechstudio.model.formulas import expression
from mechstudio.model.naming import find_id
from mechstudio.model.project import DIAGRAMS, Camera, EndCondition, Project, Settings
from mechstudio.model.results import sample
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.results.assembly import AssemblyResult, reported
from mechstudio.model.results.branches import Branches
from mechstudio.model.results.constant_course import Verdict, verdict
from mechstudio.model.results.events import Event
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.symbolic.errors import DerivationError
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.curves.energy import Account
    from mechstudio.curves.measurements.comparison import Compared
    from mechstudio.curves.operations import Curve
    from mechstudio.curves.picture import Panel
    from mechstudio.curves.tables import Column
    from mechstudio.engine.analyses.table import Table
    from mechstudio.model.contact import ContactSample
    from mechstudio.model.equations.lecture import Proof
    from mechstudio.symbolic.derivation import Derivation

Time = float | str

__all__ = [
    "DerivationError",
    "EngineError",
    "NotClosed",
    "NotReached",
    "ProjectFileError",
    "Result",
    "SimulationStopped",
    "agreement",
    "analyse",
    "assemble",
    "at",
    "branches",
    "check",
    "contacts_at",
    "derive",
    "export_equations",
    "load",
    "plot",
    "save",
    "simulate",
]


class SimulationStopped(RuntimeError):
    """A run that had to end early; the message is the reason.  result: the good samples before
    it.
    """

    def __init__(self, reason: str, result: "Result") -> None:
        super().__init__(reason)
        self.result = result


class NotReached(ValueError):
    """A joint that cannot be set to the wanted value; the message says where it stops and why.

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


class ByName(Mapping[str, np.ndarray]):
    """Arrays of joints, found by a joint's name or id; iterating gives the names in file order."""

    def __init__(self, ids: Mapping[str, str], arrays: Mapping[str, np.ndarray]) -> None:
        self._names, self._arrays = ids, arrays

    def __getitem__(self, name: str) -> np.ndarray:
        return self._arrays[find_id(self._names, name, "joint")]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names.values())

    def __len__(self) -> int:
        return len(self._arrays)


class Result:
    """A recorded run: one row per sample.

    time (samples,) [s].  poses (samples, bodies, 7): body-frame origin in W [m], then the unit
    quaternion w x y z; bodies in file order without ground.  velocities (samples, bodies, 6): that
    origin's velocity in W [m/s], then the angular velocity in body axes [rad/s].
    joint_coordinates[name] (samples, freedoms) [m or rad], angles continuous. kinetic_energy,
    potential_energy, work (of all loads without potential since t = 0), energy_balance (samples,)
    [J]. constraint_error (samples, 2): norm of C [m] and of its rate [m/s], angle rows times the
    mechanism's size. momentum (samples, 6): of all bodies in W, linear [kg m/s], then angular about
    W's origin [kg m^2/s]. joint_gap (samples,): the largest distance that a joint stands open [m].
    statistics: see statistics.
    events: every impact of a joint at a hard stop (model/results/events.py), in order of time.
    ended_by: the condition that ended the run, at the last sample; None where it reached its
    duration.
    """

    def __init__(
        self,
        project: Project,
        layout: SampleLayout,
        rows: np.ndarray,
        statistics: dict[str, Any],
        events: tuple[Event, ...] = (),
        until: tuple[EndCondition, ...] = (),
        settings: Settings | None = None,
    ) -> None:
        samples, bodies = len(rows), len(layout.bodies)
        energy, constraint = rows[:, layout.energy], rows[:, layout.constraint]
        joints = project.mechanism.joints
        self.project = project
        # what the run was made with, where that is not the project's own
        self.settings: Settings = project.settings if settings is None else settings
        self._run = Run(project, layout, rows)
        self.layout = layout
        self.rows = rows
        self.statistics = statistics
        self.events = events
        ended_by = statistics.get("ended_by", -1)
        self.ended_by: EndCondition | None = until[ended_by] if ended_by >= 0 else None
        self.time: np.ndarray = rows[:, 0]
        self.poses: np.ndarray = rows[:, layout.poses].reshape(samples, bodies, 7)
        self.velocities: np.ndarray = rows[:, layout.velocities].reshape(samples, bodies, 6)
        self.joint_coordinates: Mapping[str, np.ndarray] = ByName(
            {id: j.name for id, j in joints.items()},
            {id: rows[:, layout.joint(id)] for id in joints},
        )
        self.kinetic_energy: np.ndarray = energy[:, sample.KINETIC]
        self.potential_energy: np.ndarray = energy[:, sample.POTENTIAL]
        self.work: np.ndarray = energy[:, sample.WORK]
        self.energy_balance: np.ndarray = energy[:, sample.BALANCE]
        self.constraint_error: np.ndarray = constraint[
            :, [sample.POSITION_ERROR, sample.VELOCITY_ERROR]
        ]
        self.momentum: np.ndarray = rows[:, layout.momentum]
        self.joint_gap: np.ndarray = constraint[:, sample.GAP]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def quantities(self) -> list[str]:
        """Names of everything that `courses`, `plot` and the tables can show."""
        return [q.name for q in quantities(self.project).values()]

    @property
    def digest(self) -> str:
        """SHA-256 of all samples, bit by bit: the same project run again has the same one on the
        same machine.
        """
        return hashlib.sha256(np.ascontiguousarray(self.rows, "<f8").tobytes()).hexdigest()

    def courses(self, *names: str) -> list[Course]:
        """Courses of quantities over the run: times (s,) [s], values (s,) in SI, and whether rigid
        bodies leave them undetermined.

        names: as in the window's list of quantities, such as "Torque of drive 1", "Force in A",
        "A angle" or "Speed of P", or their keys.  What samples do not hold is found by an analysis
        of the same motion.  Raises QuantityNotFound (a ValueError) that names the nearest,
        EngineError where the analysis refuses the drawing.
        """
        shown = [find(self.project, name) for name in names]
        settings, end = self.settings, float(self.time[-1])
        project = msgspec.structs.replace(self.project, settings=settings)
        from mechstudio.engine.analyses.registry import analyse_as

        self._run = asked(
            self._run,
            shown,
            settings.duration.value,
            settings.sample_step.value,
            lambda what, options: analyse_as(project, what, options),
        )
        found = []
        for quantity in shown:
            of = course(quantity, self._run)
            if of is None:
                raise QuantityNotFound(
                    tr("This run has no {quantity}.", quantity=quantity.name), ()
                )
            # an analysis may go on after what ended the run, and its times differ by rounding
            found.append(of.between(float(self.time[0]), end + 1e-6 * settings.sample_step.value))
        return found

    def energy_account(self) -> "Account":
        """Energy account: parts over the time [J] that add up to the balance error: stored energies
        less those at the start, and works with the opposite sign.  Works of drives are told from
        those of other loads by an analysis, where the samples hold them together.
        """
        from mechstudio.curves import energy

        drives = [d.name for d in self.project.mechanism.drives.values() if d.enabled]
        apart = not self.layout.touching and all(energy.worked_by(self.project.mechanism))
        powers = (
            self.courses(*(tr("Power of {name}", name=name) for name in drives)) if apart else []
        )
        return energy.account(self._run, powers)

    def diagram(
        self,
        kind: str,
        *names: str,
        over: str = "",
        where: str = "",
        level: float = 0.0,
        direction: str = "rising",
        window: str = "hann",
        one_turn: bool = True,
    ) -> "list[Curve]":
        """Diagrams of quantities, x and y in SI with a note of how they were found: "phase", "over"
        another quantity, "spectrum", or "section", a Poincaré section with a point over another
        quantity at each crossing of a third.

        names, over, where: as of `courses`.  level [SI], direction ("rising", "falling", "either"):
        of the crossings of `where`; an angle passes a level in every turn.  window: of a spectrum,
        "hann" or "flattop".  one_turn: angles of the horizontal axis begin again after one turn.
        Raises as `courses`, and NotPossible (a ValueError) with what helps.
        """
        from mechstudio.curves.operations import OPERATIONS, NotPossible, Operand, Options, applied

        if kind not in DIAGRAMS:
            raise NotPossible(
                tr(
                    "There is no diagram {kind}; there are {known}.",
                    kind=kind,
                    known=listed(list(DIAGRAMS)),
                )
            )
        if direction not in ("rising", "falling", "either"):
            raise NotPossible(
                tr(
                    "A direction is rising, falling or either, not {direction}.",
                    direction=direction,
                )
            )
        further = {"over": (over,), "section": (over, where)}.get(kind, ())
        if not all(further):
            raise NotPossible(
                tr("{kind} needs the names of further quantities.", kind=tr(OPERATIONS[kind].label))
            )
        options = Options(window=window, level=level, direction=direction, one_turn=one_turn)
        found = self.courses(*names, *further)
        rows = [find(self.project, name) for name in (*names, *further)]
        operands = [Operand(c, q.dimension) for c, q in zip(found, rows, strict=True)]
        first, last = operands[len(names) :][:1], operands[len(names) + 1 :]
        return [applied(kind, [*first, y, *last], options) for y in operands[: len(names)]]

    def plot(self, *names: str, out: str | os.PathLike[str] = "", **look: Any) -> str:
        """Plot of quantities as SVG text; see `plot`, which takes the same options."""
        return plot({"": self}, *names, out=out, **look)

    def against(
        self,
        path: str | os.PathLike[str],
        *,
        shift: float | None = None,
        names: Mapping[str, str] | None = None,
    ) -> "list[Compared]":
        """Measured data of a CSV file beside this run: for each column that is a quantity by name
        and unit, the residual (run less data), its RMS and its largest value, in SI.

        shift [s]: of the run's clock after that of the data; None for the one of least squares.
        names: column -> quantity, where they are called otherwise.  Raises DataUnreadable (a
        ValueError), OSError, and as `courses`.
        """
        from mechstudio.curves.measurements.comparison import compared
        from mechstudio.curves.measurements.table import matched, read

        with open(path, encoding="utf-8-sig") as file:
            columns = read(file.read())
        found, _ = matched(self.project, columns, names)
        return compared(found, lambda q: self.courses(q.key)[0], shift)

    def to_csv(
        self,
        path: str | os.PathLike[str],
        *names: str,
        units: str = DEFAULT_SYSTEM,
        dialect: str = "comma",
    ) -> None:
        """Write quantities over the time as a table, names and units in its first line.  names: as
        of `courses`.  dialect: a key of curves.tables.DIALECTS, "comma", "semicolon" (with a
        decimal comma), "tab".  Raises as `courses`, OSError.
        """
        from mechstudio.curves import tables

        _written(path, tables.text(self._table(names, units), dialect).encode())

    def to_npz(self, path: str | os.PathLike[str], *names: str, units: str = "m-N-rad") -> None:
        """Write the same as arrays of numpy, in SI where nothing else is said."""
        from mechstudio.curves import tables

        _written(path, tables.npz(self._table(names, units)))

    def to_parquet(self, path: str | os.PathLike[str], *names: str, units: str = "m-N-rad") -> None:
        """Write the same as Parquet.  Raises MissingLibrary (a RuntimeError) without pyarrow."""
        from mechstudio.curves import tables

        _written(path, tables.parquet(self._table(names, units)))

    def to_pandas(self, *names: str, units: str = "m-N-rad") -> Any:
        """The same as a data frame of pandas over the time, in SI where nothing else is said.
        Raises MissingLibrary (a RuntimeError) where pandas is not installed.
        """
        from mechstudio.curves import tables

        try:
            import pandas  # type: ignore[import-not-found]
        except ImportError:
            raise tables.MissingLibrary(
                tr(
                    "A data frame needs pandas, which is not installed: pip install pandas, or use "
                    "courses(), to_csv() or to_npz()."
                )
            ) from None
        time, *others = self._table(names, units)
        index = pandas.Index(time.values, name=time.head)
        return pandas.DataFrame({c.head: c.values for c in others}, index=index)

    def _table(self, names: Sequence[str], units: str) -> "list[Column]":
        from mechstudio.curves import tables

        shown = [find(self.project, name) for name in names]
        found = self.courses(*names)
        return tables.columns([(q.name, q.dimension, c) for q, c in zip(shown, found)], units)

    def body_index(self, body: str) -> int:
        """The place of a body, given by name or id, in `poses` and `velocities`.  Raises KeyError
        with the known names.
        """
        bodies = self.project.mechanism.bodies
        return self.layout.bodies.index(
            find_id({id: b.name for id, b in bodies.items()}, body, "body")
        )

    def conservation(self) -> tuple[Verdict, ...]:
        """The components of momentum that must stay constant for the loads present, and whether
        each did over the run.
        """
        mechanism = self.project.mechanism
        return tuple(verdict(c, mechanism, self.layout, self.rows) for c in conserved(mechanism))

    def position(
        self, body: str, point: str | tuple[float, float, float] = (0.0, 0.0, 0.0)
    ) -> np.ndarray:
        """Trajectory of a point of a body, (samples, 3) in W [m].  body: name or id; point: in body
        axes [m], or a named point.
        """
        k = self.body_index(body)
        if isinstance(point, str):
            point = self.project.mechanism.bodies[self.layout.bodies[k]].point(point)
        origin, w, u = self.poses[:, k, :3], self.poses[:, k, 3:4], self.poses[:, k, 4:]
        p = np.asarray(point, float)
        # R(q) p = p + 2 u x (u x p + w p)
        moved: np.ndarray = origin + p + 2 * np.cross(u, np.cross(u, p) + w * p)
        return moved


def plot(
    results: Mapping[str, Result],
    *names: str,
    out: str | os.PathLike[str] = "",
    size: tuple[float, float] = (960, 540),
    millimetres: bool = False,
    theme: str = "light",
    units: str = DEFAULT_SYSTEM,
    title: str = "",
    log: bool = False,
    diagram: str = "",
    **options: Any,
) -> str:
    """Plot of quantities of one or several runs as SVG text, written into a file too.

    results: runs by the names that the legend shows.  names: of quantities, as of Result.courses.
    Of several runs each quantity has its own panel.  out: file to write, .svg, .pdf or .png; "" for
    none.  size: width and height, in pixels or millimetres; a PNG by millimetres has 300 pixels
    per inch.  theme: "light", "dark" or "paper".  log: powers of ten of magnitudes.  diagram: ""
    for curves over the time, else as of Result.diagram, which takes the options.
    Raises QuantityNotFound (a ValueError) that names the nearest quantities, ValueError for an
    unknown ending or theme, OSError.
    """
    from mechstudio.curves import compose, picture

    if theme not in ("light", "dark", "paper"):
        raise ValueError(
            tr("There is no theme {theme}; there are light, dark and paper.", theme=theme)
        )
    if not names or not results:
        raise ValueError(tr("A plot needs a run and the name of a quantity, such as 'A angle'."))
    if diagram:
        made = [_diagram(results, names, diagram, options, (units, title, log))]
    elif options:
        raise TypeError(tr("There is no option {name} of a plot.", name=next(iter(options))))
    else:
        shown = []
        for run, result in results.items():
            for name, found in zip(names, result.courses(*names)):
                q = find(result.project, name)
                shown.append(compose.Shown(q.name, q.dimension, found, run))
        made = compose.panels(shown, units, title, log)
    scale = picture.MM if millimetres else 1.0
    look = picture.Look(size[0] * scale, size[1] * scale, theme)
    if out:
        ending = os.path.splitext(os.fspath(out))[1]
        ppi = picture.PRINT if millimetres else 96.0
        _written(out, compose.content(made, look, ending, ppi))
    return picture.svg(made, look)


def _diagram(
    results: Mapping[str, Result],
    names: Sequence[str],
    kind: str,
    options: Mapping[str, Any],
    look: tuple[str, str, bool],
) -> "Panel":
    """Panel of a diagram of several runs.  look: units, title, powers of ten."""
    from mechstudio.curves import compose

    shown, across = [], ""
    for run, result in results.items():
        for name, curve in zip(names, result.diagram(kind, *names, **options), strict=True):
            shown.append((find(result.project, name).name, run, curve))
        if over := options.get("over"):
            across = find(result.project, over).name
    return compose.diagram_panel(kind, shown, across, *look)


def _written(path: str | os.PathLike[str], content: bytes) -> None:
    from mechstudio.files.durable import write

    write(path, content)


def load(path: str | os.PathLike[str]) -> Project:
    """The project in a file.  What could not be read as it stands becomes a Python warning.

    Raises ProjectFileError, with one sentence, if the file is none or cannot be read.
    """
    loaded = project_file.load(path)
    for finding in loaded.findings:
        if finding.severity != "info":
            warnings.warn(f"{finding.message} {finding.cure}".strip(), stacklevel=2)
    return loaded.project


def save(project: Project, path: str | os.PathLike[str], camera: Camera | None = None) -> None:
    """Write a project durably; without a camera the point of view of the file that is replaced
    stays.

    Raises ProjectFileError with one sentence; the file is then as it was.
    """
    if camera is None and os.path.exists(path):
        try:
            camera = project_file.load(path).camera
        except ProjectFileError:
            camera = None  # what is replaced was no project: there is no point of view to keep
    project_file.save(path, project, camera)


def check(project: Project) -> Analysis:
    """Structure, mobility, assembled pose and findings of a project (THEORY 4), without running
    it.
    """
    return mobility.analyse(project)


def assemble(project: Project, keep: Iterable[str] = ()) -> Project:
    """The project with its bodies moved by the least until every joint holds.  keep: names or ids
    of bodies that stay where they are.

    A drawing that is closed comes back as it is.  Formulas and typed numbers stay where the joints
    close with them; of others a Python warning tells that they became plain numbers.  Raises
    NotClosed where no pose closes it, EngineError for a drawing that cannot be read, KeyError for
    an unknown body.
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
    A formula of a body's placement that became a number is told by a Python warning.
    Raises NotReached at a dead point or a stop, EngineError for a drawing that cannot be closed,
    KeyError for an unknown joint or coordinate, ValueError for a text that is no value.
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
                names=", ".join(names) or "none",
            )
        )
    requested = (
        expression.evaluate(value, known[place].dimension, parameter_values(project))
        if isinstance(value, str)
        else float(value)
    )
    poses, values, reached, reason = set_coordinate(project.mechanism, id, place, requested)
    placed = elements.place(project, poses, values)
    if lost := list(formulas_lost(project, placed)):
        warnings.warn(
            loss_reported(lost, tr("since {joint} was set", joint=joints[id].name)), stacklevel=2
        )
    if reason:
        raise NotReached(reason, placed, reached)
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


def simulate(
    project: Project,
    duration: Time | None = None,
    sample_step: Time | None = None,
    integrator: str | None = None,
    tolerance: float | str | None = None,
    step: Time | None = None,
    until: Sequence[str] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Result:
    """Run a project from t = 0 and record it.

    duration [s] and what else is left out come from the project's settings.  sample_step [s]:
    between samples.
    integrator: a key of model.types.integrators.INTEGRATOR_TYPES; adaptive ones ("dop853",
    "dopri5", "radau") take `tolerance`, relative and absolute, and
    `step` as the largest step; the others ("rk4", "generalized_alpha", "semi_implicit_euler") a
    fixed `step`, 1 ms where none is given.  Numbers may be texts such as "500 ms".
    until: what ends the run before its duration, such as ["A angle = 90 deg", "Kinetic energy > 3
    J", "body/rod/z < 0"] (= passes, > rises through, < falls through; names as in plots), instead
    of the project's.  progress(fraction): called while it runs.  A run that needs more than a
    minute for its first hundredth warns, with what is slow and what helps, and goes on.
    Raises EngineError if the mechanism cannot be simulated as drawn or memory does not hold the
    run, SimulationStopped (with the samples before it) if the run had to end early, ValueError for
    numbers that make no sense.
    """
    from mechstudio.engine.integration.memory import held
    from mechstudio.engine.integration.options import options_of, sample_count, settings_of
    from mechstudio.engine.run import run, system_for

    options = options_of(project, duration, sample_step, integrator, tolerance, step, until)
    for finding in mobility.analyse(project).findings:
        if finding.severity == "error":
            raise EngineError(finding)
    system = system_for(project.mechanism, options)
    for finding in system.findings:
        warnings.warn(f"{finding.message} {finding.cure}".strip(), stacklevel=2)
    blocks: list[np.ndarray] = []
    events: list[Event] = []
    slow: list[str] = []
    reason = ""
    with held(sample_count(options), system.layout.width):
        try:
            for block in run(system, options, events, slow=slow):
                if len(block):
                    blocks.append(np.array(block))
                for words in filter(None, slow):
                    warnings.warn(words, stacklevel=2)
                slow.clear()
                if progress is not None:
                    progress(min(1.0, blocks[-1][-1, 0] / options.duration) if blocks else 0.0)
        except RunStopped as stop:
            reason = stop.reason
        rows = np.concatenate(blocks) if blocks else np.empty((0, system.layout.width))
    assert system.statistics is not None, "a run sets its statistics however it ends"
    result = Result(
        project,
        system.layout,
        rows,
        msgspec.structs.asdict(system.statistics),
        tuple(events),
        options.until,
        settings_of(options, project.settings, float(rows[-1, 0]) if reason and len(rows) else 0.0),
    )
    if reason:
        raise SimulationStopped(reason, result)
    return result


def contacts_at(project: Project, time: Time) -> "tuple[np.ndarray, ContactSample]":
    """(sample (layout.width,), contacts) at a time [s] of a run from t = 0: what
    Derivation.chapter("contacts", row=…, sample=…) shows in numbers.

    Raises EngineError and RunStopped where it cannot run so far, ValueError for a time that makes
    no sense or where contacts are off.
    """
    from mechstudio.engine.integration.options import options_of
    from mechstudio.engine.run import run, system_for

    if not project.mechanism.contacts.enabled:
        raise ValueError(tr("contacts are off."))
    options = options_of(project, duration=time)
    touches: list[ContactSample] = []
    system = system_for(project.mechanism, options)
    row = touch = None
    for block in run(system, options, touches=touches):
        if len(block):
            # only the last one is wanted, and a few more contacts may be there than samples
            row, touch = np.array(block[-1]), touches[len(block) - 1]
            del touches[: len(block)]
    assert row is not None, "a run has a sample at its start"
    assert touch is not None
    return row, touch


def derive(
    project: Project,
    method: str = "lagrange",
    *,
    coordinates: str = "joint",
    progress: Callable[[float, str], None] | None = None,
) -> "Derivation":
    """The equations of motion in symbols: M(q) a + b(q, v) + g(q) = tau, with C(q) = 0 and
    multipliers where loops close (THEORY 5).

    coordinates: "joint" (of the joints that carry bodies, in file order), "link" (angles of links
    in their plane), or "auto" (link angles where loops close).
    progress(fraction, sentence): called while it derives.  The result has mass_matrix, bias,
    gravity, forces, constraints, jacobian and gamma as SymPy matrices, symbols, values, function(),
    text(), latex(), python() and json().
    Raises DerivationError (a ValueError) with object, cause and cure.
    """
    from mechstudio.engine.constraints.curves import curve_table
    from mechstudio.symbolic.derivation import derive

    derivation = derive(project, method, coordinates=coordinates, progress=progress)
    derivation.curves = {
        id: curve_table(j.curve).at
        for id, j in project.mechanism.joints.items()
        if j.curve is not None
    }
    return derivation


def agreement(derivation: "Derivation") -> "Proof":
    """Proof that derived equations and simulator accelerate alike at random states
    (model.equations.lecture.Proof), drives, stops and contacts left out.

    Raises EngineError for a mechanism that cannot be run.
    """
    from mechstudio.engine.agreement import frame_accelerations, undisturbed
    from mechstudio.symbolic.instants.states import engine_proof

    mechanism, closing = undisturbed(derivation.plan.mechanism), derivation.plan.tree.closing
    return engine_proof(
        derivation, lambda poses, twists: frame_accelerations(mechanism, closing, poses, twists)
    )


def export_equations(
    project: Project,
    path: str | os.PathLike[str],
    format: str = "",
    *,
    method: str = "lagrange",
    coordinates: str = "auto",
    units: str = DEFAULT_SYSTEM,
    progress: Callable[[float, str], None] | None = None,
) -> None:
    """Write the equations of motion, or a report of them, into a file: LaTeX, PDF, Python, C,
    Modelica, a notebook …

    format: an id of model/types/exports.py, such as "report-pdf"; "" for the one that the file's
    ending stands for.  units: of numbers in documents; code is in SI.  progress(fraction,
    sentence): called while it works.  Raises DerivationError (a ValueError) as derive,
    ValueError for an ending that stands for no format, KeyError for an unknown format, OSError with
    a sentence where the path cannot be written; what was there is then as it was.
    """
    from mechstudio.files.durable import write
    from mechstudio.model.types.exports import BY_ID, by_suffix

    found = BY_ID.get(format) if format else by_suffix(os.path.splitext(os.fspath(path))[1])
    if found is None:
        if format:
            raise KeyError(
                tr(
                    "There is no format {format}; there are {by_id}.",
                    format=format,
                    by_id=", ".join(BY_ID),
                )
            )
        raise ValueError(
            tr(
                "The ending of {path} stands for no format; there are {sorted}.",
                path=os.fspath(path),
                sorted=", ".join(sorted({f.suffix for f in BY_ID.values()})),
            )
        )
    derivation = derive(project, method, coordinates=coordinates, progress=progress)
    title = project.lesson.title or os.path.splitext(os.path.basename(os.fspath(path)))[0]
    content = derivation.export(found.id, title=title, units=units, progress=progress)
    write(path, content if isinstance(content, bytes) else content.encode())


def analyse(
    project: Project, what: str, progress: Callable[[float], None] | None = None, **options: Any
) -> "Table":
    """An analysis of the motion or of a state as a table: columns, dimensions, rows (SI), labels,
    residual, notes, hatched, more.

    what: one of model.types.analyses.ANALYSES: "reactions", "torsors", "power", "momenta",
    "energy", "relative", "kinematics", "inverse", "equilibria", "linearise",
    "matrices", "loads", "sensitivity", "drift".  options: the fields of
    model.types.analyses.Options, such as joints=["A"], axes="world", time="1.5 s".
    Raises EngineError for a drawing that cannot be run, ValueError for options that make no sense,
    KeyError for elements that are not there.
    """
    from mechstudio.engine.analyses.registry import analyse

    return analyse(project, what, progress, **options)
