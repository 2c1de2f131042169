import type { PaymentFile } from '#contract/batch.ts';
import { Failure } from '#server/failure.ts';
import { jsonLimits } from '#server/http/json.ts';
import type { UpstreamConfig } from './config.ts';
import type { Http } from './http.ts';
import { fileNameIn } from './fileName.ts';
import { requireSuccess } from './replies.ts';
import { secretAddress } from './secretAddress.ts';

/** Translates a link for browsers to the console's address of the service. */
function ownLink(link: string, visitedAt: UpstreamConfig['visitedAt']): URL | undefined {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (!url || !visitedAt || url.origin !== new URL(visitedAt.from).origin) return url;
  return new URL(visitedAt.to + url.href.slice(url.origin.length));
}

/** A media type that a header may hold, with its parameters. */
const mediaType = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}\s*(;[ -~]{0,200})?$/;

/** Types that a browser would show as a page with scripts. */
const ofPages = /^(text\/html|application\/xhtml\+xml|image\/svg\+xml)\b/i;

/** The service's media type; that of a plain text for a page, and that of bytes if there is none. */
function typeOf(type: string): string {
  if (!mediaType.test(type)) return 'application/octet-stream';
  return type.replace(ofPages, 'text/plain');
}

/**
 * Downloads the payment file of a batch: its bytes as sent, with the service's media type, and its name for the file, '' if it gives
 * none. The link contains its own authorisation, so the request carries none of the console's
 * headers (wire, section 2.1). It must point to one of the service's own origins; redirects are not followed.
 */
export async function downloadPaymentFile(
  http: Http,
  { link, batchId }: { link: string; batchId: string },
  { baseUrl, authUrl, fileOrigins, visitedAt }: UpstreamConfig,
): Promise<PaymentFile> {
  const url = ownLink(link, visitedAt);
  const own = [...new Set([baseUrl, authUrl, ...fileOrigins].map((address) => new URL(address).origin))];
  if (!url || !own.includes(url.origin) || url.username || url.password)
    throw new Failure(
      'forbidden',
      `A payment file is only fetched from ${own.join(' or ')}. If the service keeps its files elsewhere, name that origin in PAYMENT_FILE_ORIGINS.`,
    );
  const reply = await http.read(() => ({
    method: 'GET',
    url: url.href,
    secretAddress: secretAddress(url, [batchId]),
    headers: { accept: 'text/plain, */*;q=0.8' },
    operation: 'paymentFile' as const,
    maxBytes: jsonLimits.largeAnswer.bytes,
  }));
  requireSuccess(reply);
  return {
    bytes: new Uint8Array(reply.bytes()),
    type: typeOf((reply.headers['content-type'] ?? '').trim()),
    name: fileNameIn(reply.headers['content-disposition'] ?? ''),
  };
}
