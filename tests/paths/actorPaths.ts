import { env } from 'node:process';
import { createActor, SimulatedClock, toPromise, type AnyMachineSnapshot } from 'xstate';
import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { usersEvents } from '#machines/lib/chartOf.ts';
import { journeysIn, type Area, type JourneyId } from '#machines/journeys.ts';
import { effectsOf } from '#machines/lib/effect.ts';
import { models } from '#tests/machines/models.ts';
import { allPaths, record, simpleLength } from '#tests/support/coverage.ts';
import { causeOf, pathsThrough, simplePathsThrough, type Model, type Path, type Step } from '#tests/support/paths.ts';
import { faultsOf } from '#tests/support/pathsFaults.ts';
import { deadEnds, deafTo, unaskedWrites, unsaid } from '#tests/support/pathsRules.ts';
import { nowhere, replay } from '#tests/support/pathsReplay.ts';
import { situationFaults } from '#tests/support/situations.ts';

/** Whether only the verdict matters, as when testing a mutant; then each step is walked at least once. */
const isVerdictOnly = env['VERDICT_ONLY'] === 'true';

/** The paths without those that have no step of their own: from a state, or a situation that a call ends, to a state. */
function varied({ machine, reads }: Model, paths: readonly Path[]): Path[] {
  const seen = new Set<string>();
  const nameOf = ({ value, context }: AnyMachineSnapshot, { event, name, snapshot }: Step) =>
    JSON.stringify([value, name, snapshot.value, causeOf(machine, event).cause === 'user' ? null : reads(context)]);
  return paths.filter(({ start, steps }) => {
    const before = seen.size;
    seen.add(JSON.stringify(start.value));
    steps.forEach((step, at) => seen.add(nameOf(steps[at - 1]?.snapshot ?? start, step)));
    return seen.size > before;
  });
}

/** Generates the tests of the machines of an area. */
export const testPathsOf = (area: Area): void => journeysIn(area).forEach((id) => testPaths(id, models[id]));

/** Generates the tests of a journey's machine: its paths cover everything, and each path holds on a running machine. */
function testPaths(id: JourneyId, model: Model): void {
  const paths = isVerdictOnly ? varied(model, pathsThrough(model)) : pathsThrough(model);
  const ports = Object.entries(effectsOf(model.machine));
  describe(`the paths through ${id}`, () => {
    it('belong to a machine named after its journey, with text for each state and event', () => {
      expect(model.machine.id).toBe(id);
      expect(unsaid(model.machine)).toEqual([]);
      expect(() => usersEvents(model.machine)).not.toThrow();
    });

    it('make no write without an event of the user', () => {
      expect(unaskedWrites(model.machine, paths)).toEqual([]);
    });

    it('can be cancelled in each resting state and retried in each failed one', () => {
      expect(deadEnds(model.machine, paths)).toEqual([]);
    });

    it('take new facts in each state, or the model states why not', () => {
      expect(deafTo(model, paths)).toEqual([]);
    });

    it('reach each state and take each transition', async (test) => {
      const walk = nowhere();
      expect(await faultsOf(model, paths, walk)).toEqual([]);
      record(test, id, 'a', { shortest: paths.length, walk });
    });

    it.skipIf(isVerdictOnly)(
      `hold on an actor with each simple path of at most ${simpleLength} steps`,
      async (test) => {
        const simple = simplePathsThrough(model, simpleLength);
        for (const path of simple) await replay(model, path);
        record(test, id, 'a', { simple: simple.length });
        expect(simple.length).toBeGreaterThan(0);
      },
      600_000,
    );

    it('lead to states that the page can draw, with failures announced and responses kept', () => {
      expect(situationFaults(model, paths)).toEqual([]);
    });

    it.each(ports)('name the effect %s if it has no implementation', async (name, port) => {
      const clock = new SimulatedClock();
      const failing = toPromise(createActor(port, { id: name, input: undefined, clock }).start());
      clock.increment(webhookPollInterval);
      await expect(failing).rejects.toThrow(`No implementation was supplied for the effect ${name}`);
    });

    // Each has been walked above; here each is named, of several that fail as well.
    for (const path of allPaths && !isVerdictOnly ? paths : []) {
      it(path.name, async () => {
        await expect(replay(model, path)).resolves.toBeUndefined();
      });
    }
  });
}
