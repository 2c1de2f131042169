import { createHmac, timingSafeEqual } from 'node:crypto';

/** The signed parts of a webhook (Standard Webhooks). */
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

const version = 'v1';

/**
 * Explains the signature of a webhook. The secret has the form `whsec_…`; the rest after the prefix is the key in
 * Base64.
 */
export function explainSignature({ id, timestamp, body }: SignedParts, secret: string): SignatureSteps {
  const baseString = `${id}.${timestamp}.${body}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(baseString).digest('base64');
  return {
    baseString,
    how: 'HMAC-SHA256 of the base string in UTF-8; the key is the secret behind whsec_, decoded from base64; the result in base64',
    signature: `${version},${digest}`,
  };
}

/** Maximum difference (s) between a webhook's timestamp and the receiver's clock. */
const tolerance = 5 * 60;

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/**
 * Checks a webhook as a receiver would at the time `now` (ms since the epoch); `problems` is empty if the webhook is
 * valid. `header` may list several signatures, of which one must match.
 */
export function checkSignature(webhook: SignedParts, header: string, secret: string, now: number) {
  const { id, timestamp } = webhook;
  const right = explainSignature(webhook, secret);
  const seconds = Number(timestamp);
  const age = Math.round(now / 1000) - seconds;
  const given = header.split(' ').filter((each) => each !== '');
  const problems = [
    ...(id === '' ? ['webhook-id: the header is missing'] : []),
    ...(/^\d{1,12}$/.test(timestamp) ? [] : ['webhook-timestamp: not a number of seconds since 1970']),
    ...(age > tolerance ? [`webhook-timestamp: ${age} s old; at most ${tolerance} s are accepted`] : []),
    ...(age < -tolerance ? [`webhook-timestamp: ${-age} s in the future; at most ${tolerance} s are accepted`] : []),
    ...(given.length === 0 ? ['webhook-signature: the header is missing'] : []),
    ...(given.length > 0 && !given.some((each) => isSame(each, right.signature))
      ? [
          given.some((each) => each.startsWith(`${version},`))
            ? 'webhook-signature: made from another base string, or with another secret'
            : `webhook-signature: no signature of the version ${version}`,
        ]
      : []),
  ];
  return { ...right, given, problems };
}
