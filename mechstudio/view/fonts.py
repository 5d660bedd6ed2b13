"""The interface's font for text that is painted, in the scene and in cards."""

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

from mechstudio.application.resources import resource
from mechstudio.tokens import metrics


def ensure_fonts() -> None:
    """Load the interface's font where no theme has done so."""
    if QFontInfo(QFont(metrics()["font"]["family"])).family() != metrics()["font"]["family"]:
        for path in sorted(resource("fonts").glob("*.otf")):
            QFontDatabase.addApplicationFont(str(path))


def font(size: float, weight: QFont.Weight = QFont.Weight.DemiBold) -> QFont:
    """The interface's font at a pixel size."""
    f = QFont(metrics()["font"]["family"])
    f.setPixelSize(max(1, round(size)))
    f.setWeight(weight)
    f.setFeature(QFont.Tag("tnum"), 1)
    f.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return f
