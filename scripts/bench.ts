/**
 * Prints the figures that the project speaks of in one table, each beside what it is measured against in the same run.
 * Machines are noisy: compare the ratios of one run, not the times of two. A run of all parts is written to
 * docs/bench.md; `npm run bench -- server` runs one part and writes nothing.
 */
import { writeFileSync } from 'node:fs';
import { arch, cpus, platform, release } from 'node:os';
import { argv, version } from 'node:process';
import type { Row } from './bench/row.ts';
import * as batch from './bench/batch.ts';
import * as growth from './bench/growth.ts';
import * as memory from './bench/memory.ts';
import * as page from './bench/page.ts';
import * as rules from './bench/rules.ts';
import * as server from './bench/server.ts';
import * as tests from './bench/tests.ts';
import * as trips from './bench/trips.ts';

const parts: Record<string, { rows: () => Row[] | Promise<Row[]> }> = {
  batch,
  growth,
  memory,
  page,
  rules,
  server,
  tests,
  trips,
};

const chosen = argv.slice(2);
const unknown = chosen.filter((name) => !(name in parts));
if (unknown.length > 0)
  throw new Error(`The bench has no part ${unknown.join(', ')}; its parts: ${Object.keys(parts).join(', ')}`);

const figure = (value: number) => String(Number(value.toPrecision(3)));

const cells = ({ what, unit, ours, reference, aim }: Row) => ({
  what,
  unit,
  ours: figure(ours),
  reference: reference ? `${figure(reference.value)} ${reference.what}` : '',
  ratio: reference ? figure(ours / reference.value) : '',
  aim,
});

const rows = [];
for (const [name, part] of Object.entries(parts))
  if (chosen.length === 0 || chosen.includes(name)) rows.push(...(await part.rows()).map(cells));
console.table(rows);

const columns = ['what', 'unit', 'ours', 'reference', 'ratio', 'aim'] as const;
if (chosen.length === 0)
  writeFileSync(
    'docs/bench.md',
    [
      '# Bench',
      '',
      '`npm run bench` reprints this table. Machines are noisy: compare the ratios, not the times.',
      '',
      `Measured with Node ${version} on ${platform()} ${release()} (${arch()}), ${cpus().length} cores: ${cpus()[0]?.model.trim() ?? 'unknown'}.`,
      '',
      `| ${columns.join(' | ')} |`,
      `| ${columns.map(() => '---').join(' | ')} |`,
      ...rows.map((row) => `| ${columns.map((column) => row[column]).join(' | ')} |`),
      '',
    ].join('\n'),
  );
