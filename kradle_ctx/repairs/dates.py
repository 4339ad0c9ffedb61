"""The date of a record's last change, written into the text of its document."""

from __future__ import annotations

from kradle_ctx.documents import TITLE_FIELDS
from kradle_ctx.model.graph import Form
from kradle_ctx.repairs.layout import Layout, LeftAlone
from kradle_ctx.repairs.spelling import quote_of, spell, with_entry
from kradle_ctx.yamldoc.places import Pointer

UPDATED_AT = "updatedAt"
ATTRIBUTES = "attributes"

BEFORE_DATE = ("nodeKind", "id", "kind", *TITLE_FIELDS, "status", "owners", "owner")
"""Fields after the last of which a date stands."""


def with_updated_at(text: str, form: Form, instant: str) -> str:
    """A document that states when it was last changed; raises `LeftAlone`."""
    layout = Layout(text)
    roots: tuple[Pointer, ...] = ((ATTRIBUTES,), ()) if form is Form.GRAPH else ((),)
    for root in roots:
        if (*root, UPDATED_AT) in layout.places:
            return layout.with_value((*root, UPDATED_AT), instant)
    mappings = [root for root in roots if layout.is_mapping(root)]
    if not mappings:
        raise LeftAlone("it has no field beside which the date could stand")
    root = mappings[0]
    stated = [(*root, name) for name in BEFORE_DATE if (*root, name) in layout.places]
    after = layout.last(stated or layout.inside(root))
    quote = quote_of(layout.text, layout.places[after].key_start)
    return with_entry(layout, root, after, spell(UPDATED_AT, quote), [f'"{instant}"' if quote else instant])
