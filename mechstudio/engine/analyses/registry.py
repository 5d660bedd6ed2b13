"""Every analysis of a motion or a state by its name and in the user's words; all numbers in SI.  A
new one is a row of model/types/analyses.py and a function here.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from mechstudio.engine.analyses import equilibria as search
from mechstudio.engine.analyses import linearisation, over_time
from mechstudio.engine.analyses.clearance import MOST_PAIRS, clearances_over, unjointed_pairs
from mechstudio.engine.analyses.drift import injected
from mechstudio.engine.analyses.inverse import with_motion
from mechstudio.engine.analyses.linkages import linkage_facts
from mechstudio.engine.analyses.loads import joint_loads
from mechstudio.engine.analyses.loads.forces import force_table
from mechstudio.engine.analyses.loads.free_bodies import free_bodies
from mechstudio.engine.analyses.methods import compare
from mechstudio.engine.analyses.record import Record, instant_at
from mechstudio.engine.analyses.rest import notes as rest_notes
from mechstudio.engine.analyses.sensitivity import sensitivity
from mechstudio.engine.analyses.table import Table
from mechstudio.engine.constraints.joint_coordinates import coordinates_by_joint
from mechstudio.engine.dynamics.instant import Instant
from mechstudio.engine.errors import EngineError
from mechstudio.engine.integration.memory import held
from mechstudio.engine.integration.options import RunOptions, options_of, sample_count
from mechstudio.engine.run import run, system_for
from mechstudio.engine.structure import mobility
from mechstudio.engine.system.system import System, compile_system
from mechstudio.model.edits import laws as law_edits
from mechstudio.model.edits.elements import parameter_values
from mechstudio.model.fields import CONTACTS
from mechstudio.model.findings import Finding
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.laws import evaluation
from mechstudio.model.laws.texts import bound
from mechstudio.model.mechanism import GROUND, POSITION, Drive, Frame, Law, Mechanism
from mechstudio.model.naming import find_id
from mechstudio.model.project import Project
from mechstudio.model.results.analysis_results import RowPose
from mechstudio.model.results.channels import channels
from mechstudio.model.results.clearance import bodies_between, clearances
from mechstudio.model.types.analyses import ANALYSES, AXES, Options
from mechstudio.model.types.forces import is_motor
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import comma, tr, trn


def analyse(
    project: Project, what: str, progress: Callable[[float], None] | None = None, **options
) -> Table:
    """One analysis as a table (columns, dimensions, rows, labels, residual, notes); options: see
    Options.

    what: one of ANALYSES.  Raises EngineError for a drawing that cannot be run, ValueError
    (ExpressionError, NoPartition) for options that make no sense,
    KeyError, with the known names, for elements that are not there.
    """
    if what not in ANALYSES:
        names = comma().join(ANALYSES)
        raise ValueError(
            tr("There is no analysis {what}; there are {analyses}.", what=what, analyses=names)
        )
    known = set(Options.__struct_fields__)
    if unknown := [name for name in options if name not in known]:
        raise ValueError(
            tr(
                "There is no option {unknown}; there are {struct_fields}.",
                unknown=unknown[0],
                struct_fields=comma().join(Options.__struct_fields__),
            )
        )
    given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in options.items()}
    return analyse_as(project, what, Options(**given), progress)


def analyse_as(
    project: Project, what: str, given: Options, progress: Callable[[float], None] | None = None
) -> Table:
    """The same with the options as one value."""
    if given.axes not in AXES:
        raise ValueError(
            tr("Axes are {axes}, not {given_axes}.", axes=comma().join(AXES), given_axes=given.axes)
        )
    mobility.refuse(project)
    subject = ANALYSES[what].without_contacts
    if project.mechanism.contacts.enabled and subject:
        raise EngineError(
            Finding(
                "error",
                CONTACTS,
                tr("{subject} know nothing of contacts, which are on.", subject=subject),
                tr("Switch contacts off, or ask for what a run shows."),
            )
        )
    return _MAKERS[what](Task(project, given, progress))


INJECTED = 1e-4  # of the size: the error with which a run of drift begins


class Task:
    """One analysis of a project: its request, elements by name, runs and instants."""

    def __init__(
        self, project: Project, options: Options, progress: Callable[[float], None] | None
    ) -> None:
        self.project, self.options, self.progress = project, options, progress
        self.mechanism: Mechanism = project.mechanism

    # names

    def joints(self, names: Sequence[str]) -> list[str]:
        known = {id: j.name for id, j in self.mechanism.joints.items()}
        return [find_id(known, name, "joint") for name in names] or list(known)

    def body(self, name: str) -> str:
        known = {GROUND: self.mechanism.ground.name} | {
            id: b.name for id, b in self.mechanism.bodies.items()
        }
        return find_id(known, name, "body")

    def frame(self, text: str) -> Frame:
        body, _, point = text.partition(".")
        id = self.body(body)
        self.mechanism.body(id).point(point)
        return Frame(id, point)

    def point(self, now: Instant) -> np.ndarray | None:
        return None if self.options.point is None else self.moving_point(now)[1]

    def moving_point(self, now: Instant) -> tuple[int, np.ndarray]:
        """Number of the body with which the chosen point moves, and its place in W."""
        p = self.options.point
        if not isinstance(p, str):
            return 0, np.array(p, float)
        joints = {id: j.name for id, j in self.mechanism.joints.items()}
        if p in joints or p in joints.values():
            j = list(joints).index(find_id(joints, p, "joint"))
            return int(now.rows.body_b[j]), now.at.frames[2][j]
        return over_time.place(now, self.frame(p))

    @property
    def about(self) -> over_time.About | None:
        return None if self.options.point is None else self.moving_point

    # runs

    def record(
        self, mechanism: Mechanism | None = None, duration: float | str | None = None
    ) -> Record:
        # what ends the drawn run ends neither another motion nor the way to an instant
        options = (
            options_of(self.project, self.options.duration, self.options.sample_step)
            if mechanism is None and duration is None
            else self.whole(duration)
        )
        # any formulation determines a motion that is given throughout, joint coordinates soonest
        if mechanism is not None:
            options = msgspec.structs.replace(options, formulation="joint")
        return Record(mechanism or self.mechanism, options, self.progress)

    def whole(self, duration: float | str | None = None) -> RunOptions:
        """A run that no condition ends."""
        return options_of(
            self.project,
            self.options.duration if duration is None else duration,
            self.options.sample_step,
            until=(),
        )

    def instants(self, record: Record | None = None) -> list[Instant]:
        """Every sample of a run."""
        record = record or self.record()
        return [record.instant(k) for k in range(len(record.samples))]

    def with_motion(self) -> Mechanism:
        requested: dict[tuple[str, int], Law] = {}
        for name, text in self.options.motion.items():
            (joint,) = self.joints([name])
            kind = JOINT_TYPES[self.mechanism.joints[joint].type]
            if not kind.dof:
                raise ValueError(
                    tr(
                        "{joint} leaves no motion that could be given.",
                        joint=self.mechanism.joints[joint].name,
                    )
                )
            law = msgspec.structs.replace(law_edits.new_law("expression"), text=text)
            drive = Drive("motion", "motion", joint, 0, POSITION, law)
            known = evaluation.variables(self.mechanism, drive)
            values = parameter_values(self.project)
            if reason := evaluation.check(law, kind.coordinates[0].dimension, known, values):
                raise ExpressionError(f"{self.mechanism.joints[joint].name} = {text}: {reason}")
            requested[joint, 0] = bound(law, known, values)
        if not requested and not any(d.enabled for d in self.mechanism.drives.values()):
            raise ValueError(
                tr(
                    "Inverse dynamics needs a motion: give one for a joint, such as A = 90 "
                    "deg*sin(2 rad/s*t), or draw a drive."
                )
            )
        return with_motion(self.project, requested)

    # one instant

    def instant(self, formulation: str = "") -> tuple[Instant, System, np.ndarray]:
        """The requested instant, with the system and its state.  formulation: another than
        that of the project.
        """
        time, begin = self.options.time, self.mechanism.start.value
        if time is None:
            at = begin
        elif isinstance(time, str):
            at = expression.evaluate(time, "time", parameter_values(self.project))
        else:
            at = float(time)
        after = at - begin
        if after < 0:
            raise ValueError(tr("The time must not lie before the start of the motion."))
        if after > 0:
            options = self.whole(after)
            if formulation:
                options = msgspec.structs.replace(options, formulation=formulation)
            record = Record(self.mechanism, options, self.progress)
            return record.instant(len(record.samples) - 1), record.system, record.states[-1]
        now = self.start()
        return now, now.system, now.system.start

    def start(self) -> Instant:
        """The instant at which a run begins."""
        if self.mechanism.contacts.enabled:
            # what contacts do there, the first step says
            options = self.whole()
            return Record(
                self.mechanism,
                msgspec.structs.replace(options, duration=0.5 * options.sample_step),
                self.progress,
                first_only=True,
            ).instant(0)
        system = compile_system(self.mechanism)
        return instant_at(system, system.start)

    def inputs(self) -> list[tuple[str, int]]:
        """Coordinates on which efforts act; without a word of it, those of the motors, or the first
        one of every joint.
        """
        m = self.mechanism
        if self.options.inputs:
            joints = self.joints(self.options.inputs)
            if stiff := [m.joints[j].name for j in joints if not JOINT_TYPES[m.joints[j].type].dof]:
                raise ValueError(
                    tr("{stiff} leaves no motion along which an effort could act.", stiff=stiff[0])
                )
            return [(joint, 0) for joint in joints]
        motors = dict.fromkeys(
            (f.joint, f.coordinate) for f in m.forces.values() if is_motor(f.type)
        )
        return list(motors) or [(j.id, 0) for j in m.joints.values() if JOINT_TYPES[j.type].dof]


Maker = Callable[[Task], Table]
_MAKERS: dict[str, Maker] = {}


def analysis(key: str) -> Callable[[Maker], Maker]:
    """Register the function that makes the table of an analysis, a key of ANALYSES."""

    def register(make: Maker) -> Maker:
        _MAKERS[key] = make
        return make

    return register


# over a run


@analysis("reactions")
def _reactions(task: Task) -> Table:
    given, record = task.options, task.record()
    table = joint_loads.reactions(
        task.instants(record), task.joints(given.joints), given.axes, task.point
    )
    return _with_impacts(table, record)


@analysis("loads")
def _loads(task: Task) -> Table:
    record = task.record()
    return _with_impacts(joint_loads.load_table(task.instants(record), task.options.axes), record)


def _with_impacts(table: Table, record: Record) -> Table:
    """A table of forces over a run, with a note on impacts: rigid bodies give impulses there."""
    count = len(record.events)
    if not count:
        return table
    note = (
        trn(
            "Something strikes once in this run: where a sample is of that step, forces are means "
            "over it.",
            "Something strikes {count} times in this run: where samples are of these steps, forces "
            "are means over them.",
            count,
            count=count,
        )
        if record.contact_samples
        else trn(
            "A stop is struck once in this run: the force of the impact is not in the table, since "
            "rigid bodies give an impulse alone.",
            "Stops are struck {count} times in this run: the forces of impacts are not in the "
            "table, since rigid bodies give impulses alone.",
            count,
            count=count,
        )
    )
    table.notes = (*table.notes, note)
    return table


@analysis("forces")
def _forces(task: Task) -> Table:
    return force_table(task.instants())


@analysis("free_bodies")
def _free_bodies(task: Task) -> Table:
    bodies = [task.body(b) for b in task.options.bodies]
    # of no duration: of the instant at which a run would begin
    return free_bodies([task.start()] if task.options.duration == 0 else task.instants(), bodies)


@analysis("momenta")
def _momenta(task: Task) -> Table:
    record = task.record()
    found = over_time.momenta(task.instants(record), task.about)
    if task.options.point is not None:
        return found
    system = record.system
    return over_time.with_constants(found, system.mechanism, system.layout, record.samples)


@analysis("shaking")
def _shaking(task: Task) -> Table:
    return over_time.shaking(task.instants(), task.about)


@analysis("joint_errors")
def _joint_errors(task: Task) -> Table:
    # as the run itself: in its formulation, whose errors these are
    given = task.options
    options = options_of(task.project, given.duration, given.sample_step)
    system = system_for(task.mechanism, options)
    with held(sample_count(options), system.layout.width):
        blocks = [np.array(block) for block in run(system, options, [])]
    return over_time.joint_errors(system, np.concatenate(blocks), task.joints(given.joints))


@analysis("clearance")
def _clearance(task: Task) -> Table:
    record = task.record()
    bodies = [task.body(b) for b in task.options.bodies]
    if len(bodies) == 2:
        names = [task.mechanism.body(id).name for id in bodies]
        pairs = [(" – ".join(names), bodies[0], bodies[1])]
    elif bodies:
        raise ValueError(tr("Clearance is between two bodies: choose two, or none for all gauges."))
    else:
        gauges = clearances(task.project)
        pairs = [(name, *bodies_between(g)) for name, g in gauges.items()]
        pairs = pairs or unjointed_pairs(task.mechanism)
    if not pairs or len(pairs) > MOST_PAIRS:
        raise ValueError(tr("Choose two bodies, or measure between two with R first."))
    return clearances_over(
        task.mechanism, pairs, record.system.layout, record.samples, task.progress
    )


@analysis("energy")
def _energy(task: Task) -> Table:
    record = task.record()
    return over_time.energy(record.samples, record.system.layout)


@analysis("kinematics")
def _kinematics(task: Task) -> Table:
    names = task.options.frames or [b.name for b in task.mechanism.bodies.values()]
    return over_time.kinematics(task.instants(), [(text, task.frame(text)) for text in names])


@analysis("relative")
def _relative(task: Task) -> Table:
    given = task.options
    if len(given.frames) != 1:
        raise ValueError(
            tr(
                "Relative motion needs one frame, such as 'coupler' or 'coupler.end', at the "
                "point that is observed."
            )
        )
    (text,) = given.frames
    return over_time.relative(task.instants(), text, task.frame(text), task.body(given.seen_from))


@analysis("inverse")
def _inverse(task: Task) -> Table:
    found = joint_loads.efforts(task.instants(task.record(task.with_motion())))
    found.what = "inverse"
    return found


# at one instant


@analysis("torsors")
def _torsors(task: Task) -> Table:
    now, _, _ = task.instant()
    bodies = [task.body(b) for b in task.options.bodies] or list(task.mechanism.bodies)
    return over_time.torsors(now, bodies, task.point(now), task.options.axes)


@analysis("power")
def _power(task: Task) -> Table:
    now, _, y = task.instant()
    return over_time.power(now, y)


def _small_motions(task: Task) -> linearisation.Linear:
    _, system, y = task.instant("joint")
    return linearisation.linearise(system, y, task.options.independent, task.inputs())


@analysis("linearise")
def _linearise(task: Task) -> Table:
    return linearisation.table(_small_motions(task))


@analysis("matrices")
def _matrices(task: Task) -> Table:
    return linearisation.matrices(_small_motions(task))


# searches


@analysis("drift")
def _drift(task: Task) -> Table:
    return injected(task.mechanism, task.whole(), INJECTED * task.mechanism.size())


def _verdict(found: search.Equilibrium, momentary: bool) -> str:
    """A word on an equilibrium."""
    if momentary:
        return rest_notes.MOMENTARY
    if found.against is not None:
        return rest_notes.AGAINST
    return rest_notes.VERDICTS[found.stable] if found.sure else rest_notes.DOUBTFUL


@analysis("equilibria")
def _equilibria(task: Task) -> Table:
    found = search.equilibria(
        compile_system(task.mechanism), task.options.starts, progress=task.progress
    )
    columns = [
        (f"{j.name} {c.name}" if JOINT_TYPES[j.type].dof > 1 else j.name, c.dimension)
        for j in task.mechanism.joints.values()
        for c in JOINT_TYPES[j.type].coordinates
    ]
    columns += [("least stiffness", "energy"), ("growth [1/s]", "number"), ("force left", "number")]
    moving = rest_notes.momentary_rest(task.mechanism)
    rows = [(*e.coordinates, e.stiffness, e.growth, e.left) for e in found.equilibria]
    notes = [
        tr(
            "Every position is an equilibrium: loads move the mechanism at none of {count} poses.",
            count=found.starts + 1,
        )
        if found.everywhere
        else tr(
            "{count} found from {starts} starts; there may be others.",
            count=len(rows),
            starts=found.starts,
        ),
        tr("Stability by the least eigenvalue of the reduced stiffness.")
        if found.conservative
        else tr("Stability by the growth of small motions, since a load has no potential."),
        tr(
            "Force left: part of the largest load that the joints do not hold, by the balance of "
            "every body, or part of what loads do on a coordinate elsewhere, if that is more."
        ),
    ]
    if unsure := [k for k, e in enumerate(found.equilibria, 1) if not e.sure]:
        notes.insert(
            2,
            trn(
                "Of number {map} the growth of small motions says otherwise.",
                "Of numbers {map} the growth of small motions says otherwise.",
                len(unsure),
                map=comma().join(map(str, unsure)),
            ),
        )
    elif found.conservative and rows:
        notes[1] = tr(
            "Stability by the least eigenvalue of the reduced stiffness; the growth of small "
            "motions says the same."
        )
    families = [k for k, e in enumerate(found.equilibria, 1) if e.family]
    if families and not found.everywhere:
        notes.append(
            trn(
                "Number {map} of the list stands for a family: poses beside it rest as well.",
                "Numbers {map} of the list stand for a family: poses beside it rest as well.",
                len(families),
                map=comma().join(map(str, families)),
            )
        )
    if found.passed:
        notes.append(
            tr(
                "Others lie where the ends of {passed} have passed each other; they are left out, "
                "as in the equations.",
                passed=" and of ".join(found.passed),
            )
        )
    if moving:
        notes.insert(0, rest_notes.momentary_equilibria(moving, task.mechanism.start.value))
    notes += rest_notes.sticking_equilibria(task.mechanism)
    notes += rest_notes.stops_of_equilibria(
        task.mechanism,
        [(k, e.against) for k, e in enumerate(found.equilibria, 1) if e.against is not None],
        found.beyond,
        found.unlooked,
    )
    residual = max((1.0 if not e.sure else e.left for e in found.equilibria), default=None)
    return Table(
        "equilibria",
        columns,
        np.array(rows).reshape(-1, len(columns)),
        [_verdict(e, bool(moving)) for e in found.equilibria],
        residual,
        tuple(notes),
        poses=tuple(
            RowPose(
                coordinates_by_joint(task.mechanism, e.coordinates),
                tuple(tuple(map(float, pose)) for pose in e.poses),
            )
            for e in found.equilibria
        ),
    )


@analysis("sensitivity")
def _sensitivity(task: Task) -> Table:
    known = channels(task.mechanism)
    usual = "joint/" if task.mechanism.joints else "body/"
    keys = task.options.channels or tuple(k for k in known if k.startswith(usual))
    for key in keys:
        if key not in known:
            raise KeyError(
                tr(
                    "There is no channel {key}; there are {known}.",
                    key=key,
                    known=comma().join(known),
                )
            )
    for name in task.options.parameters:
        if name not in task.project.parameters:
            raise KeyError(
                tr(
                    "There is no parameter {name}; there are {parameters}.",
                    name=name,
                    parameters=comma().join(task.project.parameters) or tr("none"),
                )
            )
    if not task.project.parameters:
        raise ValueError(tr("The project has no parameters; give a number a name first."))
    return sensitivity(task.project, keys, task.whole(), task.options.parameters, task.progress)


@analysis("linkage")
def _linkage(task: Task) -> Table:
    given = task.options
    among = task.joints(given.joints) if given.joints else []
    return linkage_facts(task.mechanism, task.body(given.seen_from), among)


@analysis("methods")
def _methods(task: Task) -> Table:
    options = options_of(task.project, task.options.duration, task.options.sample_step)
    return compare(task.mechanism, options, task.project.settings, task.progress)


assert _MAKERS.keys() == ANALYSES.keys()
