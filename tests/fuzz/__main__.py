"""`python -m tests.fuzz [TARGET...] --seconds 60 --seed 1`: fuzz one target after the other."""

from __future__ import annotations

import argparse
import atexit
import io
import sys
from contextlib import AbstractContextManager, nullcontext, redirect_stderr
from pathlib import Path

from tests.fuzz.driver import CORPUS, Result, fuzz, replay, write_find
from tests.fuzz.engines import ENGINES
from tests.fuzz.target import Target

NOTHING, FOUND = 0, 1


def main() -> int:
    """Parse the command line, and run."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Look for inputs that break a promise.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="targets to run; all of them without one")
    parser.add_argument("--seconds", type=float, default=60.0, help="time for each target")
    parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same inputs")
    parser.add_argument("--engine", choices=sorted(ENGINES), default="hypothesis", help="where inputs come from")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="folder for what is found")
    parser.add_argument("--list", action="store_true", help="say what each target promises, and end")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="try one input on one target, and show what it did")
    options = parser.parse_args()
    known = load_targets(options.engine)
    chosen = options.targets or sorted(known)
    if unknown := set(chosen) - set(known):
        parser.error(f"no such target: {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    if options.list:
        say("\n".join(f"{name}: {known[name].promise}" for name in chosen))
        return NOTHING
    if options.replay:
        return show_replay(known[chosen[0]], options.replay)
    results = [run(known[name], options) for name in chosen]
    return FOUND if any(result.find for result in results) else NOTHING


def load_targets(engine: str) -> dict[str, Target]:
    """All targets by name; for atheris the product is imported so that it reports which lines are reached."""
    watched: AbstractContextManager[object] = nullcontext()
    if engine == "atheris":
        import atheris  # type: ignore[import-untyped, unused-ignore]

        watched = atheris.instrument_imports(include=["kradle_ctx"])
    with redirect_stderr(io.StringIO()), watched:
        from tests import conftest  # hides the real home and Git configuration, before libgit2 is loaded

        conftest.pytest_configure()
        atexit.register(conftest.pytest_unconfigure)
        from tests.fuzz.targets import TARGETS
    return TARGETS


def run(target: Target, options: argparse.Namespace) -> Result:
    """Run one target, and say what came of it."""
    result = fuzz(target, options.seconds, options.seed, options.engine)
    say(f"{target.name:12} {figures(result)}")
    if result.find:
        path = write_find(target, result.find, options.corpus)
        say(f"FOUND: {result.find.fault}\n{result.find.trace}")
        say(f"{len(result.find.data)} bytes in {path}; it breaks: {target.promise}")
    return result


def figures(result: Result) -> str:
    """Inputs, their rate, and in how many ways they went: what an input's check says of it, numbers aside."""
    if result.figures is None:
        return "ended"
    outcomes, slowest = result.figures.outcomes, result.figures.slowest
    rate = outcomes.total() / max(result.figures.cpu_seconds, 0.01)
    counted = f"{outcomes.total():8,} inputs, {rate:6,.0f}/s of CPU, the slowest {slowest:4.1f} s"
    return f"{counted}, {len(outcomes):4} ways to end{result.coverage}"


def show_replay(target: Target, path: Path) -> int:
    """Try one input, and show the find that it is."""
    find = replay(target, path.read_bytes())
    say(f"{find.fault}\n{find.trace}" if find else "nothing is broken")
    return FOUND if find else NOTHING


def say(text: str) -> None:
    """Print a line at once; what a target holds may not be printable everywhere."""
    sys.stdout.write(text.encode("ascii", "backslashreplace").decode() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
