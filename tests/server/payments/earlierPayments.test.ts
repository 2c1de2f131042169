import { describe, expect, it } from 'vitest';
import type { BatchRequest } from '#contract/payment.ts';
import { storeAt } from '#server/companies/companyStore.ts';
import { createCoverage } from '#server/payments/coverage.ts';
import { identified, ownIdentities } from '#server/payments/identifiedBatch.ts';
import { identitiesOf } from '#server/payments/invoiceIdentity.ts';
import { createEncryption, createTagger } from '#server/storage/encryption.ts';
import { locations } from '#server/storage/schema.ts';
import type { Location } from '#server/storage/schema.ts';
import { endpoints, header } from '#server/upstream/wire.ts';
import { answering, unsignedJwt } from '#tests/support/fakeUpstream.ts';
import { bare, batch, consoleWith, lost, making, payment } from '#tests/support/consoleWithPayments.ts';
import { testDatabase } from '#tests/support/storage.ts';
import { storeUrlIn, temporaryFolder, testKey } from '#tests/support/store.ts';

const open = { ...batch, payments: [{ ...payment!, remittanceInformation: { reference: 'open' } }] };

/** Has a store's paid invoices name the console's record of the company, as release 0.1.0 stored them. */
async function makeEarlier(url: string, at: Location): Promise<void> {
  const { read, write, close } = await testDatabase(url);
  const { value } = await read((db) => db.selectFrom('index_key').selectAll().executeTakeFirstOrThrow());
  const indexKey = createEncryption([testKey()]).decrypt(value, locations.indexKey());
  const tag = createTagger(Buffer.from(indexKey, 'base64'));
  const company = { workspace: at.workspace, company_key: at.companyKey };
  const paid = [
    { idempotency_key: 'done', batch_id: 'batch-1', paid: batch },
    { idempotency_key: 'lost', batch_id: '', paid: open },
  ].flatMap(({ paid: body, ...row }) =>
    identitiesOf(body, [])
      .map(ownIdentities)
      .flat()
      .map((identity) => ({
        ...{ ...company, ...row, reserved_at: 1, reason: null },
        identity: tag('paid_invoices', at.workspace, at.companyKey, identity),
      })),
  );
  for (const table of ['invoice_payments', 'undecided_sums'] as const)
    await write((db) => db.deleteFrom(table).execute());
  await write((db) => db.insertInto('invoice_payments').values(paid).execute());
  await write((db) =>
    db
      .insertInto('earlier_companies')
      .values({ ...company, owner: '' })
      .execute(),
  );
  await close();
}

/** A console whose earlier version has paid one invoice and may have paid another. */
async function upgraded() {
  const folder = temporaryFolder();
  const created = making();
  const before = await consoleWith(created, folder);
  await before.server.done('createBatch', { body: batch, key: 'done' });
  before.service.scripts[endpoints.batches] = lost;
  await before.server.refused('createBatch', { body: open, key: 'lost' });
  before.service.scripts[endpoints.batches] = created;
  await before.server.timelines.flush();
  await before.server.storage.close();
  await makeEarlier(await storeUrlIn(folder), { workspace: before.server.store.workspace, companyKey: 'first' });
  return { ...before, server: await before.open() };
}

const ofOpen = { ...open, externalId: 'again' };
const bareSum = { ...ofOpen, payments: [bare] };
const all = [{ ...batch, externalId: 'again' }, ofOpen, bareSum];

describe('What an earlier version has stored as paid', () => {
  it('is still known as paid after the upgrade, and its lost payment can be repeated (threat 3.18)', async () => {
    const { server, sent } = await upgraded();
    for (const body of all)
      expect(await server.refused('createBatch', { body })).toMatchObject({ code: 'paid-already' });
    await server.done('createBatch', { body: open, key: 'lost' });
    expect(sent()).toHaveLength(3); // two before the upgrade
    expect(await server.refused('createBatch', { body: ofOpen })).toMatchObject({ code: 'paid-already' });
    await server.done('createBatch', { body: bareSum });
  });

  it('is known after the company is removed and added again, also after a restart (threat 3.18)', async () => {
    const { server, service, sent, open: restart } = await upgraded();
    service.scripts[endpoints.localInstruments] = answering({ data: [] }); // the console's credentials are accepted
    service.scripts[endpoints.accessToken] = (response, asked) =>
      (asked.headers[header.company] === 'c'
        ? answering({ status: 404 }, 404)
        : answering({ jwt: unsignedJwt() }, 201))(response, asked);
    await server.done('removeRecord', { body: { kind: 'company', id: 'c' } });
    service.scripts[endpoints.accessToken] = answering({ jwt: unsignedJwt() }, 201);
    const added = { organisationId: 'O', companyId: 'C', signingKey: 'k' };
    await server.done('useExisting', { body: added });
    for (const body of all)
      expect(await server.refused('createBatch', { body })).toMatchObject({ code: 'paid-already' });
    await server.timelines.flush();
    await server.storage.close();
    const restarted = await restart();
    for (const body of all)
      expect(await restarted.refused('createBatch', { body })).toMatchObject({ code: 'paid-already' });
    expect(sent()).toHaveLength(2);
  });

  it('is known to another user of the company, who is told nothing else (threat 2.29)', async () => {
    const { server } = await upgraded();
    const store = storeAt(server.storage, 'of another user', 'first');
    await store.settings.writeAll({ organisationId: 'o', companyId: 'C ' });
    const upstream = { token: () => Promise.resolve({ jwt: 'a token of the company', expiresAt: 0 }) };
    const coverage = createCoverage({ store, config: server.config, upstream });
    const covered = async (body: BatchRequest) =>
      coverage.standings(await coverage.coveredBy('key', await identified({ store, config: server.config }, body)));
    for (const [index, state] of (['paid', 'unknown', 'unknown'] as const).entries())
      expect(await covered(all[index]!)).toEqual([{ index: 0, state }]); // there are three
    await store.settings.writeAll({ companyId: 'another company' });
    expect(await covered(all[0]!)).toEqual([]); // likewise
  });
});
