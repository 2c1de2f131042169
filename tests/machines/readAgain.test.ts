import { describe, expect, it } from 'vitest';
import { createActor, type AnyStateMachine } from 'xstate';
import { consoleMachine } from '#machines/console.machine.ts';
import { resourceMachine, type ResourceKind } from '#machines/lib/resource.machine.ts';
import { programsMachine } from '#machines/lab/programs.machine.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';

const retry = { type: 'retry' } as const;

const read: ResourceKind = { reads: 'at once' };
const lists: readonly (readonly [
  name: string,
  machine: AnyStateMachine,
  effect: string,
  input: ResourceKind | undefined,
])[] = [
  ['resource', resourceMachine, 'read', read],
  ['tokens', programsMachine, 'readPrograms', undefined],
];

describe.each([
  ['can be mended by a repetition', failure, true],
  ['is a request that is refused each time', { ...failure, code: 'forbidden' as const }, false],
  ['is a record of another user', { ...failure, code: 'company-unknown' as const }, false],
])('A failure that %s', (_, problem, isOffered) => {
  it.each(lists)(
    `${isOffered ? 'offers' : 'offers no'} retry of the %s (behaviour 10.2.5)`,
    async (_, machine, effect, input) => {
      const { refuse, actor } = live(machine, { input: input as never }); // the machine's own
      await refuse(effect, problem);
      expect(actor.getSnapshot().can(retry)).toBe(isOffered);
    },
  );

  it.each([
    ['that do not arrive', { type: 'facts.failed', failure: problem }],
    [
      'of which a part could not be read',
      { type: 'facts.arrived', facts: withFacts(everything, { unread: ['providers'], unreadBecause: problem }) },
    ],
  ] as const)(`${isOffered ? 'offers' : 'offers no'} retry of the facts %s (behaviour 10.2.5)`, (_, event) => {
    const actor = createActor(consoleMachine).start();
    actor.send(event);
    expect(actor.getSnapshot().can(retry)).toBe(isOffered);
  });
});
