/** Serves a coding agent over standard input and output: see docs/agents.md. Started by start.mjs. */
import { exitWith, interruption } from './processes.mjs';
import { ready, root } from './ready.mjs';

if (process.argv.length > 3) {
  process.stderr.write(`mcp takes no options, but was given ${process.argv.slice(3).join(' ')}\n`);
  process.exit(2);
}
await ready();
const interrupted = interruption(1);
const { main } = await import('../dist/server/mcp.js');
await main(root, interrupted);
await exitWith(0);
