"""Rank and mobility: freedoms, redundant rows, conserved quantities."""
