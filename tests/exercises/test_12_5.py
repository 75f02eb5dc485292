"""Exercise 12.5: workers that die, and a loop that goes on."""

from itertools import count

import pytest

from burgerbot.course.claims import equal, instance, that
from burgerbot.scale.crew import CrewLost
from burgerbot.scale.transport import WorkerAway, WorkerGone

AWAY, GONE = "away", "gone"


class Fake:
    """A worker by a script: what each call of ``sample`` does, then fragments without end.

    A script holds ``AWAY``, ``GONE``, ``"fragment"`` or an exception; ``no_return`` says that
    ``begin`` raises ``WorkerGone``.
    """

    def __init__(self, name, script=(), used=None, no_return=False):
        self.name, self.script, self.no_return = name, list(script), no_return
        self.used = used if used is not None else []
        self.state, self.made, self.weights = "well", 0, []

    def sample(self, weights):
        that(
            self.state != "unknown",
            "a worker was asked for a fragment after its process died, and before `begin`: the new "
            "process has no seed, and what it sends is worth nothing",
            where=f"worker {self.name}",
        )
        that(
            self.state != "gone",
            "a worker that is gone was asked again: it gets no turn any more",
            where=f"worker {self.name}",
        )
        self.weights.append(weights)
        what = self.script.pop(0) if self.script else "fragment"
        if what == AWAY:
            self.state = "unknown"
            raise WorkerAway("killed")
        if what == GONE:
            self.state = "gone"
            raise WorkerGone("killed once too often")
        if isinstance(what, BaseException):
            raise what
        self.made += 1
        return f"{self.name}{self.made}"

    def begin(self, seed):
        that(
            self.state == "unknown",
            "`begin` was called without need: it starts the worker's episodes anew. Only a worker "
            "that was away needs it",
            where=f"worker {self.name}, {self.state}",
        )
        that(
            seed not in self.used,
            "a seed was used twice: the worker would repeat what another one, or its own former "
            "life, has played. Take the next of `seeds` each time",
            yours=repr(seed),
            where=f"worker {self.name}",
        )
        self.used.append(seed)
        if self.no_return:
            self.state = "gone"
            raise WorkerGone("does not start any more")
        self.state = "well"
        return "hello"


class Bug(Exception):
    """An error of the worker's own."""


def ran(answer, crew, wanted, where):
    """What the learner's loop brought, of the right kind."""
    seeds = count(100)
    handed = list(crew)
    try:
        got = answer.collect_from(handed, "weights", wanted, seeds)
    except CrewLost as error:
        that(
            all(worker.state == "gone" for worker in crew),
            "you gave up too early: as long as one worker is left, it goes on alone",
            expected="CrewLost when all are gone",
            yours=f"CrewLost: {error}",
            where=where,
        )
        raise
    except StopIteration:
        that(
            False,
            "the seeds ran out: take the next of `seeds` when a worker needs it, none beforehand, "
            "and as many as there are losses",
            where=where,
        )
    that(
        handed == list(crew),
        "the list of workers was changed: it belongs to the caller, who still has to close them",
        where=where,
    )
    instance(got, (tuple, list), "return two things: fragments, and the report", where=where)
    equal(len(got), 2, "return two things: fragments, and the report", where=where)
    fragments, report = got
    instance(report, dict, "the report is a dict", where=where)
    equal(sorted(report), ["gone", "lost"], "the report has the keys lost and gone", where=where)
    for worker in crew:
        that(
            all(weights == "weights" for weights in worker.weights),
            "`sample` gets the weights",
            where=where,
        )
    that(
        all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in fragments),
        "keep pairs: the index of the worker, and its fragment; who sent it is needed later on",
        expected="[(index, fragment), ...]",
        yours=fragments,
        where=where,
    )
    return [(int(index), fragment) for index, fragment in fragments], report


def test_in_turns(answer):
    """Three sound workers, five fragments: 0, 1, 2, 0, 1, and not one more."""
    crew = [Fake("a"), Fake("b"), Fake("c")]
    where = "three sound workers, 5 fragments wanted"
    fragments, report = ran(answer, crew, 5, where)
    equal(
        fragments,
        [(0, "a1"), (1, "b1"), (2, "c1"), (0, "a2"), (1, "b2")],
        "ask the workers in turns, worker 0 first, and keep (index, fragment) until there are as "
        "many as wanted",
        where=where,
    )
    equal(report, {"lost": 0, "gone": 0}, "nobody was lost", where=where)


def test_the_others_go_on(answer):
    """Worker 1 is away once: it misses a turn, begins anew, and is asked again."""
    crew = [Fake("a"), Fake("b", [AWAY]), Fake("c")]
    where = "three workers, worker 1 is away at its first turn, 5 fragments wanted"
    fragments, report = ran(answer, crew, 5, where)
    equal(
        fragments,
        [(0, "a1"), (2, "c1"), (0, "a2"), (1, "b1"), (2, "c2")],
        "a worker that was away misses this turn only: begin it, go on to the next worker, and ask "
        "it again when its turn comes; an index is the worker's place in `workers`",
        where=where,
    )
    equal(report, {"lost": 1, "gone": 0}, "each WorkerAway is one lost fragment", where=where)
    equal(crew[1].state, "well", "the worker that was away was not begun", where=where)


def test_new_lives_get_new_seeds(answer):
    """Two workers, away again and again: no seed is used twice."""
    used = []
    crew = [
        Fake("a", [AWAY, AWAY, "fragment", AWAY], used),
        Fake("b", ["fragment", AWAY, AWAY], used),
    ]
    where = "two workers, five losses, 6 fragments wanted"
    fragments, report = ran(answer, crew, 6, where)
    equal(len(fragments), 6, "as many fragments as wanted", where=where)
    equal(report, {"lost": 5, "gone": 0}, "count every loss, of every worker", where=where)
    equal(
        sorted(used),
        [100, 101, 102, 103, 104],
        "each new life takes the next of `seeds`",
        where=where,
    )


def test_gone_is_gone(answer):
    """Worker 0 does not come back: the others share its turns."""
    crew = [Fake("a", ["fragment", GONE]), Fake("b"), Fake("c")]
    where = "three workers, worker 0 is gone at its second turn, 6 fragments wanted"
    fragments, report = ran(answer, crew, 6, where)
    equal(
        fragments,
        [(0, "a1"), (1, "b1"), (2, "c1"), (1, "b2"), (2, "c2"), (1, "b3")],
        "a worker that is gone gets no turn any more; the others keep their numbers and order",
        where=where,
    )
    equal(
        report, {"lost": 0, "gone": 1}, "`gone` counts workers that will not come back", where=where
    )


def test_gone_while_it_begins(answer):
    """A worker may be away, and then not come back at all."""
    crew = [Fake("a", [AWAY], no_return=True), Fake("b")]
    where = "worker 0 is away, and its begin raises WorkerGone"
    try:
        fragments, report = ran(answer, crew, 3, where)
    except WorkerGone:
        that(
            False,
            "`begin` can raise WorkerGone too: that worker is gone, and the others go on",
            where=where,
        )
    equal(fragments, [(1, "b1"), (1, "b2"), (1, "b3")], "the others go on", where=where)
    equal(report, {"lost": 1, "gone": 1}, "it was lost, and then it was gone", where=where)


@pytest.mark.timeout(20)
def test_all_gone(answer):
    """Nobody left: an error that says how far it came."""
    crew = [Fake("a", ["fragment", GONE]), Fake("b", [AWAY], no_return=True)]
    where = "two workers, both gone after 1 fragment, 4 wanted"
    try:
        got = ran(answer, crew, 4, where)
    except CrewLost as error:
        that(
            "1" in str(error),
            "say in the message how many fragments there are so far",
            yours=str(error),
            where=where,
        )
    except (ZeroDivisionError, IndexError, RuntimeError, ValueError) as error:
        that(
            False,
            "when all are gone, raise CrewLost and no other error: whoever calls waits for it",
            yours=f"{type(error).__name__}: {error}",
            where=where,
        )
    else:
        that(
            False,
            "when all are gone, raise CrewLost: fewer fragments than wanted must not pass for "
            "success",
            yours=repr(got),
            where=where,
        )


def test_enough_is_enough(answer):
    """With all fragments there, nobody is asked, even if all are gone by then."""
    crew = [Fake("a", ["fragment", GONE])]
    where = "one worker, 1 fragment wanted"
    fragments, report = ran(answer, crew, 1, where)
    equal(fragments, [(0, "a1")], "one fragment was wanted", where=where)
    equal(
        report,
        {"lost": 0, "gone": 0},
        "stop when there are enough: do not ask once more",
        where=where,
    )
    equal(ran(answer, [Fake("a")], 0, "0 wanted")[0], [], "nothing was wanted", where="0 wanted")


@pytest.mark.parametrize("error", [KeyError("battery"), Bug("wheel"), KeyboardInterrupt()])
def test_a_bug_goes_through(answer, error):
    """Any other error is not a fault of the machine."""
    crew = [Fake("a"), Fake("b", [error])]
    where = f"worker 1 raises {error!r}"
    try:
        ran(answer, crew, 5, where)
    except type(error):
        return
    that(
        False,
        "the error was swallowed: catch WorkerAway and WorkerGone, and nothing else. A bug would "
        "come back with every new life",
        expected=type(error).__name__,
        yours="no error",
        where=where,
    )
