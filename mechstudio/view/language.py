"""The language of the window: which one a preference means, and Qt's own words in it."""

from PySide6 import QtCore, QtWidgets

from mechstudio import translation
from mechstudio.translation import ENGLISH

_installed: list[QtCore.QTranslator] = []
# keys are called as they are engraved on most keyboards, and as the manual has them
KEYS = ("Shift", "Ctrl", "Alt", "Esc", "Enter", "Return", "Tab", "Del", "Home", "End")


class _QtWords(QtCore.QTranslator):
    """Qt's own words in a language, without those of the keys."""

    def translate(
        self, context: str, text: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        if context == "QShortcut" and text in KEYS:
            return text
        return super().translate(context, text, disambiguation, n)


def spoken(choice: str) -> str:
    """Code of the language that a preference means: a key of LANGUAGES, "" for that of the
    environment variable, else of the system.
    """
    given = translation.given()
    return choice or given or translation.nearest(QtCore.QLocale.system().uiLanguages())


def speak(app: QtWidgets.QApplication, code: str) -> None:
    """Show all that is made from now on in a language, Qt's own dialogs too.

    LookupError: there is no catalogue of it.
    """
    translation.use(code)
    for translator in _installed:
        app.removeTranslator(translator)
    _installed.clear()
    if code == ENGLISH:
        return
    folder = QtCore.QLibraryInfo.path(QtCore.QLibraryInfo.LibraryPath.TranslationsPath)
    translator = _QtWords(app)
    if translator.load(f"qtbase_{code}", folder):
        app.installTranslator(translator)
        _installed.append(translator)
