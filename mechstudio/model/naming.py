"""Names: valid names, their quotation in sentences, and finding elements by the name that a person
gives them.
"""

import unicodedata
from collections.abc import Mapping

from mechstudio.translation import comma, tr

LONGEST_NAME = 200
LONGEST_QUOTE = 60
UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # kinds of characters
JOINERS = "\u200c\u200d"


def _seen(text: str) -> str:
    return "".join(c for c in text if c in JOINERS or unicodedata.category(c) not in UNSEEN)


def is_shown(name: str) -> bool:
    """True if all of a name can be seen, and on one label."""
    return _seen(name) == name and len(name) <= LONGEST_NAME


def presentable(name: str) -> str:
    """A name as a file can hold and a label can show it: nothing that cannot be seen, which pasting
    brings in, and not endless.

    Marks of direction would turn whole sentences round that hold the name; what joins the letters
    of some scripts stays.
    """
    return _seen(name).strip().strip(JOINERS)[:LONGEST_NAME].rstrip()


def quoted(text: str, longest: int = LONGEST_QUOTE) -> str:
    """A text of any kind as a sentence quotes it: on one line, and cut where it has more than
    `longest` characters.
    """
    text = _seen(" ".join(text.split()))
    return text if len(text) <= longest else text[: longest - 3] + "…"


def find_id(names: Mapping[str, str], requested: str, what: str) -> str:
    """The id of an element given by name or id; `names` maps ids to names.  Raises KeyError with a
    sentence.
    """
    if requested in names:
        return requested
    found = [id for id, name in names.items() if name == requested]
    if len(found) == 1:
        return found[0]
    if found:
        raise KeyError(
            tr(
                "{count} elements are called {requested}; use one of their ids {found}.",
                count=len(found),
                requested=quoted(requested),
                found=comma().join(found),
            )
        )
    raise KeyError(
        tr(
            "There is no {what} {requested}; there are {values}.",
            what=what,
            requested=quoted(requested),
            values=comma().join(names.values()) or tr("none"),
        )
    )
