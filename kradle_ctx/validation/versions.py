"""The version of what checks say of a file by itself, by which that is kept."""

CHECKS_VERSION = "1"
"""It changes whenever the faults or the references of any file can."""
