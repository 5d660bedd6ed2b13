"""Dry adhesion: a touching pair of bodies holds together against a pull of at most A.

    K contains p'  _|_  N (p' - A h e_n) + r  in K*,    p = p' - A h e_n
so the normal force goes down to -A, friction is at most mu (N + A), and the cone problem is that
of the constant pull -A h e_n among the loads of the step (for a compliant contact as by Derjaguin,
Muller & Toporov 1975: the depth is that of N + A).  A is shared evenly by the touching points of
the pair.  Apart there is no pull: a contact opens at A without work over a distance, and holds
again once it is pressed.  A finite pull has no effect in an impact: a rebounding body leaves with
Newton's speed, any other stays.
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
from mechstudio.engine.contacts.kernel_table import NOTHING, PULLS, alone
from mechstudio.engine.contacts.stepping.warm_start import find

# of the mechanism's size: gap that counts as closed if it opens no faster than the tolerance, and
# largest gap that opens as a surface rolls on to another feature
CLOSED, NEAR = 1e-6, 1e-4
BENDS = 1.1  # of the bend of surfaces in half a step: largest apparent opening


@alone(PULLS, NOTHING, s.STAGE, PROBLEM, POINTS)
def pull_together(S, P, points):
    """S.pull <- the pulls of all contacts [N]; S.pulled <- their effect on the velocities of r.

    gamma holds the impulses of the step before; twists of movers are overwritten.
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
            # a compliant contact is also compressed by the pull, not stretched
            S.pulled[i, 0] -= P.soft[i, 0] * P.trial[i, 0]


@kernel
def holds(S, points, i):
    """True if contact i holds together: pressed in the step before, or closed without opening, or
    the next feature of shapes that held each other.
    """
    size, tolerance = S.settings[s.SIZE], S.settings[s.TOLERANCE]
    gap, found = points.gap[S.order[i]], find(S, points.key[S.order[i]])
    if found >= 0 and S.remembered[found, s.R_PRESSED] > 0.0:
        return True
    # at the middle of the step surfaces that roll on each other seem to open by their bend
    bent = BENDS * max(S.bends[i, s.BENT], 0.0) if S.bends[i, s.SMOOTH] > 0.0 else 0.0
    opens = S.approach[i, 0] - bent > tolerance
    if gap <= CLOSED * size + tolerance * S.settings[s.STEP] and not opens:
        return True
    return found < 0 and gap <= NEAR * size and held_before(S, points.key[S.order[i]])


@kernel
def held_before(S, key):
    """True if a contact of the same two shapes was pressed in the step before."""
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
    """True if contacts i and j have the same two bodies and materials."""
    p, q = S.order[i], S.order[j]
    return (
        points.body_a[p] == points.body_a[q]
        and points.body_b[p] == points.body_b[q]
        and S.pair[i] == S.pair[j]
    )


@kernel
def share_pulls(S, points, first, last):
    """Replace the 1 in S.pull of the holding contacts among first to last by even shares of each
    pair's adhesion.
    """
    for i in range(first, last):
        # a pair is shared from its first contact on; shares are negative until the end
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
