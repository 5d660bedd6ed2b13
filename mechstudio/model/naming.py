"""Finding elements by what a person calls them."""

from collections.abc import Mapping


def find_id(names: Mapping[str, str], wanted: str, what: str) -> str:
    """The id of an element given by name or id; `names` maps ids to names.  Raises KeyError with a sentence."""
    if wanted in names:
        return wanted
    found = [id for id, name in names.items() if name == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        raise KeyError(f"{len(found)} elements are called {wanted}; use one of their ids {', '.join(found)}.")
    raise KeyError(f"There is no {what} {wanted}; there are {', '.join(names.values()) or 'none'}.")
