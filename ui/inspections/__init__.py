"""The page "Searches and inspections": its form, hit rates, thresholds in the background, light and darkness."""
