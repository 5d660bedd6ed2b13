"""Commands that read project files and write others."""
