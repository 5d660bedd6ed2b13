"""Parts of a lesson that the panel and the window in front of a class have in common."""
