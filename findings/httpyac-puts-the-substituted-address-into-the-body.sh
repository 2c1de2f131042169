#!/usr/bin/env bash
# httpyac 6.16.7: a script before a request that asks for the address with its variables filled in, by the function of the IDEs of
# JetBrains, changes what is sent: the body is then the address. A script that signs address and body sends neither the body that
# it has signed nor the one in the file. Without a body nothing is changed.
#
# Guess before the run: the function only returns the text, and the body of the file arrives.
# Seen: the address arrives as the body; with the raw address, which the script fills in itself, the body arrives.
# Installs the package in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund httpyac@6.16.7
cat > run.mjs <<'JS'
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { promisify } from 'node:util';

const received = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  received.push(body);
  response.end('{}');
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const { port } = server.address();
for (const reads of ['tryGetSubstituted', 'getRaw']) {
  writeFileSync(
    'pay.http',
    `### pay
< {%
  const address = request.url.${reads}();
%}
POST {{host}}/pay
content-type: application/json

{"amount":"1.00"}
`,
  );
  await promisify(execFile)('npx', ['httpyac', 'send', 'pay.http', '--all', '--var', `host=http://127.0.0.1:${port}`]);
}
server.close();
const [substituted, raw] = received.map((body) => body.trim().replace(String(port), '8080'));
console.log(`tryGetSubstituted: ${substituted}`);
console.log(`getRaw: ${raw}`);
JS
seen=$(node run.mjs)
echo "$seen"
expected='tryGetSubstituted: http://127.0.0.1:8080/pay
getRaw: {"amount":"1.00"}'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
