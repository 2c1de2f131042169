import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import type { Request } from 'koa';
import { clientNetwork, isInNetwork } from './networks.ts';

/** Returns the values of a header that may occur several times, nearest proxy first. */
const nearestFirst = ({ headers }: IncomingMessage, name: string): string[] =>
  String(headers[name] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
    .reverse();

/**
 * Derives `ctx.ip`, `ctx.protocol` and `ctx.secure` from the connection or, behind trusted proxies, from
 * X-Forwarded-For and X-Forwarded-Proto. Each proxy appends the address that called it, so the client's address is the
 * last one that is not a trusted proxy; the client may have forged those before it. If a proxy does not know the
 * address ("unknown" or a made-up name), the proxy's own address is used. `ctx.ip` is '' once the client has hung up.
 */
export function trustProxies(app: Koa, proxies: readonly string[] = []): void {
  const isTrusted = isInNetwork(proxies);

  function addressOf(request: IncomingMessage): string {
    let address = clientNetwork(request.socket.remoteAddress ?? '') ?? '';
    if (!isTrusted(address)) return address;
    for (const said of nearestFirst(request, 'x-forwarded-for')) {
      const before = clientNetwork(said);
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
