"""What flags and environment say, resolved into one value."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from kradle_ctx.config import RequestFlags, settings_from
from kradle_ctx.errors import ErrorCode, KradleError
from kradle_ctx.model.memory_mode import MemoryMode

FOLDER = Path("start")
FROM_NARROW_TO_WIDE = ("disabled", "read-only", "full")


def test_resources_come_from_the_environment_only_when_no_flag_names_any() -> None:
    environment = {"KRADLE_RESOURCES": "one.yaml::two"}
    assert settings_from(RequestFlags(), environment, FOLDER).resource_paths == ("one.yaml", "two")
    flags = RequestFlags(resources=("-", "three:four"))
    assert settings_from(flags, environment, FOLDER).resource_paths == ("-", "three:four")
    assert settings_from(RequestFlags(), {"KRADLE_RESOURCES": ""}, FOLDER).resource_paths == ()


@pytest.mark.parametrize(("flag", "variable"), [*product((None, *FROM_NARROW_TO_WIDE), repeat=2)])
def test_the_narrowest_memory_mode_of_flag_and_environment_holds(flag: str | None, variable: str | None) -> None:
    environment = {} if variable is None else {"KRADLE_MEMORY_MODE": variable}
    stated = [FROM_NARROW_TO_WIDE.index(mode) for mode in (flag, variable) if mode is not None]
    expected = FROM_NARROW_TO_WIDE[min(stated)] if stated else "full"
    assert settings_from(RequestFlags(memory_mode=flag), environment, FOLDER).memory_mode.label == expected


@pytest.mark.parametrize("text", ["", "Full", "off", "read_only", "full "])
def test_a_mode_that_cannot_be_read_is_an_error_and_never_full(text: str) -> None:
    for flags, environment in (
        (RequestFlags(memory_mode=text), {}),
        (RequestFlags(memory_mode="disabled"), {"KRADLE_MEMORY_MODE": text}),
    ):
        with pytest.raises(KradleError) as caught:
            settings_from(flags, environment, FOLDER)
        assert caught.value.code is ErrorCode.MEMORY_MODE_INVALID


def test_settings_keep_flags_environment_and_folder_as_they_are() -> None:
    flags, environment = RequestFlags(query="x"), {"SOURCE_DATE_EPOCH": "1"}
    settings = settings_from(flags, environment, FOLDER)
    assert (settings.flags, settings.environment, settings.folder) == (flags, environment, FOLDER)
    assert settings.memory_mode is MemoryMode.FULL
