"""The preferences file: what is kept, and what a damaged file costs."""

import json

import pytest

from mechstudio.application.preferences import Preferences, Stored
from mechstudio.application.studio import Studio


@pytest.fixture
def preferences(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    return Preferences()


def written(preferences, **values):
    preferences.path.parent.mkdir(parents=True, exist_ok=True)
    preferences.path.write_text(json.dumps(values), encoding="utf-8")
    return Preferences().stored


def test_preferences_persist_until_the_next_start(preferences):
    preferences.set(
        theme="dark", text_size=175, units="inch-lbf", reduced_motion=True, window=(900, 700)
    )
    assert Preferences().stored == Stored(
        theme="dark", text_size=175, units="inch-lbf", reduced_motion=True, window=(900, 700)
    )


def test_found_actions_are_kept_without_duplicates_up_to_a_limit(preferences):
    for key in ("save", "labels", "save", *map(str, range(22))):
        preferences.add_found(key)
    found = Preferences().stored.found
    assert len(found) == 24 and found[:2] == ("labels", "save") and found[-1] == "21"


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("theme", "pink"),
        ("theme", 3),
        ("text_size", 5000),
        ("text_size", "large"),
        ("units", "cubit"),
        ("units", None),
        ("reduced_motion", "yes"),
        ("window", [1]),
        ("window", "wide"),
    ],
)
def test_a_value_that_cannot_be_is_its_default_and_the_others_stay(preferences, name, bad):
    kept = {
        "theme": "dark",
        "text_size": 150,
        "units": "m-N-rad",
        "reduced_motion": True,
        "window": [900, 700],
    }
    stored = written(preferences, **(kept | {name: bad}), of_another_version=1)
    assert getattr(stored, name) == getattr(Stored(), name)
    expected = kept | {"window": (900, 700)}
    assert all(
        getattr(stored, other) == value for other, value in expected.items() if other != name
    )


@pytest.mark.parametrize("content", [b"", b"{", b"[1, 2]", b"\xff\xfe", b'"dark"'])
def test_a_file_that_cannot_be_read_costs_the_preferences_only(preferences, content):
    preferences.path.parent.mkdir(parents=True, exist_ok=True)
    preferences.path.write_bytes(content)
    assert Preferences().stored == Stored()


def test_setting_what_cannot_be_sets_the_default(preferences):
    preferences.set(text_size=150)
    preferences.set(text_size=151)
    assert preferences.stored.text_size == 100


def test_units_tell_when_they_are_others_and_only_then(preferences):
    reported = []
    preferences.units_changed.connect(lambda: reported.append(preferences.stored.units))
    preferences.set(theme="dark")
    preferences.set(units="inch-lbf")
    preferences.set(units="inch-lbf")
    assert reported == ["inch-lbf"]


def test_unwritable_preferences_are_reported_in_the_window(preferences):
    preferences.path.parent.parent.mkdir(parents=True, exist_ok=True)
    preferences.path.parent.write_text("a file where the folder should be")
    studio = Studio(preferences)
    preferences.set(language="fr")
    (message,) = studio.notifications.messages
    assert message.key == "preferences" and str(preferences.path) in message.text
    assert preferences.stored.language == "fr"
    studio.close()
    after = Studio(preferences.copy())
    after.take_over(studio, "en")
    assert [m.key for m in after.notifications.messages] == ["preferences"]
    after.close()
