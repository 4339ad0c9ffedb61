"""The checks of validation where examples do not reach."""
