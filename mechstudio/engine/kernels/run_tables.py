"""A run on its way, and the coefficients of its method: what is kept where, for the steps and for whoever reads them."""

from .array_sets import INTEGERS, MATRIX, NUMBERS, ArraySet, integer_table, table

# what `advance` comes back with
BUSY, DONE, FULL, LEFT_ROWS, COLLAPSED, UNDERFLOW, NOT_FINITE, OPEN, SHORTER, TAKEN, TOUCHED = range(11)

# clock: numbers of a run [s]; END: where a step has to end, of the run or of a piece of a law; PIVOT: smallest relative row pivot since the
# last step; DENSE_T, DENSE_H: the interval that can be interpolated; GOOD, LONGEST: last and longest accepted step; UNCUT: step before END cut it;
# HERE: relative row pivot at TIME
TIME, STEP, REGULAR, END, SAMPLE_STEP, TOLERANCE, LARGEST, PIVOT, DENSE_T, DENSE_H, GOOD, UNCUT, LONGEST, HERE, CLOCK_WIDTH = range(15)
# count: integers of a run; NEXT: number of the next sample; CUT: the last attempt was refused; TRUSTED: the singular position here is a
# true one; QUIET: accepted steps for which dropped rows are not looked at; STARTED: FRESH, GOING, or AGAIN after y was changed from outside;
# LOOKED: no stop is passed in the coming step, which has been looked at
ACCEPTED, REJECTED, NEXT, SAMPLES, REFUSALS, MOVED, CUT, TRUSTED, QUIET, STARTED, LOOKED, COUNT_WIDTH = range(12)
FRESH, GOING, AGAIN = range(3)

# stops: place of the coordinate in y, kept row of one that is leaned against (-1: none).   bounds: where it stands now, where it is drawn,
# +1 for an upper and -1 for a lower one, gap that is rounding, acceleration of separation that is rounding
STOP_AT, STOP_ROW, STOP_INTS = range(3)
BOUND, DRAWN, SIDE, CRUMB, FAINT, STOP_CONSTS = range(6)


class Method(ArraySet):
    """Coefficients.   A: square incl. extra stages of the dense output.   dense: (stages, dense terms, adaptive, order)."""

    kinds = {"A": MATRIX, "B": NUMBERS, "E3": NUMBERS, "E5": NUMBERS, "D": MATRIX, "dense": INTEGERS}


class Run(ArraySet):
    """A run on its way.   y: state.   trial: end of step.   K: stages.   poly: dense polynomial.   scale, cap: of the error weights."""

    kinds = {"clock": NUMBERS, "count": INTEGERS, "y": NUMBERS, "trial": NUMBERS, "K": MATRIX, "poly": MATRIX, "scale": NUMBERS, "cap": NUMBERS, "times": NUMBERS,
             "states": MATRIX, "stops": integer_table(STOP_INTS), "bounds": table(STOP_CONSTS)}
