"""Texts that were approved of (tests/approval.py)."""
