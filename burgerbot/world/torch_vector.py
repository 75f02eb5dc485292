"""N robots on one device: a step is one gather, and no value goes back to the host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from burgerbot.world import observe, torch_draws, torch_tally
from burgerbot.world.batch import spread
from burgerbot.world.checks import four_rewards, fraction
from burgerbot.world.kitchen import CLASSIC, Kitchen
from burgerbot.world.registration import ENVS, MAX_STEPS
from burgerbot.world.rules import ACTIONS, CRASHED, DELIVERED, V0_REWARDS
from burgerbot.world.stack import stack_kitchens
from burgerbot.world.torch_checks import (
    INTEGERS,
    device_tensor,
    enough_memory,
    kitchen_list,
    known_device,
    robot_count,
    robot_seeds,
    step_limit,
    stream_keys,
)
from burgerbot.world.torch_saved import TorchSaves
from burgerbot.world.torch_tables import tables_of

Seed = int | Sequence[int | None] | None
TorchStep = tuple[Tensor, Tensor, Tensor, Tensor, dict[str, Any]]


class TorchBurgerBot(TorchSaves):
    """Drive N robots on a device; every robot is a ``BurgerBotEnv`` to the bit.

    It behaves like ``BurgerBotVectorEnv`` in the autoreset mode ``SAME_STEP``: a robot whose
    episode ends stands at its next start in the same step. Everything stays on the device: state,
    observations, rewards and flags. ``step`` never reads a value back, so the host runs ahead of
    the device, and the step can be compiled as one graph and captured as a CUDA graph.

    Shapes: actions int ``[N]``, observations ``[N, ...]``, rewards float32 ``[N]``, flags bool
    ``[N]``. Tensors handed out are the caller's: no later step writes to them. What the
    environment keeps are buffers that each step writes in place, so a CUDA graph of a step
    advances the robots at every replay; then the outputs live in the graph, and the next replay
    overwrites them: clone what you keep. A reset is not for capture.

    At the peak of a step a robot takes about 400 bytes, with egocentric observations 900: a
    million robots fit into 0.4 or 0.9 GiB, however long they drive.

    It needs PyTorch 2.6 or newer and NumPy, no Gymnasium. ``mps`` has no float64, so the sums of
    ``tally`` are float32 there.

    Args:
        num_envs: N, 1 or more.
        device: ``"cpu"``, ``"cuda"``, ``"cuda:1"``, ``"mps"`` or a ``torch.device``.
        kitchens: A kitchen or its map, or K of one size: then the first N / K robots drive in the
            first, and so on.
        rewards, shaping, gamma, endless: As ``BurgerBotEnv`` takes them.
        slip: Probability that a robot slides forward whatever the action. Each robot's draws are
            those of its seed (see ``torch_draws``), whatever the device or N.
        max_episode_steps: Step limit, or None for none.
        statistics: Whether to keep ``tally``; on a CPU that is up to half of a step's time.

    Attributes:
        num_actions: 4.
        nvec: Of a grid observation: ``(rows, cols, 4, 3)``; else None.
        features: How many numbers an egocentric observation has, 28; else None.
        tally: ``torch_tally.Tally`` of all robots, live buffers; None without statistics.

    Raises:
        KitchenError, ValueError, TypeError: An argument that cannot be used.
        MemoryError: More robots than the device has memory for.

    >>> envs = TorchBurgerBot(2, "cpu", kitchens=">.G")
    >>> envs.reset(seed=0)[0].tolist()
    [[0, 0, 1, 1], [0, 0, 1, 1]]
    >>> observations, rewards, *_ = envs.step(torch.tensor([0, 2]))
    >>> observations.tolist()
    [[0, 1, 1, 0], [0, 0, 2, 0]]
    """

    num_actions = len(ACTIONS)
    metadata = {"autoreset_mode": "SameStep"}  # noqa: RUF012
    _observe = staticmethod(observe.grid)

    def __init__(
        self,
        num_envs: int = 1,
        device: torch.device | str = "cpu",
        kitchens: Kitchen | str | Sequence[Kitchen | str] = CLASSIC,
        *,
        rewards: Sequence[float] = V0_REWARDS,
        slip: float = 0.0,
        shaping: float = 0.0,
        gamma: float = 0.97,
        endless: bool = False,
        max_episode_steps: int | None = MAX_STEPS,
        statistics: bool = True,
    ) -> None:
        self.num_envs, self.device = robot_count(num_envs), known_device(device)
        self.rewards, self.shaping = four_rewards(rewards), float(shaping)
        self.gamma, self.endless = fraction("gamma", gamma), bool(endless)
        self.slip, self.limit = fraction("slip", slip), step_limit(max_episode_steps)
        built = kitchen_list(kitchens)
        grid = self._observe is observe.grid
        self.nvec = (built[0].rows, built[0].cols, 4, 3) if grid else None
        self.features = None if grid else observe.VIEW**2 + 3
        self._begun = False
        enough_memory(self.num_envs, 450 if grid else 930, self.device)  # bytes, measured

        self.tally = torch_tally.empty(self.num_envs, self.device) if statistics else None
        # int32 counts up to any limit within it; without a limit only int64 never overflows.
        short = self.limit is not None and self.limit < 2**31
        self._elapsed = self._zeros(torch.int32 if short else torch.int64)
        self._paid = torch.tensor(self.rewards, dtype=torch.float32, device=self.device)
        self._slip_below: int | Tensor = torch_draws.threshold(self.slip)
        self._slip_words = self._zeros(torch.int64) if self.slip else None
        self._furnish(built, spread(np.arange(len(built)), self.num_envs, "kitchens"))
        self._state = self._zeros(self._tables.steps.dtype)

    @classmethod
    def make(
        cls, env_id: str, num_envs: int = 1, device: torch.device | str = "cpu", **kwargs: Any
    ) -> TorchBurgerBot:
        """Make a registered world on a device, as ``gym.make_vec`` does on the host.

        Args:
            env_id: ``BurgerBot-v0``, ``-v1``, ``BurgerBotKitchens-v0`` or ``BurgerBotShift-v0``.
            num_envs: N.
            device: Where.
            **kwargs: As ``TorchBurgerBot`` (of the random kitchens: ``TorchBurgerBotKitchens``)
                takes them; ``kitchen`` is welcome too.

        Raises:
            ValueError: An unknown id, or another argument that cannot be used.

        >>> TorchBurgerBot.make("BurgerBotShift-v0", 8).endless
        True
        """
        from burgerbot.world.torch_kitchens import TorchBurgerBotKitchens

        if env_id not in ENVS:
            raise ValueError(f"env_id: expected one of {', '.join(ENVS)}; got {env_id!r}")
        _, vector, limit, defaults = ENVS[env_id]
        if "kitchen" in kwargs:
            kwargs["kitchens"] = kwargs.pop("kitchen")
        kwargs = {"max_episode_steps": limit, **defaults, **kwargs}
        made: Any = TorchBurgerBotKitchens if "kitchens_vector" in vector else TorchBurgerBot
        return made(num_envs, device, **kwargs)

    def reset(self, seed: Seed = None, *, mask: Tensor | None = None) -> tuple[Tensor, dict]:
        """Begin episodes: all, or those of the mask.

        Args:
            seed: An int s gives robot i the seed s + i; a list gives each its own, None for none;
                without a seed the streams of draws go on.
            mask: bool ``[N]`` on the device; None means all. All False: nothing happens, and
                nothing is drawn. Rows that run on keep their statistics; a reset of all begins
                them anew.

        Returns:
            ``(observations, {})``, observations of every robot, those that run on included.

        Raises:
            TypeError, ValueError: A mask of another dtype, shape or device; too many or few seeds.
            RuntimeError: A mask before the first reset of all.
        """
        seeds = robot_seeds(seed, self.num_envs, first=not self._begun)
        if mask is not None:
            device_tensor("mask", mask, self.num_envs, (torch.bool,), self.device)
            if not self._begun:
                raise RuntimeError("reset all robots once before you reset some")
        rows = torch.ones_like(self._state, dtype=torch.bool) if mask is None else mask
        if seeds is not None:
            self._sow(seeds, rows)
        self._begun = True
        self._state.copy_(torch.where(rows, self._first_states(rows), self._state))
        self._elapsed.masked_fill_(rows, 0)
        if self.tally is not None:
            torch_tally.restart(self.tally, mask)
        return self._tables.observations.index_select(0, self._state), {}

    def step(self, actions: Tensor) -> TorchStep:
        """Take one action with each robot.

        Args:
            actions: int ``[N]`` on the device, each 0 to 3. Values are not checked, since that
                would make the host wait; of a larger or negative number the lowest two bits
                count, so that -1 is 3 and 4 is 0.

        Returns:
            ``(observations, rewards, terminated, truncated, info)``. ``info`` holds for all N:

            - ``final_obs``: what the action led to, before any reset; ``_final_obs``: bool, where
              an episode ended, and ``final_obs`` is not what the robot sees now.
            - ``outcome``: int, 0 idle, 1 moved, 2 crashed, 3 delivered.
            - with shaping ``delivered`` and ``true_reward``, the reward without shaping.
            - with statistics ``episode``: ``r`` and ``l``, return and length of the episode with
              this step, final where ``_episode`` is True.

        Raises:
            TypeError, ValueError: No tensor, or one of another dtype, shape or device.
            RuntimeError: Before the first reset.
        """
        if not self._begun:
            raise RuntimeError("call reset() before step()")
        actions = device_tensor("actions", actions, self.num_envs, INTEGERS, self.device)
        actions = actions.to(self._state.dtype) & 3
        if self._slip_words is not None:
            self._slip_words.add_(torch_draws.GOLDEN)
            holds = torch_draws.bits(self._slip_words) >= self._slip_below
            actions = actions * holds.to(actions.dtype)  # forward is action 0
        index = torch.add(actions, self._state, alpha=4)
        entry = self._tables.steps.index_select(0, index)
        rewards = self._tables.rewards.index_select(0, index)
        after, outcome, elapsed = entry >> 2, entry & 3, self._elapsed + 1
        no = torch.zeros_like(outcome, dtype=torch.bool)
        terminated = no if self.endless else outcome >= CRASHED
        truncated = no.clone() if self.limit is None else elapsed >= self.limit
        done = terminated | truncated
        info = self._info(after, outcome, rewards, elapsed, done)
        self._state.copy_(torch.where(done, self._first_states(done), after))
        self._elapsed.copy_(elapsed * (~done).to(elapsed.dtype))
        observations = self._tables.observations.index_select(0, self._state)
        return observations, rewards, terminated, truncated, info

    def _info(
        self, after: Tensor, outcome: Tensor, rewards: Tensor, elapsed: Tensor, done: Tensor
    ) -> dict[str, Any]:
        """What is told of a step beside its rewards and flags."""
        final = self._tables.observations.index_select(0, after)
        info: dict[str, Any] = {"final_obs": final, "_final_obs": done, "outcome": outcome}
        if self.shaping:
            info["delivered"] = outcome == DELIVERED
            info["true_reward"] = self._paid.index_select(0, outcome)
        if self.tally is not None:
            paid = torch_tally.count(self.tally, rewards, outcome, elapsed, done)
            info |= {"episode": {"r": paid, "l": elapsed}, "_episode": done.clone()}
        return info

    def _first_states(self, rows: Tensor) -> Tensor:
        """Where the next episodes begin; only for these rows (bool ``[N]``) it counts as drawn."""
        return self._tables.starts

    def _sow(self, seeds: Sequence[int | None], rows: Tensor) -> None:
        """Begin the streams of draws of those of these robots that get a seed."""
        if self._slip_words is not None:
            torch_draws.plant(self._slip_words, *stream_keys(seeds), rows)

    def _furnish(self, kitchens: Sequence[Kitchen], assigned: np.ndarray) -> None:
        """Compile the kitchens, and put robot i into kitchen ``assigned[i]``."""
        stack = stack_kitchens(
            kitchens,
            self._observe,
            self.rewards,
            shaping=self.shaping,
            gamma=self.gamma,
            endless=self.endless,
        )
        self._tables = tables_of(stack, assigned, self.device)
        self._maps = [kitchen.to_ascii() for kitchen in kitchens]

    def _zeros(self, dtype: torch.dtype) -> Tensor:
        return torch.zeros(self.num_envs, dtype=dtype, device=self.device)
