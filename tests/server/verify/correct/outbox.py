"""
Pays from an outbox in SQLite: a transaction records each batch of two invoices with its key and body, and a process that
takes a lease of it for a minute sends it. A process that is killed leaves its lease to end by itself.
"""
import os, sqlite3, sys, time, uuid
from client import ENV, asked_invoices, body_for, finish, follow, send

database = sqlite3.connect(os.path.join(ENV["STATE"], "outbox.db"), timeout=30, isolation_level=None)
database.executescript("""
  create table if not exists batches (key text primary key, body text not null, batch text, leased real not null default 0);
  create table if not exists payments (invoice text primary key, key text not null, place integer not null,
    outcome text not null default 'unknown');
""")


def record(invoices):
    """Records the invoices that no batch pays yet, two in a batch."""
    database.execute("begin immediate")
    known = {invoice for (invoice,) in database.execute("select invoice from payments")}
    new = [each for each in invoices if each["id"] not in known]
    for pair in (new[index:index + 2] for index in range(0, len(new), 2)):
        key = str(uuid.uuid4())
        database.execute("insert into batches (key, body) values (?, ?)", (key, body_for(key, pair)))
        for place, invoice in enumerate(pair):
            database.execute("insert into payments (invoice, key, place) values (?, ?, ?)", (invoice["id"], key, place))
    database.execute("commit")


def settle(key, body, batch, count):
    """Settles a batch unless another process has a lease of it."""
    now = time.time()
    lease = database.execute("update batches set leased = ? where key = ? and leased < ?", (now + 60, key, now))
    if lease.rowcount == 0:
        return
    if batch is None:
        answer = send(key, body)
        if answer is None:
            return release(key)
        batch = answer[1] and (answer[1].get("data") or {}).get("batchId")
        if batch:
            database.execute("update batches set batch = ? where key = ?", (batch, key))
        elif answer[1] is None:
            database.execute("update payments set outcome = 'failed' where key = ?", (key,))
    for place, outcome in enumerate(follow(batch, count)) if batch else []:
        database.execute("update payments set outcome = ? where key = ? and place = ?", (outcome, key, place))
    release(key)


def release(key):
    database.execute("update batches set leased = 0 where key = ?", (key,))


invoices = asked_invoices()
record(invoices)
for row in database.execute("""
  select key, body, batch, count(*) from batches join payments using (key) where outcome = 'unknown' group by key
""").fetchall():
    settle(*row)
said = dict(database.execute("select invoice, outcome from payments").fetchall())
sys.exit(finish({each["id"]: said.get(each["id"], "unknown") for each in invoices}))
