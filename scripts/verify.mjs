/** Judges a program that pays: see `--help`. Started by start.mjs, or by `npm run verify`. */
import { exitWith, interruption } from './processes.mjs';
import { join } from 'node:path';
import { isPacked, ready, root } from './ready.mjs';

const args = process.argv.slice(2);
await ready();
const interrupted = interruption(2);
// The folder in which this console is started usually, so that its page shows the verdict.
const dataFolder = process.env.DATA_DIR || (isPacked ? '.payments-out' : join(root, '.data'));
const { main } = await import('../dist/server/verify.js');
const code = await main(
  args[0] === 'verify' ? args.slice(1) : args,
  { env: process.env, interrupted, dataFolder },
  { print: (line) => console.log(line), complain: (line) => console.error(line) },
);
await exitWith(code);
