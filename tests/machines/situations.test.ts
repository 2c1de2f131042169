import { assign, setup, type AnyStateMachine } from 'xstate';
import { describe, expect, it } from 'vitest';
import type { JourneyContext } from '#machines/lib/gate.ts';
import { readOneTexts, failureOf, effect } from '#machines/lib/effect.ts';
import { everything } from '#tests/support/facts.ts';
import { modelOf, pathsThrough } from '#tests/support/paths.ts';
import { happeningOn, situationFaults } from '#tests/support/situations.ts';

const base = setup({
  types: { context: {} as JourneyContext & { count: number }, events: {} as { type: 'retry' } },
  actors: { ask: effect<void, { count: number }>('reads', readOneTexts('The answer')) },
  actions: { forgetFailure: assign({ failure: null }) },
});

/** A journey with a request, its result or failure, and a retry; `changes` insert a fault. */
const toy = (changes: { asking?: object; invoke?: object; failed?: object } = {}) =>
  base.createMachine({
    id: 'toy',
    context: { facts: everything, failure: null, count: 0 },
    initial: 'asking',
    states: {
      asking: {
        tags: ['busy'],
        entry: 'forgetFailure',
        invoke: {
          id: 'ask',
          src: 'ask',
          onDone: { target: 'shown', actions: assign(({ event }) => event.output) },
          onError: { target: 'failed', actions: assign({ failure: ({ event }) => failureOf(event.error) }) },
          ...changes.invoke,
        },
        ...changes.asking,
      },
      shown: { tags: ['form'] },
      failed: { tags: ['failed'], on: { retry: { target: 'asking' } }, ...changes.failed },
    },
  });

function faultsIn(machine: AnyStateMachine): string[] {
  const model = modelOf(machine as ReturnType<typeof toy>)({ answers: { ask: { one: { count: 1 } } }, events: {} }); // all toys have one setup
  return situationFaults(happeningOn(model, pathsThrough(model)));
}

describe('the check of states on generated paths', () => {
  it('accepts a machine whose failures are shown and responses kept', () => {
    expect(faultsIn(toy())).toEqual([]);
  });

  it.each([
    [
      'a failure that is not stored',
      toy({ invoke: { onError: { target: 'failed' } } }),
      'toy "failed" failed and does not say why',
    ],
    [
      'a failure in a state that does not show it',
      toy({ failed: { tags: ['form'] } }),
      'toy "asking" does not tell that ask failed',
    ],
    [
      'a failure that is not cleared on a retry',
      toy({ asking: { entry: [] } }),
      'toy "asking" still tells what had failed before retry',
    ],
    [
      'a response that is not stored',
      toy({ invoke: { onDone: { target: 'shown' } } }),
      'toy "asking" does not keep what ask answers',
    ],
    [
      'a response without a transition',
      toy({ invoke: { onDone: { actions: assign({ count: 1 }) } } }),
      'toy "asking" stays as it is by xstate.done.actor.ask',
    ],
    [
      'a retry without an effect',
      toy({ failed: { on: { retry: { target: 'failed' } } } }),
      'toy "failed" stays as it is by retry',
    ],
    [
      'a context value that is lost',
      toy({ invoke: { onDone: { target: 'shown', actions: base.assign({ count: () => undefined as never }) } } }),
      'toy "shown" has lost its count',
    ],
  ])('reports %s', (_, machine, fault) => {
    expect(faultsIn(machine)).toContain(fault);
  });
});
