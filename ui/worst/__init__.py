"""The page "Where is it worst?": its form, the search in the background, its result."""
