"""Pictures of a study: curves, histograms, maps, scatter, parallel axes, and those of a search."""
