"""`index`: what is kept of a brain in the cache folder, and what is derived from it. One file per command."""
