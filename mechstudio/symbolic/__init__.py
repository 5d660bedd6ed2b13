"""The equations of motion in symbols: derived exactly in a canonical polynomial ring, printed from
there (THEORY 5).

`derive(project)` is the only entry.  python-flint is imported with the first derivation and SymPy
with the first SymPy matrix.
"""

from mechstudio.symbolic.errors import DerivationError, TooLarge

__all__ = ["Derivation", "DerivationError", "TooLarge", "derive"]


def __getattr__(name: str):
    if name in ("Derivation", "derive"):
        from mechstudio.symbolic import derivation

        return getattr(derivation, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
