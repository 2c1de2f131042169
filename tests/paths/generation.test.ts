import { describe, expect, it } from 'vitest';
import { setup, type AnyStateMachine } from 'xstate';
import type { Tag } from '#machines/lib/state.ts';
import { readOneTexts, effect } from '#machines/lib/effect.ts';
import { modelOf, pathsThrough } from '#tests/support/paths.ts';
import { faultsOf } from '#tests/support/pathsFaults.ts';
import { replay } from '#tests/support/pathsReplay.ts';

const base = setup({
  types: {
    context: {} as { count: number },
    events: {} as { type: 'go' } | { type: 'add'; by: number },
    tags: {} as Tag,
  },
  actors: { ask: effect<void, number>('reads', readOneTexts('The answer')) },
  delays: { pause: 500 },
  guards: { never: () => false, isMany: ({ context }) => context.count > 1 },
});

const description = 'A state';
const at = { id: 'toy', context: { count: 0 }, initial: 'start' } as const;
const model = (machine: AnyStateMachine, answers = { one: 1 }) =>
  modelOf(machine as ReturnType<typeof sound>)({ answers: { ask: answers }, events: { add: () => [{ by: 1 }] } }); // all toys have one setup

const sound = () =>
  base.createMachine({
    ...at,
    states: {
      start: { description, on: { go: 'asking' } },
      asking: { description, invoke: { id: 'ask', src: 'ask', onDone: 'pausing', onError: 'start' } },
      pausing: { description, after: { pause: 'end' } },
      end: { description, type: 'final' },
    },
  });

describe('the check of generated paths', () => {
  it('reports nothing for a machine without faults', async () => {
    expect(await faultsOf(model(sound()))).toEqual([]);
    expect(pathsThrough(model(sound())).map(({ name }) => name)).toEqual([
      'A state after go, ask gives one, pause passes',
      'A state after go, ask fails',
    ]);
  });

  it('reports an unreachable state and the transition that would lead to it', async () => {
    const machine = base.createMachine({
      ...at,
      states: {
        start: { description, on: { go: [{ guard: 'never', target: 'lost' }, { target: 'end' }] } },
        lost: { description },
        end: { description, type: 'final' },
      },
    });
    expect(await faultsOf(model(machine))).toEqual([
      'Never reached: toy.lost',
      'Never reached: toy.start: go, branch 1, to toy.lost',
    ]);
  });

  it('reports an unhandled failure of an effect and the path on which the machine crashes', async () => {
    const machine = base.createMachine({
      ...at,
      states: {
        start: { description, on: { go: 'asking' } },
        asking: { description, invoke: { id: 'ask', src: 'ask', onDone: 'end' } },
        end: { description, type: 'final' },
      },
    });
    expect(await faultsOf(model(machine))).toEqual([
      'toy.asking does not handle a failure of ask',
      'The machine dies: A state after go, ask fails',
    ]);
  });

  it('reports a machine that crashes at its start', async () => {
    const machine = base.createMachine({ ...at, states: {} });
    expect(await faultsOf(model(machine))).toEqual([expect.stringMatching('The machine dies')]);
  });

  it('reports a gate without an alert', async () => {
    const machine = base.createMachine({
      ...at,
      states: { start: { description, on: { go: 'gate' } }, gate: { description, tags: 'gate' } },
    });
    expect(await faultsOf(model(machine))).toEqual(['toy.gate is a gate without an alert']);
  });

  it('reports a state without description, an undecided state and a wrong invocation id', async () => {
    const machine = base.createMachine({
      ...at,
      states: {
        start: { on: { go: 'choosing' } },
        choosing: { always: { guard: 'isMany', target: 'asking' } },
        asking: { description, invoke: { id: 'other', src: 'ask', onDone: 'start', onError: 'start' } },
      },
    });
    expect(await faultsOf(model(machine))).toEqual(
      expect.arrayContaining([
        'toy.start has no description',
        'toy.choosing may stay undecided',
        'toy.asking invokes "ask" under the id other',
      ]),
    );
  });

  it('throws for a model without a response for an invoked effect', () => {
    expect(() => pathsThrough({ ...model(sound()), answers: {} })).toThrow('no answer for the port ask');
  });

  it('distinguishes situations by what guards read, and misses transitions without that', async () => {
    const machine = base.createMachine({
      ...at,
      states: {
        start: {
          description,
          on: {
            add: { actions: base.assign(({ context }) => ({ count: Math.min(context.count + 1, 2) })) },
            go: 'choosing',
          },
        },
        choosing: { always: [{ guard: 'isMany', target: 'many' }, { target: 'few' }] },
        few: { description },
        many: { description },
      },
    });
    const told = { ...model(machine), reads: (context: unknown) => (context as { count: number }).count };
    expect(await faultsOf(told)).toEqual([]);
    expect(await faultsOf({ ...told, reads: () => null })).toContain('Never reached: toy.many');
  });
});

describe('the replay of a path', () => {
  it('stops where the running machine deviates from the path', async () => {
    const [path] = pathsThrough(model(sound()));
    const shortcut = base.createMachine({
      ...at,
      states: {
        start: { description, on: { go: 'asking' } },
        asking: { description, invoke: { id: 'ask', src: 'ask', onDone: 'end', onError: 'start' } },
        end: { description, type: 'final' },
      },
    });
    if (!path) throw new Error('The sound machine has paths');
    await expect(replay(model(shortcut), path)).rejects.toThrow(
      'After ask gives one: the machine is in end (done) and should be in pausing (active)',
    );
  });
});
