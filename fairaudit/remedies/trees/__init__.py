"""A decision tree that fits on a whiteboard."""
