"""Ways to mitigate gaps: other labels, a threshold for each group, scores that are spread alike, constraints."""
