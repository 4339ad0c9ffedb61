"""The only I/O: Git, ripgrep, files, the clock."""
