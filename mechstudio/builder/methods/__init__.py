"""Methods of Builder by subject; the class lists them."""
