"""Safe repairs of files."""
