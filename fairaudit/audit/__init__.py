"""Make a whole audit from a plan, and hold what it found."""
