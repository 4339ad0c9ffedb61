"""What is derived from a commit's documents and may be committed beside them: a graph index and a search manifest."""

from kradle_ctx.index.committed import Committed, committed_state
from kradle_ctx.index.export import Export, export
from kradle_ctx.source_commit import source_commit

__all__ = ["Committed", "Export", "committed_state", "export", "source_commit"]
