"""The checks of validation on the examples of each."""
