"""Furniture of the viewport: everything that is painted over the picture of the scene."""

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter

from mechstudio.application.scene.force_scale import with_forces
from mechstudio.application.scene.joints.stops import LimitMark, limit_marks
from mechstudio.model.mechanism import Body
from mechstudio.translation import tr
from mechstudio.view.fonts import font
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.eye import CameraEye
from mechstudio.view.scene.framing import Framing
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.marks.placer import Placer
from mechstudio.view.scene.marks.symbols import paint_symbols
from mechstudio.view.scene.navigator import Navigator
from mechstudio.view.scene.overlays import overlay, view_cube
from mechstudio.view.scene.overlays.arrow_marks import paint_marked
from mechstudio.view.scene.overlays.canvas import Canvas, Hides, Words, nowhere
from mechstudio.view.scene.overlays.contact_marks import name_contacts, paint_contacts
from mechstudio.view.scene.overlays.free_body_marks import FreeBodyMarks
from mechstudio.view.scene.overlays.gauge_marks import paint_gauges
from mechstudio.view.scene.overlays.handle_marks import paint_handles
from mechstudio.view.scene.overlays.note_marks import paint_notes
from mechstudio.view.scene.overlays.picture_marks import paint_pictures
from mechstudio.view.scene.overlays.point_marks import paint_points
from mechstudio.view.scene.overlays.preview import paint_preview
from mechstudio.view.scene.shown_scene import ShownScene
from mechstudio.view.widgets.image_files import PictureFiles


class Furniture:
    """Labels, marks, ruler, view cube, handles and previews.  placer: room of the words in the last
    picture.
    """

    def __init__(
        self,
        shown: ShownScene,
        look: Look,
        framing: Framing,
        navigator: Navigator,
        files: PictureFiles,
        free_body: FreeBodyMarks,
    ) -> None:
        self._shown, self._look, self._framing = shown, look, framing
        self._navigator, self._files, self._free_body = navigator, files, free_body
        self._words, self._cube = Words(), view_cube.Cube()
        self._stood: dict[str, int] = {}
        self.placer = Placer((1.0, 1.0))

    def paint(self, painter: QPainter, ratio: float, hides: Hides | None = None) -> None:
        """Paint it all over a picture.  ratio: pixels of the screen per pixel.  hides(points):
        before which points (k, 3) of W bodies stand, as a mask; None where that is not known.
        """
        painter.setRenderHints(
            QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing
        )
        look, camera, size = self._look, self._framing.current, self._framing.size
        canvas = Canvas(
            painter, self._words, camera, size, look.theme, ratio, look.text_scale, hides or nowhere
        )
        self._paint_marks(canvas)
        self._paint_free_body(canvas, self._paint_legend(canvas))
        painter.setFont(font(11, QFont.Weight.DemiBold))
        zone = self._navigator.cube_zone
        self._cube.paint(painter, camera, size, canvas.t, zone, look.text_scale, ratio)
        self._paint_ride(canvas)
        tool = self._navigator.tool
        if tool is not None:
            paint_handles(canvas, tool.handles(CameraEye(camera, size)))
            paint_preview(canvas, tool.preview, self._navigator.cursor)

    def _paint_ride(self, canvas: Canvas) -> None:
        """The body that the camera follows, under the view cube."""
        camera, project = canvas.camera, self._shown.project
        if not camera.body or project is None:
            return
        name = project.mechanism.bodies[camera.body].name
        text = tr("on {body}", body=name) if camera.turns else tr("with {body}", body=name)
        x, y = view_cube.center(canvas.size, canvas.scale)
        room = canvas.room(text, 0.0, 0.0, "text2")
        x = min(x, canvas.size[0] - room.width() / 2 - 8.0 * canvas.scale)
        canvas.write(text, x, y + 2.15 * view_cube.HALF * canvas.scale, "text2")

    def _paint_marks(self, canvas: Canvas) -> None:
        """Everything that stands at a place of the scene."""
        look, scene, poses = self._look, self._shown.scene, self._shown.poses
        chosen = look.selected | look.lit
        placer = self.placer = Placer(canvas.size, look.covered, self._stood)
        paint_pictures(canvas, scene.pictures, self._files.fault, chosen)
        if look.axes:
            crosses = self._shown.crosses(look.selected)
            overlay.paint_crosses(canvas, crosses, scene, poses, placer)
        for ids, reached in ((look.selected - look.impacted, False), (look.impacted, True)):
            overlay.paint_limits(canvas, self._limit_marks(ids), reached)
        foot = QRectF(0, canvas.size[1] - 36 * canvas.scale, canvas.size[0], 36 * canvas.scale)
        placer.block(foot)
        if look.focus is None:
            self._paint_contacts(canvas, placer, chosen)
            paint_notes(canvas, look.notes, placer)
            paint_marked(canvas, look, scene, placer)
            cut = lens.section(canvas.camera, look.plane, 0.0) if look.section else None
            paint_symbols(canvas, look.figures.symbols, self._visible(), placer, chosen, cut)
            self._paint_gauges(canvas, placer, chosen)
            self._paint_words(canvas, placer, poses, chosen)
        tool = self._navigator.tool
        if not scene and (tool is None or tool.name == "select"):
            usual = tr("Press L and click two points, or open a sample under File")
            overlay.paint_invitation(canvas, look.invitation or usual)

    def _paint_gauges(self, canvas: Canvas, placer: Placer, chosen: frozenset[str]) -> None:
        """Dimensions; where their numbers stand is kept for the pointer."""
        look, scene = self._look, self._shown.scene
        if not look.gauges:
            look.gauge_rooms = {}
            return
        points = scene.points(self._shown.poses)
        middle = (points.min(axis=0) + points.max(axis=0)) / 2 if len(points) else np.zeros(3)
        look.gauge_rooms = paint_gauges(canvas, look.gauges, middle, placer, chosen)

    def _visible(self) -> dict[str, np.ndarray]:
        """Row poses (8,) of visible bodies by id."""
        scene, poses = self._shown.scene, self._shown.poses
        return {id: poses[k] for k, id in enumerate(scene.bodies) if scene.rows.visible[k]}

    def _paint_contacts(self, canvas: Canvas, placer: Placer, chosen: frozenset[str]) -> None:
        """Contacts of the poses that are shown, and on which bodies their arrows act."""
        project, contacts, scene = self._shown.project, self._look.contacts, self._shown.scene
        if contacts is None or project is None:
            return
        measures = with_forces(scene, project.mechanism)
        force = next(m for m in measures if m.dimension == "force")
        names = [body.name for body in project.mechanism.bodies.values()]
        paint_contacts(canvas, contacts, force, scene.glyph, chosen)
        name_contacts(canvas, contacts, force, scene.glyph, names, placer, chosen)

    def _paint_words(
        self, canvas: Canvas, placer: Placer, poses: np.ndarray, chosen: frozenset[str]
    ) -> None:
        """Names of joints and points."""
        if self._look.labels:
            overlay.paint_labels(canvas, self._shown.scene, poses, chosen, placer)
        paint_points(canvas, self._pointed(), placer)

    def _paint_legend(self, canvas: Canvas) -> float:
        """The ruler and the scales of arrows; returns where they end [px]."""
        look, scene, project = self._look, self._shown.scene, self._shown.project
        measures = scene.measures if look.focus is None else ()
        if look.contacts is not None and project is not None and look.focus is None:
            measures = with_forces(scene, project.mechanism)
        if look.arrows and look.focus is None:
            more = look.arrow_measures({m.dimension: m for m in scene.measures})
            measures = (*measures, *(m for d, m in more.items() if m not in measures))
        return overlay.paint_legend(canvas, measures, look.units)

    def _paint_free_body(self, canvas: Canvas, end: float) -> None:
        """The arrows of a body that is cut free, with the scale that they are drawn to.  end: of
        the legend [px].
        """
        look, drawn, project = self._look, self._free_body, self._shown.project
        if look.cut is None or project is None:
            drawn.marks = []
            return
        drawn.layout(
            look.cut,
            project.mechanism,
            canvas.camera,
            canvas.size,
            self._shown.scene.size,
            look.arrow_scale,
            look.theme,
            canvas.t,
            look.units,
            look.covered,
            canvas.scale,
        )
        drawn.paint(canvas.painter, look.is_lit, canvas.t, canvas.ratio, canvas.scale)
        drawn.paint_scale(
            canvas.painter,
            look.cut,
            canvas.camera,
            canvas.size,
            self._shown.scene.size,
            look.arrow_scale,
            canvas.t,
            look.units,
            canvas.scale,
            end,
        )

    def _pointed(self) -> list[tuple[Body, np.ndarray]]:
        """Selected bodies that name points, with their poses."""
        project, selected = self._shown.project, self._look.selected
        if project is None or self._look.focus is not None:
            return []
        return [
            (body, self._shown.poses[k])
            for k, id in enumerate(self._shown.scene.bodies)
            if id in selected and (body := project.mechanism.body(id)).points
        ]

    def _limit_marks(self, ids: frozenset[str]) -> list[LimitMark]:
        """Stops of joints, as they stand now."""
        if self._shown.project is None:
            return []
        m, scene, poses = self._shown.project.mechanism, self._shown.scene, self._shown.poses
        index = {id: k for k, id in enumerate(scene.bodies)}
        pose = lambda body: (poses[index[body], :4], poses[index[body], 4:7])
        out: list[LimitMark] = []
        for id in sorted(ids):
            joint = m.joints.get(id)
            if joint is not None and joint.limits:
                out += limit_marks(m, joint, scene.glyph, pose)
        return out
