"""Rows of gauges in the list of quantities that can be plotted, and their values in a run.

gauge/ID        what a gauge reads
clearance/ID    its part where an analysis finds it: the least distance of two bodies
"""

from collections.abc import Iterable, Iterator

import numpy as np

from mechstudio.curves.gauges.reading import is_clearance, reading, recorded_poses
from mechstudio.curves.quantity_rows import PlotQuantity
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Gauge
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.gauges import GAUGE_TYPES
from mechstudio.translation import tr

GAUGE, CLEARANCE = "gauge/", "clearance/"


def gauge_rows(gauges: Iterable[Gauge]) -> Iterator[PlotQuantity]:
    """One row for each gauge, under its own name."""
    for gauge in gauges:
        kind, key = GAUGE_TYPES[gauge.type], f"{GAUGE}{gauge.id}"
        part = f"{CLEARANCE}{gauge.id}" if is_clearance(gauge) else key
        label = tr(kind.label)
        yield PlotQuantity(
            key,
            "Gauges",
            gauge.name,
            gauge.name,
            kind.dimension,
            (part,),
            gauge.id,
            gauge.name,
            tr("measure gauge {label} {words}", label=label, words=tr(kind.words)),
            (tr("{label} {name}", label=label, name=gauge.name),),
            positive=not kind.signed,
        )


def gauge_values(
    m: Mechanism, gauge: Gauge, layout: SampleLayout, rows: np.ndarray
) -> np.ndarray | None:
    """Values of a gauge at samples (n, layout.width); None where it reads nothing."""
    found = reading(m, gauge, recorded_poses(m, layout, rows))
    return None if found is None else found.values
