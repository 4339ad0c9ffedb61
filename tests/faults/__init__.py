"""Fault injection: every write of a command fails, or kills the command, and what is left on the disk is looked at.

A *step* is one write-side operation on a file: creating or opening it for writing, write, fsync, truncate, rename,
link, unlink, mkdir, chmod, a lock, close. A command is run again and again, each time with the next step struck, until
a run ends before that step is reached; see `scenario`.

Two mechanisms count the same steps through one interface (`plan.Plan`), and both leave the product's code alone:

- `kernel`: a seccomp filter hands each write-side system call to the test, which lets it pass, answers with an error or
  kills the process. It sees all code (Python, libgit2, SQLite, child processes, any program). Linux 5.9 and later.
- `wrapped`: the functions of `os` and `fcntl` are wrapped, and `open` is Python's own implementation on top of them. It
  sees Python code only, on every system.
"""
