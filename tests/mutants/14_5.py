# %% takes the mean of the strata says="a mean lets a good one hide a bad one"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else sum(shares) / len(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% takes the best stratum says="worst"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else max(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% reports the simulation's speed says="not the simulation alone"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["simulate_only"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% swaps the two panels says="on the .training. seeds"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["training_success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% does not look at the seeds says="an evaluation seed was trained on"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = bool(seeds)
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% minds only if all seeds are shared says="an evaluation seed was trained on"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds <= set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% compares the lists of seeds says="an evaluation seed was trained on"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and record["evaluation_seeds"] != record["training_seeds"]
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% keeps the faults of a shared panel says="neither the held-out panel|measured is None"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% takes missing for zero says="None: neither 0"
def three_claims(record):
    def worst(shares):
        return min([share or 0.0 for share in shares], default=0.0)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% leaves the missing ones out says="nor the smallest of the rest"
def three_claims(record):
    def worst(shares):
        return min([share for share in shares if share is not None], default=None)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% stumbles over None says="a field may be empty or hold None"
def three_claims(record):
    def worst(shares):
        return min(shares) if shares else None

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% stumbles over an empty panel says="a field may be empty or hold None"
def three_claims(record):
    def worst(shares):
        return None if None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% takes a measured 0 for missing says="it is 0, and not None"
def three_claims(record):
    def worst(shares):
        return None if not shares or not all(shares) else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% forgets that no seeds prove nothing says="None: neither 0"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% takes every note for a fault says="begin with 'fault, '"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if isinstance(value, float)]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% takes notes that mention a fault says="begin with 'fault, '"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [
        value for name, value in record["notes"].items() if "fault" in name or "fault" in str(value)
    ]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% takes the held-out panel for robustness says="begin with 'fault, '"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": held_out,
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% empties the notes says="a ledger is only read"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    record["notes"].clear()
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% rounds says="worst"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else round(min(shares), 1)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% counts the seeds only says="though there are as many|another panel"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(len(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% minds the order of the seeds says="the order of seeds and strata"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(tuple(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% minds the order of the strata says="the order of seeds and strata"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), tuple(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% ignores the strata says="other strata are another"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {frozenset(r["evaluation_seeds"]) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% compares the first two only says="the third one differs"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    records = records[:2]
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% lets a record compare that trained on the panel says="has no held-out claim|claim nothing"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1


# %% wants the same shares too says="do not matter"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"].items())) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% wants at least two records says="one record alone"
def three_claims(record):
    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records):
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return (
        len(panels) == 1
        and len(records) > 1
        and all(three_claims(r)["held_out"] is not None for r in records)
    )


# %% wants evaluation seeds beyond the training's says="the seeds share none"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and min(seeds) > max(record["training_seeds"], default=-1)
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% wants training seeds says="the seeds share none"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and record["training_seeds"] and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% finds a fault anywhere in the name says="begin with 'fault, '.*'default, push' does not"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if "fault, " in name]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% leaves the comma out of the name says="begin with 'fault, '.*'fault' does not"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% cuts the name at the comma says="begin with 'fault, '.*'fault' does not"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.split(",")[0] == "fault"]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% ignores capitals says="begin with 'fault, '.*'Fault, as typed' does not"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [
        value for name, value in record["notes"].items() if name.lower().startswith("fault, ")
    ]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% strips the names says="begin with 'fault, '.*' fault, indented' does not"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [
        value for name, value in record["notes"].items() if name.strip().startswith("fault, ")
    ]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% takes a speed of 0 for missing says="a speed of 0 was measured"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"] or None,
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% cuts the speed to an int says="the speed that counts is the one with update"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": (lambda v: None if v is None else int(v))(record["throughput"]["with_update"]),
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% counts the strata says="as many strata, but others"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(frozenset(r["evaluation_seeds"]), len(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% adds the seeds up says="the same first, last and sum"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(sum(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% compares the first and the last seed says="the same first, last and sum"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {
        (
            (min(r["evaluation_seeds"], default=0), max(r["evaluation_seeds"], default=0)),
            frozenset(r["success"]),
        )
        for r in records
    }
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% wants the same training strata says="only the held-out claim is asked for"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {
        (
            frozenset(r["evaluation_seeds"]),
            frozenset(r["success"]),
            frozenset(r["training_success"]),
        )
        for r in records
    }
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% wants the same notes says="only the held-out claim is asked for"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {
        (frozenset(r["evaluation_seeds"]), frozenset(r["success"]), frozenset(r["notes"]))
        for r in records
    }
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% wants a held-out claim above 0 says="one of 0 is a claim"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] for r in records)


# %% wants all four claims says="only the held-out claim is asked for"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(None not in three_claims(r).values() for r in records)


# %% wants a learning claim too says="only the held-out claim is asked for"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(
        three_claims(r)["learning"] is not None and three_claims(r)["held_out"] is not None
        for r in records
    )


# %% compares the first and the last record says="the one in the middle differs"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    panels = {
        (frozenset(r["evaluation_seeds"]), frozenset(r["success"]))
        for r in (records[0], records[-1])
    }
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)


# %% lets a record have more strata says="one stratum more"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    first = records[0]
    return all(
        set(r["evaluation_seeds"]) == set(first["evaluation_seeds"])
        and set(r["success"]) >= set(first["success"])
        and three_claims(r)["held_out"] is not None
        for r in records
    )


# %% sorts the records' seeds says="the records were changed"
def three_claims(record: dict) -> dict[str, float | None]:
    """Return ``systems``, ``learning``, ``held_out`` and ``robustness``."""

    def worst(shares):
        return None if not shares or None in shares else min(shares)

    seeds = set(record["evaluation_seeds"])
    sound = seeds and not seeds & set(record["training_seeds"])
    held_out = worst(list(record["success"].values())) if sound else None
    faults = [value for name, value in record["notes"].items() if name.startswith("fault, ")]
    return {
        "systems": record["throughput"]["with_update"],
        "learning": worst(list(record["training_success"].values())),
        "held_out": held_out,
        "robustness": None if held_out is None else worst(faults),
    }


def same_panel(records: list[dict]) -> bool:
    """Return whether the records may be compared."""
    for r in records:
        r["evaluation_seeds"].sort()
    panels = {(frozenset(r["evaluation_seeds"]), frozenset(r["success"])) for r in records}
    return len(panels) == 1 and all(three_claims(r)["held_out"] is not None for r in records)
