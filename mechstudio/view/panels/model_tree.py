"""The model tree: everything that was drawn, in drawing order; selection and hover are shared with the viewport."""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.mechanism import GROUND, Joint
from mechstudio.model.project import Project

from ..i18n import tr
from ..pieces import dot
from ..theme import Theme

Qt = QtCore.Qt
ID = Qt.ItemDataRole.UserRole
MARKS = {"info": ("info", "text3"), "warning": ("warn", "warn"), "error": ("error", "error")}
_FORCE_ICONS = {"spring": "tool_spring", "torsion_spring": "tool_spring", "slide_spring": "tool_spring", "damper": "tool_damper", "torsion_damper": "tool_damper",
                "slide_damper": "tool_damper", "motor_torque": "tool_torque", "motor_force": "tool_force", "friction_torque": "tool_friction",
                "friction_force": "tool_friction", "servo_torque": "tool_servo", "servo_force": "tool_servo", "actuator": "tool_actuator",
                "bushing": "tool_bushing", "torque": "tool_torque"}
MOTORS = ("motor", "servo")       # force types that are the user's machines rather than springs and loads


def connection(project: Project, joint: Joint) -> str:
    """The two bodies of a joint: "crank–coupler"."""
    m = project.mechanism
    return f"{m.body(joint.frame_a.body).name}–{m.body(joint.frame_b.body).name}"


def plain_icon(picture: QtGui.QPixmap) -> QtGui.QIcon:
    """An icon that keeps its colours in a selected row."""
    icon = QtGui.QIcon(picture)
    icon.addPixmap(picture, QtGui.QIcon.Mode.Selected)
    return icon


class ModelTree(QtWidgets.QTreeWidget):
    """Views the document and the selection; writes nothing but the selection."""

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._items: dict[str, QtWidgets.QTreeWidgetItem] = {}
        self._shown: tuple | None = None
        self.setHeaderHidden(True)
        self.setColumnCount(2)
        theme.fit(self, "setIndentation", 12)
        theme.fit(self, "setIconSize", 16, 16)
        self.setMouseTracking(True)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(tr("Model"))
        head = self.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(0, QtWidgets.QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(1, QtWidgets.QHeaderView.ResizeMode.Fixed)
        self.setColumnWidth(1, theme.dp(26))
        self.itemSelectionChanged.connect(self._select)
        self.itemEntered.connect(lambda item, _: studio.selection.hover(item.data(0, ID) or ""))
        studio.document.changed.connect(lambda old, new: self.refresh())
        studio.selection.changed.connect(self._show_selection)
        studio.analysed.connect(self._show_marks)
        theme.follow(self._repaint)
        self.refresh()

    def refresh(self) -> None:
        """Write the document into the tree; rows are made again only if what they say has changed."""
        project = self._studio.document.project
        hidden = {id for id, element in fields.elements(project) if getattr(element, "visible", True) is False}
        named = lambda id, text: tr("{name} (hidden)", name=text) if id in hidden else text
        shown = tuple((title, tuple((id, named(id, text), icon) for id, text, icon in rows)) for title, rows in self._groups(project))
        if shown == self._shown:
            return
        folded = {tr("Parameters")} if self._shown is None else {self.topLevelItem(k).data(0, ID + 1) for k in range(self.topLevelItemCount()) if not self.topLevelItem(k).isExpanded()}
        self._shown, self._items = shown, {}
        with QtCore.QSignalBlocker(self):
            self.clear()
            for title, rows in shown:
                top = QtWidgets.QTreeWidgetItem(self, [title])
                top.setForeground(0, self._theme.color("text2"))
                top.setFlags(Qt.ItemFlag.ItemIsEnabled)
                top.setData(0, ID + 1, title)
                for id, text, icon in rows:
                    item = QtWidgets.QTreeWidgetItem(top, [text])
                    item.setIcon(0, plain_icon(self._icon(icon)))
                    item.setData(0, ID, id)
                    item.setToolTip(0, text)
                    if id in hidden:
                        item.setForeground(0, self._theme.color("text3"))
                    self._items[id] = item
                top.setExpanded(title not in folded)
        self._show_selection()
        self._show_marks()

    def _icon(self, icon: str | int) -> QtGui.QPixmap:
        """A joint or force glyph by name, a body's dot by colour index."""
        return dot(self._theme.body(icon), self._theme.dp(10), self._theme.dp(16)) if isinstance(icon, int) else self._theme.pixmap(icon, "text2", 16)

    def _groups(self, project: Project):
        m = project.mechanism
        yield tr("Bodies"), [(id, b.name, b.color) for id, b in ((GROUND, m.ground), *m.bodies.items())]
        if m.joints:
            yield tr("Joints"), [(id, f"{j.name}  {connection(project, j)}" if len(j.name) < 4 else j.name, f"joint_{j.type}") for id, j in m.joints.items()]
        if m.couplings:
            yield tr("Couplings"), [(id, c.name, f"coupling_{c.type}") for id, c in m.couplings.items()]
        if m.drives:
            yield tr("Drives"), [(id, d.name if d.enabled else tr("{name} (off)", name=d.name), "tool_motor") for id, d in m.drives.items()]
        motors = [(id, f.name, _FORCE_ICONS[f.type]) for id, f in m.forces.items() if f.type.startswith(MOTORS)]
        if motors:
            yield tr("Motors"), motors
        yield tr("Forces"), [(fields.GRAVITY, tr("gravity"), "tool_force"),
                             *((id, f.name, _FORCE_ICONS.get(f.type, "tool_force")) for id, f in m.forces.items() if not f.type.startswith(MOTORS))]
        if project.pictures:
            yield tr("Pictures"), [(id, p.name, "picture") for id, p in project.pictures.items()]
        if project.parameters:
            yield tr("Parameters"), [(name, name, "parameter") for name in project.parameters]
        yield tr("Run"), [(fields.SETTINGS, tr("method"), "settings")]

    def _repaint(self) -> None:
        self._shown = ()
        self.setColumnWidth(1, self._theme.dp(26))
        self.refresh()

    def _show_marks(self) -> None:
        """The mark of the gravest finding beside each element."""
        worst: dict[str, str] = {}
        order = list(MARKS)
        for f in self._studio.findings:
            worst[f.element] = max(worst.get(f.element, "info"), f.severity, key=order.index)
        for id, item in self._items.items():
            if id in worst:
                item.setIcon(1, plain_icon(self._theme.pixmap(*MARKS[worst[id]], 15, 2)))
                item.setToolTip(1, " ".join(f.message for f in self._studio.findings if f.element == id))
            else:
                item.setIcon(1, QtGui.QIcon())
                item.setToolTip(1, "")

    def _show_selection(self) -> None:
        selection = self._studio.selection
        with QtCore.QSignalBlocker(self):
            for id, item in self._items.items():
                item.setSelected(id in selection.selected)
                font = item.font(0)
                if font.underline() != (id == selection.hovered and id not in selection.selected):
                    font.setUnderline(not font.underline())
                    item.setFont(0, font)
            if selection.current in self._items:
                self.setCurrentItem(self._items[selection.current], 0, QtCore.QItemSelectionModel.SelectionFlag.NoUpdate)
                self.scrollToItem(self._items[selection.current])
        self.viewport().update()

    def _select(self) -> None:
        chosen = [item.data(0, ID) for item in self.selectedItems() if item.data(0, ID)]
        known = self._studio.selection.selected
        # keep the order in which things were selected, the newest last
        self._studio.selection.select(*(x for x in known if x in chosen), *(x for x in chosen if x not in known))

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self._studio.selection.hover("")
        super().leaveEvent(event)

    def drawBranches(self, painter: QtGui.QPainter, rect: QtCore.QRect, index: QtCore.QModelIndex) -> None:
        super().drawBranches(painter, rect, index)
        if self.model().hasChildren(index):
            icon = self._theme.pixmap("down" if self.isExpanded(index) else "right", "text3", 13, 2)
            side = icon.deviceIndependentSize()
            painter.drawPixmap(QtCore.QPointF(rect.right() + 1 - side.width(), rect.center().y() + 1 - side.height() / 2), icon)

    def event(self, event: QtCore.QEvent) -> bool:
        # with the tree in focus the arrows walk the tree, they do not step the time
        if event.type() == QtCore.QEvent.Type.ShortcutOverride and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End):
            event.accept()
            return True
        return super().event(event)
