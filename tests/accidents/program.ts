import { call } from '#app/client/client.ts';
import { locationAt } from '#app/console/journeyLocation.ts';
import { startConsole, type ConsoleActor } from '#app/console/consoleActor.ts';
import { suppliedJourneys } from '#app/effects/journeys.ts';
import { pageLab, restore } from '#app/effects/practice.ts';
import { rehearse as rehearsed } from '#runner/rehearse.ts';
import { createWalker, type Hands } from '#runner/runJourney.ts';
import { scenarios } from '#runner/scenarios.ts';

/** Starts the page's program without its screens; run in a tab (tab.ts). Returns the console's machine. */
export const start = (clock: Parameters<typeof startConsole>[1]): ConsoleActor =>
  startConsole({ load: () => call('getFacts', {}), loadJourney: (id) => Promise.resolve(suppliedJourneys[id]) }, clock);

/**
 * Rehearses a scenario, as the page's worker does (src/app/tools/lab/rehearsal.worker.ts). Returns what the console did wrong;
 * '' if nothing.
 */
export async function rehearse(
  actor: ConsoleActor,
  hands: Pick<Hands, 'go' | 'pause' | 'now'>,
  id: string,
): Promise<string> {
  const scenario = scenarios.find((each) => each.id === id);
  if (!scenario) throw new Error(`No scenario is called ${id}`);
  const walker = createWalker(actor, { ...hands, patient: false, visit: () => Promise.resolve() });
  const lab = pageLab();
  try {
    return (await rehearsed(scenario, walker, lab, restore)).because;
  } finally {
    walker.stop();
    await lab.end();
  }
}

export { locationAt };
