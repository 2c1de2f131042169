#!/usr/bin/env bash
# undici 7.30.2: an interim response that nobody asked for is passed over if its status is 102 or 103, but `100 Continue` before
# the response fails the request, although the whole response follows. RFC 9110 (section 15.2) has a client read interim
# responses also where it did not expect them. For a payment this means: it was made, and the caller is told of an error.
#
# Guess before the run: all three are passed over, because Node's parser names each of them a response of its own.
# Seen: 102 and 103 give 201; 100 rejects with UND_ERR_SOCKET and the message "bad response".
# Installs the package in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund undici@7.30.2
cat > run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:net';
import { request } from 'undici';

for (const interim of ['102 Processing', '103 Early Hints', '100 Continue']) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(`HTTP/1.1 ${interim}\r\n\r\n`);
      socket.end('HTTP/1.1 201 Created\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/batches`;
  const seen = await request(url, { method: 'POST', body: '{}' }).then(
    async ({ statusCode, body }) => `${statusCode} ${await body.text()}`,
    ({ code, message }) => `${code}: ${message}`,
  );
  console.log(`${interim}: ${seen}`);
  server.close();
}
process.exit(0);
JS
seen=$(node run.mjs)
echo "$seen"
expected='102 Processing: 201 {}
103 Early Hints: 201 {}
100 Continue: UND_ERR_SOCKET: bad response'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
