"""Exercise 03.3: the layout of a batch."""

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete

from burgerbot.course.claims import array_like, equal, instance, that

NAMES = ("observations", "actions", "rewards", "terminations", "truncations")
BURGERBOT = MultiDiscrete([7, 6, 4, 3])
SPACES = [  # of one robot: observation, action
    (BURGERBOT, Discrete(4)),
    (Box(-1, 1, (28,), np.float32), Discrete(4)),
    (Box(0, 255, (5, 3, 2), np.uint8), Box(-1, 1, (2,), np.float32)),
    (Discrete(9), MultiDiscrete([4, 2])),
    (Box(-1, 1, (), np.float64), MultiBinary(3)),
]


class Stand(gym.Env):
    """Hands out what its spaces promise, float32 rewards and integer flags."""

    def __init__(self, observation_space, action_space):
        self.observation_space, self.action_space = observation_space, action_space

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.observation_space.sample(), {}

    def step(self, action):
        return self.observation_space.sample(), np.float32(1), 0, 0, {}


def real_layout(spaces, num_envs):
    """What Gymnasium itself hands out and takes: build N robots and take a step."""
    envs = gym.vector.SyncVectorEnv([lambda: Stand(*spaces)] * num_envs)
    envs.reset(seed=0)
    actions = envs.action_space.sample()
    observations, rewards, terminations, truncations, _ = envs.step(actions)
    arrays = (observations, actions, rewards, terminations, truncations)
    return {name: (a.shape, a.dtype) for name, a in zip(NAMES, arrays, strict=True)}


def layout(answer, spaces, num_envs):
    """The learner's layout: five names, each with a shape and a dtype."""
    where = f"{num_envs} robots, {spaces[0]} and {spaces[1]}"
    got = answer.batch_layout(*spaces, num_envs)
    instance(got, dict, "return a dictionary: name -> (shape, dtype)", where=where)
    equal(sorted(got), sorted(NAMES), "the dictionary has these five names", where=where)
    for name, pair in got.items():
        that(
            isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], tuple),
            "each name has a pair: the shape, which is a tuple, and the dtype",
            expected="((N, ...), dtype)",
            yours=repr(pair),
            where=f"{name}, {where}",
        )
    return got, where


def compare(answer, name, part, message):
    """Compare one name's shape or dtype with Gymnasium's, for all spaces and some N."""
    for spaces in SPACES:
        for num_envs in (6, 1, 4):  # 4 is also the length of an observation
            real = real_layout(spaces, num_envs)[name][part]
            got, where = layout(answer, spaces, num_envs)
            yours = got[name][part]
            same = tuple(yours) == real if part == 0 else np.dtype(yours) == real
            that(same, message, expected=str(real), yours=str(yours), where=f"{name}, {where}")


def test_robots_are_axis_0(answer):
    """Axis 0 counts robots; the shape of one observation follows."""
    got, where = layout(answer, (BURGERBOT, Discrete(4)), 6)
    shape = tuple(got["observations"][0])
    that(
        shape != (6, 20),
        "20 is the length of the one-hot form. A vector environment stacks observations as they "
        "are; flattening comes later",
        expected="(6, 4)",
        yours=str(shape),
        where=where,
    )
    that(
        shape != (4, 6),
        "axis 0 counts robots: one robot more is one row more",
        expected="(6, 4)",
        yours=str(shape),
        where=where,
    )
    compare(
        answer,
        "observations",
        0,
        "observations have the shape (N,) + shape of one; a single number has the shape ()",
    )


def test_one_number_a_robot_is_shape_n(answer):
    """Rewards, flags and single actions have the shape (N,), not (N, 1)."""
    for name in ("rewards", "terminations", "truncations"):
        compare(
            answer,
            name,
            0,
            "one number a robot makes the shape (N,). With (N, 1), NumPy would broadcast: (N, 1) "
            "minus (N,) is (N, N)",
        )
    compare(answer, "actions", 0, "actions have the shape (N,) + shape of one action")


def test_dtypes(answer):
    """Observations and actions keep their space's dtype; rewards are float64, flags bool."""
    compare(answer, "observations", 1, "observations keep the dtype of their space")
    compare(answer, "actions", 1, "actions have the dtype of the action space")
    compare(answer, "rewards", 1, "rewards are float64, whatever the robot returns")
    for name in ("terminations", "truncations"):
        compare(answer, name, 1, "flags are bool: with integers, `~flag` would not mean `not`")


def observations_of(space, count, seed=0):
    """Different observations of a space."""
    space.seed(seed)
    return [space.sample() for _ in range(count)]


def refused(answer, space, observations, robot, message, where):
    """Whether the stack is refused with a ValueError that names the robot."""
    where = f"{where}, robot {robot} of {len(observations)}"
    try:
        got = answer.stack_observations(
            space, [np.copy(o) if isinstance(o, np.ndarray) else o for o in observations]
        )
    except ValueError as error:
        that(
            str(robot) in str(error),
            "say in the error which robot it was: the number i",
            expected=f"a text with {robot} in it",
            yours=str(error),
            where=where,
        )
    except TypeError as error:
        that(
            str(robot) not in str(error),
            "the observation is refused, and by another error than was agreed on: whoever uses the "
            "guard waits for a ValueError",
            expected="ValueError",
            yours=f"TypeError: {error}",
            where=where,
        )
        raise
    else:
        that(
            False,
            message,
            expected="ValueError",
            yours=f"{type(got).__name__} of shape {np.shape(got)}",
            where=where,
        )


def test_stacks_what_fits(answer):
    """Good observations become one array, robot i in row i."""
    spaces = (BURGERBOT, Box(-1, 1, (3,), np.float32), Box(0, 9, (2, 5), np.uint8))
    for space in spaces:
        for count in (1, 5):
            where = f"{count} observations of {space}"
            observations = observations_of(space, count)
            given = [o.copy() for o in observations]
            got = answer.stack_observations(space, given)
            array_like(got, (count, *space.shape), space.dtype, where=where)
            for i in range(count):
                equal(
                    got[i], observations[i], "row i belongs to robot i", where=f"{where}, row {i}"
                )


def test_the_result_is_new(answer):
    """The result shares no memory with the observations, and changes none of them."""
    space = Box(-1, 1, (3,), np.float32)
    for count in (1, 4):
        observations = observations_of(space, count)
        kept = [o.copy() for o in observations]
        got = answer.stack_observations(space, observations)
        got += 1
        equal(
            observations,
            kept,
            "the result is not a new array: a change of it changes a robot's observation",
            where=f"{count} observations of {space}",
        )


def test_each_call_gives_a_new_array(answer):
    """A later call leaves what an earlier one returned as it was."""
    for space in (Box(-1, 1, (3,), np.float32), BURGERBOT):
        first = answer.stack_observations(space, observations_of(space, 4, seed=1))
        kept = first.copy()
        answer.stack_observations(space, observations_of(space, 4, seed=2))
        equal(
            first,
            kept,
            "the result of an earlier call has changed: fill a new array at each call. One that is "
            "kept and filled again makes every step of a rollout show the last one",
            where=f"4 observations of {space}, then 4 others",
        )


def test_refuses_a_silent_cast(answer):
    """A dtype that the space does not promise is refused, also where NumPy would cast it."""
    for space, wrong in (
        (Box(-1, 1, (3,), np.float32), np.float64),
        (Box(-1, 1, (3,), np.float32), np.float16),
        (Box(-1, 1, (3,), np.float64), np.float32),
        (Box(0, 9, (3,), np.float32), np.int64),
        (BURGERBOT, np.int32),
    ):
        observations = observations_of(space, 14)
        observations[11] = observations[11].astype(wrong)
        refused(
            answer,
            space,
            observations,
            11,
            "a wrong dtype was taken and cast in silence, which hides a mistake in the robot",
            f"{np.dtype(wrong)} where {space.dtype} is promised",
        )


def test_refuses_a_wrong_shape(answer):
    """A shape that the space does not promise is refused, also where NumPy would broadcast it."""
    space = Box(-1, 1, (3,), np.float32)
    for shape in ((2,), (1,), (), (1, 3), (3, 1)):
        observations = observations_of(space, 14)
        observations[12] = np.zeros(shape, np.float32)
        refused(
            answer,
            space,
            observations,
            12,
            "a wrong shape was taken",
            f"shape {shape} where (3,) is promised",
        )
    refused(
        answer,
        space,
        [np.zeros(4, np.float32) for _ in range(1)],
        0,
        "all observations have one shape, but not the one that the space promises",
        "shape (4,) where (3,) is promised",
    )


def test_refuses_a_list(answer):
    """A list of the right numbers is no array."""
    observations = observations_of(BURGERBOT, 14)
    observations[13] = observations[13].tolist()
    refused(
        answer,
        BURGERBOT,
        observations,
        13,
        "a list was taken for an array: it has no dtype, so it keeps no promise",
        "a list",
    )
