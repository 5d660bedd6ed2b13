"""The interface's font for text that is painted, in the scene and in cards."""

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

from mechstudio.application.resources import resource
from mechstudio.tokens import metrics


def families() -> list[str]:
    """Families of the interface: the second one has the letters that the first one lacks."""
    return [metrics()["font"]["family"], metrics()["font"]["chinese"]]


def ensure_fonts() -> None:
    """Load the interface's fonts where that has not been done."""
    if any(QFontInfo(QFont(family)).family() != family for family in families()):
        for path in sorted(resource("fonts").glob("*.otf")):
            QFontDatabase.addApplicationFont(str(path))


def font(size: float, weight: QFont.Weight = QFont.Weight.DemiBold) -> QFont:
    """The interface's font at a pixel size."""
    f = QFont(families())
    f.setPixelSize(max(1, round(size)))
    f.setWeight(weight)
    # tabular digits: a running clock must not jitter
    f.setFeature(QFont.Tag("tnum"), 1)
    f.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return f
