"""Every file that a configuration may include is found before libgit2 follows it."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from kradle_ctx.adapters.git_configuration import included, plain_value, require_sound_configuration
from kradle_ctx.adapters.git_files import MAX_CONFIGURATION, UnsoundFile


@pytest.mark.parametrize(
    "text",
    [
        "[include]\n\tpath = more\n",
        "[include]\npath=more",
        "[include] path = more\n",
        "[INCLUDE]\n\tPATH = more\n",
        "[ include ]\n\tpath = more\n",
        '[includeIf "gitdir:**"]\n\tpath = more\n',
        '[include]\n\tpath = "more"\n',
        '[include]\n\tpath = m"or"e\n',
        "[include]\n\tpath = more # words\n",
        "[include]\n\tpath = more;words\n",
        "[include]\r\n\tpath = more\r\n",
        "[include]\n\tpath = mo\\\nre\n",
        "[include]\n\tpath = mo\\\r\nre\n",
        "[core]\n\tx = y\n[include]\n\tother = 1\n\tpath = more\n",
        "# words \\\n[include]\n# words \\\npath = more\n",
        "[include]\n\tx = \\\n[core]\n\tpath = more\n",
        "\ufeff[include]\n\tpath = more\n",
        "[include]\n\f\v\tpath\f=\vmore\n",
    ],
)
def test_a_path_is_found_however_it_is_spelled(tmp_path: Path, text: str) -> None:
    assert tmp_path / "more" in set(included(text.encode(), tmp_path))


@pytest.mark.parametrize("text", ["", "[core]\n\tpath = more\n", "[include]\n\txpath = more\n", "[include]\n\tpath\n"])
def test_what_includes_nothing_names_nothing(tmp_path: Path, text: str) -> None:
    assert list(included(text.encode(), tmp_path)) == []


@pytest.mark.parametrize("unit", ["\n", " ", "]", "[include", "path=", "\\\n", "\n path =", '"', "] path = "])
def test_a_large_configuration_is_looked_through_in_linear_time(tmp_path: Path, unit: str) -> None:
    text = b"[include]\n" + unit.encode() * ((1 << 19) // len(unit))
    begin = time.process_time()
    list(included(text, tmp_path))
    assert time.process_time() - begin < 8


def test_a_path_begins_at_the_home_at_the_root_or_at_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/of/someone")
    text = b"[include]\npath = ~/one\npath = /two\npath = ../three\n"
    found = [str(path) for path in included(text, tmp_path)]
    assert found[:3] == ["/home/of/someone/one", "/two", f"{tmp_path}/../three"]


@pytest.mark.parametrize(
    "value", ["plain", "  blanks  ", '"quoted # ; "', "a\\\\b", 'a\\"b', "a\\tb", "x # y", "x ; y", '"a" "b"', '"a#"b']
)
def test_a_value_is_read_as_git_reads_it(tmp_path: Path, value: str) -> None:
    file = tmp_path / "config"
    file.write_text(f"[a]\n\tb ={value}\n")
    done = subprocess.run(["git", "config", "--file", str(file), "-z", "a.b"], capture_output=True, check=True)
    assert plain_value(value.encode()) == done.stdout.removesuffix(b"\0").strip()


@pytest.mark.parametrize("name", ["config", "config.worktree"])
def test_includes_are_followed_and_need_not_exist(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("[include]\n\tpath = one\n\tpath = none\n\tpath = config\n\tpath = .\n")
    (tmp_path / "one").write_text("[include]\n\tpath = two\n\tpath = config\n")
    require_sound_configuration(tmp_path)
    os.mkfifo(tmp_path / "two")
    with pytest.raises(UnsoundFile, match="a file that the configuration includes is not a regular file"):
        require_sound_configuration(tmp_path)


def test_a_large_file_is_refused_and_many_are(tmp_path: Path) -> None:
    config, more = tmp_path / "config", tmp_path / "more"
    config.write_text("[include]\n\tpath = more\n")
    more.touch()
    os.truncate(more, MAX_CONFIGURATION)
    require_sound_configuration(tmp_path)
    os.truncate(more, MAX_CONFIGURATION + 1)
    with pytest.raises(UnsoundFile, match="a file that the configuration includes"):
        require_sound_configuration(tmp_path)
    config.write_text("[include]\n" + "".join(f"path = {number}\n" for number in range(60)))
    with pytest.raises(UnsoundFile, match="more than 50 files"):
        require_sound_configuration(tmp_path)
