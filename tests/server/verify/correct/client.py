"""The calls of the correct programs in Python, and their result file."""
import base64, hashlib, hmac, http.client, json, os, random, time, urllib.parse, uuid
from email.utils import parsedate_to_datetime

ENV = {name[9:]: value for name, value in os.environ.items() if name.startswith("PAYMENTS_")}
SERVICE = urllib.parse.urlsplit(ENV["URL"])
FINAL = {"Completed": "paid", "Failed": "failed", "Rejected": "failed", "Returned": "returned", "Cancelled": "failed"}
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
            if 400 <= status < 500 and status not in (401, 409, 429) and json_in(data):
                return status, None
            pause = max(pause, min(asked_pause(headers), 60))
        time.sleep(pause)
    return None


def payment_of(invoice):
    return {
        "instructedAmount": {"amount": invoice["amount"], "currency": invoice["currency"]},
        "creditor": {"creditorId": invoice["creditorId"], "name": invoice["creditorName"]},
        "remittanceInformation": {"reference": invoice["reference"]}}


def body_for(external_id, invoices):
    """The body of a batch; it is stored before it is sent, because it holds today's date."""
    return json.dumps({"data": {
        "externalId": external_id, "subscriptionId": ENV["SUBSCRIPTION_ID"], "debtor": {"debtorId": ENV["DEBTOR_ID"]},
        "requestedExecutionDateTime": time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime()),
        "payments": [payment_of(invoice) for invoice in invoices]}})


def send(key, body):
    return call("POST", "/v3/batchpayments", {"x-idempotency-key": key, "Content-Type": "application/json"}, body)


def follow(batch, count, seconds=18):
    """Reads a batch until all its payments have ended, and returns what became of each."""
    until, pause, said = time.monotonic() + seconds, 1.1, ["unknown"] * count
    while batch and time.monotonic() < until and "unknown" in said:
        time.sleep(pause)
        pause = min(pause * 1.4, 5)
        read = call("GET", f"/v3/batchpayments/{batch}")
        payments = ((read and read[1] or {}).get("data") or {}).get("payments") or []
        said = [FINAL.get(each.get("status"), "unknown") for each in payments] or said
    return said


def asked_invoices():
    with open(ENV["INVOICES"], encoding="utf-8") as file:
        return json.load(file)["invoices"]


def finish(result):
    """Writes the result file in one step; returns the exit status."""
    with open(ENV["RESULT"] + ".draft", "w", encoding="utf-8") as file:
        json.dump({"invoices": [{"id": id, "outcome": outcome} for id, outcome in result.items()]}, file)
    os.replace(ENV["RESULT"] + ".draft", ENV["RESULT"])
    return 0 if all(outcome == "paid" for outcome in result.values()) else 1
