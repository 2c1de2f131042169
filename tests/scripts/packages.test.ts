import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ready } from '../../scripts/ready.mjs';

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
type Manifest = { dependencies: Readonly<Record<string, string>> };
const dependenciesOf = (file: string) => Object.keys((read(file) as Manifest).dependencies); // both have some

const filesIn = (folder: string, kind: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => kind.test(file))
    .map((file) => join(folder, file));

/** Imports in our own sources, and those that the bundler has written: its bundles quote others in comments and strings. */
const written = /\b(?:from |import\()["'](@?[a-z][\w./-]*)["']/g;
const bundled = /^(?:import|export)\b[^'"]*["'](@?[a-z][\w./-]*)["'];$/gm;

/** The packages that these files import, sorted. */
function packagesOf(files: readonly string[], pattern: RegExp): string[] {
  const imported = files
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)])
    .map(([, specifier]) => specifier!) // in every match
    .filter((specifier) => !isBuiltin(specifier))
    .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)![0]); // matches everything that is not empty
  return [...new Set(imported)].sort();
}

describe('the lists of dependencies', () => {
  beforeAll(ready, 120_000);

  it('in package.json are exactly the packages that the built server imports', () => {
    expect(packagesOf(filesIn('dist/server', /\.js$/), bundled)).toEqual(dependenciesOf('package.json').sort());
  });

  it('in build/package.json are exactly the further packages that the build imports', () => {
    const external = dependenciesOf('package.json');
    const sources = ['src', 'server'].flatMap((room) => filesIn(room, /\.tsx?$/));
    const imported = packagesOf([...sources, 'vite.config.ts', 'scripts/build.mjs'], written);
    expect(imported.filter((name) => !external.includes(name))).toEqual(dependenciesOf('build/package.json').sort());
  });
});
