"""Values that flow through the pipeline; frozen, and free of I/O."""
