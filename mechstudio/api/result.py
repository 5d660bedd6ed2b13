"""A recorded run as arrays, named quantities, plots, diagrams and tables."""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from mechstudio.curves.course import Course
from mechstudio.curves.evaluation import Run, course, with_answers
from mechstudio.curves.quantities import QuantityNotFound, find, quantities
from mechstudio.engine.structure.conservation import conserved
from mechstudio.model.findings import listed
from mechstudio.model.naming import find_id
from mechstudio.model.project import DIAGRAMS, EndCondition, Project, Settings
from mechstudio.model.results import sample
from mechstudio.model.results.constant_course import Verdict, verdict
from mechstudio.model.results.events import Event
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.api.contact_forces import ContactForces
    from mechstudio.api.films import Shown
    from mechstudio.application.marks.exported_paths import ExportedPath
    from mechstudio.curves.energy import Account
    from mechstudio.curves.measurements.comparison import Compared
    from mechstudio.curves.operations import Curve
    from mechstudio.curves.picture import Panel
    from mechstudio.curves.tables import Column
    from mechstudio.model.geometry.rotation import Pose


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
    potential_energy, work (of all loads without potential since the start),
    energy_balance (samples,) [J].
    constraint_error (samples, 2): norm of C [m] and of its rate [m/s], angle rows times the
    mechanism's size. momentum (samples, 6): of all bodies in W, linear [kg m/s], then angular about
    W's origin [kg m^2/s]. joint_gap (samples,): the largest distance that a joint stands open [m].
    statistics: see statistics.
    events: every impact of a joint at a hard stop (model/results/events.py), in order of time.
    contacts: forces of all contacts (api/contact_forces.py).
    ended_by: the condition that ended the run, at the last sample; None where it reached its
    duration.

        >>> result = ms.simulate(ms.load("double_pendulum.mech"), duration="1 s")
        >>> result.poses.shape == (len(result), 2, 7)
        True
        >>> bool(abs(result.energy_balance).max() < 1e-6)
        True
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
        contacts: "ContactForces | None" = None,
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
        self._contacts = contacts
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
    def contacts(self) -> "ContactForces":
        """Contacts that act at the samples, with their forces.  Raises ValueError where nothing
        touches in this project, or where the run was made without them.

            >>> result = ms.simulate(ms.load("bouncing_ball.mech"), duration="2 s")
            >>> result.contacts.on("ball").shape == (len(result), 3)
            True
        """
        if self._contacts is None:
            raise ValueError(
                tr("contacts are off.")
                if not self.project.mechanism.contacts.enabled
                else tr("This run has not kept the forces of its contacts.")
            )
        return self._contacts

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

        self._run = with_answers(
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

    def drawing_at(self, time: float) -> Project:
        """The drawing that starts at the sample nearest to a time [s], with its poses, velocities
        and angles: its run is the rest of this one.  Raises ValueError for a time outside the run.
        """
        from mechstudio.model.edits.poses.continuation import continued

        return continued(self.project, self.layout, self.rows[self._nearest(time)])

    def _nearest(self, time: float) -> int:
        if not len(self) or not self.time[0] <= time <= self.time[-1]:
            span = f"{self.time[0]:g} s – {self.time[-1]:g} s" if len(self) else tr("nothing")
            raise ValueError(
                tr("The run has no instant {time} s; it is of {span}.", time=time, span=span)
            )
        return int(np.abs(self.time - time).argmin())

    def instants(self, count: int = 48) -> "list[dict[str, Pose]]":
        """Poses in W of the bodies, by their ids, at about so many instants over the run, as of
        Builder.edit.stack.
        """
        picked = np.unique(np.linspace(0, len(self) - 1, count).astype(int)) if len(self) else []
        return [
            {
                id: (tuple(pose[:3]), tuple(pose[3:]))
                for id, pose in zip(self.layout.bodies, self.poses[k].tolist(), strict=True)
            }
            for k in picked
        ]

    def trail(
        self,
        on: str,
        point: str = "",
        out: str | os.PathLike[str] = "",
        units: str = DEFAULT_SYSTEM,
    ) -> "ExportedPath":
        """Path of a point over the run: points (n, 3) in W [m], parameter (n,) the time [s], and
        their `arc` length.

        on: a body, whose named `point` or centre of mass it is, or a joint, by name or id.  out:
        .csv, .dxf or .svg to write, true to scale.  Raises KeyError, ValueError for what is not
        there, WriteFailed.
        """
        from mechstudio.api.paths import trail

        return trail(self, on, point, out, units)

    def energy_account(self) -> "Account":
        """Energy account: parts over the time [J] that add up to the balance error: stored energies
        less those at the start, and works with the opposite sign.  Works of drives are separated
        from those of other loads by an analysis, where the samples hold them together.
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

    def film(self, path: str | os.PathLike[str] = "", *names: str, **choices: Any) -> "Shown":
        """Write a film of this run, one cycle where it has one: .gif, .webp, .apng, with the extra
        `film` .mp4 and .webm, or a folder of PNG files.  Without a path it is a GIF that a notebook
        shows.

        names: curves under the view, as of `courses`.  choices: first, last [s], whole, turns,
        fps, speed, size [px], theme, transparent, views, clock, cube, scale, labels, marks, units.
        Raises FilmFailed (a RuntimeError) with a sentence.
        """
        from mechstudio.api.films import film

        return film(self, path, *names, **choices)

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
        from mechstudio.curves.measurements.table import matched, read, text_of

        found, _ = matched(self.project, read(text_of(path)), names)
        return compared(found, lambda q: self.courses(q.key)[0], shift)

    def to_csv(
        self,
        path: str | os.PathLike[str],
        *names: str,
        units: str = DEFAULT_SYSTEM,
        dialect: str = "comma",
    ) -> None:
        """Write quantities over the time as a table, names and units in its first line.  names: as
        of `courses`; without any, the joints' coordinates and the energies.  dialect: a key of
        curves.tables.DIALECTS, "comma", "semicolon" (with a decimal comma), "tab".  Raises as
        `courses`, OSError.
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
        from mechstudio.curves.tables import pandas_module

        pandas = pandas_module()
        time, *others = self._table(names, units)
        index = pandas.Index(time.values, name=time.head)
        return pandas.DataFrame({c.head: c.values for c in others}, index=index)

    def to_xarray(self, *names: str, units: str = "m-N-rad") -> Any:
        """The same as a dataset of xarray over the time, with the unit of each variable.  Raises
        MissingLibrary (a RuntimeError) where xarray is not installed.
        """
        from mechstudio.curves import tables

        try:
            import xarray  # type: ignore[import-not-found]
        except ImportError:
            raise tables.MissingLibrary(
                tr(
                    "A dataset needs xarray, which is not installed: pip install xarray, or use "
                    "courses(), to_csv() or to_npz()."
                )
            ) from None
        time, *others = self._table(names, units)
        axis = (time.name, time.values, {"units": time.unit})
        shown = {c.name: (time.name, c.values, {"units": c.unit}) for c in others}
        return xarray.Dataset(shown, coords={time.name: axis})

    def _table(self, names: Sequence[str], units: str) -> "list[Column]":
        from mechstudio.curves import tables

        names = names or self._usual
        shown = [find(self.project, name) for name in names]
        found = self.courses(*names)
        return tables.columns([(q.name, q.dimension, c) for q, c in zip(shown, found)], units)

    @property
    def _usual(self) -> list[str]:
        """Keys of what a table holds where nothing is requested."""
        keys = [key.split("/") for key in quantities(self.project)]
        joints = ["/".join(k) for k in keys if k[0] == "joint" and k[-1].isdecimal()]
        return [*joints, "energy/kinetic", "energy/potential", "energy/total"]

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

        >>> result = ms.simulate(ms.load("four_bar.mech"))
        >>> text = ms.plot({"free": result}, "D angle", "energy/kinetic", out="plot.svg")
        >>> text.startswith("<svg")
        True
    """
    from mechstudio.curves import composition, picture

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
                shown.append(composition.Shown(q.name, q.dimension, found, run))
        made = composition.panels(shown, units, title, log)
    scale = picture.MM if millimetres else 1.0
    look = picture.Look(size[0] * scale, size[1] * scale, theme)
    if out:
        ending = os.path.splitext(os.fspath(out))[1]
        ppi = picture.PRINT if millimetres else 96.0
        _written(out, composition.content(made, look, ending, ppi))
    return picture.svg(made, look)


def _diagram(
    results: Mapping[str, Result],
    names: Sequence[str],
    kind: str,
    options: Mapping[str, Any],
    look: tuple[str, str, bool],
) -> "Panel":
    """Panel of a diagram of several runs.  look: units, title, powers of ten."""
    from mechstudio.curves import composition

    shown, across = [], ""
    for run, result in results.items():
        for name, curve in zip(names, result.diagram(kind, *names, **options), strict=True):
            shown.append((find(result.project, name).name, run, curve))
        if over := options.get("over"):
            across = find(result.project, over).name
    return composition.diagram_panel(kind, shown, across, *look)


def _written(path: str | os.PathLike[str], content: bytes) -> None:
    from mechstudio.files.durable import write

    write(path, content)
