"""Choice among the contacts of two shapes, if there are more than the steps should solve."""

from mechstudio.engine.contacts.contact_kernels import kernel

DEEPEST = 16  # deepest contacts, kept at any place
APART = 7  # column beside gap, point and normal: distance from those chosen


@kernel
def swap(M, keys, a, b):
    """Exchange two contacts."""
    if a != b:
        keys[a], keys[b] = keys[b], keys[a]
        for k in range(M.shape[1]):
            M[a, k], M[b, k] = M[b, k], M[a, k]


@kernel
def choose(M, keys, n, room, most, size):
    """Move the chosen contacts to the front of the n rows of M and return their number: all up to
    `room`; of more the deepest, and of the others with a gap below `most` those farthest from all
    chosen, in place [size] and normal.
    """
    if n <= room:
        return n
    for c in range(DEEPEST):
        best = c
        for k in range(c + 1, n):
            if M[k, 0] < M[best, 0]:
                best = k
        swap(M, keys, c, best)
    for c in range(DEEPEST, n):
        M[c, APART] = 1e300
    for chosen in range(room):
        if chosen >= DEEPEST:
            best, far = chosen, -1.0
            for k in range(chosen, n):
                worth = M[k, APART] if M[k, 0] <= most else 1e-6 * M[k, APART]
                if worth > far:
                    best, far = k, worth
            swap(M, keys, chosen, best)
        for k in range(max(chosen + 1, DEEPEST), n):
            d = 0.0
            for r in range(1, 4):
                d += ((M[k, r] - M[chosen, r]) / size) ** 2 + (M[k, 3 + r] - M[chosen, 3 + r]) ** 2
            M[k, APART] = min(M[k, APART], d)
    return room
