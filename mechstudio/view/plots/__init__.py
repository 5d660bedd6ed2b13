"""Curves of a recording (pyqtgraph), imported after the first frame."""
