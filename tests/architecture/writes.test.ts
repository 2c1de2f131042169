import { describe, expect, it } from 'vitest';
import { setup, type AnyStateMachine, type AnyStateNode, type AnyTransitionDefinition } from 'xstate';
import { effectsOf, effect, actionTexts } from '#machines/lib/effect.ts';
import { allMachines } from '#tests/support/machines.ts';
import { statesOf } from '#tests/support/pathsFaults.ts';

const within = (node: AnyStateNode, outer: AnyStateNode): boolean =>
  node === outer || (node.parent !== undefined && within(node.parent, outer));

/** The states that are entered with a state: itself, its parents and its initial states. */
function enteredWith(node: AnyStateNode): AnyStateNode[] {
  const around = (inner: AnyStateNode): AnyStateNode[] => [inner, ...(inner.parent ? around(inner.parent) : [])];
  const inside = (outer: AnyStateNode): AnyStateNode[] =>
    outer.initial.target.flatMap((first) => [first, ...inside(first)]);
  return [...around(node), ...inside(node)];
}

/** Whether a transition enters a state, from another state or by re-entry. */
const enters = ({ source, target = [], reenter }: AnyTransitionDefinition, state: AnyStateNode): boolean =>
  (reenter || !within(source, state) || source === state) &&
  target.some((each) => enteredWith(each).includes(state) && (within(state, each) || !within(source, state)));

/** The cause of a transition other than the user; '' for a user's event or the end of the same write. */
function unasked(transition: AnyTransitionDefinition, state: AnyStateNode, name: string): string {
  const eventType = String(transition.eventType);
  // The journey that invokes it begins it: tests/support/pathsRules.ts checks by which event.
  if (transition.source.id === 'message.starting') return '';
  if (eventType === '') return 'always';
  // The next queued change, which the user has made.
  if (transition.source === state && eventType === `xstate.done.actor.${name}`) return '';
  // The page acknowledges a secret that the user requested, so that the server deletes its copy.
  if (name === 'confirmKey' && eventType === 'xstate.done.actor.revealKey') return '';
  return /^(xstate|facts|journey|poll)\./.test(eventType) ? eventType : '';
}

/** Each way to an effect that writes without an event of the user. */
function unaskedWrites(machine: AnyStateMachine): string[] {
  const ports = effectsOf(machine);
  const nodes = [machine.root as AnyStateNode, ...statesOf(machine)];
  const transitions = nodes.flatMap(({ always = [], transitions: on }) => [...always, ...[...on.values()].flat()]);
  return nodes.flatMap((state) =>
    state.invoke
      .map(({ id }) => id) // the name of the port, see flawsOf
      .filter((name) => ports[name]?.declared.kind === 'writes')
      .flatMap((name) => [
        ...(enteredWith(machine.root).includes(state) ? [`${state.id} runs ${name} at the start`] : []),
        ...transitions
          .filter((transition) => enters(transition, state))
          .map((transition) => ({ from: transition.source.id, by: unasked(transition, state, name) }))
          .flatMap(({ from, by }) => (by === '' ? [] : `${state.id} runs ${name} from ${from} by ${by}`)),
      ]),
  );
}

const machines = await allMachines();

describe('an effect that writes', () => {
  it('is declared by the machines of payments, debtors, creditors and onboarding', () => {
    const writes = machines.flatMap((machine) =>
      Object.entries(effectsOf(machine)).flatMap(([name, { declared }]) => (declared.kind === 'writes' ? [name] : [])),
    );
    expect(writes).toEqual(expect.arrayContaining(['pay', 'send', 'createSubscription', 'submit']));
  });

  it.each(machines.map((machine) => [machine.id, machine] as const))(
    'runs in %s only after an event of the user',
    (_, machine) => {
      expect(unaskedWrites(machine)).toEqual([]);
    },
  );

  const base = setup({
    types: { events: {} as { type: 'go' } },
    actors: { write: effect<void, void>('writes', actionTexts('It is written')) },
    delays: { pause: 1000 },
  });
  const invoke = { id: 'write', src: 'write', onDone: 'open', onError: 'open' } as const;

  it.each([
    [
      'at the start',
      base.createMachine({ initial: 'open', states: { open: { invoke: { ...invoke } } } }),
      'runs write at the start',
    ],
    [
      'in an eventless transition',
      base.createMachine({
        initial: 'open',
        states: { open: { on: { go: 'deciding' } }, deciding: { always: 'writing' }, writing: { invoke } },
      }),
      'from (machine).deciding by always',
    ],
    [
      'after a delay',
      base.createMachine({ initial: 'open', states: { open: { after: { pause: 'writing' } }, writing: { invoke } } }),
      'from (machine).open by xstate.after.pause.(machine).open',
    ],
    [
      'in the initial state of a group',
      base.createMachine({
        initial: 'open',
        states: {
          open: { after: { pause: 'group' } },
          group: {
            initial: 'writing',
            states: { writing: { invoke: { ...invoke, onDone: '#(machine).open', onError: '#(machine).open' } } },
          },
        },
      }),
      '(machine).group.writing runs write from (machine).open by xstate.after',
    ],
    [
      'again after its own failure',
      base.createMachine({
        initial: 'open',
        states: {
          open: { on: { go: 'writing' } },
          writing: { invoke: { ...invoke, onError: { target: 'writing', reenter: true } } },
        },
      }),
      'by xstate.error.actor.write',
    ],
  ])('is reported if it runs %s', (_, machine, fault) => {
    expect(unaskedWrites(machine).join()).toContain(fault);
  });

  it('is not reported if it runs after an event of the user', () => {
    const machine = base.createMachine({
      initial: 'open',
      states: { open: { on: { go: 'writing' } }, writing: { invoke } },
    });
    expect(unaskedWrites(machine)).toEqual([]);
  });
});
