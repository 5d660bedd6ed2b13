"""Constraint rows of loop joints and the joint coordinates that are read off poses."""
