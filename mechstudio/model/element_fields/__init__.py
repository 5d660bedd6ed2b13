"""Editable numbers of each kind of element."""
