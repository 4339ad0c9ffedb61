"""Errors as they cross from one process to another."""

from __future__ import annotations

import pickle

from kradle_ctx.errors import ErrorCode, KradleError


def test_an_error_is_whole_when_it_comes_out_of_another_process() -> None:
    error = KradleError(ErrorCode.MEMORY_OBJECT_MISSING, "object 1 is missing", "fetch it", commit="2", paths=["a"])
    found = pickle.loads(pickle.dumps(error))

    assert isinstance(found, KradleError)
    assert (found.code, found.message, found.hint) == (error.code, error.message, error.hint)
    assert found.details == {"commit": "2", "paths": ["a"]}
    assert str(found) == "object 1 is missing"
