"""How much memory is left, by what the system says."""

import sys

import pytest

from burgerbot.scale import memory
from burgerbot.scale.memory import free_memory


def groups(monkeypatch, tmp_path, *pairs):
    """Control groups whose files say this; None: the file is not there."""
    found = []
    for k, texts in enumerate(pairs):
        paths = [tmp_path / f"{k}-{name}" for name in ("limit", "used")]
        for path, text in zip(paths, texts, strict=True):
            if text is not None:
                path.write_text(text)
        found.append(tuple(map(str, paths)))
    monkeypatch.setattr(memory, "GROUPS", found)


@pytest.mark.parametrize("first", [True, False])
def test_the_limit_of_the_group_counts_in_both_versions(monkeypatch, tmp_path, first):
    """Limit less use, where that is less than the machine has; the other version is not there."""
    here, none = ("2000000\n", "500000\n"), (None, None)
    groups(monkeypatch, tmp_path, *((here, none) if first else (none, here)))
    assert free_memory() == 1_500_000


def test_a_group_that_is_full_has_nothing_left(monkeypatch, tmp_path):
    """Never less than 0."""
    groups(monkeypatch, tmp_path, ("2000000", "2000001"))
    assert free_memory() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/meminfo")
@pytest.mark.parametrize("limit", ["max", str(2**63 - 4096), None])
def test_without_a_limit_the_machine_counts(monkeypatch, tmp_path, limit):
    """No limit is said by a word, by a huge number, or by no file."""
    groups(monkeypatch, tmp_path, (limit, "500000"))
    assert 10**7 < free_memory() < 2**50
