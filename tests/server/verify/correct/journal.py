"""
Pays behind a lock file, which counts as left behind when it is an hour old. What happens is appended to a journal: each
batch with its key and body before it is sent, then its outcomes. A run first repeats what has no outcome.
"""
import json, os, sys, time, uuid
from client import ENV, asked_invoices, body_for, finish, follow, send

JOURNAL, LOCK = (os.path.join(ENV["STATE"], name) for name in ("journal.jsonl", "lock"))
HOUR = 3600


def locked():
    try:
        if time.time() - os.stat(LOCK).st_mtime > HOUR:
            os.unlink(LOCK)
    except FileNotFoundError:
        pass  # nobody holds it
    try:
        os.close(os.open(LOCK, os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False


def append(entry):
    with open(JOURNAL, "a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")
        file.flush()
        os.fsync(file.fileno())


def entries():
    if not os.path.exists(JOURNAL):
        return []
    with open(JOURNAL, encoding="utf-8") as file:
        # A line that was cut by the end of a process was never acted upon.
        return [json.loads(line) for line in file if line.endswith("\n")]


def pay(key, body, ids):
    answer = send(key, body)
    if answer is None:
        return {}
    said = ["failed"] * len(ids)
    if answer[1] is not None:
        said = follow((answer[1].get("data") or {}).get("batchId"), len(ids))
    outcomes = {id: outcome for id, outcome in zip(ids, said) if outcome != "unknown"}
    append({"outcomes": outcomes})
    return outcomes


invoices = asked_invoices()
outcomes = {}
if locked():
    try:
        known = entries()
        for entry in known:
            outcomes.update(entry.get("outcomes", {}))
        begun = [entry for entry in known if "key" in entry]
        new = [each for each in invoices if not any(each["id"] in entry["ids"] for entry in begun)]
        if new:
            key = str(uuid.uuid4())
            begun.append({"key": key, "body": body_for(key, new), "ids": [each["id"] for each in new]})
            append(begun[-1])
        for entry in begun:
            if any(id not in outcomes for id in entry["ids"]):
                outcomes.update(pay(**entry))
    finally:
        os.unlink(LOCK)
sys.exit(finish({each["id"]: outcomes.get(each["id"], "unknown") for each in invoices}))
