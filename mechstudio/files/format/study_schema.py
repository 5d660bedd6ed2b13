"""Schema of the studies of a project."""

from mechstudio.files.format.entry_types import (
    FLAG,
    NAME,
    NOTE,
    NUMBER,
    WORD,
    choice,
    many,
    text,
    whole,
)
from mechstudio.files.format.schema import Entry, Schema, nested
from mechstudio.model.studies.setup import (
    ABOVE,
    AT,
    BELOW,
    DIRECTIONS,
    DRAWS,
    FIT,
    GOALS,
    SEARCHES,
    SENSITIVITY,
    SHOW,
    SIGNS,
    STATISTICS,
    WHEN,
    MeasuredColumn,
    MeasuredQuantity,
    RankCorrelation,
    StudySetup,
    VariedParameter,
)

MOST_SAMPLES = 10_000_000
PATH = text(4096)
VALUES = text(20_000)  # a list of values may be long
VARIED_SCHEMA = Schema(VariedParameter, (Entry("parameter", NAME), Entry("values", VALUES)))
MEASURED_SCHEMA = Schema(
    MeasuredQuantity,
    (
        Entry("statistic", choice((*STATISTICS, AT, WHEN, ABOVE, BELOW))),
        Entry("quantity", WORD, attribute="channel"),
        Entry("called", WORD, "", attribute="name"),
        Entry("level", WORD, ""),
        Entry("of", WORD, ""),
        Entry("direction", choice(tuple(DIRECTIONS.values())), "either"),
        Entry("sign", choice(SIGNS), ""),
        Entry("limit", WORD, ""),
        Entry("goal", choice(GOALS), SHOW, soft=True),
        Entry("target", WORD, ""),
    ),
)
CORRELATION_SCHEMA = Schema(
    RankCorrelation, (Entry("a", NAME), Entry("b", NAME), Entry("value", NUMBER))
)
COLUMN_SCHEMA = Schema(
    MeasuredColumn,
    (
        Entry("column", WORD),
        Entry("quantity", WORD, attribute="channel"),
        Entry("called", WORD, "", attribute="name"),
    ),
)
STUDY_SCHEMA = Schema(
    StudySetup,
    (
        Entry("id", NAME),
        Entry("name", NAME),
        Entry("vary", many(nested(VARIED_SCHEMA)), ()),
        Entry("measures", many(nested(MEASURED_SCHEMA)), ()),
        Entry("correlations", many(nested(CORRELATION_SCHEMA)), ()),
        Entry("method", choice((*DRAWS, SENSITIVITY, *SEARCHES, FIT)), DRAWS[0], soft=True),
        Entry("samples", whole(1, MOST_SAMPLES), 1),
        Entry("seed", whole(0, 2**53), 1),
        Entry("one_at_a_time", FLAG, False),
        Entry("duration", WORD, ""),
        Entry("sample_step", WORD, ""),
        Entry("note", NOTE, ""),
        Entry("runs", whole(1, MOST_SAMPLES), 2000),
        Entry("data", PATH, ""),
        Entry("clock", WORD, ""),
        Entry("columns", many(nested(COLUMN_SCHEMA)), ()),
    ),
)
