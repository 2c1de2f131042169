/** Encrypts a PostgreSQL store under another key while servers work. */
import { ready } from './ready.mjs';

await ready();
await import('../dist/server/changeKey.js');
