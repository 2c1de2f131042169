import { validate, version } from 'uuid';
import { describe, expect, it } from 'vitest';
import * as constants from '#contract/constants.ts';
import { batchRequest } from '#rules/batch.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { creditor, debtor, invoiceOf } from '#tests/support/fixtures.ts';

describe('behaviour, section 9: business constants and limits', () => {
  it('webhook poll interval 1000 ms, chunk load time-out 120000 ms (behaviour 9.1)', () => {
    expect([constants.webhookPollInterval, constants.chunkLoadTimeout]).toEqual([1000, 120_000]);
  });

  it('countries (behaviour 9.2)', () => {
    expect(constants.providerCountries).toEqual(['AU', 'US', 'GB', 'CA']);
    expect(constants.fileFormatCountries).toEqual(['AU', 'CA', 'FR', 'ZA', 'GB', 'US']);
    const omitted = constants.fileFormatCountries.filter(
      (country) => !constants.bankFilesPageCountries.some((each) => each === country),
    );
    expect(omitted).toEqual(['CA', 'US']);
  });

  it('languages, none among them (behaviour 9.2)', () => {
    expect(constants.languages).toEqual(['en', 'en-GB', 'en-CA', 'fr-CA', 'fr-FR', 'en-US', '']);
    expect(constants.bankFilesPageLanguages).toEqual([...constants.languages, 'de-DE', 'es-ES']);
  });

  it('the requested execution date is the current date at 00:00:00Z (behaviour 9.3)', () => {
    const today = '2026-11-20';
    const parts = { externalId: 'e', subscriptionId: 's', debtor, creditors: [creditor], today };
    const invoices = [invoiceOf('invoice-1', '1.00')];
    const { requestedExecutionDateTime } = batchRequest({ ...parts, invoices, extras: { batch: {}, payment: {} } });
    expect(requestedExecutionDateTime).toBe('2026-11-20T00:00:00Z');
  });

  it('ids are random v4 UUIDs (behaviour 9.5)', async () => {
    const { done } = await testConsole({ upstreamUrl: (await testSandbox()).url });
    const { fields } = await done('startLogin');
    expect(validate(fields['state']) && version(fields['state'] ?? '')).toBe(4);
  });

  it('the eTransfer button shows a fixed $1000.00 (behaviour 9.7)', () => {
    expect(constants.transferAmount).toMatchObject({ amount: '1000.00', label: 'Pay $1000.00' });
  });

  it('only the provider named ecospend is offered on the bank screen', () => {
    expect(constants.bankProviderName).toBe('ecospend');
  });

  it('the invoice selector tracks 8 rows by default (behaviour 9.10)', async () => {
    const { done, store } = await testConsole({ upstreamUrl: (await testSandbox()).url });
    await store.settings.write('subscriptionId', creditor.subscriptionId);
    await store.creditors.put(creditor.creditorId, creditor);
    expect((await done('getInvoices')).data).toHaveLength(8);
  });

  it('sample bank order value, standard and country', async () => {
    const { done } = await testConsole({ upstreamUrl: (await testSandbox()).url });
    for (const { order, standard, country_iso_code } of (await done('getBanks')).data)
      expect([order, standard, country_iso_code]).toEqual([100_000, 'obie', 'GB']);
  });
});
