"""Constraint rows of loop joints and the joint coordinates that are read from poses."""
