#!/usr/bin/env bash
# libsql 0.5.29 has the interface of better-sqlite3, which refuses a statement whose parameters are not all given. Here a missing one is
# NULL without a word, by name and by position: a misspelt member of the object stores nothing in its column, or finds nothing.
#
# Guess before the run: a missing parameter is an error, as it is there.
# Seen: NULL for both; one value too many is ignored as well.
# Installs the package in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund libsql@0.5.29
cat > run.mjs <<'JS'
import Database from 'libsql';

const db = new Database(':memory:');
const shown = (...values) => values.map((value) => JSON.stringify(value)).join(', ');
const named = db.prepare('select :amount as amount, :currency as currency').all({ amount: '1.00', curency: 'GBP' })[0];
const placed = db.prepare('select ? as amount, ? as currency').all('1.00')[0];
const more = db.prepare('select ? as amount').all('1.00', 'GBP')[0];
console.log(`by name: ${shown(named.amount, named.currency)}`);
console.log(`by position: ${shown(placed.amount, placed.currency)}`);
console.log(`one too many: ${shown(more.amount)}`);
JS
seen=$(node run.mjs)
echo "$seen"
expected='by name: "1.00", null
by position: "1.00", null
one too many: "1.00"'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
