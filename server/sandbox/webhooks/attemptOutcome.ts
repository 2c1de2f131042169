import { ProxyError } from '#server/http/outgoingProxy.ts';

/** What a receiver answered. `status` 0: it did not; `outcome` says why. */
export interface AttemptResult {
  status: number;
  /** What happened, in words. */
  outcome: string;
}

/** Returns a URL without credentials, and not longer than a line. */
export function shownAddress(url: string, base?: string): string {
  if (!URL.canParse(url, base)) return url.slice(0, 200);
  const address = new URL(url, base);
  [address.username, address.password] = ['', ''];
  return address.href.slice(0, 500);
}

/** Describes an answer. `url`: the address that was called; `bytes`: the length of the body that was sent. */
export function resultOf(
  status: number,
  location: string | null | undefined,
  url: string,
  bytes: number,
): AttemptResult {
  if (status >= 200 && status < 300) return { status, outcome: `accepted with ${status}` };
  if (status >= 300 && status < 400)
    return {
      status,
      outcome: location
        ? `redirected with ${status} to ${shownAddress(location, url)}, which is not followed`
        : `redirected with ${status} to no address`,
    };
  if (status === 413) return { status, outcome: `refused with 413: the body of ${bytes} bytes is too large for it` };
  return { status, outcome: `refused with ${status}` };
}

/** An attempt that was not made. */
export class NotSent extends Error {}

/** Codes of errors of TLS: certificates, versions and protocols. */
const tls = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO$)/;

/** What is said of a receiver that took the request, and closed the connection. */
export const closedUnanswered = 'the connection was closed without an answer';

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: nothing listens at this address',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host: the name could not be resolved at present',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network of the host cannot be reached',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ECONNRESET: closedUnanswered,
  EPIPE: 'the connection was closed while the body was sent',
  UND_ERR_SOCKET: closedUnanswered,
};

/** Returns the innermost cause of an error; of several, of one for each address of a host, the first. */
function causeOf(error: unknown): Partial<NodeJS.ErrnoException> {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  return error instanceof Error ? (error.cause instanceof Error ? causeOf(error.cause) : error) : {};
}

/** Describes an attempt without an answer. `timeout`: the time (ms) that the receiver had. */
export function failureResult(error: unknown, timeout: number): AttemptResult {
  const { name = '', code = '', message = '' } = causeOf(error);
  const because = (outcome: string): AttemptResult => ({ status: 0, outcome });
  if (error instanceof NotSent || error instanceof ProxyError) return because(`not sent: ${error.message}`);
  // Only its own time-out aborts an attempt.
  if (name === 'TimeoutError' || name === 'AbortError') return because(`no answer within ${timeout / 1000} s`);
  if (tls.test(code)) return because(`TLS failed: ${message.slice(0, 200)} (${code})`);
  // undici's errors have no code for some of these.
  if (name === 'HTTPParserError' || code.startsWith('HPE_'))
    return because(`the answer is not valid HTTP${code && ` (${code})`}`);
  return because(sentences[code] ?? `no answer${code && ` (${code})`}`);
}
