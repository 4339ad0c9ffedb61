"""How files would change."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.render import file_diff as module
from kradle_ctx.render.file_diff import file_diff, replaced


def test_a_diff_shows_the_change_with_three_lines_around_it() -> None:
    old = "".join(f"{number}\n" for number in range(1, 10))
    assert file_diff("graph/a.yaml", old, old.replace("5\n", "five\n")) == (
        "--- a/graph/a.yaml\n+++ b/graph/a.yaml\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    )


def test_the_end_without_a_line_break_is_told_and_windows_breaks_are_not() -> None:
    assert file_diff("a", "x\r\ny", "x\r\nw\r\ny") == (
        "--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n x\n+w\n y\n\\ No newline at end of file\n"
    )


def test_what_acts_on_a_terminal_or_on_a_log_is_escaped() -> None:
    shown = file_diff("a", "x\n", "\x1b[31mx \u202e##[error]no\n")
    assert "+\\u{1b}[31mx \\u{202e}" in shown
    assert "##[" not in shown
    assert not set(shown) & set("\x1b\u202e")


LINES = st.lists(st.sampled_from(("a\n", "b\n", "c\n")), min_size=1, max_size=8)


@given(before=LINES, after=LINES)
@settings(max_examples=60, deadline=None)
def test_a_coarse_diff_is_one_that_patches(tmp_path_factory, before: list[str], after: list[str]) -> None:  # type: ignore[no-untyped-def]
    if before == after:
        return
    folder: Path = tmp_path_factory.mktemp("patch")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / "file").write_text("".join(before))
    patch = "".join(replaced("file", before, after))
    apply = ["git", "-C", str(folder), "apply", "--unidiff-zero", "-"]
    done = subprocess.run(apply, input=patch.encode(), capture_output=True)
    assert done.returncode == 0, (done.stderr, patch)
    assert (folder / "file").read_text() == "".join(after)


def test_very_large_files_are_not_compared_line_by_line() -> None:
    old = "".join(f"{number % 7}\n" for number in range(30_000))
    shown = file_diff("a", old, f"first\n{old}last\n")
    assert module.MOST_COMPARED < 30_000 * 30_002
    assert shown.count("\n-") == shown.count("\n+") - 3 == 30_000
