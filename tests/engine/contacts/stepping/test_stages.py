"""The list of stages of a step with contacts: it is what `step` calls, in order; each stage has one
sentence with its formula, and names arrays that it reads and writes, which its source confirms.
"""

import ast
import inspect
import re
import textwrap
from pathlib import Path

import pytest

import mechstudio
from mechstudio.engine.contacts.stepping import step
from mechstudio.engine.contacts.stepping.stages import STAGES

# that `step` calls besides its stages: the work so far, and what is done where nothing touches
BESIDES = ("accounted", "touch_nothing")


def source_of(kernel):
    """The Python function of a kernel, also of one that is called by its address; None for other
    objects.
    """
    return getattr(getattr(kernel, "kernel", kernel), "py_func", None)


FUNCTIONS = [source_of(stage) for stage in STAGES]
NAMES = [function.__name__ for function in FUNCTIONS]


def tree_of(function):
    return ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]


def sentence(function):
    """First paragraph of the docstring of a stage."""
    return " ".join(function.__doc__.split("\n\n")[0].split())


def path(node, arrays):
    """ "S.tally" for an expression that is an array of a set or a name of one, else None."""
    if isinstance(node, ast.Name):
        return arrays.get(node.id)
    base = path(node.value, arrays) if isinstance(node, ast.Attribute) else None
    return f"{base}.{node.attr}" if base else None


def effects(function, arguments, known):
    """(arrays read, arrays written) by a kernel and all that it calls, by the names of the
    arguments.
    """
    if (function, arguments) in known:
        return known[function, arguments]
    read, written = known[function, arguments] = set(), set()
    tree = tree_of(function)
    arrays = {a.arg: name for a, name in zip(tree.args.args, arguments, strict=False) if name}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                both = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                pairs = zip(target.elts, node.value.elts) if both else [(target, node.value)]
                for name, value in pairs:
                    if isinstance(name, ast.Name) and (found := path(value, arrays)):
                        arrays[name.id] = found
    for node in ast.walk(tree):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
            read.add(path(node.target.value, arrays))
        elif isinstance(node, ast.Subscript):
            (written if isinstance(node.ctx, ast.Store) else read).add(path(node.value, arrays))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            callee = source_of(function.__globals__.get(node.func.id))
            # what is made of the tables of laws has no source of its own
            if callee and callee.__module__:
                below = effects(callee, tuple(path(a, arrays) for a in node.args), known)
                read |= below[0]
                written |= below[1]
    return read, written


@pytest.fixture(scope="module")
def found():
    """Stage -> (arrays read, arrays written)."""
    return {f.__name__: effects(f, tuple(inspect.signature(f).parameters), {}) for f in FUNCTIONS}


def arguments(function):
    """(arrays read, arrays written) as the docstring of a stage names them."""
    both = re.search(r"\bReads ([\w., ]+); writes ([\w., ]+)\.\n", function.__doc__)
    assert both, f"{function.__name__} does not say what it reads and writes"
    return [set(" ".join(names.split()).split(", ")) for names in both.groups()]


def test_a_step_calls_its_stages_in_order():
    calls = [n for n in ast.walk(tree_of(step.step.py_func)) if isinstance(n, ast.Call)]
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    names = [ast.unparse(call.func) for call in calls]
    assert [name for name in names if name not in BESIDES] == NAMES


@pytest.mark.parametrize("function", FUNCTIONS, ids=NAMES)
def test_a_stage_has_one_sentence_with_its_formula(function):
    assert re.fullmatch(r"[A-Z][^`.]*: `[^`]+`\.", sentence(function))


@pytest.mark.parametrize("function", FUNCTIONS, ids=NAMES)
def test_a_stage_reads_and_writes_what_it_says(function, found):
    """A stage reads and writes each array that it names; an array written by it a stage of this
    step or of the next one reads, but for the impulses, which are the run's.
    """
    read, written = arguments(function)
    assert read <= found[function.__name__][0] and written <= found[function.__name__][1]
    assert written <= {"S.kept"}.union(*(reads for reads, _ in found.values()))


def test_help_lists_the_stages():
    page = (Path(mechstudio.__file__).parents[1] / "resources/help/theory.md").read_text("utf-8")
    listed = re.findall(r"^\d+\. \*\*(\w+)\*\* (.+)$", page, re.M)
    assert listed == [(f.__name__, sentence(f)) for f in FUNCTIONS]
