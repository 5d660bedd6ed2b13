"""Runs with contacts: blocks of samples, events and notes, from the steps of a world."""
