"""Actions on the steps of a lesson."""
