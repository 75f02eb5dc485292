"""Draws as pure functions: known values, ints and arrays alike, and no visible pattern."""

import warnings

import numpy as np

from burgerbot.world import draws


def test_the_first_draws_are_splitmix64s():
    """Key 0 gives the published outputs of SplitMix64 seeded with 0."""
    published = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert [draws.uniform(0, n) for n in range(3)] == [(w >> 11) * 2.0**-53 for w in published]


def test_ints_and_arrays_draw_the_same():
    """One robot and many compute the same numbers."""
    seeds, counters = np.arange(5, dtype=np.uint64) * 7919, np.arange(5, dtype=np.uint64) ** 9
    keys = draws.stream(seeds)
    many = draws.uniform(keys, counters)
    assert keys.dtype == np.uint64 and many.dtype == np.float64
    for i in range(5):
        key = draws.stream(int(seeds[i]))
        assert key == int(keys[i])
        assert draws.uniform(key, int(counters[i])) == many[i]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert draws.uniform(keys[i], counters[i]) == many[i]
            assert draws.stream(seeds[i]) == key


def test_draws_are_uniform_and_streams_of_neighbouring_seeds_are_unrelated():
    """Means, spread and correlations are those of independent uniform draws, within 5 sigma."""
    counters = np.arange(20_000, dtype=np.uint64)
    table = np.array([draws.uniform(draws.stream(seed), counters) for seed in range(6)])
    assert table.min() >= 0 and table.max() < 1
    assert abs(table.mean() - 0.5) < 5 * np.sqrt(1 / 12 / table.size)
    histogram = np.histogram(table, 20, (0, 1))[0]
    expected = table.size / 20
    assert ((histogram - expected) ** 2 / expected).sum() < 60  # 19 degrees of freedom
    noise = np.corrcoef(table) - np.eye(6)
    assert np.abs(noise).max() < 5 / np.sqrt(counters.size)
    assert abs(np.corrcoef(table[0, 1:], table[0, :-1])[0, 1]) < 5 / np.sqrt(counters.size)
