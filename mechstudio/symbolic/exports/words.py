"""A user's words on their way into files of other programs: one printable line each, and names that
any language takes.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from mechstudio.model.equations.terms import Equations

# control, format (they may reverse what follows), surrogate and unassigned characters; joiners
# shape letters of some scripts
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn")
# what a part of the equations is called where its own name is that of a number: g is gravity
VECTORS = {"g": "g_q"}
_JOINERS = "\u200c\u200d"
_PLAIN = bytes(
    c for c in range(0x20, 0x7F) if c != ord("\\")
)  # ASCII that JSON writes as it stands
_GREEK = re.compile(r"GREEK (SMALL|CAPITAL) LETTER (?:FINAL )?(\w+)")


Struct = TypeVar("Struct", bound=msgspec.Struct)


def line(text: str) -> str:
    """A text as one line of characters that can be seen."""
    return " ".join(
        "".join(
            " " if c.isspace() else c
            for c in text
            if c.isspace() or c in _JOINERS or unicodedata.category(c) not in _HIDDEN
        ).split()
    )


def clean(tree: Struct) -> Struct:
    """A tree of terms with every text as one printable line, which spares each printer the same
    care.
    """

    def walked(x: Any) -> Any:
        if isinstance(x, str):
            return x if x.isascii() and x.isprintable() else line(x)
        if isinstance(x, dict):
            return {k: walked(v) for k, v in x.items()}
        return [walked(v) for v in x] if isinstance(x, list | tuple) else x

    if _is_clean(tree):
        return tree
    return msgspec.convert(walked(msgspec.to_builtins(tree)), type(tree))


def _is_clean(tree: msgspec.Struct) -> bool:
    """True if `line` would leave every text as it is.  Read from the tree as one text, which takes
    a fiftieth of the time of a walk; False where that does not decide it.
    """
    try:
        text = msgspec.json.encode(tree)
    except UnicodeEncodeError:
        return False  # half of a character
    # what is left is not ASCII, or a control character, which is written with a backslash
    others = set(text.translate(None, _PLAIN).decode())
    if any(
        c == "\\" or c.isspace() or (unicodedata.category(c) in _HIDDEN and c not in _JOINERS)
        for c in others
    ):
        return False
    return not others or not any(blanks in text for blanks in (b"  ", b'" ', b' "'))


def ascii_word(text: str) -> str:
    """Letters, digits and underscores that stand for a text: Greek letters by name, accents left
    out, others by their code.
    """
    out = []
    for c in text:
        plain = unicodedata.normalize("NFKD", c).encode("ascii", "ignore").decode()
        greek = _GREEK.match(unicodedata.name(c, ""))
        if greek:
            out.append(greek[2].lower() if greek[1] == "SMALL" else greek[2].capitalize())
        elif plain:
            out.append("".join(p if p.isalnum() or p == "_" else "_" for p in plain))
        else:
            out.append(f"u{ord(c):04x}")
    word = "".join(out)
    return word if word[:1].isalpha() else "p_" + word


def distinct(names: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """For each name an ASCII one that no other has and that is not taken."""
    used, out = set(taken), {}
    for name in dict.fromkeys(names):
        word = base = ascii_word(name)
        k = 1
        while word in used:
            k += 1
            word = f"{base}_{k}"
        used.add(word)
        out[name] = word
    return out


def symbol_names(equations: Equations) -> list[str]:
    """The identifiers of all symbols: coordinates, rates, accelerations, functions, lengths,
    parameters, multipliers.
    """
    out = [n.name for u in equations.coordinates for n in (u.position, u.velocity, u.acceleration)]
    out += [n.name for f in equations.functions for n in f.names]
    out += [d.name.name for d in equations.definitions] + [
        k.name.name for k in equations.parameters
    ]
    return out + [m.name for m in equations.multipliers]
