"""Sets of arrays that kernels take by their address, and kernels that are called by theirs."""

import copy
import ctypes
import gc
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import njit
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher

from mechstudio.engine import contacts, kernels
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.kernels.columns import OPTIONS, Tables
from mechstudio.engine.kernels.compilation.array_sets import INTEGERS, MATRIX, ArraySet, table
from mechstudio.engine.kernels.kinematics import poses
from mechstudio.engine.kernels.run_tables import Method
from mechstudio.engine.run import run
from mechstudio.engine.system.system import compile_system
from tests.engine.problems import published

ROOT = Path(__file__).parents[4]


class Some(ArraySet):
    kinds = {"size": INTEGERS, "node": table(3), "K": MATRIX}


@njit(**{**OPTIONS, "cache": False})
def touch(T, i):
    row = T.K[i]
    for j in range(row.shape[0]):
        row[j] += T.node[i, 2]
    return T.node.shape[0] * 100 + T.node.shape[1] * 10 + T.K.shape[1] + T.size[0]


def some():
    return Some(np.array([1000]), np.arange(6.0).reshape(2, 3), np.zeros((2, 4)))


def test_a_kernel_reads_and_writes_the_arrays_of_a_set():
    first = some()
    assert touch(first, 1) == 1234 and first.K.tolist() == [[0.0] * 4, [5.0] * 4]
    # another set of the same class has arrays of its own, of other sizes
    second = Some(np.array([0]), np.ones((5, 3)), np.zeros((5, 7)))
    assert (
        touch(second, 0) == 537
        and second.K[0].tolist() == [1.0] * 7
        and first.K[0].tolist() == [0.0] * 4
    )


def entries(T):
    """(address, sizes) of every array as kernels find them at the set's address."""
    kinds = type(T).kinds.values()
    numbers = np.ctypeslib.as_array(
        ctypes.cast(T.address, ctypes.POINTER(ctypes.c_int64)), (len(kinds) + len(T.beyond), 3)
    ).tolist()
    return [(row[0], *row[1 : 1 + kind.dimensions]) for row, kind in zip(numbers, kinds)] + [
        row[0] for row in numbers[len(kinds) :]
    ]


def churn():
    """Reuse and fill released memory."""
    gc.collect()
    for _ in range(10):
        for size in range(1, 400):
            np.full(size, -7, np.int64)
    return [np.full(size, -7, np.int64) for size in range(1, 400)]


@pytest.mark.parametrize(
    "made",
    [
        some,
        lambda: some()._replace(K=np.ones((2, 4))),
        lambda: copy.deepcopy(some()),
        lambda: copy.copy(some()),
        Tables.example,
        Method.example,
        lambda: compile_system(published("fourbar2")[0]).tables,
        lambda: compile_system(published("fourbar2")[0]).fresh_tables(),
    ],
    ids=["made", "replaced", "deep copy", "copy", "example", "method", "compiled", "fresh"],
)
def test_a_set_keeps_alive_what_its_address_leads_to(made):
    # the set is all that holds the directory and the arrays: whatever else knew them is gone
    sets = [made() for _ in range(5)]
    fillers = churn()
    for T in sets:
        where = lambda array: array.__array_interface__["data"][0]
        assert entries(T) == [(where(array), *array.shape) for array in T] + [
            where(array) for array in T.beyond
        ]
    assert fillers


def test_a_run_does_not_depend_on_what_memory_holds():
    def samples(between):
        out = []
        for block in run(compile_system(published("andrews")[0]), RunOptions(0.05, 0.001)):
            out.append(block)
            between()
        return np.concatenate(out)

    assert np.array_equal(samples(lambda: None), samples(churn))


def test_a_copy_of_a_set_stands_elsewhere():
    first = some()
    for other in (copy.deepcopy(first), first._replace(K=first.K.copy())):
        assert other.address != first.address
        touch(other, 0)
        assert other.K[0, 0] == 2.0 and first.K[0, 0] == 0.0


@pytest.mark.parametrize(
    "arrays",
    [
        (np.zeros(1), np.zeros((1, 3)), np.zeros((1, 1))),
        (np.zeros(1, int), np.zeros((1, 4)), np.zeros((1, 1))),
        (np.zeros(1, int), np.zeros((1, 3)), np.zeros((2, 2)).T),
        (np.zeros(1, int), np.zeros(3), np.zeros((1, 1))),
    ],
)
def test_arrays_that_kernels_would_misread_are_refused(arrays):
    with pytest.raises(ValueError, match="of Some has type"):
        Some(*arrays)


def test_the_arrays_of_a_set_cannot_be_exchanged():
    with pytest.raises(AttributeError, match="write into K"):
        some().K = np.zeros((2, 4))
    with pytest.raises(AttributeError, match="Some has no array L"):
        some().L  # noqa: B018


def test_only_kernels_call_a_kernel_by_its_address():
    system = compile_system(published("pendulum")[0])
    with pytest.raises(TypeError, match="only kernels call poses"):
        poses(system.start.copy(), system.fresh_tables())


@pytest.mark.slow
def test_places_do_not_depend_on_what_is_imported_first():
    # cached code holds the places: found by a crash when kinematics was imported before the entry
    # points
    go = (
        "from mechstudio.engine.system.system import compile_system; from tests.engine.problems "
        "import published; compile_system(published('fourbar2')[0])"
    )
    for first in ("kinematics", "entry_points", "loads.law_interpreter"):
        subprocess.run(
            [sys.executable, "-c", f"import mechstudio.engine.kernels.{first}; {go}"],
            cwd=ROOT,
            check=True,
        )


ONE, FOUR = 1, 4


def crooked(a, b, n):
    """Swaps, chains of conditions, results that are named late and whole numbers known by name, in
    every order.
    """
    x, y = a, b
    total = 0
    for i in range(n):
        x, y = y, x
        k = i + FOUR - ONE * 3
        keep = x
        x = y + 1.0 if i > 2 and (x > y or i == FOUR + ONE) else x * 2.0
        y, z, w = keep - k, x, y
        total += k * (FOUR - 2) + (FOUR + ONE) * ONE
        if not (i < 3 and x != w):
            y = z + w
    return x, y, total


def test_a_kernel_computes_what_its_text_says():
    # the text is tidied before it is compiled: numbers folded, copies left out
    compiled = njit(**{**OPTIONS, "cache": False})(crooked)
    for n in range(9):
        for a, b in ((1.0, 2.5), (3.0, -1.0), (0.0, 0.0)):
            assert compiled(a, b, n) == crooked(a, b, n)


WAITING = """
from mechstudio.engine.cache import compile_kernels, compile_the_rest
compile_kernels()
from mechstudio.engine.kernels.kernel_table import BUSHINGS, EVERY, LAWS, pending
from mechstudio.engine.run import run
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.system.system import compile_system
from tests.engine.problems import published
assert EVERY not in pending() and BUSHINGS in pending() and LAWS in pending(), pending()
list(run(compile_system(published("fourbar2")[0]), RunOptions(0.1, 0.05)))
assert BUSHINGS in pending(), pending()
compile_the_rest()
assert not pending(), pending()
"""


def test_rarely_used_kernels_are_compiled_last():
    subprocess.run([sys.executable, "-c", WAITING], cwd=ROOT, check=True)


@pytest.mark.parametrize("package", [kernels, contacts])
def test_every_kernel_says_whether_it_is_inlined(package):
    """Numba takes over what is not said from the caller that makes it compile, and an inlined
    function has no code that could be kept in the cache: without this a law typed as a formula
    stopped the first run with it, if nothing had been compiled before.
    """
    found = {}
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        found |= {
            f"{module.name}.{name}": each
            for name, each in vars(importlib.import_module(module.name)).items()
            if isinstance(each, Dispatcher)
        }
    assert len(found) > 20
    assert [
        name
        for name, each in found.items()
        if "forceinline" not in each.targetoptions
        or (each.targetoptions["forceinline"] and isinstance(each._cache, FunctionCache))
    ] == []
