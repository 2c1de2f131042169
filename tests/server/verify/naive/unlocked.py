"""
Mistake: selects in SQLite which invoices have no plan, and then inserts theirs, not in one transaction: another instance
does the same meanwhile. The first argument says when: before any call (`start`), with a token (`token`), or `send` for a
plan without a key, which is sent and then marked.
"""
import os, sqlite3, sys, uuid
sys.path.append(os.path.join(os.path.dirname(__file__), "..", "correct"))
import client
from client import ENV, asked_invoices, body_for, finish, follow, send

moment = sys.argv[1]
database = sqlite3.connect(os.path.join(ENV["STATE"], "plans.db"), timeout=30, isolation_level=None)
if len(sys.argv) > 2:
    database.execute(f"pragma journal_mode = {sys.argv[2]}")
database.execute("create table if not exists plans (invoice text, key text, body text, batch text, outcome text)")


def planned(condition="1 = 1"):
    return database.execute(f"select rowid, invoice, key, body, batch from plans where {condition} order by rowid").fetchall()


invoices = asked_invoices()
if moment == "token":
    client.token = client.obtain()
known = {invoice for _, invoice, *_ in planned()}
for invoice in (each for each in invoices if each["id"] not in known):
    key = None if moment == "send" else str(uuid.uuid4())
    values = (invoice["id"], key, body_for(invoice["id"], [invoice]))
    if moment == "send":
        database.execute("insert into plans (invoice, key, body) select ?, ?, ? where not exists (select 1 from plans where invoice = ?)", (*values, invoice["id"]))
    else:
        database.execute("insert into plans (invoice, key, body) values (?, ?, ?)", values)
for row, invoice, key, body, batch in planned("outcome is null"):
    answer = None if batch else send(key or str(uuid.uuid4()), body)
    batch = batch or (answer and answer[1] or {}).get("data", {}).get("batchId")
    refused = answer is not None and batch is None
    database.execute("update plans set batch = ?, outcome = ? where rowid = ?", (batch, "failed" if refused else None, row))
    outcome = follow(batch, 1)[0] if batch else "unknown"
    if outcome != "unknown":
        database.execute("update plans set outcome = ? where rowid = ?", (outcome, row))
said = dict(database.execute("select invoice, outcome from plans where outcome is not null").fetchall())
sys.exit(finish({each["id"]: said.get(each["id"], "unknown") for each in invoices}))
