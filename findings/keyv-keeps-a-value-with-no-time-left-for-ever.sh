#!/usr/bin/env bash
# keyv 5.6.0: a time to live of 0 is none, so that the value never expires. Whoever computes what is left of a lifetime keeps what ends
# exactly now for ever, and what has ended already (a negative time) not at all.
#
# Guess before the run: with 0 ms the value is gone at the next reading, as with a negative time.
# Seen: after 20 ms the value with 1 ms and that with -1 ms are gone, the one with 0 ms is there.
# Installs the package in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund keyv@5.6.0
cat > run.mjs <<'JS'
import { setTimeout as pause } from 'node:timers/promises';
import Keyv from 'keyv';

const store = new Keyv();
for (const left of [1, 0, -1]) await store.set(`link ${left}`, 'open', left);
await pause(20);
for (const left of [1, 0, -1]) console.log(`${left} ms: ${(await store.get(`link ${left}`)) ?? 'gone'}`);
JS
seen=$(node run.mjs)
echo "$seen"
expected='1 ms: gone
0 ms: open
-1 ms: gone'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
