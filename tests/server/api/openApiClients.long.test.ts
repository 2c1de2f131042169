import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApi } from '#server/api/openapi.ts';
import { serviceOpenApi } from '#server/description/openapi.ts';
import { controlOpenApi } from '#server/sandbox/documents.ts';
import { temporaryFolder } from '#tests/support/store.ts';

/** The generators, and the version of TypeScript that they support. */
const packages = {
  'openapi-typescript': '7.13.0',
  orval: '7.13.2',
  '@hey-api/openapi-ts': '0.99.0',
  typescript: '5.9.3',
};

/** Where they are installed, once for each machine: together they have 160 MB. */
const installed = join(tmpdir(), `payments-out-console-generators-${Object.values(packages).join('-')}`);

/** How each generator is called. */
const generators: Record<string, (document: string, folder: string) => string[]> = {
  'openapi-typescript': (document, folder) => [document, '-o', join(folder, 'types.ts')],
  orval: (document, folder) => ['--input', document, '--output', join(folder, 'client.ts'), '--client', 'fetch'],
  'openapi-ts': (document, folder) => ['-i', document, '-o', folder, '-c', '@hey-api/client-fetch'],
};

/** Without what this test run tells its own workers. */
const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|NODE_ENV)/.test(name)));

/** Runs a program in a folder. Returns its output, after what went wrong if it has failed. */
function ran(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env: clean, encoding: 'utf8' });
  return status === 0 ? '' : `${program} ${args.join(' ')}: ${String(error ?? status)}\n${stdout}${stderr}`;
}
const binary = (name: string): string => join(installed, 'node_modules/.bin', name);

const compiler = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    lib: ['es2022', 'dom', 'dom.iterable'],
    skipLibCheck: true,
  },
  include: ['client'],
};

describe('A client generated from the OpenAPI description', { timeout: 240_000 }, () => {
  beforeAll(() => {
    mkdirSync(installed, { recursive: true });
    const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    const options = ['--prefix', installed, '--ignore-scripts', '--no-save', '--no-audit', '--no-fund'];
    if (existsSync(binary('orval'))) return;
    expect(ran('npm', ['install', ...options, ...wanted], installed)).toBe('');
  }, 240_000);

  const documents = { console: openApi, 'fault lab': controlOpenApi, service: () => serviceOpenApi() };
  const cases = Object.entries(documents).flatMap(([name, make]) =>
    Object.keys(generators).map((generator) => [name, generator, make] as const),
  );

  it.each(cases)('of the %s by %s compiles (behaviour 7.1; wire 18.1)', (_, generator, make) => {
    const folder = temporaryFolder();
    const document = join(folder, 'openapi.json');
    writeFileSync(document, JSON.stringify(make()));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(compiler));
    mkdirSync(join(folder, 'client'));
    const args = generators[generator]!(document, join(folder, 'client')); // one of them
    expect(ran(binary(generator), args, folder)).toBe('');
    expect(ran(binary('tsc'), ['-p', folder], folder)).toBe('');
  });
});
