"""Motion of a drawing for simulations elsewhere: initial values, the independent constraint rows,
and what follows the time.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from mechstudio.model.formulas.expression import names_in
from mechstudio.symbolic.exports.motion_laws import MotionLaws, motion_laws
from mechstudio.symbolic.exports.simulation.course import Course, bends, jumps
from mechstudio.symbolic.exports.simulation.courses import courses_of, held_numbers, law_symbols
from mechstudio.symbolic.exports.simulation.rows import kept_rows, lay_out_curves
from mechstudio.symbolic.instants.start import coordinates_of_run, start_of
from mechstudio.symbolic.kinematics.loads import symbol_meaning
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

FOREVER = 1e300  # [s]


class Motion(msgspec.Struct, frozen=True):
    """q, v: at its start, in the order of the coordinates, from where the courses count the time.
    duration [s].  kept: numbers of the independent rows of C.

    rolling: numbers of rows that hold velocities, with no position behind them.  remark: why q, v
    or the time are not those of the engine; else empty.  potential: energy at the start [J].
    course(duration, count): the coordinates (count + 1, n) of a run at even instants, None where it
    cannot be run.
    is_started: False where the engine cannot start the drawing, and q, v are zero.
    laws_end: time up to which the courses hold [s]; straight ones hold for ever.
    driven: per row of C that prescribes a motion its course.  laws: of forces that read the motion.
    laid: sentences on how long and how closely the courses follow their laws, for programs that
    have the courses without the laws.
    jumps: a sentence for programs that close the rows of C gradually, on rates that jump.
    held: numbers of forces at the start, by symbol, whose laws read what has no closed form.
    """

    q: tuple[float, ...]
    v: tuple[float, ...]
    duration: float
    kept: tuple[int, ...]
    rolling: tuple[int, ...]
    courses: tuple[Course, ...] = ()
    remark: str = ""
    potential: float = 0.0
    course: Callable[[float, int], np.ndarray | None] = lambda duration, count: None
    is_started: bool = True
    laws_end: float = FOREVER
    driven: Mapping[int, Course] = {}
    laws: MotionLaws = MotionLaws()
    laid: str = ""
    jumps: str = ""
    held: Mapping[str, float] = {}

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences for programs that follow the courses."""
        return tuple(filter(None, (self.remark, self.laid)))


def motion_of(derivation: "DerivedEquations") -> Motion:
    """The motion of a derivation's drawing; a drawing that the engine cannot start begins at zero,
    and says so.
    """
    plan = derivation.plan
    duration = plan.project.settings.duration.value
    remark, is_started = "", True
    energy = 0.0
    try:
        q, v, values, energy, sample = start_of(derivation)
    except ValueError as error:
        values, is_started, sample = {}, False, None
        q, v, remark = (
            np.zeros(len(plan.coordinates)),
            np.zeros(len(plan.coordinates)),
            tr(
                "The start is all zero, because the drawing cannot be started: {error}", error=error
            ),
        )
    if begin := plan.mechanism.start.value:
        clock = tr("Its time counts from the start of the drawing at {begin:g} s.", begin=begin)
        remark = f"{remark} {clock}".strip()
    courses = courses_of(derivation, duration, values)
    of_drives = {c.drive: c for c in courses if c.drive}
    rough = [c.name for c in courses if c.miss > 1.0]
    laws_end = duration if any(bends(c, duration) for c in courses) else FOREVER
    laid = ""
    if laws_end < FOREVER:
        laid = tr("Laws over the time are laid out up to {duration:g} s.", duration=duration)
    laws = motion_laws(derivation, law_symbols(derivation))
    if laws.held:
        still = [
            symbol_meaning(plan.mechanism.forces[force], parameter)
            for force, parameter in laws.held
        ]
        said = tr(
            "Models, notebooks and FMUs hold these numbers of forces as they are at the start, "
            "since what their laws read has no closed form: {names}.",
            names=comma().join(still),
        )
        remark = f"{remark} {said}".strip()
    if fixed := _fixed_parameters(derivation):
        said = tr(
            "Laws hold these parameters as they are in the drawing, also where they are changed "
            "here: {names}.",
            names=comma().join(fixed),
        )
        remark = f"{remark} {said}".strip()
    if rough:
        said = tr(
            "What follows the time is too quick or too broken to be laid out closely: {names}.",
            names=comma().join(rough),
        )
        laid = f"{laid} {said}".strip()
    kept: tuple[int, ...] = ()
    if derivation.rows:
        lay_out_curves(derivation)
        kept = kept_rows(derivation, q, duration)
    rolling = tuple(k for k, r in enumerate(derivation.rows) if r.label.endswith("(velocity)"))
    return Motion(
        tuple(map(float, q)),
        tuple(map(float, v)),
        duration,
        kept,
        rolling,
        courses,
        remark,
        energy,
        lambda duration, count: coordinates_of_run(plan, duration, count),
        is_started,
        laws_end,
        {k: of_drives[r.joint] for k, r in enumerate(derivation.rows) if r.joint in of_drives},
        laws,
        laid,
        jumps(plan.mechanism),
        held_numbers(derivation, laws, q, v, sample) if laws.held else {},
    )


def _fixed_parameters(derivation: "DerivedEquations") -> list[str]:
    """Parameters of the user that stand in the equations and are numbers in a law."""
    mechanism = derivation.plan.mechanism
    laws = [drive.law for drive in mechanism.drives.values() if drive.enabled]
    laws += [c.law for c in mechanism.couplings.values() if c.law is not None]
    laws += [law for force in mechanism.forces.values() for law in force.laws.values()]
    named = {name for law in laws for name in law.parameters if law.type == "expression"}
    named |= {
        name
        for law in laws
        for q in (*law.parameters.values(), *(x for point in law.points for x in point))
        for name in names_in(q.text)
    }
    return [
        s.letter
        for s in derivation.plan.symbols.all
        if s.parameter and s.index in derivation.names.p and s.letter in named
    ]
