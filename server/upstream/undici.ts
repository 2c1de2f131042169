import { createRequire } from 'node:module';
import type * as undici from 'undici';

/**
 * The parts of undici that are used. The whole package, with fetch, web sockets and mocks, takes 9 MB more and 50 ms
 * longer to load. The version is pinned, because these paths are not part of its public interface.
 */
const require = createRequire(import.meta.url);
export const Agent = require('undici/lib/dispatcher/agent.js') as typeof undici.Agent; // the module's export
export const errors = require('undici/lib/core/errors.js') as typeof undici.errors; // the module's export
