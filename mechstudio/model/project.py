"""The whole document as one frozen value: mechanism, parameters, settings of a run, plots,
lesson.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from mechstudio.model.contact import ContactSettings
from mechstudio.model.geometry.rotation import IDENTITY, Quaternion
from mechstudio.model.geometry.work_plane import WorkPlane
from mechstudio.model.mechanism import Frame, Mechanism, Placement
from mechstudio.model.quantity import ZERO, Parameter, Quantity
from mechstudio.model.studies.setup import StudySetup


class Group(msgspec.Struct, frozen=True):
    """Bodies that are chosen, hidden and moved together.  members: ids of bodies, each in one group
    at most.
    """

    id: str
    name: str
    members: tuple[str, ...]
    note: str = ""
    extra: Mapping[str, Any] = {}


class EndCondition(msgspec.Struct, frozen=True):
    """A run ends at the first instant at which a recorded quantity passes a value.

    channel: key of the quantity (model/results/channels.py).  value: of the quantity's dimension.
    direction: "either", "rising" or "falling".
    """

    channel: str
    value: Quantity = ZERO
    direction: str = "either"
    extra: Mapping[str, Any] = {}


class Settings(msgspec.Struct, frozen=True):
    """Settings of a run.  integrator: key of INTEGRATOR_TYPES; step is the largest one of an
    adaptive method (None for none), the step of another one.

    duration, sample_step, step [s]; tolerance: relative and absolute, of adaptive ones.
    formulation, drift: keys of FORMULATIONS and DRIFTS (model/types/methods.py); alpha, beta
    [1/s]: of Baumgarte's stabilisation.  spectral_radius: of generalised alpha, 0 damps most and 1
    not at all.
    until: conditions that end a run before its duration; the first that comes true does.  contacts:
    settings of their stepping where the mechanism has any.
    """

    duration: Quantity = Quantity(5.0)
    sample_step: Quantity = Quantity(1.0 / 60.0)
    integrator: str = "dop853"
    tolerance: Quantity = Quantity(1e-9)
    step: Quantity | None = None
    formulation: str = "joint"
    drift: str = "projection"
    alpha: Quantity = Quantity(5.0)
    beta: Quantity = Quantity(5.0)
    spectral_radius: Quantity = Quantity(0.8)
    until: tuple[EndCondition, ...] = ()
    extra: Mapping[str, Any] = {}
    contacts: ContactSettings = ContactSettings()


DIAGRAMS = ("phase", "over", "spectrum", "section")
ACCOUNT = "account"  # stacked energies and works over the time


class Diagram(msgspec.Struct, frozen=True):
    """Kind of picture that a pane makes of its curves, where that is not over the time.

    kind: one of DIAGRAMS: rate over value, over another quantity, spectrum, Poincaré section; or
    ACCOUNT.
    across: key of the quantity on the horizontal axis, of "over" and "section".  gate: key of the
    quantity at whose crossings of a level [SI] a section takes its points.  direction: "rising",
    "falling" or "either".  window: of a spectrum.  one_turn: the horizontal axis ends after one
    turn of an angle.
    """

    kind: str
    across: str = ""
    gate: str = ""
    level: float = 0.0
    direction: str = "rising"
    window: str = "hann"
    one_turn: bool = True
    extra: Mapping[str, Any] = {}


class CurveStyle(msgspec.Struct, frozen=True):
    """Look of a curve where it is not the usual one; -1 and 0 for the usual.

    color: place among the series' colours.  dash: place among solid, dash, dot, dash-dot.  width:
    of the line [px at the normal text size].
    """

    color: int = -1
    dash: int = -1
    width: float = 0.0
    extra: Mapping[str, Any] = {}


class Plot(msgspec.Struct, frozen=True):
    """One pane.  channels: keys such as "joint/A/0", "energy/kinetic", "constraint/position"
    (model/results/channels.py).  diagram: None for curves over the time.  styles: of
    single curves by their keys.
    """

    id: str
    title: str
    channels: tuple[str, ...]
    log: bool = False
    diagram: Diagram | None = None
    styles: Mapping[str, CurveStyle] = {}
    extra: Mapping[str, Any] = {}


class Measurement(msgspec.Struct, frozen=True):
    """Measured values that lie over the curve of a quantity, wherever it is plotted over the time.

    name: of the column that they come from; source: name of its file.  channel: key of the
    quantity.  times [s] by the clock of the data, ascending; values in SI, NaN where one is
    missing: little-endian float64 each.  shift [s]: added to instants of the data, it gives those
    of a run.
    """

    id: str
    name: str
    channel: str
    times: bytes
    values: bytes
    shift: float = 0.0
    source: str = ""
    extra: Mapping[str, Any] = {}


class PlotLayout(msgspec.Struct, frozen=True):
    """Arrangement of panes: a row, a column or tabs of ids of plots and of further arrangements.

    direction: "row", "column" or "tabs".  shares: of the width or height, one per part; empty for
    equal ones.  Ids of plots that are not there are no error, and plots that it does not name stand
    at its end (application/plots/layout.py).
    """

    direction: str
    parts: tuple["str | PlotLayout", ...]
    shares: tuple[float, ...] = ()
    extra: Mapping[str, Any] = {}


class ReportChoice(msgspec.Struct, frozen=True):
    """Choice of chapters that the report of a project has.

    chapters: keys of model/equations/report.CHAPTERS in the order in which they are listed.
    left_out: those among them that the report does not have.  paper: of PAPERS there.  Keys that
    are not there are no error, and chapters that it does not name stand at its end.
    """

    chapters: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    paper: str = "a4"
    extra: Mapping[str, Any] = {}


class Picture(msgspec.Struct, frozen=True):
    """A picture that lies in a plane as something to draw after; it moves nothing.

    path: of its file, absolute while the project is open, relative to the project's folder in the
    file (files/pictures.py).
    placement: its centre and its axes in W, x to the right, y up, z towards the viewer.  turn:
    about that z [rad], counter-clockwise. width [m]; aspect: height over width.  opacity: 0 to 1.
    locked: clicks go through it.
    """

    id: str
    name: str
    path: str
    placement: Placement = Placement()
    turn: Quantity = ZERO
    width: Quantity = Quantity(1.0)
    aspect: float = 1.0
    opacity: Quantity = Quantity(0.5)
    locked: bool = True
    visible: bool = True
    note: str = ""
    extra: Mapping[str, Any] = {}


class Mark(msgspec.Struct, frozen=True):
    """Something that the scene shows beside the drawing, such as a trail.

    type: key of MARK_TYPES (model/types/marks.py).  body, point: point of a body that it belongs
    to, "" for the centre of mass.  joint: or the joint, on whose second body it lies.  other: body
    that a body is seen from.  value: number of its type, None for the type's default.  color: key
    of COLORS.
    """

    id: str
    type: str
    body: str = ""
    point: str = ""
    joint: str = ""
    other: str = ""
    value: float | None = None
    color: str = "body"
    extra: Mapping[str, Any] = {}


class Feature(msgspec.Struct, frozen=True):
    """A feature that a gauge is laid on.

    kind: "point", "axis", "plane" or "body".  frame: a frame of its body: the point is its origin,
    the axis its z through that, the plane stands across z.  joint: id of the joint whose point or
    axis it is; the frame is None then.
    """

    kind: str
    frame: Frame | None = None
    joint: str = ""
    extra: Mapping[str, Any] = {}


class Gauge(msgspec.Struct, frozen=True):
    """A measure that is read off the mechanism at any instant, and drawn as a dimension.

    type: key of GAUGE_TYPES (model/types/gauges.py).  ends: one feature or two, as the type takes
    them.
    """

    id: str
    name: str
    type: str
    ends: tuple[Feature, ...]
    visible: bool = True
    note: str = ""
    extra: Mapping[str, Any] = {}


class Lesson(msgspec.Struct, frozen=True):
    """Lesson of a sample: a short text and questions.  claims: equations of motion from books or by
    hand, which the derived ones are compared with.  topic, level: keys of TOPICS and LEVELS
    (model/types/lessons.py), "" and 0 for none.
    """

    title: str = ""
    text: str = ""
    questions: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    topic: str = ""
    level: int = 0
    extra: Mapping[str, Any] = {}


class Camera(msgspec.Struct, frozen=True):
    """A point of view, kept in the file but in no undo snapshot.  target [m, W]; azimuth, elevation
    [deg]; distance [m].

    plane: the work plane that is drawn in; None for the front plane.  locked: it stays where it is,
    whatever is drawn on.
    body: id of a body that the camera follows, "" for none: target [m] is then the offset
    from the body's origin.  turns: it turns with the body, and target and frame are in its axes.
    frame: axes that azimuth and elevation are measured in, as a unit quaternion.
    """

    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    azimuth: float = -60.0
    elevation: float = 20.0
    distance: float = 1.5
    perspective: bool = True
    plane: WorkPlane | None = None
    locked: bool = False
    body: str = ""
    turns: bool = False
    frame: Quaternion = IDENTITY


class View(msgspec.Struct, frozen=True):
    """A point of view that the user has kept under a name."""

    id: str
    name: str
    camera: Camera
    extra: Mapping[str, Any] = {}


CHOOSE, NUMBER, PREDICT, EQUATION = "choose", "number", "predict", "equation"
QUESTIONS = (CHOOSE, NUMBER, PREDICT, EQUATION)


class Question(msgspec.Struct, frozen=True):
    """Question of a step, of a type of QUESTIONS: a choice, a number with its unit, a curve drawn
    ahead of the run, or an equation of motion.

    answer: the right one, as it is typed: number of a choice from 1, number with its unit,
    equation; "" of a curve, whose answer is the run.  dimension: of a number.  tolerance: part of a
    number by which it may differ, or of a curve's height.  channel: key of the quantity of a curve.
    because: what is said when the answer is right.  hints: said one by one when it is not.
    """

    type: str
    text: str = ""
    choices: tuple[str, ...] = ()
    answer: str = ""
    dimension: str = "number"
    tolerance: float = 0.02
    channel: str = ""
    because: str = ""
    hints: tuple[str, ...] = ()
    extra: Mapping[str, Any] = {}


class Step(msgspec.Struct, frozen=True):
    """Step of a lesson: its view, settings, text and questions.

    text: with quantities in braces, which stand for their numbers at the time cursor.  notes: for
    who presents.  camera: None for the one that is there; view: id of a kept view instead.
    parameters: values as they are typed, by name.  begin, end [s]: the part that is played, None
    for the whole run; at [s]: where the time cursor is put.  plays: it plays at once.  sliders:
    names of parameters; plots: ids, or keys of quantities, for which the step makes a pane.
    equation: part of the equations, CHAPTER/STEP of a chapter.  terms: ids of elements whose terms
    are marked.  hidden: ids of bodies that are not drawn.
    covered: plots end at the time cursor until they are shown.
    """

    id: str
    title: str = ""
    text: str = ""
    notes: str = ""
    camera: Camera | None = None
    view: str = ""
    parameters: Mapping[str, str] = {}
    begin: float | None = None
    end: float | None = None
    at: float | None = None
    plays: bool = False
    sliders: tuple[str, ...] = ()
    plots: tuple[str, ...] = ()
    equation: str = ""
    terms: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    covered: bool = False
    questions: tuple[Question, ...] = ()
    extra: Mapping[str, Any] = {}


class Unread(msgspec.Struct, frozen=True):
    """A part of the file that this program cannot use: of a newer one, or damaged.  It is written
    back where it stood.

    section: its key in the file.  index: its place in that list, 0 for a part that is no list.
    raw: its JSON text, UTF-8.
    id: its id if one could be read, so that no new element takes it.
    """

    section: str
    index: int
    raw: bytes
    id: str = ""


class Project(msgspec.Struct, frozen=True):
    """The document.  Edits are pure functions Project -> Project (model/edits/elements.py).

    extra: top-level keys of the file that this program does not know, among them the file's format
    number if it is newer ("mechstudio") and unknown keys of the camera ("view").
    """

    mechanism: Mechanism = Mechanism()
    parameters: Mapping[str, Parameter] = {}
    settings: Settings = Settings()
    plots: tuple[Plot, ...] = ()
    lesson: Lesson = Lesson()
    note: str = ""
    unread: tuple[Unread, ...] = ()
    extra: Mapping[str, Any] = {}
    groups: Mapping[str, Group] = {}
    pictures: Mapping[str, Picture] = {}
    marks: tuple[Mark, ...] = ()
    plot_layout: PlotLayout | None = None
    views: tuple[View, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    gauges: Mapping[str, Gauge] = {}
    steps: tuple[Step, ...] = ()
    report: ReportChoice | None = None
    studies: tuple[StudySetup, ...] = ()
