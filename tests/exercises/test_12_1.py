"""Exercise 12.1: the lag of every rollout that was used."""

from collections import deque

import numpy as np

from burgerbot.course.claims import equal, instance, that

PUBLISH = ("publish", None)


def ask(worker):
    """Worker is asked."""
    return "ask", worker


def answer_of(worker):
    """Worker's oldest call comes back."""
    return "answer", worker


def checked(answer, log, max_lag, where):
    """What the learner found, of the right kind; the log is untouched."""
    given = list(log)
    got = answer.policy_lags(given, max_lag)
    instance(got, (tuple, list), "return two things: the list of lags, and a count", where=where)
    equal(len(got), 2, "return two things: the list of lags, and a count", where=where)
    equal(given, log, "the log was changed: it belongs to the caller", where=where)
    lags, dropped = got
    that(
        isinstance(lags, list) or (isinstance(lags, np.ndarray) and lags.ndim == 1),
        "`lags` is a list with one number for each answer that was used",
        yours=type(lags).__name__,
        where=where,
    )
    return [int(lag) for lag in lags], int(dropped)


def test_lag_counts_from_the_question(answer):
    """Asked with version 1, back when 3 was newest: lag 2."""
    log = [PUBLISH, ask(0), PUBLISH, PUBLISH, answer_of(0)]
    where = "publish, ask, publish, publish, answer"
    lags, _ = checked(answer, log, 9, where)
    equal(
        lags,
        [2],
        "the lag is the number of versions between the *question* and the answer: remember the "
        "version when the worker is asked, and compare when it answers",
        where=where,
    )


def test_the_bound_itself_is_good(answer):
    """Lag 2 is used with max_lag 2, lag 3 is not."""
    log = [PUBLISH, ask(0), ask(1), ask(2), PUBLISH, PUBLISH, answer_of(0), PUBLISH]
    log += [answer_of(1), answer_of(2)]
    for max_lag, expected in ((3, ([2, 3, 3], 0)), (2, ([2], 2)), (1, ([], 3))):
        where = f"lags 2, 3 and 3, max_lag {max_lag}"
        lags, dropped = checked(answer, log, max_lag, where)
        equal(
            lags,
            expected[0],
            "answers with a lag *above* max_lag are thrown away, and are not in the list; the "
            "bound itself is still good",
            where=where,
        )
        equal(dropped, expected[1], "`dropped` counts what was thrown away", where=where)


def test_first_asked_first_answered(answer):
    """With two calls in flight, an answer belongs to the oldest open question."""
    log = [PUBLISH, ask(0), PUBLISH, ask(0), answer_of(0), PUBLISH, PUBLISH, answer_of(0)]
    where = "asked with versions 1 and 2; answers at versions 2 and 4"
    lags, _ = checked(answer, log, 9, where)
    equal(
        lags,
        [1, 2],
        "a worker works through its calls in order: the answer belongs to its *oldest* open "
        "question, not to the last one, and one question is answered once",
        where=where,
    )


def test_each_worker_has_its_own_questions(answer):
    """A quick worker's answer does not belong to a slow worker's question."""
    log = [PUBLISH, ask(0), PUBLISH, ask(1), PUBLISH, answer_of(1), PUBLISH, answer_of(0)]
    where = "worker 0 asked with version 1, worker 1 with version 2; worker 1 answers first"
    lags, _ = checked(answer, log, 9, where)
    equal(
        lags,
        [1, 3],
        "keep the open questions of each worker apart: worker 1 may answer before worker 0",
        where=where,
    )


def test_a_dropped_answer_is_an_answer(answer):
    """Its question is no longer open."""
    log = [PUBLISH, ask(0), PUBLISH, PUBLISH, ask(0), answer_of(0), answer_of(0)]
    where = "asked with versions 1 and 3; both answers at version 3; max_lag 1"
    lags, dropped = checked(answer, log, 1, where)
    message = (
        "an answer that is thrown away still closes its question: take the question off in either "
        "case"
    )
    equal(lags, [0], message, where=where)
    equal(dropped, 1, message, where=where)


def test_random_logs(answer):
    """Five workers, many calls, random order: the lags of a slow count."""
    rng = np.random.default_rng(12)
    for case in range(20):
        log, open_calls, version, expected, dropped = [PUBLISH], [], 1, [], 0
        for _ in range(60):
            what, worker = rng.integers(3), int(rng.integers(5))
            if what == 0:
                log.append(PUBLISH)
                version += 1
            elif what == 1:
                log.append(ask(worker))
                open_calls.append((worker, version))
            else:
                mine = deque(v for w, v in open_calls if w == worker)
                if mine:
                    log.append(answer_of(worker))
                    open_calls.remove((worker, mine[0]))
                    lag = version - mine[0]
                    expected, dropped = (
                        (expected, dropped + 1) if lag > 4 else ([*expected, lag], dropped)
                    )
        where = f"random log {case}, max_lag 4"
        lags, thrown_away = checked(answer, log, 4, where)
        equal(
            lags,
            expected,
            "these are not the lags of this log, in the order in which the answers came",
            where=where,
        )
        equal(thrown_away, dropped, "not all that is too old was counted", where=where)
