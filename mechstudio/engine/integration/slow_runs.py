"""Runs that hardly get on: after a minute of computing without the first hundredth, a sentence on
what is slow and what helps.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.engine.kernels import run_tables as s
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.model.findings import listed
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.units import format_number
from mechstudio.translation import localised, tr

if TYPE_CHECKING:
    from mechstudio.engine.integration.smooth_run import SmoothRun

LIMIT = 60.0  # seconds of computing after which the first hundredth should be there
HUNDREDTH = 0.01
NEAR = 0.3  # steps over what a method can bear, from which that is what holds them short
LONG_STEP = 0.02  # seconds of computing from which one step counts as long work
MOST_STATES = 300  # of which the rates are examined: more take too long
PROBE = 1e-7  # change of a state by which its rate is measured


class Pace:
    """Watch over one run.  reported: a list to which a sentence is appended when it is slow, and an
    empty one when it gets on.  why: called then.
    """

    def __init__(
        self, duration: float, reported: list[str] | None, why: Callable[[], tuple[str, str]]
    ) -> None:
        self._duration, self._reported, self._why, self._slow = duration, reported, why, False

    def look(self, wall: float, time: float) -> None:
        """After a piece of work.   wall: computed so far; time: simulated so far [s]."""
        if self._reported is None:
            return
        slow = time < HUNDREDTH * self._duration and (self._slow or wall >= LIMIT)
        if slow == self._slow:
            return
        self._slow = slow
        self._reported.append(self._sentence(wall, time) if slow else "")

    def _sentence(self, wall: float, time: float) -> str:
        cause, cure = self._why()
        left = (
            tr(
                "at this pace all {duration:.4g} s take {wall}",
                duration=self._duration,
                wall=_long(wall * self._duration / time),
            )
            if time > 0.0
            else tr("nothing is done yet")
        )
        return tr(
            "The run is slow: {wall} s of computing brought it to {time:.3g} s, {left}. {cause} "
            "{cure}",
            wall=format_number(wall, 2),
            time=time,
            left=left,
            cause=cause,
            cure=cure,
        )


def _long(seconds: float) -> str:
    """ "3 hours": a rough duration in words."""
    for unit, size in (("years", 31557600.0), ("days", 86400.0), ("hours", 3600.0)):
        if seconds >= 2 * size:
            return (
                localised(f"{seconds / size:.2g} {unit}")
                if seconds < 100 * size
                else localised(f"{seconds / size:.0f} {unit}")
            )
    return tr("{seconds:.0f} minutes", seconds=seconds / 60.0)


def reason(run: "SmoothRun") -> tuple[str, str]:
    """Cause of the slow progress of a run without contacts, and its remedy: a sentence each."""
    clock, count = run.state.clock, run.state.count
    step, steps, refused = float(clock[s.STEP]), int(count[s.ACCEPTED]), int(count[s.REJECTED])
    for found in (
        _chosen(run, step),
        _of_laws(run, step, steps),
        _of_instants(run, steps),
        _of_baumgarte(run, step),
        _stiff(run, step),
    ):
        if found is not None:
            return found
    if run.wall > LONG_STEP * max(1, steps + refused):
        return (
            tr(
                "One step takes {wall} s of computing.",
                wall=format_number(run.wall / max(1, steps + refused), 2),
            ),
            tr("Fewer bodies, or a shorter duration, help."),
        )
    if refused > steps:
        return (
            tr(
                "Steps of {step:.1e} s are refused more often than taken, since they miss the "
                "tolerance of {tolerance:.0e}.",
                step=step,
                tolerance=run.options.tolerance,
            ),
            tr(
                "Choose a larger tolerance, or look for a position near a dead point, which a "
                "length that is changed a little avoids."
            ),
        )
    return (
        tr(
            "Its steps are {step:.1e} s long, as the tolerance of {tolerance:.0e} asks for.",
            step=step,
            tolerance=run.options.tolerance,
        ),
        tr(
            "Choose a larger tolerance or a shorter duration, or look for a motion far quicker "
            "than the others, such as that of a light body on a stiff spring."
        ),
    )


def _chosen(run: "SmoothRun", step: float) -> tuple[str, str] | None:
    """Steps as long as they were chosen."""
    chosen = run.longest
    if run.kind.adaptive and not (run.options.step and step >= 0.99 * chosen):
        return None
    what = (
        tr("The longest step that was chosen is") if run.kind.adaptive else tr("The fixed step is")
    )
    return (
        tr(
            "{what} {chosen:.3g} s, so that the run has {duration:,} steps.",
            what=what,
            chosen=chosen,
            duration=math.ceil(run.options.duration / chosen),
        ),
        tr("Choose a longer step, or a shorter duration."),
    )


def _of_laws(run: "SmoothRun", step: float, steps: int) -> tuple[str, str] | None:
    """Steps that end at corners of laws, or that what laws do makes short."""
    passed = run.all_windows - len(run.windows)
    if run.features and (
        passed > 0.1 * steps or (run.largest < run.longest and step >= 0.99 * run.largest)
    ):
        from mechstudio.engine.integration.law_features import named

        joint_label = min(
            run.features,
            key=lambda key: min((t.longest for t in run.features[key].stretches), default=math.inf),
        )
        return (
            tr(
                "{joint_label} changes so quickly that steps may not be longer than {step:.1e} s.",
                joint_label=named(run.system.mechanism, joint_label).capitalize(),
                step=min(step, run.largest),
            ),
            tr("A slower law, or a shorter duration, helps."),
        )
    return None


def _of_instants(run: "SmoothRun", steps: int) -> tuple[str, str] | None:
    """Stops that are struck all the time."""
    if run.contacts.count > 0.1 * max(1, steps):
        return (
            tr("Joints have struck their stops {count:,} times.", count=run.contacts.count),
            tr("A smaller restitution, or a stop with a stiffness, helps."),
        )
    return None


def _of_baumgarte(run: "SmoothRun", step: float) -> tuple[str, str] | None:
    """Errors of joints that die away quicker than anything moves."""
    rate = max(2.0 * run.options.alpha, run.options.beta)
    if run.options.drift != "baumgarte" or not run.system.rows or rate * step < NEAR:
        return None
    return (
        tr(
            "Baumgarte's rates of {alpha:.3g} and {beta:.3g} 1/s hold its steps at {step:.1e} s.",
            alpha=run.options.alpha,
            beta=run.options.beta,
            step=step,
        ),
        tr("Choose lower rates, or projection as drift control."),
    )


def _stiff(run: "SmoothRun", step: float) -> tuple[str, str] | None:
    """Steps that an explicit method keeps short for what is over long before."""
    if run.stepper is not None:
        return None
    rate, vector = _quickest(run)
    if abs(rate) * step < NEAR:
        return None
    node = _mover(run, vector)
    mechanism, tree = run.system.mechanism, run.system.tree
    joint = mechanism.joints.get(tree.nodes[node].joint)
    bodies = tree.nodes[node].bodies
    moved = joint or (mechanism.bodies[bodies[0]] if bodies else None)
    what = (
        tr("the motion of {moved}", moved=moved.name)
        if moved is not None
        else tr("the motion of a body")
    )
    loads = _loads_on(mechanism, tree.nodes[node].joint, _moved_bodies(run, node))
    by = tr(" under {load}", load=listed(loads[:2])) if loads else ""
    time = (
        tr("dies away within {rate:.1e} s", rate=1.0 / abs(rate))
        if abs(rate.real) > abs(rate.imag)
        else tr("swings {imag:.1e} times a second", imag=abs(rate.imag) / (2.0 * math.pi))
    )
    light = _light(mechanism, _moved_bodies(run, node))
    softer = (
        tr("make {load} softer", load=loads[0])
        if loads
        else tr("look for a very stiff spring or a very strong damper")
    )
    return (
        tr(
            "Its steps are held at {step:.1e} s: {what}{by} {time}, and {kind} has to follow that.",
            step=step,
            what=what,
            by=by,
            time=time,
            kind=tr(run.kind.label),
        ),
        tr(
            "Choose Radau IIA, which passes over it, or {softer}{light}.",
            softer=softer,
            light=light,
        ),
    )


def _quickest(run: "SmoothRun") -> tuple[complex, np.ndarray]:
    """The rate [1/s] of the quickest of the small motions here, and its mode (nq + nv,); 0 where
    there are too many states.
    """
    where, T = run.system.where, run.tables
    n = where.nq + where.nv
    y = run.state.y
    if not 0 < n <= MOST_STATES:
        return 0.0, np.zeros(n)
    here, there, J = np.zeros_like(y), np.zeros_like(y), np.zeros((n, n))
    right_hand_side(y.copy(), T, here, True)
    for i in range(n):
        shifted, change = y.copy(), PROBE * max(1.0, abs(y[i]))
        shifted[i] += change
        right_hand_side(shifted, T, there, True)
        J[:, i] = (there[:n] - here[:n]) / change
    if not np.isfinite(J).all():
        return 0.0, np.zeros(n)
    rates, modes = np.linalg.eig(J)
    quickest = int(np.argmax(np.abs(rates)))
    return complex(rates[quickest]), np.abs(modes[:, quickest])


def _mover(run: "SmoothRun", mode: np.ndarray) -> int:
    """The node of the tree that moves most in a mode, by its velocities."""
    rates, at, best = mode[run.system.where.nq :], 0, (-1.0, 0)
    for n, node in enumerate(run.system.tree.nodes):
        best = max(best, (float(rates[at : at + node.dof].max(initial=0.0)), n))
        at += node.dof
    return best[1]


def _moved_bodies(run: "SmoothRun", node: int) -> set[str]:
    """The bodies that a node carries before the next joint of another name."""
    nodes = run.system.tree.nodes
    own = nodes[node].joint
    return {b for n in nodes if n is nodes[node] or (own and n.joint == own) for b in n.bodies}


def _loads_on(mechanism: Mechanism, joint: str, bodies: set[str]) -> list[str]:
    """Names of the loads on a joint, then of those on some bodies."""
    on_joint = [f.name for f in mechanism.forces.values() if joint and f.joint == joint]
    ends = lambda f: {e.body for e in (f.frame_a, f.frame_b) if e is not None}
    return on_joint or [
        f.name for f in mechanism.forces.values() if not f.joint and ends(f) & bodies
    ]


def _light(mechanism: Mechanism, bodies: set[str]) -> str:
    """Advice to make a body heavier that is a thousandth of the heaviest."""
    masses = {id: mass_properties(b).mass for id, b in mechanism.bodies.items()}
    heaviest = max(masses.values(), default=0.0)
    light = [
        mechanism.bodies[id].name for id in bodies if id in masses and masses[id] < 1e-3 * heaviest
    ]
    return tr(", or {light} heavier", light=light[0]) if light else ""


def contact_reason(steps: int, wall: float, step: float, contacts: int) -> tuple[str, str]:
    """The same of a run with contacts."""
    return (
        tr(
            "One step of {step:.1e} s with {contacts} contacts takes {wall} s of computing.",
            step=step,
            contacts=contacts,
            wall=format_number(wall / max(1, steps), 2),
        ),
        tr(
            "Choose a longer step or a larger tolerance of contacts, fewer bodies or a shorter "
            "duration."
        ),
    )
