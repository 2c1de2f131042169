/** What each command of this folder needs first: the packages of the project, and those of this folder. Runs a file as `scripts/development.mjs` does. */
import { readyTools, runTypeScript } from '../scripts/ready.mjs';

await readyTools();
await runTypeScript();
