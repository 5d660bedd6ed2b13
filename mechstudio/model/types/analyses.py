"""Analyses that can be run, their options and their results."""

from collections.abc import Mapping

import msgspec

from mechstudio.model.mechanism import GROUND
from mechstudio.translation import Words

AXES = ("joint", "world", "body")
# columns that hold instants of the run, to which the time cursor can go
INSTANTS = ("time", "at time")


class AnalysisType(msgspec.Struct, frozen=True):
    """One analysis; a function of engine/analyses/registry.py makes its table.

    label: as in the window.  summary: what is in its table.  at_cursor: True of analyses of the
    instant at the time cursor.  axes: in which it can be given, the usual ones first.  read_at: the
    usual point of moments in words, for analyses that take one.  options: further options that the
    window offers, "motion" or "seen_from".  needs: input that the window asks for. every_sample:
    True if it uses every sample of the run, however long.  tolerance: residual up to which its own
    check passes.  without_contacts: its subject in the sentence that refuses contacts, "" if it
    takes them.  curves: submenu of the plots with its results over the time, "" for none.
    minute: True where numbers far below the others of their unit are no zeros.  group: head in the
    list of analyses.  worst: dimension of the columns whose largest number marks its row, "" for
    none.  seen_from: words of the body that is chosen as such.
    """

    label: Words
    summary: Words
    at_cursor: bool = False
    axes: tuple[str, ...] = ()
    read_at: Words = ""
    options: tuple[str, ...] = ()
    needs: Words = ""
    every_sample: bool = False
    tolerance: float = 1e-9
    without_contacts: Words = ""
    curves: Words = ""
    minute: bool = False
    group: Words = "Motion"
    worst: str = ""
    seen_from: Words = "seen from {name}"


ANALYSES: dict[str, AnalysisType] = {
    "reactions": AnalysisType(
        "Reactions",
        "forces and moments of joints, over the run",
        axes=AXES,
        read_at="at the joint",
        needs="Select joints, or none for all.",
        curves="Reactions",
        group="Loads",
        worst="force",
    ),
    "loads": AnalysisType(
        "Load table",
        "peak, least, most and RMS of every joint, drive and motor",
        axes=AXES,
        every_sample=True,
        group="Loads",
    ),
    "forces": AnalysisType(
        "Forces",
        "effort and power of every spring, damper, motor, bushing and load, over the run",
        curves="Forces",
        group="Loads",
        worst="force",
    ),
    "torsors": AnalysisType(
        "Torsors",
        "kinematic, kinetic, dynamic and action torsor of every body, at the time cursor",
        at_cursor=True,
        axes=("world", "body"),
        read_at="at the centre of mass",
        group="Loads",
    ),
    "power": AnalysisType(
        "Virtual power",
        "balance for every velocity, per solid and per load, at the time cursor",
        at_cursor=True,
        group="Loads",
    ),
    "free_bodies": AnalysisType(
        "Free bodies",
        "every load, reaction and inertia on each body, over the run",
        group="Loads",
        worst="force",
    ),
    "momenta": AnalysisType(
        "Momenta",
        "momentum and angular momentum with their rates, over the run",
        read_at="about the origin",
        curves="Momentum",
        group="Motion",
    ),
    "shaking": AnalysisType(
        "Shaking force",
        "force and moment that the inertia of all bodies exerts on the ground, over the run",
        read_at="about the origin",
        curves="Shaking force",
        group="Loads",
        worst="force",
    ),
    "joint_errors": AnalysisType(
        "Joint errors",
        "how far each joint stands open, over the run",
        needs="Select joints, or none for all.",
        group="Accuracy",
        worst="length",
    ),
    "energy": AnalysisType(
        "Energy",
        "the account and its balance, over the run",
        tolerance=1e-4,
        group="Motion",
    ),
    "kinematics": AnalysisType(
        "Kinematics",
        "position, velocity and acceleration of selected bodies",
        tolerance=1e-4,
        needs="Select bodies, or none for all.",
        curves="Accelerations",
        group="Motion",
    ),
    "relative": AnalysisType(
        "Relative motion",
        "of a selected body, seen from another: relative, transport, Coriolis",
        tolerance=1e-4,
        options=("seen_from",),
        needs="Select the body to observe.",
        curves="Relative motion",
        group="Motion",
    ),
    "clearance": AnalysisType(
        "Clearance",
        "least distance of pairs of bodies, over the run",
        needs="Select two bodies, or none for all gauges or pairs.",
        group="Motion",
    ),
    "inverse": AnalysisType(
        "Inverse dynamics",
        "efforts that a given motion asks for",
        options=("motion",),
        needs="Type a joint's motion over t.",
        curves="Efforts",
        group="Loads",
    ),
    "equilibria": AnalysisType(
        "Equilibria",
        "where it can rest, and whether it is stable there",
        tolerance=1e-7,
        without_contacts="Equilibria",
        group="Statics",
    ),
    "linearise": AnalysisType(
        "Modes",
        "frequencies and damping ratios about the time cursor",
        at_cursor=True,
        tolerance=1e-4,
        without_contacts="Small motions",
        group="Linear",
    ),
    "matrices": AnalysisType(
        "State matrices",
        "A and B of the linearised motion about the time cursor",
        at_cursor=True,
        tolerance=1e-4,
        without_contacts="The matrices of small motions",
        group="Linear",
    ),
    "sensitivity": AnalysisType(
        "Sensitivities",
        "change of the joint coordinates per parameter",
        tolerance=1e-4,
        group="Linear",
    ),
    "drift": AnalysisType(
        "Drift",
        "how an injected constraint error decays",
        tolerance=1e-3,
        without_contacts="Errors put in on purpose",
        curves="Drift",
        group="Accuracy",
    ),
    "linkage": AnalysisType(
        "Linkage facts",
        "Grashof's class, ranges, transmission angle, stroke, quick return, dead points",
        options=("seen_from",),
        seen_from="on the base {name}",
        needs="Select joints of one ring, where there are several.",
        tolerance=1e-9,
        group="Linkage",
    ),
    "methods": AnalysisType(
        "Compare methods",
        "errors and cost of every formulation, drift control and integrator",
        every_sample=True,
        tolerance=1e-6,
        without_contacts="Comparisons of methods",
        minute=True,
        group="Accuracy",
        worst="length",
    ),
}

Place = str | tuple[float, float, float]


class Options(msgspec.Struct, frozen=True):
    """Options of the analyses; each analysis reads its own.

    joints, bodies: names or ids, () for all. axes: of reactions, "joint", "world" or "body"; of
    torsors, "body" for its own, else W's. point: where torsors and moments are read: (x, y, z) in W
    [m], a joint's name, or "body.point"; None for the usual place. frames: points of bodies, "body"
    or "body.point" each. seen_from: body whose frame a motion is seen from. time [s]: of analyses
    of one instant; None: the beginning. duration, sample_step [s]: of the run; None: the project's.
    motion: joint -> text of its position over t, for "inverse". independent: names of coordinates,
    of "linearise" and "matrices". inputs: joints on which efforts act there, () for those with
    motors, or all. starts: of "equilibria". parameters, channels: of "sensitivity".
    """

    joints: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    axes: str = "joint"
    point: Place | None = None
    frames: tuple[str, ...] = ()
    seen_from: str = GROUND
    time: float | str | None = None
    duration: float | str | None = None
    sample_step: float | str | None = None
    motion: Mapping[str, str] = {}
    independent: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    starts: int = 40
    parameters: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
