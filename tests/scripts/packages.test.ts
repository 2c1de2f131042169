import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ready } from '../../scripts/ready.mjs';

beforeAll(ready, 120_000);

/** The imports that the bundler has written: its bundles quote others in comments and strings. */
const bundled = /^(?:import|export)\b[^'"]*["'](@?[a-z][\w./-]*)["'];$/gm;

it('the dependencies of what is packed are exactly the packages that the built server imports', () => {
  const files = readdirSync('dist/server', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  );
  const imported = files
    .flatMap((file) => [...readFileSync(join('dist/server', file), 'utf8').matchAll(bundled)])
    .map(([, specifier]) => specifier!) // in every match
    .filter((specifier) => !isBuiltin(specifier))
    .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)![0]); // matches everything that is not empty
  const packed = JSON.parse(readFileSync('dist/packedManifest.json', 'utf8')) as { dependencies: object }; // of packedManifest
  expect([...new Set(imported)].sort()).toEqual(Object.keys(packed.dependencies).sort());
});
