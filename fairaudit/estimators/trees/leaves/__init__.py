"""The best values of the leaves of a tree whose splits are fixed."""
