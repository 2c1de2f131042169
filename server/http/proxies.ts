import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import type { Request } from 'koa';
import { addressIn, within } from './networks.ts';

/** The values of a header that may come several times, those of the nearest proxy first. */
const nearestFirst = ({ headers }: IncomingMessage, name: string): string[] =>
  String(headers[name] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
    .reverse();

/**
 * Sets where `ctx.ip`, `ctx.protocol` and `ctx.secure` come from: the connection, and behind the proxies at these addresses
 * and networks what they say in X-Forwarded-For and X-Forwarded-Proto. Each proxy adds the address that it was called from
 * at the end, so the client's is the last one that is no trusted proxy's; what stands before it, the client may have made
 * up. Where a proxy does not know the address ("unknown", a made-up name), its own counts. ctx.ip is '' once the client has
 * hung up.
 */
export function trustProxies(app: Koa, proxies: readonly string[] = []): void {
  const isTrusted = within(proxies);

  function addressOf(request: IncomingMessage): string {
    let address = addressIn(request.socket.remoteAddress ?? '') ?? '';
    if (!isTrusted(address)) return address;
    for (const said of nearestFirst(request, 'x-forwarded-for')) {
      const before = addressIn(said);
      if (before === undefined) break;
      address = before;
      if (!isTrusted(address)) break;
    }
    return address;
  }

  function protocolOf(request: IncomingMessage): 'http' | 'https' {
    const said = isTrusted(request.socket.remoteAddress ?? '')
      ? nearestFirst(request, 'x-forwarded-proto')[0]
      : undefined;
    return said?.toLowerCase() === 'https' ? 'https' : 'http';
  }

  Object.defineProperties(app.request, {
    ip: {
      get(this: Request) {
        return addressOf(this.req);
      },
    },
    protocol: {
      get(this: Request) {
        return protocolOf(this.req);
      },
    },
  });
}
