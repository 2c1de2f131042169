# The calls of the correct shell scripts, with curl, jq and openssl. Read by `source`, in the folder of the state.

# Prints the body of a batch that pays the invoices that a filter of jq chooses.
bodyFor() {
  jq -c --arg subscription "$PAYMENTS_SUBSCRIPTION_ID" --arg debtor "$PAYMENTS_DEBTOR_ID" --arg id "$1" \
    --arg day "$(date -u +%Y-%m-%dT00:00:00Z)" "{data: {externalId: \$id, subscriptionId: \$subscription,
    debtor: {debtorId: \$debtor}, requestedExecutionDateTime: \$day, payments: [.invoices[] | ${2:-.} |
    {instructedAmount: {amount, currency}, creditor: {creditorId, name: .creditorName},
    remittanceInformation: {reference}}]}}" "$PAYMENTS_INVOICES"
}

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
  rm -f "body.$$" # curl leaves the one before if there is none
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
# Sends the batch in the file $2 under the key $1. Sets `batch`; returns 1 after a refusal, and 2 if the outcome is unknown.
pay() {
  local attempt renewed= status
  for attempt in 0 1 2 3; do
    [ -n "$token" ] || token=$(obtain) || { sleep "$((1 << attempt))"; continue; }
    status=$(ask -X POST "$PAYMENTS_URL/v3/batchpayments" -H 'Content-Type: application/json' \
      -H "x-idempotency-key: $1" --data-binary "@$2")
    case $status in
      20[0-2]) batch=$(jq -re .data.batchId "body.$$" 2> /dev/null) && [ -n "$batch" ] && return ;;
      401) [ -z "$renewed" ] && token= && renewed=yes && continue ;;
      400 | 403 | 404 | 422) jq -e . "body.$$" > /dev/null 2>&1 && return 1 ;; # a page is no refusal
    esac
    waitAfter "$attempt"
  done
  return 2
}
