"""Random sequences of edits: nothing but words is raised, nothing is lost that was not deleted,
references and files hold, undo leads to the byte-identical start.
"""

from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from mechstudio.application.resources import sample_folder
from mechstudio.files.format.codec import encode
from mechstudio.files.project_file import load
from mechstudio.model.project import Project
from tests.edits import Editor, check, ids_of, standing_on

SAMPLES = [None, *sorted(sample_folder().glob("*.mech"))]
ACTIONS = sorted(name.removeprefix("do_") for name in dir(Editor) if name.startswith("do_"))


def walk(seed: int, steps: int, path: Path | None) -> Editor:
    """Edits from a sample or an empty drawing, then back to the start."""
    project = Project() if path is None else load(path).project
    before, editor = encode(project), Editor(project, seed)
    for _ in range(steps):
        editor.act()
    document, end = editor.document, editor.states[-1]
    document.go_to(len(editor.states) - 1)
    after = encode(document.project)
    while document.undo_label:
        document.undo()
    assert document.project is project and encode(document.project) == before
    while document.redo_label:
        document.redo()
    assert document.project is end and encode(document.project) == after
    return editor


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_hold(seed):
    editor = walk(seed, 30, SAMPLES[4 * seed % len(SAMPLES)])
    assert len(set(editor.log)) > 10 and editor.refusals < len(editor.log)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 100 + 2 * len(SAMPLES)))
def test_five_hundred_random_edits_hold(seed):
    walk(seed, 500, SAMPLES[seed % len(SAMPLES)])


class Edits(RuleBasedStateMachine):
    """The same with the steps chosen by hypothesis, so that what fails is made short."""

    def __init__(self):
        super().__init__()
        self.start = Project()
        self.editor = Editor(self.start, checking=False)

    @rule(name=st.sampled_from(ACTIONS), seed=st.integers(0, 10_000))
    def act(self, name, seed):
        self.editor.random.seed(seed)
        self.editor.act(name)

    @invariant()
    def holds(self):
        check(self.editor.project)

    def teardown(self):
        document = self.editor.document
        document.go_to(0)
        assert document.project is self.start and encode(document.project) == encode(Project())


TestEdits = Edits.TestCase
TestEdits.settings = settings(
    max_examples=6, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
)


# the rules themselves catch planted faults


def test_the_rules_see_what_is_lost_and_what_dangles():
    project = load(sample_folder() / "four_bar.mech").project
    m = project.mechanism
    assert standing_on(project, "crank") >= {"crank", "A", "B"} and "D" not in standing_on(
        project, "crank"
    )
    broken = msgspec.structs.replace(
        project,
        mechanism=msgspec.structs.replace(
            m, bodies={k: b for k, b in m.bodies.items() if k != "crank"}
        ),
    )
    with pytest.raises(AssertionError):
        check(broken)
    editor = Editor(project)
    editor.do_thief = lambda: editor.commit(broken)
    with pytest.raises(AssertionError, match="lost"):
        editor.act("thief")
    assert "crank" not in ids_of(broken)


def test_the_rules_see_a_number_that_is_not_what_its_text_says():
    project = load(sample_folder() / "four_bar.mech").project
    name, parameter = next(iter(project.parameters.items()))
    wrong = msgspec.structs.replace(
        project,
        parameters={
            **project.parameters,
            name: msgspec.structs.replace(
                parameter, value=msgspec.structs.replace(parameter.value, value=9.0)
            ),
        },
    )
    with pytest.raises(AssertionError):
        check(wrong)
