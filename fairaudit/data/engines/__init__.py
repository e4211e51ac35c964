"""Tables that stay where they are: databases and clusters that count, so that only counts come back."""
