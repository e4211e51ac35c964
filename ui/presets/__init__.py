"""The forms that rules ask for."""
