"""From findings to what leaves the building: a PDF, a bundle of CSV files and JSON."""
