"""Numbers of joints: parameters, coordinates, limits, curve and frames."""

from collections.abc import Iterator

from mechstudio.model.element_fields.field import RATES, SOLID_SIZES, Field, frame_fields
from mechstudio.model.geometry.curve_forms import CURVE_FORMS
from mechstudio.model.mechanism import Joint
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr

_STIFFNESS = {"angle": "torsional_stiffness", "length": "stiffness"}
_DAMPING = {"angle": "torsional_damping", "length": "damping"}


def joint_fields(joint: Joint) -> Iterator[Field]:
    """Every number of a joint."""
    kind = JOINT_TYPES[joint.type]
    for p in kind.parameters:
        yield Field(
            ("parameters", p.name),
            p.label,
            p.dimension,
            least=max(p.least, -SOLID_SIZES[1]),
            most=SOLID_SIZES[1],
        )
    for k, coordinate in enumerate(kind.coordinates):
        yield Field(
            ("rates", k),
            tr("Initial {coordinate} rate", coordinate=tr(coordinate.name)),
            RATES[coordinate.dimension],
            "",
            True,
        )
    for k, coordinate in enumerate(kind.coordinates):
        yield Field(
            ("values", k),
            tr("Typed {coordinate}", coordinate=tr(coordinate.name)),
            coordinate.dimension,
            "Position",
            True,
        )
    for k, limit in enumerate(joint.limits):
        coordinate = kind.coordinates[limit.coordinate]
        group = (
            "Limits"
            if kind.dof == 1
            else tr("Limits of {coordinate}", coordinate=tr(coordinate.name))
        )
        yield Field(("limits", k, "lower"), tr("Lower stop"), coordinate.dimension, group, True)
        yield Field(("limits", k, "upper"), tr("Upper stop"), coordinate.dimension, group, True)
        yield Field(
            ("limits", k, "restitution"), "Restitution", "number", group, least=0.0, most=1.0
        )
        yield Field(
            ("limits", k, "stiffness"),
            tr("Stop stiffness"),
            _STIFFNESS[coordinate.dimension],
            group,
            True,
            least=0.0,
        )
        yield Field(
            ("limits", k, "damping"),
            tr("Stop damping"),
            _DAMPING[coordinate.dimension],
            group,
            least=0.0,
        )
    if joint.curve is not None:
        if CURVE_FORMS[joint.curve.form].fillets:
            yield Field(
                ("curve", "radius"), tr("Fillet radius"), "length", "Curve", True, least=0.0
            )
        if not JOINT_TYPES[joint.type].has_face or joint.curve.offset is not None:
            yield Field(("curve", "offset"), tr("Roller radius"), "length", "Curve", True)
        for k in range(len(joint.curve.points)):
            for i, axis in enumerate("XYZ"):
                yield Field(
                    ("curve", "points", k, i),
                    tr("Point {number} {axis}", number=k + 1, axis=axis),
                    "length",
                    "Curve",
                )
    yield from frame_fields(("frame_a",), joint.frame_a, tr("Frame on first body"))
    yield from frame_fields(("frame_b",), joint.frame_b, tr("Frame on second body"))
