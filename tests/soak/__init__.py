"""A long run of mixed operations on a brain that moves, with kills and faults, against undisturbed runs of the same.

`python -m tests.soak --operations 1000 --seed 1` repeats itself but for the moments at which things happen.
"""
