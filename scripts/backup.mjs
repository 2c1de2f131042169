/** Copies the SQLite files of console and sandbox into a folder. */
import { ready } from './ready.mjs';

await ready();
await import('../dist/server/backup.js');
