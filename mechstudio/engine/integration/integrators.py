"""Integrators as rows: coefficients of explicit Runge-Kutta methods for kernels/stepping.py.  A new
one is one more function and row.
"""

from collections.abc import Callable

import msgspec
import numpy as np
from scipy.integrate import DOP853

from mechstudio.engine.integration.radau import Radau
from mechstudio.engine.integration.steppers import GeneralizedAlpha, SemiImplicitEuler, Stepper
from mechstudio.engine.kernels.run_tables import Method
from mechstudio.model.types.integrators import INTEGRATOR_TYPES, IntegratorType


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


def no_coefficients() -> Method:
    """Of a method that steps by itself (engine/integration/steppers.py): samples by a cubic."""
    none = np.zeros(2)
    return Method(np.zeros((2, 2)), none, none, none, np.zeros((0, 2)), np.array([1, 3, 0, 1]))


class Integrator(msgspec.Struct, frozen=True):
    """Implementation of a row of model.types.integrators.INTEGRATOR_TYPES.

    method: makes the coefficients of an explicit one; stepper: the class of another one
    (engine/integration/steppers.py).
    """

    type: IntegratorType
    method: Callable[[], Method]
    stepper: Callable[..., Stepper] | None = None

    @property
    def adaptive(self) -> bool:
        """True if a tolerance controls the step, False if the step is fixed."""
        return self.type.adaptive

    @property
    def default_step(self) -> float:
        """Of a fixed step [s]."""
        return self.type.default_step


_CARRIED_OUT: dict[str, tuple[Callable[[], Method], Callable[..., Stepper] | None]] = {
    "dop853": (dormand_prince_853, None),
    "dopri5": (dormand_prince_5, None),
    "rk4": (runge_kutta_4, None),
    "radau": (no_coefficients, Radau),
    "generalized_alpha": (no_coefficients, GeneralizedAlpha),
    "semi_implicit_euler": (no_coefficients, SemiImplicitEuler),
}
INTEGRATORS: dict[str, Integrator] = {
    name: Integrator(kind, *_CARRIED_OUT[name]) for name, kind in INTEGRATOR_TYPES.items()
}
