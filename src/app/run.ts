import { pages as allPages, type Pages } from './pages.ts';
import { runWith, type ConsoleActor, type RunOptions as Options } from './running.ts';

export { stepOf, type ConsoleActor } from './running.ts';

export type RunOptions = Omit<Options, 'pages' | 'left'> & { pages?: Pages | undefined };

/** Records a finished journey, so that it can be saved as a file; loads the code for that when a journey is left. */
const left: Options['left'] = (journey, snapshot) =>
  void import('./walks/kept.ts').then(({ keepWalked }) => keepWalked(journey, snapshot)).catch(() => undefined);

/** Creates and starts the console's machine with the implementations for the browser. */
export const run = ({ pages = allPages, ...options }: RunOptions): ConsoleActor => runWith({ pages, left, ...options });
