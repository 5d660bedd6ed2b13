"""The functions of the integrators: coefficients of explicit Runge-Kutta methods for
kernels/stepping.py, and steppers of the others.  A new integrator is a row of
model/types/methods.py and a function here.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from scipy.integrate import DOP853

from mechstudio.engine.integration.radau import Radau
from mechstudio.engine.integration.steppers import GeneralizedAlpha, SemiImplicitEuler, Stepper
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.run_tables import Method

if TYPE_CHECKING:
    from mechstudio.engine.integration.options import RunOptions
    from mechstudio.engine.system.system import System

Function = TypeVar("Function", bound=Callable)
# by the names of the rows; an integrator has a function in one of both
METHODS: dict[str, Callable[[], Method]] = {}
STEPPERS: dict[str, Callable[["System", Tables, "RunOptions"], Stepper]] = {}


def explicit(name: str) -> Callable[[Function], Function]:
    """A decorator: the function of an integrator that the kernels step, which makes its Method."""
    return _kept(METHODS, name)


def stepping(name: str) -> Callable[[Function], Function]:
    """A decorator: the function of an integrator that steps by itself, which makes the Stepper of a
    run.
    """
    return _kept(STEPPERS, name)


def _kept(table: dict[str, Callable], name: str) -> Callable[[Function], Function]:
    def keep(made: Function) -> Function:
        table[name] = made
        return made

    return keep


def method_of(name: str) -> Method:
    """Coefficients of an integrator.  Of one that steps by itself they are those of a cubic for the
    samples.
    """
    if name in METHODS:
        return METHODS[name]()
    none = np.zeros(2)
    return Method(np.zeros((2, 2)), none, none, none, np.zeros((0, 2)), np.array([1, 3, 0, 1]))


@explicit("rk4")
def runge_kutta_4() -> Method:
    """The classical method of order 4 with a fixed step; samples by Hermite's cubic (Hairer,
    Norsett & Wanner 1993, II.1).
    """
    A = np.zeros((4, 4))
    A[1, 0] = A[2, 1] = 0.5
    A[3, 2] = 1.0
    none = np.zeros(4)
    return Method(
        A,
        np.array([1.0, 2.0, 2.0, 1.0]) / 6.0,
        none,
        none,
        np.zeros((0, 4)),
        np.array([4, 3, 0, 4]),
    )


@explicit("dop853")
def dormand_prince_853() -> Method:
    """Dormand & Prince's method of order 8 with error estimates of orders 5 and 3 and dense output
    of order 7 (ibid. II.5, II.6).
    """
    A = np.zeros((16, 16))
    A[:12, :12] = DOP853.A
    A[12, :12] = DOP853.B
    A[13:16] = DOP853.A_EXTRA
    row = lambda values: np.array(values, float)
    return Method(
        A,
        row(DOP853.B),
        row(DOP853.E3),
        row(DOP853.E5),
        np.ascontiguousarray(DOP853.D, float),
        np.array([12, 7, 1, 8]),
    )


@explicit("dopri5")
def dormand_prince_5() -> Method:
    """Dormand & Prince's method of order 5 with an error estimate of order 4 and dense output of
    order 4 (ibid. II.5, II.6).
    """
    A = np.zeros((11, 11))
    for s, row in enumerate(
        (
            (1 / 5,),
            (3 / 40, 9 / 40),
            (44 / 45, -56 / 15, 32 / 9),
            (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
            (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
            (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
        ),
        1,
    ):
        A[s, : len(row)] = row
    # the seventh stage is the slope at the end before its projection: the estimate and the dense
    # output use it
    B = np.append(A[6, :6], 0.0)
    E = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])
    D = np.zeros((1, 11))
    D[0, :7] = (
        -12715105075 / 11282082432,
        0,
        87487479700 / 32700410799,
        -10690763975 / 1880347072,
        701980252875 / 199316789632,
        -1453857185 / 822651844,
        69997945 / 29380423,
    )
    return Method(A, B, np.zeros(7), E, D, np.array([7, 4, 1, 5]))


@stepping("radau")
def radau(system: "System", tables: Tables, options: "RunOptions") -> Stepper:
    """Radau IIA of order 5."""
    return Radau(tables, system.scale, system.cap, options.tolerance)


@stepping("generalized_alpha")
def generalized_alpha(system: "System", tables: Tables, options: "RunOptions") -> Stepper:
    """Generalised alpha with the spectral radius of the run."""
    return GeneralizedAlpha(tables, system.scale, system.cap, options.tolerance, options.radius)


@stepping("semi_implicit_euler")
def semi_implicit_euler(system: "System", tables: Tables, options: "RunOptions") -> Stepper:
    """Semi-implicit Euler."""
    return SemiImplicitEuler(tables, system.scale, system.cap, options.tolerance)
