"""The crew in processes of Ray: the same hauls, real kills, and training that goes on."""

from functools import partial

import gymnasium as gym
import numpy as np
import pytest

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn import checkpoint as checkpoints
from burgerbot.learn import ppo
from burgerbot.learn.numpy_policy import weights_of
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.q_learning import QTable
from burgerbot.learn.replay import PrioritizedReplay
from burgerbot.scale import workers
from burgerbot.scale.ape_x import explorer_builds, train_ape_x
from burgerbot.scale.backends import FaultyEnv
from burgerbot.scale.crew import Crew, CrewLost
from burgerbot.scale.local_crew import LocalTransport
from burgerbot.scale.off_policy import train_crew
from burgerbot.scale.tiers import make_robots
from burgerbot.scale.worker import RolloutWorker

pytestmark = [pytest.mark.ray, pytest.mark.timeout(300), pytest.mark.xdist_group("ray")]

CONFIG = ppo.PPOConfig(steps=32, epochs=2, minibatches=2, hidden=(16,))
KITCHENS = partial(gym.make_vec, "burgerbot:BurgerBotKitchens-v0", num_envs=8)
BUILDS = [partial(RolloutWorker, KITCHENS)] * 2


@pytest.fixture(scope="module", autouse=True)
def ray_here():
    """Ray on this machine, once for all tests, and gone afterwards."""
    try:
        with workers.running():
            yield
    except workers.RayUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture
def policy():
    """Networks for the kitchens."""
    envs = KITCHENS()
    policy = ActorCritic.of(envs, hidden=(16,))
    policy.update_moments(envs.reset(seed=0)[0])
    return policy


def hauls(transport, weights):
    """What each worker says first, and its first two fragments."""
    with Crew(transport, seed=5, in_flight=1) as crew:
        hellos = crew.begin()
        crew.publish(weights)
        found = {}
        while len(found) < 4:
            fragment = crew.next(20)
            place = sum(key[0] == fragment.worker for key in found)
            found.setdefault((fragment.worker, place), fragment)
        return hellos, found


def test_the_same_hauls_as_in_this_process(policy):
    """Seeds and weights decide, not where the worker is."""
    weights = weights_of(policy)
    here, there = (hauls(kind(BUILDS), weights) for kind in (LocalTransport, workers.RayTransport))
    for ours, theirs in zip(here[0], there[0], strict=True):
        assert np.array_equal(ours.observations, theirs.observations)
        assert ours.single_action_space == theirs.single_action_space
    for worker in (0, 1):
        ours, theirs = here[1][worker, 0].content, there[1][worker, 0].content
        assert np.array_equal(ours.rollout.actions, theirs.rollout.actions)
        assert np.array_equal(ours.rollout.rewards, theirs.rollout.rewards)
        assert ours.moments == theirs.moments


def test_fetched_arrays_are_read_only(policy):
    """They lie in the shared store: whoever wants to change them copies first."""
    with Crew(workers.RayTransport(BUILDS[:1])) as crew:
        crew.begin(0)
        crew.publish(weights_of(policy))
        rollout = crew.next(20).content.rollout
        with pytest.raises(ValueError, match="read-only"):
            rollout.observations[0] += 1


def test_a_workers_own_error_arrives_as_what_it_is():
    """Ray's error is a KeyError, too."""
    robots = partial(make_robots, "SyncVectorEnv", partial(FaultyEnv, KeyError("battery"), 3), 2)
    with Crew(workers.RayTransport([partial(RolloutWorker, robots)])) as crew:
        crew.publish(weights_of(ActorCritic.of(crew.begin(0)[0])))
        with pytest.raises(KeyError, match="battery"):
            crew.next(20)


class Unknown(RolloutWorker):
    """A worker whose class no other process can import."""


def test_a_worker_that_cannot_be_built_is_an_error_with_its_reason():
    """Not a wait for somebody who will never come."""
    crew = Crew(workers.RayTransport([partial(Unknown, KITCHENS)]))
    with crew, pytest.raises(CrewLost, match=r"all 1 workers are gone \("):
        crew.begin(0)


def test_training_goes_on_after_a_sigkill():
    """The loss is reported, the worker returns with a new seed, and every row counted once."""
    with Crew(workers.RayTransport(BUILDS)) as crew:
        after = []

        def look(run):
            if run.updates == 3:
                crew.transport.kill(0)
            if crew.report.losses and not crew.report.returns:
                after.append(run.updates)
            return not crew.report.returns or run.updates < max(after, default=0) + 5

        run = train_crew(crew, CONFIG, 10**7, callback=look)
    assert crew.report.losses == crew.report.returns == 1
    assert [(who, what) for _, who, what in crew.report.events] == [(0, "lost"), (0, "back")]
    assert after  # updates were made while it was away
    assert run.policy.moments.count == run.steps


def test_all_killed_ends_in_an_error_and_a_checkpoint(tmp_path):
    """Nobody comes back: the run is saved, the error says where, and a new crew goes on."""
    path = tmp_path / "run.pt"
    with Crew(workers.RayTransport(BUILDS, restarts=0)) as crew:

        def disaster(run):
            if run.updates == 3:
                crew.transport.kill(0), crew.transport.kill(1)

        with pytest.raises(CrewLost, match=r"Saved after .* updates"):
            train_crew(crew, CONFIG, 10**7, checkpoint=path, callback=disaster)
    saved = checkpoints.load(path)["updates"]
    assert saved >= 3
    with Crew(LocalTransport(BUILDS)) as crew:
        run = train_crew(
            crew, CONFIG, 10**7, checkpoint=path, callback=lambda run: run.updates < saved + 2
        )
    assert run.updates == saved + 2


def test_ape_x_on_ray():
    """Explorers in processes fill the replay of the learner."""
    make = partial(gym.make_vec, "burgerbot:BurgerBot-v1", num_envs=4)
    q, replay = QTable([7, 7, 4, 3]), PrioritizedReplay(10_000)
    with Crew(workers.RayTransport(explorer_builds(make, 2, 4)), max_lag=10**6) as crew:
        done = train_ape_x(crew, q, replay, 5_000)
    assert done >= 5_000 and len(replay) == done and (q.table != 0).any()


def test_running_twice_is_harmless():
    """A cell run again finds Ray there, and leaves it."""
    with workers.running(), workers.running():
        pass
    with Crew(workers.RayTransport(BUILDS[:1])) as crew:
        crew.begin(0)
