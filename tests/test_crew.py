"""A crew of workers in this process: lag, faults and moments, without Ray."""

import pickle
import subprocess
import sys
from collections import Counter
from functools import partial
from itertools import pairwise

import gymnasium as gym
import numpy as np
import pytest
import torch

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn import checkpoint as checkpoints
from burgerbot.learn import ppo
from burgerbot.learn.evaluate import evaluate, optimal_return
from burgerbot.learn.moments import RunningMoments
from burgerbot.learn.numpy_policy import weights_of
from burgerbot.learn.policy import ActorCritic
from burgerbot.learn.q_learning import QTable
from burgerbot.learn.replay import PrioritizedReplay
from burgerbot.scale.ape_x import explorer_builds, train_ape_x
from burgerbot.scale.crew import Crew, CrewLost
from burgerbot.scale.local_crew import LocalTransport
from burgerbot.scale.off_policy import CrewEnvs, OffPolicy, train_crew
from burgerbot.scale.worker import Host, RolloutWorker, robot_seeds
from burgerbot.world.kitchen import CLASSIC
from burgerbot.world.rules import V1_REWARDS, compile_kitchen

CONFIG = ppo.PPOConfig(steps=8, epochs=2, minibatches=2, hidden=(8,))
KITCHENS = partial(gym.make_vec, "burgerbot:BurgerBotKitchens-v0", num_envs=3)
CLASSIC_ENVS = partial(gym.make_vec, "burgerbot:BurgerBot-v1", num_envs=3)


class Counting:
    """A worker that brings home who it is, what it was given, and how often it was asked."""

    def __init__(self, seed):
        self.key, self.asked = seed.spawn_key, 0

    def hello(self):
        return self.key

    def sample(self, weights, *args):
        self.asked += 1
        return self.key, weights, self.asked, args

    def close(self):
        pass


def crew_of(size=2, restarts=2, build=Counting, **options):
    """A crew in this process."""
    return Crew(LocalTransport([build] * size, restarts=restarts), **options)


def begun(**options):
    """A crew that has begun and has weights 1."""
    crew = crew_of(**options)
    crew.begin(0)
    crew.publish("weights 1")
    return crew


# --- lag ---


@pytest.mark.parametrize("in_flight", [1, 2, 9])
def test_one_worker_with_k_calls_in_flight_lags_k_minus_1_versions(in_flight):
    """Once the calls of the start are through, every fragment is that old."""
    crew = begun(size=1, in_flight=in_flight, max_lag=20)
    lags = []
    for version in range(2, 40):
        lags.append(crew.next().lag)
        crew.publish(f"weights {version}")
    assert lags[in_flight:] == [in_flight - 1] * (len(lags) - in_flight)
    assert sum(crew.report.lags.values()) == len(lags)


def test_a_fragment_carries_the_version_that_made_it():
    """Version, weights and lag fit together, also when many versions are under way."""
    crew = begun(size=3)
    for version in range(2, 30):
        fragment = crew.next("x", 4)
        assert fragment.content[1] == f"weights {fragment.version}"
        assert fragment.lag == crew.version - fragment.version
        assert fragment.content[3] == ("x", 4)
        crew.publish(f"weights {version}")


def test_what_is_too_old_is_dropped_and_counted():
    """Six versions pass between two fragments: all that was under way is void."""
    crew = begun(size=2, in_flight=2, max_lag=3)
    crew.next()
    for _ in range(6):
        crew.publish("newer")
    fragment = crew.next()
    assert fragment.lag == 0 and crew.report.dropped == 3
    assert crew.report.lags == Counter({0: 2})


def test_bound_0_takes_nothing_but_the_newest():
    """The bound itself is still good, one more is not."""
    crew = begun(size=1, in_flight=2, max_lag=0)
    for version in range(9):
        assert crew.next().lag == 0
        crew.publish(version)
    assert crew.report.dropped == 8


def test_nothing_before_the_first_weights():
    """There is nothing to act by."""
    crew = crew_of()
    crew.begin(0)
    with pytest.raises(RuntimeError, match="publish weights first"):
        crew.next()


# --- seeds ---


def test_no_two_workers_and_no_two_lives_share_a_seed():
    """A worker that comes back must not repeat the episodes of its first life."""
    crew = crew_of(size=3, restarts=5)
    keys = [*crew.begin(7)]
    crew.publish("w")
    for worker in (0, 2, 0):
        crew.transport.kill(worker)
        for _ in range(20):
            keys.append(crew.next().content[0])
    keys += crew.begin()
    assert len(set(keys)) == 3 + 3 + 3


def test_the_same_seed_gives_the_same_seeds():
    """Another one gives others."""
    worlds = [RolloutWorker(KITCHENS, np.random.SeedSequence(s)).hello()[0] for s in (5, 5, 6)]
    assert np.array_equal(worlds[0], worlds[1]) and not np.array_equal(worlds[0], worlds[2])
    seeds = robot_seeds(np.random.SeedSequence(0), 500)
    assert len(set(seeds)) == 500 and np.diff(sorted(seeds)).min() > 1


# --- faults ---


def test_a_killed_worker_comes_back_in_a_new_life():
    """Its calls are lost and counted, the others go on, and its new life knows the weights."""
    crew = begun(size=2)
    crew.next()
    crew.publish("weights 2")
    crew.transport.kill(1)
    fragments = [crew.next() for _ in range(12)]
    assert crew.report.losses == crew.report.returns == 1 and crew.report.lost == 2
    new = [f for f in fragments if f.worker == 1 and f.content[0] not in {(0,), (1,)}]
    assert new and {f.content[1] for f in new} == {"weights 2"}
    assert [what for _, who, what in crew.report.events if who == 1] == ["lost", "back"]


def test_calls_to_a_process_that_nobody_greeted_are_refused():
    """A host that was started again answers None: it has neither seed nor weights of this life."""
    host = Host(Counting)
    seed = np.random.SeedSequence(0)
    assert host.sample(3, (1, "w")) is None
    host.begin(4, seed)
    assert host.sample(3, (1, "w")) is None
    assert host.sample(4, (1, "w"))[0] == 1


def test_an_answer_of_a_process_that_nobody_greeted_is_void():
    """As Ray gives it when it tries a call again by itself: the worker is greeted anew."""
    crew = begun(size=2)
    crew.next()
    lives = crew.transport.hosts
    for host in lives:
        host.life = -1  # as after a restart that nobody noticed
    fragment = crew.next()
    assert fragment.content[2] == 1  # of a new worker
    assert crew.report.losses == 2


def test_all_gone_is_an_error_that_says_what_happened():
    """No worker is left: no waiting."""
    crew = begun(size=2, restarts=0)
    crew.next()
    crew.transport.kill(0)
    assert {crew.next().worker for _ in range(6)} == {1}
    crew.transport.kill(1)
    with pytest.raises(CrewLost, match=r"all 2 workers are gone.*workers lost: 2, back: 0"):
        crew.next()
    with pytest.raises(CrewLost, match="all 2 workers are gone"):
        crew.begin()


def test_silence_is_an_error_after_some_time():
    """A worker that hangs does not stop the learner for ever."""
    crew = begun(size=1, patience=0.3)
    crew.transport.wait = lambda tokens, seconds: None
    with pytest.raises(CrewLost, match=r"no worker answered for 0\.3 s"):
        crew.next()


class Broken(Counting):
    """A worker with a bug."""

    def sample(self, weights):
        raise KeyError("battery")


def test_a_workers_own_error_is_raised_as_it_is():
    """A bug is no fault of the machine: it would come back with every new life."""
    crew = begun(build=Broken)
    with pytest.raises(KeyError, match="battery"):
        crew.next()


@pytest.mark.parametrize("options", [{"in_flight": 0}, {"max_lag": -1}])
def test_refuses_impossible_bounds(options):
    """Errors name the argument."""
    with pytest.raises(ValueError, match=next(iter(options))):
        crew_of(**options)


# --- rollouts ---


def test_a_worker_goes_on_where_it_stopped_and_counts_each_row_once():
    """Rollouts join without a gap, and the moments are those of this rollout's rows alone."""
    envs = KITCHENS()
    envs.reset(seed=0)
    policy = ActorCritic.of(envs)
    worker = RolloutWorker(KITCHENS, np.random.SeedSequence(1))
    weights = weights_of(policy)
    hauls = [worker.sample(weights, 40) for _ in range(3)]
    for before, after in pairwise(hauls):
        assert np.array_equal(before.carry.observations, after.rollout.observations[0])
        assert np.array_equal(~before.carry.resetting, after.rollout.valid[0])
    assert not all(haul.rollout.valid.all() for haul in hauls)
    for haul in hauls:
        rows = haul.rollout.observations[haul.rollout.valid]
        assert haul.moments["count"] == len(rows)
        np.testing.assert_allclose(haul.moments["mean"], rows.mean(0, dtype=np.float64))


def test_moments_of_a_crew_are_those_of_one_pass_over_the_same_rows():
    """Whatever was dropped or lost: what was learned from counts, and it counts once."""
    rows = []
    crew = crew_of(size=2, build=partial(RolloutWorker, KITCHENS), in_flight=3, max_lag=2)
    envs = CrewEnvs(crew, seed=3)
    policy = ActorCritic.of(envs, hidden=(8,))
    policy.update_moments(envs._fresh[0].observations)
    objective = OffPolicy(crew, policy, CONFIG)

    def spy(*args):
        rollout, carry = objective.collect(*args)
        rows.append(rollout.observations[rollout.valid])
        if len(rows) == 4:
            crew.transport.kill(1)
        return rollout, carry

    run = ppo.train(envs, CONFIG, 600, seed=3, collect=spy, objective=objective, policy=policy)
    once = RunningMoments((28,))
    once.update(np.concatenate(rows))
    assert policy.moments.count == once.count == run.steps
    np.testing.assert_allclose(policy.moments.mean, once.mean, rtol=1e-9)
    np.testing.assert_allclose(policy.moments.var, once.var, rtol=1e-9)
    assert crew.report.losses == 1


def test_merging_deltas_not_whole_states():
    """Base of 100 zeros, two workers add 10 fives each: 120 rows, mean 0.8333."""
    base, deltas = RunningMoments(), [RunningMoments(), RunningMoments()]
    base.update(np.zeros(100))
    for delta in deltas:
        delta.update(np.full(10, 5.0))
    for delta in deltas:
        base.merge(delta)
    assert base.count == 120 and base.mean == pytest.approx(5 / 6)


def test_first_ratio_is_1_and_values_are_the_learners():
    """After judging, the rollout's log-probabilities are those of the policy that learns."""
    crew = crew_of(size=1, build=partial(RolloutWorker, CLASSIC_ENVS), in_flight=4)
    envs = CrewEnvs(crew)
    policy = ActorCritic.of(envs, hidden=(8,))
    ratios = []

    class Spy(OffPolicy):
        def __call__(self, policy, rollout, carry):
            before = rollout.log_probs.clone()
            judged = super().__call__(policy, rollout, carry)
            ratios.append(float((rollout.log_probs - before).abs().max()))
            now, _, _ = policy.evaluate_actions(rollout.observations, rollout.actions)
            assert torch.equal(rollout.log_probs, now)
            return judged

    config = ppo.PPOConfig(steps=8, epochs=4, minibatches=2, hidden=(8,), learning_rate=0.01)
    objective = Spy(crew, policy, config)
    ppo.train(envs, config, 300, collect=objective.collect, objective=objective, policy=policy)
    assert ratios[0] < 1e-5 < 1e-3 < ratios[-1]  # on-policy at first, stale later


def test_in_step_a_crew_learns_what_ppo_learns():
    """One worker, nothing in flight beyond what is used: V-trace is GAE, and lag is 0."""
    crew = crew_of(size=1, build=partial(RolloutWorker, CLASSIC_ENVS), in_flight=1)
    run = train_crew(crew, CONFIG, 200, seed=1)
    plain = train_crew(
        crew_of(size=1, build=partial(RolloutWorker, CLASSIC_ENVS), in_flight=1),
        CONFIG,
        200,
        seed=1,
        correct=False,
    )
    assert set(crew.report.lags) == {0}
    for ours, theirs in zip(run.policy.parameters(), plain.policy.parameters(), strict=True):
        torch.testing.assert_close(ours, theirs, atol=2e-3, rtol=0)


def test_the_same_run_twice():
    """In one process, lag and all: the same weights to the bit."""
    runs = [
        train_crew(crew_of(build=partial(RolloutWorker, KITCHENS)), CONFIG, 500, seed=2)
        for _ in range(2)
    ]
    for first, second in zip(*(run.policy.parameters() for run in runs), strict=True):
        assert torch.equal(first, second)


def test_when_all_are_gone_the_run_is_saved_and_can_go_on(tmp_path):
    """A clear error that names the file; a new crew goes on from it."""
    path = tmp_path / "run.pt"
    crew = crew_of(build=partial(RolloutWorker, KITCHENS), restarts=0)

    def disaster(run):
        if run.updates == 3:
            crew.transport.kill(0), crew.transport.kill(1)

    with pytest.raises(
        CrewLost, match=r"all 2 workers are gone.*Saved after 3 updates in .*run\.pt"
    ):
        train_crew(crew, CONFIG, 1000, checkpoint=path, callback=disaster)
    saved = checkpoints.load(path)
    assert saved["updates"] == 3 and saved["policy"]["_extra_state"]["count"] == saved["steps"]
    run = train_crew(crew_of(build=partial(RolloutWorker, KITCHENS)), CONFIG, 400, checkpoint=path)
    assert run.updates > 3 and run.steps >= 400
    assert run.policy.moments.count == run.steps and not run.policy.moments.frozen


def test_without_a_checkpoint_the_error_says_that_nothing_was_saved():
    """No false comfort."""
    crew = crew_of(build=partial(RolloutWorker, KITCHENS), restarts=0)
    kill = lambda run: [crew.transport.kill(worker) for worker in (0, 1)]  # noqa: E731
    with pytest.raises(CrewLost, match="Nothing was saved"):
        train_crew(crew, CONFIG, 1000, callback=kill)


# --- Ape-X ---


def test_ape_x_finds_the_best_delivery_and_survives_a_kill():
    """Two explorers and a replay reach the exact optimum of the classic kitchen."""
    crew = Crew(LocalTransport(explorer_builds(CLASSIC_ENVS, 2, 3)), max_lag=10**6)
    q, replay = QTable([7, 7, 4, 3]), PrioritizedReplay(5_000)
    best = optimal_return(compile_kitchen(CLASSIC), V1_REWARDS, 150)

    def look(done):
        if done > 500 and not crew.report.losses:
            crew.transport.kill(0)
        found = evaluate(gym.make_vec("BurgerBot-v1", 1), q, 1).mean_return.mean
        return found < best - 1e-9 or not crew.report.returns

    done = train_ape_x(crew, q, replay, 50_000, callback=look)
    assert done < 50_000 and crew.report.returns == 1
    assert len(replay) == min(done, 5_000)


def test_explorers_differ_and_work_out_the_first_priorities():
    """W * N epsilons, and priorities by the explorer's own table."""
    builds = explorer_builds(CLASSIC_ENVS, 2, 3)
    seeds = np.random.SeedSequence(0).spawn(2)
    workers = [build(seed) for build, seed in zip(builds, seeds, strict=True)]
    assert len({e for worker in workers for e in worker.epsilons.tolist()}) == 6
    table = np.random.default_rng(0).normal(size=(588, 4))
    table.setflags(write=False)
    rows, priorities = workers[1].sample(table, 20)
    q = QTable([7, 7, 4, 3])
    q.table = table
    np.testing.assert_allclose(priorities, np.abs(q.errors(rows)))
    assert len(priorities) == len(rows["actions"]) <= 60


def test_workers_pickle_and_need_no_torch():
    """A process that acts imports NumPy and Gymnasium, neither PyTorch nor Ray."""
    for build in (partial(RolloutWorker, KITCHENS), *explorer_builds(CLASSIC_ENVS, 1, 3)):
        pickle.loads(pickle.dumps(Host(build)))
    code = (
        "import sys; import burgerbot.scale.worker, burgerbot.scale.ape_x, burgerbot.scale.workers;"
        "sys.exit('torch' in sys.modules or 'ray' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
