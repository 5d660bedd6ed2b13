"""Elastic contacts: those of surfaces with a compliance c and a damping time a.

Their gap g and its rate u follow c f + g + a u = 0 for a force f >= 0, while g < 0.  In a step of
length h the impulse gamma = h f has them at the middle of the motion, by the trapezoidal rule:

    gamma >= 0   _|_   c gamma / h + g + h (u + u+) / 4 + a (u + u+) / 2 >= 0

divided by the factor alpha h of u+, which makes it a row of the cone problem:

    E_n = c / (alpha h^2),   b_n = (g - beta h u) / (alpha h),
    alpha = 1 / 4 + t a / h,   beta = -1 / 4 - (1 - t) a / h

It is stable for every h, keeps the energy, and rests where c f = -g.  Free bodies that always move
by h u+ have beta = +1 / 4: then the rule is Newmark's for the velocities at the middle of steps,
and keeps the energy too (Hairer, Lubich & Wanner 2006, sections I.1.4 and II.1.3).  t is 1 / 2, or
more for a damping that would reverse the velocity, as in stepping/soft_rows.py.

a = 0 in a step that begins with an open gap.  Force begins and ends within a step.  Of the energy
of an impact that takes or adds a share of at most (h w)^2 / 4 each, w^2 = D^T W D / c.  Where an
elastic contact moves quickly, steps with h w > SHORT are therefore made in parts (`in_parts` of
stepping/step.py).  In slow motion such contacts become ever more implicit, to alpha = 1 and
beta = 0 at h w = 1 and above: as rigid ones, they do not rebound.
"""

import math

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.problem import MOVERS, normal_response
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel

SHORT = 0.2  # largest step times rate of an elastic contact that moves quickly
DEAD = 3.0  # share of the critical damping above which next to nothing rebounds: 2 % of the speed


@kernel(options=INLINED)
def stiffness_of_step(S, P, i):
    """Square of the step times the rate of elastic contact i against what it moves alone."""
    return S.settings[s.STEP] ** 2 * normal_response(P, i) / S.materials[S.pair[i], s.COMPLIANCE]


@kernel
def moves_by_end(S, P, i):
    """True if both bodies of contact i are known to move by their velocities after the step."""
    for end in range(2):
        if P.side[i, end] != P.size[MOVERS]:
            u = S.unit_of_node[S.node_of_mover[P.side[i, end]]]
            if S.settings[s.SECOND_ORDER] > 0.0 and S.closes[u] == 0:
                return False
    return True


@kernel
def shares(S, P, i, gap):
    """(alpha, beta) of elastic contact i."""
    damped = 0.0 if gap > 0.0 else S.materials[S.pair[i], s.DAMPING] / S.settings[s.STEP]
    stiff = stiffness_of_step(S, P, i)
    implicit = min(max((stiff - SHORT**2) / (1.0 - SHORT**2), 0.0), 1.0)
    before = 0.25 * (1.0 - implicit)
    if not moves_by_end(S, P, i):
        before = -before
    share = max(0.5, 1.0 - 1.0 / max(stiff * damped, 1.0))
    return 0.25 + 0.75 * implicit + share * damped, before - (1.0 - share) * damped


@kernel
def row_compliance(S, P, i, gap):
    """E_n of elastic contact i."""
    alpha, _ = shares(S, P, i, gap)
    return S.materials[S.pair[i], s.COMPLIANCE] / (alpha * S.settings[s.STEP] ** 2)


@kernel
def elastic_push(S, P, i, gap):
    """b_n of elastic contact i.  S.approach: rates before the step, in the frames of contacts."""
    alpha, beta = shares(S, P, i, gap)
    before = S.approach[i, 0]
    if S.bends[i, s.SMOOTH] > 0.0:
        before -= S.bends[i, s.BENT]
    return (gap / S.settings[s.STEP] - beta * before) / alpha


@kernel
def half_period(S, P, i):
    """Duration of an impact at elastic contact i alone [s]."""
    return math.pi * S.settings[s.STEP] / math.sqrt(max(stiffness_of_step(S, P, i), 1e-300))


@kernel
def note_stiffness(S, P, i, gap, after):
    """S.tally <- that of elastic contact i where it moves quickly, unless its damping lets nothing
    rebound.  after: its rate after the step [m/s].
    """
    before, h, m = S.approach[i, 0], S.settings[s.STEP], S.pair[i]
    if max(abs(before), abs(after)) > S.settings[s.SLOWEST] and (
        P.gamma[i, 0] > 0.0 or gap + h * min(before, after, 0.0) < 0.0
    ):
        stiff = stiffness_of_step(S, P, i)
        if stiff * (S.materials[m, s.DAMPING] / h) ** 2 < (2.0 * DEAD) ** 2:
            S.tally[s.STIFFEST] = max(S.tally[s.STIFFEST], stiff)


@kernel(options=INLINED)
def too_stiff(S):
    """True if an elastic contact moved quickly in a step that is too long for it."""
    return S.tally[s.STIFFEST] > SHORT**2
