"""Every kernel that Python calls, compiled (or loaded from the cache) one after the other."""

from collections.abc import Callable, Iterator

import numpy as np
from numba import typeof

from .closure import row_values, row_wrenches
from .columns import Tables
from .factor import factor
from .impacts import velocity_jump
from .kinematics import along, bend, kinematics, step_coordinates
from .bushings import bushing, bushing_potential
from .loads import loads
from .programs import jet_of, law_jets, run_code
from .readings import joint_basis, reading_rates, simple_bias, simple_rate
from .recording import record
from .right_hand_side import jacobian, move, project, reading_jacobian, right_hand_side, settle_readings
from .scalar import add3, get3, set3, turned, turned_back
from .solve import solve
from .special_rows import coordinate_value, coordinate_wrench, sliding, special_value, special_wrench, twist
from .stepping import Method, Run, advance

def _array(dimensions: int, integer: bool = False) -> np.ndarray:
    return np.zeros((1,) * dimensions, np.int64 if integer else np.float64)


def _steps():
    """(share of the time that a cold compile takes, function that does it) per kernel, callees before their callers.

    A function that is settled takes no other types any more; else a caller's constant arguments would make a copy of their own.
    """
    T, y, M, I = Tables.example(), _array(1), _array(2), _array(2, True)
    method, run = Method.example(), Run.example()

    def settled(kernel, *arguments):
        def compile_it():
            if not kernel.signatures:
                kernel.compile(tuple(map(typeof, arguments)))
                kernel.disable_compile()
        return compile_it

    def scalars():
        for kernel, extra in ((set3, 3), (add3, 3), (get3, 0), (turned, 3), (turned_back, 3)):
            settled(kernel, M, 1, 1, *[1.0] * extra)()

    return ((0.017, scalars), (0.04, settled(solve, T, True)), (0.011, settled(along, T, 1, 1.0)), (0.005, settled(bend, y, 1, T, 1)),
            (0.055, settled(kinematics, y, 1, T)), (0.027, settled(run_code, I, I, M, 1, True)), (0.009, settled(jet_of, I, M, I, M, 1, 1.0)), (0.012, settled(law_jets, T, 1, y, M)),
            (0.013, settled(simple_rate, T, 1)), (0.011, settled(simple_bias, T, 1)), (0.007, settled(twist, T, 1)), (0.023, settled(sliding, T, 1)),
            (0.013, settled(coordinate_value, y, T, 1)), (0.02, settled(coordinate_wrench, y, T, 1)),
            (0.013, settled(special_value, y, T, 1)), (0.014, settled(special_wrench, y, T, 1)), (0.034, settled(row_wrenches, y, T)),
            (0.056, settled(factor, T)), (0.023, settled(row_values, y, T, 1, 1)), (0.005, settled(step_coordinates, y, T, 1)), (0.059, settled(project, y, T, 1.0)),
            (0.019, settled(joint_basis, T, 1)), (0.01, settled(reading_rates, T)),
            (0.033, settled(bushing, M, I, M, 1, True)), (0.005, settled(bushing_potential, M, I, M, 1)), (0.061, settled(loads, y, 1, T)), (0.066, settled(right_hand_side, y, T, y, True)),
            (0.01, settled(settle_readings, y, T)), (0.021, settled(move, y, T, y)), (0.02, settled(jacobian, y, T, M)),
            (0.02, settled(reading_jacobian, y, T, M)), (0.058, settled(record, M, T, M, y, M, M, M)), (0.027, settled(velocity_jump, T, y, y, y)), (0.195, settled(advance, run, method, T, 1)))


def entry_points() -> Iterator[tuple[float, Callable[[], object]]]:
    """(fraction of the whole that is done afterwards, function that compiles the next kernel)."""
    done = 0.0
    for share, compile_one in _steps():
        done += share
        yield min(done, 1.0), compile_one
