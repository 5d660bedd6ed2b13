"""Passes of a method for cone problems, each with De Saxce's shifts of the pass before, until the
law holds.
"""

import math

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.apgd import solve_apgd
from mechstudio.engine.contacts.cone.de_saxce import requested_shift, update_shifts
from mechstudio.engine.contacts.cone.gauss_seidel import (
    APGD,
    GAUSS_SEIDEL,
    solve_gauss_seidel,
    solve_jacobi,
)
from mechstudio.engine.contacts.cone.problem import I_DENSE, I_FIRST, I_LAST, WIDTH, multiply
from mechstudio.engine.contacts.contact_kernels import kernel


@kernel
def run_method(P, island, method, tolerance, most, omega, L, curve):
    """(iterations, products, residual, L) by the chosen method."""
    if method == APGD:
        pile = P.islands[island, I_DENSE] == 0 and P.size[WIDTH] == 3
        return solve_apgd(P, island, pile, tolerance, most, 0, L, curve)
    if method == GAUSS_SEIDEL:
        done, products, left = solve_gauss_seidel(P, island, tolerance, most, omega, curve)
    else:
        done, products, left = solve_jacobi(P, island, tolerance, most, omega, curve)
    return done, products, left, L


@kernel
def solve_shifted(P, island, S, passes, most, L, curve):
    """Solve an island like solve_island, by passes of a method with De Saxce's shifts of the
    previous pass.
    """
    settings, I, width = S.settings, P.islands, P.size[WIDTH]
    tolerance, method = settings[s.TOLERANCE], int(settings[s.METHOD])
    first, last = I[island, I_FIRST], I[island, I_LAST]
    iterations = products = 0
    if passes == 0:
        return run_method(P, island, method, tolerance, most, settings[s.OMEGA], L, curve)
    multiply(P, island, P.gamma, P.product_gamma)
    for i in range(first, last):
        P.shift[i] = requested_shift(P, i, width)
    left = math.inf
    for n in range(passes):
        done, count, _, L = run_method(
            P, island, method, tolerance, most - iterations, settings[s.OMEGA], L, curve
        )
        iterations, products = iterations + done, products + count
        left = update_shifts(P, island, n)
        if left < tolerance or iterations >= most:
            break
    return iterations, products, left, L
