"""Shape types as data: the dimensions of each and the points that it names."""

import msgspec


class ShapeDimension(msgspec.Struct, frozen=True):
    """One length of a shape."""

    name: str
    label: str


class ShapeType(msgspec.Struct, frozen=True):
    """One type of shape, in its own axes.

    dimensions: its lengths.   points: names of the points that it offers to frames, each as factors of the dimensions:
    (name, ((dimension or "", factor) for x, y, z)).   outline: whether it needs corner points in its xz plane.
    """

    label: str
    dimensions: tuple[ShapeDimension, ...]
    points: tuple[tuple[str, tuple[tuple[str, float], ...]], ...] = ()
    outline: bool = False


def _d(*names):
    return tuple(ShapeDimension(n, n.replace("_", " ").capitalize()) for n in names)


_NONE = ("", 0.0)

SHAPE_TYPES: dict[str, ShapeType] = {
    # along x from the origin, flat in xz (its holes have the axis y), round ends of radius width / 2 about both points
    "link": ShapeType("Link", _d("length", "width", "thickness"),
                      (("start", (_NONE, _NONE, _NONE)), ("end", (("length", 1.0), _NONE, _NONE)), ("middle", (("length", 0.5), _NONE, _NONE)))),
    # the convex hull of discs of the given radius about the outline's points in xz, thickness along y
    "plate": ShapeType("Plate", _d("radius", "thickness"), outline=True),
    # centred on the origin
    "box": ShapeType("Box", _d("length", "depth", "height")),
    # axis z, centred on the origin
    "cylinder": ShapeType("Cylinder", _d("radius", "height"),
                          (("bottom", (_NONE, _NONE, ("height", -0.5))), ("top", (_NONE, _NONE, ("height", 0.5))))),
    "disc": ShapeType("Disc", _d("radius", "thickness")),           # axis z, centred on the origin
    "sphere": ShapeType("Sphere", _d("radius")),
}
