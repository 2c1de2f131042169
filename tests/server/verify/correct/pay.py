"""Pays with one key and one body for each invoice, both derived from it: needs no lock and hardly any memory."""
import base64, hashlib, hmac, http.client, json, os, random, sys, time, urllib.parse, uuid
from email.utils import parsedate_to_datetime

ENV = {name[9:]: value for name, value in os.environ.items() if name.startswith("PAYMENTS_")}
SERVICE = urllib.parse.urlsplit(ENV["URL"])
FINAL = {"Completed": "paid", "Failed": "failed", "Rejected": "failed", "Returned": "failed", "Cancelled": "failed"}
token = None


def ask(method, path, headers, body=None):
    """One call on a connection of its own; None unless a whole answer has arrived."""
    connection = http.client.HTTPConnection(SERVICE.netloc, timeout=float(ENV["TIMEOUT"]))
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def obtain():
    path, nonce = "/auth-v1/accessToken", str(uuid.uuid4())
    quoted = urllib.parse.quote((ENV["URL"] + path).lower(), safe="")
    text = f"POST&{quoted}&&{urllib.parse.quote(nonce, safe='')}"
    digest = hmac.new((ENV["SIGNING_KEY"] + "&null").encode(), text.encode(), hashlib.sha1).digest()
    answer = ask("POST", path, {
        "X-Application": ENV["APPLICATION_ID"], "X-Organisation-Id": ENV["ORGANISATION_ID"],
        "X-Company-Id": ENV["COMPANY_ID"], "X-Nonce": nonce, "X-Signature": base64.b64encode(digest).decode(),
        "Content-Length": "0"})
    return json.loads(answer[2])["jwt"] if answer and answer[0] == 200 else None


def asked_pause(headers):
    asked = headers.get("Retry-After") or ""
    if asked.isdigit():
        return float(asked)
    try:
        return (parsedate_to_datetime(asked) - parsedate_to_datetime(headers["Date"])).total_seconds()
    except (TypeError, ValueError):
        return 0


def json_in(data):
    try:
        value = json.loads(data)
        return value if isinstance(value, dict) else None
    except ValueError:
        return None


def call(method, path, more=None, body=None):
    """Repeats a call until an answer of the service tells what happened; None if none does."""
    global token
    renewed = False
    for attempt in range(4):
        token = token or obtain()
        answer = token and ask(method, path, {
            "x-application": ENV["APPLICATION_ID"], "x-api-key": ENV["API_KEY"],
            "Authorization": f"Bearer {token}", **(more or {})}, body)
        pause = 0.5 * 2 ** attempt * random.uniform(1, 1.5)
        if answer:
            status, headers, data = answer
            if status == 401 and not renewed:
                token, renewed = None, True
                continue
            if status < 300 and json_in(data):
                return status, json_in(data)
            if 400 <= status < 500 and status not in (401, 409, 429):
                return status, None
            pause = max(pause, min(asked_pause(headers), 60))
        time.sleep(pause)
    return None


def body_of(invoice):
    """The body that was stored for an invoice; of two processes one stores it."""
    stored = os.path.join(ENV["STATE"], hashlib.sha256(invoice["id"].encode()).hexdigest())
    draft = f"{stored}.{os.getpid()}"
    body = json.dumps({"data": {
        "externalId": invoice["id"], "subscriptionId": ENV["SUBSCRIPTION_ID"], "debtor": {"debtorId": ENV["DEBTOR_ID"]},
        "requestedExecutionDateTime": time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime()),
        "payments": [{
            "instructedAmount": {"amount": invoice["amount"], "currency": invoice["currency"]},
            "creditor": {"creditorId": invoice["creditorId"], "name": invoice["creditorName"]},
            "remittanceInformation": {"reference": invoice["reference"]}}]}})
    with open(draft, "w", encoding="utf-8") as file:
        file.write(body)
        os.fsync(file.fileno())
    try:
        os.link(draft, stored)
    except FileExistsError:
        pass
    os.unlink(draft)
    with open(stored, encoding="utf-8") as file:
        return file.read()


def pay(invoice):
    body = body_of(invoice)
    key = hashlib.sha256(("pay " + invoice["id"]).encode()).hexdigest()
    answer = call("POST", "/v3/batchpayments", {"x-idempotency-key": key, "Content-Type": "application/json"}, body)
    if answer is None:
        return "unknown"
    if answer[1] is None:
        return "failed"
    batch = ((answer[1].get("data") or {}).get("batchId"))
    until, pause = time.monotonic() + 18, 1.1
    while batch and time.monotonic() < until:
        time.sleep(pause)
        pause = min(pause * 1.4, 5)
        read = call("GET", f"/v3/batchpayments/{batch}")
        payments = ((read and read[1] or {}).get("data") or {}).get("payments") or [{}]
        if payments[0].get("status") in FINAL:
            return FINAL[payments[0]["status"]]
    return "unknown"


with open(ENV["INVOICES"], encoding="utf-8") as file:
    invoices = json.load(file)["invoices"]
result = [{"id": invoice["id"], "outcome": pay(invoice)} for invoice in invoices]
with open(ENV["RESULT"] + ".draft", "w", encoding="utf-8") as file:
    json.dump({"invoices": result}, file)
os.replace(ENV["RESULT"] + ".draft", ENV["RESULT"])
sys.exit(0 if all(each["outcome"] == "paid" for each in result) else 1)
