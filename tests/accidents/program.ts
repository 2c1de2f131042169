import { call } from '#app/api/client.ts';
import { locationAt } from '#app/console/journeyLocation.ts';
import { startConsole, type ConsoleActor } from '#app/console/consoleActor.ts';
import { suppliedJourneys } from '#app/effects/journeys.ts';

/** Starts the page's program without its screens; run in a tab (tab.ts). Returns the console's machine. */
export const start = (clock: Parameters<typeof startConsole>[1]): ConsoleActor =>
  startConsole({ load: () => call('getFacts', {}), loadJourney: (id) => Promise.resolve(suppliedJourneys[id]) }, clock);

export { locationAt };
