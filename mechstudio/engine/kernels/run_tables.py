"""Tables of a run in progress and of the coefficients of its method."""

from mechstudio.engine.kernels.compilation.array_sets import (
    INTEGERS,
    MATRIX,
    NUMBERS,
    ArraySet,
    integer_table,
    table,
)

# verdicts that `advance` returns
(
    BUSY,
    DONE,
    FULL,
    LEFT_ROWS,
    COLLAPSED,
    UNDERFLOW,
    NOT_FINITE,
    OPEN,
    SHORTER,
    TAKEN,
    TOUCHED,
    TORN_APART,
    OPEN_BETWEEN,
) = range(13)

# clock: numbers of a run [s]; END: end of the run or of a piece of a law, at which a step has to
# end; PIVOT: smallest relative row pivot since the last step; DENSE_T, DENSE_H: the interval that
# can be interpolated; GOOD, LONGEST: last and longest accepted step; UNCUT: step before it was cut
# at END; HERE: relative row pivot at TIME; BEGUN: the same at the start or restart of the run;
# EXCHANGE: the same below which other rows are tried in place of the kept ones
(
    TIME,
    STEP,
    REGULAR,
    END,
    SAMPLE_STEP,
    TOLERANCE,
    LARGEST,
    PIVOT,
    DENSE_T,
    DENSE_H,
    GOOD,
    UNCUT,
    LONGEST,
    HERE,
    EXCHANGE,
    BEGUN,
    CLOCK_WIDTH,
) = range(17)
# count: integers of a run; NEXT: number of the next sample; CUT: the last attempt was refused;
# TRUSTED: the singular position here is a true one; QUIET: accepted steps for which dropped rows
# are not checked; STARTED: FRESH, GOING, or AGAIN after y was changed from outside;
# LOOKED: the coming step has been checked and passes no stop; HIDDEN: consecutive refusals because
# of typed laws between stages, UNSEEN: steps accepted in spite of them
(
    ACCEPTED,
    REJECTED,
    NEXT,
    SAMPLES,
    REFUSALS,
    MOVED,
    CUT,
    TRUSTED,
    QUIET,
    STARTED,
    LOOKED,
    HIDDEN,
    UNSEEN,
    COUNT_WIDTH,
) = range(14)
FRESH, GOING, AGAIN = range(3)

# stops: place of the coordinate in y, kept row of an active stop (-1: none). bounds: present bound,
# drawn bound,
# +1 for an upper and -1 for a lower one, gap and acceleration of separation at rounding level
STOP_AT, STOP_ROW, STOP_INTS = range(3)
BOUND, DRAWN, SIDE, CRUMB, FAINT, STOP_CONSTS = range(6)


# frictions that stick or slide: place of the coordinate in y, kept row of a sticking one (-1: it
# slides), the force that gives the level. ways: +1 or -1 where it slides, rate at rounding level
RUB_AT, RUB_ROW, RUB_FORCE, RUB_INTS = range(4)
RUB_WAY, RUB_BACK, RUB_CONSTS = range(3)
SLACK = 1e-9  # share by which a friction force may exceed its level

# tables for watching typed laws (loads/law_bounds.py).   laws: row of T.laws, its variables
# FIRST:LAST among `variables`, which are instructions of it.   size: order of the steps.
# settings: part of a law's size below which c_p counts as zero.   found: bounds of a law's value,
# |c_p|, whether it may have a corner, part of the step to try
WATCHED, FIRST, LAST, WATCH_INTS = range(4)
ORDER, WATCH_SIZES = range(2)
SHARE, WATCH_NUMBERS = range(2)
LOWER, UPPER, CURVED, CORNER, SHORTEN, FOUND_WIDTH = range(6)
MOST_ORDER = 8
BOX_WIDTH = 2 * (MOST_ORDER + 1)  # lower and upper ends of the coefficients up to c_8
SPARE = 4  # rows of `box` after those of the instructions, for intermediate results of functions


class Watch(ArraySet):
    """Tables for watching typed laws within a step.  seen: values of their variables and of the
    laws themselves at each stage.  nodes: positions of the stages, 0 to 1; order_of: ascending.
    """

    kinds = {
        "laws": integer_table(WATCH_INTS),
        "variables": INTEGERS,
        "size": INTEGERS,
        "settings": NUMBERS,
        "nodes": NUMBERS,
        "order_of": INTEGERS,
        "scale": NUMBERS,
        "seen": MATRIX,
        "box": table(BOX_WIDTH),
        "found": NUMBERS,
    }


class Method(ArraySet):
    """Coefficients.  A: square incl. extra stages of the dense output.  dense: (stages, dense
    terms, adaptive, order).
    """

    kinds = {
        "A": MATRIX,
        "B": NUMBERS,
        "E3": NUMBERS,
        "E5": NUMBERS,
        "D": MATRIX,
        "dense": INTEGERS,
    }


class Run(ArraySet):
    """A run in progress. y: state.  trial: end of step.  K: stages.  poly: dense polynomial.
    scale, cap: of the error weights.
    """

    kinds = {
        "clock": NUMBERS,
        "count": INTEGERS,
        "y": NUMBERS,
        "trial": NUMBERS,
        "K": MATRIX,
        "poly": MATRIX,
        "scale": NUMBERS,
        "cap": NUMBERS,
        "times": NUMBERS,
        "states": MATRIX,
        "stops": integer_table(STOP_INTS),
        "bounds": table(STOP_CONSTS),
        "rubs": integer_table(RUB_INTS),
        "ways": table(RUB_CONSTS),
    }
