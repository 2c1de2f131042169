"""Pays with one key and one body for each invoice, both derived from it: needs no lock and hardly any memory."""
import hashlib, os, sys
from client import ENV, asked_invoices, body_for, finish, follow, send


def body_of(invoice):
    """The body that was stored for an invoice; of two processes one stores it."""
    stored = os.path.join(ENV["STATE"], hashlib.sha256(invoice["id"].encode()).hexdigest())
    draft = f"{stored}.{os.getpid()}"
    with open(draft, "w", encoding="utf-8") as file:
        file.write(body_for(invoice["id"], [invoice]))
        os.fsync(file.fileno())
    try:
        os.link(draft, stored)
    except FileExistsError:
        pass
    os.unlink(draft)
    with open(stored, encoding="utf-8") as file:
        return file.read()


def pay(invoice):
    answer = send(hashlib.sha256(("pay " + invoice["id"]).encode()).hexdigest(), body_of(invoice))
    if answer is None:
        return "unknown"
    if answer[1] is None:
        return "failed"
    return follow((answer[1].get("data") or {}).get("batchId"), 1)[0]


sys.exit(finish({invoice["id"]: pay(invoice) for invoice in asked_invoices()}))
