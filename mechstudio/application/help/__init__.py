"""The manual as data: its pages, their headings, what is found in them, and the heading that
belongs to each thing that can be drawn or plotted.
"""
