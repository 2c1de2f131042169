import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programTokenHeader } from '#contract/programs.ts';
import { baseString } from '#contract/requests/baseString.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { endpoints, header } from '#server/upstream/wire.ts';
import { eventually } from '#tests/support/eventually.ts';
import { apiAt } from '#tests/support/api.ts';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { onboard } from '#tests/support/guidedPath.ts';
import { hmac, integratorAt } from '#tests/support/integrator.ts';
import { sandboxCredentials as credentials } from '#tests/support/sandboxCredentials.ts';

let program: ConsoleProcess;
beforeAll(async () => {
  program = await newConsole();
  await program.start();
}, 120_000);
afterAll(() => program.remove());

const common = { [header.application]: credentials.applicationId, [header.apiKey]: credentials.apiKey };

/** Calls the sandbox as a program of an integrator does; without an answer the status is 0. */
async function called(method: string, path: string, headers: Record<string, string> = {}, body: string | Buffer = '') {
  const mark = randomUUID();
  const calling = request(program.sandboxUrl + path, {
    method,
    headers: { 'x-fapi-interaction-id': mark, ...(body && { 'content-type': 'application/json' }), ...headers },
  }).end(body);
  const { status, answer } = await new Promise<{ status: number; answer: string }>((resolve) => {
    calling.on('error', () => resolve({ status: 0, answer: '' }));
    calling.on(
      'response',
      (response) => void text(response).then((read) => resolve({ status: response.statusCode ?? 0, answer: read })),
    );
  });
  const entry = await eventually(async () => {
    const { data } = await apiAt(program.url).done('getTimeline', { query: { kind: 'program', text: mark } });
    expect(data).toHaveLength(1);
    return data[0]!; // just checked
  });
  return { status, answer, entry };
}

/** Requests a new organisation, with the signature that `sign` returns for base string and key. */
function signed(sign: (right: string, key: string) => string, url = program.sandboxUrl + endpoints.createOrganisation) {
  const body = JSON.stringify({
    sageCRMId: '1',
    primaryCountry: 'GBR',
    adminEmail: 'a@example.com',
    defaultLanguage: 'EN',
    externalId: '1',
  });
  const nonce = randomUUID();
  const right = baseString({ method: 'POST', url, body, nonce });
  const headers = { ...common, [header.nonce]: nonce, [header.signature]: sign(right, credentials.signingKey) };
  return called('POST', endpoints.createOrganisation, headers, body).then((all) => ({ ...all, right }));
}
const wrongOf = ({ wrong = [] }: TimelineEntry) => wrong.join('\n');

describe('A program’s request to an embedded sandbox', () => {
  it('is recorded in the timeline with the interaction id that the program sent (behaviour 7.8)', async () => {
    const { entry, status } = await called('GET', '/v3/providers?country=GB', common);
    expect(entry).toMatchObject({
      kind: 'program',
      method: 'GET',
      status,
      url: `${program.sandboxUrl}/v3/providers?country=GB`,
    });
    expect([status, entry.wrong]).toEqual([200, undefined]);
  });

  it('without a required header is recorded with the name of the header', async () => {
    const { entry } = await called('GET', '/v3/providers?country=GB', {
      [header.application]: credentials.applicationId,
    });
    expect(wrongOf(entry)).toContain('Header x-api-key: missing or unknown API key');
    expect(wrongOf((await called('POST', endpoints.createOrganisation, common, '{}')).entry)).toContain('x-nonce');
  });

  it('with an unknown field is recorded with the name of the field (behaviour 7.8)', async () => {
    const { entry, status } = await signed((right, key) => hmac(`${key}&null`, right));
    expect([status, entry.wrong]).toEqual([201, undefined]);
    const body = JSON.stringify({
      sageCRMId: '1',
      primaryCountry: 'GBR',
      adminEmail: 'a@example.com',
      defaultLanguage: 'EN',
      externalId: '1',
      colour: 'red',
    });
    const nonce = randomUUID();
    const right = baseString({ method: 'POST', url: program.sandboxUrl + endpoints.createOrganisation, body, nonce });
    const headers = {
      ...common,
      [header.nonce]: nonce,
      [header.signature]: hmac(`${credentials.signingKey}&null`, right),
    };
    expect(wrongOf((await called('POST', endpoints.createOrganisation, headers, body)).entry)).toContain(
      'Unknown field colour',
    );
  });

  it.each([
    [
      'compressed',
      { 'content-encoding': 'gzip' },
      gzipSync('{"name":"é"}'),
      { body: '{"name":"é"}', contentBytes: 13 },
    ],
    ['in another charset', { 'content-type': 'application/json; charset=latin1' }, Buffer.from('{"a":"é"}', 'latin1'), { body: '{"a":"é"}' }], // prettier-ignore
    [
      'no text',
      { 'content-type': 'image/png' },
      Buffer.from([0x89, 0, 1, 2]),
      { body: 'iQABAg==', encoding: 'base64' },
    ],
  ])(
    'with a body that is %s is recorded with the bytes as sent (behaviour 7.8, 7.22, 7.23)',
    async (_, headers, body, expected) => {
      const { entry, answer } = await called('POST', endpoints.batches, { ...common, ...headers }, body);
      expect(entry.request).toMatchObject({ ...expected, bytes: body.length });
      expect(entry.response).toMatchObject({ body: answer, bytes: Buffer.byteLength(answer) });
      expect(entry.response.headers).toMatchObject({ 'content-type': expect.stringContaining('json') as string });
    },
  );

  it('that gets no answer is recorded without one, with the fault of the lab (behaviour 7.23, 10.20.4)', async () => {
    await apiAt(program.url).done('setFault', {
      body: { on: 'call', of: 'any', fault: { kind: 'answerLost' }, times: 1, probability: 1, seed: 1 },
    });
    const { entry, status } = await called('GET', '/v3/providers?country=GB', common);
    expect([status, entry.status, entry.response.body]).toEqual([0, 0, '']);
    expect(entry.fault).toMatch(/^answerLost; rule=/);
    expect(entry.reason).toBe('No answer was sent: the connection was closed before.');
  });

  it.each([
    ['“&null” was not appended', (right: string, key: string) => hmac(key, right)],
    ['hexadecimal', (right: string, key: string) => createHmac('sha1', `${key}&null`).update(right).digest('hex')],
    [
      'the method was not put in upper case',
      (right: string, key: string) => hmac(`${key}&null`, right.replace('POST', 'post')),
    ],
    [
      'once instead of twice',
      (right: string, key: string) =>
        hmac(
          `${key}&null`,
          right
            .split('&')
            .map((part, index) => (index === 2 ? decodeURIComponent(part) : part))
            .join('&'),
        ),
    ],
    [
      'the nonce was left out',
      (right: string, key: string) => hmac(`${key}&null`, right.slice(0, right.lastIndexOf('&') + 1)),
    ],
  ])(
    'with a wrong signature is recorded with expected and signed base string: %s (behaviour 7.8)',
    async (words, sign) => {
      const { entry, status, right } = await signed(sign);
      expect(status).toBe(401);
      expect(wrongOf(entry)).toContain(words);
      expect(entry.baseString).toBe(right);
      expect(entry.signed).toBeTruthy();
    },
  );

  it('that breaks a provider’s rule is recorded with the id of the rule (behaviour 7.8)', async () => {
    const { answer } = await signed((right, key) => hmac(`${key}&null`, right));
    const { organisationId, primarySigningKey: key } = JSON.parse(answer) as Record<string, string>; // the sandbox's answer
    const token = async (companyId = '') => {
      const [path, nonce] = [endpoints.accessToken, randomUUID()];
      const right = baseString({ method: 'GET', url: program.sandboxUrl + path, nonce });
      const headers = {
        ...common,
        [header.nonce]: nonce,
        [header.signature]: hmac(`${key}&null`, right),
        [header.organisation]: organisationId!,
        [header.company]: companyId,
      };
      const { jwt } = JSON.parse((await called('GET', path, headers)).answer) as { jwt: string };
      return { ...common, authorization: `Bearer ${jwt}` };
    };
    const company = await called('POST', endpoints.createCompany, await token(), JSON.stringify({ externalId: '1' }));
    const { companyId } = JSON.parse(company.answer) as { companyId: string };
    const { data } = await apiAt(program.url).done('getProviders', { query: { country: 'GB', language: 'en' } });
    const { providerId } = data.find(({ accountType }) =>
      accountType.validationRules.some(
        ({ validation }) => validation?.apiPath === 'Subscriptions' && validation.optionality === 'Required',
      ),
    )!;
    const body = JSON.stringify({ data: { providerId, additionalData: '{}' } });
    const headers = { ...(await token(companyId)), 'x-idempotency-key': randomUUID() };
    const path = `/v3/subscriptions/organisations/${organisationId}/subscriptions`;
    const { entry, status } = await called('POST', path, headers, body);
    expect(status).toBe(422);
    expect(wrongOf(entry)).toMatch(/^Rule \S+ is broken: additionalData\.\w+: /m);
  });

  it('shows no secret in the timeline, whether accepted or refused (threat 6.21)', async () => {
    const misplaced = `pocp_${'y'.repeat(43)}`;
    const secret = 'a-key-of-another-environment-0123456789';
    const { answer } = await signed((right, key) => hmac(`${key}&null`, right));
    const { primarySigningKey } = JSON.parse(answer) as { primarySigningKey: string }; // the sandbox's answer
    await called('GET', '/v3/providers', {
      ...common,
      [header.apiKey]: secret,
      authorization: `Bearer ${secret}`,
      cookie: secret,
      [programTokenHeader]: misplaced,
    });
    await called('GET', `/files/none?token=${secret}`);
    const { data } = await apiAt(program.url).done('getTimeline', { query: { kind: 'program', limit: '100' } });
    const all = JSON.stringify(data);
    for (const each of [secret, misplaced, credentials.apiKey, credentials.signingKey, primarySigningKey])
      expect(all).not.toContain(each);
  });

  it('through the console is recorded once, with the sandbox’s diagnosis (behaviour 7.11)', async () => {
    const integrator = await integratorAt(program.url);
    const { status, entry, right } = await integrator.signed({ sign: (text, key) => hmac(key, text) });
    expect(status).toBe(401);
    const { wrong, baseString, signed: given, url } = await entry();
    expect(wrong?.join()).toContain('“&null” was not appended');
    expect([baseString, given]).toEqual([right, right]);
    expect(url).toBe(program.sandboxUrl + endpoints.createOrganisation);
    expect((await integrator.signed()).status).toBe(201);
    const { data } = await apiAt(program.url).done('getTimeline', { query: { kind: 'program', limit: '2' } });
    expect(data.map(({ status: each }) => each)).toEqual([201, 401]);
  });

  it('is recorded as such, unlike requests of the console, pages and the lab (behaviour 7.8)', async () => {
    const counted = async () =>
      (await apiAt(program.url).done('getTimeline', { query: { kind: 'program', limit: '100' } })).data.length;
    const before = await counted();
    await onboard(apiAt(program.url));
    await fetch(`${program.sandboxUrl}/`);
    await fetch(`${program.sandboxUrl}/sandbox/clock`);
    const { entry } = await called('GET', '/v3/providers', common);
    expect(entry.kind).toBe('program');
    expect((await counted()) - before).toBe(1);
  });

  it('is accepted with the same program token after a restart (behaviour 7.15)', async () => {
    const integrator = await integratorAt(program.url);
    await program.stop('SIGTERM');
    await program.start();
    expect((await integrator.called('GET', '/v3/providers?country=GB', common)).status).toBe(200);
  });
});
