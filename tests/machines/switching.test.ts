import { describe, expect, it } from 'vitest';
import { selectionOf, switchingMachine } from '#machines/subscription/switching.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';
import { flawsOf } from '#tests/support/pathsFaults.ts';

const alternative = {
  subscription: { subscriptionId: 'subscription-2', status: 'Authorised', suspendedByConsumer: false },
  providerId: 'provider-2',
  provider: { providerId: 'provider-2', name: 'Quillmere', capabilities: [] },
  country: 'GB',
  debtors: 1,
  creditors: 1,
};

describe('going on with another subscription', () => {
  it('brings along its provider, country and that country’s language', () => {
    expect(selectionOf(alternative)).toEqual({
      subscriptionId: 'subscription-2',
      providerId: 'provider-2',
      country: 'GB',
      language: 'en',
    });
  });

  it('changes neither country nor language where its provider could not be read or the language is unknown', () => {
    expect(selectionOf({ ...alternative, provider: null, country: '' })).toEqual({
      subscriptionId: 'subscription-2',
      providerId: 'provider-2',
      country: '',
    });
    expect(selectionOf({ ...alternative, country: 'XX' })).not.toHaveProperty('language');
  });

  it('is a chart of that name without a flaw', () => {
    expect(switchingMachine.id).toBe('switching');
    expect(flawsOf(switchingMachine)).toEqual([]);
  });

  it('begins with no choice made', () => {
    expect(live(switchingMachine).actor.getSnapshot()).toMatchObject({
      value: 'offering',
      context: { selection: null, failure: null },
    });
  });

  it('stores the choice once, tells that the facts have changed, and ends', async () => {
    const { send, calls, answer, actor } = live(switchingMachine);
    const told: unknown[] = [];
    actor.on('*', (each) => told.push(each));
    const use = { type: 'subscription.use' as const, selection: selectionOf(alternative) };
    await send(use);
    await send(use);
    expect(calls.map(({ port, input }) => [port, input])).toEqual([['select', selectionOf(alternative)]]);
    expect(told).toEqual([]);
    await answer('select');
    expect(told).toEqual([{ type: 'facts.changed' }]);
    expect(actor.getSnapshot()).toMatchObject({ value: 'switched', status: 'done' });
  });

  it('tells why it failed, and forgets that when it is tried again', async () => {
    const { send, refuse, actor } = live(switchingMachine);
    const told: unknown[] = [];
    actor.on('*', (each) => told.push(each));
    const use = { type: 'subscription.use' as const, selection: selectionOf(alternative) };
    await send(use);
    await refuse('select', failure);
    expect(actor.getSnapshot()).toMatchObject({ value: 'offering', context: { failure } });
    expect(told).toEqual([{ type: 'facts.stale' }]); // it may have been stored
    await send(use);
    expect(actor.getSnapshot()).toMatchObject({ value: 'selecting', context: { failure: null } });
  });
});
