"""Names of symbols that any language of the exports takes."""

import re
import unicodedata
from collections.abc import Iterable

from mechstudio.model.equations.terms import Equations

# what a part of the equations is called where its own name is that of a number: g is gravity
VECTORS = {"g": "g_q"}
_GREEK = re.compile(r"GREEK (SMALL|CAPITAL) LETTER (?:FINAL )?(\w+)")


def ascii_word(text: str) -> str:
    """A name of letters, digits and underscores that stand for a text: Greek letters by name,
    accents left out, others by their code.
    """
    return _name_of(_ascii(text))


def _name_of(word: str) -> str:
    return word if word[:1].isalpha() else "p_" + word


def _ascii(text: str) -> str:
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
    return "".join(out)


def model_name(title: str) -> str:
    """Name of a model: that of its title, with single underscores between its words."""
    word = re.sub("__+", "_", _ascii(title)).strip("_")
    return _name_of(word) if word else "mechanism"


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
    parameters and what follows from them, multipliers, intermediates.
    """
    out = [n.name for u in equations.coordinates for n in (u.position, u.velocity, u.acceleration)]
    out += [n.name for f in equations.functions for n in f.names]
    out += [d.name.name for d in equations.definitions]
    out += [k.name.name for k in equations.known]
    out += [m.name for m in equations.multipliers]
    return out + [d.name.name for d in equations.intermediates]
