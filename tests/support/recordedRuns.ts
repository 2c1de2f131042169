import { describe, expect, it } from 'vitest';
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import { live } from './deferredPorts.ts';
import { activeNodes } from '#machines/lib/state.ts';
import { flawsOf, missedBy } from './pathsFaults.ts';
import { nowhere, recordInto, type Walk } from './pathsReplay.ts';
import { unsaid } from './pathsRules.ts';

const walks = new Map<AnyStateMachine, Walk>();

/** Runs a machine and records what it enters and takes, for `describeWatched`. */
export function run<M extends AnyStateMachine>(machine: M, input?: unknown) {
  const walk = walks.get(machine) ?? nowhere();
  walks.set(machine, walk);
  const running = live(machine, { inspect: recordInto(walk), ...(input !== undefined && { input: input as never }) }); // the machine's own
  const now = () => running.actor.getSnapshot() as AnyMachineSnapshot; // of any of the machines
  const note = () => activeNodes(now()).forEach(({ id }) => walk.entered.add(id));
  running.actor.subscribe(note);
  note();
  return {
    ...running,
    at: () => now().value as unknown,
    context: () => now().context as Record<string, unknown>, // of any of the machines
    can: (event: EventObject) => now().can(event),
    sends: (event: EventObject) => running.send(event as never), // one of the machine's
  };
}

/** Tests at the end of a file that its tests of these machines have been everywhere. */
export function describeWatched(...machines: AnyStateMachine[]): void {
  describe.each(machines.map((each) => [each.id, each] as const))('the chart of %s', (_, machine) => {
    it('has no flaw, is told in words, and every state and transition of it is tested above', () => {
      expect(flawsOf(machine)).toEqual([]);
      expect(unsaid(machine)).toEqual([]);
      expect(missedBy(machine, walks.get(machine) ?? nowhere())).toEqual([]);
    });
  });
}
