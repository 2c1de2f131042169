import { describe, expect, it } from 'vitest';
import { exampleProvider, formFor, learntFrom } from '#machines/subscription/choice.ts';
import {
  chosenForm,
  followed,
  pendingForm,
  pendingRow,
  settled,
  updateForm,
  type UpdateState,
} from '#machines/subscription/update.ts';
import { noDraft } from '#machines/lib/draft.ts';
import { emptyForm } from '#machines/lib/form.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { bankOf, bankProvider, directProvider, provider, rules } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { rowOf } from './subscription.models.ts';

const properties = { serviceUserNumber: '111111' };
const update = messageOf({ messageId: 'update-1', kind: 'updates', data: { properties } });
const waiting = rowOf({ subscriptionId: 'subscription-2', pending: update });
const state: UpdateState = {
  ...emptyForm,
  invoked: null,
  messageId: 'update-1',
  rows: [rowOf(), waiting],
  chosen: waiting,
  act: 'update',
  again: false,
};

describe('the form of a subscription update', () => {
  it('has the stored values, given as a string or as an object', () => {
    for (const data of [JSON.stringify(properties), properties])
      expect(updateForm(rules, data)).toMatchObject({ values: properties, errors: [] });
  });

  it('is empty if the stored values are missing or invalid', () => {
    for (const data of ['', '{', 'null', undefined])
      expect(updateForm(rules, data).values).toEqual({ serviceUserNumber: '' });
    expect(chosenForm({ ...state, chosen: null })).toMatchObject({ values: {}, form: { fields: [] } });
  });

  it('opens for the chosen row with the values of the service', () => {
    const chosen = rowOf({ additionalData: '{"serviceUserNumber":"654321"}' });
    expect(chosenForm({ ...state, chosen })).toMatchObject({ values: { serviceUserNumber: '654321' } });
  });
});

describe('a pending subscription update', () => {
  it('is that of the first row with one', () => {
    expect(pendingRow(state)).toBe(waiting);
    expect(pendingRow({ ...state, rows: [rowOf()] })).toBeNull();
  });

  it('is resumed with the values that were sent', () => {
    expect(pendingForm(state)).toMatchObject({ values: properties });
    // A message without the sent values: the form has the service's stored values.
    const bare = { ...waiting, pending: { ...update, data: {} }, additionalData: '{"serviceUserNumber":"654321"}' };
    expect(pendingForm({ ...state, chosen: bare })).toMatchObject({ values: { serviceUserNumber: '654321' } });
    expect(pendingForm({ ...state, chosen: null })).toMatchObject({ form: { fields: [] } });
  });

  it('updates its own row with what becomes of the message', () => {
    const outcome = { state: 'accepted', detail: 'Done' } as const;
    expect(followed(state, { messageId: 'update-1', outcome })).toEqual({
      messageId: 'update-1',
      rows: [state.rows[0], { ...waiting, pending: { ...update, ...outcome } }],
    });
    expect(followed(state, { messageId: 'update-1', outcome: null }).rows).toEqual(state.rows);
    expect(followed(state, { messageId: 'update-2', outcome })).toEqual({ messageId: 'update-2', rows: state.rows });
  });

  it('is removed once the provider has decided', () => {
    const done = { ...waiting, pending: null };
    expect(settled(state)).toEqual({ rows: [state.rows[0], done], chosen: done });
    expect(settled({ ...state, chosen: null }).chosen).toBeNull();
    expect(settled({ ...state, messageId: 'update-2' })).toEqual({ rows: state.rows, chosen: waiting });
  });
});

describe('the choice of a provider', () => {
  const context = { facts: everything, draft: noDraft };
  const learn = (kind: 'form' | 'bank', ...providers: (typeof provider)[]) =>
    learntFrom(context, { providers, banks: [] }, kind);

  it('is made automatically if there is only one', () => {
    expect(learn('form', provider).provider).toBe(provider);
    expect(learn('form', provider, directProvider).provider).toBeNull();
    expect(learn('form').provider).toBeNull();
    expect(learn('bank', provider, bankProvider).provider).toBe(bankProvider);
  });

  it('sets the number of providers in the facts, and whether one is used by bank', () => {
    expect(learn('form', provider, bankProvider).facts).toEqual({ ...everything, providers: 2, bankProvider: true });
    expect(learn('bank', provider).facts).toEqual({ ...everything, providers: 1, bankProvider: false });
    expect(learn('bank', provider).providers).toEqual([]);
  });

  it('has an example in the sandbox: the first that supports subscriptions, preferably by form', () => {
    const example = (providers: (typeof provider)[], facts = everything) =>
      exampleProvider({ ...context, facts, providers });
    expect(example([directProvider, bankProvider, provider])).toBe(provider);
    expect(example([directProvider, bankProvider])).toBe(bankProvider);
    expect(example([directProvider])).toBeUndefined();
    expect(example([provider], withFacts(everything, { environment: 'live' }))).toBeUndefined();
  });

  it('determines the form: the provider’s rules or the list of banks', () => {
    const chosen = { ...context, banks: [bankOf('bank-1', true)], provider };
    const ids = (of: Parameters<typeof formFor>[0], kind: 'form' | 'bank') =>
      formFor(of, kind).fields.map(({ id }) => id);
    expect(ids(chosen, 'form')).toEqual(['serviceUserNumber']);
    expect(ids({ ...chosen, provider: null }, 'form')).toEqual([]);
    expect(formFor(chosen, 'bank').fields).toMatchObject([
      { id: 'bankIdentifier', required: true, regex: '', paths: ['bankIdentifier'] },
    ]);
  });
});
