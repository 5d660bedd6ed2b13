"""Edits: functions from a project to the next one."""
