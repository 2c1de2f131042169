import { version as published } from '../package.json' with { type: 'json' };

/** The console's version. */
export const version: string = published;
