"""Schema of the steps of a lesson and of their questions."""

from mechstudio.files.format.entry_types import (
    FLAG,
    NAME,
    NOTE,
    NUMBER,
    WORD,
    choice,
    many,
    number,
    table,
)
from mechstudio.files.format.project_schemas import CAMERA_SCHEMA
from mechstudio.files.format.schema import Entry, Schema, nested
from mechstudio.model.project import QUESTIONS, Question, Step
from mechstudio.model.units import DIMENSIONS

_ASKED = Question("choose")
QUESTION_SCHEMA = Schema(
    Question,
    (
        Entry("type", choice(QUESTIONS)),
        Entry("text", NOTE, ""),
        Entry("choices", many(NOTE), ()),
        Entry("answer", NOTE, ""),
        Entry("dimension", choice(DIMENSIONS), _ASKED.dimension),
        Entry("tolerance", number(0.0, 1.0), _ASKED.tolerance),
        Entry("quantity", WORD, "", attribute="channel"),
        Entry("because", NOTE, ""),
        Entry("hints", many(NOTE), ()),
    ),
)
STEP_SCHEMA = Schema(
    Step,
    (
        Entry("id", NAME),
        Entry("title", WORD, ""),
        Entry("text", NOTE, ""),
        Entry("notes", NOTE, ""),
        Entry("camera", nested(CAMERA_SCHEMA), None),
        Entry("view", WORD, ""),
        Entry("parameters", table(NOTE), {}),
        *(Entry(key, NUMBER, None) for key in ("begin", "end", "at")),
        Entry("plays", FLAG, False),
        Entry("sliders", many(WORD), ()),
        Entry("plots", many(WORD), ()),
        Entry("equation", WORD, ""),
        Entry("terms", many(WORD), ()),
        Entry("hidden", many(WORD), ()),
        Entry("covered", FLAG, False),
        Entry("questions", many(nested(QUESTION_SCHEMA)), ()),
    ),
)
