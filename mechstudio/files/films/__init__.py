"""Films: frames on their way into files, each format by a process of its own."""
