"""Context, input and preview of every tool; the viewport forwards events and draws the preview."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.signal import Signal
from mechstudio.application.tools.eye import Eye
from mechstudio.model.geometry.rotation import Pose, Triple
from mechstudio.model.geometry.work_plane import FRONT, WorkPlane
from mechstudio.model.project import Project
from mechstudio.translation import Words

if TYPE_CHECKING:
    from mechstudio.application.display import Display
    from mechstudio.application.questions.point_drag import PointDrag
    from mechstudio.application.runs.run_pull import RunPull


@dataclass(frozen=True)
class Pointer:
    """The pointer at one event.

    point: where its ray meets the work plane [m, W]; None if it does not.  pixel: size of a screen
    pixel there [m]. element, body: ids of what is under it ("" if nothing).  shift, ctrl, alt: keys
    held.  x, y: its pixel.  eye: the camera. surface, normal: the point [m, W] of the solid under
    it and the unit normal there, towards the viewer; None where there is none.
    """

    point: Triple | None
    pixel: float
    element: str = ""
    body: str = ""
    shift: bool = False
    ctrl: bool = False
    alt: bool = False
    x: float = 0.0
    y: float = 0.0
    eye: Eye | None = None
    surface: Triple | None = None
    normal: Triple | None = None


@dataclass(frozen=True)
class Handle:
    """Something to take hold of, painted over the scene.

    points: its line in W; a "dot" or a "square" has one.  kind: "arrow" (head at the last point),
    "line", "arc", "dot", "square", "area" (filled).
    role: name of a colour token.  word: beside it while it is hot.  hot: under the pointer, or
    held.  fade: how much of its colour is left.
    """

    kind: str
    points: tuple[Triple, ...]
    role: str = "accent"
    word: str = ""
    hot: bool = False
    fade: float = 1.0


@dataclass
class Preview:
    """Preview that a tool shows before the click.

    segments: (start, end) of links to come.  rubber: dashed helper lines.  marker: place where the
    click would land, with its word.
    label: text beside the cursor (length, angle).  marks: (point, text) that stay, such as "ground
    pin".  areas: polygons, filled softly.
    box: two opposite corners of a rectangle on the screen [px].  choices: texts of the choices
    beside the cursor; `chosen` is marked.
    lines: thin polylines, such as the glyph of a joint to come.  shape: of the marker: "ring",
    "square", "triangle", "diamond", "cross", "axis" or "angle".
    """

    segments: list[tuple[Triple, Triple]] = field(default_factory=list)
    rubber: list[tuple[Triple, Triple]] = field(default_factory=list)
    marker: Triple | None = None
    word: str = ""
    label: str = ""
    marks: list[tuple[Triple, str]] = field(default_factory=list)
    areas: list[tuple[Triple, ...]] = field(default_factory=list)
    box: tuple[tuple[float, float], tuple[float, float]] | None = None
    choices: tuple[str, ...] = ()
    chosen: int = -1
    shape: str = "ring"
    lines: list[tuple[Triple, ...]] = field(default_factory=list)


class Key(NamedTuple):
    """A key that a tool takes.  shown: as people write it.  key: as Tool.key gets it; "" for a
    button or a key that is only held.
    """

    shown: Words
    words: Words
    key: str = ""


STOP = Key("Esc", "stops", "escape")


@dataclass
class ToolContext:
    """Surroundings that tools work on.

    document: the drawing with its bodies where they are shown, and where edits of it go
    (application/display.py).  grid: spacing of the work plane's grid [m].  units: name of the unit
    system of typed numbers.  target: point that the camera looks at [m, W]; None where that is not
    known.  point_drag: moves the mechanism by a point.  run_pull: pulls a body during a run.
    at_design: what is shown is the drawing and no instant of a run.  playing: a run is played.
    missing: a typed text that names what is no parameter, the dimension of its field and what the
    mouse says there [SI].
    entry_id: id of something new whose first number the user will want to type at once.
    locked: the work plane stays where it is, else it goes to the face or joint on which a tool
    begins to draw.
    pointed(): where the pointer rests in the work plane [m, W]; None beside the view.
    shown: poses of bodies as they are shown now, by id, as far as that is not as drawn.
    place_chosen(place): the requested place has been clicked: the id of a joint, or a point of W
    [m].
    carried(keys, words): the pointer takes quantities along, to a pane of the plots.
    no_place: why the pointer has no place in the work plane; empty where it has one.
    scale: magnification of texts and handles, 1 for normal.  axes: "world" or "body", along which
    handles move.  pivot: "mass" or "origin", where they stand on a body.
    """

    document: "Document | Display"
    selection: Selection
    plane: WorkPlane = FRONT
    grid: float = 0.05
    units: str = "mm-N-deg"
    message: str = ""
    target: Triple | None = None
    locked: bool = False
    missing: tuple[str, str, float | None] | None = None
    entry_id: str = ""
    scale: float = 1.0
    axes: str = "world"
    pivot: str = "mass"
    point_drag: "PointDrag | None" = None
    run_pull: "RunPull | None" = None
    playing: bool = False
    at_design: bool = True
    pointed: Callable[[], Triple | None] = lambda: None
    shown: Callable[[], Mapping[str, Pose]] = dict
    place_chosen: Signal = field(default_factory=Signal)
    carried: Signal = field(default_factory=Signal)
    no_place: str = ""


class Tool:
    """A drawing tool.  The viewport calls `move`, `press`, `release`, `key`; the tool sets
    `preview` and `hint` and commits edits.

    name: key of bench.TOOLS.  type: of the element that it draws, "" for a tool of one kind.
    `finished` turns true when the tool has nothing more to do; the window then goes back to
    selecting.  tentative: the project as it would be after the next click or the release, shown
    instead of the document's; None for no such.  then: name and options of the tool that is taken
    active when this one has finished.  cursor: "" for the usual one, "open_hand" or "closed_hand".
    changing: names of options that keys change while it is active.  note: what is still to be said
    when this one has finished.  repeats: it is taken again after each thing that it makes, until
    Esc.  made: it has finished with something made.  resumed: it was taken again so.  in_plane: in
    empty room a click means a place of the work plane.  ghost: poses
    of bodies where they would go, drawn beside them as they are.
    """

    name = ""
    type = ""
    cursor = ""
    then: tuple[str, dict[str, str]] = ("select", {})
    note = ""
    ghost: Mapping[str, Pose] = {}
    tentative: Project | None = None
    changing: tuple[str, ...] = ()
    repeats = False
    made = resumed = in_plane = False

    def __init__(self, context: ToolContext) -> None:
        self.context = context
        self.preview = Preview()
        self.hint = ""
        self.finished = False

    @property
    def dragging(self) -> bool:
        """True while something is moved that the press took hold of."""
        return False

    @property
    def looks(self) -> bool:
        """True if it wants to know what is under the pointer, which costs time."""
        return True

    def takes(self, pointer: Pointer) -> bool:
        """True if a press here is the tool's; else it rotates the view."""
        return True

    def handles(self, eye: Eye) -> list[Handle]:
        """Handles that can be dragged, as seen from here."""
        return []

    def move(self, pointer: Pointer) -> None:
        """The pointer moved."""

    def press(self, pointer: Pointer) -> None:
        """The left button went down."""

    def release(self, pointer: Pointer) -> None:
        """The left button went up."""

    def key(self, key: str) -> bool:
        """A key: "enter", "escape", "tab", "backtab", "backspace", or the character typed.  Returns
        whether the tool used it.
        """
        if key == "escape":
            self.cancel()
            return True
        return False

    @property
    def title(self) -> str:
        """Name of the tool within a sentence."""
        return (self.type or self.name).replace("_", " ")

    def keys(self) -> list[Key]:
        """Keys and buttons with their effects while the tool is active, the usual ones first."""
        return [STOP]

    def linger(self) -> None:
        """The pointer has stood still for half a second."""

    def wants(self, key: str) -> bool:
        """True if a key, named as for `key`, must come here before any shortcut of the window."""
        return key == "escape"

    def refresh(self) -> None:
        """Update what the tool shows after an answer of the solver, though the pointer rests."""

    def lose(self, ids: frozenset[str]) -> bool:
        """Elements went away, as by an undo.  Returns whether the tool goes on without them; else
        it is begun again.
        """
        return False

    def regain(self, ids: frozenset[str]) -> None:
        """Elements came, as by a redo."""

    def take(self, id: str) -> None:
        """An element was selected in another panel while the tool is active."""

    def cancel(self) -> None:
        """Leave without a trace beyond what was already committed."""
        self.preview, self.tentative = Preview(), None
        self.finished = True

    def complete(self, label: str, project: Project, id: str) -> None:
        """Commit what the tool made as one undo step, select it, and leave."""
        self.cancel()
        self.made = True
        self.context.document.commit(label, project)
        self.context.selection.select(id)
        self.context.message = ""
