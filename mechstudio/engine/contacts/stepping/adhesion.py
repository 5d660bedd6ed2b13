"""Dry adhesion: a pair of bodies that touches holds together against a pull of at most A.

    K contains p'  _|_  N (p' - A h e_n) + r  in K*,    p = p' - A h e_n
so the normal force goes down to -A, friction is at most mu (N + A), and the cone problem is that
of the constant pull -A h e_n among the loads of the step (as of a pressed elastic contact,
Derjaguin, Muller & Toporov 1975: the depth is that of N + A).  A is shared evenly by the points at
which the pair touches.  Apart there is no pull: a contact opens at A without work over a distance,
and holds again once it is pressed.  In an impact a finite pull does nothing: what rebounds leaves
with Newton's speed, and what does not rebound stays.
"""

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.island_solution import POINTS
from mechstudio.engine.contacts.cone.problem import (
    CONTACTS,
    I_FIRST,
    I_LAST,
    ISLANDS,
    PROBLEM,
    WIDTH,
    gather_wrenches,
    read_slips,
    respond,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.geometry.work import FEATURE_BITS
from mechstudio.engine.contacts.standing import NOTHING, PULLS, alone
from mechstudio.engine.contacts.stepping.warm_start import find

# of the mechanism's size: gap that counts as none where it opens no faster than the tolerance, and
# that which a surface may open by as it rolls on to another feature
CLOSED, NEAR = 1e-6, 1e-4
BENDS = 1.1  # of what surfaces bend in half a step, what they may seem to open by


@alone(PULLS, NOTHING, s.STAGE, PROBLEM, POINTS)
def pull_together(S, P, points):
    """S.pull <- the pulls of all contacts [N]; S.pulled <- what they do to the velocities of r.

    The impulses of the step before stand in gamma; twists of movers are overwritten.
    """
    h, I = S.settings[s.STEP], P.islands
    for i in range(P.size[CONTACTS]):
        sticky = S.materials[S.pair[i], s.ADHESION] > 0.0
        S.pull[i] = 1.0 if sticky and holds(S, points, i) else 0.0
    for e in range(P.size[ISLANDS]):
        share_pulls(S, points, I[e, I_FIRST], I[e, I_LAST])
        for i in range(I[e, I_FIRST], I[e, I_LAST]):
            for c in range(P.size[WIDTH]):
                P.trial[i, c] = 0.0
            P.trial[i, 0] = -h * S.pull[i]
        gather_wrenches(P, e, P.trial)
        respond(P, e)
        read_slips(P, e, P.trial, P.product_trial)
        for i in range(I[e, I_FIRST], I[e, I_LAST]):
            for c in range(P.size[WIDTH]):
                S.pulled[i, c] = P.product_trial[i, c]
            # what gives way is pressed in by the pull too, it does not stretch
            S.pulled[i, 0] -= P.soft[i, 0] * P.trial[i, 0]


@kernel
def holds(S, points, i):
    """Truth of contact i holding together: pressed in the step before, or closed without opening,
    or the next feature of shapes that held each other.
    """
    size, tolerance = S.settings[s.SIZE], S.settings[s.TOLERANCE]
    gap, found = points.gap[S.order[i]], find(S, points.key[S.order[i]])
    if found >= 0 and S.remembered[found, s.R_PRESSED] > 0.0:
        return True
    # at the middle of the step surfaces that go round each other seem to open by what they bend
    bent = BENDS * max(S.bends[i, s.BENT], 0.0) if S.bends[i, s.SMOOTH] > 0.0 else 0.0
    opens = S.approach[i, 0] - bent > tolerance
    if gap <= CLOSED * size + tolerance * S.settings[s.STEP] and not opens:
        return True
    return found < 0 and gap <= NEAR * size and held_before(S, points.key[S.order[i]])


@kernel
def held_before(S, key):
    """Truth of some contact of the same two shapes having been pressed in the step before."""
    for at in range(S.slots.shape[0]):
        if (
            S.slots[at] > 0
            and S.hashes[at] >> FEATURE_BITS == key >> FEATURE_BITS
            and S.remembered[S.slots[at] - 1, s.R_PRESSED] > 0.0
        ):
            return True
    return False


@kernel(options=INLINED)
def same_bodies(S, points, i, j):
    """Truth of contacts i and j being of the same two bodies and materials."""
    p, q = S.order[i], S.order[j]
    return (
        points.body_a[p] == points.body_a[q]
        and points.body_b[p] == points.body_b[q]
        and S.pair[i] == S.pair[j]
    )


@kernel
def share_pulls(S, points, first, last):
    """Even shares of each pair's adhesion for those of contacts first to last that hold, which have
    a 1 in S.pull, in place of it.
    """
    for i in range(first, last):
        # a pair is shared out from its first contact on; shares are below zero until then
        if S.pull[i] != 1.0:
            continue
        count = 0
        for j in range(i, last):
            if S.pull[j] == 1.0 and same_bodies(S, points, i, j):
                count += 1
        share = S.materials[S.pair[i], s.ADHESION] / count
        for j in range(i, last):
            if S.pull[j] == 1.0 and same_bodies(S, points, i, j):
                S.pull[j] = -share
    for i in range(first, last):
        S.pull[i] = abs(S.pull[i])
