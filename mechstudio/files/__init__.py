"""Project files on disk: codec, migrations, durable saving."""
