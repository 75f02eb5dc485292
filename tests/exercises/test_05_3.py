"""Exercise 05.3: where the second line overtakes the first."""

import numpy as np

from burgerbot.course.claims import close, equal, that


def crossing(answer, costs, sync, asyn, where):
    """The learner's crossover, given copies; a missing one is told for what it is."""
    try:
        found = answer.crossover(list(costs), list(sync), list(asyn))
    except IndexError as error:
        that(
            False,
            "there is no next point after the last, and none before the first: if the lines do "
            "not cross, return None",
            yours=f"IndexError: {error}",
            where=where,
        )
    that(
        found is not None,
        "the lines do cross here: async is not ahead at first, and ahead in the end",
        expected="a step cost",
        yours="None",
        where=where,
    )
    return found


def no_crossing(answer, costs, sync, asyn, message, where):
    """Claim that there is none."""
    try:
        found = answer.crossover(list(costs), list(sync), list(asyn))
    except (IndexError, ValueError) as error:
        found = f"{type(error).__name__}: {error}"
    that(found is None, message, expected="None", yours=repr(found), where=where)


def test_by_hand(answer):
    """Half as fast at 1 us, twice as fast at 100 us: the lines cross at 10 us."""
    close(
        crossing(answer, [1, 100], [8.0, 8.0], [4.0, 16.0], "costs [1, 100]"),
        10.0,
        "half as fast and twice as fast are equally far apart on logarithmic axes: the crossing is "
        "in the middle there, at 10, and not at 50. Take logarithms of the rates and of the costs",
        where="costs [1, 100], sync [8, 8], async [4, 16]",
    )


def test_straight_lines_cross_where_they_must(answer):
    """Lines that are straight on logarithmic axes cross at a known point, whatever was measured."""
    rng = np.random.default_rng(8)
    for _ in range(30):
        costs = np.sort(np.exp(rng.uniform(0.0, 9.0, 7)))
        at = float(np.exp(rng.uniform(np.log(costs[0] * 1.05), np.log(costs[-1] / 1.05))))
        level, falls, rises = np.exp(rng.uniform(3, 9)), rng.uniform(0.5, 1.0), rng.uniform(0, 0.4)
        sync, asyn = level * (costs / at) ** -falls, level * (costs / at) ** -rises
        close(
            crossing(answer, costs, sync, asyn, f"costs {np.round(costs, 1).tolist()}"),
            at,
            "between two points the lines are straight in the logarithms, of the costs and of the "
            "rates",
            where=f"costs {np.round(costs, 1).tolist()}",
            tolerance=1e-6,
        )


def test_the_two_points_around_the_crossing_count(answer):
    """Only the last point behind and the one after it decide; the others may be anywhere."""
    costs, sync = [1, 10, 40, 500, 1000], [900.0, 700.0, 300.0, 90.0, 40.0]
    asyn = [100.0, 90.0, 100.0, 270.0, 200.0]
    for name, far in (("near", 1.0), ("far", 0.01)):
        moved = [asyn[0] * far, asyn[1] * far, *asyn[2:4], asyn[4] / far]
        close(
            crossing(answer, costs, sync, moved, f"costs {costs}"),
            40 * np.sqrt(12.5),
            "the crossing lies between the last point where async is not ahead and the next one; "
            "no other point has a say",
            where=f"costs {costs}, async is behind at 40 and ahead at 500; other points {name}",
        )


def test_no_crossing_where_async_is_always_ahead(answer):
    """Async ahead at every point: the lines do not cross in what was measured."""
    no_crossing(
        answer,
        [10, 100, 1000],
        [50.0, 20.0, 4.0],
        [60.0, 50.0, 16.0],
        "async is ahead everywhere, so the crossing, if there is one, was not measured",
        "costs [10, 100, 1000], async ahead at each",
    )


def test_no_crossing_where_async_is_never_ahead(answer):
    """Async behind at every point, or at the last: it does not pay for sure."""
    for name, asyn in (
        ("behind at each", [10.0, 9.0, 3.0, 1.0]),
        ("ahead in between, behind at the last", [10.0, 25.0, 12.0, 1.0]),
        ("ahead first, behind then", [60.0, 25.0, 3.0, 1.0]),
    ):
        no_crossing(
            answer,
            [10, 100, 1000, 5000],
            [50.0, 20.0, 4.0, 2.0],
            asyn,
            "async is not ahead at the last point, so nothing says that it pays from anywhere on",
            f"costs [10, 100, 1000, 5000], async {name}",
        )


def test_the_last_crossing_counts(answer):
    """Noise makes the lines cross several times: from the last crossing on async stays ahead."""
    costs, sync = [1, 4, 16, 64, 256], [10.0] * 5
    close(
        crossing(answer, costs, sync, [5.0, 20.0, 5.0, 20.0, 40.0], f"costs {costs}"),
        32.0,
        "async is ahead at 4 by chance and behind again at 16: the last crossing counts",
        where=f"costs {costs}; async behind, ahead, behind, ahead, ahead",
    )
    close(
        crossing(answer, costs, sync, [20.0, 5.0, 20.0, 40.0, 40.0], f"costs {costs}"),
        8.0,
        "async ahead at the first point is no crossing yet: it falls behind, and the crossing that "
        "counts is where it comes ahead",
        where=f"costs {costs}; async ahead, behind, ahead, ahead, ahead",
    )


def test_a_tie_is_not_ahead(answer):
    """Level at a measured point and ahead after it: that point is the crossing."""
    close(
        crossing(answer, [1, 7, 50], [9.0, 6.0, 1.0], [3.0, 6.0, 5.0], "costs [1, 7, 50]"),
        7.0,
        "where both are equally fast, the lines meet: that is the crossing",
        where="costs [1, 7, 50], equally fast at 7",
    )


def test_a_tie_at_the_end_is_no_lead(answer):
    """Level at the last point, or at a later one: async is not ahead there."""
    no_crossing(
        answer,
        [1, 10, 100],
        [9.0, 6.0, 4.0],
        [3.0, 5.0, 4.0],
        "both are equally fast at the last point: async is not ahead there, so nothing says that "
        "it pays from anywhere on",
        "costs [1, 10, 100], equally fast at 100",
    )
    close(
        crossing(answer, [1, 10, 100], [9.0, 6.0, 4.0], [12.0, 6.0, 8.0], "costs [1, 10, 100]"),
        10.0,
        "async ahead, then level, then ahead: level is not ahead, so the crossing that counts is "
        "where they are level",
        where="costs [1, 10, 100], async ahead at 1, equally fast at 10, ahead at 100",
    )


def test_arrays_and_lists_alike(answer):
    """Arrays do as well as lists, and are left as they were."""
    costs, sync, asyn = np.array([1, 100]), np.array([8.0, 8.0]), np.array([4.0, 16.0])
    close(answer.crossover(costs, sync, asyn), 10.0, "with arrays the answer is another")
    equal([costs, sync, asyn], [[1, 100], [8, 8], [4, 16]], "the caller's arrays were changed")
