import { describe, expect, it } from 'vitest';
import { switchingMachine } from '#machines/subscription/switching.machine.ts';
import { selectionOf } from '#machines/subscription/switching.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const alternative = {
  subscription: { subscriptionId: 'subscription-2', status: 'Authorised', suspendedByConsumer: false },
  providerId: 'provider-2',
  provider: { providerId: 'provider-2', name: 'Quillmere', capabilities: [] },
  country: 'GB',
  debtors: 1,
  creditors: 1,
};

describe('switching to another subscription', () => {
  it('selects its provider, country and that country’s language', () => {
    expect(selectionOf(alternative)).toEqual({
      subscriptionId: 'subscription-2',
      providerId: 'provider-2',
      country: 'GB',
      language: 'en',
    });
  });

  it('keeps country and language if its provider is unread or the language unknown', () => {
    expect(selectionOf({ ...alternative, provider: null, country: '' })).toEqual({
      subscriptionId: 'subscription-2',
      providerId: 'provider-2',
      country: '',
    });
    expect(selectionOf({ ...alternative, country: 'XX' })).not.toHaveProperty('language');
  });

  it('starts without a selection', () => {
    expect(run(switchingMachine).actor.getSnapshot()).toMatchObject({
      value: 'offering',
      context: { selection: null, failure: null },
    });
  });

  it('stores the selection once, emits facts.changed, and ends', async () => {
    const { sends: send, calls, answer, actor } = run(switchingMachine);
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

  it('shows why it failed, and clears the failure on a retry', async () => {
    const { sends: send, refuse, actor } = run(switchingMachine);
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

describeWatched(switchingMachine);
