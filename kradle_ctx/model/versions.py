"""Versions of what decides a bundle's content; each is recorded in the bundle."""

SCHEMA_VERSION = "v1alpha1"
RANKER_VERSION = "4"
RULES_VERSION = "6"
"""Of the rules on text: it changes whenever the spans, the flags or the hidden characters of any text can."""
PROMPT_VERSION = "2"
TOKENIZER = "estimate-v1"
INDEXER_VERSION = "4"
"""Of what reads documents: it changes whenever the documents, the words or the mentions of any file can.

And when other declarations of one id are joined: what is counted of documents is kept beside them.
"""

CHECKS_VERSION = "3"
"""Of validation: it changes whenever what is found in any brain can."""


def versions() -> dict[str, str]:
    """All of them, as the bundle records them."""
    return {
        "schema": SCHEMA_VERSION,
        "ranker": RANKER_VERSION,
        "rules": RULES_VERSION,
        "prompt": PROMPT_VERSION,
        "tokenizer": TOKENIZER,
        "indexer": INDEXER_VERSION,
    }
