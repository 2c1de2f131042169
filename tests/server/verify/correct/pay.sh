#!/bin/bash
# Pays with curl, jq and openssl: one batch, whose key and body are stored under the ids of its invoices. It reads no batch
# and writes no result file: its exit status 0 says that all are paid, 1 that it does not know.
cd "$PAYMENTS_STATE" || exit 1
ids=$(jq -r '[.invoices[].id] | join(",")' "$PAYMENTS_INVOICES" | openssl dgst -sha256 -r | cut -c1-32)
payments='[.invoices[] | {instructedAmount: {amount, currency}, creditor: {creditorId, name: .creditorName},
  remittanceInformation: {reference}}]'
jq -c --arg subscription "$PAYMENTS_SUBSCRIPTION_ID" --arg debtor "$PAYMENTS_DEBTOR_ID" --arg id "$ids" \
  --arg day "$(date -u +%Y-%m-%dT00:00:00Z)" "{data: {externalId: \$id, subscriptionId: \$subscription,
  debtor: {debtorId: \$debtor}, requestedExecutionDateTime: \$day, payments: $payments}}" "$PAYMENTS_INVOICES" > "draft.$$"
ln "draft.$$" "$ids" 2> /dev/null # another instance may have stored it
rm "draft.$$"

obtain() {
  local address="$PAYMENTS_URL/auth-v1/accessToken" nonce signature
  nonce=$(openssl rand -hex 16)
  signature=$(printf 'POST&%s&&%s' "$(jq -rn --arg url "${address,,}" '$url | @uri')" "$nonce" |
    openssl dgst -sha1 -hmac "$PAYMENTS_SIGNING_KEY&null" -binary | base64)
  curl -sS --max-time "$PAYMENTS_TIMEOUT" -X POST "$address" -H "X-Application: $PAYMENTS_APPLICATION_ID" \
    -H "X-Organisation-Id: $PAYMENTS_ORGANISATION_ID" -H "X-Company-Id: $PAYMENTS_COMPANY_ID" \
    -H "X-Nonce: $nonce" -H "X-Signature: $signature" | jq -re .jwt
}

# Prints the status of one call; its body and its headers are in files.
ask() {
  curl -sS --max-time "$PAYMENTS_TIMEOUT" -D "headers.$$" -o "body.$$" -w '%{http_code}' \
    -H "x-application: $PAYMENTS_APPLICATION_ID" -H "x-api-key: $PAYMENTS_API_KEY" -H "Authorization: Bearer $token" "$@" ||
    printf ' cut'
}
header() { tr -d '\r' < "headers.$$" | sed -n "s/^$1: //Ip"; }
waitAfter() {
  local asked now pause=$((1 << $1))
  asked=$(header retry-after)
  case $asked in
    *[!0-9]*) now=$(header date); asked=$(($(date -d "$asked" +%s) - $(date -d "$now" +%s))) ;;
  esac
  [ "${asked:-0}" -gt "$pause" ] && pause=$asked
  sleep "$pause.$((RANDOM % 900 + 100))"
}

token=
renewed=
batch=
for attempt in 0 1 2 3; do
  [ -n "$token" ] || token=$(obtain) || { sleep "$((1 << attempt))"; continue; }
  status=$(ask -X POST "$PAYMENTS_URL/v3/batchpayments" -H 'Content-Type: application/json' \
    -H "x-idempotency-key: $ids" --data-binary "@$ids")
  case $status in
    20[0-2]) batch=$(jq -re .data.batchId "body.$$" 2> /dev/null) && break ;;
    401) [ -z "$renewed" ] && token= && renewed=yes && continue ;;
    400 | 403 | 404 | 422) exit 1 ;;
  esac
  waitAfter "$attempt"
done
[ -n "$batch" ] || exit 1
for pause in 1.2 2 3 4 5 5; do
  sleep "$pause"
  [ "$(ask "$PAYMENTS_URL/v3/batchpayments/$batch")" = 200 ] || continue
  case $(jq -r '.data.status' "body.$$" 2> /dev/null) in
    Completed) exit 0 ;;
    PartiallyCompleted | Failed | Rejected | Returned | Cancelled) exit 1 ;;
  esac
done
exit 1
