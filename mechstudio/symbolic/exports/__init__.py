"""Equations on their way out, all from the tree of terms: code, documents, models, reports.
symbolic/exports/registry.py is the table.
"""
