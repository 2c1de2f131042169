import Database from 'libsql';
import { expect, it, vi } from 'vitest';
import { bare, batch, consoleWith, lost, making, payment } from '#tests/support/consoleWithPayments.ts';
import { connectionTo, temporaryFolder } from '#tests/support/store.ts';

/**
 * The tables that grow with what is paid and recorded, in a plan of SQLite that reads all their rows, or all that a company
 * has ever written.
 */
const wholeTable =
  /^(SCAN (records|writes|invoice_lines|timeline)\b|SEARCH writes USING INDEX sqlite_autoindex_\S+ \(workspace=\? AND company_key=\?\)$)/;

it('a payment, its review, its outcome and the lists of the page read no table as a whole, however large it grows', async () => {
  const folder = temporaryFolder();
  let isLost = false;
  const answering = making();
  const { server } = await consoleWith((...exchange) => (isLost ? lost : answering)(...exchange), folder);
  const prepared = vi.spyOn(Database.prototype, 'prepare');
  await server.done('createBatch', { body: { ...batch, payments: [payment!, bare] }, query: { again: 'true' } });
  isLost = true;
  const other = {
    ...batch,
    externalId: 'e-2',
    payments: [{ ...payment!, remittanceInformation: { reference: 'other' } }],
  };
  await server.call('createBatch', { body: other });
  await server.done('preparePayment', { body: other });
  for (const name of [
    'getPostedBatches',
    'getFacts',
    'listMessages',
    'listWebhooks',
    'getSetAside',
    'getTimeline',
  ] as const)
    await server.done(name, {});
  await server.call('getInvoices', {});
  await server.call('getBatch', { params: { batchId: 'batch-1' } });
  const texts = new Set(
    prepared.mock.calls.map(([text]) => text).filter((text) => /^\s*(with|select|insert|update|delete)\b/i.test(text)),
  );
  const connection = connectionTo(folder);
  const scans = [...texts].flatMap((text) => {
    const plan = connection.prepare(`explain query plan ${text}`).all([]) as { detail: string }[]; // SQLite's columns
    return plan.flatMap(({ detail }) => (wholeTable.test(detail) ? [`${detail}: ${text}`] : []));
  });
  expect(texts.size).toBeGreaterThan(20);
  expect(scans).toEqual([]);
});
