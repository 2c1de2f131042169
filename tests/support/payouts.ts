import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

interface Payout {
  id: string;
  items: readonly { sender_item_id: string }[];
  reads: number;
}

const basic = `Basic ${Buffer.from('client:client-secret-1').toString('base64')}`;

/**
 * Opens a fake of PayPal's Payouts API, as its public documents describe it: a repeat under a known PayPal-Request-Id has
 * the first answer, a known sender_batch_id is refused, and items are PENDING until they have been read twice.
 */
export async function openPayouts() {
  const payouts = new Map<string, Payout>();
  const byKey = new Map<string, Payout>();
  const batchIds = new Set<string>();
  const tokens = new Set<string>();

  function create(key: string, body: string): [number, object] {
    const known = byKey.get(key);
    const { sender_batch_header: header, items } = JSON.parse(body) as {
      sender_batch_header: { sender_batch_id: string };
      items: Payout['items'];
    };
    if (!known && batchIds.has(header.sender_batch_id)) return [400, { name: 'USER_BUSINESS_ERROR' }];
    const payout = known ?? { id: randomUUID(), items, reads: 0 };
    batchIds.add(header.sender_batch_id);
    payouts.set(payout.id, payout);
    if (key !== '') byKey.set(key, payout);
    return [201, { batch_header: { payout_batch_id: payout.id, batch_status: 'PENDING' }, links: [linkTo(payout)] }];
  }
  const linkTo = ({ id }: Payout) => ({ href: `${url}/v1/payments/payouts/${id}`, rel: 'self', method: 'GET' });

  async function answer(request: IncomingMessage): Promise<[number, object]> {
    const { method, headers } = request;
    const [path = ''] = (request.url ?? '').split('?');
    const body = await text(request);
    if (path === '/v1/oauth2/token') {
      if (headers.authorization !== basic) return [401, { error: 'invalid_client' }];
      const token = `A21AA${randomUUID()}`;
      tokens.add(token);
      return [200, { access_token: token, token_type: 'Bearer', expires_in: 32400 }];
    }
    if (!tokens.has((headers.authorization ?? '').replace('Bearer ', ''))) return [401, { error: 'invalid_token' }];
    if (method === 'POST' && path === '/v1/payments/payouts')
      return create(String(headers['paypal-request-id'] ?? ''), body);
    const payout = payouts.get(path.replace('/v1/payments/payouts/', ''));
    if (!payout) return [404, { name: 'RESOURCE_NOT_FOUND' }];
    payout.reads += 1;
    const status = payout.reads > 2 ? 'SUCCESS' : 'PENDING';
    return [
      200,
      {
        batch_header: { payout_batch_id: payout.id, batch_status: status },
        items: payout.items.map((item) => ({
          payout_item_id: `${payout.id}-${item.sender_item_id}`,
          transaction_status: status,
          payout_item: item,
        })),
        links: [linkTo(payout)],
      },
    ];
  }

  const server = createServer((request, response) => {
    void answer(request).then(([status, value]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listening on a port
  return { url, payouts };
}
