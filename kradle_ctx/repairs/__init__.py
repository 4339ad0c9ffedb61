"""Safe repairs of files: what findings ask for, written where people would write it, and nothing else."""
