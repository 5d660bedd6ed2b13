"""The sections of a project file: their order, their schemas, and what findings call their
entries.
"""

from mechstudio.files.format import (
    lesson_schema,
    mechanism_schemas,
    project_schemas,
    study_schema,
)
from mechstudio.files.format.entry_types import NOTE, QUANTITY, VECTOR
from mechstudio.model.mechanism import Mechanism
from mechstudio.translation import Words

HEADER = "mechstudio"  # key of the format number, by which a file is known
MECHANISM = {
    "bodies": mechanism_schemas.BODY_SCHEMA,
    "joints": mechanism_schemas.JOINT_SCHEMA,
    "couplings": mechanism_schemas.COUPLING_SCHEMA,
    "drives": mechanism_schemas.DRIVE_SCHEMA,
    "forces": mechanism_schemas.FORCE_SCHEMA,
}
# sections that are lists of entries, each with an id
LISTS = {
    "parameters": project_schemas.PARAMETER_SCHEMA,
    **MECHANISM,
    "groups": project_schemas.GROUP_SCHEMA,
    "pictures": project_schemas.PICTURE_SCHEMA,
    "plots": project_schemas.PLOT_SCHEMA,
    "marks": project_schemas.MARK_SCHEMA,
    "views": project_schemas.VIEW_SCHEMA,
    "measurements": project_schemas.MEASUREMENT_SCHEMA,
    "gauges": project_schemas.GAUGE_SCHEMA,
    "steps": lesson_schema.STEP_SCHEMA,
    "studies": study_schema.STUDY_SCHEMA,
}
# sections that are one object
OBJECTS = {
    "lesson": project_schemas.LESSON_SCHEMA,
    "settings": project_schemas.SETTINGS_SCHEMA,
    "view": project_schemas.CAMERA_SCHEMA,
    "ground": mechanism_schemas.GROUND_SCHEMA,
    "contacts": mechanism_schemas.CONTACTS_SCHEMA,
    "plot_layout": project_schemas.PLOT_LAYOUT_SCHEMA,
    "report": project_schemas.REPORT_SCHEMA,
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
    "report",
    "studies",
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
    "studies": "Study",
    "plot_layout": "The layout of the plots",
    "report": "The choice of the report",
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
