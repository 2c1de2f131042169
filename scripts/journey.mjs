#!/usr/bin/env node
/** Runs journeys without a screen, from any folder: see `--help`. */
import { fileURLToPath } from 'node:url';
import { ready } from './ready.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const here = process.cwd();
process.chdir(root);
ready();
process.chdir(here);
const { main } = await import('../dist/server/journey.js');
process.exitCode = await main(
  process.argv.slice(2),
  { root, env: process.env },
  {
    print: (line) => console.log(line),
    complain: (line) => console.error(line),
  },
);
