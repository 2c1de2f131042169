import { describe, expect, it } from 'vitest';
import { noDraft, type Draft } from '#machines/lib/draft.ts';
import { additionalDataMachine } from '#machines/lookup/additionalData.machine.ts';
import { companyMachine } from '#machines/onboarding/forms.machine.ts';
import { debtorMachine } from '#machines/party/party.machine.ts';
import { electronicPaymentMachine, filePaymentMachine } from '#machines/payment/payment.machine.ts';
import { bankSubscriptionMachine, subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { everything, factsAfter } from '#tests/support/facts.ts';
import { bankOf, bankProvider, directProvider, fileFormat, provider, rules } from '#tests/support/fixtures.ts';
import { material } from './payment.running.ts';

const draftOf = (draft: Partial<Draft>): Draft => ({ ...noDraft, ...draft });
const fills = draftOf({ fills: true });
const dataset = factsAfter('dataset');
const liveFacts = (facts: typeof everything) => ({ ...facts, environment: 'live' as const });

async function subscribing(draft: Draft, providers = [provider, directProvider], facts = dataset) {
  const { actor, answer } = live(subscriptionMachine, { input: { facts, draft } });
  await answer('loadChoice', { providers, banks: [] });
  return actor;
}

describe('a subscription with a draft', () => {
  it('opens the form of its provider with what was entered, and no other field (behaviour 4.17)', async () => {
    const fields = { serviceUserNumber: '6543', gone: 'x', __proto__: 'y' };
    const actor = await subscribing(draftOf({ choices: { providerId: provider.providerId }, fields }));
    expect(actor.getSnapshot().value).toEqual({ form: 'editing' });
    expect(actor.getSnapshot().context.values).toEqual({ serviceUserNumber: '6543' });
  });

  it('lets the user choose where its provider is no longer offered (behaviour 4.19)', async () => {
    const draft = draftOf({ choices: { providerId: 'gone' }, fields: { serviceUserNumber: '6543' } });
    const actor = await subscribing(draft);
    expect(actor.getSnapshot().value).toBe('choosing');
    actor.send({ type: 'provider.choose', providerId: provider.providerId });
    expect(actor.getSnapshot().context.values).toEqual({ serviceUserNumber: '6543' });
  });

  it('keeps what was entered for the form of another provider, also after the examples', async () => {
    const twin = { ...provider, providerId: 'twin' };
    const actor = await subscribing(noDraft, [provider, twin]);
    actor.send({ type: 'provider.choose', providerId: provider.providerId });
    actor.send({ type: 'form.change', field: 'serviceUserNumber', value: '6543' });
    actor.send({ type: 'provider.clear' });
    actor.send({ type: 'provider.choose', providerId: 'twin' });
    expect(actor.getSnapshot().context).toMatchObject({ values: { serviceUserNumber: '6543' }, likesExamples: false });
    actor.send({ type: 'form.fill' });
    const { draft, likesExamples, values } = actor.getSnapshot().context;
    expect([draft.fields, likesExamples]).toEqual([values, true]);
  });

  it('is filled with the examples of its example provider once, in the sandbox only (behaviour 4.18)', async () => {
    const actor = await subscribing(fills);
    expect(actor.getSnapshot().value).toEqual({ form: 'editing' });
    const { values, draft } = actor.getSnapshot().context;
    expect(values['serviceUserNumber']).not.toBe('');
    expect(draft).toEqual(draftOf({ fields: values }));
    expect((await subscribing(fills, undefined, liveFacts(dataset))).getSnapshot().value).toBe('choosing');
  });

  it('by bank is filled with a bank that is in service', async () => {
    const { actor, answer } = live(bankSubscriptionMachine, { input: { facts: dataset, draft: fills } });
    await answer('loadChoice', { providers: [bankProvider], banks: [bankOf('down', false), bankOf('up', true)] });
    expect(actor.getSnapshot().context.values).toEqual({ bankIdentifier: 'up' });
  });
});

describe('a payment with a draft', () => {
  const chosen = { debtorId: 'debtor-2', date: '2026-12-01', ticked: ['invoice-1', 'gone', 'invoice-3'] };

  it('opens with account, date, invoices and fields as far as they are still offered (behaviour 4.17, 4.19)', async () => {
    const draft = draftOf({ choices: chosen, fields: { purpose: 'supplies' } });
    const { actor, answer, send } = live(electronicPaymentMachine, { input: { facts: everything, draft } });
    await answer('loadMaterial', material);
    const restored = { ...chosen, ticked: ['invoice-1', 'invoice-3'], values: { purpose: 'supplies' } };
    expect(actor.getSnapshot().context).toMatchObject(restored);
    // A further reading keeps what the user has chosen since.
    await send({ type: 'debtor.choose', debtorId: 'debtor-1' });
    await send({ type: 'invoices.ask', count: 200 });
    await answer('loadMaterial', material);
    expect(actor.getSnapshot().context).toMatchObject({ ...restored, debtorId: 'debtor-1' });
  });

  it('has its fields in the form of the template that is chosen, and again after more invoices were read', async () => {
    const formats = [fileFormat, { ...fileFormat, fileFormatId: 'format-2' }];
    const draft = draftOf({ fields: { 'userIdentification.name': 'The payer' } });
    const { actor, answer, send } = live(filePaymentMachine, { input: { facts: everything, draft } });
    await answer('loadMaterial', { ...material, fileFormats: formats });
    expect(actor.getSnapshot().value).toEqual({ choosing: 'format' });
    await send({ type: 'format.choose', fileFormatId: 'format-2' });
    expect(actor.getSnapshot().context).toMatchObject({
      format: formats[1],
      values: { 'userIdentification.name': 'The payer' },
    });
    await send({ type: 'form.change', field: 'userIdentification.name', value: 'Another' });
    await send({ type: 'invoices.ask', count: 200 });
    await send({ type: 'format.choose', fileFormatId: fileFormat.fileFormatId });
    expect(actor.getSnapshot()).toMatchObject({ value: { choosing: 'listing' }, context: { format: formats[1] } });
    await answer('loadMaterial', { ...material, fileFormats: formats });
    expect(actor.getSnapshot().context.values).toMatchObject({ 'userIdentification.name': 'Another' });
  });

  it.each([
    [fileFormat.fileFormatId, { choosing: { form: 'editing' } }],
    ['gone', { choosing: 'format' }],
  ])('by file with the template %s opens in %o', async (fileFormatId, value) => {
    const draft = draftOf({ choices: { fileFormatId } });
    const { actor, answer } = live(filePaymentMachine, { input: { facts: everything, draft } });
    await answer('loadMaterial', material);
    expect(actor.getSnapshot().value).toEqual(value);
  });

  it('is filled with examples, in the sandbox only (behaviour 4.18)', async () => {
    const { actor, answer } = live(electronicPaymentMachine, { input: { facts: everything, draft: fills } });
    await answer('loadMaterial', material);
    const { values, ticked, debtorId, draft } = actor.getSnapshot().context;
    expect([debtorId, ticked.length > 0, draft]).toEqual(['debtor-1', true, { ...noDraft, fields: values }]);
    const real = live(electronicPaymentMachine, { input: { facts: liveFacts(everything), draft: fills } });
    await real.answer('loadMaterial', material);
    expect(real.actor.getSnapshot().context.ticked).toEqual([]);
  });

  it('of a corrected batch keeps what the user has changed since', async () => {
    const corrected = {
      batch: { batchId: 'b', status: 'Rejected', debtor: { debtorId: 'debtor-1' }, payments: [] },
      errors: [],
      references: ['invoice-2'],
    };
    const draft = draftOf({ choices: chosen, fields: { purpose: 'supplies' } });
    const input = { facts: everything, correcting: 'b', draft };
    const { actor, answer } = live(electronicPaymentMachine, { input });
    await answer('loadMaterial', { ...material, corrected });
    expect(actor.getSnapshot().context).toMatchObject({ debtorId: 'debtor-2', values: { purpose: 'supplies' } });
  });
});

describe('a form with a draft', () => {
  it('opens with what was entered (behaviour 4.17)', () => {
    const draft = draftOf({ fields: { name: 'Typed' } });
    const first = live(companyMachine, { input: { facts: factsAfter('organisation'), draft } });
    expect(first.actor.getSnapshot().context.values['name']).toBe('Typed');
  });

  it('of a debtor opens with what was entered', async () => {
    const draft = draftOf({ fields: { 'debtorAccount.name': 'Ours' } });
    const { actor, answer } = live(debtorMachine, { input: { facts: factsAfter('authorisation'), draft } });
    await answer('loadRules', { rules, pending: [] });
    expect(Object.values(actor.getSnapshot().context.values)).toContain('Ours');
  });

  it('of the rule playground opens with its provider and request, and says what is wrong', async () => {
    const draft = draftOf({ choices: { providerId: provider.providerId, apiPath: 'Creditors' } });
    const { actor, answer } = live(additionalDataMachine, { input: { facts: everything, draft } });
    await answer('loadProviders', [directProvider, provider]);
    const { context } = actor.getSnapshot();
    expect(context).toMatchObject({ providerId: provider.providerId, apiPath: 'Creditors' });
    expect(context.errors.length).toBeGreaterThan(0);
    const odd = draftOf({ choices: { providerId: 'gone', apiPath: 'Elsewhere' } });
    const other = live(additionalDataMachine, { input: { facts: everything, draft: odd } });
    await other.answer('loadProviders', [provider]);
    expect(other.actor.getSnapshot().context).toMatchObject({ providerId: '', apiPath: 'Subscriptions', errors: [] });
  });
});
