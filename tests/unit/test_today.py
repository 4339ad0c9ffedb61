"""What a document of an old pin counts as today: the same, whether one is asked for or all are looked at once."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kradle_ctx.adapters.no_index import NoIndexStore
from kradle_ctx.ports import Index
from kradle_ctx.today import Today
from tests.pipeline import EVERYTHING, brain, graph_record, markdown

NAMES = st.sampled_from(["a", "b", "c"])
SENSITIVITIES = st.sampled_from(["public", "internal", "restricted", "secret-metadata", "odd"])
RECORDS = st.builds(lambda name, how: graph_record(f"term:{name}", "Term", sensitivity=how), NAMES, SENSITIVITIES)
ADDITIONS = NAMES.map(lambda name: f'{{"extendsNode": {{"id": "term:{name}"}}, "edges": {{"uses": ["term:x"]}}}}\n')
PAGES = st.builds(
    lambda name, how: markdown("text\n", id=f"term:{name}", kind="Term", sensitivity=how), NAMES, SENSITIVITIES
)
BROKEN = st.just("nodeKind: [\n")
FILES = st.dictionaries(
    st.sampled_from(["a.yaml", "b.yaml", "c.yaml"]),
    st.lists(RECORDS | ADDITIONS | BROKEN, max_size=3).map("---\n".join),
).flatmap(
    lambda yaml: st.dictionaries(st.sampled_from(["a.md", "b.md"]), PAGES | st.just("a note\n")).map(
        lambda pages: {**yaml, **pages}
    )
)


def opened(files: dict[str, str]) -> Index:
    """The index of a brain."""
    repository = brain(files)
    return NoIndexStore().open(repository.snapshot(repository.default_branch(None).commit), "", None)


@settings(max_examples=100, deadline=None)
@given(FILES, st.lists(FILES, min_size=1, max_size=2))
def test_to_look_at_all_at_once_says_the_same(then: dict[str, str], now: list[dict[str, str]]) -> None:
    pinned, today = opened(then), Today([opened(files) for files in now], EVERYTHING)
    outlines = list(pinned.outlines())
    one_by_one = [today.sensitivity(outline) for outline in outlines]
    today.expect_all()
    assert [today.sensitivity(outline) for outline in outlines] == one_by_one
