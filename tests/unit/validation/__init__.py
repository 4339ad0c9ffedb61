"""What validation does beside the checks."""
