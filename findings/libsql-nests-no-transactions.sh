#!/usr/bin/env bash
# libsql 0.5.29: a function made by `transaction` that calls another one fails, because the inner one begins a transaction, too. In
# better-sqlite3, whose interface this is, the inner one is a savepoint: functions that work alone do not work together here.
#
# Guess before the run: the inner function runs in a savepoint of the outer one.
# Seen: an error, and nothing of either is stored; each of them works alone.
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
db.exec('create table lines (id)');
const insert = db.transaction((id) => db.prepare('insert into lines values (?)').run(id));
const both = db.transaction(() => {
  db.prepare('insert into lines values (?)').run('outer');
  insert('inner');
});
const count = () => db.prepare('select count(*) as count from lines').all()[0].count;
insert('alone');
console.log(`alone: ${count()}`);
try {
  both();
} catch (error) {
  console.log(`together: ${error.message}`);
}
console.log(`stored: ${count()}`);
JS
seen=$(node run.mjs)
echo "$seen"
expected='alone: 1
together: cannot start a transaction within a transaction
stored: 1'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
