/** Copies an SQLite store to PostgreSQL. */
import { ready } from './ready.mjs';

await ready();
await import('../dist/server/copyStore.js');
