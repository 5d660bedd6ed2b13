"""The program's version, as it stands in pyproject.toml (a test compares them)."""

VERSION = "0.1.0"
