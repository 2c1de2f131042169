/**
 * Measures the figures that the project speaks of, each beside what it is measured against in the same run, prints them
 * and writes each part into docs/bench.md when it has ended. `npm run bench -- page server` measures these parts only.
 * Ends with 1 if a part failed; the others are measured all the same.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release } from 'node:os';
import { argv, version } from 'node:process';
import { format, resolveConfig } from 'prettier';
import type { Row } from './bench/row.ts';
import * as batch from './bench/batch.ts';
import { cellsOf, withPart, type Measured } from './bench/document.ts';
import * as growth from './bench/growth.ts';
import * as memory from './bench/memory.ts';
import * as page from './bench/page.ts';
import * as rules from './bench/rules.ts';
import * as server from './bench/server.ts';
import * as servers from './bench/servers.ts';
import { testRows } from './bench/tests.ts';
import * as trips from './bench/trips.ts';
import { findChromium } from '../tests/support/browser.ts';

/** A part of the bench: what it measures, row by row, and with which packages and programs besides Node. */
interface Part {
  rows: () => AsyncIterable<Row> | Iterable<Row>;
  uses?: readonly string[];
}

const parts: Readonly<Record<string, Part>> = {
  page,
  trips,
  server,
  servers,
  batch,
  rules,
  memory,
  growth,
  tests: { rows: () => testRows('npm test'), uses: ['vitest', 'Chromium'] },
  testsAll: { rows: () => testRows('npm run test:all'), uses: ['vitest', 'Chromium'] },
};
/** What takes so long that it is measured only when it is named. */
const onlyNamed = ['testsAll'];

const names = Object.keys(parts);
const given = argv.slice(2);
const unknown = given.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`The bench has no part ${unknown.join(', ')}; its parts: ${names.join(', ')}`);

const file = 'docs/bench.md';

/** A package or program with its version; '' if it is not installed. */
function versionOf(name: string): string {
  const programs: Record<string, () => string> = {
    Chromium: () => execFileSync(findChromium(), ['--version'], { encoding: 'utf8' }).trim(),
    nginx: () => execFileSync('sh', ['-c', 'nginx -v 2>&1'], { encoding: 'utf8' }).trim().replace(/^.*: /, ''),
  };
  const ofPackage = () => {
    const text = readFileSync(`node_modules/${name}/package.json`, 'utf8');
    return `${name} ${(JSON.parse(text) as { version: string }).version}`; // every installed package has one
  };
  try {
    return (programs[name] ?? ofPackage)();
  } catch {
    return '';
  }
}

/** Runs a part to its end or until it fails. */
async function measured({ rows, uses = [] }: Part): Promise<Measured> {
  const [at, before] = [new Date().toISOString(), performance.now()];
  const found: Row[] = [];
  let failure: string | undefined;
  try {
    for await (const row of rows()) found.push(row);
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
    machine: `${programs} on ${platform()} ${release()} (${arch()}), ${cpus().length} cores: ${model}`,
  };
}

for (const name of names.filter((each) => (given.length > 0 ? given.includes(each) : !onlyNamed.includes(each)))) {
  const found = await measured(parts[name]!); // one of its names
  console.log(`${name}${found.failure === undefined ? '' : `: failed, ${found.failure}`}`);
  console.table(found.rows.map(cellsOf));
  const document = withPart(existsSync(file) ? readFileSync(file, 'utf8') : '', name, found, names);
  writeFileSync(file, await format(document, { ...(await resolveConfig(file)), filepath: file }));
  if (found.failure !== undefined) process.exitCode = 1;
}
