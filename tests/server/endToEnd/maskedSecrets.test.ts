import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { stringify } from '#contract/json.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { maskAll } from '#server/mask.ts';
import { bundleOf } from '#server/timeline/bundle.ts';
import { newCall, recordExchange, type CallContext } from '#server/calls/callContext.ts';
import { harOf } from '#server/timeline/har.ts';
import { unsignedJwt } from '#tests/support/fakeUpstream.ts';

const each = (write: (code: string) => string) => (text: string) =>
  [...text].map((character) => write(character.charCodeAt(0).toString(16).padStart(2, '0'))).join('');
const asJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Encodings in which an encoded part of a text is a part of the encoded text. */
const escapes: Record<string, (text: string) => string> = {
  plain: (text) => text,
  JSON: asJson,
  'JSON in JSON': (text) => asJson(asJson(text)),
  'JSON escapes': each((code) => `\\u00${code}`),
  percent: encodeURIComponent,
  'percent of every character': each((code) => `%${code}`),
  'double percent': (text) => encodeURIComponent(encodeURIComponent(text)),
  HTML: (text) => text.replace(/[&<>"'/=?:.]/g, (character) => `&#${character.charCodeAt(0)};`),
  'HTML by name': (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('=', '&equals;'),
};
/** Encodings of a text as a whole. */
const blocks: Record<string, (text: string) => string> = {
  Base64: (text) => Buffer.from(text).toString('base64'),
  'Base64 for addresses': (text) => Buffer.from(text).toString('base64url'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
};
const encodings = { ...escapes, ...blocks };

const known = ['k/ey+42=a"b%c&d', 'agreed-header-value', 'aGVsbG8taGVsbG8taGVsbG8='];
const opaque = 'Zq3-opaque_0123456789.abcdef';
/** Secrets, each within a text. */
const secrets: Record<string, { secret: string; text: string }> = {
  'an API key': { secret: known[0]!, text: known[0]! },
  'the value of the agreed header': { secret: known[1]!, text: known[1]! },
  'the secret of webhooks': { secret: known[2]!, text: `whsec_${known[2]}` },
  'a JWT': ((jwt) => ({ secret: jwt, text: `Bearer ${jwt}` }))(unsignedJwt()),
  'a JWT after a word': ((jwt) => ({ secret: jwt, text: `token_${jwt}` }))(unsignedJwt()),
  'an encrypted JWT': ((jwt) => ({ secret: jwt, text: jwt }))('eyJhbGciOiJkaXIifQ..aXYtaXYtaXY.Y2lwaGVydGV4dA.dGFn'),
  'a program’s token': ((token) => ({ secret: token, text: token }))(`pocp_${'aB3-_'.repeat(9).slice(0, 43)}`),
  'a signing key by its name': { secret: opaque, text: `{"primarySigningKey":"${opaque}","next":1}` },
  'a token in a query': { secret: opaque, text: `https://files.example/f?country=GB&token=${opaque}&more=1` },
  'a token in a fragment': { secret: opaque, text: `https://console.example/#access_token=${opaque}` },
  'a token in a form': { secret: opaque, text: `token=${opaque}&more=1` },
  'the link to a payment file by its name': { secret: opaque, text: `{"paymentFile":"https://f.example/${opaque}"}` },
  'the link to a payment file in an address': {
    secret: opaque,
    text: `/api/downloadpaymentfile/${encodeURIComponent(`https://f.example/d/${opaque}?a=b`)}`,
  },
};

/** Places where a text may appear; each returns what is shown there. */
const places: Record<string, (text: string) => string> = {
  'the timeline, in an address': (text) => JSON.stringify(recorded({ url: `https://service.example/v3/${text}` })),
  'the timeline, in a header': (text) => JSON.stringify(recorded({ headers: { 'x-note': text } })),
  'the timeline, in a body': (text) => JSON.stringify(recorded({ body: text })),
  'the timeline, as a reason': (text) => JSON.stringify(recorded({ reason: text })),
  'the archive': (text) =>
    stringify(harOf([recorded({ url: `/v3/${text}`, headers: { 'x-note': text }, body: text })], 'http://c', '1')),
  'the support bundle': (text) => {
    const zip = bundleOf(
      { timeline: [recorded({ body: text })], har: {}, facts: { text }, rules: [text], versions: {} },
      known,
    );
    return Object.values(unzipSync(new Uint8Array(zip)))
      .map((file) => strFromU8(file))
      .join('\n');
  },
  'the log': (text) => maskAll(known)(JSON.stringify({ level: 30, err: { message: text } })),
};

/** An exchange as it is recorded. */
function recorded(given: { url?: string; headers?: Record<string, string>; body?: string; reason?: string }) {
  const { url = '/', headers = {}, body = '', reason = '' } = given;
  let entry: TimelineEntry | undefined;
  const timeline: NonNullable<CallContext['timeline']> = { add: (make) => void (entry = { ...make(), id: '1' }) };
  recordExchange(
    {
      kind: 'service' as const,
      startedAt: 0 as const,
      method: 'GET' as const,
      url,
      status: 200 as const,
      reason,
      secrets: known,
      request: { headers, body },
      response: { headers, body },
    },
    newCall({ timeline, interactionId: 'i' }),
  );
  return entry!; // added
}

describe.each(Object.keys(places))('A secret in %s', (place) => {
  it.each(Object.keys(secrets))(
    'is masked in every encoding and every two nested encodings: %s (threat 2.2)',
    (what) => {
      const { secret, text } = secrets[what]!;
      const name = fc.constantFrom(...Object.keys(encodings));
      fc.assert(
        fc.property(name, name, fc.constantFrom('', 'before ', '"a": "'), (inner, outer, before) => {
          const write = (plain: string) => encodings[outer]!(encodings[inner]!(plain));
          const shown = places[place]!(before + write(text));
          const isWord = inner in blocks || outer in blocks;
          expect(shown).not.toContain(asJson(write(isWord ? text : secret)));
          expect(shown).not.toContain(write(isWord ? text : secret));
          expect(shown).toMatch(/\$TOKEN|%24TOKEN|••/);
        }),
        { numRuns: place === 'the support bundle' ? 15 : 60 },
      );
    },
  );
});
