"""Turn a Git repository of company knowledge into a digest-pinned context bundle for one agent run."""

__version__ = "0.1.0"
