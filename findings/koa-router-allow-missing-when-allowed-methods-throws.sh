#!/usr/bin/env bash
# @koa/router 15.7.0 with koa 3.3.0: `allowedMethods({ throw: true })` refuses a method that a path does not have with 405, but
# its answer names no method in `Allow`, which RFC 9110 (section 15.5.6) demands. Without `throw` the answer has it.
#
# Guess before the run: with `throw` the header is there too, because the option says only how the refusal comes about.
# Seen: without throw 405 and "HEAD, GET" in Allow; with throw 405 and no Allow.
# Installs the two packages in a temporary folder. Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund koa@3.3.0 @koa/router@15.7.0
cat > run.mjs <<'JS'
import { once } from 'node:events';
import Router from '@koa/router';
import Koa from 'koa';

async function refused(options) {
  const router = new Router();
  router.get('/batches', (ctx) => void (ctx.body = 'a list'));
  const app = new Koa();
  app.silent = true;
  app.use(router.routes()).use(router.allowedMethods(options));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${server.address().port}/batches`, { method: 'PUT' });
  server.close();
  return `${response.status}, Allow: ${response.headers.get('allow') ?? 'none'}`;
}

console.log(`without throw: ${await refused({})}`);
console.log(`with throw: ${await refused({ throw: true })}`);
process.exit(0);
JS
seen=$(node run.mjs)
echo "$seen"
expected='without throw: 405, Allow: HEAD, GET
with throw: 405, Allow: none'
[ "$seen" = "$expected" ] || { echo 'It is otherwise now.'; exit 1; }
