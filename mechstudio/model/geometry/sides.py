"""The six sides of a box as they stand in the front view: x to the right, z up, y away from the
viewer.
"""

# (name, axis, sign)
SIDES = (
    ("left", 0, -1.0),
    ("right", 0, 1.0),
    ("front", 1, -1.0),
    ("back", 1, 1.0),
    ("bottom", 2, -1.0),
    ("top", 2, 1.0),
)
