"""Contact kernels in the order of their compilation or loading from the cache, with progress."""

from numba import typeof

from mechstudio.engine.cache import Progress, compile_the_rest, compiling, progress_on_stderr
from mechstudio.engine.contacts.cone.island_solution import POINTS
from mechstudio.engine.contacts.cone.problem import PROBLEM
from mechstudio.engine.contacts.contact_kernels import FOLDER
from mechstudio.engine.contacts.geometry.search import ANY_PAIR
from mechstudio.engine.contacts.geometry.shapes import shape_table
from mechstudio.engine.contacts.kernel_calls import address_of
from mechstudio.engine.contacts.kernel_table import (
    EVERY,
    GOALS,
    IMPACTS,
    INDEX,
    PULLS,
    ROWS,
    SWEEPS,
    VECTOR,
    need,
    need_next,
    pending,
)
from mechstudio.engine.contacts.stepping.contact_rows import SHAPES
from mechstudio.engine.contacts.stepping.step import run_steps
from mechstudio.engine.contacts.workspace import STAGE
from mechstudio.engine.kernel_store import report_mismatch
from mechstudio.engine.kernels.compilation.kernel_cache import is_compiled
from mechstudio.engine.kernels.impulses import push_nodes
from mechstudio.engine.kernels.kernel_table import TABLES
from mechstudio.translation import tr

STEP = 6.0  # compile time of the kernel of the steps itself, in average kernels
ARGUMENTS = (VECTOR, TABLES, STAGE, PROBLEM, SHAPES, POINTS, POINTS, VECTOR, INDEX)


def _cached() -> bool:
    """True if the kernel of the steps, which is compiled last, is in the store or in the cache."""
    return is_compiled("step.run_steps", FOLDER)


def prepare_contacts(progress: Progress | None = None) -> None:
    """Compile or load the kernels of every run with contacts.

    progress(0 … 1) is called between kernels where they are not in the cache, with 1 at the end;
    without it, stderr reports a long compilation.
    """
    if not pending().count(EVERY) and run_steps.signatures:
        return
    with compiling(cold=not _cached()):
        # another process may have compiled them while this one waited
        if _cached():
            progress = lambda fraction: None
        else:
            report_mismatch(FOLDER)
            progress = progress or progress_on_stderr(
                tr("compiling the solver of contacts for this machine, once: about a minute.")
            )
        _compile(progress)


def _compile(progress: Progress) -> None:
    count = pending().count(EVERY)
    progress(0.0)
    try:
        for n in range(count):
            need_next(EVERY)
            progress((n + 1) / (count + STEP))
        if not run_steps.signatures:
            run_steps.compile(ARGUMENTS)
    finally:
        progress(1.0)


def compile_everything() -> None:
    """Compile or load all kernels, including those that few mechanisms need: for the store of an
    installation, and before many tests.
    """
    compile_the_rest()
    prepare_contacts()
    for group in (SWEEPS, IMPACTS, PULLS, GOALS):
        need(group)
    empty = shape_table(())
    for kernel in ANY_PAIR:
        address_of(kernel, typeof(empty.shapes), typeof(empty.work))
    with compiling():
        push_nodes.compile((TABLES, ROWS, VECTOR))
