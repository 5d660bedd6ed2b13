"""Balancing and sizing: counterweights, springs against gravity, motors with gears, flywheels."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mechstudio.model.project import Project

if TYPE_CHECKING:
    from mechstudio.model.sizing.additions import Addition
    from mechstudio.model.sizing.answer import Sized

Number = float | str  # in SI, or as typed: "20 mm"
Progress = Callable[[float], None]
Place = str | tuple[float, float, float]  # "body.point", or (x, y, z) in W [m]


def counterweights(
    project: Project,
    bodies: str | Sequence[str] = (),
    *,
    goal: str = "rms",
    radius: Number | None = None,
    density: Number = 7850.0,
    point: Place | None = None,
    progress: Progress | None = None,
) -> "Sized":
    """Counterweights that make the shaking force of a cycle least, with what they cost.

    bodies: that may carry one, by name or id; () for all that turn about a pin on ground.  goal:
    "rms" or "peak" of the force.  radius [m]: from the pin to a counterweight; None: half the
    distance of the body's pins.  density [kg/m^3].  point: of the shaking moment; None: the first
    pin on ground.
    The result has a `sentence`, `figures` before and after, `tables`, `notes`, the `additions` that
    `with_additions` puts into the project, and the `residual` between promise and second run.
    Raises EngineError for a drawing that cannot be run or has contacts, ValueError with one
    sentence, KeyError for names that are not there.

        >>> found = ms.counterweights(ms.load("four_bar.mech"))
        >>> [(disc.body, round(disc.mass, 2)) for disc in found.additions]
        [('crank', 3.8), ('rocker', 4.59)]
        >>> force = found.figure("force_peak")
        >>> round(force.before, 1), round(force.value, 6)
        (275.5, 0.0)
    """
    given = {
        "bodies": bodies if isinstance(bodies, str) else tuple(bodies),
        "goal": goal,
        "radius": radius,
        "density": density,
        "point": point,
    }
    return _sized(project, "counterweights", given, progress)


def gravity_balance(
    project: Project,
    joint: str = "",
    *,
    low: Number | None = None,
    high: Number | None = None,
    spring: str = "ideal",
    height: Number | None = None,
    reach: Number | None = None,
    stretch: Number = 2.0,
    progress: Progress | None = None,
) -> "Sized":
    """The spring that holds a mechanism against gravity while a pin turns through a range.

    joint: the pin; "" for the driven one or the first.  low, high [rad]: of its coordinate; None:
    its stops, or 45 deg on each side of the drawn angle.  spring: "ideal", which has no free
    length, or "ordinary".  height, reach [m]: from the pin to the end that stays, and to the end
    that moves.  stretch: longest over free length of an ordinary one.  The direction of the end
    that stays and the stiffness are found, of an ordinary one a missing distance too; drives of
    other joints are held as drawn.  Result and errors are those of `counterweights`.

        >>> arm = ms.Builder("arm")
        >>> lever = arm.link("lever", (0, 0, 0), (0.4, 0, 0))
        >>> pin = arm.pin("A", arm.ground, lever, at=lever.start)
        >>> arm.set(lever, "mass", 2.0)
        >>> found = ms.gravity_balance(arm.project(), height=0.2, reach=0.3)
        >>> round(found.additions[0].stiffness * 0.2 * 0.3, 6)  # m g r
        3.924
        >>> found.figure("torque_peak").value < 1e-6
        True
    """
    given = {
        "joint": joint,
        "low": low,
        "high": high,
        "spring": spring,
        "height": height,
        "reach": reach,
        "stretch": stretch,
    }
    return _sized(project, "gravity", given, progress)


def motor_and_gear(
    project: Project,
    drive: str = "",
    *,
    travel: Number | None = None,
    motors: str | os.PathLike[str] = "",
    ratios: str | Sequence[float] = (),
    efficiency: Number = 0.95,
    reserve: Number = 1.2,
    mismatch: Number = 10.0,
    take: str = "",
    progress: Progress | None = None,
) -> "Sized":
    """Motors and ratios that carry the load of a drive, with their margins.

    drive: a drive or motor on a pin or a slider, or the joint; "" for the only one.  travel [m]: of
    a slider through one turn of its pinion or screw.  motors: a table (.csv) with columns name,
    rated torque, peak torque, max speed and rotor inertia, their units in brackets; "" for generic
    sizes.  ratios: that can be had; () for usual ones.  efficiency: of the gear.  reserve: least
    margin of torque and speed.  mismatch: greatest inertia of the load at the motor over the
    rotor's.  take: motor to look at; "" for the smallest that passes.  Result and errors are those
    of `counterweights`.

        >>> arm = ms.Builder("arm")
        >>> lever = arm.link("lever", (0, 0, 0), (0.4, 0, 0))
        >>> pin = arm.pin("A", arm.ground, lever, at=lever.start)
        >>> motor = arm.drive("motor", pin, position=ms.sine(amplitude="60 deg", frequency=0.5))
        >>> found = ms.motor_and_gear(arm.project())
        >>> motors = found.tables[0]
        >>> motors.labels[0], motors.marks[0]
        ('gearless 20 W', 'passes')
    """
    given = {
        "drive": drive,
        "travel": travel,
        "motors": os.fspath(motors),
        "ratios": ratios,
        "efficiency": efficiency,
        "reserve": reserve,
        "mismatch": mismatch,
        "take": take,
    }
    return _sized(project, "motor", given, progress)


def flywheel(
    project: Project,
    drive: str = "",
    *,
    ripple: Number = 0.02,
    diameter: Number | None = None,
    density: Number = 7850.0,
    progress: Progress | None = None,
) -> "Sized":
    """The flywheel that keeps the ripple of a crank's speed small.

    drive: that turns the crank at the mean speed; "" for the only one.  ripple: greatest less least
    speed over the mean, of a crank that a constant torque turns freely.  diameter [m]: of the disc;
    None: eight times its thickness.  density [kg/m^3].  Result and errors are those of
    `counterweights`.

        >>> crank = ms.Builder("crank")
        >>> arm = crank.link("arm", (0, 0, 0), (0.2, 0, 0))
        >>> pin = crank.pin("A", crank.ground, arm, at=arm.start)
        >>> drive = crank.drive("motor", pin, speed="200 rpm")
        >>> found = ms.flywheel(crank.project(), ripple=0.01)
        >>> round(found.figure("ripple").value, 4)  # of a run with the disc
        0.01
    """
    given = {"drive": drive, "ripple": ripple, "diameter": diameter, "density": density}
    return _sized(project, "flywheel", given, progress)


def with_additions(project: Project, additions: "Sequence[Addition]") -> Project:
    """A project with what a helper proposes: solids on bodies, a spring, or a rotor's inertia.
    Raises KeyError for a body that is not there.

        >>> four_bar = ms.load("four_bar.mech")
        >>> balanced = ms.with_additions(four_bar, ms.counterweights(four_bar).additions)
        >>> ms.counterweights(balanced).additions
        ()
    """
    from mechstudio.model.sizing.additions import with_additions

    return with_additions(project, additions)


def _sized(
    project: Project, what: str, given: dict[str, object], progress: Progress | None
) -> "Sized":
    from mechstudio.engine.sizing.registry import size

    return size(
        project,
        what,
        {name: value for name, value in given.items() if value is not None},  # type: ignore[misc]
        progress,
    )
