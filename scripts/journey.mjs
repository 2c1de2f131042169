#!/usr/bin/env node
/** Runs journeys without a screen, from any folder: see `--help`. */
import { exitWith, interruption } from './processes.mjs';
import { ready, root } from './ready.mjs';

await ready();
const interrupted = interruption(1);
const { main } = await import('../dist/server/journey.js');
const code = await main(
  process.argv.slice(2),
  { root, env: process.env, interrupted },
  {
    print: (line) => console.log(line),
    complain: (line) => console.error(line),
  },
);
await exitWith(code);
