"""The window: places the panels, binds the actions, carries news between the studio and the
viewport.  Nothing else.
"""

import time
from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import display, select, simulate
from mechstudio.application.actions.plots import energy_account
from mechstudio.application.films.film import Film
from mechstudio.application.guidance import described
from mechstudio.application.mouse import REVERSED, preset
from mechstudio.application.questions.solver import Session
from mechstudio.application.studio import Studio
from mechstudio.model.results.contact_names import CONTACT_PREFIX
from mechstudio.translation import Words, language
from mechstudio.view.actions import camera, edit, file, help, lessons
from mechstudio.view.actions.binding import Actions
from mechstudio.view.actions.display import THEMES, WORKSPACES, free_body_equations, name_run
from mechstudio.view.actions.help import palette
from mechstudio.view.actions.panels import scene_alone
from mechstudio.view.actions.toolbars import ADDITIONS, PLANE_MENU, ROOM_MENU, STRIP, held_button
from mechstudio.view.actions.tools import joint_errors
from mechstudio.view.bars.banner import Banners
from mechstudio.view.bars.fold_line import FoldLine
from mechstudio.view.bars.history import HistoryPanel
from mechstudio.view.bars.reminder import Reminder
from mechstudio.view.bars.status_line import StatusLine
from mechstudio.view.bars.strip_place import StripPlace
from mechstudio.view.bars.time_bar import TimeBar
from mechstudio.view.bars.tool_strip import ToolStrip
from mechstudio.view.bars.top_bar import TopBar, file_name
from mechstudio.view.dialogs.drawing import DrawingExporter
from mechstudio.view.dialogs.import_notes import show_notes
from mechstudio.view.dialogs.palette import Palette
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.dialogs.versions import picture_of
from mechstudio.view.docks.docks import Docks
from mechstudio.view.exports.sheet import ExportSheet
from mechstudio.view.file_drop import FileDrop
from mechstudio.view.floats import Floats
from mechstudio.view.free_body.card import FreeBodyCard
from mechstudio.view.free_body.shown_body import FreeBodyShow
from mechstudio.view.gauge_view import GaugeView
from mechstudio.view.idle_tasks import turns
from mechstudio.view.language import spoken
from mechstudio.view.panels.joint_errors import JointErrorsCard
from mechstudio.view.present.present import Present
from mechstudio.view.room import Room
from mechstudio.view.scene.marks.popover import ShownButton
from mechstudio.view.scene.overlays.plane_badge import PlaneBadge
from mechstudio.view.scene.viewport import Viewport
from mechstudio.view.shown_marks import ShownMarks
from mechstudio.view.start.first_drawing import FirstDrawing
from mechstudio.view.start.page import StartPage
from mechstudio.view.study.page import StudyPage
from mechstudio.view.synthesis.page import SynthesisPage
from mechstudio.view.theme import Theme
from mechstudio.view.tool_view import ToolView
from mechstudio.view.widgets import channel_drag
from mechstudio.view.widgets.access import accessible
from mechstudio.view.widgets.access.focus_ring import FocusRing
from mechstudio.view.widgets.widgets import row
from mechstudio.view.window_size import GivenSize

Qt = QtCore.Qt
TICK_MS = 16
# the plots and the worker start even where no frame is ever drawn (a minimised window)
FIRST_FRAME_LIMIT_MS = 3000
RECENT: Words = "Recent"


class MainWindow(QtWidgets.QMainWindow):
    """ready: the first frame was on screen and everything that waited for it has been built.
    language_requested: another language than the one shown was chosen, for a window made again.
    """

    ready = QtCore.Signal()
    language_requested = QtCore.Signal()

    def __init__(self, theme: Theme, studio: Studio, make_session: Callable[[], Session]) -> None:
        super().__init__()
        accessible.install()
        self.theme, self.studio, self._make_session = theme, studio, make_session
        self.workspace = "build"
        self.has_begun = False
        self.sheet: Sheet | None = None  # the card that was opened last
        self.finder: Palette | None = None
        self.drawing: DrawingExporter | None = None  # made last
        self.exports: ExportSheet | None = None  # while it is open
        self.start: StartPage | None = None  # while it is shown
        self._size = GivenSize(self)
        self.export_kind = "movie"  # that was shown last
        self.film: Film | None = None  # as it was chosen last
        self.joint_errors: JointErrorsCard | None = None
        self.history_panel: HistoryPanel | None = None
        self.present: Present | None = None  # from the first class on
        self.study: StudyPage | None = None  # from the first study on
        self.synthesis: SynthesisPage | None = None  # from the first synthesis on
        self._place_view()
        self.marks, self.files_dropped = ShownMarks(studio, self.viewport), FileDrop(self)
        self.docks = Docks(self, theme, studio, lambda: self.workspace, self.set_workspace)
        self.first = FirstDrawing(self)
        self.actions_ = Actions(self)
        lessons.bind(self)
        help.bind(self)
        self.strip = ToolStrip(theme, STRIP, self.actions_.of, self.actions_.trigger, self.host)
        self.strip_place = StripPlace(
            self.strip, self.viewport.framing.bodies, lambda: self._is_moving
        )
        self.badge = PlaneBadge(
            theme,
            studio,
            [None if a is None else self.actions_.of(a) for a in PLANE_MENU],
            lambda: self.actions_.trigger(display.lock_plane),
            self.host,
        )
        self.card = FreeBodyCard(
            theme, studio, lambda: self.actions_.trigger(free_body_equations), self.host
        )
        self.shown_button = ShownButton(theme, studio, self.marks.measured, self.host)
        self.reminder = Reminder(theme, self.host)
        self.floats, self.room = Floats(self), Room(self)
        self.ring = FocusRing(theme, self)
        self._place_bars()
        self._bind()
        self.setAcceptDrops(True)
        self._refresh_title()
        self._clock = time.perf_counter()
        self._tick = QtCore.QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(self._on_tick)
        self._tick.start()
        self._limit = QtCore.QTimer(self, singleShot=True, interval=FIRST_FRAME_LIMIT_MS)
        self._limit.timeout.connect(self._begin)
        self._limit.start()

    # placing

    def _place_view(self) -> None:
        self.host = QtWidgets.QWidget()
        self.host.setMinimumSize(320, 160)
        self.viewport = Viewport(self.host)
        self.banners = Banners(self.theme, self.studio, self.host)
        self.host.installEventFilter(self)
        self.setCentralWidget(self.host)

    def _place_bars(self) -> None:
        trigger = self.actions_.trigger
        self.top = TopBar(
            self.theme,
            self.studio,
            lambda: trigger(palette),
            lambda key: trigger(WORKSPACES[key]),
            lambda choice: trigger(THEMES[choice]),
        )
        self.menus = self.actions_.titles(self.top.menu)
        self.setMenuWidget(self.top)
        self.top.workspace.choose(self.workspace)
        self.time_bar, self.status = (
            TimeBar(self.theme, self.studio, trigger, (simulate.keep_run, name_run)),
            StatusLine(self.theme, self.studio),
        )
        self.status.constraint.clicked.connect(lambda: trigger(joint_errors))
        self.status.energy.clicked.connect(lambda: trigger(energy_account))
        self.foot = foot = QtWidgets.QToolBar()
        foot.setObjectName("foot")
        foot.setMovable(False)
        # the style gives a tool bar margins that only its own sheet takes away
        foot.setStyleSheet("#foot { border: none; padding: 0; margin: 0; spacing: 0; }")
        foot.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.fold = FoldLine(self.theme, self.docks.open_low)
        stack = row(self.fold, self.time_bar, self.status, vertical=True, gap=0)
        stack.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed
        )
        foot.addWidget(stack)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, foot)

    def forget_finder(self) -> None:
        """The palette is closed."""
        self.finder = None

    def forget_start(self) -> None:
        """The start page is gone; the scene takes the keys."""
        self.start = None
        self.viewport.setFocus()
        # what was chosen there is opened first
        QtCore.QTimer.singleShot(0, self, self.first.offer)

    def forget_joint_errors(self) -> None:
        """The card of constraint errors is closed."""
        self.joint_errors = None

    def set_workspace(self, name: str) -> None:
        """Arrange the panels: a layout, not a mode; every tool works in each."""
        self.workspace = name
        self.docks.bring_back()
        self.docks.arrange(name)
        self.top.workspace.choose(name)
        self.free_body.clear_again()

    # binding

    def _bind(self) -> None:
        studio, view = self.studio, self.viewport
        studio.document.changed.connect(lambda old, new: self.show_poses())
        studio.document.state_changed.connect(self._refresh_title)
        studio.files.opened.connect(self._opened)
        studio.files.opening.imported.connect(self._imported)
        studio.selection.changed.connect(self._show_selection)
        for signal in (
            studio.runs.playback.changed,
            studio.runs.recorded,
            studio.questions.analysed,
            studio.free_motion.changed,
            studio.questions.assembly.proposed,
            studio.questions.drag.changed,
            studio.display.closed_changed,
        ):
            signal.connect(self.show_poses)
        studio.questions.assembly.proposed.connect(
            lambda: view.shown.set_ghost(studio.questions.assembly.ghost)
        )
        studio.preferences.changed.connect(self._show_preferences)
        studio.files.camera_now = lambda: view.framing.camera
        studio.files.camera_kept = lambda: view.framing.kept
        studio.files.camera_on = lambda: view.framing.along[0]
        studio.files.picture_now = picture_of(view)
        view.described = lambda: described(studio)
        studio.contact.floor_height = lambda: view.shown.scene.floor
        view.framing.moved.connect(self.strip_place.soon)
        studio.document.changed.connect(lambda old, new: self.strip_place.soon())
        self.free_body = FreeBodyShow(studio, view, self.card)
        self.free_body.toggled.connect(self._free_body_toggled)
        self.theme.changed.connect(self._show_theme)
        view.navigator.hovered.connect(studio.selection.hover)
        view.navigator.clicked.connect(self._clicked)
        view.navigator.double_clicked.connect(lambda id: select.select_group(studio, id))
        view.navigator.corner_chosen.connect(lambda: self.actions_.trigger(scene_alone))
        view.navigator.menu_requested.connect(self._show_scene_menu)
        view.navigator.cube_menu_requested.connect(
            lambda place: self.actions_.submenu(camera.keep_view).popup(place)
        )
        view.framing.changed.connect(self.actions_.refresh)
        view.navigator.dragged.connect(lambda button: edit.offer_mouse(self))
        view.painter.first_frame.connect(self._first_frame)
        studio.tools.context.carried.connect(
            lambda *load: QtCore.QTimer.singleShot(
                0, self, lambda: channel_drag.drag_and_release(view, *load)
            )
        )
        self.docks.fold_changed.connect(
            lambda: self.fold.setVisible(self.docks.is_folded and not self.docks.cleared)
        )
        self.docks.cleared_changed.connect(self.actions_.refresh)
        studio.lecture.stepped.connect(self._stepped)
        studio.lecture.changed.connect(self.actions_.refresh)
        studio.runs.recorded.connect(self._open_low)
        self.tools, self.gauges = ToolView(studio, view), GaugeView(studio, view, self.theme)
        studio.tools.changed.connect(self.actions_.refresh)
        studio.tools.changed.connect(self._show_once)
        studio.tools.changed.connect(self._describe_scene)
        studio.document.state_changed.connect(self._describe_scene)
        studio.tools.plane_changed.connect(self.actions_.refresh)
        self._show_theme()
        self._show_preferences()
        self._describe_scene()
        self._opened()

    def _opened(self) -> None:
        if self.start is not None:
            self.start.close_page()
        self.show_poses()
        if self.studio.files.camera_requested is not None:
            self.viewport.framing.kept = self.studio.files.camera_requested
        else:
            self.viewport.framing.fit()
        self._refresh_title()
        self.first.offer()
        if self.isVisible():
            # scene and inspector are made in turns, between which the rest of the window would show
            # another document than they do
            turns().finish()

    def _show_once(self) -> None:
        """Mark the active tool in the strip where it ends after one thing."""
        once = self.studio.tools.once
        self.strip.show_once(held_button(self.studio) if once else "")

    def show_poses(self) -> None:
        """Show the drawing where its bodies are, or what stands in its place."""
        # playback may signal an edit before the document does: the poses need their own scene.
        # And the solver may report while a tool shows its preview
        studio, tentative = self.studio, self.studio.tools.tentative
        studied = (
            self.study.run_scene.project() if self.shows_study and self.study is not None else None
        )
        if tentative is None and studied is not None:
            self.viewport.shown.set_placed(studied)
        elif tentative is None:
            self.viewport.shown.set_project(studio.document.project, studio.display.project)
            self.viewport.shown.set_poses(studio.display.poses)
        else:
            self.viewport.shown.set_placed(tentative)
        self.viewport.look.set_impacted(self.studio.runs.impacted)
        self.viewport.look.set_now(self.studio.runs.playback.time)
        self.marks.show_arrows()
        self.marks.show_contacts()
        self.gauges.refresh()
        self.free_body.refresh()

    def _stepped(self) -> None:
        """A step of the lesson is taken: look as it says, with its words beside the scene."""
        step = self.studio.lecture.step
        if step is None:
            return
        views = {v.id: v.camera for v in self.studio.document.project.views}
        camera = step.camera if step.camera is not None else views.get(step.view)
        if camera is not None:
            self.viewport.framing.go_kept(camera)
        plots = self.studio.plots
        if step.begin is None and step.end is None:
            plots.show_whole()
        else:
            plots.set_follow(False)
            first, last = plots.whole
            plots.show(
                first if step.begin is None else step.begin, last if step.end is None else step.end
            )
        if not self.presents and self.has_begun:
            self.docks.open_low()
            if not self.docks.shows_lesson:
                # before the button goes that has the focus, and Tab's next one would get it
                self.viewport.setFocus()
                self.set_workspace("explain")
            self.docks.show_lesson(True)

    def _open_low(self) -> None:
        """The first run brings plots and equations."""
        if self.studio.runs.recording is not None:
            self.docks.open_low()

    def _free_body_toggled(self) -> None:
        self.floats.place()
        self.actions_.refresh()

    def _show_theme(self) -> None:
        self.viewport.look.set_theme(self.theme.name)

    def _show_selection(self) -> None:
        self.viewport.look.set_selection(self.studio.selection.selected, *self.studio.selection.lit)
        self._describe_scene()

    def _describe_scene(self) -> None:
        """Describe the scene in words, for users of screen readers."""
        self.viewport.setAccessibleDescription(described(self.studio))

    def _show_preferences(self) -> None:
        stored = self.studio.preferences.stored
        if self.theme.scale != stored.text_size / 100:
            self._size.through(lambda: self.theme.set_scale(stored.text_size / 100))
            if self.isVisible():
                self.docks.arrange(self.workspace)
                self.floats.place()
        if spoken(stored.language) != language() and not self._ended:
            # the choice has been shown by then
            QtCore.QTimer.singleShot(0, self, self.language_requested.emit)
        self.viewport.look.set_text_scale(
            self.present.scale if self.presents and self.present is not None else self.theme.scale
        )
        if self.theme.dashed is not stored.dashes:
            self.theme.dashed = stored.dashes
            self.theme.changed.emit()
        self.viewport.look.set_units(stored.units)
        self.viewport.look.reduced_motion = self.studio.preferences.still
        navigator = self.viewport.navigator
        navigator.mouse = preset(stored.mouse)
        navigator.away = navigator.mouse.away * (-1 if stored.wheel == REVERSED else 1)
        self.viewport.look.set_labels(stored.labels)
        self.viewport.look.set_glyphs(stored.glyphs)
        self.viewport.look.set_axes(stored.axes)
        self.marks.show_contacts()
        self.gauges.refresh()

    def _clicked(self, id: str, modifiers: Qt.KeyboardModifier) -> None:
        selection = self.studio.selection
        if id.startswith(CONTACT_PREFIX):
            self.studio.contact.choose(id)
        elif modifiers & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier):
            if id:
                selection.toggle(id)
        else:
            selection.select(*([id] if id else []))
        self.viewport.setFocus()

    def _show_scene_menu(self, place: QtCore.QPoint, id: str) -> None:
        """Show the menu of the element under the pointer, or of the empty scene."""
        if id:
            self._show_menu(place, id)
        else:
            self.menu = self.actions_.menu_of(self, place, ROOM_MENU)

    def _show_menu(self, place: QtCore.QPoint, id: str = "") -> None:
        """Show the menu of actions on the selection, after selecting what is under the pointer."""
        if id and id not in self.studio.selection.selected:
            self.studio.selection.select(id)
        self.menu = self.actions_.popup(self, place)

    def _refresh_title(self) -> None:
        self.setWindowTitle(f"{file_name(self.studio)}[*]")
        self.setWindowModified(self.studio.document.is_modified)

    # time

    def _on_tick(self) -> None:
        now = time.perf_counter()
        self.studio.marks.pixel = self.viewport.framing.pixel
        self.studio.tick(now - self._clock)
        self._clock = now
        session = self.studio.questions.session
        if self.has_begun and session is not None:
            self.docks.equations.poll()
            searching = "searching" in (
                self.studio.questions.branches.state,
                self.studio.questions.analyses.state,
                self.studio.questions.sizing.state,
            )
            apart = (
                self.studio.files.opening.is_reading
                or self.studio.questions.exports.is_working
                or self.studio.studies.working is not None
                or self.docks.equations.is_working
            )
            busy = (
                apart
                or searching
                or self.studio.runs.playback.playing
                or self.studio.free_motion.shown is not None
                or self.studio.questions.drag.state
            )
            self._tick.setInterval(TICK_MS if busy else session.interval)

    def _first_frame(self) -> None:
        # one turn of the event loop later the frame is on screen
        QtCore.QTimer.singleShot(0, self._begin)

    def _begin(self) -> None:
        """Start what may come after the first frame: the worker, the contents of the panels, the
        menus.
        """
        if self.has_begun:
            return
        self._limit.stop()
        session = self._make_session()
        self.studio.attach(session)
        self.docks.fill()
        self.docks.tree.menu_requested.connect(self._show_menu)
        self.has_begun = True
        self.actions_.fill(
            self.menus,
            {
                file.open: {RECENT: lambda: file.recent(self)},
                camera.keep_view: {
                    camera.KEPT: lambda: camera.kept_views(self),
                    camera.FORGOTTEN: lambda: camera.forgotten_views(self),
                },
            },
        )
        if self.docks.additions is not None:
            self.actions_.put(self.docks.additions, ADDITIONS)
            self.docks.additions.aboutToShow.connect(self.actions_.refresh)
        self.docks.plots_panel.begin()
        self.docks.equations.begin(lambda: session.status.phase != "preparing")
        self.docks.equations.report_requested.connect(self.actions_.by_id["export_report"].trigger)
        self.first.offer()
        self.ready.emit()

    # events of the window

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        self.docks.arrange(self.workspace)
        self.floats.place()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self.docks.resized()

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        # with a active tool or something selected Esc means that, and does not come here
        if event.key() == Qt.Key.Key_Escape and self.first.is_on:
            self.first.skip()
            return
        if event.key() == Qt.Key.Key_Escape and self.room.guest is not None:
            self.room.restore()
            return
        super().keyPressEvent(event)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if watched is self.host and event.type() == QtCore.QEvent.Type.Resize:
            self.follow_room()
        return False

    @property
    def presents(self) -> bool:
        """True in front of a class."""
        return self.present is not None and self.present.is_on

    @property
    def shows_study(self) -> bool:
        """True while a study has the room of the window."""
        return self.study is not None and self.room.guest is self.study

    def follow_room(self) -> None:
        """Let the scene take its room, and place what floats over it."""
        self.first.soon()
        if self.presents and self.present is not None:
            self.present.place()
            return
        if self.room.guest is not None:
            self.room.guest.place()
            return
        self.viewport.look.set_text_scale(self.theme.scale)
        self.viewport.setGeometry(self.host.rect())
        self.floats.place()

    @property
    def _is_moving(self) -> bool:
        """True while bodies move, or something is being drawn."""
        studio = self.studio
        return studio.runs.playback.playing or studio.tools.is_drawing or self.presents

    def _imported(self, name: str, notes: tuple[str, ...]) -> None:
        """Report the omitted content of a file of another program."""
        self.sheet = show_notes(self.theme, self, name, notes) or self.sheet

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:
        self.files_dropped.enter(event)

    def dragMoveEvent(self, event: QtGui.QDragMoveEvent) -> None:
        self.files_dropped.move(event)

    def dragLeaveEvent(self, event: QtGui.QDragLeaveEvent) -> None:
        self.files_dropped.leave()

    def dropEvent(self, event: QtGui.QDropEvent) -> None:
        self.files_dropped.drop(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        # what Tab reaches is shown, whatever it is
        self.ring.lead()
        return super().focusNextPrevChild(next)

    def closeEvent(self, event: QtGui.QCloseEvent) -> None:
        if self.studio.document.is_modified and not self._leaving:
            event.ignore()
            file.when_safe(self, self.leave)
            return
        if not self._ended:
            self.end()
        self.viewport.close()
        event.accept()

    _leaving = _keep_unsaved = _ended = False

    def end(self) -> None:
        """End all work; the window stands still until it is closed."""
        if self.present is not None:
            self.present.leave()
        if self.exports is not None:
            self.exports.leave()
        self._ended = True
        self._tick.stop()
        self._limit.stop()
        self.first.leave()
        self.strip_place.stop()
        self.studio.preferences.set(
            window=(self.width(), self.height()), maximized=self.isMaximized()
        )
        self.studio.close(self._keep_unsaved)
        if self.has_begun:
            self.docks.equations.end()

    def leave(self, keep_unsaved: bool = False) -> None:
        """Close without asking about changes.  keep_unsaved: they come back when the file is opened
        again.
        """
        self._leaving, self._keep_unsaved = True, keep_unsaved
        self.close()

    def grab_picture(self) -> QtGui.QImage:
        """The window as it is, with curves and cursor at the present time."""
        turns().finish()
        # widgets that have just come have no places of their own yet
        QtCore.QCoreApplication.sendPostedEvents(None, QtCore.QEvent.Type.LayoutRequest)
        self.docks.plots_panel.follow()
        self.viewport.painter.refine()
        return self.grab().toImage()
