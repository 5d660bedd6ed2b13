"""Entries of a menu for numbers of the drawing: those of bodies in a menu of each."""

import itertools
from collections.abc import Callable, Iterable

from PySide6 import QtWidgets

from mechstudio.application.actions.edits.sliders import Offer


def add_numbers(
    menu: QtWidgets.QMenu, offers: Iterable[Offer], take: Callable[[Offer], object]
) -> None:
    """Add an entry for each number.  take: called with the one that is chosen."""
    for (id, name), group in itertools.groupby(offers, lambda o: (o.id if o.body else "", o.body)):
        inner = menu.addMenu(name.replace("&", "&&")) if id else menu
        for offer in group:
            words = offer.label or (_as_title(offer.words) if offer.path else offer.words)
            entry = inner.addAction(words.replace("&", "&&"))
            entry.triggered.connect(lambda _=False, offer=offer: take(offer))


def _as_title(words: str) -> str:
    return words[:1].upper() + words[1:]
