"""Assess whether like cases are treated alike, mitigate gaps, and report so that others can check."""
