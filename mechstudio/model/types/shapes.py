"""Shape types as data: the dimensions of each and the points that it names."""

import msgspec

from mechstudio.model.geometry.sides import SIDES


class ShapeDimension(msgspec.Struct, frozen=True):
    """One length of a shape.  zero: True if it may be nothing, as the top of a pointed cone.
    share: of the length that a new shape is given.
    """

    name: str
    label: str
    zero: bool = False
    share: float = 1.0


class ShapeType(msgspec.Struct, frozen=True):
    """One type of shape, in its own axes.

    dimensions: its lengths.  points: names of the points that it offers to frames, each as factors
    of the dimensions: (name, ((dimension or "", factor) for x, y, z)); model/shape_points.py adds
    those that are no multiples of one dimension.
    outline: whether it needs corner points in its xz plane.  mesh: True if it needs a surface of
    triangles.  noun: what it is called while it is drawn, "" for the label.  key: letter in the
    tool, "" for what is not drawn.  text: as the menu has it, "" for the label.  words: search
    words of the palette.
    """

    label: str
    dimensions: tuple[ShapeDimension, ...]
    points: tuple[tuple[str, tuple[tuple[str, float], ...]], ...] = ()
    outline: bool = False
    mesh: bool = False
    noun: str = ""
    key: str = ""
    text: str = ""
    words: str = ""


def _d(zero: tuple[str, ...] = (), **shares: float) -> tuple[ShapeDimension, ...]:
    """Lengths by name with their shares of a new shape."""
    return tuple(
        ShapeDimension(n, n.replace("_", " ").capitalize(), n in zero, share)
        for n, share in shares.items()
    )


_NONE = ("", 0.0)


def _sides(*reach: tuple[str, float]):
    """The middle and the six sides of something centred on the origin; reach: (dimension, factor)
    to the right, back and top.
    """
    at = lambda axis, sign: tuple(
        (reach[k][0], sign * reach[k][1]) if k == axis else _NONE for k in range(3)
    )
    return (("centre", (_NONE,) * 3), *((name, at(axis, sign)) for name, axis, sign in SIDES))


def _corners(*dimensions: str):
    return tuple(
        (
            f"{x} {y} {z}",
            ((dimensions[0], 0.5 * a), (dimensions[1], 0.5 * b), (dimensions[2], 0.5 * c)),
        )
        for x, a in (("left", -1), ("right", 1))
        for y, b in (("front", -1), ("back", 1))
        for z, c in (("bottom", -1), ("top", 1))
    )


# in the order of the Body menu
SHAPE_TYPES: dict[str, ShapeType] = {
    # centred on the origin
    "box": ShapeType(
        "Box",
        _d(length=1.0, depth=0.5, height=0.5),
        (
            *_sides(("length", 0.5), ("depth", 0.5), ("height", 0.5)),
            *_corners("length", "depth", "height"),
        ),
        key="b",
    ),
    # axis z, centred on the origin; left, right, front and back lie on the rim halfway up
    "cylinder": ShapeType(
        "Cylinder",
        _d(radius=0.2, height=1.0),
        _sides(("radius", 1.0), ("radius", 1.0), ("height", 0.5)),
        key="y",
        words="round shaft",
    ),
    "disc": ShapeType(
        "Disc",
        _d(radius=0.5, thickness=0.1),
        _sides(("radius", 1.0), ("radius", 1.0), ("thickness", 0.5)),
        noun="wheel",
        key="d",
        text="Wheel or disc",
        words="flywheel",
    ),  # axis z, centred on the origin
    "sphere": ShapeType(
        "Sphere",
        _d(radius=0.5),
        _sides(*[("radius", 1.0)] * 3),
        key="s",
        words="ball",
    ),
    # the half axes are half of these, along x, y, z
    "ellipsoid": ShapeType(
        "Ellipsoid",
        _d(length=1.0, depth=0.6, height=0.4),
        _sides(("length", 0.5), ("depth", 0.5), ("height", 0.5)),
        key="e",
        words="egg rattleback oval",
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
        (
            ("centre", (_NONE,) * 3),
            ("lower centre", (_NONE, _NONE, ("height", -0.5))),
            ("upper centre", (_NONE, _NONE, ("height", 0.5))),
        ),
        key="k",
        words="pill rounded rod",
    ),
    # a circular cone or its frustum about z from -height / 2 to height / 2, centred on the origin
    # halfway up its height; a pointed one has its apex at the top
    "cone": ShapeType(
        "Cone",
        _d(zero=("top_radius",), bottom_radius=0.5, top_radius=0.0, height=1.0),
        (
            ("centre", (_NONE,) * 3),
            ("bottom", (_NONE, _NONE, ("height", -0.5))),
            ("top", (_NONE, _NONE, ("height", 0.5))),
            *(
                (
                    f"{name} bottom",
                    tuple(("bottom_radius", sign) if k == axis else _NONE for k in range(2))
                    + (("height", -0.5),),
                )
                for name, axis, sign in SIDES[:4]
            ),
        ),
        key="n",
        words="frustum pointed",
    ),
    # the convex hull of discs of the given radius about the outline's points in xz, thickness along
    # y
    "plate": ShapeType(
        "Plate",
        _d(zero=("radius",), radius=0.1, thickness=0.05),
        outline=True,
        key="p",
        text="Plate or polygon",
        words="triangle coupler extrude",
    ),
    # along x from the origin, flat in xz (its holes have the axis y), round ends of radius width /
    # 2 about both points
    "link": ShapeType(
        "Link",
        _d(length=1.0, width=0.2, thickness=0.05),
        (
            ("start", (_NONE, _NONE, _NONE)),
            ("end", (("length", 1.0), _NONE, _NONE)),
            ("middle", (("length", 0.5), _NONE, _NONE)),
        ),
        noun="bar",
        key="l",
        text="Bar",
        words="link rod without joints",
    ),
    # a closed surface of triangles, as it lies in its file
    "mesh": ShapeType(
        "Mesh",
        (),
        mesh=True,
    ),
}
