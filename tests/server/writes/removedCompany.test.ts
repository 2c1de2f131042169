import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CallName } from '#contract/calls.ts';
import { createUsers } from '#server/ops/users.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { payerOf } from '#server/writes/invoices.ts';
import type { Request } from '#tests/support/api.ts';
import { companyBody } from '#tests/support/bodies.ts';
import { creatingWrites } from '#tests/support/creatingWrites.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';

const settings = { organisationId: 'o', companyId: 'c', companySigningKey: 'k', accountId: 'a', subscriptionId: 's' };

const party = () => ({
  data: { creditorId: randomUUID(), subscriptionId: 's', name: 'n', status: '', additionalData: '{}' },
});
type Write = [name: CallName, prefix: string, made: Script, request: Request<'createBatch'>];
const writes: Write[] = [
  ...creatingWrites.map(([name, prefix, of, request]): Write => [
    name,
    prefix,
    answering(of('made'), 201),
    request('T') as Request<'createBatch'>,
  ]),
  ['putCreditor', endpoints.messaging, (response) => void response.writeHead(202).end(), { body: party() } as never],
];
/** An organisation is created for nobody. */
const owned = writes.filter(([name]) => name !== 'createOrganisation');

async function served(prefix: string, script: Script) {
  const service = await fakeUpstream({ [prefix]: script });
  const server = await testConsole({ upstreamUrl: service.url });
  await server.store.settings.writeAll({ ...settings, userJwt: unsignedJwt() });
  return { service, server };
}

/** Sends a write, and does something once it has come and before it is claimed. */
async function meanwhile(
  [name, prefix, script, request]: Write,
  change: (server: Awaited<ReturnType<typeof served>>['server']) => Promise<unknown>,
) {
  const { service, server } = await served(prefix, script);
  const { writes: rows } = server.storage;
  const find = rows.find.bind(rows);
  // The journal looks its key up last.
  const lookUp = vi.spyOn(rows, 'find').mockImplementationOnce(async (...asked) => {
    await change(server);
    return find(...asked);
  });
  onTestFinished(() => lookUp.mockRestore());
  const reply = await server.call(name as 'createBatch', { ...request, key: 'key' }); // all are called alike
  const row = await find({ workspace: server.store.workspace, companyKey: server.store.companyKey }, 'key');
  return { server, reply, row, sent: () => service.askedFor(prefix).filter(({ method }) => method !== 'GET') };
}

describe('A write whose company is removed after it came and before it is claimed', () => {
  it.each(owned)('is not sent, and its key is free: %s (behaviour 4.45)', async (...write) => {
    const { reply, row, sent } = await meanwhile(write, ({ store }) => store.companies.remove(store.companyKey));
    expect(reply).toMatchObject({ ok: false, problem: { code: 'prerequisite-missing', outcome: 'not-sent' } });
    expect([row, sent()]).toEqual([undefined, []]);
  });
});

it.each(owned)(
  'A write is sent for the company that the settings named when it came, whatever they name since: %s (behaviour 4.45)',
  async (...write) => {
    const { reply, row, sent, server } = await meanwhile(write, ({ store }) =>
      store.settings.writeAll({ organisationId: 'other', companyId: 'other' }),
    );
    expect(reply).toMatchObject({ ok: true });
    expect(sent()).toHaveLength(1);
    const companyId = write[0] === 'createCompany' ? '' : 'c';
    expect(row?.owner).toBe(payerOf(server.storage.tag, server.config.upstream.applicationId, 'o', companyId));
  },
);

describe('A write whose user is removed after it was claimed and before it is sent', () => {
  it.each(writes)('is not sent, and its key is free: %s (threat 6.44)', async (name, prefix, script, request) => {
    const { service, server } = await served(prefix, script);
    const { writes: rows } = server.storage;
    const hold = rows.hold.bind(rows);
    // Directly before the request is written to its connection.
    const asked = vi.spyOn(rows, 'hold').mockImplementationOnce(async (row) => {
      await createUsers({ storage: server.storage, issuer: undefined }).remove(server.store.workspace);
      return hold(row);
    });
    onTestFinished(() => asked.mockRestore());
    const ask = () => server.call(name as 'createBatch', { ...request, key: 'key' }); // all are called alike
    expect(await ask()).toMatchObject({ ok: false, problem: { code: 'prerequisite-missing', outcome: 'not-sent' } });
    await server.store.settings.writeAll({ ...settings, userJwt: unsignedJwt() });
    expect(await ask()).toMatchObject({ ok: true });
    expect(service.askedFor(prefix).filter(({ method }) => method !== 'GET')).toHaveLength(1);
  });
});

describe('The key under which a company is created', () => {
  const body = companyBody('New');
  const create = (server: Awaited<ReturnType<typeof served>>['server'], key = 'key') =>
    server.call('createCompany', { body, key });

  it('is known after a program has renamed the current company of the organisation, or its organisation and back', async () => {
    const { server, service } = await served(endpoints.createCompany, answering({ companyId: 'made' }, 201));
    expect(await create(server)).toMatchObject({ ok: true, answer: { companyId: 'made' } });
    const rename = (key: 'companyId' | 'organisationId', value: string) =>
      server.done('setSetting', { body: { key, value } });
    await rename('companyId', 'renamed');
    expect(await create(server)).toMatchObject({ ok: true, answer: { companyId: 'made' } });
    expect(service.askedFor(endpoints.createCompany)).toHaveLength(1);
  });

  it('of which the outcome is unknown is repeated after the company was renamed, and not for another organisation', async () => {
    const { server, service } = await served(endpoints.createCompany, (response) => void response.destroy());
    expect(await create(server)).toMatchObject({ problem: { outcome: 'unknown' } });
    service.scripts[endpoints.createCompany] = answering({ companyId: 'made' }, 201);
    await server.done('setSetting', { body: { key: 'organisationId', value: 'other' } });
    expect(await create(server)).toMatchObject({ problem: { outcome: 'unknown', repeat: 'not-sent' } });
    await server.done('setSetting', { body: { key: 'organisationId', value: 'O' } });
    await server.done('setSetting', { body: { key: 'companyId', value: 'renamed' } });
    expect(await create(server)).toMatchObject({ ok: true, answer: { companyId: 'made' } });
    const keys = service.askedFor(endpoints.createCompany).map(({ headers }) => headers['x-idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });
});
