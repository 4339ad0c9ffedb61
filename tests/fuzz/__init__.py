"""Fuzzing: targets that state what must hold for any input, and a driver that looks for one that breaks it."""
