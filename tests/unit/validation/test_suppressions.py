"""Comments that set findings aside: where they stand, what they are about, and what they need."""

from __future__ import annotations

import time

import pytest

from kradle_ctx.model.findings import Finding
from kradle_ctx.suppressions import LONGEST_REASON, Suppression, reason_for, suppressions
from tests.checks.examples import validated

ONTOLOGY = {
    "ontology/kinds.yaml": (
        "requiredFields: {record: [title]}\nvocabulary: {status: [draft]}\nnodeKinds: [{name: Team, prefix: team}]\n"
    )
}


def stated(text: str, *, is_markdown: bool = False) -> list[Suppression]:
    """What a text sets aside."""
    return list(suppressions(text, is_markdown=is_markdown))


def test_a_comment_behind_something_is_about_its_own_line() -> None:
    assert stated("id: a:b\ntitle: x  # kradle-ctx: ignore KB020 -- it comes\n") == [
        Suppression(("KB020",), 2, 2, "it comes")
    ]


def test_a_comment_on_a_line_of_its_own_is_about_the_next_line() -> None:
    assert stated("  # kradle-ctx: ignore KB020 -- it comes\nid: a:b\n") == [Suppression(("KB020",), 2, 1, "it comes")]


def test_comments_in_a_row_are_all_about_the_line_below_them() -> None:
    text = "id: a:b\n# kradle-ctx: ignore KB020 -- one\n# why\n  # kradle-ctx: ignore KB031 -- two\nedges: {}\n"

    assert [(found.checks, found.line) for found in stated(text)] == [(("KB020",), 5), (("KB031",), 5)]


def test_blank_lines_come_between_a_comment_and_its_line() -> None:
    assert [found.line for found in stated("# kradle-ctx: ignore KB020 -- one\n\n \nid: a:b\n")] == [4]


def test_a_comment_at_the_end_is_about_no_line() -> None:
    assert [found.line for found in stated("id: a:b\n# kradle-ctx: ignore KB020 -- one\n# end")] == [4]


def test_a_heading_is_a_line_in_the_body_of_a_page_and_a_comment_elsewhere() -> None:
    comment = "kradle-ctx: ignore KB050 -- so"
    page = f"---\n# {comment}\n# why\nid: a:b\n---\n\n<!-- {comment} -->\n\n## password\n\ntext\n"

    assert [found.line for found in stated(page, is_markdown=True)] == [4, 9]
    assert [found.line for found in stated(f"<!-- {comment} -->\n# password\n", is_markdown=True)] == [2]
    assert [found.line for found in stated(f"# {comment}\n# why\nid: a:b\n")] == [3]


def test_a_comment_for_the_file_is_about_every_line() -> None:
    (found,) = stated("id: a:b\n# kradle-ctx: ignore-file KB061 -- history\n")

    assert (found.line, found.stated) == (0, 2)
    assert all(reason_for("KB061", line, [found]) == "history" for line in (1, 2, 900))
    assert reason_for("KB062", 1, [found]) is None


def test_several_checks_stand_in_one_comment() -> None:
    (found,) = stated("x: 1 # kradle-ctx: ignore KB020,KB031 , KB060 -- so it is\n")

    assert found.checks == ("KB020", "KB031", "KB060")


@pytest.mark.parametrize(
    ("comment", "line"),
    [
        ("<!-- kradle-ctx: ignore KB050 -- no real one -->\npassword\n", 2),
        ("password <!-- kradle-ctx: ignore KB050 -- no real one -->\n", 1),
        ("password <!--kradle-ctx:ignore KB050 --no real one-->\n", 1),
        ("<!-- kradle-ctx: ignore-file KB050 -- no real one -->\n", 0),
    ],
)
def test_markdown_has_comments_of_its_own(comment: str, line: int) -> None:
    assert [(found.checks, found.line, found.reason) for found in stated(comment, is_markdown=True)] == [
        (("KB050",), line, "no real one")
    ]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_line_ends_are_no_part_of_a_reason(ends: str) -> None:
    text = ends.join(["id: a:b # kradle-ctx: ignore KB020 -- it comes  ", "<!-- kradle-ctx: ignore KB031 -- so -->"])

    assert [found.reason for found in stated(text)] == ["it comes", "so"]


@pytest.mark.parametrize(
    "comment",
    [
        "# kradle-ctx: ignore KB020",
        "# kradle-ctx: ignore KB020 --",
        "# kradle-ctx: ignore KB020 --   ",
        "<!-- kradle-ctx: ignore KB020 -->",
        "<!-- kradle-ctx: ignore KB020 -- -->",
        "<!-- kradle-ctx: ignore KB020 -->\r",
    ],
)
def test_a_comment_without_a_reason_is_seen_and_sets_nothing_aside(comment: str) -> None:
    (found,) = stated(f"id: a:b {comment}\n")

    assert found.reason == ""
    assert reason_for("KB020", 1, [found]) is None


@pytest.mark.parametrize(
    "text",
    [
        "kradle-ctx: ignore KB020 -- no comment",
        "# kradle-ctx: ignore -- no check",
        "# kradle-ctx: ignore all -- no check",
        "# kradle-ctx: ignore KB20 -- no check",
        "# kradle-ctx: ignoring KB020 -- another word",
        "# kradle-ctx ignore KB020 -- no colon",
        "# kradle-ctx: ignore KB020 because",
        "# kradle-ctx: ignore KB020, -- a check is missing",
    ],
)
def test_what_is_no_such_comment_sets_nothing_aside(text: str) -> None:
    assert stated(f"id: a:b {text}\n") == []


def test_a_reason_may_hold_dashes_and_hashes() -> None:
    (found,) = stated("x: 1 # kradle-ctx: ignore KB020 -- see #12 -- and #13\n")

    assert found.reason == "see #12 -- and #13"


def test_a_long_reason_is_told_in_part() -> None:
    (found,) = stated(f"x: 1 # kradle-ctx: ignore KB020 -- {'because ' * 1_000}\n")

    assert len(found.reason) == LONGEST_REASON


HOSTILE = {
    "blanks behind a mark": "# kradle-ctx:" + " " * 300_000 + "x",
    "blanks behind a check": "# kradle-ctx: ignore KB020" + " " * 300_000 + "x",
    "blanks in a reason": "# kradle-ctx: ignore KB020 -- a" + " " * 300_000 + "x",
    "many marks": "# kradle-ctx:" * 40_000,
    "many beginnings": "# kradle-ctx: ignore KB020 -- " * 20_000,
    "many checks": "# kradle-ctx: ignore " + "KB020, " * 60_000 + "x",
    "many dashes": "# kradle-ctx: ignore KB020 " + "--" * 200_000,
    "many ends": "<!-- kradle-ctx: ignore KB020 -- " + "--> " * 100_000,
    "many openings": "<!-- " * 100_000 + "kradle-ctx: ignore KB020 -- x",
    "many hashes": "# \t" * 100_000 + "kradle-ctx: ignore KB020 -- x",
    "carriage returns": "# kradle-ctx: ignore KB020 -- a" + "\r" * 300_000 + "x",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_line_takes_no_longer_than_it_is(name: str) -> None:
    begin = time.process_time()
    found = stated(HOSTILE[name] + "\n")

    assert time.process_time() - begin < 5
    assert len(found) <= 1


def test_many_comments_in_a_row_take_no_longer_than_they_are() -> None:
    begin = time.process_time()
    found = stated("# kradle-ctx: ignore KB020 -- x\n" * 20_000 + "id: a:b\n")

    assert time.process_time() - begin < 5
    assert {each.line for each in found} == {20_001}


def team(*lines: str) -> list[Finding]:
    """What is found in a team's record and set aside, or not."""
    text = "nodeKind: Team\nid: team:a{}\nattributes: {{status: odd}}{}\n".format(*lines, *[""] * (2 - len(lines)))
    report = validated({**ONTOLOGY, "graph/team.yaml": text})
    return [*report.findings, *report.suppressed]


def told(found: list[Finding]) -> dict[str, str | None]:
    """By check, the reason for which a finding does not count."""
    return {each.check: each.suppressed for each in found if each.check in ("KB020", "KB022", "KB070")}


def test_a_finding_is_set_aside_on_its_line_for_its_check_alone() -> None:
    assert told(team("  # kradle-ctx: ignore KB020 -- it comes")) == {"KB020": "it comes", "KB022": None}
    assert told(team("", "  # kradle-ctx: ignore KB020 -- it comes")) == {"KB020": None, "KB022": None}
    assert told(team("  # kradle-ctx: ignore KB022 -- wrong line")) == {"KB020": None, "KB022": None}
    assert told(team("  # kradle-ctx: ignore-file KB022, KB020 -- all")) == {"KB020": "all", "KB022": "all"}


def test_a_finding_without_a_reason_counts_and_the_comment_is_found_itself() -> None:
    assert told(team("  # kradle-ctx: ignore KB020")) == {"KB020": None, "KB022": None, "KB070": None}


def test_a_finding_in_a_page_is_set_aside_in_its_frontmatter_and_body() -> None:
    page = "---\nid: team:a # kradle-ctx: ignore KB020 -- so\nkind: Team\nstatus: odd\n---\n{}\n"
    files = {**ONTOLOGY, "teams/a.md": page.format("<!-- kradle-ctx: ignore-file KB022 -- all -->")}
    report = validated(files)

    assert {each.check: each.suppressed for each in report.suppressed} == {"KB020": "so", "KB022": "all"}


def test_the_first_reason_that_fits_is_told() -> None:
    found = stated("# kradle-ctx: ignore-file KB020 -- first\nx: 1 # kradle-ctx: ignore KB020 -- second\n")

    assert reason_for("KB020", 2, found) == "first"
