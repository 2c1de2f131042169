import { describe, expect, it } from 'vitest';
import { fromPromise, setup } from 'xstate';
import { chartOf, usersEvents } from '../../scripts/charts/chartOf.ts';
import { isUsers, originOf, reportsTo, typesOf } from '../../scripts/charts/origins.ts';
import { allMachines } from '#tests/support/machines.ts';

const doing = /^(Press|Choose|Change|Fill|Open|Tick|Type) /;

describe('the origin of an event', () => {
  const inner = setup({ actors: { ask: fromPromise(() => Promise.resolve(1)) }, delays: { rest: 500 } }).createMachine({
    id: 'inner',
    initial: 'asking',
    states: { asking: { invoke: { id: 'ask', src: 'ask' }, after: { rest: 'asking', 250: 'asking' } } },
  });
  const toy = setup({ actors: { inner, 'a.b': fromPromise(() => Promise.resolve(1)) } }).createMachine({
    id: 'toy',
    initial: 'open',
    on: { 'poll.now': {}, 'journey.leave': {}, 'xstate.like': {}, 'facts.arrived': {} },
    states: { open: { invoke: [{ id: 'inner', src: 'inner' }, { id: 'a.b', src: 'a.b' }] } }, // prettier-ignore
  });

  it.each([
    [typesOf('inner').done, { cause: 'answer', of: 'inner' }],
    [typesOf('inner').told, { cause: 'answer', of: 'inner' }],
    [typesOf('a.b').failed, { cause: 'failure', of: 'a.b' }],
    [typesOf('ask').done, { cause: 'answer', of: 'ask' }],
    ['xstate.after.rest.inner.asking', { cause: 'time', of: 'rest' }],
    ['xstate.after.250.inner.asking', { cause: 'time', of: '250' }],
    [typesOf('step').failed, { cause: 'failure', of: 'step' }],
  ])('is what the machine, or one that it invokes, has invoked or waited for: %s', (type, origin) => {
    expect(originOf(toy, type)).toEqual(origin);
    expect(isUsers(toy, type)).toBe(false);
  });

  it.each(['poll.now', 'journey.leave', 'xstate.like'])('is the user, whatever the event is called: %s', (type) => {
    expect([originOf(toy, type), isUsers(toy, type)]).toEqual([undefined, true]);
  });

  it.each(['facts.arrived', 'never.heard', 'xstate.init'])(
    'is not the user of a report, nor of what no state hears: %s',
    (type) => {
      expect([originOf(toy, type), isUsers(toy, type)]).toEqual([undefined, false]);
    },
  );
});

describe('the events of the machines', async () => {
  const machines = await allMachines();

  it.each(machines.map((machine) => [machine.id, machine] as const))(
    'of %s are told as what the user does exactly if they are the user’s',
    (_, machine) => {
      const users = [...usersEvents(machine)].flatMap(([, words]) => [...words]);
      const others = chartOf(machine).transitions.filter(({ cause }) => !['user', 'none'].includes(cause));
      expect(users.filter((words) => !doing.test(words))).toEqual([]);
      expect(others.filter(({ words }) => doing.test(words))).toEqual([]);
    },
  );

  it.each(machines.map((machine) => [machine.id, machine] as const))(
    'of %s include each report that it declares, and each report is told as a cause that is not the user',
    (_, machine) => {
      const reports = reportsTo(machine);
      const declared = (machine.root.meta as { reports?: string[] } | undefined)?.reports ?? []; // as describe.ts has it
      expect(declared.filter((type) => !(machine.events as string[]).includes(type))).toEqual([]);
      const told = chartOf(machine).transitions.filter(({ event }) => reports.includes(event));
      expect(told.filter(({ cause }) => cause !== 'answer')).toEqual([]);
    },
  );
});
