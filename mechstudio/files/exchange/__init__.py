"""Formats of other programs: what they hold is read and written, and what they cannot hold is
reported in sentences.
"""
