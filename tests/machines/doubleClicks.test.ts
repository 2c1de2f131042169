import { describe, expect, it } from 'vitest';
import { getNextSnapshot, type AnyMachineSnapshot, type AnyStateMachine, type EventObject } from 'xstate';
import type { FormState } from '#machines/lib/form.ts';
import { isUsers } from '../../scripts/charts/origins.ts';
import { journeyOrder } from '#machines/journeys.ts';
import { effectsOf } from '#machines/lib/effect.ts';
import { activeNodes, stateOf } from '#machines/lib/state.ts';
import { models } from '#tests/machines/models.ts';
import { causeOf, pathsThrough } from '#tests/support/paths.ts';

/** The effects that write and run in a snapshot. */
const writing = (machine: AnyStateMachine, snapshot: AnyMachineSnapshot): string =>
  activeNodes(snapshot)
    .flatMap(({ invoke }) => invoke.map(({ id }) => id))
    .filter((id) => effectsOf(machine)[id]?.declared.kind === 'writes')
    .join();

interface Pressed {
  event: EventObject;
  machine: AnyStateMachine;
  at: AnyMachineSnapshot;
}

/** Whether a second press of the same control starts a write, at once or anew. */
function startsAgain({ machine, at, event }: Pressed): boolean {
  if (at.status !== 'active' || !at.can(event)) return false;
  const next = getNextSnapshot(machine, at, event) as AnyMachineSnapshot;
  return writing(machine, next) !== '';
}

/** Whether time passes before an event: a delay, or the response of a poll, which waits before its request. */
const takesTime = (machine: AnyStateMachine, event: EventObject): boolean => {
  const { cause, of } = causeOf(machine, event);
  return cause === 'time' || effectsOf(machine)[of]?.declared.polls === true;
};

/** Controls that set a value: a double click sets the chosen value twice. */
const settingValues: readonly string[] = ['setting.change'];

describe('a control that starts a write', () => {
  it.each(journeyOrder)('on the page of %s acts once on a double click (behaviour 10.6.2)', (id) => {
    const { machine } = models[id];
    const twice = new Set<string>();
    for (const { start, steps } of pathsThrough(models[id])) {
      let pressed: EventObject | null = null;
      for (const [at, { event, snapshot }] of steps.entries()) {
        const before = steps[at - 1]?.snapshot ?? start;
        const began =
          writing(machine, snapshot) !== '' && isUsers(machine, event.type) && !settingValues.includes(event.type);
        if (began) pressed = event;
        // The press counts until time passes, the user does something else or a failure is shown.
        else if (isUsers(machine, event.type) || takesTime(machine, event) || snapshot.hasTag('failed')) pressed = null;
        if (pressed && startsAgain({ machine, at: snapshot, event: pressed }))
          twice.add(`${stateOf(before)} by ${event.type}, then ${pressed.type} in ${stateOf(snapshot)}`);
      }
    }
    expect([...twice]).toEqual([]);
  });
});

describe('the form', () => {
  it.each(journeyOrder)('on the page of %s shows no errors while it is sent (behaviour 10.6.3)', (id) => {
    const { machine } = models[id];
    const shown = pathsThrough(models[id])
      .flatMap(({ steps }) => steps.filter(({ event }) => event.type === 'form.submit'))
      .map(({ snapshot }) => snapshot)
      .filter((each) => writing(machine, each) !== '')
      .filter((each) => ((each.context as Partial<FormState>).errors ?? []).length > 0);
    expect([...new Set(shown.map(stateOf))]).toEqual([]);
  });
});
