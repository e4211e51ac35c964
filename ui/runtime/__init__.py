"""What runs beside the pages: jobs and their turns, processes, memory, held sessions, and who may come in."""
