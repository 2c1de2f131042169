#!/usr/bin/env bash
# xstate 5.33.3: the paths of a chart distinguish states by JSON, in which each Set or Map is `{}`. A chart that collects something in one
# has no path beyond the first: what only a guard on its size permits counts as unreachable, without an error.
#
# Guess before the run: three additions and the event behind the guard, as with a list.
# Seen: with a list the end is reached, with a Set there is only the beginning.
# Installs the package in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund xstate@5.33.3
cat > run.mjs <<'JS'
import { assign, createMachine } from 'xstate';
import { getShortestPaths } from 'xstate/graph';

/** A chart that collects three approvals, in a container of this kind. */
const chart = ({ empty, added, sizeOf }) =>
  createMachine({
    initial: 'collecting',
    context: { approvals: empty },
    states: {
      collecting: {
        on: {
          approve: {
            guard: ({ context }) => sizeOf(context.approvals) < 3,
            actions: assign({ approvals: ({ context }) => added(context.approvals) }),
          },
          send: { guard: ({ context }) => sizeOf(context.approvals) === 3, target: 'sent' },
        },
      },
      sent: {},
    },
  });
const list = { empty: [], added: (all) => [...all, all.length], sizeOf: (all) => all.length };
const set = { empty: new Set(), added: (all) => new Set([...all, all.size]), sizeOf: (all) => all.size };
for (const [name, kind] of Object.entries({ list, set })) {
  const paths = getShortestPaths(chart(kind));
  console.log(`${name}: ${paths.length} states, sent is reached: ${paths.some(({ state }) => state.matches('sent'))}`);
}
JS
seen=$(node run.mjs)
echo "$seen"
expected='list: 5 states, sent is reached: true
set: 1 states, sent is reached: false'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
