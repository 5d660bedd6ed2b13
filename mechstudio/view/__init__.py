"""The window: Qt, VisPy and pyqtgraph, fed by the application."""
