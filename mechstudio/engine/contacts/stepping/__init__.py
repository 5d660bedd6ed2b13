"""Stages of a step with contacts."""
