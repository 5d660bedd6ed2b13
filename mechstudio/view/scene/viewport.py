"""The viewport: a widget that shows a scene, turns with the pointer and says what is under it."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QCloseEvent,
    QEnterEvent,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPaintEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from mechstudio.application.help.pages import Topic
from mechstudio.translation import tr
from mechstudio.view.scene.framing import Framing
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.navigator import Navigator
from mechstudio.view.scene.overlays.free_body_marks import FreeBodyMarks
from mechstudio.view.scene.overlays.furniture import Furniture
from mechstudio.view.scene.painter import Painter
from mechstudio.view.scene.rendering.backdrop import grid_cell
from mechstudio.view.scene.shown_scene import ShownScene
from mechstudio.view.widgets.image_files import PictureFiles


class Viewport(QWidget):
    """Widget that holds the parts of a 3D view and hands them its events; it changes nothing but
    its camera.

    shown: the scene and where its bodies are.  look: theme, units, what stands out.  framing: the
    camera.  navigator: pointer, keys and tool.  painter: pictures.  files: those of pictures in the
    scene.  free_body: marks of a body that is cut free.
    """

    accessible_role = QAccessible.Role.Graphic

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Scene"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        shown, look = self.shown, self.look = ShownScene(), Look()
        self.topic: Callable[[], Topic] = lambda: Topic("drawing")  # the window gives it
        self.described: Callable[[], str] = lambda: ""  # and words about what is shown
        self.files, self.free_body = PictureFiles(self), FreeBodyMarks()
        self.framing = Framing(self, shown, look)
        self.navigator = Navigator(self, shown, look, self.framing, self.free_body)
        furniture = Furniture(shown, look, self.framing, self.navigator, self.files, self.free_body)
        self.painter = Painter(self, shown, look, self.framing, self.files, furniture)
        app = QGuiApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(self._release)

    def spoken_value(self) -> str:
        """Selection and active tool, in words."""
        return self.described()

    def help_topic(self) -> Topic:
        """The topic of the element under the pointer."""
        return self.topic()

    def sizeHint(self) -> QSize:
        return QSize(900, 700)

    @property
    def grid(self) -> float:
        """Side of a cell of the grid [m]."""
        return grid_cell(self.shown.size, self.look.unit)

    # ---- events

    def paintEvent(self, event: QPaintEvent) -> None:
        self.painter.paint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.navigator.press(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.navigator.double_press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.navigator.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.navigator.release(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.navigator.wheel(event)

    def event(self, event: QEvent) -> bool:
        # a pinch zooms at the pointer, whatever the preset of the mouse
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self.navigator.zoom_at(event.position(), 1.0 / max(0.1, 1.0 + event.value()))
                return True
            return False
        return super().event(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.navigator.enter(event)
        super().enterEvent(event)
        self.painter.retry_files()

    def leaveEvent(self, event: QEvent) -> None:
        self.navigator.leave()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.navigator.key(event):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        return not self.navigator.keeps_tab and super().focusNextPrevChild(next)

    def showEvent(self, event: QShowEvent) -> None:
        self.painter.show()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self.painter.hide()
        self.framing.stop()
        super().hideEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._release()
        super().closeEvent(event)

    def _release(self) -> None:
        """Give the graphics device back; a later picture makes a new one."""
        self.painter.release()
        self.framing.stop()
