"""Impulses of the step before, found by the key of a contact as the first guess."""

import numpy as np

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.island_solution import POINTS
from mechstudio.engine.contacts.cone.problem import CONTACTS, LENGTH, PROBLEM, WIDTH, N, U, W
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.kernel_table import EVERY, NOTHING, alone

MIXER = -7046029254386353131


@kernel(options=INLINED)
def place(key, size):
    """First slot of a key in a table whose size is a power of two."""
    x = key * MIXER
    return (x ^ (x >> 29)) & (size - 1)


@kernel
def find(S, key):
    """Row of the stored impulses of the contact of a key, -1 if there is none."""
    size = S.hashes.shape[0]
    at = place(key, size)
    while S.slots[at] > 0:
        if S.hashes[at] == key:
            return S.slots[at] - 1
        at = (at + 1) & (size - 1)
    return -1


@alone(EVERY, NOTHING, s.STAGE, PROBLEM, POINTS)
def recall(S, P, points):
    """gamma <- impulse of each contact in the step before, in its new frame; 0 for new contacts.
    First number of y <- L of its island then; S.shared <- whether its patch shared its friction.
    """
    F = P.frame
    for i in range(P.size[CONTACTS]):
        found = find(S, points.key[S.order[i]])
        P.y[i, 0], S.shared[i] = 0.0, 0
        for c in range(P.size[WIDTH]):
            P.gamma[i, c] = 0.0
        if found < 0:
            continue
        M = S.remembered
        x, y, z = M[found, 0], M[found, 1], M[found, 2]
        P.gamma[i, 0] = F[i, N] * x + F[i, N + 1] * y + F[i, N + 2] * z
        P.gamma[i, 1] = F[i, U] * x + F[i, U + 1] * y + F[i, U + 2] * z
        P.gamma[i, 2] = F[i, W] * x + F[i, W + 1] * y + F[i, W + 2] * z
        if P.size[WIDTH] == 6:
            k = 1.0 / P.cone[i, LENGTH]
            x, y, z = k * M[found, 3], k * M[found, 4], k * M[found, 5]
            P.gamma[i, 3] = F[i, N] * x + F[i, N + 1] * y + F[i, N + 2] * z
            P.gamma[i, 4] = F[i, U] * x + F[i, U + 1] * y + F[i, U + 2] * z
            P.gamma[i, 5] = F[i, W] * x + F[i, W + 1] * y + F[i, W + 2] * z
        P.y[i, 0] = M[found, s.R_CURVATURE]
        S.shared[i] = int(M[found, s.R_SHARED])


@alone(EVERY, NOTHING, s.STAGE, PROBLEM, POINTS)
def store_impulses(S, P, points):
    """Store the impulses of this step; L of each contact's island is the first number of P.y."""
    size, F, M = S.hashes.shape[0], P.frame, S.remembered
    for x in range(size):
        S.slots[x] = 0
    for i in range(P.size[CONTACTS]):
        key = points.key[S.order[i]]
        at = place(key, size)
        while S.slots[at] > 0:
            at = (at + 1) & (size - 1)
        S.slots[at], S.hashes[at] = i + 1, key
        g = P.gamma
        for c in range(3):
            M[i, c] = g[i, 0] * F[i, N + c] + g[i, 1] * F[i, U + c] + g[i, 2] * F[i, W + c]
        if P.size[WIDTH] == 6:
            k = P.cone[i, LENGTH]
            for c in range(3):
                M[i, 3 + c] = k * (
                    g[i, 3] * F[i, N + c] + g[i, 4] * F[i, U + c] + g[i, 5] * F[i, W + c]
                )
        M[i, s.R_CURVATURE], M[i, s.R_SHARED] = P.y[i, 0], S.shared[i]
        M[i, s.R_PRESSED] = 1.0 if g[i, 0] > 0.0 and S.rebounded[i] == 0 else 0.0


def copy_memory(old: s.Stage, new: s.Stage) -> None:
    """Copy the stored impulses into a larger table."""
    kept, size = np.flatnonzero(old.slots > 0), len(new.hashes)
    new.remembered[: len(old.remembered)] = old.remembered
    mixed = old.hashes[kept] * MIXER
    for key, slot, at in zip(
        old.hashes[kept], old.slots[kept], (mixed ^ (mixed >> 29)) & (size - 1)
    ):
        while new.slots[at] > 0:
            at = (at + 1) & (size - 1)
        new.slots[at], new.hashes[at] = slot, key


@kernel
def forget(S):
    """Clear the stored impulses."""
    for x in range(S.slots.shape[0]):
        S.slots[x] = 0
