"""The manual as a card inside the window: the pages of resources/help, as they stand on GitHub
too.
"""

import re
from pathlib import Path

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.resources import resource
from mechstudio.translation import tr
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton, label, row

Qt = QtCore.Qt
WIDE, TALL, LIST = (
    960,
    860,
    130,
)  # of the card, of the page at most, and of the list of pages [px at the normal text size]
AROUND = 110  # px of the card and the window above and below the page
FIRST = "index"
PICTURE = "\ufffc"  # stands in the text for an image
CODE_LANGUAGE, CODE_FENCE = (
    QtGui.QTextFormat.Property.BlockCodeLanguage,
    QtGui.QTextFormat.Property.BlockCodeFence,
)


def pages() -> list[tuple[str, str]]:
    """(file name without ending, title) of every page, in the order of the table of the first
    one.
    """
    text = resource("help", f"{FIRST}.md").read_text("utf-8")
    return [
        (FIRST, tr("Contents")),
        *(
            (name, title)
            for title, name in re.findall(r"^\| \[(.+?)\]\(([\w-]+)\.md\)", text, re.M)
        ),
    ]


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def _is_code(block: QtGui.QTextBlock) -> bool:
    return block.isValid() and (
        block.blockFormat().hasProperty(CODE_LANGUAGE)
        or block.blockFormat().hasProperty(CODE_FENCE)
        or (block.charFormat().fontFixedPitch() and bool(block.text()))
    )


class Page(QtWidgets.QTextBrowser):
    """One page of Markdown.  followed(file name without ending, anchor or ""): a link to a page was
    clicked.
    """

    followed = QtCore.Signal(str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setOpenLinks(False)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.anchorClicked.connect(self._clicked)
        self._shown = ""
        theme.changed.connect(self._dress)

    def show_page(self, name: str) -> None:
        """Read a page.  Raises FileNotFoundError."""
        path = resource("help", f"{name}.md")
        self._shown = name
        self.document().setBaseUrl(QtCore.QUrl.fromLocalFile(str(path)))
        self.document().setMarkdown(
            path.read_text("utf-8"), QtGui.QTextDocument.MarkdownFeature.MarkdownDialectGitHub
        )
        self._dress()
        self.moveCursor(QtGui.QTextCursor.MoveOperation.Start)

    def headings(self) -> dict[str, QtGui.QTextBlock]:
        """The headings of the page by their anchors."""
        found, block = {}, self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                found[slug(block.text())] = block
            block = block.next()
        return found

    def go_to(self, anchor: str) -> None:
        """Scroll to a heading, if the page has it."""
        block = self.headings().get(anchor)
        if block is not None:
            top = self.document().documentLayout().blockBoundingRect(block).top()
            self.verticalScrollBar().setValue(round(top))

    def loadResource(self, kind: int, url: QtCore.QUrl | str) -> object:
        """Pictures are no wider than the page."""
        found = super().loadResource(kind, url)
        path = self.document().baseUrl().resolved(QtCore.QUrl(url)).toLocalFile()
        if kind == QtGui.QTextDocument.ResourceType.ImageResource.value and Path(path).is_file():
            image = QtGui.QImage(path)
            width = max(
                self.viewport().width() - 2 * round(self.document().documentMargin()) - 8, 100
            )
            return (
                image.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
                if image.width() > width
                else image
            )
        return found

    def _dress(self) -> None:
        """Spaces between paragraphs, lines of tables and the colours of code, which Markdown leaves
        open.
        """
        document, color, dp = self.document(), self._theme.color, self._theme.dp
        document.setDocumentMargin(dp(16))
        look = self.palette()
        look.setColor(QtGui.QPalette.ColorRole.Link, color("accent_text"))
        self.setPalette(look)
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QtGui.QTextTable):
                look = frame.format().toTableFormat()
                look.setBorder(1)
                look.setBorderCollapse(True)
                look.setBorderBrush(color("line"))
                look.setCellPadding(dp(5))
                look.setCellSpacing(0)
                look.setTopMargin(dp(6))
                look.setBottomMargin(dp(10))
                frame.setFormat(look)
        block, cursor = document.begin(), QtGui.QTextCursor(document)
        while block.isValid():
            look, level = block.blockFormat(), block.blockFormat().headingLevel()
            cursor.setPosition(block.position())
            if _is_code(block):
                look.setNonBreakableLines(False)
                look.setBackground(color("hover"))
                look.setLeftMargin(dp(8))
                look.setTopMargin(0 if _is_code(block.previous()) else dp(4))
                look.setBottomMargin(0 if _is_code(block.next()) else dp(10))
            elif cursor.currentTable() is None:
                look.setTopMargin(dp(14 if level else 3))
                look.setBottomMargin(dp(6))
                if PICTURE not in block.text():
                    look.setLineHeight(
                        125, QtGui.QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
                    )
            cursor.setBlockFormat(look)
            block = block.next()

    def _clicked(self, url: QtCore.QUrl) -> None:
        if url.scheme() in ("http", "https"):
            QtGui.QDesktopServices.openUrl(url)
        elif url.path().endswith(".md") or not url.path():
            self.followed.emit(Path(url.path()).stem or self._shown, url.fragment())


class HelpSheet(Sheet):
    """The manual: its pages at the left, one of them open, and the way back."""

    def __init__(self, theme: Theme, host: QtWidgets.QWidget, page: str = FIRST) -> None:
        super().__init__(theme, host, WIDE)
        self._past: list[str] = []
        self._names = [name for name, _ in pages()]
        self.back = IconButton(theme, "undo", tr("Back"), 26, 15, clicked=self._go_back)
        self.list = QtWidgets.QListWidget()
        self.list.setAccessibleName(tr("Pages"))
        self.list.addItems([tr(title) for _, title in pages()])
        theme.fit(self.list, "setFixedWidth", LIST)
        self.page = Page(theme)
        self.page.setAccessibleName(tr("Page"))
        self.page.followed.connect(self.open_page)
        self.list.currentRowChanged.connect(lambda k: self.open_page(self._names[k]))
        close = IconButton(theme, "close", tr("Close"), 26, 15, clicked=self.close_sheet)
        self.box.addWidget(row(self.back, label(tr("Help"), "title"), None, close, gap=8))
        both = QtWidgets.QHBoxLayout()
        both.setSpacing(12)
        both.addWidget(self.list)
        both.addWidget(self.page, 1)
        self.box.addLayout(both, 1)
        self.open_page(page)

    def _place(self) -> None:
        page = getattr(self, "page", None)
        if page is not None:
            page.setMinimumHeight(
                max(min(self._theme.dp(TALL), self.height() - self._theme.dp(AROUND)), 120)
            )
        super()._place()

    def open_page(self, name: str, anchor: str = "") -> None:
        """Show a page, from its beginning or from a heading."""
        if name not in self._names:
            return
        if not self._past or self._past[-1] != name:
            self._past.append(name)
            self.page.show_page(name)
        with QtCore.QSignalBlocker(self.list):
            self.list.setCurrentRow(self._names.index(name))
        self.back.setEnabled(len(self._past) > 1)
        if anchor:
            self.page.go_to(anchor)

    def _go_back(self) -> None:
        self._past.pop()
        self.open_page(self._past.pop())
