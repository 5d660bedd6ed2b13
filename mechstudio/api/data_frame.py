"""Data frames, which take a library that need not be installed."""

from typing import Any

from mechstudio.curves.tables import MissingLibrary
from mechstudio.translation import tr


def pandas_module() -> Any:
    """The library pandas.  Raises MissingLibrary where it is not installed."""
    try:
        import pandas  # type: ignore[import-not-found]
    except ImportError:
        raise MissingLibrary(
            tr(
                "A data frame needs pandas, which is not installed: pip install pandas, or use "
                "courses(), to_csv() or to_npz()."
            )
        ) from None
    return pandas
