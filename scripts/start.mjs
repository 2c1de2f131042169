#!/usr/bin/env node
/**
 * Starts the console and its sandbox, or with the argument `sandbox` the sandbox alone: see `--help`. With the argument
 * `verify` it judges a program, with `mcp` it serves a coding agent, with one of `commands` it does an operator's work,
 * with `openapi` it prints the description of the service, with `drift` it compares answers with that, with
 * `situation` it saves and opens one.
 */
import { isPacked, ready, root } from './ready.mjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OptionError, optionsOf } from './options.mjs';

const dataFolder = isPacked ? '.payments-out' : '.data';

/** Further commands, each with its file in dist/server. */
const commands = {
  backup: 'backup',
  'copy-store': 'copyStore',
  'change-key': 'changeKey',
  users: 'users',
  openapi: 'openapi',
  drift: 'drift',
  situation: 'situation',
};

const help = `Usage: ${isPacked ? 'payments-out-console' : 'npm start --'} [sandbox] [options]
       ${isPacked ? 'payments-out-console verify' : 'npm run verify --'} [options] -- <command>
       ${isPacked ? 'payments-out-console mcp' : 'node scripts/start.mjs mcp'}, for coding agents: docs/agents.md
${Object.keys(commands)
  .map((name) => `       ${isPacked ? `payments-out-console ${name}` : `npm run ${name} --`} --help\n`)
  .join('')}
Starts the console and its sandbox, or the sandbox alone, and prints their addresses.

  --port <number>  the port, otherwise PORT or 3000, with 0 any free one; the embedded sandbox has the next one
  --data <folder>  the folder for all data, otherwise DATA_DIR or ./${dataFolder}
  --seed <number>  of the sandbox alone: in memory, with the same ids and credentials each time
  --accept-store   starts although the store is empty, missing or out of date; invoices paid in it can be paid again
  --version        prints the version
  --help           prints this text

Variables configure everything else: the README lists the most important ones, docs/operating.md all. They are read from
the environment and from a file .env in this folder.
`;

/** The options of this process; ends it with a sentence if they are wrong. */
function options() {
  try {
    return optionsOf(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

/** Reads .env already, because a folder that it names has precedence over the one that is usual here. */
async function chooseFolder(data) {
  const { loadEnvFileOrExit } = await import('../dist/server/envFile.js');
  loadEnvFileOrExit();
  process.env.DATA_DIR = data ?? (process.env.DATA_DIR || dataFolder);
}

const [, , first] = process.argv;
const own = { verify: './verify.mjs', mcp: './mcp.mjs' };
const isOwn = Object.hasOwn(own, first ?? '');
const isCommand = Object.hasOwn(commands, first ?? '');
const { sandbox, port, data, seed, ...asked } = isOwn || isCommand ? {} : options();
if (isOwn) await import(own[first]);
else if (isCommand) {
  await ready();
  await chooseFolder();
  process.argv.splice(2, 1);
  await import(`../dist/server/${commands[first]}.js`);
} else if (asked.help) process.stdout.write(help);
else if (asked.version)
  process.stdout.write(`${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`);
else if (seed !== undefined && !sandbox) {
  process.stderr.write('--seed is an option of the sandbox alone: payments-out-console sandbox --seed 1\n');
  process.exitCode = 2;
} else {
  await ready();
  await chooseFolder(data);
  // Who starts it with npm reads the addresses, also through a pipe; in production the program is started itself.
  process.env.LOG_FORMAT ||= 'text';
  if (port !== undefined) process.env[sandbox ? 'SANDBOX_PORT' : 'PORT'] = port;
  if (seed !== undefined) process.env.SANDBOX_SEED = seed;
  if (asked['accept-store']) process.env.ACCEPT_STORE = 'true';
  await import(sandbox ? '../dist/server/sandbox.js' : '../dist/server/main.js');
  const { logFormat } = await import('../dist/server/envFile.js');
  if (logFormat() === 'text') process.stdout.write('Press Ctrl+C to stop\n');
}
