"""The page Worst groups: its form, the search in the background, its result."""
