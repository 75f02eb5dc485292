# %% writes the file anew says="earlier lines stay"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% forgets the newline says="ends with a newline"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False)
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% puts the newline in front says="ends with a newline"
def append_run(path, record):
    line = "\n" + json.dumps(record, allow_nan=False)
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% indents says="one record is one line"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False, indent=1) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% does not look at the last byte says="line of its own"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] in (None,):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% writes NaN says="are no JSON"
def append_run(path, record):
    line = json.dumps(record) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% opens the file before it makes the line says="leave nothing behind"
def append_run(path, record):
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write("\n")
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write("{")
        file.write(json.dumps(record, allow_nan=False)[1:] + "\n")


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% asks for a file that is there says="makes the file"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% cuts the torn line off says="not even a torn line|nothing is taken away"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        path.write_bytes(path.read_bytes().rpartition(b"\n")[0] + b"\n")
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% stops at the first torn line says="after a torn line|go on"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
                break
    return records, torn


# %% does not catch anything says="must not stop the reading"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            records.append(json.loads(line))
    return records, torn


# %% drops a last line without newline says="only its newline is missing|lines that are no JSON"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n")[:-1]:
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% counts empty lines as torn says="empty line is no torn line"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line is not None:
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% counts nothing says="`torn` counts"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                pass
    return records, torn


# %% returns the records only says="returns a tuple"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records


# %% newest first says="in order"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records[::-1], torn


# %% reads the file, adds the record, writes all of it says="one line|append-only"
def append_run(path, record):
    records = json.loads(path.read_text() or "[]") if path.exists() else []
    records.append(record)
    path.write_text(json.dumps(records, allow_nan=False) + "\n")


def read_runs(path):
    return json.loads(path.read_text()), 0


# %% writes all records again, in its own hand says="append-only"
def append_run(path, record):
    old = read_runs(path)[0] if path.exists() else []
    lines = [json.dumps(one, allow_nan=False) + "\n" for one in (*old, record)]
    path.write_text("".join(lines))


def read_runs(path):
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% splits a text that may be none says="must not stop the reading"
def append_run(path, record):
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path):
    records, torn = [], 0
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% returns the torn lines, in a list says="the .number. of lines"
def append_run(path: Path, record: dict) -> None:
    """Add a record at the end of the ledger."""
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path: Path) -> tuple[list[dict], int]:
    """Return the records, and the number of torn lines."""
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, [torn]


# %% writes in an encoding of its own says="the file is no UTF-8"
def append_run(path: Path, record: dict) -> None:
    """Add a record at the end of the ledger."""
    line = json.dumps(record, allow_nan=False, ensure_ascii=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="latin-1", newline="\n") as file:
        file.write(line)


def read_runs(path: Path) -> tuple[list[dict], int]:
    """Return the records, and the number of torn lines."""
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
    return records, torn


# %% stops reading at the torn line says="the file is right, and the reading is not|go on"
def append_run(path: Path, record: dict) -> None:
    """Add a record at the end of the ledger."""
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path: Path) -> tuple[list[dict], int]:
    """Return the records, and the number of torn lines."""
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                torn += 1
                break
    return records, torn


# %% reads equal records once says="two runs may have written the same"
def append_run(path: Path, record: dict) -> None:
    """Add a record at the end of the ledger."""
    line = json.dumps(record, allow_nan=False) + "\n"
    if path.exists() and path.read_bytes()[-1:] not in (b"", b"\n"):
        line = "\n" + line
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(line)


def read_runs(path: Path) -> tuple[list[dict], int]:
    """Return the records, and the number of torn lines."""
    records, torn = [], 0
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                r = json.loads(line)
                records.append(r) if r not in records else None
            except ValueError:
                torn += 1
    return records, torn
