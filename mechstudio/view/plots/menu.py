"""The button of a plot's head that offers everything the plot can show."""

from PySide6 import QtWidgets

from mechstudio.application.runs.plot_choice import (
    Offer,
    choose,
    offers,
    shown_plots,
    with_curves,
    with_log,
)
from mechstudio.application.studio import Studio
from mechstudio.model.contact import MOST_PAIRS, too_many_pairs
from mechstudio.view.theme import Theme
from mechstudio.view.translation import tr
from mechstudio.view.widgets.widgets import IconButton


class PlotMenu(IconButton):
    """A click opens a menu; each quantity in it is shown or taken away by a click, one step to
    undo.
    """

    def __init__(self, theme: Theme, studio: Studio, index: int) -> None:
        super().__init__(theme, "plus", tr("What this plot shows"), 20, 14)
        self._studio, self._index = studio, index
        self.menu_ = QtWidgets.QMenu(self)
        self.menu_.aboutToShow.connect(self.fill)
        self.setMenu(self.menu_)
        self.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)

    def fill(self) -> None:
        """Everything there is now: what is selected first, then by kind and element."""
        studio, menu = self._studio, self.menu_
        menu.clear()
        project = studio.document.project
        plots = shown_plots(project)
        if self._index >= len(plots):
            menu.addAction(tr("Draw a mechanism first")).setEnabled(False)
            return
        shown = set(plots[self._index].channels)
        everything = offers(project)
        chosen = studio.document.name(studio.selection.current) if studio.selection.current else ""
        own = [o for o in everything if chosen and o.element == chosen]
        if own:
            self._add_kinds(menu.addMenu(chosen.replace("&", "&&")), own, shown)
            menu.addSeparator()
        for group in dict.fromkeys(o.group for o in everything):
            those = [o for o in everything if o.group == group]
            inner = menu.addMenu(tr(group))
            for element in dict.fromkeys(o.element for o in those):
                self._add(
                    inner.addMenu(element.replace("&", "&&")) if element else inner,
                    [o for o in those if o.element == element],
                    shown,
                )
            if group == "Contacts" and too_many_pairs(project.mechanism):
                inner.addSeparator()
                inner.addAction(
                    tr(
                        (
                            "No force of each pair: more than {n} pairs may touch. Let fewer "
                            "touch, in ground's inspector."
                        ),
                        n=MOST_PAIRS,
                    )
                ).setEnabled(False)
        menu.addSeparator()
        log = menu.addAction(tr("Powers of ten"))
        log.setCheckable(True)
        log.setChecked(plots[self._index].log)
        log.triggered.connect(
            lambda on: studio.document.commit(
                tr("Powers of ten"), with_log(studio.document.project, self._index, on)
            )
        )
        keep = menu.addAction(tr("Keep this run to compare"))
        keep.setEnabled(studio.runs.can_keep)
        keep.triggered.connect(lambda _=False: studio.runs.keep())
        forget = menu.addAction(tr("Forget the kept runs"))
        forget.setEnabled(bool(studio.runs.kept.runs))
        forget.triggered.connect(lambda _=False: studio.runs.kept.forget())

    def _add_kinds(self, menu: QtWidgets.QMenu, own: list[Offer], shown: set[str]) -> None:
        for k, group in enumerate(dict.fromkeys(o.group for o in own)):
            if k:
                menu.addSeparator()
            self._add(menu, [o for o in own if o.group == group], shown)

    def _add(self, menu: QtWidgets.QMenu, those: list[Offer], shown: set[str]) -> None:
        for offer in those:
            action = menu.addAction(tr(offer.word).replace("&", "&&"))
            action.setObjectName(offer.key)
            action.setCheckable(True)
            action.setChecked(offer.key in shown)
            action.triggered.connect(lambda on, offer=offer: self.show_curve(offer.key, on))

    def show_curve(self, key: str, on: bool) -> None:
        """Put a curve in, or take it out."""
        document = self._studio.document
        word = next(
            (f"{o.element} {o.word}".strip() for o in offers(document.project) if o.key == key), key
        )
        choose(
            self._studio.document,
            self._studio.notifications,
            tr("Plot {name}", name=word) if on else tr("Plot without {name}", name=word),
            lambda: with_curves(document.project, self._index, [key], on),
        )
