import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Runs a tool of the project; its output is part of the failure. */
function complaints(tool: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], { encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}` || `${tool} ended with ${status}`;
}

// The tools compute for seconds, and a busy machine takes many times as long.
describe('the source tree', { timeout: 180_000 }, () => {
  it('follows the import rules of dependency-cruiser', () => {
    expect(complaints('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', 'src', 'server', 'tests')).toBe('');
  });

  it('has built bundles within the size limits for a first visit and each route', () => {
    expect(complaints('node_modules/size-limit/bin.js')).toBe('');
  });

  it('has one component each for dates and selects: no other file of the page formats a date or draws a select', () => {
    const others = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && file !== 'ui/dates.ts')
      .filter((file) => {
        const text = readFileSync(`src/${file}`, 'utf8');
        return /toLocale(Date|Time)String|new Date\([^)]*\)\.toLocale|new Intl\.DateTimeFormat|<select\b|chakra\.select|<'select'>/.test(
          text,
        );
      });
    expect(others).toEqual([]);
  });

  it('has decisions numbered in sequence, alike in file name and heading', () => {
    const records = readdirSync('docs/decisions').filter((name) => name !== 'README.md');
    const headings = records.map((name) => readFileSync(`docs/decisions/${name}`, 'utf8').split('. ', 1)[0]);
    expect(headings).toEqual(records.map((_, index) => `# ${index + 1}`));
    expect(records.map((name) => Number(name.slice(0, 4)))).toEqual(records.map((_, index) => index + 1));
  });

  it('has one meaning for the name of a function that the console’s server exports', () => {
    const names = new Map<string, string[]>();
    for (const file of readdirSync('server', { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || /^(sandbox|verify)\b/.test(file)) continue;
      const text = readFileSync(`server/${file}`, 'utf8');
      for (const [, name = ''] of text.matchAll(
        /^export (?:async )?(?:function\*?|const) (\w+)(?=\(|<| = (?:async )?[(<])/gm,
      ))
        names.set(name, [...(names.get(name) ?? []), file]);
    }
    expect(names.size).toBeGreaterThan(300);
    expect([...names].filter(([, found]) => found.length > 1)).toEqual([]);
  });

  it('makes the handlers of calls once: their makers are called where the routes are made, and nowhere else', () => {
    const calls = readdirSync('server', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('sandbox'))
      .flatMap((file) =>
        [...readFileSync(`server/${file}`, 'utf8').matchAll(/^(.*)\b(\w+Handlers|createContexts)\(/gm)]
          .filter(([, before = '']) => !/function $|const $/.test(before))
          .map(([, , name = '']) => `${file.replaceAll('\\', '/')} ${name}`),
      );
    expect(calls.sort()).toEqual([
      'api/routes.ts createContexts',
      'api/routes.ts createHandlers',
      'api/routes.ts programHandlers',
      'api/routes.ts situationHandlers',
    ]);
  });
});
