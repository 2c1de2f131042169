/** Judges a program that pays: see `--help`. Started by start.mjs, or by `npm run verify`. */
import { exitWith } from './processes.mjs';
import { join } from 'node:path';
import { isPacked, ready, root } from './ready.mjs';

const args = process.argv.slice(2);
await ready();
// The reader of the output may end before the verification, whose exit status still counts.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
// The programs are ended; a second signal does not wait for that.
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(2);
    interrupted.abort(new Error(`${signal} was received`));
  });
// The folder in which this console is started usually, so that its page shows the verdict.
const dataFolder = process.env.DATA_DIR || (isPacked ? '.payments-out' : join(root, '.data'));
const { main } = await import('../dist/server/verify.js');
const code = await main(
  args[0] === 'verify' ? args.slice(1) : args,
  { env: process.env, interrupted: interrupted.signal, dataFolder },
  { print: (line) => console.log(line), complain: (line) => console.error(line) },
);
await exitWith(code);
