import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { programPath, programTokenHeader } from '#contract/programs.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header, messageKinds } from '#server/upstream/wire.ts';
import { createObservedCalls } from '#server/programs/observedCalls.ts';
import { type UpstreamConfig } from '#server/upstream/config.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { eventually } from '#tests/support/eventually.ts';
import { consoleWithSandbox, testConsole, testSandbox } from '#tests/support/console.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { listening } from '#tests/support/listen.ts';
import { ask, common, hmac, integratorAt, organisation } from '#tests/support/integrator.ts';
import { sandboxCredentials as credentials } from '#tests/support/sandboxCredentials.ts';

const wrongOf = ({ wrong = [] }: TimelineEntry) => wrong.join('\n');

async function started() {
  const opened = await consoleWithSandbox();
  const sandbox = opened.config.upstream.baseUrl;
  return { ...opened, sandbox, program: await integratorAt(opened.url) };
}

/** The headers without those that differ between responses. */
const lasting = ({
  date: _date,
  connection: _connection,
  'keep-alive': _keep,
  'x-fapi-interaction-id': _interaction,
  ...headers
}: object & Record<string, unknown>) => headers;

/**
 * Another console, which is a program as any other: its client calls through the first one, with a token that a server in
 * between adds to each call.
 */
async function consoleAsProgram() {
  const observedCalls = createObservedCalls(() => randomUUID());
  const changes: Partial<UpstreamConfig> = {};
  let first: Awaited<ReturnType<typeof testConsole>> | undefined;
  const upstreamUrl = async (url: string) => {
    const sandbox = (await testSandbox({ webhookUrl: url + notificationsPath, observedCalls })).url;
    first = await testConsole({ upstreamUrl: sandbox, observedCalls });
    const { port } = new URL(first.url);
    const { token } = await integratorAt(first.url);
    const { authorizeUrl, providerUrl, transferUrl, providerOrigins } = first.config.upstream;
    Object.assign(changes, { authorizeUrl, providerUrl, transferUrl, providerOrigins, fileOrigins: [sandbox] });
    const between = await listening((asked, answer) => {
      const headers = { ...asked.headers, [programTokenHeader]: token };
      const on = request({ host: '127.0.0.1', port, method: asked.method, path: asked.url, headers }, (answered) => {
        answer.writeHead(answered.statusCode ?? 0, answered.rawHeaders);
        answered.pipe(answer);
      });
      asked.pipe(on);
    });
    return between + programPath;
  };
  const second = await testConsole({ upstreamUrl, changes });
  return { first: first!, second }; // upstreamUrl was called
}

describe('A program’s request via the console to its sandbox', () => {
  it('is recorded once and without fault, on the whole guided path (behaviour 7.10)', async () => {
    const { first, second } = await consoleAsProgram();
    await walk(second);
    const all = async (api: Pick<typeof first, 'done'>, kind: string) => {
      const entries: TimelineEntry[] = [];
      for (let after: string | undefined; ;) {
        const { data, next } = await api.done('getTimeline', {
          query: { kind, limit: '100', ...(after && { after }) },
        });
        entries.push(...data);
        if (!next) return entries;
        after = next;
      }
    };
    const told = ({ method, url, status }: TimelineEntry) => `${method} ${new URL(url).pathname} ${status}`;
    // Webhooks cause reads of the last batch for a while.
    const passed = await eventually(async () => {
      const found = await all(first, 'program');
      const asked = (await all(second, 'service')).map((entry) => told(entry).replace(programPath, ''));
      expect(found.map(told).sort()).toEqual(asked.sort());
      return found;
    });
    const kinds = new Set(passed.map(({ method, url }) => `${method} ${new URL(url).pathname.split('/')[1]}`));
    const areas = ['GET idp', 'GET v3', 'POST api-msg-v1', 'POST auth-v1', 'POST network-v1', 'POST v3'];
    expect([...kinds].sort()).toEqual(areas);
    expect(passed.flatMap(({ wrong = [] }) => wrong)).toEqual([]);
  });

  it('gets the sandbox’s own response: status, headers and bytes (behaviour 7.10)', async () => {
    const { sandbox, program } = await started();
    for (const [method, path, headers, body] of [
      ['GET', '/v3/providers?country=GB', common],
      ['GET', '/v3/localinstruments', { ...common, 'x-accept-language': 'fr-CA' }],
      ['GET', '/v3/fileformats?country=FR', common],
      ['GET', '/v3/banks', common],
      ['GET', '/v3/translations/none.none.none', common],
      ['GET', '/v3/status', common],
      ['GET', '/api-msg-v1/status', common],
      ['GET', '/auth-v1/.well-known/jwks.json', {}],
      ['GET', '/idp/userinfo', {}],
      ['GET', '/files/none?token=x', {}],
      ['GET', '/v3/providers/none', common],
      ['GET', '/v3/providers', {}],
      ['HEAD', '/v3/providers', common],
      ['PUT', '/v3/providers', common, '{}'],
      ['DELETE', '/v3/banks', common],
      ['POST', '/network-v1/accounts', common, '{"data":{}}'],
      ['POST', '/api-msg-v1/updates', common, '{"data"'],
    ] as [string, string, Record<string, string>, string?][]) {
      const typed = body === undefined ? headers : { ...headers, 'content-type': 'application/json' };
      const direct = await ask(sandbox, method, path, typed, body);
      const passed = await program.called(method, path, headers, body);
      expect([passed.status, passed.answer], `${method} ${path}`).toEqual([direct.status, direct.answer]);
      expect(passed.headers).toMatchObject(lasting(direct.headers));
    }
  });

  it('that breaks a rule or lacks a member is recorded with the fault (behaviour 7.11)', async () => {
    const { program } = await started();
    const { organisationId, headers } = await program.company();
    const keyed = () => ({ ...headers, [header.idempotency]: randomUUID() });
    const { data } = await program.api.done('getProviders', { query: { country: 'GB', language: 'en' } });
    const open = data.find(({ accountType }) =>
      accountType.validationRules.some(
        ({ validation: { apiPath, optionality } = {} }) => apiPath === 'Subscriptions' && optionality === 'Required',
      ),
    )!;
    const subscribe = (additionalData: string) =>
      program.called(
        'POST',
        pathOf('createSubscription', organisationId),
        keyed(),
        JSON.stringify({ data: { providerId: open.providerId, additionalData } }),
      );
    const broken = await subscribe('{}');
    expect(broken.status).toBe(422);
    expect(wrongOf(await broken.entry())).toMatch(/^Rule \S+ is broken: additionalData\.\w+: /m);
    const messages = messageKinds.map((kind) => program.called('POST', `/api-msg-v1/${kind}`, keyed(), '{"data":{}}'));
    for (const { status, entry } of await Promise.all(messages)) {
      expect(status).toBe(400);
      expect(wrongOf(await entry())).not.toBe('');
    }
    expect((await program.called('POST', '/v3/batchpayments', keyed(), '{"data":{}}')).status).toBe(400);
    expect((await program.called('GET', '/v3/batchpayments/none', headers)).status).toBe(404);
    const suspended = '{"data":{"suspendedByConsumer":true}}';
    expect((await program.called('PATCH', '/v3/subscriptions/none', headers, suspended)).status).toBe(404);
    expect((await program.called('PATCH', '/v3/subscriptions/none', headers, '{"data":{}}')).status).toBe(400);
  });

  it('may be signed with the called URL or with the service’s (behaviour 7.12)', async () => {
    const { sandbox, program } = await started();
    for (const at of [undefined, sandbox]) {
      const { status, entry } = await program.signed(at === undefined ? {} : { at });
      expect([status, wrongOf(await entry())]).toEqual([201, '']);
    }
    const elsewhere = await program.signed({ at: 'https://another.example' });
    expect(elsewhere.status).toBe(401);
    expect((await elsewhere.entry()).baseString).toContain(encodeURIComponent(sandbox));
  });

  it.each([
    ['“&null” was not appended', (right: string, key: string) => hmac(key, right)],
    [
      'the method was not put in upper case',
      (right: string, key: string) => hmac(`${key}&null`, right.replace('POST', 'post')),
    ],
    ['No usual mistake gives this signature', () => 'c29tZXRoaW5nIGVsc2U='],
  ])('with a wrong signature is recorded with its base string and cause: %s (behaviour 7.11)', async (words, sign) => {
    const { program, sandbox } = await started();
    const { status, right, entry } = await program.signed({ sign });
    expect(status).toBe(401);
    const { wrong, baseString, signed, request } = await entry();
    expect(wrong?.join()).toContain(words);
    expect([
      right,
      right.replace(/http[^&]*/, encodeURIComponent(`${sandbox}${endpoints.createOrganisation}`)),
    ]).toContain(baseString);
    expect(Boolean(signed)).toBe(!words.startsWith('No usual'));
    expect(request.body).toBe(organisation());
  });

  it('shows no secret and no program token in the timeline (threat 6.29)', async () => {
    const { program } = await started();
    const secret = 'a-key-of-another-environment-0123456789';
    const { answer } = await program.signed();
    const { primarySigningKey } = JSON.parse(answer) as { primarySigningKey: string }; // the sandbox's answer
    await program.called(
      'POST',
      `/v3/providers?token=${program.token}&x=${program.token}`,
      {
        ...common,
        [header.apiKey]: secret,
        authorization: `Bearer ${program.token}`,
        cookie: `session=${secret}`,
        'x-other': program.token,
      },
      JSON.stringify({ data: program.token, [`${program.token}`]: 1 }),
    );
    await program.called('GET', '/v3/../sandbox');
    const { data } = await program.api.done('getTimeline', { query: { limit: '100' } });
    const all = JSON.stringify(data);
    expect(data.filter(({ kind }) => kind === 'program').length).toBeGreaterThan(2);
    for (const each of [secret, program.token, credentials.apiKey, credentials.signingKey, primarySigningKey])
      expect(all).not.toContain(each);
    expect(all).not.toContain(programTokenHeader);
  });
});
