"""Worth of the sample step of a study: what a quarter of it changes at the ends of each measure."""

import numpy as np

from mechstudio.studies.points import Points
from mechstudio.studies.table import StudyTable
from mechstudio.translation import tr

CHECKED = 4  # measures whose least and greatest rows are run again
# parts of the value, and of the spread of all rows, that a quarter of the sample step may change
EXACT, RESOLVED = 1e-4, 1e-2
ROUNDING = 1e-10  # of the value: less is no change


def sampling_remarks(table: StudyTable, points: Points) -> tuple[str, ...]:
    """A sentence for each measure that a quarter of the sample step changes by more than the
    digits or the spread of a study are worth, at the rows where it is least and greatest.
    """
    ends: dict[int, set[int]] = {}
    for m in range(min(len(table.measures), CHECKED)):
        values = table.measured[:, m]
        if np.isfinite(values).any():
            for row in (int(np.nanargmin(values)), int(np.nanargmax(values))):
                ends.setdefault(row, set()).add(m)
    worst: dict[int, float] = {}
    for row, at_end in ends.items():
        finer = points.refined(table.varied[row].tolist()).values
        for m in at_end:
            off = abs(finer[m] - float(table.measured[row, m]))
            # a run that fails with a shorter step says nothing good of the longer one
            worst[m] = max(worst.get(m, 0.0), off if np.isfinite(off) else np.inf)
    remarks = []
    for m, off in sorted(worst.items()):
        values = table.measured[:, m]
        # what is zero in all runs changes by the whole of its value
        size = float(np.nanmax(np.abs(values))) or off
        spread = float(np.ptp(values[np.isfinite(values)]))
        text = table.measures[m].text
        if np.isfinite(off) and off <= ROUNDING * size:
            continue
        if not np.isfinite(off):
            remarks.append(
                tr("With a quarter of the sample step {measure} has no value.", measure=text)
            )
        elif off > EXACT * size:
            remarks.append(
                tr(
                    "A quarter of the sample step changes {measure} by {share:.2g} % of its value: "
                    "take a shorter one.",
                    measure=text,
                    share=100.0 * off / size,
                )
            )
        elif off > RESOLVED * spread > 0.0:
            remarks.append(
                tr(
                    "A quarter of the sample step changes {measure} by {share:.2g} % of its spread "
                    "over the runs: take a shorter one.",
                    measure=text,
                    share=100.0 * off / spread,
                )
            )
    return tuple(remarks)
