"""Shape types as data: all that is known about a type stands in its row: lengths, form, points,
handles, mirror images and words (resources/help/add-a-shape.md).
"""

from collections.abc import Callable, Mapping

import msgspec

from mechstudio.model.geometry.forms import (
    Ball,
    Bar,
    Block,
    Capsule,
    Cylinder,
    Disc,
    Ellipsoid,
    Flat,
    Form,
    Frustum,
    HalfPipe,
    Polyhedron,
    Tube,
)
from mechstudio.model.geometry.outline import Point
from mechstudio.model.geometry.rotation import triple
from mechstudio.model.geometry.sides import SIDES
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.types.sizes import Size, across, along
from mechstudio.translation import Words

Lengths = Mapping[str, float]
Factor = tuple[str, float]
Factors = tuple[Factor, Factor, Factor]
NamedFactors = tuple[str, Factors]


class ShapeDimension(msgspec.Struct, frozen=True):
    """One length of a shape.  zero: True if it may be nothing, as the top of a pointed cone.
    share: of the length that a new shape is given.
    """

    name: str
    label: Words
    zero: bool = False
    share: float = 1.0


class ShapeType(msgspec.Struct, frozen=True):
    """One type of shape, in its own axes.

    dimensions: its lengths.  form(lengths, outline, mesh): the enclosed solid
    (model/geometry/forms.py).  points: names of the points that it offers to frames, each as
    factors of the dimensions: (name, ((dimension or "", factor) for x, y, z)); the form adds those
    that are no multiples of one dimension.
    outline: whether it needs corner points in its xz plane.  mesh: True if it needs a surface of
    triangles.  sizes: ways of dragging its lengths.  flips: its axes along which it may be turned
    inside out and be a shape of its type.  faces: True for shapes drawn facing the viewer, their z
    against the normal of the plane.  contacts: False for shapes without contacts.
    noun: its name while it is drawn, "" for the label.  key: letter in the tool, "" for what is not
    drawn.  drawn: type that it is drawn like in the tool (application/tools/bodies),
    "" for a way of its own.  text: as the menu has it, "" for the label.  words: search words of
    the palette.  rising: pairs of lengths of which the first is less than the second.
    """

    label: Words
    dimensions: tuple[ShapeDimension, ...]
    form: Callable[[Lengths, tuple[Point, ...], Mesh | None], Form]
    points: tuple[NamedFactors, ...] = ()
    outline: bool = False
    mesh: bool = False
    sizes: tuple[Size, ...] = ()
    flips: tuple[int, ...] = (0, 1, 2)
    faces: bool = False
    contacts: bool = True
    noun: Words = ""
    key: str = ""
    drawn: str = ""
    text: Words = ""
    words: Words = ""
    rising: tuple[tuple[str, str], ...] = ()


def _d(zero: tuple[str, ...] = (), **shares: float) -> tuple[ShapeDimension, ...]:
    """Lengths by name with their shares of a new shape."""
    return tuple(
        ShapeDimension(n, n.replace("_", " ").capitalize(), n in zero, share)
        for n, share in shares.items()
    )


_NONE: Factor = ("", 0.0)


def _sides(*reach: Factor) -> tuple[NamedFactors, ...]:
    """The middle and the six sides of something centred on the origin; reach: (dimension, factor)
    to the right, back and top.
    """

    def at(axis: int, sign: float) -> Factors:
        return triple((reach[k][0], sign * reach[k][1]) if k == axis else _NONE for k in range(3))

    return (
        ("centre", (_NONE, _NONE, _NONE)),
        *((name, at(axis, sign)) for name, axis, sign in SIDES),
    )


def _corners(*dimensions: str) -> tuple[NamedFactors, ...]:
    return tuple(
        (
            f"{x} {y} {z}",
            ((dimensions[0], 0.5 * a), (dimensions[1], 0.5 * b), (dimensions[2], 0.5 * c)),
        )
        for x, a in (("left", -1), ("right", 1))
        for y, b in (("front", -1), ("back", 1))
        for z, c in (("bottom", -1), ("top", 1))
    )


_BLOCK_SIZES = (
    *along("length", 0, True, {"length": 0.5}),
    *along("depth", 1, True, {"depth": 0.5}),
    *along("height", 2, True, {"height": 0.5}),
)
# both sides of a link alike, since its ends lie in the middle; beside the middle of its length,
# where it is moved by
_QUARTER = {0: {"length": 0.25}}
_NO_MESH = Mesh(b"", b"")
_TUBE = _d(radius=0.25, inner_radius=0.2, height=0.5)
# the bore on both ends, where it can be seen
_TUBE_SIZES = (
    *across("radius"),
    *across("inner_radius", {2: {"height": 0.5}}),
    *along("height", 2, True, {"height": 0.5}, {0: {"radius": 0.9}}),
)
_WALL = (("inner_radius", "radius"),)

# in the order of the Body menu
SHAPE_TYPES: dict[str, ShapeType] = {
    # centred on the origin
    "box": ShapeType(
        "Box",
        _d(length=1.0, depth=0.5, height=0.5),
        lambda d, outline, mesh: Block(d["length"], d["depth"], d["height"]),
        (
            *_sides(("length", 0.5), ("depth", 0.5), ("height", 0.5)),
            *_corners("length", "depth", "height"),
        ),
        key="b",
        sizes=_BLOCK_SIZES,
    ),
    # axis z, centred on the origin; left, right, front and back lie on the rim halfway up
    "cylinder": ShapeType(
        "Cylinder",
        _d(radius=0.2, height=1.0),
        lambda d, outline, mesh: Cylinder(d["radius"], d["height"]),
        _sides(("radius", 1.0), ("radius", 1.0), ("height", 0.5)),
        key="y",
        words="round shaft",
        sizes=(*across("radius"), *along("height", 2, True, {"height": 0.5})),
    ),
    "disc": ShapeType(
        "Disc",
        _d(radius=0.5, thickness=0.1),
        lambda d, outline, mesh: Disc(d["radius"], d["thickness"]),
        _sides(("radius", 1.0), ("radius", 1.0), ("thickness", 0.5)),
        noun="wheel",
        key="d",
        text="Wheel or disc",
        words="flywheel",
        sizes=(*across("radius"), *along("thickness", 2, True, {"thickness": 0.5})),
        faces=True,
    ),  # axis z, centred on the origin
    # axis z, centred on the origin; the bore goes through
    "tube": ShapeType(
        "Tube",
        _TUBE,
        lambda d, outline, mesh: Tube(d["radius"], d["inner_radius"], d["height"]),
        _sides(("radius", 1.0), ("radius", 1.0), ("height", 0.5)),
        text="Tube or ring",
        key="h",
        drawn="cylinder",
        words="hollow cylinder pipe bush bushing bearing washer drum",
        sizes=_TUBE_SIZES,
        rising=_WALL,
    ),
    # the half of a tube where x > 0, open along -x
    "half_pipe": ShapeType(
        "Half-pipe",
        _TUBE,
        lambda d, outline, mesh: HalfPipe(d["radius"], d["inner_radius"], d["height"]),
        (
            ("centre", (_NONE, _NONE, _NONE)),
            ("floor", (("inner_radius", 1.0), _NONE, _NONE)),
            ("outside", (("radius", 1.0), _NONE, _NONE)),
            ("bottom", (_NONE, _NONE, ("height", -0.5))),
            ("top", (_NONE, _NONE, ("height", 0.5))),
        ),
        key="u",
        drawn="cylinder",
        words="gutter trough channel half tube",
        sizes=(*across("radius")[:1], *_TUBE_SIZES[2:3], *_TUBE_SIZES[4:5], *_TUBE_SIZES[8:]),
        flips=(1, 2),
        rising=_WALL,
    ),
    "sphere": ShapeType(
        "Sphere",
        _d(radius=0.5),
        lambda d, outline, mesh: Ball(d["radius"]),
        _sides(*[("radius", 1.0)] * 3),
        key="s",
        words="ball",
        sizes=(*across("radius"), *along("radius", 2, False, {"radius": 1.0})),
    ),
    # the half axes are half of these, along x, y, z
    "ellipsoid": ShapeType(
        "Ellipsoid",
        _d(length=1.0, depth=0.6, height=0.4),
        lambda d, outline, mesh: Ellipsoid(d["length"], d["depth"], d["height"]),
        _sides(("length", 0.5), ("depth", 0.5), ("height", 0.5)),
        key="e",
        words="egg rattleback oval",
        sizes=_BLOCK_SIZES,
    ),
    # axis z, centred on the origin; height: of the straight part, from the centre of one cap to
    # that of the other, so that the whole is height + 2 radius long and a height of zero is a
    # sphere
    "capsule": ShapeType(
        "Capsule",
        (
            ShapeDimension("radius", "Radius", share=0.2),
            ShapeDimension("height", "Straight height", True, 0.6),
        ),
        lambda d, outline, mesh: Capsule(d["radius"], d["height"]),
        (
            ("centre", (_NONE, _NONE, _NONE)),
            ("lower centre", (_NONE, _NONE, ("height", -0.5))),
            ("upper centre", (_NONE, _NONE, ("height", 0.5))),
        ),
        key="k",
        words="pill rounded rod",
        sizes=(*across("radius"), *along("height", 2, True, {"height": 0.5, "radius": 1.0})),
    ),
    # a circular cone or its frustum about z from -height / 2 to height / 2, centred on the origin
    # halfway up its height; a pointed one has its apex at the top
    "cone": ShapeType(
        "Cone",
        _d(zero=("top_radius",), bottom_radius=0.5, top_radius=0.0, height=1.0),
        lambda d, outline, mesh: Frustum(d["bottom_radius"], d["top_radius"], d["height"]),
        (
            ("centre", (_NONE, _NONE, _NONE)),
            ("bottom", (_NONE, _NONE, ("height", -0.5))),
            ("top", (_NONE, _NONE, ("height", 0.5))),
            *(
                (
                    f"{name} bottom",
                    (
                        ("bottom_radius", sign) if axis == 0 else _NONE,
                        ("bottom_radius", sign) if axis == 1 else _NONE,
                        ("height", -0.5),
                    ),
                )
                for name, axis, sign in SIDES[:4]
            ),
        ),
        key="n",
        words="frustum pointed",
        sizes=(
            *across("bottom_radius", {2: {"height": -0.5}}),
            *across("top_radius", {2: {"height": 0.5}}),
            *along("height", 2, True, {"height": 0.5}),
        ),
        flips=(1, 0),
    ),
    # the convex hull of discs of the given radius about the outline's points in xz, thickness along
    # y
    "plate": ShapeType(
        "Plate",
        _d(zero=("radius",), radius=0.1, thickness=0.05),
        lambda d, outline, mesh: Flat(outline, d["radius"], d["thickness"]),
        outline=True,
        key="p",
        text="Plate or polygon",
        words="triangle coupler extrude",
        sizes=along("thickness", 1, True, {"thickness": 0.5}),
    ),
    # along x from the origin, flat in xz (its holes have the axis y), round ends of radius width /
    # 2 about both points
    "link": ShapeType(
        "Link",
        _d(length=1.0, width=0.2, thickness=0.05),
        lambda d, outline, mesh: Bar(
            ((0.0, 0.0), (d["length"], 0.0)), d["width"] / 2, d["thickness"]
        ),
        (
            ("start", (_NONE, _NONE, _NONE)),
            ("end", (("length", 1.0), _NONE, _NONE)),
            ("middle", (("length", 0.5), _NONE, _NONE)),
        ),
        noun="bar",
        key="l",
        text="Bar",
        words="link rod without joints",
        sizes=(
            *along("width", 2, False, {"width": 0.5}, _QUARTER),
            *along("thickness", 1, False, {"thickness": 0.5}, _QUARTER),
        ),
        flips=(1, 2),
    ),
    # a closed surface of triangles, as it lies in its file
    "mesh": ShapeType(
        "Mesh",
        (),
        lambda d, outline, mesh: Polyhedron(mesh or _NO_MESH),
        mesh=True,
    ),
}
