"""Kernels in the order in which they are compiled or loaded from the cache: those of every run
first.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numba import typeof, types

from mechstudio.engine.cache import compiling
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.compilation.array_sets import INTEGER_ROWS, ROWS
from mechstudio.engine.kernels.compilation.kernel_cache import is_compiled
from mechstudio.engine.kernels.compilation.smooth_kernels import FOLDER
from mechstudio.engine.kernels.factorisation import factor
from mechstudio.engine.kernels.impulses import velocity_jump
from mechstudio.engine.kernels.kernel_table import (
    BUSHINGS,
    CURVES,
    EVERY,
    FEATURES,
    INDEX,
    LAWS,
    NUMBER,
    SPECIAL_ROWS,
    need,
    need_next,
    pending,
)
from mechstudio.engine.kernels.kinematics import kinematics, step_coordinates
from mechstudio.engine.kernels.loads.law_bounds import (
    enclose_everywhere,
    enclose_over_time,
    note,
    unseen_part,
)
from mechstudio.engine.kernels.loads.law_interpreter import jet_of, law_jets, run_code
from mechstudio.engine.kernels.loads.loads import loads
from mechstudio.engine.kernels.recording import record
from mechstudio.engine.kernels.right_hand_side import (
    jacobian,
    move,
    reading_jacobian,
    settle_readings,
)
from mechstudio.engine.kernels.rows.joint_rows import place_rows, row_slopes
from mechstudio.engine.kernels.rows.loop_rows import row_wrenches
from mechstudio.engine.kernels.run_tables import Method, Run, Watch
from mechstudio.engine.kernels.scalar import add3, get3, product, rotated, rotated_back, set3
from mechstudio.engine.kernels.solve import solve
from mechstudio.engine.kernels.stepping import advance


def _typed(arguments) -> tuple[types.Type, ...]:
    return tuple(a if isinstance(a, types.Type) else typeof(a) for a in arguments)


def _settled(kernel, *arguments) -> Callable[[], None]:
    """A function that compiles a kernel for arguments of these types and closes it to others;
    otherwise constant arguments of a caller would compile another copy.
    """

    def compile_it():
        with compiling(cold=False):
            if not kernel.signatures:
                kernel.compile(_typed(arguments))
                kernel.disable_compile()

    return compile_it


def _called_from_python(kernel, *arguments) -> Callable[[], None]:
    """A function that compiles a kernel for arguments of these types; an earlier call of the kernel
    compiles it too.
    """
    return lambda: kernel.compile(_typed(arguments))


def cached() -> bool:
    """True if the last of the kernels, and so each one, is in the store or in the cache, so that no
    inlined kernel has to be compiled.
    """
    return is_compiled("stepping.advance", FOLDER)


def _first() -> list[tuple[float, Callable[[], object]]]:
    """(seconds of compiling, function that compiles) of each kernel of every run, callees before
    their callers.
    """
    T, y, M = Tables.example(), np.zeros(1), np.zeros((1, 1))
    K, N, I = np.zeros((1, 1, 1)), np.zeros((1, 1, 1, 1)), np.zeros((1, 1), np.int64)

    def scalars():
        set3.compile(
            (typeof(M), INDEX, INDEX, NUMBER, NUMBER, NUMBER)
        )  # of samples; all others take tables
        set3.compile((ROWS, INDEX, INDEX, NUMBER, NUMBER, NUMBER))
        set3.disable_compile()
        for kernel, extra in ((add3, 3), (get3, 0), (rotated, 3), (rotated_back, 3), (product, 6)):
            _settled(kernel, ROWS, 1, 1, *[1.0] * extra)()

    inlined = (
        (1.0, scalars),
        (0.3, _settled(step_coordinates, y, T, 1)),
        (0.9, _settled(solve, T, True)),
        (0.9, _settled(kinematics, y, 1, T)),
        (0.6, _settled(row_wrenches, y, T)),
        (1.3, _settled(factor, T)),
        (0.8, _settled(loads, y, 1, T)),
    )
    # in the order of the modules: two of the readings, row values, poses, projection, right-hand
    # side
    waiting = pending().count(EVERY)
    standing = (
        [
            (seconds, lambda: need_next(EVERY))
            for seconds in (0.7, 1.1, 0.2, 0.2, 0.6, 3.3)[-waiting:]
        ]
        if waiting
        else []
    )
    called = (
        (0.1, _settled(settle_readings, y, T)),
        (0.2, _settled(move, y, T, y)),
        (0.4, _settled(jacobian, y, T, M)),
        (1.0, _called_from_python(place_rows, M, y, I, K, N, I, y, 1.0, M, K, K, N, y, M, M)),
        (0.5, _called_from_python(row_slopes, M, K, M, M, M, I, I, M, y, M)),
        (1.7, _settled(record, M, T, M, y, M, M, M)),
        (3.4, _settled(advance, Run.example(), Method.example(), T, Watch.example(), 1)),
    )
    return [*(() if cached() else inlined), *standing, *called]


def entry_points() -> Iterator[tuple[float, Callable[[], object]]]:
    """(fraction done afterwards, function that compiles the next kernel) of the kernels of every
    run.
    """
    steps = _first()
    whole, done = sum(seconds for seconds, _ in steps), 0.0
    for seconds, compile_one in steps:
        done += seconds
        yield min(done / whole, 1.0), compile_one


def later() -> list[Callable[[], object]]:
    """Functions that compile the kernels of some mechanisms only. A system that needs one compiles
    it itself (engine/system/tables.py).
    """
    T, y, M = Tables.example(), np.zeros(1), np.zeros((1, 1))
    return [
        _settled(run_code, INTEGER_ROWS, INTEGER_ROWS, ROWS, 1, True),
        _settled(jet_of, INTEGER_ROWS, ROWS, INTEGER_ROWS, ROWS, 1, 1.0),
        *(
            (lambda group=group: need(group))
            for group in (SPECIAL_ROWS, LAWS, BUSHINGS, CURVES, FEATURES)
        ),
        *(
            _called_from_python(one, T, Watch.example(), 1, *more)
            for one, more in (
                (enclose_over_time, (1.0, 1.0)),
                (enclose_everywhere, ()),
                (unseen_part, ()),
                (note, ()),
            )
        ),
        _called_from_python(reading_jacobian, y, T, M),
        _called_from_python(law_jets, T, 1, y, M),
        _called_from_python(velocity_jump, T, y, y, y),
    ]
