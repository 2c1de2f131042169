import { call } from '#app/client.ts';
import { openingAt } from '#app/opening.ts';
import { run, type ConsoleActor, type RunOptions } from '#app/run.ts';

/** Starts the page's program without its screens; run in a tab (tab.ts). Returns the console's machine. */
export const start = (clock: RunOptions['clock']): ConsoleActor => run({ load: () => call('getFacts', {}), clock });

export { openingAt };
