"""Studies that a project keeps: the file, names of parameters, the same bits as typed ones, and
tables beside the project.
"""

import json
import subprocess
import sys

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mechstudio as ms
from mechstudio.files.comparison import differences
from mechstudio.files.project_file import decode, encode
from mechstudio.folders import sample_folder
from mechstudio.model.edits import elements
from mechstudio.model.studies import edits
from mechstudio.model.studies.setup import (
    DRAWS,
    GOALS,
    LEAST,
    STATISTICS,
    MeasuredQuantity,
    RankCorrelation,
    StudySetup,
    VariedParameter,
)
from mechstudio.studies import measures, table_file
from mechstudio.studies.study import Study

replace = msgspec.structs.replace
FOUR_BAR = ms.load(sample_folder() / "four_bar.mech")
VARY = ("L2=310..350 mm:3", "L3=250|270 mm")
MEASURES = (
    "peak Force in A: resultant",
    "range D angle >= 62 deg",
    "when A angle > 1 rad: D angle",
)


def with_study(project=FOUR_BAR, vary=VARY, measured=("range D angle >= 62 deg",), **more):
    """A project with one stored study, made of texts."""
    kept = tuple(measures.stored(text, project, LEAST) for text in measured)
    varied = tuple(VariedParameter(*text.split("=", 1)) for text in vary)
    study = StudySetup("study1", "Smaller motor", varied, kept, **more)
    return edits.with_study(project, study)


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20)
words = texts.filter(bool)
setups = st.builds(
    StudySetup,
    words,
    words,
    st.lists(st.builds(VariedParameter, words, texts), max_size=3).map(tuple),
    st.lists(
        st.builds(
            MeasuredQuantity,
            st.sampled_from(STATISTICS),
            texts,
            texts,
            texts,
            goal=st.sampled_from(GOALS),
        ),
        max_size=3,
    ).map(tuple),
    st.lists(
        st.builds(RankCorrelation, words, words, st.floats(-1, 1, allow_nan=False)), max_size=2
    ).map(tuple),
    st.sampled_from(DRAWS),
    st.integers(1, 10**6),
    st.integers(0, 2**40),
    st.booleans(),
    texts,
    texts,
    texts,
)


@settings(max_examples=60, deadline=None)
@given(setups)
def test_any_study_comes_back_from_its_file(study):
    project = replace(FOUR_BAR, studies=(study,))
    loaded = decode(encode(project))
    assert loaded.project.studies == (study,) and not loaded.findings


def test_a_file_without_studies_opens_and_one_of_another_version_is_kept():
    document = json.loads(encode(with_study()))
    older = {key: value for key, value in document.items() if key != "studies"}
    assert decode(json.dumps(older).encode()).project.studies == ()
    document["studies"][0]["method"] = "of tomorrow"
    document["studies"].append({"id": "s2", "name": "n", "measures": [{"statistic": "odd"}]})
    loaded = decode(json.dumps(document).encode())
    assert [s.method for s in loaded.project.studies] == ["latin"] and len(loaded.findings) == 2
    again = json.loads(encode(loaded.project))
    assert again["studies"] == document["studies"]


def test_changes_of_studies_are_reported():
    project = with_study()
    other = edits.changed(project, "study1", name="Larger motor", samples=4)
    (found,) = differences(project, other)
    assert "Name Smaller motor → Larger motor" in found.sentence and "samples" in found.sentence
    (gone,) = differences(project, edits.without(project, "study1"))
    assert gone.sentence == "Study Smaller motor is gone."


@pytest.mark.parametrize(
    "values",
    ["310..350 mm:3", "L1*2..L1*3:5", "(L1+200 mm)..350 mm", "L1|2*L1|300 mm", "normal(L1, 1 mm)"],
)
def test_a_parameter_that_is_called_otherwise_is_so_in_studies(values):
    project = with_study(
        vary=(f"L2={values}", "L1=100..110 mm"),
        measured=("at 0.1 s: D angle", "range D angle >= 62 deg"),
        correlations=(RankCorrelation("L1", "L2", 0.2),),
    )
    study = project.studies[0]
    limited = replace(study.measures[1], limit="62 deg * L1 / L1")
    project = edits.changed(
        project, "study1", measures=(study.measures[0], limited), duration="L1 / (0.1 m/s)"
    )
    there = elements.rename_parameter(project, "L1", "a1")
    new = there.studies[0]
    assert new.vary[0].values == values.replace("L1", "a1") and new.vary[1].parameter == "a1"
    assert new.measures[1].limit == "62 deg * a1 / a1" and new.correlations[0].a == "a1"
    assert new.duration == "a1 / (0.1 m/s)"
    assert elements.rename_parameter(there, "a1", "L1") == project
    assert table_file.fingerprint(project, project.studies[0])


def test_a_name_that_would_be_a_unit_is_refused():
    project = with_study(vary=("L2=3 mm*L1..350 mm:3",))
    with pytest.raises(ValueError, match="read as the unit"):
        elements.rename_parameter(project, "L1", "m")
    # and metres are no parameter
    metres = with_study(vary=("L2=0.3 m..0.35 m:3",))
    named = elements.rename_parameter(metres, "L1", "metre")
    assert named.studies == metres.studies


def test_a_missing_element_is_reported_by_the_study_and_may_come_back():
    project = with_study(measured=("peak Force in D: resultant",))
    gone = elements.remove(project, "D")
    with pytest.raises(ValueError, match="peak Force in D: resultant cannot be measured"):
        Study.stored(gone, gone.studies[0])
    called = elements.set_attribute(project, "D", name="pin")
    assert Study.stored(called, called.studies[0]).measures[0].text == (
        "peak Force in pin: resultant"
    )
    without = elements.remove(project, "L3")
    assert without.studies == project.studies
    with pytest.raises(ValueError, match=r"L3=250\|270 mm varies no parameter"):
        Study.stored(without, without.studies[0])


@pytest.mark.parametrize(
    "text",
    [*MEASURES, "at 0.3 s: A angle", "time above 0.5 rad: D angle", "final A angle <= 3 rad"],
)
def test_a_stored_measure_is_the_typed_one(text):
    assert measures.read_stored(measures.stored(text, FOUR_BAR), FOUR_BAR) == measures.read(
        text, FOUR_BAR
    )


@pytest.mark.slow
def test_a_stored_study_has_the_bits_of_the_typed_one():
    project = with_study(measured=MEASURES, duration="0.3 s")
    one = ms.study(project, name="Smaller motor", workers=1)
    other = ms.study(FOUR_BAR, VARY, MEASURES, duration="0.3 s", workers=1)
    assert one.varied.tobytes() == other.varied.tobytes()
    assert one.measured.tobytes() == other.measured.tobytes() and one.title == other.title
    with pytest.raises(ValueError, match="has no study odd; it has Smaller motor"):
        ms.study(project, name="odd")
    with pytest.raises(ValueError, match="not both"):
        ms.study(project, VARY, name="Smaller motor")


def test_the_fingerprint_changes_with_the_drawing_alone():
    project = with_study()
    mark = lambda p: table_file.fingerprint(p, p.studies[0])
    same = [
        elements.set_quantity(project, "L2", ("value",), "341 mm"),  # what is varied itself
        elements.set_attribute(project, "crank", name="the crank", color=3),
        edits.changed(project, "study1", name="other", note="x"),
        edits.added(project)[0],
        replace(project, note="a note"),
    ]
    assert {mark(p) for p in same} == {mark(project)}
    limited = replace(project.studies[0].measures[0], limit="70 deg", goal="greatest")
    assert mark(edits.changed(project, "study1", measures=(limited,))) == mark(project)
    others = [
        elements.set_quantity(project, "L1", ("value",), "131 mm"),
        edits.changed(project, "study1", duration="2 s"),
        edits.changed(project, "study1", seed=2),
        edits.changed(project, "study1", vary=project.studies[0].vary[:1]),
        with_study(measured=("mean D angle",)),
        elements.set_quantity(
            edits.changed(project, "study1", one_at_a_time=True), "L2", ("value",), "341 mm"
        ),
        edits.changed(project, "study1", one_at_a_time=True),
    ]
    marks = [mark(p) for p in others]
    assert mark(project) not in marks and len(set(marks)) == len(marks)


def test_the_terminal_runs_it_and_keeps_its_table_beside_the_project(tmp_path):
    project = with_study(duration="0.2 s", vary=("L2=330|1000 mm",))
    file = tmp_path / "small.mech"
    file.write_bytes(encode(project))
    command = [sys.executable, "-m", "mechstudio", "study", str(file), "--name", "Smaller motor"]
    done = subprocess.run([*command, "--workers", "1"], capture_output=True, text=True, check=False)
    path = table_file.path_of(file, "study1")
    assert done.returncode == 1 and "2 runs." in done.stdout and path.name in done.stderr
    table, digest = table_file.read(path, project, project.studies[0])
    assert (
        digest == table_file.fingerprint(project, project.studies[0]) == table_file.digest_in(path)
    )
    typed = ms.study(project, name="Smaller motor", workers=1)
    assert table.measured.tobytes() == typed.measured.tobytes() and table.reasons == typed.reasons
    assert np.array_equal(table.varied, typed.varied) and table.done == 2
    assert not list(path.parent.glob("*.unfinished"))


def test_a_damaged_table_is_reported(tmp_path):
    project = with_study(duration="0.2 s")
    study = project.studies[0]
    path = table_file.path_of(tmp_path / "a.mech", study.id)
    table_file.write(Study.stored(project, study).table(), path, "d")
    assert table_file.read(path, project, study)[0].done == 0
    with pytest.raises(table_file.TableUnreadable, match="other parameters"):
        table_file.read(path, project, replace(study, vary=study.vary[:1]))
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(table_file.TableUnreadable, match="cannot be read"):
        table_file.read(path, project, study)
