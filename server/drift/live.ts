import { requests, type ServiceRequest } from '#contract/requests/requests.ts';
import { isObject } from '#contract/json.ts';
import { jsonLimits } from '#server/http/json.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';
import { TransportError } from '#server/upstream/exchange.ts';
import { createSigner } from '#server/upstream/signer.ts';
import { timeouts } from '#server/upstream/timeouts.ts';
import { headersByName, type Transport } from '#server/upstream/transport.ts';
import { header, segment } from '#server/upstream/wire.ts';
import type { Exchange, Source } from './exchange.ts';
import { textOf, unaskedCoding } from './receivedBody.ts';

/** What is read besides definitions: each needs the company's token. */
export interface Records {
  token: string;
  subscriptionId: string;
  batchId: string;
}

interface Deps {
  config: UpstreamConfig;
  transport: Transport;
  newId: () => string;
  now: () => Date;
}

/** The first provider in a list, which is then read by itself. */
function firstProvider(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const [first] = isObject(parsed) && Array.isArray(parsed['data']) ? parsed['data'] : [];
    const id = isObject(first) ? first['providerId'] : undefined;
    return typeof id === 'string' && id !== '' ? id : undefined;
  } catch {
    return undefined;
  }
}

/** As the console reads. */
const asked = { accept: 'application/json', 'accept-encoding': 'identity' };

/**
 * Reads definitions, statuses and the given records from the service, each once, one after the other. Sends GET only:
 * nothing that could change or pay anything, and no token is asked for.
 */
export async function readLive(records: Records, { config, transport, newId, now }: Deps): Promise<Source> {
  const signer = createSigner(config, newId);
  const exchanges: Exchange[] = [];
  const left: string[] = [];
  async function read(request: ServiceRequest, bearer?: string): Promise<string> {
    const { url, method, headers } = signer.plain(request, bearer);
    if (method !== 'GET') throw new Error(`${method} ${url} is no read`);
    const { origin, pathname, search } = new URL(url);
    const at = now().toISOString();
    const answer = { kind: 'answer', at, method, path: pathname } as const;
    try {
      const response = await transport(
        {
          method,
          origin,
          path: pathname + search,
          headers: { ...headers, ...asked, [header.interaction]: newId() },
        },
        { timeouts: timeouts.banks, maxBytes: jsonLimits.largeAnswer.bytes },
      );
      const received = headersByName(response.headers);
      const body = textOf(response.body, received);
      const type = received['content-type'] ?? '';
      exchanges.push({ ...answer, status: response.status, type, body, ...unaskedCoding(asked, received) });
      return response.status < 300 && typeof body === 'string' ? body : '';
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      exchanges.push({ ...answer, status: 0, type: '', body: '' });
      left.push(`GET ${origin + pathname}: ${error.fault}: ${error.message}`);
      return '';
    }
  }
  const anywhere = { country: '', language: '' };
  const providerId = firstProvider(await read(requests.providers(anywhere)));
  if (providerId !== undefined) await read(requests.provider(segment(providerId), ''));
  for (const request of [
    requests.localInstruments(''),
    requests.fileFormats(anywhere),
    requests.banks(),
    requests.health('consumer'),
    requests.health('messaging'),
  ])
    await read(request);
  const { token, subscriptionId, batchId } = records;
  if (subscriptionId !== '') await read(requests.subscription(segment(subscriptionId)), token);
  if (batchId !== '') await read(requests.batch(segment(batchId)), token);
  return { exchanges, left };
}
