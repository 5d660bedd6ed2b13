"""Drawings and steps of a drawing written as Python."""
