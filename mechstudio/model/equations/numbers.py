"""The numbers behind the symbols of derived equations at one instant, as the worker sends them and
the window shows them.
"""

import msgspec

Matrix = tuple[tuple[float, ...], ...]


class InstantNumbers(msgspec.Struct, frozen=True):
    """Everything in SI.  n coordinates, m rows of C, b bodies in file order.

    t [s].  values: by identifier (terms.Name.name) every symbol's number: coordinates, rates,
    accelerations, multipliers, parameters (what a law or a drive prescribes at the instant),
    lengths of springs, functions with their derivatives.  matrices: "M" (n, n), "b", "g", "tau" (n,
    1), "C" (m, 1), "C_q" (m, n), "gamma" (m, 1), as in Equations; with rows also "B", "Bdot" (n,
    f), "beta", "c" (n, 1) and the embedded "M_i" (f, f), "Q_i" (f, 1), unless `refusal` says why
    not.
    determined: per row of C whether rigid bodies determine its multiplier (else it is the least of
    all that hold). rank, singular_values (n): of C_q, lengths over the mechanism's size, largest
    first and zeros for what nothing holds.  motions (n, n): per singular value its direction in q.
    twists (n, 6 b): the bodies' twists in that direction, origin's velocity and angular velocity in
    W.
    independent: names of the coordinates that B keeps; dependent: of the others.  refusal: why
    these cannot be kept here, with a choice that can; "" where they can.
    """

    t: float
    values: dict[str, float]
    matrices: dict[str, Matrix]
    determined: tuple[bool, ...] = ()
    rank: int = 0
    singular_values: tuple[float, ...] = ()
    motions: Matrix = ()
    twists: Matrix = ()
    independent: tuple[str, ...] = ()
    dependent: tuple[str, ...] = ()
    refusal: str = ""
