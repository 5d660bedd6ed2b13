"""Texts of the program that are held: a test says what it gives now, and a file beside the tests
what it gave when the file was taken.  They show a change; closed forms show what is right.

    pytest tests/approved --approve    takes what is given now; read the difference before a commit

Numbers with a point may differ by a unit of their last digit or by 1e-9 of themselves, as compilers
round; everything else is the same to the letter.
"""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "approved"
MOST = 40  # lines of a difference that are shown
ROUNDING, NOISE = 1e-9, 1e-12  # of a number, whatever its digits; below which it is nothing
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def same(stored: str, now: str) -> bool:
    """True if two lines agree: words to the letter, numbers to a unit of their last digit."""
    if stored == now:
        return True
    if NUMBER.sub("#", stored) != NUMBER.sub("#", now):
        return False
    return all(map(alike, NUMBER.findall(stored), NUMBER.findall(now)))


def alike(a: str, b: str) -> bool:
    """True if two numbers agree as they are written; whole ones are equal."""
    if a.isdigit() and b.isdigit():
        return a == b
    first, second = float(a), float(b)
    return abs(first - second) <= max(1.01 * unit(a), 1.01 * unit(b), ROUNDING * abs(first), NOISE)


def unit(number: str) -> float:
    """Unit of the last digit of a number as it is written; 0 for whole ones."""
    digits, _, power = number.partition("e")
    decimals = digits.partition(".")[2]
    return 10.0 ** (int(power or 0) - len(decimals)) if decimals or power else 0.0


def different(stored: str, now: str) -> list[str]:
    """Lines that differ, the first MOST of them, as a sentence each."""
    before, after = stored.split("\n"), now.split("\n")
    found = [
        f"line {k}:\n  - {a}\n  + {b}"
        for k, (a, b) in enumerate(zip(before, after), 1)
        if not same(a, b)
    ]
    if len(before) != len(after):
        found.append(f"{len(before)} lines before, {len(after)} now")
    return found[:MOST]


def taken(stored: str, now: str) -> str:
    """The text that is given now, with the lines as they were that agree: another machine rounds
    zeros to the other side.
    """
    before, after = stored.split("\n"), now.split("\n")
    if len(before) != len(after):
        return now
    return "\n".join(a if same(a, b) else b for a, b in zip(before, after))


class Approved:
    """Holds texts against those that were approved of.  takes: they are written instead."""

    def __init__(self, takes: bool) -> None:
        self._takes = takes

    def holds(self, name: str, text: str) -> None:
        """Fail if a text differs from tests/approved/NAME."""
        path = FOLDER / name
        if self._takes:
            stored = path.read_text("utf-8") if path.exists() else ""
            path.write_text(taken(stored, text), "utf-8", newline="\n")
        found = different(path.read_text("utf-8"), text)
        if found:
            words = "\n".join(found)
            pytest.fail(f"{name} is not as approved (pytest --approve takes it):\n{words}", False)
