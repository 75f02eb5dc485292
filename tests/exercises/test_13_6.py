"""Exercise 13.6: a held-out panel, stratum by stratum, with intervals that resample families."""

from functools import cache

import numpy as np

from burgerbot.course.claims import close, equal, that
from burgerbot.learn import oracle
from burgerbot.world.observe import egocentric
from burgerbot.world.rules import STOP, V1_REWARDS, compile_kitchen
from burgerbot.world.strata import random_kitchen

OPEN, CORRIDOR = [901, 902, 903, 904], [911, 912, 913]


def interval(answer, delivered, families, where, **options):
    """The learner's interval, two numbers in order within 0 and 1."""
    got = answer.family_interval(np.array(delivered), np.array(families), **options)
    that(
        isinstance(got, (tuple, list, np.ndarray)) and len(got) == 2,
        "an interval is two numbers, (low, high)",
        yours=got,
        where=where,
    )
    low, high = (float(end) for end in got)
    that(
        0.0 <= low <= high <= 1.0,
        "a share lies between 0 and 1: deliveries by *episodes*, E of each robot; and the lower "
        "end comes first",
        yours=(low, high),
        where=where,
    )
    return low, high


def test_families_are_resampled(answer):
    """200 families of copies: the interval is as wide as that of 200 values, not of 2000."""
    rng = np.random.default_rng(1)
    alone = rng.random(200) < 0.7
    delivered = np.repeat(alone, 5)[:, None] & np.ones((1, 2), dtype=bool)
    families = np.repeat(np.arange(200), 5)
    where = "200 families of 5 robots, 2 episodes each, all of a family alike; share "
    where += f"{alone.mean():.3f}"
    low, high = interval(answer, delivered, families, where)
    width = 2 * 1.96 * alone.std() / np.sqrt(200)
    that(
        high > low,
        "all resamples are the same: draw with replacement, so that some families come twice and "
        "others not at all",
        expected=f"about {width:.3f} wide",
        yours=f"{high - low:.3f}",
        where=where,
    )
    that(
        low < alone.mean() < high,
        "the share itself is outside of the interval: the ends are the quantiles 0.025 and 0.975 "
        "of the shares (`np.percentile` calls them 2.5 and 97.5)",
        expected=f"around {alone.mean():.3f}",
        yours=(low, high),
        where=where,
    )
    that(
        abs((high - low) / width - 1 / 1.96) > 0.02,
        "this is one standard error to each side, which holds 68 %: the interval goes from the "
        "2.5 % to the 97.5 % quantile",
        expected=f"about {width:.3f} wide",
        yours=f"{high - low:.3f}",
        where=where,
    )
    that(
        high - low > 0.75 * width,
        "the interval is far too narrow: the ten episodes of a family are copies here, and ten "
        "copies are no ten witnesses. Draw whole families again, F each time, not robots or "
        "episodes, and that a thousand times",
        expected=f"about {width:.3f} wide",
        yours=f"{high - low:.3f}",
        where=where,
    )
    that(
        abs((high - low) / width - 1) < 0.13,
        "the width is not that of a 95 % interval: from the 2.5 % to the 97.5 % quantile of the "
        "resampled shares (not their standard deviation, and not 90 %)",
        expected=f"about {width:.3f} wide",
        yours=f"{high - low:.3f}",
        where=where,
    )
    close(
        (low + high) / 2,
        alone.mean(),
        "the interval lies around the share of deliveries",
        where=where,
        tolerance=0.02,
    )


def test_all_of_a_family_come_along(answer):
    """Within a family everything differs, between them nothing: an interval without width."""
    delivered = np.array([[True, False]] * 12)
    families = np.arange(12) % 4
    where = "4 families of 3 robots, in turns; each robot delivers once and fails once"
    low, high = interval(answer, delivered, families, where)
    close(
        (low, high),
        (0.5, 0.5),
        "every family has the share 0.5, so every draw of whole families has it, too: do not draw "
        "robots or episodes within a family, and go by the labels, not by the order",
        where=where,
    )


def test_families_of_different_sizes(answer):
    """Each episode counts alike: deliveries drawn, divided by episodes drawn."""
    families = np.concatenate([np.full(12, 50), np.arange(8)])
    delivered = (families == 50)[:, None]
    where = "a family of 12 that always delivers, and 8 families of 1 that never do; share 0.6"
    low, high = interval(answer, delivered, families, where)
    that(
        high > 0.7,
        "the large family counts as little as a small one. Add up the deliveries of the families "
        "drawn, and divide by the episodes of the families drawn; do not take a mean of the "
        "families' means, and let each family be drawn, the last one too",
        expected="an upper end above 0.7",
        yours=high,
        where=where,
    )
    that(low < 0.1, "a draw without the large family has the share 0", yours=low, where=where)


def test_the_interval_can_be_repeated(answer):
    """The same seed gives the same interval, and arguments are not changed."""
    rng = np.random.default_rng(2)
    delivered, families = rng.random((120, 7)) < 0.5, np.arange(120) // 3
    copy, ends = delivered.copy(), set()
    for seed in range(4):
        where = f"40 families of 3, 7 episodes each, seed {seed}, twice"
        first = interval(answer, delivered, families, where, seed=seed)
        equal(
            interval(answer, delivered, families, where, seed=seed),
            first,
            "the same data and seed must give the same interval: make the generator from `seed`",
            where=where,
        )
        ends.add(first)
    that(
        len(ends) > 1,
        "four seeds give the same interval: the generator is made from another number than `seed`",
        expected="intervals that differ a little",
        yours=ends,
        where="40 families of 3, 7 episodes each, seeds 0 to 3",
    )
    answer.family_interval(delivered, families)
    equal(delivered, copy, "your function changed `delivered`, which belongs to the caller")


@cache
def best_actions(stratum, seed):
    """Observation (bytes) -> scores of the exact best policy in one kitchen."""
    kitchen = random_kitchen(stratum, seed)
    model = oracle.model(compile_kitchen(kitchen), V1_REWARDS)
    _, q = oracle.value_iteration(model, 0.97, tolerance=1e-4)
    return {row.tobytes(): scores for row, scores in zip(egocentric(kitchen), q, strict=True)}


class Driver:
    """Knows the best way in some kitchens, stands still in all others, and keeps count."""

    def __init__(self, known):
        self.table, self.known, self.calls = {}, known, []
        for stratum, seeds in known.items():
            for seed in seeds:
                self.table |= best_actions(stratum, seed)

    def __call__(self, observations):
        self.calls.append(len(observations))
        still = np.eye(4)[STOP]
        return np.stack([self.table.get(row.tobytes(), still) for row in observations])


def held(answer, driver, families, where, **options):
    """The learner's panel: stratum -> three numbers."""
    given = {name: list(seeds) for name, seeds in families.items()}
    got = answer.panel(driver, given, **options)
    that(
        isinstance(got, dict) and set(got) == set(families),
        "the panel is a dictionary with every stratum that was asked for",
        expected=list(families),
        yours=list(got) if isinstance(got, dict) else type(got).__name__,
        where=where,
    )
    that(given == families, "your function changed the families, which belong to the caller")
    for name, numbers in got.items():
        that(
            np.shape(numbers) == (3,),
            "each stratum has three numbers: (success, low, high)",
            yours=numbers,
            where=f"{where}, {name}",
        )
    return {name: tuple(float(x) for x in numbers) for name, numbers in got.items()}


def test_a_driver_that_knows_the_panel(answer):
    """Success 1 in every stratum, for a driver that knows exactly these kitchens."""
    families = {"open": OPEN, "corridor": CORRIDOR}
    where = "the exact best driver of the panel's kitchens, who stands still in any other"
    got = held(answer, Driver(families), families, where)
    for name in families:
        that(
            got[name][0] > 0.99,
            "in some kitchen of the panel this driver stood still: the robots must drive in the "
            "stratum's kitchens, and in those of the seeds that were given "
            "(`stratum=name, family=seeds`)",
            expected=1.0,
            yours=got[name][0],
            where=f"{where}; {name}",
        )
        close(
            got[name][1:],
            (1.0, 1.0),
            "all families deliver always, so every draw of families has the share 1",
            where=f"{where}; {name}",
        )


def test_strata_are_kept_apart(answer):
    """A driver that knows the open kitchens only: 1 there, 0 in the corridors."""
    families = {"corridor": CORRIDOR, "open": OPEN}
    where = "a driver that knows the open kitchens and stands still elsewhere"
    got = held(answer, Driver({"open": OPEN}), families, where)
    close(
        [got["open"][0], got["corridor"][0]],
        [1.0, 0.0],
        "strata are not mixed: each is evaluated on its own kitchens and reported on its own",
        where=where + "; success in open, corridor",
    )


def test_every_seed_has_as_many_robots(answer):
    """A driver that knows two kitchens of four delivers in half of the episodes."""
    where = "4 kitchens, of which the driver knows 2; 3 robots in each"
    driver = Driver({"open": OPEN[:2]})
    got = held(answer, driver, {"open": OPEN}, where, robots=3)
    equal(
        driver.calls[0],
        12,
        "each seed gets `robots` robots: the environment has robots * len(seeds) of them",
        where=where,
    )
    close(
        got["open"][0],
        0.5,
        "two of four kitchens are always solved and two never, so half of the episodes deliver: "
        "every robot counts once, the slow ones too",
        where=where,
    )
    low, high = got["open"][1:]
    that(
        low == 0.0 and high == 1.0,
        "with 4 families, two good and two bad ones, a draw may hold good ones only, or bad ones "
        "only: the interval goes from 0 to 1. It is narrower if robots are drawn, or if the labels "
        "do not fit the robots (the first `robots` robots have the first seed)",
        expected=(0.0, 1.0),
        yours=(low, high),
        where=where,
    )


def test_success_is_the_share_itself(answer):
    """A driver that knows three of four kitchens: 0.75, wherever the interval lies."""
    where = "4 kitchens, of which the driver knows 3; 2 robots in each"
    got = held(answer, Driver({"open": OPEN[:3]}), {"open": OPEN}, where, robots=2)
    close(
        got["open"][0],
        0.75,
        "the success is the share of deliveries itself, first of the three numbers; it is not the "
        "middle of the interval, which lies lopsided about it",
        where=where,
    )
