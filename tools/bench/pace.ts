/**
 * Requests at a steady rate, as a process of its own; prints how long each took, in ms, as JSON. `argv`: the URL, its
 * headers as JSON, requests per second, seconds.
 */
import { argv } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';

const [url = '', headers = '{}', rate = '', seconds = ''] = argv.slice(2);
const { origin, pathname, search } = new URL(url);
// As many as calls of one program that the console takes at a time.
const pool = new Pool(origin, { connections: 16 });
const spent: number[] = [];

async function ask(due: number): Promise<void> {
  const { statusCode, body } = await pool.request({
    path: pathname + search,
    method: 'GET',
    headers: JSON.parse(headers) as Record<string, string>, // given by processes.ts
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
  // From when it was due, so that a request that could not begin in time counts.
  spent.push(performance.now() - due);
}

const begun = performance.now();
const asked: Promise<void>[] = [];
for (let sent = 0; sent < Number(rate) * Number(seconds); sent += 1) {
  const due = begun + (sent * 1000) / Number(rate);
  while (performance.now() < due) await wait(Math.max(0, Math.floor(due - performance.now())));
  asked.push(ask(performance.now()));
}
await Promise.all(asked);
await pool.close();
console.log(JSON.stringify(spent));
