// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { waitFor } from 'xstate';
import type { SuppliedJourney } from '#app/pages.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { creditor, debtor, fileFormat, invoiceOf, provider } from '#tests/support/fixtures.ts';

vi.mock('#app/client.ts', async () => ({ call: (await import('#tests/support/fakeCalls.ts')).call }));

const facts = factsAfter('creditor');

/** Each journey whose forms have rules of a provider or of a file format, in a page that has loaded nothing else. */
const journeys: [string, () => Promise<SuppliedJourney>][] = [
  ['debtor', async () => (await import('#app/ports/party.ts')).debtor],
  ['creditor', async () => (await import('#app/ports/party.ts')).creditor],
  ['electronic payment', async () => (await import('#app/ports/payment.ts')).electronicPayment],
  ['file payment', async () => (await import('#app/ports/payment.ts')).filePayment],
  ['subscription', async () => (await import('#app/ports/subscription.ts')).subscription],
  ['authorisation', async () => (await import('#app/ports/authorisation.ts')).authorisation],
  ['additional data', async () => (await import('#app/ports/lookup.ts')).additionalData],
];

beforeEach(() => {
  vi.resetModules();
  localStorage.clear();
});

describe('what compiles the patterns of rules', () => {
  it.each(journeys)('is there before the form of the %s', async (_, load) => {
    const { patternOf } = await import('#rules/pattern.ts');
    expect(patternOf('^a{2}$')).not.toHaveProperty('test');
    const { server, started } = await import('#tests/support/fakeCalls.ts');
    server.answers = {
      getFacts: () => facts,
      getSettings: () => facts.settings,
      getSubscription: () => ({ data: { ...facts.subscription, providerId: 'provider-1', additionalData: '{}' } }),
      getProvider: () => ({ data: provider }),
      getProviders: () => ({ data: [provider] }),
      getLocalInstruments: () => ({ data: [] }),
      getDebtors: () => ({ data: [debtor] }),
      getCreditors: () => ({ data: [creditor] }),
      getInvoices: () => ({ data: [invoiceOf('i1', '120.50')] }),
      getFileFormats: () => ({ data: [fileFormat] }),
      listMessages: () => ({ data: [], total: 0 }),
    };
    const actor = started((await load()).machine);
    const there = (snapshot: { hasTag: (tag: string) => boolean }) => !snapshot.hasTag('busy');
    const opened = await waitFor(actor, there);
    expect([opened.hasTag('failed'), opened.hasTag('gate')]).toEqual([false, false]);
    expect(patternOf('^a{2}$')).toHaveProperty('test');
    actor.stop();
  });
});
