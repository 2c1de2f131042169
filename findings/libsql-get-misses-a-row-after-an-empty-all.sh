#!/usr/bin/env bash
# libsql 0.5.29 has the interface of better-sqlite3, where each call of a prepared statement begins anew. Here a statement whose all() has
# found nothing is left at its end: the next get() finds nothing either, even with other parameters for which there is a row. The get()
# after that finds it. So a statement that is prepared once must not be asked by all() and get() in turn.
#
# Guess before the run: get() finds the row, whatever was asked before.
# Seen: undefined once, then the row; after an all() that found a row, after another get() and in iterate() it is found at once.
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
db.exec("create table tokens (id text primary key, company text); insert into tokens values ('known', 'c-1')");
/** What a new statement finds of the known token by two calls of get, after something else was asked. */
function foundAfter(what, ask) {
  const statement = db.prepare('select company from tokens where id = ?');
  ask(statement);
  const found = [1, 2].map(() => statement.get('known')?.company ?? 'nothing');
  console.log(`${what}: ${found.join(', then ')}`);
}
foundAfter('after an all() that found nothing', (statement) => statement.all('unknown'));
foundAfter('after an all() that found a row', (statement) => statement.all('known'));
foundAfter('after a get() that found nothing', (statement) => statement.get('unknown'));
const statement = db.prepare('select company from tokens where id = ?');
statement.all('unknown');
console.log(`iterate() after it: ${[...statement.iterate('known')].map(({ company }) => company).join()}`);
JS
seen=$(node run.mjs)
echo "$seen"
expected='after an all() that found nothing: nothing, then c-1
after an all() that found a row: c-1, then c-1
after a get() that found nothing: c-1, then c-1
iterate() after it: c-1'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
