# %% asks the new process without a greeting says="before .begin"
def collect_from(workers, weights, wanted, seeds):
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            fragments.append((index, worker.sample(weights)))
        except WorkerAway:
            report["lost"] += 1
        except WorkerGone:
            report["gone"] += 1
            continue
        turns.append((index, worker))
    return fragments, report


# %% gives every life the same seed says="seed was used twice"
def collect_from(workers, weights, wanted, seeds):
    fragments, report = [], {"lost": 0, "gone": 0}
    turns, seed = deque(enumerate(workers)), next(seeds)
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            try:
                fragments.append((index, worker.sample(weights)))
            except WorkerAway:
                report["lost"] += 1
                worker.begin(seed)
        except WorkerGone:
            report["gone"] += 1
        else:
            turns.append((index, worker))
    return fragments, report


# %% gives each worker its number as seed says="seed was used twice|next of .seeds"
def collect_from(workers, weights, wanted, seeds):
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            try:
                fragments.append((index, worker.sample(weights)))
            except WorkerAway:
                report["lost"] += 1
                worker.begin(index)
        except WorkerGone:
            report["gone"] += 1
        else:
            turns.append((index, worker))
    return fragments, report


# %% begins every worker at the start says="without need"
def collect_from(workers, weights, wanted, seeds):
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    for worker in workers:
        worker.begin(next(seeds))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            try:
                fragments.append((index, worker.sample(weights)))
            except WorkerAway:
                report["lost"] += 1
                worker.begin(next(seeds))
        except WorkerGone:
            report["gone"] += 1
        else:
            turns.append((index, worker))
    return fragments, report


# %% waits for the one that was away says="misses this turn only"
def collect_from(workers, weights, wanted, seeds):
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            while True:
                try:
                    fragments.append((index, worker.sample(weights)))
                    break
                except WorkerAway:
                    report["lost"] += 1
                    worker.begin(next(seeds))
        except WorkerGone:
            report["gone"] += 1
        else:
            turns.append((index, worker))
    return fragments, report


# %% never asks it again says="asked again|misses this turn|ask .it again"
def collect_from(workers, weights, wanted, seeds):
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            fragments.append((index, worker.sample(weights)))
        except WorkerAway:
            report["lost"] += 1
            continue
        except WorkerGone:
            report["gone"] += 1
            continue
        turns.append((index, worker))
    return fragments, report


# %% stops at the first loss says="others|misses this turn"
def collect_from(workers, weights, wanted, seeds):
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            fragments.append((index, worker.sample(weights)))
            turns.append((index, worker))
        except (WorkerAway, WorkerGone):
            report["lost"] += 1
            break
    return fragments, report


# %% asks those that are gone says="gone was asked again"
def collect_from(workers, weights, wanted, seeds):
    fragments, report, gone = [], {"lost": 0, "gone": 0}, set()
    while len(fragments) < wanted:
        if len(gone) == len(workers):
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        for index, worker in enumerate(workers):
            if len(fragments) == wanted:
                break
            try:
                try:
                    fragments.append((index, worker.sample(weights)))
                except WorkerAway:
                    report["lost"] += 1
                    worker.begin(next(seeds))
            except WorkerGone:
                gone.add(index)
                report["gone"] = len(gone)
    return fragments, report


# %% renumbers when one is gone says="keep their numbers"
def collect_from(workers, weights, wanted, seeds):
    fragments, report = [], {"lost": 0, "gone": 0}
    left, turn = list(workers), 0
    while len(fragments) < wanted:
        if not left:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index = turn % len(left)
        try:
            try:
                fragments.append((index, left[index].sample(weights)))
            except WorkerAway:
                report["lost"] += 1
                left[index].begin(next(seeds))
            turn = index + 1
        except WorkerGone:
            report["gone"] += 1
            del left[index]
            turn = index
    return fragments, report


# %% forgets that begin can fail says="begin. can raise"
def collect_from(workers, weights, wanted, seeds):
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            fragments.append((index, worker.sample(weights)))
        except WorkerAway:
            report["lost"] += 1
            worker.begin(next(seeds))
        except WorkerGone:
            report["gone"] += 1
            continue
        turns.append((index, worker))
    return fragments, report


# %% returns what it has when all are gone says="must not pass for"
def collect_from(workers, weights, wanted, seeds):
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted and turns:
        index, worker = turns.popleft()
        try:
            try:
                fragments.append((index, worker.sample(weights)))
            except WorkerAway:
                report["lost"] += 1
                worker.begin(next(seeds))
        except WorkerGone:
            report["gone"] += 1
        else:
            turns.append((index, worker))
    return fragments, report


# %% an error without a number says="how many fragments"
def collect_from(workers, weights, wanted, seeds):
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost("all workers are gone")
        index, worker = turns.popleft()
        try:
            try:
                fragments.append((index, worker.sample(weights)))
            except WorkerAway:
                report["lost"] += 1
                worker.begin(next(seeds))
        except WorkerGone:
            report["gone"] += 1
        else:
            turns.append((index, worker))
    return fragments, report


# %% takes every error for a death says="was swallowed"
def collect_from(workers, weights, wanted, seeds):
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            try:
                fragments.append((index, worker.sample(weights)))
            except WorkerAway:
                report["lost"] += 1
                worker.begin(next(seeds))
        except WorkerGone:
            report["gone"] += 1
        except Exception:
            report["gone"] += 1
        else:
            turns.append((index, worker))
    return fragments, report


# %% finishes the round says="as many as wanted|many as wanted"
def collect_from(workers, weights, wanted, seeds):
    fragments, report, gone = [], {"lost": 0, "gone": 0}, set()
    while len(fragments) < wanted:
        if len(gone) == len(workers):
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        for index, worker in enumerate(workers):
            if index in gone:
                continue
            try:
                try:
                    fragments.append((index, worker.sample(weights)))
                except WorkerAway:
                    report["lost"] += 1
                    worker.begin(next(seeds))
            except WorkerGone:
                gone.add(index)
                report["gone"] += 1
    return fragments, report


# %% drains worker 0 first says="in turns"
def collect_from(workers, weights, wanted, seeds):
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns[0]
        try:
            try:
                fragments.append((index, worker.sample(weights)))
            except WorkerAway:
                report["lost"] += 1
                worker.begin(next(seeds))
        except WorkerGone:
            report["gone"] += 1
            turns.popleft()
    return fragments, report


# %% keeps fragments only says="keep pairs"
def collect_from(
    workers: Sequence, weights: object, wanted: int, seeds: Iterator[int]
) -> tuple[list[tuple[int, object]], dict[str, int]]:
    """Collect from workers that may die, and say what was lost."""
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            try:
                fragments.append(worker.sample(weights))
            except WorkerAway:
                report["lost"] += 1
                worker.begin(next(seeds))
        except WorkerGone:
            report["gone"] += 1
        else:
            turns.append((index, worker))
    return fragments, report


# %% raises another error when all are gone says="raise CrewLost and no other error"
def collect_from(
    workers: Sequence, weights: object, wanted: int, seeds: Iterator[int]
) -> tuple[list[tuple[int, object]], dict[str, int]]:
    """Collect from workers that may die, and say what was lost."""
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if not turns:
            raise RuntimeError(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            try:
                fragments.append((index, worker.sample(weights)))
            except WorkerAway:
                report["lost"] += 1
                worker.begin(next(seeds))
        except WorkerGone:
            report["gone"] += 1
        else:
            turns.append((index, worker))
    return fragments, report


# %% gives up while one worker is left says="gave up too early"
def collect_from(
    workers: Sequence, weights: object, wanted: int, seeds: Iterator[int]
) -> tuple[list[tuple[int, object]], dict[str, int]]:
    """Collect from workers that may die, and say what was lost."""
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if len(turns) <= 1 and report["gone"]:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            try:
                fragments.append((index, worker.sample(weights)))
            except WorkerAway:
                report["lost"] += 1
                worker.begin(next(seeds))
        except WorkerGone:
            report["gone"] += 1
        else:
            turns.append((index, worker))
    return fragments, report


# %% draws a seed for each worker beforehand says="the seeds ran out"
def collect_from(
    workers: Sequence, weights: object, wanted: int, seeds: Iterator[int]
) -> tuple[list[tuple[int, object]], dict[str, int]]:
    """Collect from workers that may die, and say what was lost."""
    fragments, report = [], {"lost": 0, "gone": 0}
    seeds = iter([next(seeds) for _ in range(len(workers))])
    turns = deque(enumerate(workers))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            try:
                fragments.append((index, worker.sample(weights)))
            except WorkerAway:
                report["lost"] += 1
                worker.begin(next(seeds))
        except WorkerGone:
            report["gone"] += 1
        else:
            turns.append((index, worker))
    return fragments, report


# %% takes workers that are gone off the caller's list says="the list of workers was changed"
def collect_from(
    workers: Sequence, weights: object, wanted: int, seeds: Iterator[int]
) -> tuple[list[tuple[int, object]], dict[str, int]]:
    """Collect from workers that may die, and say what was lost."""
    fragments, report = [], {"lost": 0, "gone": 0}
    turns = deque(enumerate(list(workers)))
    while len(fragments) < wanted:
        if not turns:
            raise CrewLost(f"all workers are gone after {len(fragments)} fragments")
        index, worker = turns.popleft()
        try:
            try:
                fragments.append((index, worker.sample(weights)))
            except WorkerAway:
                report["lost"] += 1
                worker.begin(next(seeds))
        except WorkerGone:
            report["gone"] += 1
            workers.remove(worker)
        else:
            turns.append((index, worker))
    return fragments, report
