/**
 * A service that answers one read and requests for a token at once, so that the proxies before it make the difference;
 * it accepts every batch, and any other list is empty. A process of its own; prints its URL.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints } from '../../tests/support/endpoints.ts';

const life = 60 * 60;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = `${part({ alg: 'RS256' })}.${part({ exp: Math.floor(Date.now() / 1000) + life })}.signature`;

const answers: Readonly<Record<string, string>> = {
  [endpoints.accessToken]: JSON.stringify({ jwt }),
  [endpoints.consumerStatus]: JSON.stringify({ version: '1', branch: 'main', name: 'bench' }),
  [`${endpoints.subscriptions}/bench`]: JSON.stringify({
    data: { subscriptionId: 'bench', providerId: 'a-provider', status: 'Authorised', suspendedByConsumer: false },
  }),
};

let batches = 0;
const batch = () => JSON.stringify({ data: { batchId: `batch-${(batches += 1)}`, status: 'Received' } });

const server = createServer((request, response) => {
  const { url = '', method } = request;
  const isBatch = method === 'POST' && url === endpoints.batches;
  const answer = isBatch ? batch() : (answers[url] ?? '{"data":[]}');
  request.resume();
  response.writeHead(isBatch ? 201 : 200, { 'content-type': 'application/json' }).end(answer);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)); // listens on a port
