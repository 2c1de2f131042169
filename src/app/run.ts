import { pages as allPages, type Pages } from './pages.ts';
import { runWith, type ConsoleActor, type RunOptions as Options } from './running.ts';

export { stepOf, type ConsoleActor } from './running.ts';

export type RunOptions = Omit<Options, 'pages'> & { pages?: Pages | undefined };

/** Creates and starts the console's machine with the implementations for the browser. */
export const run = ({ pages = allPages, ...options }: RunOptions): ConsoleActor => runWith({ pages, ...options });
