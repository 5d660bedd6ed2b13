"""The language of the window: which one a preference means, and Qt's own words in it."""

from PySide6 import QtCore, QtWidgets

from mechstudio import translation
from mechstudio.translation import ENGLISH

_installed: list[QtCore.QTranslator] = []


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
    translator = QtCore.QTranslator(app)
    if translator.load(f"qtbase_{code}", folder):
        app.installTranslator(translator)
        _installed.append(translator)
