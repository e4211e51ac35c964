"""What goes into the report, and its files."""
