"""The sections of a project file: their order, their schemas, and what findings call their
entries.
"""

from mechstudio.files.format import lesson_schema, schema
from mechstudio.files.format.entry_types import NOTE, QUANTITY, VECTOR
from mechstudio.model.mechanism import Mechanism
from mechstudio.translation import Words

HEADER = "mechstudio"  # key of the format number, by which a file is known
MECHANISM = {
    "bodies": schema.BODY_SCHEMA,
    "joints": schema.JOINT_SCHEMA,
    "couplings": schema.COUPLING_SCHEMA,
    "drives": schema.DRIVE_SCHEMA,
    "forces": schema.FORCE_SCHEMA,
}
# sections that are lists of entries, each with an id
LISTS = {
    "parameters": schema.PARAMETER_SCHEMA,
    **MECHANISM,
    "groups": schema.GROUP_SCHEMA,
    "pictures": schema.PICTURE_SCHEMA,
    "plots": schema.PLOT_SCHEMA,
    "marks": schema.MARK_SCHEMA,
    "views": schema.VIEW_SCHEMA,
    "measurements": schema.MEASUREMENT_SCHEMA,
    "gauges": schema.GAUGE_SCHEMA,
    "steps": lesson_schema.STEP_SCHEMA,
}
# sections that are one object
OBJECTS = {
    "lesson": schema.LESSON_SCHEMA,
    "settings": schema.SETTINGS_SCHEMA,
    "view": schema.CAMERA_SCHEMA,
    "ground": schema.GROUND_SCHEMA,
    "contacts": schema.CONTACTS_SCHEMA,
    "plot_layout": schema.PLOT_LAYOUT_SCHEMA,
}
# sections that are one value
VALUES = {"note": NOTE, "gravity": VECTOR, "start": QUANTITY}
ORDER = (
    "note",
    "lesson",
    "settings",
    "gravity",
    "start",
    "view",
    "parameters",
    "ground",
    *MECHANISM,
    "contacts",
    "groups",
    "pictures",
    "plots",
    "marks",
    "plot_layout",
    "views",
    "measurements",
    "gauges",
    "steps",
)
WORDS: dict[str, Words] = {
    "parameters": "Parameter",
    "bodies": "Body",
    "joints": "Joint",
    "couplings": "Coupling",
    "drives": "Drive",
    "forces": "Force",
    "groups": "Group",
    "pictures": "Picture",
    "plots": "Plot",
    "marks": "Mark",
    "views": "Kept view",
    "measurements": "Measured data",
    "gauges": "Gauge",
    "steps": "Step of the lesson",
    "plot_layout": "The layout of the plots",
    "note": "The note",
    "lesson": "The lesson",
    "settings": "The settings",
    "gravity": "Gravity",
    "start": "The start",
    "view": "The view",
    "ground": "Ground",
    "contacts": "Contacts",
}
DEFAULT_GRAVITY = Mechanism().gravity
DEFAULT_GROUND = Mechanism().ground
DEFAULT_CONTACTS = Mechanism().contacts
