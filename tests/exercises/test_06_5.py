"""Exercise 06.5: what is handed out belongs to the caller, and so do the arguments."""

import numpy as np

from burgerbot.course.claims import array_like, equal, that
from burgerbot.world.kitchen import Kitchen
from burgerbot.world.rules import V0_REWARDS, compile_kitchen

LOPSIDED = Kitchen.from_ascii(".O..\n>..O\n.O.G")
ROBOTS, LIMIT = 7, 6
PARTS = ("the observations", "the rewards", "`terminated`", "`truncated`")


class OneByOne:
    """The same world, robot by robot in plain Python."""

    def __init__(self, kitchen, num_envs, limit):
        rules = compile_kitchen(kitchen)
        self.table, self.sees = rules.table.tolist(), rules.observations.tolist()
        self.start, self.limit = rules.start, limit
        self.state, self.elapsed = [self.start] * num_envs, [0] * num_envs
        self.visits = np.zeros(rules.num_states, dtype=int)

    def look(self):
        return [self.sees[s] for s in self.state]

    def reset(self, mask):
        for i in np.flatnonzero(mask):
            self.state[i], self.elapsed[i] = self.start, 0
        return self.look()

    def step(self, action, slides):
        rows, final, counts = [], [], []
        for i, (a, slide) in enumerate(zip(action, slides, strict=True)):
            after, outcome = divmod(self.table[self.state[i] * 4 + (0 if slide else a)], 4)
            self.visits[after] += 1
            self.elapsed[i] += 1
            counts.append(self.elapsed[i])
            final.append(self.sees[after])
            flags = outcome in (2, 3), self.elapsed[i] >= self.limit
            self.state[i] = self.start if any(flags) else after
            self.elapsed[i] = 0 if any(flags) else self.elapsed[i]
            rows.append((V0_REWARDS[outcome], *flags))
        return self.look(), *zip(*rows, strict=True), final, counts


def tape(steps, seed):
    """Actions and slides for all robots, with all kinds of endings."""
    rng = np.random.default_rng(seed)
    actions = rng.choice(4, size=(steps, ROBOTS), p=[0.55, 0.15, 0.2, 0.1])
    return actions, rng.random((steps, ROBOTS)) < 0.2


def everybody():
    """Options of a reset of all."""
    return {"reset_mask": np.ones(ROBOTS, dtype=bool)}


def begin(answer, kitchen=LOPSIDED):
    """A fresh env and what stands beside it, both reset."""
    envs = answer.TightVectorEnv(kitchen, ROBOTS, LIMIT)
    slow = OneByOne(kitchen, ROBOTS, LIMIT)
    got = envs.reset(everybody())
    that(
        isinstance(got, tuple) and len(got) == 2,
        "reset returns two things",
        expected="(observations, infos)",
        yours=repr(got)[:200],
    )
    array_like(got[0], (ROBOTS, 4), np.int64, where="the observations of reset")
    equal(got[0], slow.reset(np.ones(ROBOTS, bool)), "a reset puts all robots at the start")
    return envs, slow, got[0]


def taken(envs, action, slides, where):
    """Take a step, and see that five things come back."""
    got = envs.step(action, slides)
    that(
        isinstance(got, tuple) and len(got) == 5 and isinstance(got[4], dict),
        "step returns five things, the last one a dictionary",
        expected="(observations, rewards, terminated, truncated, infos)",
        yours=repr(got)[:200],
        where=where,
    )
    for key in ("final_obs", "elapsed"):
        that(key in got[4], f"infos[{key!r}] is missing", where=where)
    return got


def same(yours, wanted, message, where):
    """Claim that two arrays agree; else name the first robot for which they do not."""
    yours, wanted = np.asarray(yours), np.asarray(wanted)
    if yours.shape == wanted.shape:
        wrong = np.flatnonzero((yours != wanted).reshape(len(wanted), -1).any(axis=1))
        if len(wrong):
            i = int(wrong[0])
            equal(yours[i], wanted[i], message, where=f"{where}, robot {i}")
    equal(yours, wanted, message, where=where)


def scribble(part, where):
    """Write into an array that was handed out."""
    that(
        np.asarray(part).flags.writeable,
        "an array that the caller cannot write into is not the caller's: hand out a copy",
        where=where,
    )
    part[...] = 1


def test_numbers(answer):
    """Observations, rewards and flags are those of the same robots one by one."""
    envs, slow, _ = begin(answer)
    for t, (action, slides) in enumerate(zip(*tape(60, 1), strict=True)):
        where = f"{ROBOTS} robots in a 3x4 kitchen, limit {LIMIT}, step {t}"
        got = taken(envs, action.copy(), slides.copy(), where)
        array_like(got[0], (ROBOTS, 4), np.int64, where=f"the observations, {where}")
        expected = slow.step(action, slides)
        for name, yours, wanted in zip(PARTS, got, expected, strict=False):
            same(
                yours,
                wanted,
                f"{name} are not what the robots get one by one: mending a leak must not change "
                "the world",
                where,
            )


def test_final_observation(answer):
    """`infos["final_obs"]` is what each robot saw where its action led, before any reset."""
    envs, slow, _ = begin(answer)
    for t, (action, slides) in enumerate(zip(*tape(40, 2), strict=True)):
        where = f"step {t}, as soon as it has come back"
        got = taken(envs, action.copy(), slides.copy(), where)
        same(
            got[4]["final_obs"],
            slow.step(action, slides)[4],
            "the final observations have been overwritten with those after the reset: two names, "
            "one array. Look first, reset then, and look into a new array",
            where,
        )


def test_elapsed(answer):
    """`infos["elapsed"]` is how many steps each episode has had, 6 where the limit of 6 cuts it."""
    envs, slow, _ = begin(answer)
    for t, (action, slides) in enumerate(zip(*tape(40, 3), strict=True)):
        where = f"step {t}, as soon as it has come back"
        got = taken(envs, action.copy(), slides.copy(), where)
        same(
            got[4]["elapsed"],
            slow.step(action, slides)[5],
            "the step counts show 0 where an episode has just ended: infos hold the env's own "
            "counters, and the reset wrote into them. Hand out a copy",
            where,
        )


def test_what_was_handed_out_stays(answer):
    """No later step or reset changes an array that was handed out earlier."""
    envs, _, first = begin(answer)
    held = [("the observations of reset", first, first.copy())]
    for t, (action, slides) in enumerate(zip(*tape(15, 4), strict=True)):
        got = taken(envs, action, slides, f"step {t}")
        parts = [*zip(PARTS, got, strict=False), *((f"infos[{k!r}]", v) for k, v in got[4].items())]
        held += [(f"{name} of step {t}", part, np.array(part)) for name, part in parts]
        unchanged(held, f"after step {t}")
    again = envs.reset(everybody())[0]
    unchanged(held, "after a second reset")
    for name, part, _ in held:
        that(
            not np.shares_memory(again, part),
            "two observations share their memory, so whoever changes one changes the other",
            where=f"the second reset's observations and {name}",
        )


def unchanged(held, when):
    """Claim that everything held is as it was."""
    for name, part, before in held:
        equal(
            part,
            before,
            f"{name} changed later: the env writes into an array that it has handed out. A rollout "
            "that keeps such arrays holds the last one, over and over",
            where=f"looked at again {when}",
        )


def test_scribbles_do_no_harm(answer):
    """Whatever the caller writes into what it got, the robots drive on as before."""
    envs, slow, first = begin(answer)
    scribble(first, "the observations of reset")
    for t, (action, slides) in enumerate(zip(*tape(25, 5), strict=True)):
        got = taken(envs, action.copy(), slides.copy(), f"step {t}")
        expected = slow.step(action, slides)
        for yours, wanted, name in (
            (got[0], expected[0], "the observations"),
            (got[3], expected[3], "`truncated`"),
            (got[4]["elapsed"], expected[5], 'infos["elapsed"]'),
        ):
            equal(
                yours,
                wanted,
                f"{name} are wrong after the caller has written into arrays of earlier steps: "
                "those are the env's own, and must not be handed out",
                where=f"step {t}",
            )
        for part in (*got[:4], *got[4].values()):
            scribble(part, f"step {t}")


def test_actions_stay(answer):
    """The caller's actions and slides are read, not written."""
    envs, _, _ = begin(answer)
    actions, slides = tape(20, 6)
    before = actions.copy(), slides.copy()
    for t in range(20):
        taken(envs, actions[t], slides[t], f"step {t}")
        equal(
            actions[t],
            before[0][t],
            "the caller's actions were overwritten with what the robots did when they slid: a "
            "second run of the same tape is another run. Use `np.where`",
            where=f"step {t}, slides {before[1][t].tolist()}",
        )
        equal(slides[t], before[1][t], "the caller's `slides` was changed", where=f"step {t}")


def test_options_stay(answer):
    """The caller's options hold the same mask after a reset as before, and work again."""
    envs, _, _ = begin(answer)
    mask = np.arange(ROBOTS) % 2 == 0
    options = {"reset_mask": mask}
    for number in (1, 2):
        that(
            "reset_mask" in options,
            "the caller's options have lost their `reset_mask`: `pop` takes it out of a dictionary "
            "that is not yours. Read it with `options[...]`",
            where=f"options before reset number {number} with them",
        )
        envs.reset(options)
    that(
        list(options) == ["reset_mask"] and options["reset_mask"] is mask,
        "the caller's options were changed: read the `reset_mask`, and leave it where it is",
        expected="{'reset_mask': <the same array>}",
        yours=repr(options),
        where="options after two resets",
    )
    equal(mask, np.arange(ROBOTS) % 2 == 0, "the caller's mask was changed")


def test_partial_reset(answer):
    """A reset with a mask begins the masked episodes, and leaves the others alone."""
    envs, slow, _ = begin(answer)
    for t, (action, slides) in enumerate(zip(*tape(30, 7), strict=True)):
        got, expected = taken(envs, action, slides, f"step {t}"), slow.step(action, slides)
        equal(got[3], expected[3], "a masked reset sets the masked counters, and no others")
        if t % 4 == 1:
            mask = np.random.default_rng(t).random(ROBOTS) < 0.5
            equal(
                envs.reset({"reset_mask": mask.copy()})[0],
                slow.reset(mask),
                "the robots of the mask go to the start, the others stay where they are; the "
                "observations show all of them",
                where=f"after step {t}, mask {mask.tolist()}",
            )


def test_visits(answer):
    """`visits` counts every robot's step, also where several end in one state."""
    envs, slow, _ = begin(answer)
    for t, (action, slides) in enumerate(zip(*tape(30, 8), strict=True)):
        taken(envs, action, slides, f"step {t}")
        slow.step(action, slides)
        total = int(np.sum(envs.visits))
        that(
            total == (t + 1) * ROBOTS,
            "robots that meet in one state are counted as one: with an index that occurs twice, "
            "`visits[index] += 1` adds 1, not 2. `np.add.at(visits, index, 1)` adds for each",
            expected=f"{(t + 1) * ROBOTS} visits in all, {ROBOTS} robots times {t + 1} steps",
            yours=f"{total}",
            where=f"step {t}",
        )
        for state in np.flatnonzero(np.asarray(envs.visits) != slow.visits)[:1]:
            equal(
                envs.visits[state],
                slow.visits[state],
                "count the states where the actions led, before any reset",
                where=f"step {t}, state {state}",
            )
