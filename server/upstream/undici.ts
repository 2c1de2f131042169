import { createRequire } from 'node:module';
import type * as undici from 'undici';

/**
 * The parts of undici that are used. The whole package, with fetch, web sockets and mocks, takes 9 MB and 50 ms more at the
 * start. Its version is pinned, because these paths are not part of its interface.
 */
const require = createRequire(import.meta.url);
export const Agent = require('undici/lib/dispatcher/agent.js') as typeof undici.Agent; // what it exports
export const errors = require('undici/lib/core/errors.js') as typeof undici.errors; // what it exports
