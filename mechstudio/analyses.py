"""ms.analyse: every analysis of a motion or a state by its name, for scripts and the terminal; all numbers in SI."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from .api import EngineError, find_id, run_options
from .engine import mobility
from .model import expression, law_edits, laws
from .model.channels import channels
from .model.edit import parameter_values
from .model.expression import ExpressionError
from .model.joint_types import JOINT_TYPES
from .model.law_texts import bound
from .model.mechanism import GROUND, POSITION, Drive, Frame, Law, Mechanism
from .model.project import Project

if TYPE_CHECKING:
    from .engine.analyses.record import Record
    from .engine.analyses.table import Table

OVER_TIME = ("reactions", "momenta", "energy", "relative", "kinematics", "inverse", "loads")
AT_INSTANT = ("torsors", "power", "linearise")
SEARCHES = ("equilibria", "sensitivity")
ANALYSES = (*OVER_TIME, *AT_INSTANT, *SEARCHES)
AXES = ("joint", "world", "body")

Place = str | tuple[float, float, float]


class Options(msgspec.Struct, frozen=True):
    """What an analysis may be told; each reads its own.

    joints, bodies: names or ids, () for all.   axes: of reactions, "joint", "world" or "body".   point: where torsors and moments are read: (x, y, z) in W [m], a joint's
    name, or "body.point"; None for the usual place.   frames: points of bodies, "body" or "body.point" each.   seen_from: body whose frame a motion is seen from.
    time [s]: of analyses of one instant.   duration, sample_step [s]: of the run; None: the project's.   motion: joint -> text of its position over t, for
    "inverse".   independent: names of coordinates, of "linearise".   inputs: joints on which efforts act there.   starts: of "equilibria".   parameters,
    channels: of "sensitivity".
    """

    joints: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    axes: str = "joint"
    point: Place | None = None
    frames: tuple[str, ...] = ()
    seen_from: str = GROUND
    time: float | str = 0.0
    duration: float | str | None = None
    sample_step: float | str | None = None
    motion: Mapping[str, str] = {}
    independent: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    starts: int = 40
    parameters: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()


def analyse(project: Project, what: str, progress: Callable[[float], None] | None = None, **options) -> "Table":
    """One analysis as a table (columns, dimensions, rows, labels, residual, notes); options: see Options.

    what: one of ANALYSES.   Raises EngineError for a drawing that cannot be run, ValueError (ExpressionError, NoPartition) for options that make no sense,
    KeyError, with the known names, for elements that are not there.
    """
    if what not in ANALYSES:
        raise ValueError(f"There is no analysis {what}; there are {', '.join(ANALYSES)}.")
    asked = Options(**{k: tuple(v) if isinstance(v, list) else v for k, v in options.items()})
    if asked.axes not in AXES:
        raise ValueError(f"Axes are {', '.join(AXES)}, not {asked.axes}.")
    for finding in mobility.analyse(project).findings:
        if finding.severity == "error":
            raise EngineError(finding)
    return _Analysis(project, asked, progress).of(what)


class _Analysis:
    def __init__(self, project: Project, options: Options, progress: Callable[[float], None] | None) -> None:
        self.project, self.options, self.progress = project, options, progress
        self.mechanism: Mechanism = project.mechanism

    def of(self, what: str) -> "Table":
        """The table of one analysis."""
        if what in OVER_TIME:
            return self._over_time(what)
        if what in AT_INSTANT:
            return self._at_instant(what)
        return self._equilibria() if what == "equilibria" else self._sensitivity()

    # names

    def _joints(self, names: Sequence[str]) -> list[str]:
        known = {id: j.name for id, j in self.mechanism.joints.items()}
        return [find_id(known, name, "joint") for name in names] or list(known)

    def _body(self, name: str) -> str:
        known = {GROUND: self.mechanism.ground.name} | {id: b.name for id, b in self.mechanism.bodies.items()}
        return find_id(known, name, "body")

    def _frame(self, text: str) -> Frame:
        body, _, point = text.partition(".")
        id = self._body(body)
        self.mechanism.body(id).point(point)
        return Frame(id, point)

    def _point(self, now) -> np.ndarray | None:
        p = self.options.point
        if p is None or not isinstance(p, str):
            return None if p is None else np.array(p, float)
        joints = {id: j.name for id, j in self.mechanism.joints.items()}
        if p in joints or p in joints.values():
            return now.at.frames[2][list(joints).index(find_id(joints, p, "joint"))]
        from .engine.analyses.over_time import place
        return place(now, self._frame(p))[1]

    # runs

    def _record(self, mechanism: Mechanism | None = None, duration: float | str | None = None) -> "Record":
        from .engine.analyses.record import Record
        options = run_options(self.project, self.options.duration if duration is None else duration, self.options.sample_step)
        return Record(mechanism or self.mechanism, options, self.progress)

    def _over_time(self, what: str) -> "Table":
        from .engine.analyses import over_time as table
        asked = self.options
        record = self._record(self._with_motion() if what == "inverse" else None)
        if what == "energy":
            return table.energy(record.samples, record.system.layout)
        instants = [record.instant(k) for k in range(len(record.samples))]
        if what == "reactions":
            return table.reactions(instants, self._joints(asked.joints), asked.axes, self._point(instants[0]))
        if what == "momenta":
            return table.momenta(instants, self._point(instants[0]))
        if what == "kinematics":
            return table.kinematics(instants, [(text, self._frame(text)) for text in asked.frames or [b.name for b in self.mechanism.bodies.values()]])
        if what == "relative":
            if len(asked.frames) != 1:
                raise ValueError("Relative motion needs one frame, such as 'coupler' or 'coupler.end', whose point is looked at.")
            return table.relative(instants, asked.frames[0], self._frame(asked.frames[0]), self._body(asked.seen_from))
        if what == "inverse":
            found = table.efforts(instants)
            found.what = what
            return found
        return table.load_table(instants, asked.axes)

    def _with_motion(self) -> Mechanism:
        from .engine.analyses.inverse import with_motion
        wanted: dict[tuple[str, int], Law] = {}
        for name, text in self.options.motion.items():
            joint, = self._joints([name])
            kind = JOINT_TYPES[self.mechanism.joints[joint].type]
            if not kind.dof:
                raise ValueError(f"{self.mechanism.joints[joint].name} leaves no motion that could be given.")
            law = msgspec.structs.replace(law_edits.new_law("expression"), text=text)
            drive = Drive("motion", "motion", joint, 0, POSITION, law)
            known = laws.variables(self.mechanism, drive)
            values = parameter_values(self.project)
            if reason := laws.check(law, kind.coordinates[0].dimension, known, values):
                raise ExpressionError(f"{self.mechanism.joints[joint].name} = {text}: {reason}")
            wanted[joint, 0] = bound(law, known, values)
        if not wanted and not any(d.enabled for d in self.mechanism.drives.values()):
            raise ValueError("Inverse dynamics needs a motion: give one for a joint, such as A = 90 deg*sin(2 rad/s*t), or draw a drive.")
        return with_motion(self.project, wanted)

    # one instant

    def _at_instant(self, what: str) -> "Table":
        from .engine.analyses import linear
        from .engine.analyses import over_time as table
        from .engine.analyses.record import instant_at
        from .engine.system import compile_system
        time = self.options.time
        at = expression.evaluate(time, "time", parameter_values(self.project)) if isinstance(time, str) else float(time)
        if at < 0:
            raise ValueError("The time must not lie before the start of the motion.")
        if at > 0:
            record = self._record(duration=at)
            system, y = record.system, record.states[-1]
        else:
            system = compile_system(self.mechanism)
            y = system.start
        if what == "linearise":
            inputs = [(joint, 0) for joint in (self._joints(self.options.inputs) if self.options.inputs else ())]
            return linear.table(linear.linearise(system, y, self.options.independent, inputs))
        now = instant_at(system, y)
        if what == "power":
            return table.power(now, y)
        return table.torsors(now, [self._body(b) for b in self.options.bodies] or list(self.mechanism.bodies), self._point(now))

    # searches

    def _equilibria(self) -> "Table":
        from .engine.analyses import equilibria as search
        from .engine.analyses.table import Table
        from .engine.system import compile_system
        found = search.equilibria(compile_system(self.mechanism), self.options.starts, progress=self.progress)
        columns = [(f"{j.name} {c.name}" if JOINT_TYPES[j.type].dof > 1 else j.name, c.dimension) for j in self.mechanism.joints.values() for c in JOINT_TYPES[j.type].coordinates]
        columns += [("least stiffness", "energy"), ("growth [1/s]", "number")]
        words = {True: "stable", False: "unstable", None: "neutral"}
        rows = [(*e.coordinates, e.stiffness, e.growth) for e in found.equilibria]
        note = f"{len(rows)} found from {found.starts} starts; there may be others."
        how = "Stability by the least eigenvalue of the reduced stiffness." if found.conservative else "Stability by the growth of small motions, since a load has no potential."
        return Table("equilibria", columns, np.array(rows).reshape(-1, len(columns)), [words[e.stable] for e in found.equilibria], None, (note, how))

    def _sensitivity(self) -> "Table":
        from .engine.analyses.sensitivity import sensitivity
        known = channels(self.mechanism)
        keys = self.options.channels or tuple(k for k in known if k.startswith("joint/"))
        for key in keys:
            if key not in known:
                raise KeyError(f"There is no channel {key}; there are {', '.join(known)}.")
        for name in self.options.parameters:
            if name not in self.project.parameters:
                raise KeyError(f"There is no parameter {name}; there are {', '.join(self.project.parameters) or 'none'}.")
        if not self.project.parameters:
            raise ValueError("The project has no parameters; give a number a name first.")
        return sensitivity(self.project, keys, run_options(self.project, self.options.duration, self.options.sample_step), self.options.parameters, self.progress)


__all__ = ["ANALYSES", "Options", "analyse"]
