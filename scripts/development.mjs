/** What `npm run check` and other commands for development need first: their packages. */
import { readyForDevelopment } from './ready.mjs';

await readyForDevelopment();
