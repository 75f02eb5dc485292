"""Exercise 02.3: follow a policy."""

import numpy as np

from burgerbot.course.claims import close, equal, that
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.rules import compile_kitchen

REWARDS = (-0.25, 1.5, -7.0, 20.0)


class World:
    """A kitchen's table and rewards, and a policy from a list of (state, action)."""

    def __init__(self, text):
        self.kitchen = Kitchen.from_ascii(text) if isinstance(text, str) else text
        self.rules = compile_kitchen(self.kitchen)
        self.table = self.rules.table.copy()
        self.reward = np.array(REWARDS)[self.table & 3].reshape(-1, 4)

    def run(self, answer, policy, limit, where, gamma=1.0, start=None):
        """The learner's episode: states, total, terminated, truncated; inputs are copies."""
        start = self.rules.start if start is None else start
        given = self.table.copy(), self.reward.copy(), np.array(policy)
        before = [array.copy() for array in given]
        got = answer.rollout(*given, start, limit, gamma)
        parts = ("states", "total", "terminated", "truncated")
        that(
            all(hasattr(got, part) for part in parts),
            "return an `Episode(states, total, terminated, truncated)`: the cells below ask for "
            "its parts by name",
            yours=type(got).__name__,
            where=where,
        )
        that(
            all(np.array_equal(a, b) for a, b in zip(given, before, strict=True)),
            "your function changed its inputs; the caller still needs them",
            where=where,
        )
        states, total, terminated, truncated = (getattr(got, part) for part in parts)
        states = [int(state) for state in np.asarray(states).ravel()]
        return states, total, bool(terminated), bool(truncated)


def slow_run(world, policy, limit, gamma):
    """The same, worked out on the map of (row, col, heading)."""
    state, states, total = world.rules.start, [world.rules.start], 0.0
    for t in range(limit):
        after, outcome = divmod(int(world.table[state * 4 + int(policy[state])]), 4)
        total += gamma**t * REWARDS[outcome]
        states.append(after)
        state = after
        if outcome in (2, 3):
            return states, total, True, t + 1 == limit
    return states, total, False, True


def always(world, action):
    """The policy that does the same everywhere."""
    return np.full(world.rules.num_states, action)


def test_a_delivery_by_hand(answer):
    """Driving forward on `>..G` visits four states, pays 1.5 + 1.5 + 20, and terminates."""
    world, where = World(">..G"), "the map >..G, forward everywhere, limit 10"
    states, total, terminated, truncated = world.run(answer, always(world, 0), 10, where)
    equal(
        states,
        [1, 5, 9, 13],
        "the states are the start and the state after each step; the last one too, none after it. "
        "The entry of a step is `table[state * 4 + action]`",
        where=where,
    )
    message = (
        "add the reward of every step, the last one too: `reward[state, action]`, with the state "
        "in which the action is taken, not the one it leads to"
    )
    close(total, 23.0, message, where=where)
    message = "a delivery (outcome 3) ends the episode: terminated is True"
    equal(terminated, True, message, where=where)
    message = "the limit was not reached: truncated is False"
    equal(truncated, False, message, where=where)


def test_a_second_episode_starts_afresh(answer):
    """Nothing is kept from one call to the next, and gamma is 1 if it is left out."""
    world, where = World(">..G"), "the same call twice, gamma left out"
    policy = always(world, 0)
    for _ in range(2):
        episode = answer.rollout(
            world.table.copy(), world.reward.copy(), policy.copy(), world.rules.start, 10
        )
        equal(
            [int(state) for state in episode.states],
            [1, 5, 9, 13],
            "the second episode begins with the first one's states: make a new list each time",
            where=where,
        )
        close(episode.total, 23.0, "without gamma the rewards are simply added", where=where)


def test_a_crash_terminates(answer):
    """A crash pays its reward, leaves the robot where it was, and ends the episode."""
    world, where = World(">.O\n..G"), "the map >.O / ..G, forward everywhere, limit 10"
    states, total, terminated, truncated = world.run(answer, always(world, 0), 10, where)
    message = (
        "a crash (outcome 2) ends the episode like a delivery does; the robot stays on its cell"
    )
    equal(states, [1, 5, 5], message, where=where)
    message = "a crash (outcome 2) ends the episode: terminated, and not truncated"
    equal((terminated, truncated), (True, False), message, where=where)
    message = "the crash pays too: 1.5 for the move, then -7"
    close(total, -5.5, message, where=where)


def test_the_limit_truncates(answer):
    """Turning for ever stops after `limit` steps: truncated, and not terminated."""
    world = World(">.\n.G")
    for limit in (1, 2, 7):
        where = f"the map >. / .G, turn_left everywhere, limit {limit}"
        states, total, terminated, truncated = world.run(answer, always(world, 1), limit, where)
        equal(
            len(states) - 1,
            limit,
            "count the steps: the episode has exactly `limit` of them, no more and no fewer",
            where=f"{where}: steps taken",
        )
        equal(states, [1, 0, 3, 2, 1, 0, 3, 2][: limit + 1], "the states visited", where=where)
        message = "nothing in the world ended the episode: terminated is False"
        equal(terminated, False, message, where=where)
        equal(truncated, True, "the limit was reached: truncated is True", where=where)
        close(total, -0.25 * limit, "every step pays, the last one too", where=where)


def test_both_flags_in_the_last_step(answer):
    """A step that delivers or crashes at the limit has both flags True, as in Gymnasium."""
    for text, limit in ((">..G", 3), (">.O\n..G", 2)):
        world, where = World(text), f"the map {text.replace(chr(10), ' / ')}, limit {limit}"
        _, _, terminated, truncated = world.run(answer, always(world, 0), limit, where)
        equal(
            (terminated, truncated),
            (True, True),
            "the two flags are two questions: did the world end it, and is the limit reached? "
            "Here both are True; truncated is not the opposite of terminated",
            where=f"{where}: (terminated, truncated)",
        )


def test_one_step_before_the_limit(answer):
    """A step that terminates one step before the limit is not truncated."""
    for text, limit in ((">..G", 4), (">.O\n..G", 3)):
        world, where = World(text), f"the map {text.replace(chr(10), ' / ')}, limit {limit}"
        _, _, terminated, truncated = world.run(answer, always(world, 0), limit, where)
        equal(
            (terminated, truncated),
            (True, False),
            "one more step was allowed: truncated is True only if `limit` steps were taken, and "
            "the start among the states is no step",
            where=f"{where}: (terminated, truncated)",
        )


def test_the_first_step_is_not_discounted(answer):
    """The reward of step t counts gamma to the power t, t from 0."""
    world = World(">..G")
    for gamma in (0.0, 0.5, 0.9):
        where = f"the map >..G, forward everywhere, gamma {gamma}"
        _, total, _, _ = world.run(answer, always(world, 0), 10, where, gamma=gamma)
        close(
            total,
            1.5 + 1.5 * gamma + 20 * gamma**2,
            "the first reward counts in full, the second times gamma, the third times gamma^2",
            where=where,
        )


def test_the_policy_is_asked_in_every_state(answer):
    """Each step takes the action of the state the robot is in now, from any start."""
    rng = np.random.default_rng(5)
    for number in range(40):
        world = World(CLASSIC if number % 2 else "..O.\n<..O\n...G")
        # Mostly turns and stops, so that episodes are long enough to see something.
        policy = rng.choice(4, p=[0.5, 0.25, 0.2, 0.05], size=world.rules.num_states)
        gamma = (1.0, 0.9)[number % 3 == 0]
        where = f"a random policy in a kitchen, number {number}, limit 12, gamma {gamma}"
        expected = slow_run(world, policy, 12, gamma)
        states, total, terminated, truncated = world.run(answer, policy, 12, where, gamma=gamma)
        message = "look the action up in the state the robot is in now: policy[state]"
        equal(states, expected[0], message, where=where)
        close(total, expected[1], "the return of the episode", where=where)
        message = "the flags (terminated, truncated)"
        equal((terminated, truncated), expected[2:], message, where=where)
