"""Nothing moves by itself with reduced motion: one function decides for all animations."""

import re
import sys
import types
from pathlib import Path

import pytest

from mechstudio.application import platform
from mechstudio.application.preferences import Preferences

VIEW = Path(__file__).parents[3] / "mechstudio" / "view"
ASKS = re.compile(r"preferences\.still|\.reduced_motion\b|reduced_motion:")


def test_every_animation_asks_the_setting():
    moving = [
        path
        for path in VIEW.rglob("*.py")
        if re.search(r"Q\w*Animation\(|QTimeLine\(", path.read_text("utf-8"))
    ]
    assert len(moving) >= 4
    assert [p.name for p in moving if not ASKS.search(p.read_text("utf-8"))] == []


def test_the_setting_is_read_in_one_place():
    for path in VIEW.rglob("*.py"):
        if path.name != "preferences.py":
            assert "stored.reduced_motion" not in path.read_text("utf-8"), path


def test_the_choice_or_the_system_decides():
    calm, lively = Preferences(False, lambda: True), Preferences(False, lambda: False)
    assert calm.still and not lively.still and calm.copy().still
    lively.set(reduced_motion=True)
    assert lively.still


def test_the_camera_stands_at_once_with_reduced_motion(window):
    preferences, before = window.studio.preferences, window.studio.preferences._prefers_stillness
    preferences._prefers_stillness = lambda: True
    try:
        preferences.changed.emit()
        framing = window.viewport.framing
        framing.view_from("top")
        top = framing.current
        window.viewport.repaint()
        assert framing.current == top and not framing._turn.state().value
    finally:
        preferences._prefers_stillness = before
        preferences.changed.emit()


@pytest.mark.parametrize(("sentence", "still"), [(0, True), (1, False)])
def test_the_setting_of_windows_is_followed(monkeypatch, sentence, still):
    def information(requested, _, place, __):
        assert requested == 0x1042
        place._obj.value = sentence
        return 1

    user32 = types.SimpleNamespace(SystemParametersInfoW=information)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr("ctypes.windll", types.SimpleNamespace(user32=user32), raising=False)
    assert platform.prefers_stillness() is still


@pytest.mark.parametrize(("said", "still"), [("false", True), ("true", False)])
def test_the_setting_of_gnome_is_read(monkeypatch, tmp_path, said, still):
    command = tmp_path / "gsettings"
    command.write_text(f'#!/bin/sh\n[ "$3" = enable-animations ] && echo {said}\n')
    command.chmod(0o755)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "GNOME")
    platform._answers.cache_clear()
    assert platform.prefers_stillness() is still
    platform._answers.cache_clear()
    monkeypatch.delenv("XDG_CURRENT_DESKTOP")
    assert not platform.prefers_stillness()
