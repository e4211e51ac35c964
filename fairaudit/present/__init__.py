"""What every output shares: numbers and words, the parts of a document, charts and their look."""
