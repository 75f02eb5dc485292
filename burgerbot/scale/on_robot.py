"""What runs on the robot: it reads an exported policy, and needs nothing but MicroPython."""

try:
    import ujson as json  # type: ignore[import-untyped]
except ImportError:
    import json


def load(path):  # type: ignore[no-untyped-def]
    with open(path) as file:
        return json.load(file)


def act(table, row, col, heading, sensor):  # type: ignore[no-untyped-def]
    votes = table["%d,%d,%d,%d" % (row, col, heading, sensor)]  # noqa: UP031 (for MicroPython)
    return max(votes, key=votes.get)
