import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '#tests/support/store.ts';
import { ready } from '../../scripts/ready.mjs';

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
type Manifest = { dependencies: Readonly<Record<string, string>> };
const dependenciesOf = (file: string) => Object.keys((read(file) as Manifest).dependencies); // both have some

const filesIn = (folder: string, kind: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => kind.test(file))
    .map((file) => join(folder, file));

/** The packages that these files import, sorted. */
function packagesOf(files: readonly string[]): string[] {
  const imported = files
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\b(?:from |import\(|import )["'](@?[a-z][\w./-]*)["']/g),
    ])
    .map(([, specifier]) => specifier!) // in every match
    .filter((specifier) => !isBuiltin(specifier))
    .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)![0]); // matches everything that is not empty
  return [...new Set(imported)].sort();
}

describe('the packages', () => {
  beforeAll(ready, 120_000);

  it('package.json depends on what the built server imports, and on nothing else', () => {
    expect(packagesOf(filesIn('dist/server', /\.js$/))).toEqual(dependenciesOf('package.json').sort());
  });

  it('page/package.json depends on what only the page and its build import, and on nothing else', () => {
    const ofServer = dependenciesOf('package.json');
    const imported = packagesOf([...filesIn('src', /\.tsx?$/), 'vite.config.ts', 'scripts/build.mjs']);
    expect(imported.filter((name) => !ofServer.includes(name))).toEqual(dependenciesOf('page/package.json').sort());
  });

  it('npm start installs at most 380 packages', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'page'));
    for (const file of ['package.json', 'package-lock.json', 'page/package.json'])
      copyFileSync(file, join(folder, file));
    const options = ['--omit=dev', '--dry-run', '--loglevel=error', '--no-audit', '--no-fund'];
    const printed = execFileSync('npm', ['ci', '--prefix', folder, ...options], { cwd: folder, encoding: 'utf8' });
    const [, count] = /^added (\d+) packages/m.exec(printed)!; // in an empty folder
    expect(Number(count)).toBeLessThanOrEqual(380);
  });
});
