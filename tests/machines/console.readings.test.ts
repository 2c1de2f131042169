import { describe, expect, it } from 'vitest';
import { createActor, type AnyMachineSnapshot } from 'xstate';
import { consoleLogic } from '#app/console/consoleActor.ts';
import type { CallName } from '#contract/calls.ts';
import { journeyOrder, type JourneyId } from '#machines/journeys.ts';
import type { JourneyOutput } from '#machines/lib/gate.ts';
import type { Facts } from '#contract/facts.ts';
import { deferred, settled } from '#tests/support/deferredPorts.ts';
import { pathsThrough, type Path } from '#tests/support/paths.ts';
import { nowhere, walkOn } from '#tests/support/pathsReplay.ts';
import { models } from './models.ts';

/** The call by which a journey creates a company, which is then the one that calls go out for. */
const switches: Partial<Record<JourneyId, CallName>> = { organisation: 'createOrganisation', company: 'createCompany' };

const hasSucceeded = ({ steps }: Path): boolean => {
  const end = steps.at(-1)?.snapshot;
  return end?.status === 'done' && (end.output as JourneyOutput | undefined)?.type === 'succeeded';
};

/** The shortest way of a journey to its goal on which no news of the facts arrives; undefined if it has none. */
const wayOf = (id: JourneyId): Path | undefined =>
  pathsThrough(models[id])
    .filter((path) => hasSucceeded(path) && path.steps.every(({ event }) => event.type !== 'facts.arrived'))
    .toSorted((a, b) => a.steps.length - b.steps.length)[0];

const ways = journeyOrder.map((id) => [id, wayOf(id)] as const);
const reaching = ways.filter((each): each is readonly [JourneyId, Path] => each[1] !== undefined);

/** The journeys that have no end: their ways with the most steps. */
const others = journeyOrder.flatMap((id) =>
  wayOf(id)
    ? []
    : [
        [
          id,
          pathsThrough(models[id])
            .toSorted((a, b) => b.steps.length - a.steps.length)
            .slice(0, 5),
        ] as const,
      ],
);

/**
 * How often the facts are read on the way, because of its last step, by which the journey may reach its goal, and how
 * often the journey says that they have changed.
 */
async function readingsOn(id: JourneyId, path: Path): Promise<{ all: number; atEnd: number; changes: number }> {
  const ports = deferred(models[id].machine);
  const { facts } = path.input as { facts: Facts };
  let readings = 0;
  const logic = consoleLogic({
    load: () => ((readings += 1), Promise.resolve(facts)),
    loadJourney: () => Promise.resolve({ machine: ports.machine, input: () => path.input as object }),
  });
  const actor = createActor(logic, { clock: ports.clock }).start();
  actor.send({ type: 'address.changed', opening: { journey: id, guided: false, back: null, query: '' } });
  for (let turns = 0; turns < 3; turns += 1) await settled();
  const step = actor.getSnapshot().context.step!; // opened with facts and code
  actor.on('go', () => actor.send({ type: 'address.changed', opening: null }));
  let [before, changes] = [0, 0];
  step.on('facts.changed', () => (changes += 1));
  const opened = readings;
  /** Causes an event of the way; the last one is the answer with which the journey reaches its goal. */
  const cause = async (run: () => Promise<void>) => {
    before = readings;
    const by = switches[id];
    const isCreating = (step.getSnapshot() as AnyMachineSnapshot).hasTag('busy'); // journeys are machines
    if (by && isCreating) actor.send({ type: 'company.switched', by });
    await run();
  };
  const stage = {
    answer: (name: string, output?: unknown) => cause(() => ports.answer(name, output)),
    refuse: (name: string, problem: Parameters<typeof ports.refuse>[1]) => cause(() => ports.refuse(name, problem)),
    pass: ports.pass,
    isAsked: ports.isAsked,
    act: (event: { type: string }) => cause(async () => (step.send(event), settled())),
    snapshot: () => step.getSnapshot() as AnyMachineSnapshot, // journeys are machines
    close: () => undefined,
  };
  await walkOn(stage, models[id], path, nowhere());
  for (let turns = 0; turns < 3; turns += 1) await settled();
  actor.stop();
  return { all: readings - opened, atEnd: readings - before, changes };
}

describe('the facts', () => {
  it('change by the success of the journeys that end with one', () => {
    expect(reaching.map(([id]) => id).join(' ')).toBe(
      'settings organisation company account dataset subscription bankSubscription debtor creditor electronicPayment filePayment',
    );
  });

  it.each(reaching)('are read once after the success of %s', async (id, path) => {
    expect((await readingsOn(id, path)).atEnd).toBe(1);
  });

  it.each(others)('are read once for each change that %s reports, and for nothing else', async (id, paths) => {
    for (const path of paths) {
      const { all, changes } = await readingsOn(id, path);
      expect([path.name, all]).toEqual([path.name, changes]);
    }
  });
});
