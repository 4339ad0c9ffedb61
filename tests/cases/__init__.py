"""Named cases from the issue trackers of other tools, each run end to end through the real command line."""
