import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { stringify } from '#contract/json.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { maskAll } from '#server/mask.ts';
import { bundleOf } from '#server/timeline/bundle.ts';
import { newCall, recordExchange, type CallContext } from '#server/calls/callContext.ts';
import { harOf } from '#server/timeline/har.ts';
import { unsignedJwt, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole, consoleWithSandbox, testSandbox } from '#tests/support/console.ts';
import { secretIsSet } from '#contract/secrets.ts';
import { paymentForm } from '#rules/field.ts';
import { batchIn, onboard, pay, subscribe } from '#tests/support/guidedPath.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { bytesIn, temporaryFolder } from '#tests/support/store.ts';

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

/** Known to the console by its form and place alone. */
const secret = 'Zx9Qw7Er5Ty3Ui1Op';

/** Bodies in which the secret stands, by what says that it is one. */
const bodies: [what: string, type: string, body: string][] = [
  ['a block of YAML', 'application/yaml', `signing_key: |\n  ${secret}\nname: x`],
  ['a field of a page', 'text/html', `<form><input type="hidden" name="token" value="${secret}"></form>`],
  ['an element with attributes', 'application/xml', `<a><password kind="x">${secret}</password></a>`],
  ['a key and data', 'application/json', JSON.stringify({ key: 'signingKey', data: secret })],
  ['data and a key', 'application/json', JSON.stringify([{ data: secret, key: 'companySigningKey' }])],
  ['YAML within JSON', 'application/json', JSON.stringify({ text: `signing_key: |\n  ${secret}\n` })],
  ['a page within JSON', 'application/json', JSON.stringify({ html: `<input name="token" value="${secret}">` })],
  ['a private key', 'text/plain', `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`],
  ['an address', 'text/plain', `see https://user:${secret}@service.example/`],
  ['a link', 'text/plain', `see https://service.example/a?x=1&access_token=${secret}.`],
  ['a cookie', 'text/plain', `Cookie: session=${secret}; b=1`],
  ['a form', 'application/x-www-form-urlencoded', `name=token&value=${secret}`],
];

describe('A secret that only its form or place shows', () => {
  it.each(bodies)('is masked in all that is recorded: %s (threat 2.33)', async (_, type, body) => {
    for (const status of [200, 400, 500]) {
      const inOneLine = body.replaceAll(/\s/g, ' ');
      const service = await fakeUpstream({
        [endpoints.consumerStatus]: (response) =>
          void response
            .writeHead(status, { 'content-type': type, 'x-note': inOneLine, 'set-cookie': `session=${secret}` })
            .end(body),
      });
      const server = await testConsole({ upstreamUrl: service.url });
      await server.call('getConsumerHealth');
      const headers = { 'content-type': type, cookie: `session=${secret}`, referer: `${server.url}/?token=${secret}` };
      for (const method of ['POST', 'PATCH', 'PUT'])
        await fetch(`${server.url}/api/settings?token=${secret}`, { method, headers, body });
      for (const path of ['/api/timeline', '/api/timeline.har', '/api/drift']) {
        const recorded = await (await fetch(server.url + path)).text();
        expect(recorded).not.toContain(secret);
      }
    }
  });
});

describe('The secrets of a guided path', () => {
  it('are neither logged at any level nor sent to the browser, except by the calls that exist to give one (behaviour 10.8.1; threat 2.1)', async () => {
    const lines: string[] = [];
    const server = await consoleWithSandbox(pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }));
    const { done, store } = server;
    await onboard(server);
    const { subscriptionId, rules } = await subscribe(server);
    const { fileFormatId, specification } = (await done('getFileFormats')).data[0]!;
    const batchId = await pay(server, subscriptionId, paymentForm(rules, specification.rules), fileFormatId);
    const link = (await batchIn(server, 'PaymentFileAvailable', batchId)).links!.paymentFile!;
    await done('downloadPaymentFile', { params: { link } });
    await server.refused('downloadPaymentFile', { params: { link: link.replace(batchId, 'another') } });

    const masked = (await done('getToken', { query: { reveal: 'false' } })).data;
    const revealed = (await done('getToken')).data;
    expect(masked).toEqual({ ...revealed, token: secretIsSet });
    expect(revealed.token).toMatch(/^eyJ/);

    const { companySigningKey, userJwt } = await store.settings.read();
    const { apiKey, signingKey } = sandboxCredentials;
    const fileToken = new URL(link).searchParams.get('token');
    const shown = JSON.stringify([await done('getSettings'), await done('getFacts'), masked]);
    const logged = lines.join('');
    expect(logged).toContain('/auth-v1/accessToken');
    for (const secret of [companySigningKey, userJwt, revealed.token, apiKey, signingKey, fileToken]) {
      expect(secret).toEqual(expect.stringMatching(/.{10}/));
      expect(logged).not.toContain(secret);
      expect(shown).not.toContain(secret);
    }
  }, 60_000);
});

describe('The database file', () => {
  it('contains no signing key, user token or bank detail after a whole guided path (threat 2.15)', async () => {
    const folder = temporaryFolder();
    const upstreamUrl = async (url: string) => (await testSandbox({ webhookUrl: url + notificationsPath })).url;
    const server = await testConsole({ folder, upstreamUrl });
    await onboard(server);
    const { subscriptionId, rules } = await subscribe(server);
    const { fileFormatId, specification } = (await server.done('getFileFormats')).data[0]!;
    const batchId = await pay(server, subscriptionId, paymentForm(rules, specification.rules), fileFormatId);
    await batchIn(server, 'PaymentFileAvailable', batchId);
    const { companySigningKey, userJwt } = await server.store.settings.read();
    const parties = [...(await server.done('getDebtors')).data, ...(await server.done('getCreditors')).data];
    const details = parties.flatMap((party) =>
      Object.entries(party).flatMap(([name, value]) => (name.endsWith('Id') || value.length < 6 ? [] : [value])),
    );
    expect(details.length).toBeGreaterThan(3);
    const bytes = bytesIn(folder);
    expect(bytes).toContain(subscriptionId); // ids are not encrypted, which shows that this is the right file
    for (const secret of [companySigningKey!, userJwt!, ...details]) expect(bytes).not.toContain(secret);
  }, 60_000);
});
