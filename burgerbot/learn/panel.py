"""A held-out panel: seed families that training never saw, stratum by stratum."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from burgerbot.learn.accounting import effective_samples, icc
from burgerbot.learn.columns import columns
from burgerbot.learn.evaluate import evaluate
from burgerbot.learn.evaluation import Estimate, Evaluation
from burgerbot.learn.optima import LIMIT, Optimum, optimum
from burgerbot.world.kitchens_vector import BurgerBotKitchensVectorEnv

HEADS = (
    *("stratum", "success", "interval", "optimum", "crash", "timeout", "length", "return"),
    *("best return", "ICC", "episodes", "effective"),
)


@dataclass(frozen=True, eq=False)
class Panel:
    """What a policy does in each stratum, and what the best one would.

    Attributes:
        strata: Stratum -> its episodes; the families are seeds.
        optima: Stratum -> the exact optimum on the same kitchens.
    """

    strata: dict[str, Evaluation]
    optima: dict[str, Optimum]

    @property
    def seeds(self) -> list[int]:
        """All seed families of the panel, each once."""
        return list(
            dict.fromkeys(
                int(seed) for found in self.strata.values() for seed in found.families.tolist()
            )
        )

    @property
    def success(self) -> dict[str, float]:
        """Stratum -> share of episodes that delivered."""
        return {name: _success(found).mean for name, found in self.strata.items()}

    @property
    def overall(self) -> Estimate:
        """Success over all strata, each episode alike; families are resampled."""
        return _success(self._pooled())

    @property
    def optimum(self) -> float:
        """The exact optimum's success over all strata, weighted as ``overall`` is."""
        sizes = [found.returns.size for found in self.strata.values()]
        return float(np.average([o.success for o in self.optima.values()], weights=sizes))

    def correlation(self, name: str | None = None) -> float:
        """Intraclass correlation of success, each episode being a value of its family.

        Args:
            name: The stratum; None: over all, once each stratum's own mean is taken off.

        Returns:
            NaN where it cannot be told: all episodes ended alike, or the families are too few.
        """
        parts = self.strata.values() if name is None else [self.strata[name]]
        values = [np.asarray(part.delivered) - _success(part).mean for part in parts]
        found = self._pooled() if name is None else self.strata[name]
        delivered = np.concatenate(values)
        families = found.families.repeat(delivered.shape[1])
        if not 1 < len(np.unique(families)) < len(families):
            return float("nan")
        return icc(delivered.ravel(), families)

    def effective_episodes(self, name: str | None = None) -> float:
        """How many independent episodes tell as much as the panel's; NaN where ``correlation`` is.

        A correlation below 0 counts as 0: families do not make episodes worth more than they are.
        """
        found = self._pooled() if name is None else self.strata[name]
        episodes, families = found.returns.size, len(np.unique(found.families))
        return effective_samples(
            episodes, episodes / families, np.maximum(self.correlation(name), 0.0)
        )

    def _pooled(self) -> Evaluation:
        """All strata as one evaluation; a family is a seed in a stratum."""
        parts = list(self.strata.values())
        labels = [np.full(len(part.families), i) for i, part in enumerate(parts)]
        _, families = np.unique(
            np.stack(
                [np.concatenate(labels), np.concatenate([part.families for part in parts])], axis=1
            ),
            axis=0,
            return_inverse=True,
        )
        delivered = np.concatenate([np.asarray(part.delivered) for part in parts])
        returns, lengths, terminated = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("returns", "lengths", "terminated")
        )
        return Evaluation(
            returns, lengths, terminated, delivered, families.ravel(), None, parts[0].confidence
        )

    def __str__(self) -> str:
        lines: list[tuple[str, ...]] = [HEADS]
        for name, found in self.strata.items():
            best, crash = self.optima[name], found.crash
            assert crash is not None
            numbers = (
                *_cells(_success(found), best.success),
                *(f"{share.mean:.2f}" for share in (crash, found.timeout)),
                *(f"{mean:.1f}" for mean in (found.mean_length.mean, found.mean_return.mean)),
                f"{best.mean_return:.1f}",
                *_evidence(self.correlation(name), found, self.effective_episodes(name)),
            )
            lines.append((name, *numbers))
        pooled = self._pooled()
        evidence = _evidence(self.correlation(), pooled, self.effective_episodes())
        lines.append(("all", *_cells(self.overall, self.optimum), *[""] * 5, *evidence))
        return columns(lines)


def held_out(
    policy: Callable[[np.ndarray], Any],
    families: Mapping[str, Sequence[int]],
    *,
    robots: int = 4,
    episodes: int = 1,
    seed: int = 0,
    confidence: float = 0.95,
) -> Panel:
    """Evaluate a policy on kitchens of its own: greedy, frozen, stratum by stratum.

    Args:
        policy: As ``evaluate`` takes it: observations ``[N, 28]`` -> actions or scores.
        families: Stratum -> seeds of its kitchens; give each stratum a pool of its own (a seed
            makes the same map in ``open`` and in ``greasy``).
        robots: Robots in each kitchen, each with starts of its own.
        episodes: Episodes of each robot.
        seed: Of the starts and the slips.
        confidence: Of the intervals, which resample families.

    Returns:
        Panel: With the exact optimum of the same kitchens, over all starts.

    Raises:
        ValueError: No stratum, an unknown one, one without a seed, or a seed twice.
    """
    if not families or not all(len(seeds) for seeds in families.values()):
        raise ValueError(f"families: expected strata with seeds, got {dict(families)}")
    found, optima = {}, {}
    for place, (name, seeds) in enumerate(families.items()):
        if len(set(seeds)) < len(seeds):
            raise ValueError(f"families[{name!r}]: expected different seeds, got one twice")
        envs = BurgerBotKitchensVectorEnv(
            robots * len(seeds),
            stratum=name,
            family=list(seeds),
            max_episode_steps=LIMIT,
            autoreset_mode="SameStep",
        )
        draws = np.random.SeedSequence([seed, place]).generate_state(envs.num_envs, np.uint64)
        found[name] = evaluate(
            envs,
            policy,
            episodes,
            families=np.repeat(np.array(seeds), robots).tolist(),
            seed=draws.tolist(),
            confidence=confidence,
        )
        best = np.array([optimum(name, int(seed)) for seed in seeds])
        optima[name] = Optimum(*best.mean(axis=0).tolist())
    return Panel(found, optima)


def _success(found: Evaluation) -> Estimate:
    """Share of deliveries; these kitchens always tell."""
    assert found.success is not None
    return found.success


def _cells(success: Estimate, best: float) -> tuple[str, str, str]:
    """Success, its interval, and the optimum."""
    mean, low, high = success
    return f"{mean:.2f}", f"{low:.2f} to {high:.2f}", f"{best:.2f}"


def _evidence(together: float, found: Evaluation, effective: float) -> tuple[str, str, str]:
    """Correlation, episodes, and what they are worth."""
    unknown = np.isnan(together)
    cells = ("-", "-") if unknown else (f"{together:.2f}", f"{effective:.0f}")
    return cells[0], str(found.returns.size), cells[1]
