"""Texts that the program gave when they were taken (tests/approval.py)."""
