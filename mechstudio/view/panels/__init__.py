"""The docks around the viewport: tree, inspector, time bar, status line and the pieces they are
made of.
"""
