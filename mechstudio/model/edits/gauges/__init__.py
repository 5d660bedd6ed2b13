"""Gauges as pure functions Project -> Project, and the numbers that they drive."""
