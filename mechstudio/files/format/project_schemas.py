"""Schemas of a project beside its mechanism: parameters, plots, marks, settings."""

from typing import Any

from mechstudio.files.format.entry_types import (
    BYTES,
    FLAG,
    NAME,
    NOTE,
    NUMBER,
    PATH,
    QUANTITY,
    RATIO,
    WORD,
    Definitions,
    Json,
    Kind,
    choice,
    many,
    number,
    row,
    table,
    whole,
)
from mechstudio.files.format.mechanism_schemas import FRAME_SCHEMA, PLACE
from mechstudio.files.format.schema import LAST, Entry, Schema, nested
from mechstudio.model.contact import (
    CONTACT_METHODS,
    IMPACT_LAWS,
    MOST_ITERATIONS,
    ContactSettings,
)
from mechstudio.model.end_conditions import DIRECTIONS
from mechstudio.model.geometry.work_plane import WorkPlane
from mechstudio.model.project import (
    ACCOUNT,
    DIAGRAMS,
    Camera,
    CurveStyle,
    Diagram,
    EndCondition,
    Feature,
    Gauge,
    Group,
    Lesson,
    Mark,
    Measurement,
    Picture,
    Plot,
    PlotLayout,
    ReportChoice,
    Settings,
    View,
)
from mechstudio.model.quantity import ZERO, Parameter, Quantity
from mechstudio.model.types.gauges import FEATURES, GAUGE_TYPES
from mechstudio.model.types.marks import BY_BODY, COLORS, MARK_TYPES
from mechstudio.model.types.methods import DRIFTS, FORMULATIONS, INTEGRATOR_TYPES
from mechstudio.model.units import DIMENSIONS

PARAMETER_SCHEMA = Schema(
    Parameter,
    (
        Entry("name", NAME),
        Entry("value", QUANTITY),
        Entry("dimension", choice(DIMENSIONS), "length"),
        Entry("minimum", QUANTITY, None),
        Entry("maximum", QUANTITY, None),
        Entry("slider", FLAG, False),
        Entry("note", NOTE, ""),
    ),
)
GROUP_SCHEMA = Schema(
    Group,
    (Entry("id", NAME), Entry("name", NAME), Entry("members", many(NAME)), Entry("note", NOTE, "")),
)
DIAGRAM_SCHEMA = Schema(
    Diagram,
    (
        Entry("kind", choice((*DIAGRAMS, ACCOUNT))),
        Entry("across", WORD, ""),
        Entry("gate", WORD, ""),
        Entry("level", NUMBER, 0.0),
        Entry("direction", choice(("rising", "falling", "either")), "rising"),
        Entry("window", choice(("hann", "flattop")), "hann", soft=True),
        Entry("one_turn", FLAG, True),
    ),
)
STYLE_SCHEMA = Schema(
    CurveStyle,
    (
        Entry("color", whole(-1, 7), -1),
        Entry("dash", whole(-1, 3), -1),
        Entry("width", number(0.0, 100.0), 0.0),
    ),
)
PLOT_SCHEMA = Schema(
    Plot,
    (
        Entry("id", NAME),
        Entry("title", WORD),
        Entry("channels", many(WORD)),
        Entry("log", FLAG, False),
        Entry("diagram", nested(DIAGRAM_SCHEMA), None),
        Entry("styles", table(nested(STYLE_SCHEMA)), {}),
    ),
)
MARK_SCHEMA = Schema(
    Mark,
    (
        Entry("id", NAME),
        Entry("type", choice(MARK_TYPES)),
        *(Entry(key, WORD, "") for key in ("body", "point", "joint", "other")),
        Entry("value", NUMBER, None),
        Entry("color", choice(COLORS), BY_BODY, soft=True),
    ),
)


def _write_pane(part: str | PlotLayout) -> Any:
    return part if isinstance(part, str) else _LAYOUT.write(part)


def _read_pane(json: Any, key: str) -> Any:
    """Id of a plot, or an arrangement of several."""
    return NAME.read(json, key) if isinstance(json, str) else _LAYOUT.read(json, key)


def _describe_pane(definitions: Definitions) -> Json:
    return {"anyOf": [NAME.described(definitions), _LAYOUT.described(definitions)]}


PLOT_LAYOUT_SCHEMA = Schema(
    PlotLayout,
    (
        Entry("direction", choice(("row", "column", "tabs"))),
        Entry(
            "parts",
            many(Kind(_write_pane, _read_pane, _describe_pane)),
        ),
        Entry("shares", many(NUMBER), ()),
    ),
)
_LAYOUT = nested(PLOT_LAYOUT_SCHEMA)
REPORT_SCHEMA = Schema(
    ReportChoice,
    (
        Entry("chapters", many(NAME)),
        Entry("left_out", many(NAME), ()),
        Entry("paper", NAME, "a4"),
    ),
)


PICTURE_SCHEMA = Schema(
    Picture,
    (
        Entry("id", NAME),
        Entry("name", NAME),
        Entry("path", PATH),
        *PLACE,
        Entry("turn", QUANTITY, ZERO),
        Entry("width", QUANTITY),
        Entry("aspect", RATIO, 1.0),
        Entry("opacity", QUANTITY, Quantity(0.5)),
        Entry("locked", FLAG, True),
        *LAST,
    ),
)
END_CONDITION_SCHEMA = Schema(
    EndCondition,
    (
        Entry("quantity", WORD, attribute="channel"),
        Entry("value", QUANTITY, ZERO),
        Entry("direction", choice(DIRECTIONS), "either"),
    ),
)
_RUN = Settings()
_TOUCH = _RUN.contacts
CONTACT_SETTINGS_SCHEMA = Schema(
    ContactSettings,
    (
        Entry("step", QUANTITY, _TOUCH.step),
        Entry("tolerance", QUANTITY, _TOUCH.tolerance),
        Entry("most", whole(1, MOST_ITERATIONS), _TOUCH.most),
        Entry("method", choice(CONTACT_METHODS), _TOUCH.method, soft=True),
        Entry("impacts", choice(IMPACT_LAWS), _TOUCH.impacts, soft=True),
        Entry("slowest", QUANTITY, _TOUCH.slowest),
        Entry("correction", FLAG, True),
        Entry("margin", QUANTITY, None),
        Entry("sleep", QUANTITY, ZERO),
    ),
)
SETTINGS_SCHEMA = Schema(
    Settings,
    (
        Entry("duration", QUANTITY, _RUN.duration),
        Entry("sample_step", QUANTITY, _RUN.sample_step),
        Entry("integrator", choice(INTEGRATOR_TYPES), _RUN.integrator, soft=True),
        Entry("tolerance", QUANTITY, _RUN.tolerance),
        Entry("step", QUANTITY, None),
        Entry("formulation", choice(FORMULATIONS), _RUN.formulation, soft=True),
        Entry("drift", choice(DRIFTS), _RUN.drift, soft=True),
        Entry("alpha", QUANTITY, _RUN.alpha),
        Entry("beta", QUANTITY, _RUN.beta),
        Entry("spectral_radius", QUANTITY, _RUN.spectral_radius),
        Entry("until", many(nested(END_CONDITION_SCHEMA)), ()),
        Entry("contacts", nested(CONTACT_SETTINGS_SCHEMA), _TOUCH),
    ),
)
LESSON_SCHEMA = Schema(
    Lesson,
    (
        Entry("title", WORD, ""),
        Entry("text", NOTE, ""),
        Entry("questions", many(NOTE), ()),
        Entry("claims", many(NOTE), ()),
        Entry("topic", WORD, ""),
        Entry("level", whole(0, 9), 0),
    ),
)
PLANE_SCHEMA = Schema(
    WorkPlane, (Entry("name", NAME), *(Entry(key, row(NUMBER, 3)) for key in ("origin", "u", "v")))
)
_EYE = Camera()
CAMERA_SCHEMA = Schema(
    Camera,
    (
        Entry("target", row(NUMBER, 3), _EYE.target),
        Entry("azimuth", NUMBER, _EYE.azimuth),
        Entry("elevation", NUMBER, _EYE.elevation),
        Entry("distance", NUMBER, _EYE.distance),
        Entry("perspective", FLAG, _EYE.perspective),
        Entry("plane", nested(PLANE_SCHEMA), None),
        Entry("locked", FLAG, _EYE.locked),
        Entry("body", WORD, _EYE.body),
        Entry("turns", FLAG, _EYE.turns),
        Entry("frame", row(NUMBER, 4), _EYE.frame),
    ),
)

VIEW_SCHEMA = Schema(
    View, (Entry("id", NAME), Entry("name", NAME), Entry("camera", nested(CAMERA_SCHEMA)))
)

MEASUREMENT_SCHEMA = Schema(
    Measurement,
    (
        Entry("id", NAME),
        Entry("name", NAME),
        Entry("quantity", WORD, attribute="channel"),
        Entry("times", BYTES),
        Entry("values", BYTES),
        Entry("shift", NUMBER, 0.0),
        Entry("source", WORD, ""),
    ),
)

FEATURE_SCHEMA = Schema(
    Feature,
    (
        Entry("kind", choice(FEATURES)),
        Entry("frame", nested(FRAME_SCHEMA), None),
        Entry("joint", WORD, ""),
    ),
)
GAUGE_SCHEMA = Schema(
    Gauge,
    (
        Entry("id", NAME),
        Entry("name", NAME),
        Entry("type", choice(GAUGE_TYPES)),
        Entry("ends", many(nested(FEATURE_SCHEMA))),
        *LAST,
    ),
)
