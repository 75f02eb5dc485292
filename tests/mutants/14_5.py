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


# %% takes every note for a fault says="begin with 'fault, '|a field may be empty"
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


# %% takes notes that mention a fault says="a field may be empty|begin with 'fault, '"
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
