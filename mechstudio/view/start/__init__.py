"""The start page: what was open last, and the samples as a gallery of moving pictures."""
