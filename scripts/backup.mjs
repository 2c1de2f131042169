/** Copies the SQLite files of console and sandbox into a folder. */
import { ready } from './ready.mjs';

ready();
await import('../dist/server/backup.js');
