"""One page of the manual, as it stands on GitHub too: text, tables, code, formulas and pictures."""

import math
import re
from pathlib import Path

from PySide6 import QtCore, QtGui, QtSvg, QtWidgets

from mechstudio.application.help.pages import Topic, formula_name, read, sections
from mechstudio.application.resources import resource
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
PICTURE = "\ufffc"  # stands in the text for an image
MATH = re.compile(r"^```math\n(.*?)^```\n", re.M | re.S)
ROUNDING = 2  # px that columns of a table, which are rounded up, may be wider than the page
FORMULA = "formula"  # scheme of the address of one
# height of the letters of a formula: px at the normal text size, pt in its picture
LETTERS, POINTS = 14, 10
CODE_LANGUAGE, CODE_FENCE = (
    QtGui.QTextFormat.Property.BlockCodeLanguage,
    QtGui.QTextFormat.Property.BlockCodeFence,
)


def _size(svg: str) -> tuple[float, float]:
    """Width and height of a picture of a formula [pt]."""
    _, _, wide, high = re.search(r'viewBox="([^"]+)"', svg)[1].split()  # pyright: ignore
    return float(wide), float(high)


def _is_code(block: QtGui.QTextBlock) -> bool:
    """True of a block of code; a paragraph that begins with code is none."""
    look = block.blockFormat()
    return block.isValid() and (look.hasProperty(CODE_LANGUAGE) or look.hasProperty(CODE_FENCE))


class Page(QtWidgets.QTextBrowser):
    """One page of Markdown.  followed(topic): a link to a page was clicked."""

    followed = QtCore.Signal(Topic)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setOpenLinks(False)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.anchorClicked.connect(self._clicked)
        self.horizontalScrollBar().rangeChanged.connect(self._offer_bar)
        self._shown = ""
        self._place = "", 0.0  # heading, and share of the way to the next one, before a change
        theme.leaving.connect(self._keep_place)
        theme.follow(self._show_again)

    def show_page(self, name: str) -> None:
        """Read a page.  Raises FileNotFoundError."""
        path = resource("help", f"{name}.md")
        self._shown = name
        self.document().setBaseUrl(QtCore.QUrl.fromLocalFile(str(path)))
        # a formula is a picture here, in the ink of the theme
        text = MATH.sub(
            lambda m: f"![formula]({FORMULA}:{formula_name(m[1].strip())})\n", read(name)
        )
        self.document().setMarkdown(text, QtGui.QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        whole = QtGui.QTextCursor(self.document())
        # laid out once, not after each of thousands of changes
        whole.beginEditBlock()
        self._dress()
        whole.endEditBlock()
        # all of it now, not bit by bit: the bar would not reach headings far down
        self.document().size()
        self.document().markContentsDirty(0, 1)
        self.moveCursor(QtGui.QTextCursor.MoveOperation.Start)

    def _offer_bar(self, least: int, most: int) -> None:
        """Show a horizontal bar only where something is wider than the page."""
        policy = Qt.ScrollBarPolicy
        self.setHorizontalScrollBarPolicy(
            policy.ScrollBarAsNeeded if most > ROUNDING else policy.ScrollBarAlwaysOff
        )

    @property
    def shown(self) -> str:
        """Name of the page, "" before the first one."""
        return self._shown

    def _keep_place(self) -> None:
        anchor = self.heading
        begin, end = self._reach(anchor)
        share = (self.verticalScrollBar().value() - begin) / max(end - begin, 1.0)
        self._place = anchor, share

    def _show_again(self) -> None:
        """Read the page once more in another size or theme, at the same place."""
        if self._shown:
            anchor, share = self._place
            self.show_page(self._shown)
            begin, end = self._reach(anchor)
            self.verticalScrollBar().setValue(round(begin + share * (end - begin)))

    def _reach(self, anchor: str) -> tuple[float, float]:
        """Top of a heading in the page, and of the next one [px]."""
        layout = self.document().documentLayout()
        tops = {a: layout.blockBoundingRect(b).top() for a, b in self.headings().items()}
        whole = layout.documentSize().height()
        begin = tops.get(anchor, 0.0)
        return begin, min((top for top in tops.values() if top > begin), default=whole)

    def headings(self) -> dict[str, QtGui.QTextBlock]:
        """The headings of the page by their anchors; none before the first page."""
        if not self._shown:
            return {}
        known = [s.topic.anchor for s in sections(self._shown)]
        blocks, block = list[QtGui.QTextBlock](), self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                blocks.append(block)
            block = block.next()
        return dict(zip(known, blocks, strict=True))

    def go_to(self, anchor: str) -> None:
        """Scroll to a heading, if the page has it, and put the text cursor there."""
        block = self.headings().get(anchor) if anchor else None
        if block is not None:
            self.setTextCursor(QtGui.QTextCursor(block))
            top = self.document().documentLayout().blockBoundingRect(block).top()
            self.verticalScrollBar().setValue(round(top))

    @property
    def heading(self) -> str:
        """Anchor of the heading that what is seen at the top stands below."""
        top, found = self.verticalScrollBar().value() + 1, ""
        layout = self.document().documentLayout()
        for anchor, block in self.headings().items():
            if layout.blockBoundingRect(block).top() <= top:
                found = anchor
        return found

    def loadResource(self, kind: int, url: QtCore.QUrl | str) -> object:
        """Pictures are no wider than the page."""
        if QtCore.QUrl(url).scheme() == FORMULA:
            return self._formula(QtCore.QUrl(url).path())
        found = super().loadResource(kind, url)
        path = self.document().baseUrl().resolved(QtCore.QUrl(url)).toLocalFile()
        if kind == QtGui.QTextDocument.ResourceType.ImageResource.value and Path(path).is_file():
            image = QtGui.QImage(path)
            width = self._room
            return (
                image.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
                if image.width() > width
                else image
            )
        return found

    @property
    def _room(self) -> int:
        """Width that a picture may have [px]."""
        margin = round(self.document().documentMargin())
        return max(self.viewport().width() - 2 * margin - 8, 100)

    def _formula(self, name: str) -> QtGui.QImage:
        """A formula in the size of the text and the ink of the theme."""
        text = resource("help", "formulas", f"{name}.svg").read_text("utf-8")
        ink = self._theme["text"]
        picture = QtSvg.QSvgRenderer(text.replace("currentColor", ink).encode())
        wide, high = (side * self._theme.dp(LETTERS) / POINTS for side in _size(text))
        shrink = min(1.0, self._room / wide)
        ratio = self.devicePixelRatioF()
        image = QtGui.QImage(
            math.ceil(wide * shrink * ratio),
            math.ceil(high * shrink * ratio),
            QtGui.QImage.Format.Format_ARGB32_Premultiplied,
        )
        image.fill(Qt.GlobalColor.transparent)
        painter = QtGui.QPainter(image)
        picture.render(painter)
        painter.end()
        image.setDevicePixelRatio(ratio)
        return image

    def _dress(self) -> None:
        """Spaces between paragraphs, lines of tables and the colours of code, which Markdown leaves
        open.
        """
        document, color, dp = self.document(), self._theme.color, self._theme.dp
        document.setDocumentMargin(dp(16))
        document.setIndentWidth(dp(18))
        look = self.palette()
        look.setColor(QtGui.QPalette.ColorRole.Link, color("accent_text"))
        self.setPalette(look)
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QtGui.QTextTable):
                look = frame.format().toTableFormat()
                look.setBorder(1)
                look.setBorderCollapse(True)
                look.setBorderBrush(color("line_strong"))
                look.setCellPadding(dp(5))
                look.setCellSpacing(0)
                look.setTopMargin(dp(6))
                look.setBottomMargin(dp(10))
                frame.setFormat(look)
                self._rule(frame)
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
            self._set_bold(block)
            block = block.next()

    def _rule(self, table: QtGui.QTextTable) -> None:
        """Draw the lines of a table, each of them for its cells as well."""
        for r in range(table.rows()):
            for c in range(table.columns()):
                cell = table.cellAt(r, c)
                look = cell.format().toTableCellFormat()
                look.setBorder(0.5)
                look.setBorderBrush(self._theme.color("line_strong"))
                look.setBorderStyle(QtGui.QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                cell.setFormat(look)

    def _set_bold(self, block: QtGui.QTextBlock) -> None:
        """Set bold words in the boldest weight that the font has; Qt would smear a bolder one."""
        bold = QtGui.QTextCharFormat()
        bold.setFontWeight(QtGui.QFont.Weight.DemiBold)
        cursor = QtGui.QTextCursor(self.document())
        for span in block.textFormats():
            if span.format.fontWeight() > QtGui.QFont.Weight.DemiBold:  # pyright: ignore
                cursor.setPosition(block.position() + span.start)  # pyright: ignore
                cursor.setPosition(
                    block.position() + span.start + span.length,  # pyright: ignore
                    QtGui.QTextCursor.MoveMode.KeepAnchor,
                )
                cursor.mergeCharFormat(bold)

    def _clicked(self, url: QtCore.QUrl) -> None:
        if url.scheme() in ("http", "https"):
            QtGui.QDesktopServices.openUrl(url)
        elif url.path().endswith(".md") or not url.path():
            self.followed.emit(Topic(Path(url.path()).stem or self._shown, url.fragment()))
