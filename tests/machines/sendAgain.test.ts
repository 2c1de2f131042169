import { describe, expect, it } from 'vitest';
import { sendAgainMachine } from '#machines/lab/sendAgain.machine.ts';
import type { CallName } from '#contract/calls.ts';
import { repeatOf } from '#tests/support/timelineEntry.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const repeat = (key: 'same' | 'new', name?: CallName, isLive = false) => ({
  type: 'call.repeat',
  repeat: { ...repeatOf(key, name), isLive },
});

function opened() {
  const machine = run(sendAgainMachine);
  const told: unknown[] = [];
  machine.actor.on('*', (event) => told.push(event));
  return { ...machine, told };
}

describe('sending a call of the timeline again', () => {
  it.each<[string, CallName, object[]]>([
    ['that reads', 'getProviders', []],
    ['that writes', 'createCompany', [{ type: 'facts.changed' }]],
  ])('%s under its own key sends it once, however often it is pressed', async (_, name, changed) => {
    const { sends, answer, calls, told, at } = opened();
    await sends(repeat('same', name));
    await sends(repeat('same', name));
    await sends(repeat('new', name));
    await answer('repeat', 'entry-2');
    expect([at(), calls.length]).toEqual(['ready', 1]);
    expect(told).toEqual(expect.arrayContaining([{ type: 'sent', id: 'entry-2' }, ...changed]));
    expect(told).toHaveLength(1 + changed.length);
  });

  it.each<['same' | 'new', CallName, boolean]>([
    ['same', 'setSetting', false],
    ['new', 'setSetting', false],
    ['new', 'getProviders', false],
    ['new', 'createCompany', true],
  ])('under the %s key does nothing for %s that must not be sent again', async (key, name, isLive) => {
    const { sends, calls, at } = opened();
    await sends(repeat(key, name, isLive));
    expect([at(), calls]).toEqual(['ready', []]);
  });

  it('under a new key asks first, and sends nothing if that is declined', async () => {
    const { sends, answer, calls, at, pending } = opened();
    await sends(repeat('new'));
    await sends({ type: 'dismiss' });
    await sends({ type: 'confirm' });
    expect([at(), calls.length]).toEqual(['ready', 0]);
    await sends(repeat('new'));
    await sends({ type: 'confirm' });
    expect(pending('repeat').input).toEqual(repeatOf('new'));
    await answer('repeat', 'entry-2');
    expect(at()).toBe('ready');
  });

  it('shows why it was not sent until it is sent once more, and reads the facts after a lost response', async () => {
    const { sends, refuse, answer, at, context, told } = opened();
    await sends(repeat('same'));
    await refuse('repeat', failure);
    expect([at(), context()['failure'], told]).toEqual(['refused', failure, [{ type: 'facts.changed' }]]);
    await sends(repeat('new'));
    expect([at(), context()['failure']]).toEqual(['asking', null]);
    await sends({ type: 'confirm' });
    await refuse('repeat', failure);
    await sends(repeat('same'));
    await answer('repeat', 'entry-2');
    expect(context()['failure']).toBeNull();
  });
});

describeWatched(sendAgainMachine);
