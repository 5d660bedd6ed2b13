"""Runs that hardly get on: after a minute of computing without the first hundredth, a sentence on
what is slow and what helps.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.engine.kernels import run_tables as s
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.units import format_number

if TYPE_CHECKING:
    from mechstudio.engine.integration.smooth_run import SmoothRun

LIMIT = 60.0  # seconds of computing after which the first hundredth should be there
HUNDREDTH = 0.01
NEAR = 0.3  # steps over what a method can bear, from which that is what holds them short
LONG_STEP = 0.02  # seconds of computing from which one step counts as long work
MOST_STATES = 300  # of which the rates are looked at: more take too long
PROBE = 1e-7  # change of a state by which its rate is measured


class Pace:
    """Watch over one run.  reported: a list to which a sentence is appended when it is slow, and an
    empty one when it gets on.  why: asked then.
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
            f"at this pace all {self._duration:.4g} s take {_long(wall * self._duration / time)}"
            if time > 0.0
            else "nothing is done yet"
        )
        return (
            f"The run is slow: {format_number(wall, 2)} s of computing brought it to "
            f"{time:.3g} s, {left}. {cause} {cure}"
        )


def _long(seconds: float) -> str:
    """ "3 hours": a rough duration in words."""
    for unit, size in (("years", 31557600.0), ("days", 86400.0), ("hours", 3600.0)):
        if seconds >= 2 * size:
            return (
                f"{seconds / size:.2g} {unit}"
                if seconds < 100 * size
                else f"{seconds / size:.0f} {unit}"
            )
    return f"{seconds / 60.0:.0f} minutes"


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
            (
                f"One step takes {format_number(run.wall / max(1, steps + refused), 2)} s of "
                "computing."
            ),
            "Fewer bodies, or a shorter duration, help.",
        )
    if refused > steps:
        return (
            (
                f"Steps of {step:.1e} s are refused more often than taken, since they miss the "
                f"tolerance of {run.options.tolerance:.0e}."
            ),
            (
                "Choose a larger tolerance, or look for a position near a dead point, which a "
                "length that is changed a little avoids."
            ),
        )
    return (
        (
            f"Its steps are {step:.1e} s long, as the tolerance of {run.options.tolerance:.0e} "
            "asks for."
        ),
        (
            "Choose a larger tolerance or a shorter duration, or look for a motion far quicker "
            "than the others, such as that of a light body on a stiff spring."
        ),
    )


def _chosen(run: "SmoothRun", step: float) -> tuple[str, str] | None:
    """Steps as long as they were chosen."""
    chosen = run.longest
    if run.kind.adaptive and not (run.options.step and step >= 0.99 * chosen):
        return None
    what = "The longest step that was chosen is" if run.kind.adaptive else "The fixed step is"
    return (
        (
            f"{what} {chosen:.3g} s, so that the run has "
            f"{math.ceil(run.options.duration / chosen):,} steps."
        ),
        "Choose a longer step, or a shorter duration.",
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
            (
                f"{named(run.system.mechanism, joint_label).capitalize()} changes so quickly that "
                f"steps may not be longer than {min(step, run.largest):.1e} s."
            ),
            "A slower law, or a shorter duration, helps.",
        )
    return None


def _of_instants(run: "SmoothRun", steps: int) -> tuple[str, str] | None:
    """Stops that are struck all the time."""
    if run.contacts.count > 0.1 * max(1, steps):
        return (
            f"Joints have struck their stops {run.contacts.count:,} times.",
            "A smaller restitution, or a stop with a stiffness, helps.",
        )
    return None


def _of_baumgarte(run: "SmoothRun", step: float) -> tuple[str, str] | None:
    """Errors of joints that die away quicker than anything moves."""
    rate = max(2.0 * run.options.alpha, run.options.beta)
    if run.options.drift != "baumgarte" or not run.system.rows or rate * step < NEAR:
        return None
    return (
        (
            f"Baumgarte's rates of {run.options.alpha:.3g} and {run.options.beta:.3g} 1/s hold "
            f"its steps at {step:.1e} s."
        ),
        "Choose lower rates, or projection as drift control.",
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
    what = f"the motion of {moved.name if moved is not None else 'a body'}"
    loads = _loads_on(mechanism, tree.nodes[node].joint, _moved_bodies(run, node))
    by = f" under {' and '.join(loads[:2])}" if loads else ""
    time = (
        f"dies away within {1.0 / abs(rate):.1e} s"
        if abs(rate.real) > abs(rate.imag)
        else f"swings {abs(rate.imag) / (2.0 * math.pi):.1e} times a second"
    )
    light = _light(mechanism, _moved_bodies(run, node))
    softer = (
        f"make {loads[0]} softer"
        if loads
        else "look for a very stiff spring or a very strong damper"
    )
    return (
        (
            f"Its steps are held at {step:.1e} s: {what}{by} {time}, and {run.kind.label} "
            "has to follow that."
        ),
        f"Choose Radau IIA, which passes over it, or {softer}{light}.",
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
    """The node of the tree that moves most in a mode, by what its velocities are."""
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
    return f", or {light[0]} heavier" if light else ""


def contact_reason(steps: int, wall: float, step: float, contacts: int) -> tuple[str, str]:
    """The same of a run with contacts."""
    return (
        (
            f"One step of {step:.1e} s with {contacts} contacts takes "
            f"{format_number(wall / max(1, steps), 2)} s of computing."
        ),
        (
            "Choose a longer step or a larger tolerance of contacts, fewer bodies or a shorter "
            "duration."
        ),
    )
