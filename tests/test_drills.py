"""The drills of lesson 12, in this process."""

from burgerbot.scale import drills, workers
from burgerbot.scale.local_crew import LocalTransport


def test_a_drill_loses_a_worker_and_gets_it_back():
    """Training goes on, every row counts once, and the text says what happened."""
    drill = drills.kill_drill(LocalTransport, updates=15)
    assert drill.report.losses == drill.report.returns == 1
    assert drill.run.policy.moments.count == drill.run.steps
    assert "worker 0 lost, worker 0 back" in str(drill)


def test_the_log_holds_a_publish_an_update():
    """And an answer for every rollout that was used or dropped."""
    log, report = drills.record(LocalTransport, 5)
    assert sum(what == "publish" for what, _ in log) == 5
    assert sum(what == "answer" for what, _ in log) == report.lags.total() + report.dropped == 10


def test_longer_rollouts_cost_fewer_bytes_a_step():
    """The weights are shared out over more steps."""
    rows = [line.split() for line in drills.message_costs([1, 32]).split("\n")[1:]]
    assert float(rows[0][-1].replace(",", "")) > 5 * float(rows[1][-1].replace(",", ""))


def test_without_ray_a_session_says_why_and_stays_here(monkeypatch):
    """As on a machine with little memory."""
    monkeypatch.setattr(workers, "free_memory", lambda: 10**8)
    session = workers.Session()
    assert session.transport is LocalTransport
    assert "95 MB of memory are free here" in session.skipped
    assert str(session).startswith("Skipped: Ray (95 MB")
    session.close()


def test_without_the_package_a_session_says_so(monkeypatch):
    """Where ray is not installed."""

    def missing():
        raise ImportError("No module named 'ray'")

    monkeypatch.setattr(workers, "_ray", missing)
    assert "the package ray cannot be imported here" in workers.Session().skipped
