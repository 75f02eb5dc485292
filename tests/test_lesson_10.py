"""What the text of lesson 10 claims beyond what its cells compute."""

import doctest
import re
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env

from burgerbot.course.source import read_cells, strip_markers
from burgerbot.learn import graphs, ppo, practice
from burgerbot.learn.policy import ActorCritic
from burgerbot.scale import side_by_side
from burgerbot.show import LiveCurve

SOURCE = Path(__file__).resolve().parents[1] / "solutions" / "10_ppo_by_hand.py"
CONFIG = ppo.PPOConfig(epochs=3, minibatches=4, entropy=0.03)
torch.set_num_threads(1)


@cache
def cells():
    """Sources of the lesson's code cells, solutions in place."""
    return [strip_markers(c.source) for c in read_cells(SOURCE) if c.cell_type == "code"]


@cache
def lesson():
    """The names of the lesson's imports, given cells, and cells that begin with a definition."""
    names = {"__name__": "lesson"}
    for cell in read_cells(SOURCE):
        kinds = {tag.split(":")[0] for tag in cell.metadata.get("tags", [])}
        defines = kinds & {"imports", "given", "exercise"} or re.match("def |class ", cell.source)
        if cell.cell_type == "code" and defines:
            exec(compile(strip_markers(cell.source), cell.source[:20], "exec"), names)
    return run(names, "start, draws =")


def run(names, beginning):
    """Run the cell that begins with these words."""
    (source,) = (source for source in cells() if source.startswith(beginning))
    exec(compile(source, beginning, "exec"), names)
    return names


def learner(seed=0):
    """A policy, its optimizer, and a batch that it collected."""
    policy = ActorCritic.of(lesson()["native"](1), hidden=(64,), seed=seed)
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3, eps=1e-5)
    draws = torch.Generator().manual_seed(seed)
    batch, _ = practice.gather(policy, lesson()["native"](16), 64, draws)
    return policy, optimizer, batch


def push(loss, steps=40):
    """The lesson's policy after some steps of a loss."""
    names = lesson()
    return practice.push(names["start"], names["batch"], names["log_ratio"], loss, steps)


def test_the_first_ratio_is_1_and_the_first_kl_0():
    """Before the first step the policy that learns is the policy that drove."""
    policy, optimizer, batch = learner()
    logits, _ = policy(batch.observations)
    change = lesson()["log_ratio"](logits, batch.actions, batch.log_probs)
    assert change.abs().max() < 1e-5
    loss = partial(lesson()["ppo_loss"], policy, batch)
    seen, _ = lesson()["update"](loss, policy, optimizer, 1024, 1, 4, None, torch.Generator())
    assert abs(seen[0]["kl"]) < 1e-7


def test_the_lessons_loss_is_the_packages():
    """The same number, the same KL and clip fraction, and the same gradient."""
    policy, _, batch = learner()
    with torch.no_grad():  # away from ratio 1
        for weight in policy.parameters():
            weight += 0.1 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(1))
    rows, gradients = torch.arange(0, 1024, 3), []
    part = ppo.Batch(*(column[rows] for column in batch))
    results = lesson()["ppo_loss"](policy, batch, rows), ppo.loss(policy, part, CONFIG)
    for total, _ in results:
        policy.zero_grad()
        total.backward()
        gradients.append(torch.cat([weight.grad.flatten() for weight in policy.parameters()]))
    (ours, told), (theirs, stats) = results
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-5)
    for name in told:
        assert float(told[name]) == pytest.approx(float(stats[name]), rel=1e-4, abs=1e-6)
    torch.testing.assert_close(*gradients, rtol=1e-4, atol=1e-5)


def test_the_lessons_update_is_the_packages():
    """The same generator, the same weights after three epochs; and the same early stop."""
    for target_kl in (None, 1e-12, 1e-4):
        ends, steps = [], []
        for which in ("lesson", "package"):
            policy, optimizer, batch = learner()
            draws = torch.Generator().manual_seed(5)
            if which == "lesson":
                loss = partial(lesson()["ppo_loss"], policy, batch)
                seen, taken = lesson()["update"](
                    loss, policy, optimizer, 1024, 3, 4, target_kl, draws
                )
                steps.append((len(seen), taken))
            else:
                config = ppo.PPOConfig(epochs=3, minibatches=4, entropy=0.03, target_kl=target_kl)
                stats = ppo.update(policy, optimizer, batch, config, draws)
                steps.append((len(stats["kl"]), int(stats["steps"][0])))
            ends.append(side_by_side.weights(policy))
        torch.testing.assert_close(*ends, rtol=0, atol=1e-5)
        assert steps[0] == steps[1]
        assert steps[0] == {None: (12, 12), 1e-12: (2, 1)}.get(target_kl, steps[0])


def test_the_lessons_update_is_that_of_sb3():
    """From the same weights and the same rollout, ten steps end at the same weights."""
    names = run(run(dict(lesson()), "same = {"), "before, loss =")
    moved, apart = names["yours"] - names["before"], names["yours"] - names["theirs"]
    assert len(moved) == 3141
    assert moved.abs().max() > 1e-3
    assert apart.abs().max() < 1e-5


def test_sb3_stops_where_the_lesson_says():
    """SB3 with a tiny target_kl takes one step, in the first epoch, and leaves all loops."""
    steps = []
    model = PPO("MlpPolicy", make_vec_env("BurgerBot-v1", 2), n_steps=64, target_kl=1e-12)
    step = model.policy.optimizer.step
    model.policy.optimizer.step = lambda *args: (steps.append(1), step(*args))
    model.learn(128)
    assert len(steps) == 1


def test_what_40_steps_do():
    """Without the clip ratios near 4 and near 0; with it most inside, and some outside."""
    plain, _ = push(lambda change, good: -(change.exp() * good).mean())
    clipped, _ = push(partial(lesson()["clipped_loss"], clip=0.2))
    assert 3.5 < plain.max() < 4.2
    assert plain.min() < 0.05
    outside = [float(((ratio - 1).abs() > 0.2).float().mean()) for ratio in (plain, clipped)]
    assert outside[0] > 0.9
    assert 0.1 < outside[1] < 0.6


def test_what_the_three_estimates_do():
    """k1 is wide and often negative; k3 is narrow and right on average; k2 is a little off."""
    names = lesson()
    start, seen = names["start"], names["batch"].observations
    _, pushed = push(partial(names["clipped_loss"], clip=0.2))
    draws = torch.Generator().manual_seed(1)
    exact, found = practice.estimate_kl(start, pushed, seen, names["kl_estimates"], draws)
    with torch.no_grad():
        old, new = (net.logits(seen).log_softmax(-1) for net in (start, pushed))
    lr = new - old
    every = (-lr, lr.exp() - 1 - lr, lr**2 / 2)
    means = [(old.exp() * k).sum(-1).mean().item() for k in every]  # over all draws, exactly
    assert means[:2] == pytest.approx([exact, exact], rel=1e-4)
    assert 0.005 < abs(means[2] / exact - 1) < 0.1
    k1, k2, k3 = found.T
    assert np.mean(k1 < 0) > 0.05
    assert (k2 >= 0).all() and (k3 >= 0).all()
    assert max(k2.std(), k3.std()) < k1.std() / 3
    for k in (k1, k3):
        assert abs(k.mean() - exact) < 4 * k.std() / 1000**0.5


def test_a_bracket_of_ones_is_no_perfect_critic():
    """Values [3, 1] minus returns [3], equal row by row, give a loss of 4/3 in place of 0."""
    perfect = torch.tensor([1.0, 2.0, 3.0])
    assert (perfect[:, None] - perfect).square().mean().item() == pytest.approx(4 / 3)


def test_minibatches_of_one_row_stay_finite():
    """33 rows: neither minibatches of one row nor a remainder give a NaN."""
    for minibatches in (33, 32, 2):
        policy, optimizer, batch = learner()
        few = ppo.Batch(*(column[:33] for column in batch))
        loss = partial(lesson()["ppo_loss"], policy, few)
        lesson()["update"](loss, policy, optimizer, 33, 2, minibatches, None, torch.Generator())
        assert torch.isfinite(side_by_side.weights(policy)).all()


def test_reset_rows_are_left_out():
    """A batch has the transitions alone: fewer than T * N rows in NEXT_STEP mode."""
    policy, _, _ = learner()
    for mode, full in (("SameStep", True), ("NextStep", False)):
        envs = lesson()["gym"].make_vec(lesson()["V1"], num_envs=4, autoreset_mode=mode)
        batch, _ = practice.gather(policy, envs, 64, torch.Generator().manual_seed(3))
        assert (len(batch.actions) == 256) == full
        assert {len(part) for part in batch} == {len(batch.actions)}


def test_no_graph_is_kept():
    """Nothing in a batch has a graph, and after each of 100 updates none is held in memory."""
    policy, optimizer, _ = learner()
    draws, carry, kept = torch.Generator().manual_seed(2), None, []
    envs = lesson()["native"](2)
    with graphs.watch() as held:
        for _ in range(100):
            batch, carry = practice.gather(policy, envs, 64, draws, carry)
            assert not any(part.requires_grad for part in batch)
            loss = partial(lesson()["ppo_loss"], policy, batch)
            seen, _ = lesson()["update"](loss, policy, optimizer, 128, 1, 2, 0.1, draws)
            kept += [batch, seen]
            assert held() == 0


def test_what_graphs_hold_is_counted():
    """The counter's own example."""
    assert doctest.testmod(graphs).failed == 0


def test_a_curve_is_drawn_of_what_the_history_notes():
    """One point after each update, and the run is the same with a curve and without."""
    with LiveCurve("One run", xlabel="transitions", ylabel="percent", total=3072) as curve:
        drawn = lesson()["train_by_hand"](16, 0, 3072, curve=curve)[1]
    assert curve.points["percent"] == tuple([row[k] for row in drawn] for k in ("when", "percent"))
    assert drawn == lesson()["train_by_hand"](16, 0, 3072)[1]


@pytest.mark.slow
def test_the_first_run_jumps():
    """From 0 to nearly 100 percent within a few updates, as the text says of the first run."""
    percents = [row["percent"] for row in lesson()["train_by_hand"](16, 0, 30_720)[1]]
    high = next(i for i, percent in enumerate(percents) if percent > 90)
    assert percents[0] < 5
    assert min(percents[max(high - 3, 0) : high]) < 20


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_early_stops_against_robots():
    """With 4 minibatches fewer stops with 16 robots than with 1; with 64 rows in one, not so."""
    stops = run(dict(lesson()), "half, _ =")["stops"]
    four, rows = ({n: stops(n, 4 if k else n, 40)[0] for n in (1, 16)} for k in (1, 0))
    assert four[1] - four[16] >= 8, four
    assert rows[16] - rows[1] >= 8, rows


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ten_runs_end_like_sb3s():
    """Ten seeds, 30,720 transitions: the 95 percent intervals of both last means overlap."""
    names, ends = run(dict(lesson()), "same = {"), []
    same = names["same"] | {"learning_rate": names["RATE"], "batch_size": 256}

    def sb3s(robots, seed, total):
        return side_by_side.train(names["native"](robots), total, seed=seed, **same)

    for train in (names["train_by_hand"], sb3s):
        last = [train(16, 1000 * k, 30_720)[1][-1]["percent"] for k in range(10)]
        half = 1.96 * np.std(last, ddof=1) / 10**0.5
        ends.append((np.mean(last) - half, np.mean(last) + half))
    (low, high), (theirs_low, theirs_high) = ends
    assert low <= theirs_high and theirs_low <= high, ends
