"""Equations on their way out, all from the tree of terms: code, documents, models, reports.
formats.py is the table.
"""
