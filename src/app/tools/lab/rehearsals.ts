import { scenarioAt } from '#runner/practice.ts';
import { bringAbout } from '#runner/rehearse.ts';
import type { Scenario } from '#runner/scenarios.ts';
import { situations, type SituationId } from '#runner/situations.ts';
import type { ConsoleActor } from '#app/console/consoleActor.ts';
import { pageLab, sequenceFromHere, settingsFromHere } from '#app/effects/practice.ts';
import { rehearseInBackground } from './background.ts';
import { perform, walkInPage, type Go } from './playRun.ts';
import { keepOutcome } from './outcomes.ts';
import type { Playing } from '#app/console/runStorage.ts';

type Rehearsal = NonNullable<Playing['rehearsal']>;

const begun = (rehearsal: Rehearsal): Playing => ({ walks: [], at: 0, state: 'running', says: '', rehearsal });

/**
 * Establishes a situation in console and sandbox, by the journeys that lead to it, which the page shows. Restores the
 * settings that all companies share.
 */
export async function playSituation(actor: ConsoleActor, go: Go, id: SituationId): Promise<void> {
  const rehearsal = {
    name: situations[id].name,
    right: 'created in a new organisation.',
    journey: null,
  };
  await perform(begun(rehearsal), async ({ now, signal }) => {
    const lab = pageLab();
    const restoreSettings = await settingsFromHere();
    const hands: Parameters<typeof walkInPage>[2] = {
      patient: false,
      visit: () => Promise.resolve(),
      tell(told) {
        if ('begins' in told) now({ rehearsal: { ...rehearsal, journey: told.begins } });
      },
    };
    try {
      return (await walkInPage(actor, go, hands, signal, (walker) => bringAbout(id, walker, lab))).because;
    } finally {
      await lab.end();
      await restoreSettings();
      actor.send({ type: 'facts.stale' });
      go('/');
    }
  });
}

/**
 * Rehearses a scenario in a company of its own, in the background: the page stays where it is. Stores the outcome,
 * restores company and settings, and opens the sequence of what happened at the end.
 */
export async function playScenario(go: Go, { id, name, shows }: Scenario): Promise<void> {
  const rehearsal = { name, right: `passed. ${shows}`, journey: null };
  await perform(begun(rehearsal), async ({ now, signal }) => {
    const timeline = () => Promise.resolve('/timeline');
    const sequence = await sequenceFromHere().catch(() => timeline);
    const because = await rehearseInBackground(id, (journey) => now({ rehearsal: { ...rehearsal, journey } }), signal);
    if (signal.aborted) return '';
    keepOutcome(id, because);
    go(await sequence().catch(timeline));
    return because;
  });
}

/** Runs the cell of the matrix in which the response to a payment is lost. */
export const simulateFailure = (go: Go): Promise<void> => playScenario(go, scenarioAt('pay', 'answerLost'));
