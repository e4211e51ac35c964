"""The exact search for trees whose costs add up over leaves."""
