from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kradle_ctx.yamldoc import Frontmatter, InvalidYaml, Limits, YamlFault, split_frontmatter


def test_frontmatter_is_split_with_its_places() -> None:
    assert split_frontmatter("---\nid: a\nkind: b\n---\n\nbody\n") == Frontmatter("id: a\nkind: b\n", 2, 4, 18, 22, 5)


@pytest.mark.parametrize(
    "text",
    [
        "---\r\nid: a\r\n---\r\nbody\r\n",
        "\ufeff---\nid: a\n---\nbody\n",
        "---\nid: a\n---",
        "---\nid: a\n---\r",
        "---\nid: a\n--- \t\nbody",
        "---  \nid: a\n---\nbody",
        "--- \t\r\nid: a\n---\r\nbody",
    ],
)
def test_every_way_editors_write_fences_is_read(text: str) -> None:
    frontmatter = split_frontmatter(text)
    assert frontmatter is not None
    assert frontmatter.value() == {"id": "a"}
    assert text[frontmatter.start : frontmatter.end] == frontmatter.yaml
    assert text[frontmatter.body_start :].strip() in {"body", ""}
    assert frontmatter.body_line == 1 + text.count("\n", 0, frontmatter.body_start)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---",
        "---\n",
        "---\ntitle: x\n",
        "\n---\nid: a\n---\n",
        " ---\nid: a\n---\n",
        "----\nid: a\n----\n",
        "--- id: a\n---\n",
        "# Title\n```\n---\nid: a\n---\n```\n",
        "+++\nid = 'a'\n+++\n",
        "---\nid: a\n ---\nbody",
        "---\nid: a\n--- x\nbody",
        "---\nid: a\n...\nbody",
        "---\rid: a\r---\r",
        "\ufeff\ufeff---\nid: a\n---\n",
    ],
)
def test_anything_else_is_body(text: str) -> None:
    assert split_frontmatter(text) is None


def test_an_empty_block_is_null_and_the_first_closing_fence_counts() -> None:
    frontmatter = split_frontmatter("---\n---\nbody\n---\n")
    assert frontmatter == Frontmatter("", 2, 4, 4, 8, 3)
    assert frontmatter is not None
    assert frontmatter.value() is None


def test_a_fault_is_on_its_line_of_the_file() -> None:
    frontmatter = split_frontmatter("\ufeff---\r\nid: a\r\ntitle: *Italic title*\r\n---\r\n")
    assert frontmatter is not None
    with pytest.raises(InvalidYaml) as raised:
        frontmatter.value()
    assert (raised.value.fault.line, raised.value.fault.column) == (3, 8)


def test_a_second_document_inside_the_fences_is_a_fault() -> None:
    frontmatter = split_frontmatter("---\nid: a\n--- # not a fence\nid: b\n---\n")
    assert frontmatter is not None
    with pytest.raises(InvalidYaml, match="more than one document"):
        frontmatter.value()


def test_a_block_over_the_limit_is_a_fault_and_not_body() -> None:
    limits = Limits(frontmatter=20)
    fitting = split_frontmatter(f"---\na: {'é' * 8}\n---\nbody", limits=limits)
    oversize = split_frontmatter(f"---\na: {'é' * 9}\n---\nbody", limits=limits)
    assert fitting is not None
    assert fitting.fault is None
    assert oversize is not None
    assert oversize.fault == YamlFault("frontmatter of more than 20 bytes", 2, 1)
    with pytest.raises(InvalidYaml, match="more than 20 bytes"):
        oversize.value()


def test_the_standard_limit_is_256_kibibytes() -> None:
    exact, over = (split_frontmatter(f"---\n{'#' * size}\n---\n") for size in (256 * 1024 - 1, 256 * 1024))
    assert exact is not None
    assert exact.fault is None
    assert over is not None
    assert over.fault is not None


@given(st.text(alphabet="-\r\n \tab:\ufeff", max_size=40))
def test_the_parts_make_up_the_whole_text(text: str) -> None:
    frontmatter = split_frontmatter(text)
    if frontmatter is not None:
        assert text[: frontmatter.start].strip("\ufeff \t\r\n") == "---"
        assert text[frontmatter.end : frontmatter.body_start].strip() == "---"
        assert text[frontmatter.start : frontmatter.end] == frontmatter.yaml
