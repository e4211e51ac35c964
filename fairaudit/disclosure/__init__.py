"""The one gate: what leaves passes it, and small counts stay where the plan says so."""
