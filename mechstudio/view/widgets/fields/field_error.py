"""Reason why a typed text is refused, with a button for its remedy, if any."""

from collections.abc import Callable

from PySide6 import QtCore, QtWidgets

from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, column, set_property, wrapped

Qt = QtCore.Qt


class FieldError(QtWidgets.QWidget):
    """Message below a field, hidden without a reason. of: the refused field, if several share the
    message.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.of: object = None
        self._take: Callable[[], object] = lambda: None
        self._reason = wrapped("", "wrong")
        self.button = QtWidgets.QPushButton()
        self.button.setObjectName("offer")
        # the field keeps the focus, and with it the typed text
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.button.clicked.connect(lambda: self._take())
        self._words = Elided("", "offered")
        self._words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        inner = QtWidgets.QHBoxLayout(self.button)
        inner.setContentsMargins(8, 0, 8, 0)
        inner.addWidget(self._words)
        theme.fit(self.button, height=24)
        self.button.setMinimumWidth(0)
        self.button.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed
        )
        box = column(self, 3)
        box.addWidget(self._reason)
        box.addWidget(self.button)
        self.hide()

    def text(self) -> str:
        return self._reason.text()

    def offered(self) -> str:
        """The button's words; empty without a button."""
        return self._words.text() if not self.button.isHidden() else ""

    def say(
        self,
        of: object,
        reason: str,
        offer: str = "",
        take: Callable[[], object] = lambda: None,
        quiet: bool = False,
    ) -> None:
        """Show a reason. offer: words of the button; take: its action. quiet: True for a remark
        that is no error.
        """
        self.of, self._take = of, take
        self._reason.setText(reason)
        set_property(self._reason, "quiet", quiet)
        self._words.set_text(offer)
        self.button.setAccessibleName(offer)
        self.button.setToolTip(tr("{words} (Ctrl+Enter)", words=offer) if offer else "")
        self.button.setVisible(bool(offer))
        self.setVisible(bool(reason))

    def clear(self, of: object) -> None:
        """Clear the message of a field; one of another field stays."""
        if self.of is None or self.of is of:
            self.of = None
            self._reason.setText("")
            self._words.set_text("")
            self.button.hide()
            self.hide()
