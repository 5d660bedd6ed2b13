"""Formats of other programs: content that they hold is read and written, and content that they
cannot hold is reported in sentences.
"""
