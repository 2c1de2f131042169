import { describe, expect, it } from 'vitest';
import { faultOnArrowMachine, type FaultedRun } from '#machines/lab/faultOnArrow.machine.ts';
import { usualFault } from '#rules/faultSentence.ts';
import { repeatOf } from '#tests/support/timelineEntry.ts';
import { failure } from '#tests/support/fixtures.ts';
import { run } from '#tests/support/recordedRuns.ts';

const ofCall: FaultedRun = { rule: usualFault('call', 'createBatch', 'html'), repeat: repeatOf('same') };
const ofWebhook: FaultedRun = { ...ofCall, rule: usualFault('webhook', 'any', 'lost') };
const twice = { ...failure, code: 'console-unreachable' } as const;

/** A machine that has been told to run, and what it has emitted. */
async function started(given: FaultedRun = ofCall) {
  const running = run(faultOnArrowMachine);
  const told: unknown[] = [];
  running.actor.on('*', (event) => told.push(event));
  await running.sends({ type: 'fault.run', ...given });
  return { ...running, told };
}

describe('a fault set for one call', () => {
  it.each([
    ['the call was not repeated', ofCall, 'refuse', failure],
    ['the repeated call failed', ofWebhook, 'answer', { id: '9', succeeded: false }],
    ['the repeated call succeeded without reaching it', ofCall, 'answer', { id: '9', succeeded: true }],
  ] as const)('is removed if %s (behaviour 10.20.15)', async (_, given, how, result) => {
    const { answer, refuse, pending, at } = await started(given);
    await (how === 'refuse' ? refuse('run', result) : answer('run', result));
    expect(pending('disarm').input).toEqual(given);
    await answer('disarm', true);
    expect(at()).toBe(how === 'refuse' ? 'refused' : 'unreached');
  });

  it('stays set after the call if it is one of what follows', async () => {
    const { answer, at, told, isAsked } = await started(ofWebhook);
    await answer('run', { id: '9', succeeded: true });
    expect([at(), isAsked('disarm'), told]).toEqual([
      'ready',
      false,
      [{ type: 'facts.changed' }, { type: 'sent', id: '9' }],
    ]);
  });

  it.each(['removed', 'set'] as const)(
    'is no longer reported once the lab has changed and it is %s, which is asked again (behaviour 10.20.15)',
    async (still) => {
      const { refuse, answer, sends, at, context, pending } = await started();
      await answer('run', { id: '9', succeeded: true });
      await sends({ type: 'lab.changed' });
      await refuse('disarm', twice);
      await sends({ type: 'lab.changed' });
      expect(pending('disarm').input).toEqual(ofCall);
      await answer('disarm', still === 'set');
      expect([at(), context()['unremoved']]).toEqual([still === 'set' ? 'unreached' : 'ready', null]);
    },
  );
});
