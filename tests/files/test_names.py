"""Names that no sentence and no label can bear: read as they can be shown, refused where a program
gives them.
"""

import json
import warnings
from pathlib import Path

import pytest

import mechstudio as ms

FOUR_BAR = Path(ms.__file__).parents[1] / "samples" / "four_bar.mech"
UNFIT = {
    "line\nbreak": "linebreak",
    "x" * 5000: "x" * 200,
    "turned\u202eround\u2028": "turnedround",
    "\n": None,
}
LONGEST = 400  # characters of a sentence


def said(call):
    """Warnings and errors of a call, each on one line and no longer than a sentence."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call()
            texts = [str(w.message) for w in caught]
        except (ValueError, KeyError, ms.EngineError) as error:
            texts = [str(error.args[0])]
    for text in texts:
        assert len(text) <= LONGEST and text.isprintable(), text
    return texts


@pytest.mark.parametrize("section", ["bodies", "joints"])
@pytest.mark.parametrize("unfit", UNFIT)
def test_a_file_with_such_a_name_moves_all_the_same(section, unfit, tmp_path):
    content = json.loads(FOUR_BAR.read_text("utf-8"))
    content[section][0]["name"] = unfit
    (tmp_path / "a.mech").write_text(json.dumps(content))
    project = ms.load(tmp_path / "a.mech")
    element = next(iter(getattr(project.mechanism, section).values()))
    assert element.name == (UNFIT[unfit] or element.id)
    assert ms.check(project).structure.mobility == 1
    # what was saved is no longer reported
    from mechstudio.files import project_file

    assert [f.severity for f in project_file.load(tmp_path / "a.mech").findings] == ["info"]
    ms.save(project, tmp_path / "a.mech")
    assert project_file.load(tmp_path / "a.mech").findings == ()


@pytest.mark.parametrize("unfit", UNFIT)
def test_sentences_stay_sentences(unfit, tmp_path):
    four_bar = ms.load(FOUR_BAR)
    assert said(lambda: ms.at(four_bar, unfit, 1.0))
    assert said(lambda: ms.simulate(four_bar, until=[unfit]))
    assert said(lambda: ms.simulate(four_bar, duration=unfit))
    assert said(lambda: ms.load(tmp_path / f"{unfit}.mech"))
    assert said(lambda: ms.Builder("some").body(unfit))
    content = json.loads(FOUR_BAR.read_text("utf-8"))
    content[unfit], content["bodies"][1][unfit], content["bodies"][0]["id"] = 1, 2, unfit
    (tmp_path / "a.mech").write_text(json.dumps(content))
    assert said(lambda: ms.load(tmp_path / "a.mech"))
