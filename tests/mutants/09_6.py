# %% writes python instead of json says="is not JSON"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(str(table))


# %% puts blanks into the keys says="nothing else between"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ", ".join(str(number) for number in row): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% keeps the brackets of a tuple says="nothing else between"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        str(tuple(row)): {name: float(index == action) for index, name in enumerate(ACTIONS)}
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% writes numpy's numbers says="nothing else between"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(repr(number) for number in row): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen, choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% swaps row and column says="belong together"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in (row[1], row[0], *row[2:])): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% swaps heading and sensor says="nothing else between|no key"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in (row[0], row[1], row[3], row[2])): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% leaves the sensor out says="nothing else between"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row[:3]): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% asks for one sensor reading says="no key"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 1)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% counts the sensor from 0 to 5 says="from 0 to 2"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 6)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% counts rows from 1 says="from 0 to 6"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T + np.array([1, 1, 0, 0])
    table = {
        ",".join(str(number) for number in row): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% asks about the wrong shape says="int ..B, 4..|shape"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen.T).tolist())
    }
    path.write_text(json.dumps(table))


# %% asks with floats says="int ..B, 4.."
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen.astype(float)).tolist())
    }
    path.write_text(json.dumps(table))


# %% writes integers says="the numbers are floats"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: int(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% writes truths says="the numbers are floats"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: index == action for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% writes the chosen action alone says="names each of the four actions"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    keys = [",".join(map(str, row)) for row in seen.tolist()]
    table = {key: {ACTIONS[action]: 1.0} for key, action in zip(keys, choose(seen).tolist())}
    path.write_text(json.dumps(table))


# %% writes the name alone says="a value is a dict"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    keys = [",".join(map(str, row)) for row in seen.tolist()]
    table = {key: ACTIONS[action] for key, action in zip(keys, choose(seen).tolist())}
    path.write_text(json.dumps(table))


# %% writes a list says="a value is a dict"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): [float(index == action) for index in range(4)]
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% sorts the names says="in this order"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: float(index == action) for index, name in enumerate(sorted(ACTIONS, reverse=True))
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% marks all but the chosen one says="exactly one action"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: float(index != action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% spreads the rest over the others says="exactly one action"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: 0.7 if index == action else 0.1 for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    path.write_text(json.dumps(table))


# %% counts the observations in another order says="belong together"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen[::-1]).tolist())
    }
    path.write_text(json.dumps(table))


# %% keeps clear cells only says="no key"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
        if CLASSIC.is_clear(row[0], row[1])
    }
    path.write_text(json.dumps(table))


# %% forgets to write says="written to the file"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    json.dumps(table)


# %% writes into the working folder says="written to the file"
def export_table(choose, path):
    seen = np.indices((7, 7, 4, 3)).reshape(4, -1).T
    table = {
        ",".join(str(number) for number in row): {
            name: float(index == action) for index, name in enumerate(ACTIONS)
        }
        for row, action in zip(seen.tolist(), choose(seen).tolist())
    }
    Path(tempfile.mkdtemp(), "policy.json").write_text(json.dumps(table))
