/**
 * Measures the figures that the project speaks of, each beside what it is measured against in the same run, prints them
 * and writes each part into docs/bench.md when it has ended. `npm run bench -- page server` measures these parts only,
 * `npm run bench -- server writes --beside <folder>` compares with the build in another checkout, with its packages.
 * Ends with 1 if a part failed; the others are measured all the same.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release } from 'node:os';
import { exit, version } from 'node:process';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import type { Row } from './row.ts';
import { cellsOf, withPart, type Measured } from './document.ts';
import * as embedded from './embedded.ts';
import * as page from './page.ts';
import * as server from './server.ts';
import * as store from './store.ts';
import * as tests from './tests.ts';
import * as writes from './writes.ts';
import { findChromium } from '../../tests/support/browser.ts';

/** A part of the bench: what it measures, row by row, and with which packages and programs besides Node. */
interface Part {
  rows: (beside?: string) => AsyncIterable<Row> | Iterable<Row>;
  /** Whether it has a section for each version of Node. */
  isOfNode?: boolean;
  uses?: readonly string[];
}

const parts: Readonly<Record<string, Part>> = {
  page,
  server: { rows: server.rows, uses: server.uses, isOfNode: true },
  store,
  writes,
  embedded,
  tests,
};

const names = Object.keys(parts);
const { positionals: given, values } = parseArgs({ allowPositionals: true, options: { beside: { type: 'string' } } });
const unknown = given.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`The bench has no part ${unknown.join(', ')}; its parts: ${names.join(', ')}`);

const file = 'docs/bench.md';

// What a part has started runs in groups of processes of its own, which an interrupt of this one does not reach.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => exit(130));

/** A package or program with its version; '' if it is not installed. */
function versionOf(name: string): string {
  if (name === 'Chromium') return execFileSync(findChromium(), ['--version'], { encoding: 'utf8' }).trim();
  const manifest = ['tools/node_modules', 'node_modules']
    .map((folder) => `${folder}/${name}/package.json`)
    .find((path) => existsSync(path));
  if (manifest === undefined) return '';
  return `${name} ${(JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version}`; // every package has one
}

/** Runs a part to its end or until it fails. */
async function measured({ rows, uses = [] }: Part): Promise<Measured> {
  const [at, before, [load = 0]] = [new Date().toISOString(), performance.now(), loadavg()];
  const found: Row[] = [];
  let failure: string | undefined;
  try {
    for await (const row of rows(values.beside)) found.push(row);
  } catch (error) {
    console.error(error);
    failure = error instanceof Error ? error.message : String(error);
  }
  const programs = [`Node ${version}`, ...uses.map(versionOf).filter(Boolean)].join(', ');
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  return {
    rows: found,
    ...(failure !== undefined && { failure }),
    at,
    seconds: (performance.now() - before) / 1000,
    machine: `${programs} on ${platform()} ${release()} (${arch()}), ${cpus().length} cores: ${model}, at a load of ${load.toFixed(1)}`,
  };
}

for (const name of names.filter((each) => given.length === 0 || given.includes(each))) {
  const found = await measured(parts[name]!); // one of its names
  console.log(`${name}${found.failure === undefined ? '' : `: failed, ${found.failure}`}`);
  console.table(found.rows.map(cellsOf));
  const title = parts[name]?.isOfNode ? `${name}, Node ${process.versions.node.split('.')[0]}` : name;
  const document = withPart(existsSync(file) ? readFileSync(file, 'utf8') : '', title, found, names);
  writeFileSync(file, await format(document, { ...(await resolveConfig(file)), filepath: file }));
  if (found.failure !== undefined) process.exitCode = 1;
}
