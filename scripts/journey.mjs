#!/usr/bin/env node
/** Runs journeys without a screen, from any folder: see `--help`. */
import { exitWith } from './processes.mjs';
import { ready, root } from './ready.mjs';

await ready();
// The reader of the output may end before the run, whose exit code still counts.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
// What the run has set or started is taken back; a second signal does not wait for that.
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(1);
    interrupted.abort(new Error(`${signal} was received`));
  });
const { main } = await import('../dist/server/journey.js');
const code = await main(
  process.argv.slice(2),
  { root, env: process.env, interrupted: interrupted.signal },
  {
    print: (line) => console.log(line),
    complain: (line) => console.error(line),
  },
);
await exitWith(code);
