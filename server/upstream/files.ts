import { Failure } from '#server/failure.ts';
import { bounds } from '#server/json.ts';
import type { Http } from './http.ts';
import { insistOnSuccess } from './replies.ts';

/**
 * Downloads a payment file. The link contains its own authorisation, so the request carries none of the console's
 * headers (wire, section 2.1). The link is supplied by the browser, so it must point to one of the service's own
 * origins; redirects are not followed.
 */
export async function downloadPaymentFile(http: Http, link: string, ownAddresses: readonly string[]): Promise<string> {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const own = ownAddresses.map((address) => new URL(address).origin);
  if (!url || !own.includes(url.origin) || url.username || url.password)
    throw new Failure(
      'forbidden',
      `A payment file is only fetched from ${own.join(' or ')}. If the service keeps its files elsewhere, name that origin in PAYMENT_FILE_ORIGINS.`,
    );
  const reply = await http.read(() => ({
    method: 'GET',
    url: url.href,
    headers: { accept: 'text/plain' },
    asked: 'paymentFile' as const,
    most: bounds.largeAnswer.bytes,
  }));
  insistOnSuccess(reply);
  return reply.text;
}
