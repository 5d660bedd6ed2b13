"""Topic of the manual that a widget is about, for "What is this?"."""

from typing import Protocol, runtime_checkable

from PySide6 import QtWidgets

from mechstudio.application.help.pages import Topic


@runtime_checkable
class HasHelp(Protocol):
    """A widget that knows the topic of its present content; None leaves the answer to the widget
    that it stands in.
    """

    def help_topic(self) -> Topic | None: ...


def topic_at(widget: QtWidgets.QWidget | None) -> Topic | None:
    """The topic of a widget or of the first around it that knows one; None where none does."""
    while widget is not None:
        topic = widget.help_topic() if isinstance(widget, HasHelp) else None
        if topic is not None:
            return topic
        widget = widget.parentWidget()
    return None
