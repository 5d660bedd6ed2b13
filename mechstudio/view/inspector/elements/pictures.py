"""Inspector lines of a picture beside its numbers: its file, its lock, and the setting of its
scale.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6 import QtWidgets

from mechstudio.application.actions.edits import pictures
from mechstudio.model import fields
from mechstudio.translation import tr
from mechstudio.view.dialogs.picture import exchange_picture
from mechstudio.view.inspector.elements.choices import switch
from mechstudio.view.widgets.widgets import Elided, IconButton, row, wrapped

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector
    from mechstudio.view.widgets.form import Form


def picture_lines(page: Inspector, form: Form, id: str) -> None:
    """Add the lines under the name to the form."""
    studio, theme = page.studio, page.theme
    now = lambda: fields.find(studio.document.project, id)
    name = Elided("", "")
    other = IconButton(
        theme,
        "open",
        tr("Choose another file"),
        24,
        15,
        clicked=lambda: exchange_picture(page.window(), studio, id),
    )
    other.setObjectName("choose_picture")
    reason = wrapped("", "three")

    def refresh() -> None:
        picture = now()
        name.set_text(os.path.basename(picture.path.replace("\\", "/")))
        name.setToolTip(picture.path)
        there = os.path.isfile(picture.path)
        reason.setText(
            ""
            if there
            else tr(
                "This file is not there: put it back, or choose another one. Place and scale are "
                "kept."
            )
        )
        reason.setVisible(not there)

    page.refreshers.append(refresh)
    line = row(name, other, gap=4)
    line.box.setStretch(0, 1)
    form.add(tr("File"), line)
    form.wide(reason)
    refresh()
    for word, attribute, steps in (
        (tr("Locked"), "locked", ("Lock", "Unlock")),
        (tr("Visible"), "visible", ("Show", "Hide")),
    ):
        form.add(word, switch(page, id, attribute, tr("On"), tr("Off"), steps=steps))
    scale = QtWidgets.QPushButton(tr("Scale by two points"))
    scale.setObjectName("value")
    theme.fit(scale, height=26)
    scale.setToolTip(tr("Click two points on the picture and type their true distance"))
    scale.clicked.connect(lambda: pictures.scale_picture(studio, id))
    form.wide(scale)
