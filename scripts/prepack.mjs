/** Prepares what `npm pack` packs. */
import { ready } from './ready.mjs';

await ready();
