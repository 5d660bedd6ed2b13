"""Integrators as rows: coefficients of explicit Runge-Kutta methods for kernels/stepping.py.  A new one is one more function and row."""

from collections.abc import Callable

import msgspec
import numpy as np
from scipy.integrate import DOP853

from .kernels.stepping import Method
from .steppers import GeneralizedAlpha, Radau, SemiImplicitEuler, Stepper


def runge_kutta_4() -> Method:
    """The classical method of order 4 with a fixed step; samples by Hermite's cubic (Hairer, Norsett & Wanner 1993, II.1)."""
    A = np.zeros((4, 4))
    A[1, 0] = A[2, 1] = 0.5
    A[3, 2] = 1.0
    none = np.zeros(4)
    return Method(A, np.array([1.0, 2.0, 2.0, 1.0]) / 6.0, none, none, np.zeros((0, 4)), np.array([4, 3, 0]))


def dormand_prince_853() -> Method:
    """Dormand & Prince's method of order 8 with error estimates of orders 5 and 3 and dense output of order 7 (ibid. II.5, II.6)."""
    A = np.zeros((16, 16))
    A[:12, :12] = DOP853.A
    A[12, :12] = DOP853.B
    A[13:16] = DOP853.A_EXTRA
    row = lambda values: np.array(values, float)
    return Method(A, row(DOP853.B), row(DOP853.E3), row(DOP853.E5), np.ascontiguousarray(DOP853.D, float), np.array([12, 7, 1]))


def no_coefficients() -> Method:
    """Of a method that steps by itself (engine/steppers.py): samples by a cubic."""
    none = np.zeros(2)
    return Method(np.zeros((2, 2)), none, none, none, np.zeros((0, 2)), np.array([1, 3, 0]))


class Integrator(msgspec.Struct, frozen=True):
    """One method.  order: of its error in the step.   adaptive: whether a tolerance steers the step; otherwise it is fixed.

    default_step: of a fixed step [s].   method: makes the coefficients of an explicit one; stepper: the class of another one.   stiff: whether stiff
    springs and dampers leave its steps long.   use: when to take it, in words.
    """

    label: str
    order: int
    adaptive: bool
    method: Callable[[], Method]
    default_step: float = 0.0
    stepper: Callable[..., Stepper] | None = None
    stiff: bool = False
    use: str = ""


INTEGRATORS: dict[str, Integrator] = {
    "dop853": Integrator("DOP853", 8, True, dormand_prince_853, use="exact and fast; for nearly everything"),
    "rk4": Integrator("RK4", 4, False, runge_kutta_4, 1e-3, use="the textbook's, with a fixed step"),
    "radau": Integrator("Radau IIA", 5, True, no_coefficients, stepper=Radau, stiff=True, use="stiff springs and dampers"),
    "generalized_alpha": Integrator("Generalised α", 2, False, no_coefficients, 1e-3, GeneralizedAlpha, True, "stiff structures, with a fixed step and numerical damping"),
    "semi_implicit_euler": Integrator("Semi-implicit Euler", 1, False, no_coefficients, 1e-3, SemiImplicitEuler, use="what games use; simple, and its energy does not drift away"),
}
