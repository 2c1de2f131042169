import { validate, version } from 'uuid';
import { describe, expect, it } from 'vitest';
import { batchRequest } from '#rules/batch.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { creditor, debtor, invoiceOf } from '#tests/support/fixtures.ts';

describe('behaviour, section 9: constants', () => {
  it('the requested execution date is the current date at 00:00:00Z (behaviour 9.3)', () => {
    const today = '2026-11-20';
    const parts = { externalId: 'e', subscriptionId: 's', debtor, creditors: [creditor], today };
    const invoices = [invoiceOf('invoice-1', '1.00')];
    const { requestedExecutionDateTime } = batchRequest({ ...parts, invoices, extras: { batch: {}, payment: {} } });
    expect(requestedExecutionDateTime).toBe('2026-11-20T00:00:00Z');
  });

  it('the state of a login is a random v4 UUID (behaviour 9.5)', async () => {
    const { done } = await testConsole({ upstreamUrl: (await testSandbox()).url });
    const { fields } = await done('startLogin');
    expect(validate(fields['state']) && version(fields['state'] ?? '')).toBe(4);
  });

  it('the transfer page is opened with the amount of the button, 1000.00 USD (behaviour 9.7)', async () => {
    const { done } = await testConsole({ upstreamUrl: (await testSandbox()).url });
    const { searchParams } = new URL((await done('getFacts')).transferUrl);
    expect([searchParams.get('amount'), searchParams.get('currency')]).toEqual(['1000.00', 'USD']);
  });

  it('GET /api/invoices returns 8 invoices by default (behaviour 9.10)', async () => {
    const { done, store } = await testConsole({ upstreamUrl: (await testSandbox()).url });
    await store.settings.write('subscriptionId', creditor.subscriptionId);
    await store.creditors.put(creditor.creditorId, creditor);
    expect((await done('getInvoices')).data).toHaveLength(8);
  });

  it('the sample banks have the specified order, standard and country', async () => {
    const { done } = await testConsole({ upstreamUrl: (await testSandbox()).url });
    for (const { order, standard, country_iso_code } of (await done('getBanks')).data)
      expect([order, standard, country_iso_code]).toEqual([100_000, 'obie', 'GB']);
  });
});
