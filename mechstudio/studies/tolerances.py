"""Standard tolerances of lengths by grades: ISO 286-1:2010, table 1, nominal sizes to 500 mm."""

import math

from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.translation import tr

# upper ends of the ranges of nominal sizes [mm]
_SIZES = (3, 6, 10, 18, 30, 50, 80, 120, 180, 250, 315, 400, 500)
# tolerances [µm] by grade, one for each range of sizes
GRADES: dict[int, tuple[int, ...]] = {
    5: (4, 5, 6, 8, 9, 11, 13, 15, 18, 20, 23, 25, 27),
    6: (6, 8, 9, 11, 13, 16, 19, 22, 25, 29, 32, 36, 40),
    7: (10, 12, 15, 18, 21, 25, 30, 35, 40, 46, 52, 57, 63),
    8: (14, 18, 22, 27, 33, 39, 46, 54, 63, 72, 81, 89, 97),
    9: (25, 30, 36, 43, 52, 62, 74, 87, 100, 115, 130, 140, 155),
    10: (40, 48, 58, 70, 84, 100, 120, 140, 160, 185, 210, 230, 250),
    11: (60, 75, 90, 110, 130, 160, 190, 220, 250, 290, 320, 360, 400),
    12: (100, 120, 150, 180, 210, 250, 300, 350, 400, 460, 520, 570, 630),
    13: (140, 180, 220, 270, 330, 390, 460, 540, 630, 720, 810, 890, 970),
}


def tolerance(size: float, grade: int) -> float:
    """Standard tolerance [m], from the lower limit to the upper, of a nominal size [m].  Raises
    ExpressionError for a grade or a size that the table does not have.
    """
    row = GRADES.get(grade)
    if row is None:
        raise ExpressionError(
            tr(
                "there are the grades IT{least} to IT{most}, not IT{grade}",
                least=min(GRADES),
                most=max(GRADES),
                grade=grade,
            )
        )
    millimetres = 1e3 * size
    # 3 mm belong to "up to 3", whatever binary rounding says
    place = next((k for k, end in enumerate(_SIZES) if millimetres <= end * (1 + 1e-12)), None)
    if place is None or not math.isfinite(size) or size <= 0.0:
        raise ExpressionError(
            tr(
                "tolerance grades are for sizes above 0 and up to {most} mm, not {size:.6g} mm",
                most=_SIZES[-1],
                size=millimetres,
            )
        )
    return row[place] * 1e-6
