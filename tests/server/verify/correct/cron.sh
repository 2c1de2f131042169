#!/bin/bash
# A cron job: behind a lock of the operating system it sends each invoice that was not accepted before, and reads nothing.
# What became of an accepted invoice it never learns, and says so.
here=$(realpath "$(dirname "$0")")
cd "$PAYMENTS_STATE" || exit 1
source "$here/client.sh"
exec 8> lock
flock 8
while read -r id; do
  if [ ! -e "$id.body" ]; then
    openssl rand -hex 16 > "$id.key"
    bodyFor "$id" "select(.id == \"$id\")" > "$id.draft" && sync && mv "$id.draft" "$id.body"
  fi
  [ -e "$id.accepted" ] || [ -e "$id.refused" ] && continue
  pay "$(cat "$id.key")" "$id.body"
  case $? in
    0) echo "$batch" > "$id.accepted" ;;
    1) touch "$id.refused" ;;
  esac
done < <(jq -r '.invoices[].id' "$PAYMENTS_INVOICES")
outcomes=
for id in $(jq -r '.invoices[].id' "$PAYMENTS_INVOICES"); do
  outcome=unknown
  [ -e "$id.refused" ] && outcome=failed
  outcomes="$outcomes{\"id\": \"$id\", \"outcome\": \"$outcome\"},"
done
echo "{\"invoices\": [${outcomes%,}]}" > "$PAYMENTS_RESULT.draft" && mv "$PAYMENTS_RESULT.draft" "$PAYMENTS_RESULT"
exit 1
