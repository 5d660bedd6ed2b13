"""Equations as Typst markup: blocks, the numbers of an instant, and steps of a lecture."""
