/** What each command of this folder needs first: the packages of the project, and those of this folder. */
import { readyTools } from '../scripts/ready.mjs';

await readyTools();
