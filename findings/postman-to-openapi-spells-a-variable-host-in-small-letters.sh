#!/usr/bin/env bash
# postman-to-openapi 3.0.1: a collection whose addresses begin with a variable, as Postman itself exports them, gets a server with
# another variable: its name is in small letters, as hosts are, and `http://` stands before it, although the value has a scheme. Whoever
# fills in the variables of the description finds none of that name. Only the option `replaceVars` writes the value.
#
# Guess before the run: the server is `{{baseUrl}}`, as in the collection.
# Seen: `http://{{baseurl}}`; with the option the value.
# Installs the package in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund postman-to-openapi@3.0.1
cat > run.mjs <<'JS'
import { writeFileSync } from 'node:fs';
import postmanToOpenApi from 'postman-to-openapi';

writeFileSync(
  'collection.json',
  JSON.stringify({
    info: { name: 'Pay', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: [{ key: 'baseUrl', value: 'https://service.example', type: 'string' }],
    item: [
      {
        name: 'batches',
        request: { method: 'GET', url: { raw: '{{baseUrl}}/batches', host: ['{{baseUrl}}'], path: ['batches'] } },
      },
    ],
  }),
);
for (const replaceVars of [false, true]) {
  const text = await postmanToOpenApi('collection.json', undefined, { replaceVars });
  console.log(`replaceVars ${replaceVars}: ${/- url: (.*)/.exec(text)?.[1]}`);
}
JS
seen=$(node run.mjs)
echo "$seen"
expected='replaceVars false: http://{{baseurl}}
replaceVars true: https://service.example'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
