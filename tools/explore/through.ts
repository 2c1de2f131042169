import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { calls } from '../../src/contract/calls.ts';
import { companyHeader } from '../../src/contract/constants.ts';
import type { BatchRequest } from '../../src/contract/payment.ts';
import type { Lab } from '../../src/runner/rehearse.ts';
import type { Plant } from './plants.ts';
import type { Held, Truth } from './truth.ts';
import { upstreamOf } from './upstream.ts';

/** How often what is so is asked for, in ms. */
const often = 500;

/** How long it is remembered what was so, in ms. */
const remembered = 30_000;

/** The way through which a browser explores a console: it passes everything on, and knows what is so. */
export interface Through {
  /** Without a trailing slash. */
  url: string;
  /** Tells lies of its own from now on, or none. */
  plant(plant: Plant | null): void;
  close(): Promise<void>;
}

/** Notes the invoices that a user has ticked to be paid again. */
function noteAgain(path: string, body: Buffer, again: Set<string>): void {
  const { pathname, searchParams } = new URL(path, 'http://console');
  if (pathname !== calls.createBatch.path || searchParams.get('again') !== 'true') return;
  const { payments } = JSON.parse(body.toString()) as Pick<BatchRequest, 'payments'>; // the page sends it
  for (const { remittanceInformation } of payments) again.add(remittanceInformation?.reference ?? '');
}

/** Opens the way to a console and its sandbox's lab. */
export async function openThrough(console: string, lab: Lab): Promise<Through> {
  const again = new Set<string>();
  const truth = upstreamOf(console, lab, { again });
  const ended = new AbortController();
  let companyKey = '';
  let history: Held[] = [];
  let planted: Plant | null = null;

  /** What cannot be read, because of a fault, is not known. */
  async function ask(): Promise<void> {
    const at = Date.now();
    const told = await truth(companyKey).catch(() => null);
    if (told === null) return;
    const last = history.at(-1);
    if (last && isDeepStrictEqual(last.truth, told)) last.to = at;
    else history.push({ from: at, to: at, truth: told });
    history = history.filter(({ to }) => to > at - remembered);
  }

  const asking = (async () => {
    while (!ended.signal.aborted) {
      await ask();
      await wait(often, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();

  async function pass(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = asked;
    const body = await buffer(asked);
    if (method === 'POST') noteAgain(url, body, again);
    const named = headers[companyHeader];
    if (typeof named === 'string') companyKey = named;
    const change = planted?.change;
    // Asked for as it is, so that it can be changed.
    if (change) ['if-none-match', 'accept-encoding'].forEach((name) => delete headers[name]);
    const forward = request(console + url, { method, headers }).end(body);
    response.once('close', () => forward.destroy());
    const [reply] = (await once(forward, 'response')) as [IncomingMessage]; // node's argument of 'response'
    const type = reply.headers['content-type'] ?? '';
    if (change && /json|html/.test(type)) {
      const changed = change(url, await text(reply));
      ['content-length', 'etag'].forEach((name) => delete reply.headers[name]);
      response.writeHead(reply.statusCode ?? 502, reply.headers).end(changed);
      return;
    }
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
  }

  const json = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  const server = createServer((asked, response) => {
    response.on('error', () => undefined);
    if (asked.url === '/explore/truth') {
      const lie = planted?.lie ?? ((truth: Truth) => truth);
      response.writeHead(200, json).end(JSON.stringify(history.map((held) => ({ ...held, truth: lie(held.truth) }))));
    } else if (asked.url === '/explore/plant.js')
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(planted?.script ?? '');
    else pass(asked, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    plant: (plant) => (planted = plant),
    async close() {
      ended.abort();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await asking;
    },
  };
}
