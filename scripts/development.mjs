/**
 * What commands for development need first: their packages. Then runs the file of TypeScript that is named after it in this
 * process, which ends with npm: a process in between, such as tsx's own, would go on without it.
 */
import { readyForDevelopment, runTypeScript } from './ready.mjs';

await readyForDevelopment();
await runTypeScript();
