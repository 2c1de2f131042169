/** Serves a coding agent over standard input and output: see docs/agents.md. Started by start.mjs. */
import { exitWith } from './processes.mjs';
import { ready, root } from './ready.mjs';

if (process.argv.length > 3) {
  process.stderr.write(`mcp takes no options, but was given ${process.argv.slice(3).join(' ')}\n`);
  process.exit(2);
}
await ready();
// The agent may have gone; what was started is ended nevertheless.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(1);
    interrupted.abort(new Error(`${signal} was received`));
  });
const { main } = await import('../dist/server/mcp.js');
await main(root, interrupted.signal);
await exitWith(0);
