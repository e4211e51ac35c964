"""What all remedies say and show in the same way."""
