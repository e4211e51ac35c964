"""The whole audit as data: its parts, reading and writing them, and what they mean in a table."""
