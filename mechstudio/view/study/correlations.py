"""Lines of the setup for rank correlations of the parameters that are drawn."""

from functools import partial
from itertools import combinations

from PySide6 import QtWidgets

from mechstudio.application.document import Document
from mechstudio.application.studies import changes
from mechstudio.model.formulas.decimal_comma import with_commas
from mechstudio.model.studies.setup import StudySetup
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.fields.text_field import TextField
from mechstudio.view.widgets.widgets import Elided, IconButton, label, row


class Correlations:
    """lines: in the setup; none where fewer than two parameters are drawn.  plus: its menu offers
    the pairs.  fields: by pairs of names.
    """

    def __init__(self, theme: Theme, document: Document, study: StudySetup) -> None:
        self.lines: list[QtWidgets.QWidget] = []
        self.fields: dict[tuple[str, str], TextField] = {}
        self.plus = IconButton(theme, "plus", tr("Correlate two parameters"), 24, 16)
        drawn = changes.drawn(document.project, study)
        if len(drawn) < 2 and not study.correlations:
            return
        there = {frozenset((c.a, c.b)) for c in study.correlations}
        menu = QtWidgets.QMenu(self.plus)
        for a, b in combinations(drawn, 2):
            if frozenset((a, b)) not in there:
                entry = menu.addAction(tr("{a} and {b}", a=a, b=b).replace("&", "&&"))
                entry.triggered.connect(
                    partial(lambda a, b, _=False: changes.correlate(document, study.id, a, b), a, b)
                )
        self.plus.setMenu(menu)
        self.plus.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        self.plus.setEnabled(bool(menu.actions()))
        self.lines.append(row(label(tr("Rank correlations"), "two"), None, self.plus))
        for c in study.correlations:
            words = tr("{a} and {b}", a=c.a, b=c.b)
            field = TextField(
                theme, with_commas(f"{c.value:g}"), tr("Rank correlation of {pair}", pair=words)
            )
            field.taken.connect(partial(changes.correlate_by, document, study.id, c.a, c.b))
            theme.fit(field, width=60)
            self.fields[c.a, c.b] = field
            shut = IconButton(
                theme,
                "close",
                tr("Draw {pair} without correlation", pair=words),
                22,
                12,
                clicked=partial(changes.uncorrelate, document, study.id, c.a, c.b),
            )
            line = row(Elided(words, "title"), field, shut, gap=6)
            line.box.setStretch(0, 1)
            self.lines.append(line)
