"""Trees for large tables and greater depth, grown by looking a few levels ahead."""
