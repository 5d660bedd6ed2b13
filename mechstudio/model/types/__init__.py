"""Tables of the kinds of elements: a row holds all that is known about one kind."""
