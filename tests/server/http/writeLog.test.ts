import { describe, expect, it } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { integratorAt } from '#tests/support/integrator.ts';
import { keptLog } from '#tests/support/logLines.ts';
import { notificationsPath } from '#server/http/paths.ts';

/** A shared console whose log has its default level, with its sandbox and a signed-in user. */
async function shared(level = 'warn') {
  const log = keptLog(level);
  const use = await sharedUse({
    log: log.log,
    upstreamUrl: async (url) => (await testSandbox({ webhookUrl: url + notificationsPath })).url,
    applications: true,
  });
  const user = await use.signedIn('ada');
  /** The latest line about a write, once there is one of this call. */
  const lineOf = async (call: string) => {
    await expect.poll(() => log.lines('write').map((line) => line['call'])).toContain(call);
    return log.lines('write').findLast((line) => line['call'] === call)!;
  };
  return { ...use, ...log, user, lineOf };
}

describe('Where users sign in', () => {
  it('each write is logged with subject, company, call, outcome and request id (behaviour 7.25)', async () => {
    const { user, lineOf } = await shared();
    await user.done('createOrganisation', { body: organisationBody, headers: { 'x-request-id': 'req-org' } });
    const matching = (form: RegExp) => expect.stringMatching(form) as string;
    expect(await lineOf('createOrganisation')).toMatchObject({
      level: 'info',
      subject: 'ada',
      call: 'createOrganisation',
      outcome: 'done',
      status: 200,
      company: '',
      method: 'POST',
      route: '/api/organisation',
      requestId: 'req-org',
      workspace: matching(/^user-/),
      traceId: matching(/^[\da-f]{32}$/),
      interactionId: matching(/^[\da-f-]{36}$/),
    });
    const { companyId } = (await user.done('createCompany', { body: companyBody('Acme') })) as { companyId: string };
    expect(await lineOf('createCompany')).toMatchObject({ company: companyId, outcome: 'done' });
  });

  it.each([
    ['a setting', 'setSetting', { body: { key: 'acceptLanguage', value: 'fr-CA' } }],
    ['several settings', 'changeSettings', { body: { acceptLanguage: 'fr-CA' } }],
    ['a fault of the lab', 'setFault', { body: { target: 'call', kind: 'html', operation: 'createBatch' } }],
    ['the clock of the lab', 'changeClock', { body: { move: 1000 } }],
    ['an import', 'useExisting', { body: { organisationId: 'o', signingKey: 'secret-signing-key', companyId: '' } }],
    ['a token', 'makeProgramToken', { body: { name: 'Mine' } }],
  ] as const)('%s is logged, whatever becomes of it (behaviour 7.25)', async (_, name, request) => {
    const { user, lineOf, printed } = await shared();
    const reply = await user.call(name, request as never);
    const line = await lineOf(name);
    expect(line).toMatchObject({ subject: 'ada', status: reply.status });
    expect(line['outcome']).toBe(reply.ok ? 'done' : reply.problem.outcome);
    expect(line['code']).toBe(reply.ok ? undefined : reply.problem.code);
    expect(line['requestId']).toBe(reply.headers.get('x-request-id'));
    expect(printed()).not.toContain('secret-signing-key');
  });

  it('creation, use and revocation of a token are logged by its id, never with the token (behaviour 7.25)', async () => {
    const { user, url, lineOf, printed } = await shared();
    const program = await integratorAt(url, user);
    await lineOf('makeProgramToken');
    const { tokenId } = (await user.done('getPrograms')).data.tokens[0]!; // the one just made
    await program.called('POST', endpoints.batches, { [header.company]: 'c-1', 'x-request-id': 'req-own' }, '{}');
    expect(await lineOf('createBatch')).toMatchObject({
      subject: 'ada',
      company: 'c-1',
      outcome: 'refused',
      status: 401,
      tokenId,
      requestId: 'req-own',
      route: '/program/*',
    });
    await user.done('revokeProgramToken', { params: { tokenId } });
    expect(await lineOf('revokeProgramToken')).toMatchObject({ subject: 'ada', outcome: 'done' });
    expect(printed()).not.toMatch(/pocp_[\w-]{20}/);
  });

  it('reads, and requests of nobody, are not logged as writes (behaviour 7.25)', async () => {
    const { user, url, lines } = await shared();
    await user.done('getSettings');
    await fetch(`${url}/api/settings`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    await fetch(`${url}/program/v3/batchpayments`, { method: 'POST' });
    expect(lines('write')).toEqual([]);
  });
});

describe('Without sign-in', () => {
  it('writes are lines of level info, with outcome unknown and replayed (behaviour 7.25)', async () => {
    const { log, lines } = keptLog('info');
    const service = await fakeUpstream({ [endpoints.createOrganisation]: (response) => void response.destroy() });
    const { call } = await testConsole({ upstreamUrl: service.url, log });
    const write = () => call('createOrganisation', { body: organisationBody, key: 'k-1' });
    await write();
    service.scripts[endpoints.createOrganisation] = answering({ organisationId: 'o', primarySigningKey: 'k' }, 201);
    await write();
    await write();
    await expect
      .poll(() => lines('write').map(({ outcome, status }) => [outcome, status]))
      .toEqual([
        ['unknown', 502],
        ['done', 200],
        ['replayed', 200],
      ]);
    expect(lines('write')[0]).toMatchObject({ subject: '', workspace: 'default', code: 'upstream-unreachable' });
  });

  it('a program that leaves before the answer has an unknown outcome (behaviour 7.25)', async () => {
    const { log, lines } = keptLog('info');
    let asked = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (asked = resolve));
    const service = await fakeUpstream({ [endpoints.batches]: () => asked() });
    const { url, done } = await testConsole({ upstreamUrl: service.url, log });
    const { token } = (await done('makeProgramToken', { body: { name: 'Mine' } })).data;
    const leaving = new AbortController();
    const body = {
      method: 'POST',
      body: '{}',
      headers: { 'x-console-token': token, 'content-type': 'application/json' },
    };
    const call = fetch(`${url}/program${endpoints.batches}`, { ...body, signal: leaving.signal }).catch(
      () => undefined,
    );
    await arrived;
    leaving.abort();
    await call;
    await expect
      .poll(() => lines('write').find((line) => line['call'] === 'createBatch'))
      .toMatchObject({ outcome: 'unknown' });
  });
});
