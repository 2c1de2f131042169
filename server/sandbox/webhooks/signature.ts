import { checkWebhook, signaturesIn, signWebhook } from '#server/upstream/webhookSignature.ts';

/** The signed parts of a webhook (Standard Webhooks), as texts. */
interface SignedParts {
  id: string;
  /** Seconds since the epoch, as in the header. */
  timestamp: string;
  body: string;
}

/** The steps by which a signature is made. */
interface SignatureSteps {
  /** The text that is signed: id, timestamp and body, joined by dots. */
  baseString: string;
  /** The algorithm, and which part of the secret is its key. */
  how: string;
  signature: string;
}

/**
 * Explains the signature of a webhook. The secret has the form `whsec_…`; the rest after the prefix is the key in
 * Base64.
 */
export function explainSignature({ id, timestamp, body }: SignedParts, secret: string): SignatureSteps {
  return {
    baseString: `${id}.${timestamp}.${body}`,
    how: 'HMAC-SHA256 of the base string in UTF-8; the key is the secret behind whsec_, decoded from base64; the result in base64',
    signature: signWebhook({ id, timestamp, body: Buffer.from(body) }, secret),
  };
}

/** Returns a header's value without its name, which may have been copied with it. */
const valueOf = (name: string, text: string): string =>
  text.replace(new RegExp(`^\\s*(webhook|svix)-${name}\\s*:\\s*`, 'i'), '');

/**
 * Checks a webhook as a receiver would at the time `now` (ms since the epoch); `problems` is empty if the webhook is
 * valid. `header` may list several signatures, of which one must match.
 */
export async function checkSignature(pasted: SignedParts, header: string, secret: string, now: number) {
  const { body } = pasted;
  const id = valueOf('id', pasted.id);
  const timestamp = valueOf('timestamp', pasted.timestamp);
  const signature = header
    .split(/[\r\n]+|(?=(?:webhook|svix)-signature\s*:)/i)
    .map((line) => valueOf('signature', line).trim())
    .filter((line) => line !== '')
    .join(', ');
  const received = {
    id,
    timestamp,
    signature,
    body: Buffer.from(body),
    content: () => Promise.resolve(body.replace(/^\ufeff/, '')),
  };
  return {
    ...explainSignature({ id, timestamp, body }, secret),
    given: signaturesIn(signature),
    problems: (await checkWebhook(received, secret, now)).problems,
  };
}
