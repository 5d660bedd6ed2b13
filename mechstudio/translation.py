"""Words in the language of the reader.  Every shown sentence passes through `tr` or `trn`; what a
row holds is annotated as `Words` and passes through `tr` where it is shown.
"""

import functools
import gettext
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

LANGUAGE = "MECHSTUDIO_LANGUAGE"  # environment variable, which started processes inherit
FOLDER = "MECHSTUDIO_LOCALE"  # the same: folder of catalogues in place of the package's own
ENGLISH = "en"  # language of the sources, which needs no catalogue
PROGRAM, SAMPLES, MANUAL = "mechstudio", "samples", "help"  # names of catalogues
# what the program is shown in, each by its own name, which is that in all languages
LANGUAGES = {ENGLISH: "English", "fr": "Français", "zh_CN": "简体中文"}
DECIMAL_COMMA = {"fr"}
_POINT = re.compile(r"(?<=\d)\.(?=\d)")

# English text that a row, a table or a constant holds: the catalogue takes what stands in fields
# and constants with this annotation, and the code that shows one passes it through `tr`
Words = Annotated[str, "words"]

_language = ENGLISH
_catalogue: gettext.NullTranslations | None = None


def use(language: str) -> None:
    """Show everything in a language from now on, also in processes that are started later.

    language: a code such as "en", "de" or "pt_BR".  LookupError: there is no catalogue of it.
    """
    global _language, _catalogue
    catalogue = _catalogue_of(PROGRAM, language)
    if catalogue is None and language != ENGLISH:
        raise LookupError(f"no catalogue of the language {language!r}")
    _language, _catalogue = language, catalogue
    os.environ[LANGUAGE] = language


def _catalogue_of(domain: str, language: str) -> gettext.NullTranslations | None:
    """Catalogue of a language, one object as long as the folder is one; None where there is
    none.
    """
    folder = os.environ.get(FOLDER) or str(Path(__file__).with_name("locale"))
    return _catalogue_in(folder, domain, language)


@functools.cache
def _catalogue_in(folder: str, domain: str, language: str) -> gettext.NullTranslations | None:
    try:
        return gettext.translation(domain, folder, [language])
    except OSError:
        return None


def language() -> str:
    """Code of the language that everything is shown in."""
    return _language


def lend() -> None:
    """Let the standard library, whose argparse reads gettext, find its words in the catalogue of
    the language shown.
    """
    folder = os.environ.get(FOLDER) or str(Path(__file__).with_name("locale"))
    gettext.bindtextdomain(PROGRAM, folder)
    gettext.textdomain(PROGRAM)
    os.environ["LANGUAGE"] = _language


def has_decimal_comma() -> bool:
    """True if readers of the language shown write 1,5 for one and a half.  Files, code and typeset
    formulas have a point in every language.
    """
    return _language in DECIMAL_COMMA


def localised(number: str) -> str:
    """A number that was written with a point, for the eye: with the decimal sign of the language
    shown.
    """
    return _POINT.sub(",", number) if has_decimal_comma() else number


def separator() -> str:
    """Sign between numbers that stand in one text: a semicolon where decimals have a comma."""
    return ";" if has_decimal_comma() else ","


def series(numbers: Iterable[str]) -> str:
    """Numbers beside each other, such as the three of a direction: "0.6, 0.8, 0"."""
    # a narrow blank stands before the semicolon of the one language with commas, French
    return ("\u202f; " if has_decimal_comma() else ", ").join(numbers)


def comma() -> str:
    """Sign between the words of a list, with its blank."""
    return "、" if _language == "zh_CN" else ", "


class _Number(float):
    """A number that fills in a sentence with the decimal sign of the language shown."""

    def __format__(self, spec: str) -> str:
        return localised(super().__format__(spec))


class _Count(int):
    """A count that fills in a sentence with narrow blanks between its thousands."""

    def __format__(self, spec: str) -> str:
        return super().__format__(spec).replace(",", "\u202f")


def _filled(text: str, values: dict[str, object]) -> str:
    if has_decimal_comma():
        shown = {float: _Number, int: _Count}
        values = {k: shown.get(type(v), lambda v: v)(v) for k, v in values.items()}
    return text.format(**values)


def nearest(codes: Iterable[str]) -> str:
    """The first language of LANGUAGES that one of the requested ones means, else English.

    codes: codes as systems write them, the best first: "fr-CA", "zh_Hans_CN", "de".
    """
    for code in codes:
        parts = code.replace("-", "_").split("_")
        if parts[0] == "zh":
            # traditional script is another language than the one that there is
            if not {"Hant", "TW", "HK", "MO"} & set(parts):
                return "zh_CN"
        elif parts[0] in LANGUAGES:
            return parts[0]
    return ENGLISH


def tr(text: str, /, **values: object) -> str:
    """The text in the language shown, with {names} filled in by `str.format`.

    text: the English text, a literal or what is annotated as `Words`; formatted only if there are
    values.
    """
    if _catalogue and text:
        text = _catalogue.gettext(text)
    return _filled(text, values) if values else text


def catalogue(domain: str) -> gettext.NullTranslations | None:
    """Words of the files shipped with the program in the language shown; None for English.

    domain: SAMPLES or MANUAL.
    """
    return _catalogue_of(domain, _language)


def sample_text(text: str, language: str = "") -> str:
    """Words of a sample's lesson in a language, "" for the one shown; others as they stand."""
    words = _catalogue_of(SAMPLES, language or _language)
    return words.gettext(text) if words and text else text


def trn(singular: str, plural: str, count: int, /, **values: object) -> str:
    """The text for a count of things, chosen by the rules of the language shown; {count} and the
    other {names} are filled in.
    """
    if _catalogue:
        text = _catalogue.ngettext(singular, plural, count)
    else:
        text = singular if count == 1 else plural
    return _filled(text, {"count": count, **values})


def given() -> str:
    """Code that the environment of this process sets; "" where it sets none."""
    return _requested


_requested = os.environ.get(LANGUAGE, "")
if _requested:
    try:
        use(_requested)
    except LookupError:
        pass  # English is what there is
