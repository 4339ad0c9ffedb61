"""What validation does beside the checks: reading files, looking up records and places, and comparing."""
