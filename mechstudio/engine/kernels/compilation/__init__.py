"""Compilation by Numba: passes, files of compiled code, sets of arrays, calls by address."""
