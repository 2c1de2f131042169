/**
 * The least that a recording proxy does for a call, as a process of its own; prints its URL. `argv`: the URL of the
 * service, and the token that its callers send. For each call: the hash of the token is read by one prepared statement
 * from a file, a token bucket is asked, the call goes through undici, and both messages wait in a ring, from which they
 * are written once a second, without the token. `/cpu` answers its processor time in ms.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import Database from 'libsql';
import { Pool } from 'undici';
import { programPath, programTokenHeader } from '../../src/contract/programs.ts';
import { headersByName } from '../../server/upstream/transport.ts';
import { createTokenBucket } from '../../server/http/tokenBucket.ts';

const [, , service = '', token = ''] = argv;
const kept = 1000;

const folder = mkdtempSync(join(tmpdir(), 'payments-out-floor-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const store = new Database(join(folder, 'floor.db'));
store.exec('PRAGMA journal_mode = WAL; CREATE TABLE tokens (key TEXT PRIMARY KEY); CREATE TABLE calls (entry TEXT)');
const keyOf = (given: string) => createHash('sha256').update(given).digest('hex');
store.prepare('INSERT INTO tokens VALUES (?)').run(keyOf(token));
const known = store.prepare('SELECT key FROM tokens WHERE key = ?');
const insert = store.prepare('INSERT INTO calls VALUES (?)');

const bucket = createTokenBucket({ perSecond: 100_000, burst: 100_000 }, { steady: () => performance.now() });
const pool = new Pool(service, { connections: 16 });

let ring: object[] = [];
setInterval(() => {
  const entries = ring;
  ring = [];
  store.exec('BEGIN');
  for (const entry of entries) insert.run(JSON.stringify(entry).replaceAll(token, '…'));
  store.exec('DELETE FROM calls WHERE rowid <= (SELECT max(rowid) FROM calls) - 1000; COMMIT');
}, 1000).unref();

const ofConnection = new Set(['connection', 'host', 'content-length', 'transfer-encoding', 'keep-alive']);

/** Headers as they are passed on, in pairs one after the other. */
function passed(raw: readonly string[]): string[] {
  const headers: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase(); // in pairs
    if (!ofConnection.has(name) && name !== programTokenHeader) headers.push(raw[index]!, raw[index + 1]!);
  }
  return headers;
}

const server = createServer((request, response) => {
  const { url = '', method = '', rawHeaders } = request;
  if (url === '/cpu') {
    const { user, system } = process.cpuUsage();
    response.end(String((user + system) / 1000));
    return;
  }
  const given = String(request.headers[programTokenHeader]);
  if (!known.get(keyOf(given)) || bucket(given) > 0) {
    response.writeHead(401).end();
    return;
  }
  const headers = passed(rawHeaders);
  const begun = Date.now();
  void (async () => {
    const answer = await pool.request({ path: url.slice(programPath.length), method, headers, responseHeaders: 'raw' });
    const raw = (answer.headers as unknown as string[]).map(String); // as asked for
    const body = Buffer.from(await answer.body.arrayBuffer());
    response.writeHead(answer.statusCode, [...passed(raw), 'content-length', String(body.length)]).end(body);
    if (ring.length >= kept) ring.shift();
    ring.push({ begun, url, method, request: headersByName(rawHeaders), status: answer.statusCode, response: headersByName(raw), body: body.toString() }); // prettier-ignore
  })();
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)); // listens on a port
