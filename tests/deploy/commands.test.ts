import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stages } from './containerfile.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const manifest = JSON.parse(read('package.json')) as { files: string[]; scripts: Record<string, string> }; // has both

/** The documents of operators, who have the image or the package and not the sources. */
const documents = ['docs/operating.md', 'docs/production.md', 'deploy/README.md'];

/** Commands that only the sources have. */
const ofDevelopers = ['sandbox', 'test:all', 'test', 'try', 'bench', 'build', 'package'];

const named = [
  ...new Set(
    documents.flatMap((file) => [...read(file).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!)), // in every match
  ),
].filter((name) => !ofDevelopers.includes(name));

const copied = stages()
  .at(-1)!
  .steps.flatMap((step) => (step.kind === 'copy' ? step.sources : []))
  .map((source) => source.replace('/app/', ''));

/** A script of the project and those that it imports, by their paths. */
function withImports(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  // Judging programs is for those who write them.
  for (const [, name] of read(file).matchAll(/(?:from |import |import\()'\.\/([\w.]+\.mjs)'/g))
    if (name !== 'verify.mjs') withImports(`scripts/${name}`, known);
  return known;
}

describe('A command that the operator’s documents name', () => {
  it('exists, among them those for backup, key and copy', () => {
    expect(named).toEqual(expect.arrayContaining(['backup', 'copy-store', 'change-key']));
    expect(named.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
  });

  it.each(named)('is run by the package and by the image: %s', (name) => {
    expect(manifest.scripts[name]).toBe(`node scripts/start.mjs ${name}`);
    for (const file of withImports('scripts/start.mjs')) {
      expect(manifest.files, 'files of package.json').toContain(file);
      expect(copied, 'Containerfile').toContain(file);
    }
    const [, built] = new RegExp(`['"]?${name}['"]?: '(\\w+)'`).exec(read('scripts/start.mjs')) ?? [];
    expect(read('vite.config.ts')).toContain(`${built}: 'server/ops/`);
    for (const folder of ['dist/server', 'node_modules']) expect(copied).toContain(folder);
  });
});

describe('The proxy’s configuration', () => {
  it('passes on the host with its port, so that any public port works', () => {
    const hosts = [...read('deploy/nginx.conf').matchAll(/proxy_set_header Host ([^;]+);/g)].map(([, value]) => value);
    expect(hosts).toEqual(['$http_host']);
    expect(read('deploy/nginx.conf')).not.toMatch(/\$host\b/);
  });
});
