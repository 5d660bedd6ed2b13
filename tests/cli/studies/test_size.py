"""mechstudio size: words, JSON, the drawing with what is added, and refusals."""

import json

import pytest

import mechstudio as ms
from mechstudio.cli.main import AT_FAULT, DONE, UNREADABLE, main


@pytest.fixture
def crank(tmp_path):
    m = ms.Builder("crank")
    arm = m.link("arm", (0, 0, 0), (0.2, 0, 0))
    m.drive("motor", m.pin("A", m.ground, arm, at=arm.start), speed="200 rpm")
    path = tmp_path / "crank.mech"
    ms.save(m.project(), path)
    return path


def test_counterweights_are_printed_and_written(crank, tmp_path, capsys):
    out = tmp_path / "balanced.mech"
    assert main(["size", "counterweights", str(crank), "--out", str(out)]) == DONE
    said = capsys.readouterr().out
    assert said.startswith("Fully balanced")
    assert "mass × radius [kg·mm]" in said
    assert len(ms.load(out).mechanism.bodies["arm"].shapes) == 2
    # a second time there is nothing to add, and nothing is written
    again = tmp_path / "again.mech"
    assert main(["size", "counterweights", str(out), "--out", str(again)]) == AT_FAULT
    assert not again.exists()


def test_json_has_numbers_in_si_and_null_for_what_is_not_known(crank, capsys):
    assert main(["size", "flywheel", str(crank), "--ripple", "0.01", "--json"]) == DONE
    found = json.loads(capsys.readouterr().out)
    ripple = next(f for f in found["figures"] if f["key"] == "ripple")
    assert ripple["value"] == pytest.approx(0.01, rel=1e-3)
    assert next(f for f in found["figures"] if f["key"] == "energy")["before"] is None
    assert found["additions"][0]["type"] == "disc"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["gravity", "--low", "1 kg"], "Least angle = 1 kg"),
        (["counterweights", "--bodies", "wing"], "wing"),
        (["motor", "--motors", "none.csv"], "none.csv cannot be read"),
    ],
)
def test_refusals_are_one_sentence(crank, options, words, capsys):
    assert main(["size", options[0], str(crank), *options[1:]]) == UNREADABLE
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
