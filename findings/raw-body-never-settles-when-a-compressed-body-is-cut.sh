#!/usr/bin/env bash
# raw-body 3.0.2 with inflation 2.1.0, together as Koa's usual body parsers call them: if a caller hangs up in the middle of a
# body, the promise rejects with "request aborted" if the body is plain, and never settles if it is compressed. The handler of
# such a request waits for ever, with all that it holds.
#
# Guess before the run: both reject, because the caller has hung up in both.
# Seen: raw-body listens for `aborted`, which a request has and the decompressing stream has not; `pipe` does not pass on that
# its source was closed, and at the stream's own `close` raw-body only removes its listeners.
# Installs the two packages in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund raw-body@3.0.2 inflation@2.1.0
cat > run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import inflate from 'inflation';
import rawBody from 'raw-body';

const outcomes = { '/plain': 'not asked', '/gzip': 'not asked' };
const server = createServer((request) => {
  outcomes[request.url] = 'still waiting after 2 s';
  rawBody(inflate(request), { limit: 100_000 }).then(
    () => (outcomes[request.url] = 'resolved'),
    (error) => (outcomes[request.url] = error.message),
  );
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const body = gzipSync('a body '.repeat(1000));
for (const [path, header] of [
  ['/plain', ''],
  ['/gzip', 'Content-Encoding: gzip\r\n'],
]) {
  const socket = connect(server.address().port, '127.0.0.1');
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${header}Content-Length: ${body.length}\r\n\r\n`);
  socket.write(body.subarray(0, 20));
  await wait(200);
  socket.destroy();
}
await wait(2000);
for (const [path, outcome] of Object.entries(outcomes)) console.log(`${path}: ${outcome}`);
process.exit(0);
JS
seen=$(node run.mjs)
echo "$seen"
expected='/plain: request aborted
/gzip: still waiting after 2 s'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
