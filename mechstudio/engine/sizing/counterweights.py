"""Counterweights for the shaking force.

The shaking force, minus the sum of m a_G over all bodies, is linear in the mass times radius of a
counterweight on a body.  Over a cycle that makes a linear least-squares problem, whose remainder is
zero where a full force balance exists (Berkof and Lowen 1969).
"""

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.dynamics.instant import Instant
from mechstudio.engine.sizing.course import Course, motion_of, not_repeating
from mechstudio.engine.sizing.task import Task, axis_in, is_pin, joint_places, side_on, tidy
from mechstudio.model.geometry.rotation import triple
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Joint
from mechstudio.model.sizing.additions import Disc, disc_of, with_additions
from mechstudio.model.sizing.answer import (
    Figure,
    Line,
    Sized,
    SizedPicture,
    SizedTable,
    without_rounding,
)
from mechstudio.model.sizing.helpers import PEAK
from mechstudio.model.units import format_value
from mechstudio.translation import tr

NOTHING = 1e-9  # part of _scale that counts as no shaking force
WORTH = 1e-3  # share of the shaking force from which a counterweight is proposed
ROUNDS = 40  # of the masses of counterweights on bodies whose pins move
STILL = 1e-10  # change of a round at which they are found


def _peak(F: np.ndarray) -> float:
    return float(np.linalg.norm(F, axis=1).max())


class Site:
    """A body that may carry a counterweight.  pivot (3,): in body axes, in the plane of the centre
    of mass.  axis (3,): unit vector there.  radius [m].
    """

    def __init__(self, task: Task, body: str, pin: Joint, radius: float | None) -> None:
        m = task.mechanism
        self.body, self.pin = body, pin
        self.axis = axis_in(m, pin, body)
        self.is_on_ground = GROUND in (pin.frame_a.body, pin.frame_b.body)
        at = np.array(m.frame_in_body(side_on(pin, body))[0])
        self.index = list(m.bodies).index(body) + 1
        center = np.array(mass_properties(m.bodies[body]).center)
        self.pivot = at + self.axis * (self.axis @ (center - at))
        self.radius = 0.5 * task.span(body, pin) if radius is None else radius


def shaking(now: Instant, point: np.ndarray) -> np.ndarray:
    """Shaking force [N] and moment about a place of W [N m] (6,): what the inertia of all bodies
    exerts on the ground.
    """
    return -sum((now.dynamic(b, point) for b in range(1, len(now.masses))), np.zeros(6))


def counterweights(task: Task) -> Sized:
    """See the module."""
    goal, density = task.text("goal"), task.needed("density", 0.0)
    radius = task.number("radius", 0.0)
    sites = _sites(task, radius)
    course = motion_of(task.project, task.progress)
    moving = course.instants
    fixed = _first_pin(task, moving[0])
    # a point of a body moves with it
    about = lambda now: fixed if (P := task.point("point", now)) is None else P
    F = np.array([shaking(now, fixed)[:3] for now in moving])
    scale = _scale(moving)
    if scale == 0.0:
        raise ValueError(tr("Nothing with mass is moving: there is no shaking force."))
    before = _ShakingForce(course, about)
    if before.force_peak <= NOTHING * scale:
        return Sized(
            "counterweights",
            tr("The shaking force is zero already: nothing is to be added."),
            before.figures(before),
            notes=tuple(filter(None, (not_repeating(course),))),
        )
    U = _solve(course, sites, F, goal)
    promised = F + _effect(course, sites, U)
    measure = _peak if goal == PEAK else course.rms
    discs: list[Disc] = []
    for site, u in zip(sites, U, strict=True):
        size = float(np.linalg.norm(u))
        if size * _fastest(course, site) <= NOTHING * scale:
            continue
        center = site.pivot + site.radius * u / size
        discs.append(
            disc_of(
                site.body, size / site.radius, tidy(center), triple(map(float, site.axis)), density
            )
        )
    if not discs or measure(promised) > (1.0 - WORTH) * measure(F):
        return Sized(
            "counterweights",
            tr("No counterweight on these bodies makes the shaking force less."),
            before.figures(before),
            notes=tuple(filter(None, (not_repeating(course),))),
        )
    second = motion_of(with_additions(task.project, discs), task.progress)
    after = _ShakingForce(second, about)
    residual = (
        float(np.abs(promised - after.F).max() / before.force_peak)
        if after.F.shape == promised.shape and _is_held(task)
        else math.nan
    )
    return Sized(
        "counterweights",
        _sentence(before, after, scale, goal),
        after.figures(before),
        (_weights(task, sites, U, discs), _bearings(before, after)),
        _pictures(before, after),
        tuple(filter(None, (not_repeating(course), *_cost(task, course)))),
        tuple(discs),
        residual,
    )


def _scale(moving: list[Instant]) -> float:
    """Inertia force that a body would have if its mass lay a size of the mechanism off: what a
    shaking force is compared with [N].
    """
    found = 0.0
    for now in moving:
        turns = np.linalg.norm(now.accelerations[:, 3:], axis=1) + (now.at.twists[:, 3:] ** 2).sum(
            axis=1
        )
        shifts = np.linalg.norm(now.accelerations[:, :3], axis=1)
        found = max(found, float((now.masses * (shifts + turns * now.rows.size)).max()))
    return found


def _sites(task: Task, radius: float | None) -> list[Site]:
    m = task.mechanism
    pins = [j for j in m.joints.values() if is_pin(j)]
    grounded = {
        (set((j.frame_a.body, j.frame_b.body)) - {GROUND}).pop(): j
        for j in reversed(pins)
        if GROUND in (j.frame_a.body, j.frame_b.body) and j.frame_a.body != j.frame_b.body
    }
    given = task.bodies("bodies")
    if not given:
        if not grounded:
            raise ValueError(
                tr("No body turns about a pin on ground: choose bodies to carry counterweights.")
            )
        return [Site(task, body, grounded[body], radius) for body in m.bodies if body in grounded]
    out = []
    for body in dict.fromkeys(given):
        near = [j for j in pins if body in (j.frame_a.body, j.frame_b.body)]
        if not near:
            raise ValueError(
                tr(
                    "{body} hangs on no pin: a counterweight on it has nothing to turn about.",
                    body=m.bodies[body].name,
                )
            )
        # a pin on another chosen body, whose counterweight can carry this one's
        near.sort(key=lambda j: not ({j.frame_a.body, j.frame_b.body} - {body}) & {*given})
        out.append(Site(task, body, grounded.get(body, near[0]), radius))
    return out


def _first_pin(task: Task, now: Instant) -> np.ndarray:
    """Place of the driven pin on ground, of another one, or the origin of W."""
    m = task.mechanism
    driven = [d.joint for d in m.drives.values() if d.enabled]
    for id in (*driven, *m.joints):
        joint = m.joints[id]
        if is_pin(joint) and GROUND in (joint.frame_a.body, joint.frame_b.body):
            return now.at.frames[2][list(m.joints).index(id)]
    return np.zeros(3)


def _columns(course: Course, site: Site) -> tuple[np.ndarray, np.ndarray]:
    """Shaking force of a unit of mass times radius along each axis of the body (s, 3, 3), and of a
    unit of mass at the pivot (s, 3).
    """
    turns, shifts = [], []
    for now in course.instants:
        R, b = now.at.R[site.index], site.index
        w, alpha = now.at.twists[b, 3:], now.accelerations[b, 3:]
        turns.append(-np.array([cross(alpha, e) + cross(w, cross(w, e)) for e in R.T]).T)
        shifts.append(-now.acceleration_at(b, now.at.origins[b] + R @ site.pivot))
    return np.array(turns), np.array(shifts)


def _fastest(course: Course, site: Site) -> float:
    return float(np.abs(_columns(course, site)[0]).max())


def _solve(course: Course, sites: list[Site], F: np.ndarray, goal: str) -> list[np.ndarray]:
    """Mass times radius of every site along the axes of its body (3,) [kg m].

    The mass of a counterweight on a pin that moves acts there too: it is put in and solved again.
    """
    parts = [_columns(course, site) for site in sites]
    A = np.concatenate([turn for turn, _ in parts], axis=2)  # (s, 3, 3 sites)
    weight = np.sqrt(course.weights)[:, None]
    rows = (A * weight[:, None]).reshape(-1, A.shape[2])
    scale = np.abs(A).max()
    if scale == 0.0:
        raise ValueError(tr("None of these bodies turns: a counterweight on them does nothing."))

    def solve(base: np.ndarray) -> np.ndarray:
        u = np.linalg.lstsq(rows, -(base * weight).ravel(), rcond=1e-10)[0]
        return _least_peak(A, base, u) if goal == PEAK else u

    masses = np.zeros(len(sites))
    u = solve(F)
    for _ in range(ROUNDS):
        new = np.array(
            [
                0.0 if s.is_on_ground else float(np.linalg.norm(u[3 * k : 3 * k + 3])) / s.radius
                for k, s in enumerate(sites)
            ]
        )
        if np.abs(new - masses).max() <= STILL * max(new.max(), 1e-300):
            return [u[3 * k : 3 * k + 3] for k in range(len(sites))]
        masses = new
        u = solve(F + sum(m * shift for m, (_, shift) in zip(masses, parts)))
    raise ValueError(
        tr(
            "The counterweights on bodies whose pins move call for ever larger ones: choose a "
            "larger radius, or the bodies that carry those pins too."
        )
    )


def _least_peak(A: np.ndarray, base: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Unknowns u of the least peak: least s with |base + A u| <= s at every sample, which is
    convex.
    """
    unit = float(np.linalg.norm(base, axis=1).max())
    # an axis of a body about which it turns has no column
    kept = np.abs(A).max(axis=(0, 1)) > 1e-10 * np.abs(A).max()
    size = np.abs(A).max(axis=(0, 1))[kept]
    B = A[:, :, kept] / size
    force = lambda x: base / unit + B @ x[:-1]
    x0 = start[kept] * size / unit
    peak = lambda x: np.linalg.norm(base / unit + B @ x, axis=1).max()
    found = minimize(
        lambda x: x[-1],
        np.append(x0, peak(x0)),
        jac=lambda x: np.append(np.zeros(len(x) - 1), 1.0),
        constraints={
            "type": "ineq",
            "fun": lambda x: x[-1] ** 2 - (force(x) ** 2).sum(axis=1),
            "jac": lambda x: np.column_stack(
                (-2.0 * np.einsum("si,sij->sj", force(x), B), np.full(len(B), 2.0 * x[-1]))
            ),
        },
        method="SLSQP",
        options={"maxiter": 300, "ftol": 1e-12},
    )
    best = min((x0, found.x[:-1]), key=peak)
    out = np.zeros(A.shape[2])
    out[kept] = best * unit / size
    return out


def _effect(course: Course, sites: list[Site], U: list[np.ndarray]) -> np.ndarray:
    """Shaking force of the counterweights (s, 3)."""
    total = np.zeros((len(course.instants), 3))
    for site, u in zip(sites, U, strict=True):
        turn, shift = _columns(course, site)
        total += turn @ u + (0.0 if site.is_on_ground else np.linalg.norm(u) / site.radius) * shift
    return total


class _ShakingForce:
    """Figures of a motion: shaking force and moment, efforts of drives, peaks of bearings."""

    def __init__(self, course: Course, about: Callable[[Instant], np.ndarray]) -> None:
        self.course = course
        W = np.array([shaking(now, about(now)) for now in course.instants])
        self.F, self.M = W[:, :3], W[:, 3:]
        self.force_peak = float(np.linalg.norm(self.F, axis=1).max())
        self.force_rms = course.rms(self.F)
        m = course.mechanism
        self.bearings = {}
        for k, joint in enumerate(m.joints.values()):
            forces = [np.linalg.norm(now.reactions[k].wrench[:3]) for now in course.instants]
            known = all(now.reactions[k].determined[:3].all() for now in course.instants)
            self.bearings[joint.name] = (float(max(forces)), known)
        self.efforts = {
            d.name: np.array(
                [
                    next((e.effort for e in now.efforts if e.id == d.id), math.nan)
                    for now in course.instants
                ]
            )
            for d in m.drives.values()
            if d.enabled
        }

    def figures(self, before: "_ShakingForce") -> tuple[Figure, ...]:
        size = lambda v: float(np.linalg.norm(v, axis=1).max())
        out = [
            Figure(
                "force_peak", tr("Shaking force, peak"), self.force_peak, "force", before.force_peak
            ),
            Figure(
                "force_rms", tr("Shaking force, RMS"), self.force_rms, "force", before.force_rms
            ),
            Figure(
                "moment_peak", tr("Shaking moment, peak"), size(self.M), "torque", size(before.M)
            ),
            Figure(
                "moment_rms",
                tr("Shaking moment, RMS"),
                self.course.rms(self.M),
                "torque",
                before.course.rms(before.M),
            ),
        ]
        m = self.course.mechanism
        for drive in m.drives.values():
            if drive.name not in self.efforts:
                continue
            kind = "torque" if is_pin(m.joints[drive.joint]) else "force"
            peak = lambda force: float(np.abs(force.efforts[drive.name]).max())
            out.append(
                Figure(
                    f"drive_peak/{drive.name}",
                    tr("{drive}, peak effort", drive=drive.name),
                    peak(self),
                    kind,
                    peak(before),
                )
            )
        return tuple(map(without_rounding, out))


def _sentence(before: _ShakingForce, after: _ShakingForce, scale: float, goal: str) -> str:
    if after.force_peak <= max(1e-6 * before.force_peak, NOTHING * scale):
        return tr("Fully balanced: the shaking force is zero throughout the cycle.")
    old, new = (
        (before.force_peak, after.force_peak)
        if goal == PEAK
        else (before.force_rms, after.force_rms)
    )
    numbers = {
        "before": format_value(old, "force", digits=4),
        "after": format_value(new, "force", digits=4),
        "share": 100.0 * (1.0 - new / old),
    }
    return (
        tr(
            "The peak of the shaking force falls from {before} to {after}, by {share:.0f} %.",
            **numbers,
        )
        if goal == PEAK
        else tr(
            "The RMS of the shaking force falls from {before} to {after}, by {share:.0f} %.",
            **numbers,
        )
    )


def _is_held(task: Task) -> bool:
    """True if drives determine the motion, which added masses then leave as it is."""
    structure = task.analysis.structure
    return structure is not None and structure.driven >= structure.mobility


def _cost(task: Task, course: Course) -> list[str]:
    return [
        tr(
            "Counterweights add mass: the shaking moment, the drive and the bearings pay for it, "
            "as the figures before and after tell."
        )
    ] + (
        []
        if _is_held(task)
        else [
            tr(
                "Drives do not hold the whole motion, so that the second run moves otherwise than "
                "the first."
            )
        ]
    )


def _weights(task: Task, sites: list[Site], U: list[np.ndarray], discs: list[Disc]) -> SizedTable:
    m, rows, labels = task.mechanism, [], []
    of = {site.body: (site, u) for site, u in zip(sites, U, strict=True)}
    for disc in discs:
        site, u = of[disc.body]
        labels.append(m.bodies[disc.body].name)
        rows.append(
            (
                float(np.linalg.norm(u)),
                _angle(task, site, u),
                site.radius,
                disc.mass,
                2.0 * disc.radius,
                disc.height,
            )
        )
    return SizedTable(
        tr("Counterweights"),
        tr("on"),
        (
            tr("mass × radius"),
            tr("angle"),
            tr("radius"),
            tr("mass"),
            tr("diameter"),
            tr("thickness"),
        ),
        ("mass_radius", "angle", "length", "mass", "length", "length"),
        tuple(labels),
        tuple(rows),
    )


def _angle(task: Task, site: Site, u: np.ndarray) -> float:
    """Angle of a counterweight about the pin, from the line to the body's farthest joint, or from
    its x [rad], from 0 to 2 pi.
    """
    m = task.mechanism
    arms = [p - site.pivot for p in joint_places(m, site.body)]
    flat = [a - site.axis * (site.axis @ a) for a in arms]
    line = max(flat, key=np.linalg.norm, default=np.zeros(3))
    if np.linalg.norm(line) < 1e-9 * m.size():
        line = np.array((1.0, 0.0, 0.0)) - site.axis * site.axis[0]
    angle = math.atan2(site.axis @ cross(line, u), line @ u) % (2.0 * math.pi)
    return 0.0 if 2.0 * math.pi - angle < 1e-9 else angle


def _bearings(before: _ShakingForce, after: _ShakingForce) -> SizedTable:
    unknown = [name for name, (_, known) in after.bearings.items() if not known]
    return SizedTable(
        tr("Bearing forces, peak"),
        tr("joint"),
        (tr("before"), tr("after")),
        ("force", "force"),
        tuple(after.bearings),
        tuple((before.bearings[name][0], value) for name, (value, _) in after.bearings.items()),
        marks=tuple(
            tr("not determined by rigid bodies") if name in unknown else ""
            for name in after.bearings
        ),
    )


def _pictures(before: _ShakingForce, after: _ShakingForce) -> tuple[SizedPicture, ...]:
    # the plane of the motion: the axes of W along which the force is larger
    least = int(np.argmin(np.abs(before.F).max(axis=0)))
    i, j = (k for k in range(3) if k != least)
    names = "xyz"
    both = ((tr("before"), "before", before), (tr("after"), "after", after))
    ring = lambda v, force: tuple(map(float, (*v, v[0]) if force.course.repeats else v))
    return (
        SizedPicture(
            tr("Shaking force over the cycle"),
            "t",
            "time",
            "F",
            "force",
            tuple(
                Line(
                    word,
                    role,
                    tuple((force.course.times - force.course.times[0]).tolist()),
                    tuple(np.linalg.norm(force.F, axis=1).tolist()),
                )
                for word, role, force in both
            ),
        ),
        SizedPicture(
            tr("Shaking force on the ground"),
            f"F{names[i]}",
            "force",
            f"F{names[j]}",
            "force",
            tuple(
                Line(word, role, ring(force.F[:, i], force), ring(force.F[:, j], force))
                for word, role, force in both
            ),
            equal=True,
        ),
    )
