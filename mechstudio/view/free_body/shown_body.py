"""Brings a body that is cut free to the viewport and to its card, and what is pointed at there back
to the studio.
"""

from PySide6 import QtCore

from mechstudio.application.actions import free_body
from mechstudio.application.studio import Studio
from mechstudio.model.free_bodies import CONTACT, INERTIA, WEIGHT, Slot
from mechstudio.view.free_body.card import FreeBodyCard
from mechstudio.view.idle_tasks import turns
from mechstudio.view.scene.viewport import Viewport


class FreeBodyShow(QtCore.QObject):
    """Between studio.free_body, the viewport and the card.

    toggled(): the view was opened or left.
    """

    toggled = QtCore.Signal()

    def __init__(self, studio: Studio, viewport: Viewport, card: FreeBodyCard) -> None:
        super().__init__(viewport)
        self._studio, self._view, self._card = studio, viewport, card
        self._shown, self._to_clear = "", False
        studio.free_body.changed.connect(self.refresh)
        studio.selection.changed.connect(self._selection_changed)
        studio.tools.changed.connect(self._tool_changed)
        viewport.navigator.action_hovered.connect(self._hover)
        viewport.framing.moved.connect(self._camera_moved)
        card.hovered.connect(self._hover_in_card)
        card.clicked.connect(lambda slot: studio.selection.select(slot.id))

    def refresh(self) -> None:
        """Show the chosen body at the time cursor."""
        studio, body = self._studio, self._studio.free_body.body
        if body != self._shown:
            opened = bool(body) != bool(self._shown)
            self._shown, self._to_clear = body, bool(body)
            self._view.look.set_focus(frozenset((body,)) if body else None)
            self._card.setVisible(bool(body))
            if opened:
                self.toggled.emit()
        if not body:
            self._view.look.set_cut(None)
            return
        cut = free_body.cut(studio)
        self._view.look.set_cut(cut, studio.free_body.scale, self._is_lit)
        if self._to_clear and cut is not None:
            self._to_clear = False
            self._view.framing.clear_of((body,), self._card.geometry().right())
        self._card.show_cut(cut, self._view.framing.current, self._is_lit)

    def clear_again(self) -> None:
        """The room is about to be another: once the panels have their places, the body comes out
        from behind the card.
        """
        if self._shown:
            turns().soon(self, self._clear)

    def _clear(self) -> None:
        if self._shown:
            self._view.framing.clear_of((self._shown,), self._card.geometry().right())

    def _is_lit(self, slot: Slot) -> bool:
        """True if an action is pointed at, here or in another panel, or selected."""
        selection = self._studio.selection
        if slot == self._studio.free_body.hovered:
            return True
        return slot.kind not in (WEIGHT, CONTACT, INERTIA) and slot.id in (
            *selection.lit,
            *selection.selected,
        )

    def _hover(self, slot: Slot | None) -> None:
        self._studio.free_body.hover(slot)

    def _hover_in_card(self, slot: Slot | None) -> None:
        self._studio.free_body.hover(slot)
        self._studio.selection.hover(slot.id if slot is not None else "")

    def _selection_changed(self) -> None:
        if self._studio.free_body.is_open:
            free_body.follow_selection(self._studio)
            self._view.update()
            self._card.polygon.update()
            self._card.list.update()

    def _tool_changed(self) -> None:
        if self._studio.tools.is_drawing:
            self._studio.free_body.leave()

    def _camera_moved(self) -> None:
        if self._studio.free_body.is_open:
            self._card.polygon.show_camera(self._view.framing.current)
