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
from .loads import body_vector, effort_and_power, loads
from .programs import follow_laws, law_jet, law_jets, law_value, run_code
from .readings import joint_basis, reading_rates, simple_bias, simple_rate
from .recording import record
from .right_hand_side import jacobian, move, project, reading_jacobian, right_hand_side, settle_readings
from .scalar import add3, get3, set3, turned, turned_back
from .solve import solve
from .special_rows import coordinate_value, coordinate_wrench, sliding, special_value, special_wrench, twist
from .stepping import Method, Run, advance

_INTEGER_TABLES = {"size", "nodes", "rows", "slots", "near", "order", "forces", "reads", "bodies", "laws", "code", "terms"}
_VECTORS = {"size", "settings", "coupling", "order", "factors"}


def _array(dimensions: int, integer: bool = False) -> np.ndarray:
    return np.zeros((1,) * dimensions, np.int64 if integer else np.float64)


def example_tables() -> Tables:
    """Tables of the right types and of no meaning."""
    return Tables(*(_array(1 if name in _VECTORS else 2, name in _INTEGER_TABLES) for name in Tables._fields))


def _steps():
    """(share of the time that a cold compile takes, function that does it) per kernel, callees before their callers.

    A function that is settled takes no other types any more; else a caller's constant arguments would make a copy of their own.
    """
    T, y, M = example_tables(), _array(1), _array(2)
    method = Method(M, y, y, y, M, _array(1, True))
    run = Run(y, _array(1, True), y, y, M, M, y, y, y, M, _array(2, True), M)

    def settled(kernel, *arguments):
        def compile_it():
            if not kernel.signatures:
                kernel.compile(tuple(map(typeof, arguments)))
                kernel.disable_compile()
        return compile_it

    def scalars():
        for kernel, extra in ((set3, 3), (add3, 3), (get3, 0), (turned, 3), (turned_back, 3)):
            settled(kernel, M, 1, 1, *[1.0] * extra)()

    return ((0.02, scalars), (0.06, settled(solve, T, True)), (0.01, settled(along, T, 1, 1.0)), (0.005, settled(bend, y, 1, T, 1)),
            (0.065, settled(kinematics, y, 1, T)), (0.03, settled(run_code, T, 1, True)), (0.01, settled(law_jet, T, 1, 1.0)), (0.01, settled(law_jets, T, 1, y, M)),
            (0.01, settled(simple_rate, T, 1)), (0.01, settled(simple_bias, T, 1)), (0.01, settled(twist, T, 1)), (0.02, settled(sliding, T, 1)),
            (0.01, settled(coordinate_value, y, T, 1)), (0.01, settled(coordinate_wrench, y, T, 1)),
            (0.01, settled(special_value, y, T, 1)), (0.01, settled(special_wrench, y, T, 1)), (0.04, settled(row_wrenches, y, T)),
            (0.075, settled(factor, T)), (0.02, settled(row_values, y, T, 1, 1)), (0.01, settled(step_coordinates, y, T, 1)), (0.05, settled(project, y, T, 1.0)),
            (0.05, settled(joint_basis, T, 1)), (0.055, settled(reading_rates, T)), (0.02, settled(law_value, T, 1, y, 1, *[1.0] * 8, True)),
            (0.01, settled(follow_laws, T, 1, y, 1, *[1.0] * 8)), (0.02, settled(bushing, T, 1, True)), (0.01, settled(bushing_potential, T, 1)),
            (0.01, settled(body_vector, T, 1, y, 1)), (0.02, settled(effort_and_power, T, 1, y, 1, 1.0, 1.0)), (0.06, settled(loads, y, 1, T)), (0.09, settled(right_hand_side, y, T, y, True)),
            (0.05, settled(settle_readings, y, T)), (0.015, settled(move, y, T, y)), (0.015, settled(jacobian, y, T, M)),
            (0.03, settled(reading_jacobian, y, T, M)), (0.085, settled(record, M, T, M, y, M, M, M)), (0.01, settled(velocity_jump, T, y, y, y)), (0.2, settled(advance, run, method, T, 1)))


def entry_points() -> Iterator[tuple[float, Callable[[], object]]]:
    """(fraction of the whole that is done afterwards, function that compiles the next kernel)."""
    done = 0.0
    for share, compile_one in _steps():
        done += share
        yield min(done, 1.0), compile_one
