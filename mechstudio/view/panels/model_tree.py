"""The model tree: everything that was drawn, in drawing order; selection and hover are shared with
the viewport.
"""

from collections.abc import Iterable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import edit
from mechstudio.application.actions.edits import naming, redundancies
from mechstudio.application.notifications import Message
from mechstudio.application.plots.choice import usual, usual_of_point
from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.types.marks import MARK_TYPES
from mechstudio.translation import comma, tr
from mechstudio.view.panels.model_rows import Row, headings
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.channel_drag import drag
from mechstudio.view.widgets.widgets import dot

Qt = QtCore.Qt
ID = Qt.ItemDataRole.UserRole
KEY = Qt.ItemDataRole.UserRole + 1  # what a fold is remembered by
GROUP = Qt.ItemDataRole.UserRole + 2
POINT = Qt.ItemDataRole.UserRole + 3  # body and name of a named point
MARKS = {"info": ("info", "text3"), "warning": ("warn", "warn"), "error": ("error", "error")}
NAME, SHOWN, MARK, EYE = 0, 1, 2, 3  # columns
MARK_WIDE, EYE_WIDE = 20, 22  # px
NAMED = 96  # px that names keep, indents included, where rows have marks
ASKED = fields.OF_PROJECT  # rows whose names are not the user's


def plain_icon(picture: QtGui.QPixmap) -> QtGui.QIcon:
    """An icon that keeps its colours in a selected row."""
    icon = QtGui.QIcon(picture)
    icon.addPixmap(picture, QtGui.QIcon.Mode.Selected)
    return icon


WALKING = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)
Index = QtCore.QModelIndex | QtCore.QPersistentModelIndex
MOST_ICONS = 2  # of the marks on an element


def _element(item: QtWidgets.QTreeWidgetItem) -> str:
    """Id of the element of a line, of a point that of its body; "" for a heading or a group."""
    point = item.data(NAME, POINT)
    return point[0] if point else item.data(NAME, ID) or ""


def _folds(row: Row) -> bool:
    """True if a row has lines below it."""
    return bool(row.members or row.points)


class NameEditor(QtWidgets.QStyledItemDelegate):
    """A field for a name in the tree.  named(id, text): it was left with another text.  read(id):
    the present name.
    """

    named = QtCore.Signal(str, str)

    def __init__(self, parent: QtCore.QObject, read) -> None:
        super().__init__(parent)
        self._read = read

    @staticmethod
    def _id(index: Index) -> str:
        return index.data(ID) or index.data(GROUP) or ""

    def createEditor(
        self,
        parent: QtWidgets.QWidget,
        option: QtWidgets.QStyleOptionViewItem,
        index: Index,
    ) -> QtWidgets.QWidget:
        editor = QtWidgets.QLineEdit(parent)
        editor.setObjectName("name")
        editor.setAccessibleName(tr("Name"))
        return editor

    def setEditorData(self, editor: QtWidgets.QWidget, index: Index) -> None:
        # news of the run may come while one types
        if isinstance(editor, QtWidgets.QLineEdit) and not editor.isModified():
            editor.setText(self._read(self._id(index)))
            editor.selectAll()

    def setModelData(
        self, editor: QtWidgets.QWidget, model: QtCore.QAbstractItemModel, index: Index
    ) -> None:
        text = editor.text().strip() if isinstance(editor, QtWidgets.QLineEdit) else ""
        if text and text != self._read(self._id(index)):
            self.named.emit(self._id(index), text)


class Drawn(QtWidgets.QStyledItemDelegate):
    """Icons of the marks that the scene shows on an element, in accent."""

    def __init__(self, parent: QtCore.QObject, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(
        self, painter: QtGui.QPainter, option: QtWidgets.QStyleOptionViewItem, index: Index
    ) -> None:
        super().paint(painter, option, index)
        place: QtCore.QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        size, x = self._theme.dp(14), place.left()
        for icon in icons_of(index.data(ID) or ()):
            at = QtCore.QPoint(x, place.center().y() - size // 2 + 1)
            painter.drawPixmap(at, self._theme.pixmap(icon, "accent", 14, 2))
            x += self._theme.dp(18)


def icons_of(types: Iterable[str]) -> tuple[str, ...]:
    """Icons of types of marks, each once; of many one that stands for more than it shows, since the
    name of the row needs its room.
    """
    icons = tuple(dict.fromkeys(MARK_TYPES[type].icon for type in types))
    return icons if len(icons) <= MOST_ICONS else (*icons[: MOST_ICONS - 1], "more")


class ModelTree(QtWidgets.QTreeWidget):
    """Views the document and the selection; it names, hides and shows elements.

    menu_requested(place on the screen): the actions for what is selected are requested.
    """

    menu_requested = QtCore.Signal(QtCore.QPoint)
    shortcut_title = "In the model tree"
    shortcuts = (
        ("F2, double click", "renames"),
        ("Shift+click, Ctrl+click", "selects several"),
        ("Click on a group", "selects its bodies"),
        ("Eye", "hides and shows"),
        ("Drag to a pane", "plots it"),
        ("Right click", "opens the menu"),
    )

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._items: dict[str, QtWidgets.QTreeWidgetItem] = {}
        self._groups: dict[str, QtWidgets.QTreeWidgetItem] = {}
        self._shown: tuple | None = None
        self._rows: dict[str, Row] = {}
        self._marks: dict[
            str, tuple[str, str]
        ] = {}  # of rows: how grave what is said of it is, and what
        self._icons: dict[str | int, QtGui.QIcon] = {}  # painted once for all rows that look alike
        self._under = ""  # the row under the pointer
        self._underlined = ""  # what is hovered here or in the view
        self._chosen_groups: set[str] = set()
        self.setHeaderHidden(True)
        self.setColumnCount(4)
        theme.fit(self, indentation=12, icon=16)
        self.setMouseTracking(True)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setExpandsOnDoubleClick(False)
        self.setAccessibleName(tr("Model"))
        self.setDragEnabled(True)
        self._widest = 0  # number of marks on the row that has most
        head = self.header()
        head.setStretchLastSection(False)
        head.setMinimumSectionSize(0)
        head.setSectionResizeMode(NAME, QtWidgets.QHeaderView.ResizeMode.Stretch)
        for column in (SHOWN, MARK, EYE):
            head.setSectionResizeMode(column, QtWidgets.QHeaderView.ResizeMode.Fixed)
        self._editor = NameEditor(self, self._name)
        # the rows may be made again by the change, so the editor closes first
        self._editor.named.connect(self._rename, Qt.ConnectionType.QueuedConnection)
        self.setItemDelegateForColumn(NAME, self._editor)
        self.setItemDelegateForColumn(SHOWN, Drawn(self, theme))
        self.itemSelectionChanged.connect(self._select)
        self.itemEntered.connect(self._enter)
        self.itemDoubleClicked.connect(self._double_clicked)
        studio.document.changed.connect(lambda old, new: self.refresh())
        studio.document.changed.connect(lambda old, new: self._show_drawn())
        studio.selection.changed.connect(self._show_selection)
        studio.questions.analysed.connect(self._show_marks)
        studio.preferences.units_changed.connect(self._show_marks)
        theme.follow(self._repaint)
        self._repaint()

    def startDrag(self, supportedActions: Qt.DropAction) -> None:
        """Let the pointer carry what is usually plotted of the selected elements to a pane."""
        project = self._studio.document.project
        item = self.currentItem()
        if item is not None and (point := item.data(NAME, POINT)):
            drag(self, list(usual_of_point(project, *point)), ".".join(point))
            return
        ids = [id for id in self._studio.selection.selected if usual(project, id)]
        if ids:
            name = self._studio.document.name(ids[0])
            words = name if len(ids) == 1 else tr("{name} and {n} more", name=name, n=len(ids) - 1)
            drag(self, [key for id in ids for key in usual(project, id)], words)

    # rows

    def refresh(self) -> None:
        """Write the document into the tree; rows are made again only if their content has
        changed.
        """
        shown = tuple(headings(self._studio.document.project))
        if shown == self._shown:
            return
        before = self._shown
        self._shown = shown
        with QtCore.QSignalBlocker(self):
            if before and [title for title, _ in before] == [title for title, _ in shown]:
                for top, (_, old), (_, new) in zip(self._tops(), before, shown, strict=True):
                    self._change(top, old, new)
            else:
                self._fill(shown, {tr("Parameters")} if before is None else self._folded())
        self._show_selection()
        self._show_marks()
        self._show_drawn()

    def _fill(self, shown: tuple, folded: set[str]) -> None:
        """All rows again."""
        (
            self._items,
            self._groups,
            self._rows,
            self._chosen_groups,
            self._marks,
            self._underlined,
        ) = {}, {}, {}, set(), {}, ""
        self._close_name()
        self.clear()
        for title, rows in shown:
            top = QtWidgets.QTreeWidgetItem(self, [title])
            top.setForeground(NAME, self._theme.color("text2"))
            top.setFlags(Qt.ItemFlag.ItemIsEnabled)
            top.setData(NAME, KEY, title)
            for row in rows:
                item = self._add(top, row)
                item.setExpanded(row.id not in folded)
            top.setExpanded(title not in folded)

    def _change(
        self, top: QtWidgets.QTreeWidgetItem, old: tuple[Row, ...], new: tuple[Row, ...]
    ) -> None:
        """The rows under a heading: what is the same at the beginning and at the end stays, what
        lies between is made again.
        """
        if old == new:
            return
        least = min(len(old), len(new))
        first = next((k for k in range(least) if old[k] != new[k]), least)
        last = next((k for k in range(least - first) if old[-1 - k] != new[-1 - k]), least - first)
        lines = {row.id: self._item(row.id) for row in old if _folds(row)}
        folded = {id for id, line in lines.items() if line is not None and not line.isExpanded()}
        for row in old[first : len(old) - last]:
            child = top.child(first)
            assert child is not None
            if self.currentItem() in (child, *(child.child(k) for k in range(child.childCount()))):
                self._close_name()
            top.removeChild(child)
            for gone in (row, *row.members):
                for known in (self._items, self._groups, self._rows, self._marks):
                    known.pop(gone.id, None)
                self._underlined = "" if gone.id == self._underlined else self._underlined
        for k, row in enumerate(new[first : len(new) - last], first):
            self._add(top, row, k).setExpanded(row.id not in folded)

    def _add(
        self, parent: QtWidgets.QTreeWidgetItem, row: Row, place: int | None = None
    ) -> QtWidgets.QTreeWidgetItem:
        item = QtWidgets.QTreeWidgetItem([row.text])
        item.setIcon(NAME, self._icon(row.icon))
        item.setToolTip(NAME, row.text)
        self._rows[row.id] = row
        if row.id not in ASKED:
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
        if row.seen is False:
            item.setForeground(NAME, self._theme.color("text3"))
        parent.insertChild(parent.childCount() if place is None else place, item)
        if row.members:
            item.setData(NAME, GROUP, row.id)
            item.setData(NAME, KEY, row.id)
            self._groups[row.id] = item
            for member in row.members:
                self._add(item, member).setExpanded(True)
        else:
            item.setData(NAME, ID, row.id)
            self._items[row.id] = item
        for name in row.points:
            point = QtWidgets.QTreeWidgetItem(item, [name])
            point.setIcon(NAME, self._icon("tool_point"))
            point.setToolTip(NAME, tr("Point {name} of {body}", name=name, body=row.text))
            point.setData(NAME, POINT, (row.id, name))
            item.setData(NAME, KEY, row.id)
        if row.seen is False or row.id == self._under:
            self._show_eye(row.id)
        return item

    def _folded(self) -> set[str]:
        """Titles and groups that are folded."""
        with_points = [self._items[id] for id, row in self._rows.items() if row.points]
        items = (*self._tops(), *self._groups.values(), *with_points)
        return {item.data(NAME, KEY) for item in items if not item.isExpanded()}

    def _tops(self) -> list[QtWidgets.QTreeWidgetItem]:
        """Headings."""
        tops = (self.topLevelItem(k) for k in range(self.topLevelItemCount()))
        return [top for top in tops if top is not None]

    def _icon(self, icon: str | int) -> QtGui.QIcon:
        """A joint or force glyph by name, a body's dot by colour index."""
        if icon not in self._icons:
            theme = self._theme
            self._icons[icon] = plain_icon(
                dot(theme.body(icon), theme.dp(10), theme.dp(16))
                if isinstance(icon, int)
                else theme.pixmap(icon, "text2", 16)
            )
        return self._icons[icon]

    def _repaint(self) -> None:
        if self._shown is not None:
            self._shown = ()
        self._icons.clear()
        self.setColumnWidth(MARK, self._theme.dp(MARK_WIDE))
        self.setColumnWidth(EYE, self._theme.dp(EYE_WIDE))
        self.refresh()

    def _show_marks(self) -> None:
        """The mark of the gravest finding beside each element."""
        worst: dict[str, str] = {}
        order = list(MARKS)
        for f in (
            f for f in self._studio.questions.findings if not redundancies.kept(self._studio, f)
        ):
            worst[f.element] = max(worst.get(f.element, "info"), f.severity, key=order.index)
        said: dict[str, str] = {}
        for f in self._studio.questions.findings:
            if f.element in worst and not redundancies.kept(self._studio, f):
                said[f.element] = (
                    f"{said.get(f.element, '')} {f.said(self._studio.preferences.units)}".strip()
                )
        for id, item in self._items.items():
            mark = (worst[id], said[id]) if id in worst else ("", "")
            if mark != self._marks.get(id, ("", "")):
                self._marks[id] = mark
                item.setIcon(
                    MARK,
                    plain_icon(self._theme.pixmap(*MARKS[mark[0]], 15, 2))
                    if mark[0]
                    else QtGui.QIcon(),
                )
                item.setToolTip(MARK, mark[1])
        self.setColumnHidden(MARK, worst.keys().isdisjoint(self._items))  # names have its room

    def _show_drawn(self) -> None:
        """Mark rows of elements on which the scene shows something, such as a trail."""
        drawn = self._studio.marks.marked()
        for id, item in self._items.items():
            types = drawn.get(id, ())
            if types == (item.data(SHOWN, ID) or ()):
                continue
            item.setData(SHOWN, ID, types)
            item.setToolTip(SHOWN, comma().join(tr(MARK_TYPES[type].label) for type in types))
        widest = max((len(icons_of(types)) for types in drawn.values()), default=0)
        self._widest = widest
        self._fit_marks()

    def _fit_marks(self) -> None:
        """Show the marks where they leave room for names."""
        dp, wide = self._theme.dp, self._theme.dp(18 * self._widest + 4)
        free = (
            self.viewport().width() - wide - sum(self._theme.dp(w) for w in (MARK_WIDE, EYE_WIDE))
        )
        # a column without width would get the usual one back when the style is applied
        self.setColumnHidden(SHOWN, self._widest == 0 or free < dp(NAMED))
        self.setColumnWidth(SHOWN, wide)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_marks()

    # the eye

    def _item(self, id: str) -> QtWidgets.QTreeWidgetItem | None:
        return self._items.get(id) or self._groups.get(id)

    def _show_eye(self, id: str) -> None:
        """An eye under the pointer, a closed one wherever something is hidden."""
        item, row = self._item(id), self._rows.get(id)
        if item is None or row is None or row.seen is None:
            return
        shown = not row.seen or id == self._under
        picture = (
            plain_icon(
                self._theme.pixmap(
                    "eye" if row.seen else "eye_off", "text2" if row.seen else "text3", 15
                )
            )
            if shown
            else QtGui.QIcon()
        )
        item.setIcon(EYE, picture)
        item.setToolTip(EYE, (tr("Hide") if row.seen else tr("Show")) if shown else "")

    def _enter(self, item: QtWidgets.QTreeWidgetItem, _column: int) -> None:
        self._look_at(item.data(NAME, ID) or item.data(NAME, GROUP) or "")
        self._studio.selection.hover(_element(item))

    def _look_at(self, id: str) -> None:
        before, self._under = self._under, id
        for each in (before, id):
            self._show_eye(each)

    def _close_or_open(self, id: str) -> None:
        row = self._rows[id]
        edit.show_or_hide(
            self._studio,
            *(
                (m.id for m in row.members if row.seen == m.seen or not row.seen)
                if row.members
                else (id,)
            ),
        )

    # choosing

    def _show_selection(self) -> None:
        selection = self._studio.selection
        selected = frozenset(selection.selected)
        with QtCore.QSignalBlocker(self):
            for id, item in self._items.items():
                chosen = id in selected
                if item.isSelected() != chosen:
                    item.setSelected(chosen)
                hovered = id == selection.hovered and not chosen
                if hovered != (id == self._underlined):
                    font = item.font(NAME)
                    font.setUnderline(hovered)
                    item.setFont(NAME, font)
            self._underlined = (
                selection.hovered if selection.hovered not in selection.selected else ""
            )
            self._chosen_groups = {
                id for id in self._groups if all(m.id in selected for m in self._rows[id].members)
            }
            for id, item in self._groups.items():
                item.setSelected(id in self._chosen_groups)
            point = self._show_point()
            if selection.current in self._items:
                item = self._items[selection.current]
                above = item.parent()
                if above is not None and above.data(NAME, GROUP) in self._chosen_groups:
                    item = above  # a group stays folded when its line is clicked
                elif point is not None and item.isExpanded():
                    item = point
                self.setCurrentItem(item, NAME, QtCore.QItemSelectionModel.SelectionFlag.NoUpdate)
                self.scrollToItem(item)
        self.viewport().update()

    def _show_point(self) -> QtWidgets.QTreeWidgetItem | None:
        """Highlight the line of the point that is chosen, and no other; returns it."""
        chosen = (self._studio.selection.current, self._studio.selection.point)
        for line in self.selectedItems():
            if (of := line.data(NAME, POINT)) and tuple(of) != chosen:
                line.setSelected(False)
        body = self._items.get(chosen[0]) if chosen[1] else None
        for k in range(body.childCount() if body is not None else 0):
            line = body.child(k)  # type: ignore[union-attr]
            if line is not None and tuple(line.data(NAME, POINT)) == chosen:
                line.setSelected(True)
                return line
        return None

    def _select(self) -> None:
        items = self.selectedItems()
        chosen = list(dict.fromkeys(id for item in items if (id := _element(item))))
        groups = {item.data(NAME, GROUP) for item in items if item.data(NAME, GROUP)}
        # a click on a group's line is one on all of its members
        for id in groups - self._chosen_groups:
            chosen += [m.id for m in self._rows[id].members if m.id not in chosen]
        for id in self._chosen_groups - groups:
            members = {m.id for m in self._rows[id].members}
            chosen = [x for x in chosen if x not in members] if members <= set(chosen) else chosen
        if groups & self._chosen_groups and not chosen:
            chosen = [m.id for id in groups for m in self._rows[id].members]
        known = self._studio.selection.selected
        # keep the order in which things were selected, the newest last
        requested = (*(x for x in known if x in chosen), *(x for x in chosen if x not in known))
        if requested == known:
            self._show_selection()
        here = [p[1] for item in items if (p := item.data(NAME, POINT)) and p[0] == requested[-1]]
        # of two points of a body the one that was not chosen before
        point = next((name for name in here if name != self._studio.selection.point), "")
        self._studio.selection.select(*requested, point=point or (here[0] if here else ""))

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        place = event.position().toPoint()
        item = self.itemAt(place)
        id = (item.data(NAME, ID) or item.data(NAME, GROUP)) if item is not None else None
        if (
            event.button() == Qt.MouseButton.LeftButton
            and id
            and self.columnAt(place.x()) == EYE
            and self._rows[id].seen is not None
        ):
            self._close_or_open(id)
            return
        if event.button() == Qt.MouseButton.RightButton and (item is None or item.isSelected()):
            return  # the menu is about all that is selected
        super().mousePressEvent(event)

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        self.menu_requested.emit(event.globalPos())

    # names

    def _name(self, id: str) -> str:
        project = self._studio.document.project
        return project.groups[id].name if id in project.groups else self._studio.document.name(id)

    def begin_rename(self, id: str) -> None:
        """Make the line of an element or a group a field for its name."""
        item = self._item(id)
        if item is not None and item.flags() & Qt.ItemFlag.ItemIsEditable:
            while (parent := item.parent()) is not None and not parent.isExpanded():
                parent.setExpanded(True)
            self.setFocus()
            self.scrollToItem(item)
            self.editItem(item, NAME)

    def _close_name(self) -> None:
        """Close the field for a name: its line is about to go, and what is typed there has no place
        any more.
        """
        editor = self.findChild(QtWidgets.QLineEdit, "name")
        if editor is not None and self.state() == QtWidgets.QAbstractItemView.State.EditingState:
            self.closeEditor(editor, QtWidgets.QAbstractItemDelegate.EndEditHint.NoHint)

    def _double_clicked(self, item: QtWidgets.QTreeWidgetItem, column: int) -> None:
        if column == NAME and item.parent() is not None:
            self.begin_rename(item.data(NAME, ID) or item.data(NAME, GROUP))
        elif item.parent() is None:
            item.setExpanded(not item.isExpanded())

    def _rename(self, id: str, text: str) -> None:
        if reason := naming.rename(self._studio, id, text):
            self._studio.notifications.say(Message("warning", reason, "arrange"))

    # events

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self._look_at("")
        self._studio.selection.hover("")
        super().leaveEvent(event)

    def drawBranches(self, painter: QtGui.QPainter, rect: QtCore.QRect, index: Index) -> None:
        super().drawBranches(painter, rect, index)
        if self.model().hasChildren(index):
            icon = self._theme.pixmap("down" if self.isExpanded(index) else "right", "text3", 13, 2)
            side = icon.deviceIndependentSize()
            painter.drawPixmap(
                QtCore.QPointF(
                    rect.right() + 1 - side.width(), rect.center().y() + 1 - side.height() / 2
                ),
                icon,
            )

    def event(self, event: QtCore.QEvent) -> bool:
        # with the tree in focus the arrows walk the tree, they do not step the time
        override = event.type() == QtCore.QEvent.Type.ShortcutOverride
        if override and isinstance(event, QtGui.QKeyEvent) and event.key() in WALKING:
            event.accept()
            return True
        return super().event(event)
