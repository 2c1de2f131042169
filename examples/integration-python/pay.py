"""Pays the invoices of a file through the Payments Out Service, each once, and writes what became of them.

Needs Python 3.9 or newer and only its standard library. The environment variables are described in docs/verify.md.

Before the first attempt it stores the idempotency key and the body of a batch in a file that only one process can
create. Whoever finds the file, after a crash or in a second process, sends the same bytes under the same key, which
the service carries out once.
"""

import base64
import contextlib
import hashlib
import hmac
import json
import os
import random
import re
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import uuid
from email.utils import parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote


def env(name, usual=""):
    return os.environ.get(f"PAYMENTS_{name}") or usual


ADDRESS = env("URL")
FOLDER = env("STATE", ".payments")
# Seconds to wait for a response; calls behind open banking may take 100 seconds.
RESPONSE_TIME = float(env("TIMEOUT", "100"))
PATIENCE = 120  # seconds after which a batch that has not ended is reported as unknown
# The service honours a key for two weeks, that of a file for ten minutes: later, a repetition could pay again.
KEY_LIFE = {False: 13 * 24 * 3600, True: 9 * 60}
ATTEMPTS_AT_MOST = 5
token = {"jwt": "", "until": 0}
news = threading.Event()  # set by a webhook that announces a change
OUTCOMES = dict.fromkeys(["Completed", "PaymentFileAvailable"], "paid")
OUTCOMES.update(dict.fromkeys(["Failed", "Rejected", "Cancelled"], "failed"), Returned="returned")


def backoff(attempt):
    """The pause before the next attempt: doubled each time, with a random part, so that clients do not act in step."""
    return 0.5 * 2**attempt * (1 + random.random() / 4)


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: another host would receive the keys."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirects)


def call(method, url, headers=None, body=None, is_json=True):
    """Makes one call. Returns status, headers and text; None without a complete response of the service: unknown."""
    request = urllib.request.Request(url, body and body.encode(), headers or {}, method=method)
    try:
        try:
            response = opener.open(request, timeout=RESPONSE_TIME)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            status, headers, text = response.code, response.headers, response.read().decode(errors="replace")
        # A proxy's page is no response of the service, whatever its status, nor is one without a body. 429 only asks to wait.
        if is_json and status < 500 and status != 429:
            json.loads(text)
    except Exception:  # no connection, a time-out, a response that was cut, or no JSON
        return None
    return None if 300 <= status < 400 else (status, headers, text)


def asked_pause(headers):
    """The seconds that Retry-After asks for, in seconds or until a time of the service's clock; a minute at most."""
    asked = headers.get("retry-after") or ""
    if asked.isdigit():
        return min(float(asked), 60)
    try:
        seconds = parsedate_to_datetime(asked) - parsedate_to_datetime(headers["date"])
        return min(max(seconds.total_seconds(), 0), 60)
    except (TypeError, ValueError):
        return 0


def signed(method, url):
    """The headers of a signed call without query and body (HMAC-SHA1 of method, address and nonce)."""
    nonce = str(uuid.uuid4())
    base = "&".join([method, quote(url.lower(), safe="-._~"), "", quote(nonce, safe="-._~")])
    digest = hmac.new(f"{env('SIGNING_KEY')}&null".encode(), base.encode(), hashlib.sha1).digest()
    return {"X-Nonce": nonce, "X-Signature": base64.b64encode(digest).decode()}


def token_in_use():
    """Returns the company's token: the one in memory until a minute before it expires. Returns '' if there is none."""
    if token["jwt"] and time.time() < token["until"] - 60:
        return token["jwt"]
    url = f"{ADDRESS}/auth-v1/accessToken"
    ids = {"X-Organisation-Id": env("ORGANISATION_ID"), "X-Company-Id": env("COMPANY_ID")}
    response = call("POST", url, {"X-Application": env("APPLICATION_ID"), **ids, **signed("POST", url)})
    if not response or response[0] != 200:
        return ""
    jwt = json.loads(response[2])["jwt"]
    claims = json.loads(base64.urlsafe_b64decode(jwt.split(".")[1] + "=="))
    token.update(jwt=jwt, until=claims["exp"])
    return jwt


def call_until_answered(method, path, more=None, body=None):
    """Repeats a call after no response, 5xx and 429, and with a new token after 401. Returns None without an answer."""
    is_renewed = False
    for attempt in range(ATTEMPTS_AT_MOST):
        jwt = token_in_use()
        response = None
        if jwt:
            headers = {"x-application": env("APPLICATION_ID"), "x-api-key": env("API_KEY"), **(more or {})}
            headers.update({"x-fapi-interaction-id": str(uuid.uuid4()), "Authorization": f"Bearer {jwt}"})
            response = call(method, ADDRESS + path, headers, body)
        if response and response[0] == 401 and not is_renewed:
            token["jwt"], is_renewed = "", True
            continue
        if response and response[0] < 500 and response[0] != 429:
            return response
        time.sleep(max(backoff(attempt), asked_pause(response[1]) if response else 0))
    return None


def read_json(file):
    return json.loads(Path(file).read_text(encoding="utf-8"))


def write_json(file, value, exclusive=False):
    """Writes a file in one step. With `exclusive`, leaves a file that exists already."""
    handle, draft = tempfile.mkstemp(dir=os.path.dirname(file) or ".")
    with os.fdopen(handle, "w", encoding="utf-8") as opened:
        json.dump(value, opened)
        opened.flush()
        os.fsync(opened.fileno())
    if not exclusive:
        os.replace(draft, file)
        return
    with contextlib.suppress(FileExistsError):
        os.link(draft, file)
    os.unlink(draft)


def batch_of(invoices, file):
    """A batch that pays invoices: electronically, or in a bank file if there are the members for one."""
    way = file or {"subscriptionId": env("SUBSCRIPTION_ID"), "debtor": {"debtorId": env("DEBTOR_ID")}}
    payments = [
        {
            "instructedAmount": {"amount": each["amount"], "currency": each["currency"]},
            "creditor": {"creditorId": each["creditorId"], "name": each["creditorName"]},
            "remittanceInformation": {"reference": each["reference"]},
            **({name: each[name] for name in ("creditorAgent", "creditorAccount")} if file else {}),
        }
        for each in invoices
    ]
    day = time.strftime("%Y-%m-%dT00:00:00Z", time.gmtime())
    return {"externalId": str(uuid.uuid4()), **way, "requestedExecutionDateTime": day, "payments": payments}


def attempts_for(asked):
    """Stores an attempt to pay the invoices that no stored one covers; of two processes, one creates the next number."""
    while True:
        count = len([name for name in os.listdir(FOLDER) if re.fullmatch(r"attempt-\d+\.json", name)])
        attempts = [read_json(f"{FOLDER}/attempt-{number}.json") for number in range(1, count + 1)]
        covered = {invoice_id for attempt in attempts for invoice_id in attempt["ids"]}
        left = [each for each in asked["invoices"] if each["id"] not in covered]
        if not left:
            return attempts
        body = json.dumps({"data": batch_of(left, asked.get("file"))})
        attempt = {"key": str(uuid.uuid4()), "body": body, "at": time.time(), "isFile": "file" in asked}
        attempt["ids"] = [each["id"] for each in left]
        write_json(f"{FOLDER}/attempt-{count + 1}.json", attempt, exclusive=True)


# The ids of payments that came back by a webhook: the only news that no reading may show. They are never paid again by
# themselves: a person decides that, and gives a file with an invoice that replaces the one that came back.
came_back = set()
RETURNS_FILE = f"{FOLDER}/returns.json"


def outcome_of(payment):
    return "returned" if payment.get("paymentId") in came_back else OUTCOMES.get(payment.get("status"), "unknown")


def read_batch(batch_id):
    response = call_until_answered("GET", f"/v3/batchpayments/{batch_id}")
    return json.loads(response[2]) if response and response[0] == 200 else {}


def download(batch, batch_id):
    """Downloads the file of a batch. An expired link is asked for again by reading the batch."""
    for attempt in range(ATTEMPTS_AT_MOST):
        response = call("GET", batch["links"]["paymentFile"], is_json=False)
        if response and response[0] == 200:
            Path(f"{FOLDER}/{batch_id}.txt").write_text(response[2], encoding="utf-8")
            return
        time.sleep(backoff(attempt))
        batch = read_batch(batch_id) or batch


def follow(batch_id):
    """Reads a batch until all its payments have ended. Returns the outcome of each."""
    until, pause, payments = time.time() + PATIENCE, 1, []
    while time.time() < until:
        news.wait(pause)
        news.clear()
        pause = min(pause * 1.5, 15)
        batch = read_batch(batch_id)
        payments = batch.get("data", {}).get("payments") or payments
        if (batch.get("links") or {}).get("paymentFile"):
            download(batch, batch_id)
        if payments and all(each.get("status") in OUTCOMES for each in payments):
            break
    return [outcome_of(each) for each in payments]


def look_again(known):
    """Asks once more what became of payments that were paid in an earlier run: some may have come back."""
    result = known["result"]
    if not known.get("batchId") or "paid" not in result:
        return result
    payments = read_batch(known["batchId"]).get("data", {}).get("payments") or []
    now = [outcome_of(each) for each in payments] + ["unknown"] * len(result)
    return ["returned" if was == "paid" and is_now == "returned" else was for was, is_now in zip(result, now)]


def pay(attempt):
    """Sends a stored attempt, also one that was sent before. Returns the outcomes of its invoices, and its batch."""
    ids = attempt["ids"]
    if time.time() > attempt["at"] + KEY_LIFE[attempt["isFile"]]:
        return {"result": ["unknown"] * len(ids)}
    headers = {"x-idempotency-key": attempt["key"], "Content-Type": "application/json"}
    response = call_until_answered("POST", "/v3/batchpayments", headers, attempt["body"])
    if not response or response[0] in (401, 409):
        return {"result": ["unknown"] * len(ids)}
    if response[0] >= 400:
        print(f"The batch was refused: {response[2]}", file=sys.stderr)
        return {"result": ["failed"] * len(ids)}
    batch_id = json.loads(response[2])["data"]["batchId"]
    followed = follow(batch_id)
    result = followed if len(followed) == len(ids) else ["unknown"] * len(ids)
    return {"batchId": batch_id, "result": result}


def is_genuine(headers, body):
    """Whether a webhook is signed with the secret (Standard Webhooks), within the last five minutes."""
    webhook_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    secret = base64.b64decode(env("WEBHOOK_SECRET").removeprefix("whsec_"))
    digest = hmac.new(secret, f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    return any(hmac.compare_digest(each, expected) for each in headers.get("webhook-signature", "").split(" "))


class Receiver(BaseHTTPRequestHandler):
    """
    Takes webhooks as hints: a genuine one ends the pause before the next reading. What it says of payments that came back
    is stored before it is answered.
    """

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        genuine = is_genuine(self.headers, body)
        event = json.loads(body) if genuine else {}
        payments = (event.get("data") or {}).get("payments") or []
        back = {each.get("paymentId") for each in payments if each.get("status") == "Returned"}
        if back:
            came_back.update(back)
            write_json(RETURNS_FILE, sorted(came_back))
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if event.get("type") == "batchUpdated":
            news.set()

    log_message = lambda *_: None


def main():
    os.makedirs(FOLDER, exist_ok=True)
    if env("WEBHOOK_PORT"):
        receiver = ThreadingHTTPServer(("127.0.0.1", int(env("WEBHOOK_PORT"))), Receiver)
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
    asked = read_json(env("INVOICES"))
    if os.path.exists(RETURNS_FILE):
        came_back.update(read_json(RETURNS_FILE))
    found = {}
    for number, attempt in enumerate(attempts_for(asked), start=1):
        outcome_file = f"{FOLDER}/outcome-{number}.json"
        known = read_json(outcome_file) if os.path.exists(outcome_file) else None
        paid = {**known, "result": look_again(known)} if known else pay(attempt)
        result = paid["result"]
        if "unknown" not in result:
            write_json(outcome_file, paid)
        found.update(zip(attempt["ids"], result))
    invoices = [{"id": each["id"], "outcome": found[each["id"]]} for each in asked["invoices"]]
    write_json(env("RESULT", f"{FOLDER}/result.json"), {"invoices": invoices})
    return 0 if all(each["outcome"] == "paid" for each in invoices) else 1


if __name__ == "__main__":
    sys.exit(main())
