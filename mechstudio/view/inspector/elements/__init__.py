"""Page of one element and the lines of its kind."""
