"""Look of a picture: theme, units, what stands out, and what is drawn over the scene."""

from collections.abc import Callable, Mapping
from typing import Literal

from PySide6.QtCore import QRectF

from mechstudio.application.contact_display import InstantContacts
from mechstudio.application.free_body import Cut
from mechstudio.application.marks.arrows import Arrow
from mechstudio.application.marks.figures.figure import Figures
from mechstudio.application.marks.gauges import GaugeMark
from mechstudio.application.marks.marks import Path
from mechstudio.application.marks.whole_turns import Note
from mechstudio.application.scene.scene import Measure
from mechstudio.application.signal import Signal
from mechstudio.model.edits.links import FRONT, WorkPlane
from mechstudio.model.free_bodies import Slot
from mechstudio.model.units import unit

# parts of a picture that may have to be made again; "overlay": what is painted over it alone
Part = Literal[
    "scene", "style", "poses", "pictures", "ghost", "paths", "figures", "picture", "overlay"
]


class Look:
    """Everything about a picture that is not the scene, its poses or the camera.

    theme: "light" or "dark".  units: unit system of shown numbers.  text_scale: magnification of
    words and strokes.  ground: True if sky, floor and shadow are drawn.  grain: True if the sky has
    it, which hides the steps of its colours.  grid: True if the work plane shows its grid, faintly
    unless it is the drawing_plane, in which something is being drawn.  section: True if what lies
    before the work plane is cut away.  glyphs: marks of joints, forces and ground; labels: names of
    joints; axes: principal axes of the selection.
    selected, lit: ids; lit: what is hovered and what glows with that.  impacted: joints at whose
    stops something happens now.  focus: ids that stand out while all else is faded; None: nothing
    is.  contacts: those of the poses that are shown.  cut: the loads of a body that is cut free,
    drawn with arrow_scale against the automatic one; is_lit(slot): True if one is pointed at or
    selected.  paths: trails and curves in W, which end at the time `now` [s].  figures: ghosts and
    other outlines, lines and symbols.
    arrows: velocities, forces and the like, with components where requested.  covered: rectangles
    below something that floats over the scene.  invitation: words over an empty scene, "" for the
    usual ones.  gauges: dimensions with their numbers; gauge_rooms:
    where these stand in the last picture, by id.

    outdated(part): a part of the picture is out of date.
    """

    def __init__(self, grid: bool = True) -> None:
        self.outdated = Signal()
        self.theme, self.units, self.text_scale = "light", "mm-N-deg", 1.0
        self.labels, self.glyphs, self.axes = True, True, False
        self.reduced_motion = False
        self.ground = self.grain = True
        self.grid, self.plane = grid, FRONT
        self.drawing_plane: WorkPlane | None = None
        self.section = False
        self.hovered = ""
        self.selected: frozenset[str] = frozenset()
        self.lit: frozenset[str] = frozenset()
        self.impacted: frozenset[str] = frozenset()
        self.focus: frozenset[str] | None = None
        self.contacts: InstantContacts | None = None
        self.cut: Cut | None = None
        self.arrow_scale = 1.0
        self.is_lit: Callable[[Slot], bool] = lambda slot: False
        self.paths: tuple[Path, ...] = ()
        self.notes: tuple[tuple[Note, str], ...] = ()
        self.figures = Figures()
        self.now = 0.0
        self.arrows: list[Arrow] = []
        self.arrow_measures: Callable[[Mapping[str, Measure]], dict[str, Measure]] = lambda m: {}
        self.components = False
        self.covered: list[QRectF] = []
        self.invitation = ""
        self.gauges: tuple[GaugeMark, ...] = ()
        self.gauge_rooms: dict[str, QRectF] = {}

    @property
    def unit(self) -> float:
        """Unit of length [m], in which grids are round."""
        return unit("length", self.units).factor

    @property
    def has_symbols(self) -> bool:
        """True if symbols stand at places that bodies may hide."""
        return self.contacts is not None or bool(self.notes) or bool(self.figures.symbols)

    def _outdate(self, part: Part) -> None:
        self.outdated.emit(part)

    def set_theme(self, name: str) -> None:
        """ "light" or "dark"."""
        if name != self.theme:
            self.theme = name
            self._outdate("style")

    def set_units(self, units: str) -> None:
        """Show numbers in a unit system."""
        if units != self.units:
            self.units = units
            self._outdate("picture")

    def set_text_scale(self, scale: float) -> None:
        """Show words and strokes so many times as large as normal."""
        if scale != self.text_scale:
            self.text_scale = scale
            self._outdate("style")

    def set_invitation(self, words: str) -> None:
        """Say something else over an empty scene, or the usual with ""."""
        if words != self.invitation:
            self.invitation = words
            self._outdate("overlay")

    def set_labels(self, shown: bool) -> None:
        """Show names of joints."""
        self.labels = shown
        self._outdate("overlay")

    def set_glyphs(self, shown: bool) -> None:
        """Show marks of joints, forces and ground."""
        if shown != self.glyphs:
            self.glyphs = shown
            self._outdate("picture")

    def set_axes(self, shown: bool) -> None:
        """Show the principal axes of selected bodies."""
        self.axes = shown
        self._outdate("overlay")

    def set_plane(self, plane: WorkPlane) -> None:
        """The work plane, whose faint grid is always seen."""
        if plane != self.plane:
            self.plane = plane
            self._outdate("picture")

    def set_section(self, cut: bool) -> None:
        """Cut away what lies before the work plane, or nothing."""
        if cut != self.section:
            self.section = cut
            self._outdate("picture")

    def set_drawing_plane(self, plane: WorkPlane | None) -> None:
        """The plane that is being drawn in, which becomes the work plane; None: none is."""
        self.drawing_plane, self.plane = plane, plane or self.plane
        self._outdate("picture")

    def set_selection(self, selected: tuple[str, ...], hovered: str = "", *lit: str) -> None:
        """Mark what is selected, what is under the pointer, here or in another panel, and what
        glows with that.
        """
        chosen, glowing = frozenset(selected), frozenset((hovered, *lit)) - {""}
        if (chosen, hovered, glowing) != (self.selected, self.hovered, self.lit):
            self.selected, self.hovered, self.lit = chosen, hovered, glowing
            self._outdate("style")

    def set_focus(self, ids: frozenset[str] | None) -> None:
        """Fade everything but these elements; None: nothing."""
        if ids != self.focus:
            self.focus = ids
            self._outdate("style")

    def set_cut(
        self,
        cut: Cut | None,
        arrow_scale: float = 1.0,
        is_lit: Callable[[Slot], bool] = lambda slot: False,
    ) -> None:
        """Show what acts on a body that is cut free."""
        if cut is not None or self.cut is not None:
            self.cut, self.arrow_scale, self.is_lit = cut, arrow_scale, is_lit
            self._outdate("overlay")

    def set_covered(self, rooms: list[QRectF]) -> None:
        """Set the rectangles where symbols would lie below something that floats over the scene."""
        self.covered = rooms
        if self.cut is not None:
            self._outdate("overlay")

    def set_paths(self, paths: tuple[Path, ...], notes: tuple[tuple[Note, str], ...] = ()) -> None:
        """Show trails and curves, with places of note on them and their words."""
        if paths or self.paths:
            self.paths, self.notes = paths, notes
            self._outdate("paths")

    def set_figures(self, figures: Figures) -> None:
        """Show ghosts and other figures beside the drawing."""
        if any(a is not b for a, b in zip(figures, self.figures)):
            self.figures = figures
            self._outdate("figures")

    def set_gauges(self, gauges: tuple[GaugeMark, ...]) -> None:
        """Show dimensions with their numbers."""
        if gauges or self.gauges:
            self.gauges = gauges
            self._outdate("overlay")

    def set_now(self, now: float) -> None:
        """Time at which trails end [s]."""
        if now != self.now:
            self.now = now
            if self.paths:
                self._outdate("picture")

    def set_arrows(
        self,
        arrows: list[Arrow],
        measures: Callable[[Mapping[str, Measure]], dict[str, Measure]],
        components: bool,
    ) -> None:
        """Show velocities, forces and the like.  measures(drawn): their scales by dimension, where
        those of the scene are `drawn`.
        """
        if arrows or self.arrows:
            self.arrows, self.arrow_measures, self.components = arrows, measures, components
            self._outdate("overlay")

    def set_impacted(self, joints: frozenset[str]) -> None:
        """Joints at whose stops something happens now: their marks flash."""
        if joints != self.impacted:
            self.impacted = joints
            self._outdate("overlay")

    def set_contacts(self, contacts: InstantContacts | None) -> None:
        """Show contacts, those of the poses that are shown; None for none."""
        if contacts is not self.contacts:
            self.contacts = contacts
            self._outdate("overlay")
