import { scenarioAt } from '#runner/practice.ts';
import { bringAbout, rehearse, type Lab } from '#runner/rehearse.ts';
import type { Scenario } from '#runner/scenarios.ts';
import { situations, type SituationId } from '#runner/situations.ts';
import type { ConsoleActor } from '../console/consoleActor.ts';
import { pageLab, restore, sequenceFromHere } from '../effects/practice.ts';
import { perform, type Go } from './playRun.ts';
import { keepOutcome } from './outcomes.ts';
import type { Playing } from './runStorage.ts';

/** Rehearses in the page with a walker of the page's own machine; navigates to the address of `next` at the end. */
async function rehearseHere(
  actor: ConsoleActor,
  go: Go,
  { name, right, next }: { name: string; right: string; next: () => Promise<string> | string },
  walk: (...hands: [Parameters<typeof rehearse>[1], Lab]) => Promise<{ because: string }>,
): Promise<void> {
  const rehearsal = { name, right, journey: null };
  await perform(
    actor,
    go,
    { walks: [], at: 0, state: 'running', says: '', rehearsal } satisfies Playing,
    ({ now }) => ({
      patient: false,
      visit: () => Promise.resolve(),
      tell(event) {
        if ('begins' in event) now({ rehearsal: { ...rehearsal, journey: event.begins } });
      },
    }),
    async (walker) => {
      const lab = pageLab();
      try {
        return (await walk(walker, lab)).because;
      } finally {
        await lab.end();
        go(await next());
      }
    },
  );
}

/** Establishes a situation in console and sandbox, by the journeys that lead to it. */
export const playSituation = (actor: ConsoleActor, go: Go, id: SituationId): Promise<void> =>
  rehearseHere(
    actor,
    go,
    { name: situations[id].name, right: 'this is how things are now.', next: () => '/' },
    (walker, lab) => bringAbout(id, walker, lab),
  );

/**
 * Rehearses a scenario in a company of its own, stores the outcome, and restores company and settings. Opens the
 * sequence of what happened at the end.
 */
export async function playScenario(actor: ConsoleActor, go: Go, scenario: Scenario): Promise<void> {
  const { id, name, shows } = scenario;
  const timeline = () => Promise.resolve('/timeline');
  const sequence = await sequenceFromHere().catch(() => timeline);
  const next = () => sequence().catch(timeline);
  await rehearseHere(actor, go, { name, right: `passed. ${shows}`, next }, async (walker, lab) => {
    const rehearsed = await rehearse(scenario, walker, lab, restore);
    keepOutcome(id, rehearsed.because);
    return rehearsed;
  });
}

/** Runs the cell of the matrix in which the response to a payment is lost. */
export const simulateFailure = (actor: ConsoleActor, go: Go): Promise<void> =>
  playScenario(actor, go, scenarioAt('pay', 'answerLost'));
