"""Numbers of the run settings, of gravity, of the start and of pictures."""

from collections.abc import Iterator

from mechstudio.model.contact import ContactSettings
from mechstudio.model.element_fields.contacts import CONTACT_FIELDS
from mechstudio.model.element_fields.field import SOLID_SIZES, Field, placement_fields
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Settings
from mechstudio.model.results.channels import channels
from mechstudio.translation import Words, tr

UNTIL: Words = "Ends when"
SETTINGS_FIELDS = (
    Field(("duration",), "Duration", "time", least=1e-9, most=1e9),
    Field(("sample_step",), "Sample every", "time", least=1e-9, most=1e9),
    Field(("tolerance",), "Tolerance", "number", least=1e-15, most=0.1),
    Field(("step",), "Largest step", "time", "", True, 1e-9, 1e9),
    Field(("alpha",), "Baumgarte α [1/s]", "number", least=0.0, most=1e9),
    Field(("beta",), "Baumgarte β [1/s]", "number", least=0.0, most=1e9),
    Field(("spectral_radius",), "Spectral radius", "number", least=0.0, most=1.0),
)
GRAVITY_FIELDS = tuple(
    Field((k,), f"Gravity {axis}", "acceleration") for k, axis in enumerate("XYZ")
)
START_FIELDS = (Field((0,), "Begins at", "time", least=0.0, most=1e9),)


def settings_fields(settings: Settings, mechanism: Mechanism | None = None) -> tuple[Field, ...]:
    """Every number of the settings.  mechanism: what gives the values that end a run their
    dimensions; those of quantities that it has not are left out.
    """
    known = channels(mechanism) if settings.until and mechanism is not None else {}
    touching = settings.contacts != ContactSettings() or (
        mechanism is not None and mechanism.contacts.enabled
    )
    return (
        *SETTINGS_FIELDS,
        *(CONTACT_FIELDS if touching else ()),
        *(
            Field(("until", k, "value"), "Value", known[c.channel].dimension, tr(UNTIL))
            for k, c in enumerate(settings.until)
            if c.channel in known
        ),
    )


def picture_fields() -> Iterator[Field]:
    """Every number of a picture."""
    yield Field(("width",), "Width", "length", least=SOLID_SIZES[0], most=SOLID_SIZES[1])
    yield Field(("opacity",), "Opacity", "number", least=0.0, most=1.0)
    yield Field(("turn",), "Turn", "angle")
    yield from placement_fields(("placement",), "Place")
