import { describe, expect, it } from 'vitest';
import { sendAgainMachine } from '#machines/lab/sendAgain.machine.ts';
import { failure } from '#tests/support/fixtures.ts';
import { describeWatched, run } from '#tests/support/recordedRuns.ts';

const repeat = (key: 'same' | 'new', reads = false) => ({ type: 'call.repeat', entryId: 'entry-1', key, reads });

function opened() {
  const machine = run(sendAgainMachine);
  const told: unknown[] = [];
  machine.actor.on('*', (event) => told.push(event));
  return { ...machine, told };
}

describe('sending a call of the timeline again', () => {
  it.each([
    ['that reads', true, []],
    ['that writes', false, [{ type: 'facts.changed' }]],
  ])('%s under its own key sends it once, however often it is pressed', async (_, reads, changed) => {
    const { sends, answer, calls, told, at } = opened();
    await sends(repeat('same', reads));
    await sends(repeat('same', reads));
    await sends(repeat('new', reads));
    await answer('repeat', 'entry-2');
    expect([at(), calls.length]).toEqual(['ready', 1]);
    expect(told).toEqual(expect.arrayContaining([{ type: 'sent', id: 'entry-2' }, ...changed]));
    expect(told).toHaveLength(1 + changed.length);
  });

  it('under a new key asks first, and sends nothing if that is declined', async () => {
    const { sends, answer, calls, at, pending } = opened();
    await sends(repeat('new'));
    await sends({ type: 'dismiss' });
    await sends({ type: 'confirm' });
    expect([at(), calls.length]).toEqual(['ready', 0]);
    await sends(repeat('new'));
    await sends({ type: 'confirm' });
    expect(pending('repeat').input).toEqual({ entryId: 'entry-1', key: 'new', reads: false });
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
