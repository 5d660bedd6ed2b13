"""Analyses of a motion and of a state, each giving a table."""
