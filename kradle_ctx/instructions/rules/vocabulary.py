"""Words that several English rules share."""

from __future__ import annotations

AGENT = (
    r"(?:a\.?i\.?(?: (?:powered|based|coding|language|code))?(?: (?:agents?|assistants?|models?|systems?|tools?|bots?"
    r"|chatbots?|crawlers?|readers?|reviewers?))?|llms?(?: (?:agents?|assistants?|models?))?|(?:large )?language "
    r"models?|chatbots?|chat gpt|gpts?|(?:coding|automated|autonomous) (?:coding )?(?:agents?|assistants?)|claude"
    r"|copilot|gemini|codex)"
)
"""Names of the reader that an attack speaks to."""

ASIDE = (
    r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass(?:ing)?|discard|abandon|neglect"
    r"|dismiss|circumvent|overlook|violate|disobey|set aside|throw away|drop|(?:stop|quit|cease) (?:following"
    r"|obeying)|pay no (?:attention|heed) to|(?:do not|do n t|don[^a-z ]{0,3}t|never|no longer|not) (?:follow|obey"
    r"|heed|listen to|comply with|adhere to|abide by))"
)
"""Verbs that set something aside."""

ASIDE_FULLY = ASIDE.replace("|overrid(?:e|ing)", "")
"""The same without overriding, which settings do to a default."""

EARLIER = r"(?:previous(?:ly)?|prior|above|earlier|preceding|foregoing|former|existing|original|initial|past|other)"
"""What came before."""

INSTRUCTIONS = (
    r"(?:instructions?|directives?|directions|prompts?|guidelines?|guardrails?|guidance|(?:system|developer) "
    r"messages?|programming)"
)
"""What a model is told, in words that are rare for anything else."""

TOLD = (
    r"(?:"
    + INSTRUCTIONS
    + r"|rules?|orders?|commands?|context|training|constraints?|restrictions?|polic(?:y|ies)|tasks?)"
)
"""What a model is told, in any words."""

FREE = (
    r"(?:without ~2 (?:restrictions?|limits?|limitations?|filters?|rules|guardrails|constraints|boundaries"
    r"|censorship)|(?:no|any) ~2 (?:restrictions?|limits|limitations|filters|rules|guardrails|content polic(?:y|ies)"
    r"|constraints|boundaries)|(?:without(?: any)?|no|not have any|freed? (?:of|from) (?:all|any)) (?:safety|ethical"
    r"|moral|content) (?:guidelines|filters?|filtering|rules|restrictions|constraints|considerations|programming"
    r"|training|layers|polic(?:y|ies)))"
)
"""Without limits."""

USER = (
    r"(?:(?:the|your|any|our|this|human) ){0,2}(?:users?|humans?|operators?|person|developers?|owners?|reviewers?"
    r"|maintainers?|anyone|anybody|nobody)"
)
"""The people whom an agent works for."""

NOT = (
    r"(?:do not|do n t|don[^a-z ]{0,3}t|never|must not|mustn[^a-z ]{0,3}t|should not|shall not|may not|avoid|under "
    r"no circumstances)"
)
"""Forbidding words."""

SYSTEM_PROMPT = (
    r"(?:(?:system|hidden|secret|initial|original|internal|developer|starting|pre) (?:prompts?|instructions?"
    r"|messages?)|system prompts?)"
)
"""The text that a model was started with."""

SECRETS = (
    r"(?:api keys?|access keys?|access tokens?|tokens?|secrets?|passwords?|credentials?|environment variables?|env "
    r"vars?|private keys?|ssh keys?|deploy keys?)"
)
"""What must not get out."""
