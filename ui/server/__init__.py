"""What stands around the pages where they are served: who may come in, and when what sessions hold is forgotten."""
