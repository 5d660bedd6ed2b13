"""Dialogs that ask for files, and files that are made beside the window's thread."""
