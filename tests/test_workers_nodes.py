"""The crew on two nodes, both simulated on this machine: one of them is lost."""

from functools import partial

import gymnasium as gym
import pytest

import burgerbot  # noqa: F401  (registers the environments)
from burgerbot.learn import ppo
from burgerbot.scale import workers
from burgerbot.scale.crew import Crew, CrewLost
from burgerbot.scale.off_policy import train_crew
from burgerbot.scale.worker import RolloutWorker

pytestmark = [pytest.mark.ray, pytest.mark.timeout(300), pytest.mark.xdist_group("ray")]

CONFIG = ppo.PPOConfig(steps=32, epochs=2, minibatches=2, hidden=(16,))
KITCHENS = partial(gym.make_vec, "burgerbot:BurgerBotKitchens-v0", num_envs=8)
BUILDS = [partial(RolloutWorker, KITCHENS)] * 2


@pytest.fixture(scope="module")
def cluster():
    """Two nodes with a core each, so that each has one worker."""
    try:
        with workers.simulated_nodes(1, 1) as cluster:
            yield cluster
    except workers.RayUnavailable as error:
        pytest.skip(str(error))


def test_losing_a_node_is_losing_its_worker_until_another_node_comes(cluster):
    """Training goes on with the rest; on a new node the worker returns; with none, all ends."""
    with Crew(workers.RayTransport(BUILDS)) as crew:
        seen = {"while away": 0}

        def look(run):
            if run.updates == 3:
                cluster.remove_node(list(cluster.worker_nodes)[-1], allow_graceful=False)
            if crew.report.losses and not crew.report.returns:
                seen["while away"] += 1
                if seen["while away"] == 5:
                    workers.add_node(cluster, 1)
            return not crew.report.returns

        run = train_crew(crew, CONFIG, 10**7, callback=look)
        assert crew.report.losses == crew.report.returns == 1
        assert seen["while away"] >= 5
        assert run.policy.moments.count == run.steps


def test_losing_all_workers_with_their_node_ends_in_an_error_and_a_checkpoint(cluster, tmp_path):
    """No node has room for them: after some patience the run is saved, and says so."""
    node = workers.add_node(cluster, 2, resources={"kitchen": 2})
    path = tmp_path / "run.pt"
    with Crew(workers.RayTransport(BUILDS, needs={"kitchen": 1})) as crew:

        def disaster(run):
            if run.updates == 3:
                cluster.remove_node(node, allow_graceful=False)
                crew.patience = 5.0

        with pytest.raises(CrewLost, match=r"no worker answered for 5 s.*Saved after .* updates"):
            train_crew(crew, CONFIG, 10**7, checkpoint=path, callback=disaster)
    assert path.exists()
