"""Exports that are pages: documents, lectures, reports, drawings."""
